// Collects functions, and puts conditions and control flow together.
#include "coverage/source/branches/branches.hpp"

#include <clang/AST/ASTContext.h>
#include <clang/AST/ASTLambda.h>
#include <clang/AST/ExprCXX.h>
#include <clang/Basic/SourceManager.h>
#include <clang/Lex/Lexer.h>

#include <algorithm>
#include <optional>
#include <set>
#include <tuple>

#include "coverage/source/branches/code.hpp"
#include "coverage/source/branches/condition.hpp"
#include "coverage/source/branches/flow.hpp"
#include "coverage/source/branches/function_names.hpp"
#include "coverage/source/clang/walk.hpp"

namespace morph::source {
namespace {

/// The class whose method it is, or in whose method a lambda stands.
std::string class_around(const clang::FunctionDecl& function) {
  for (const clang::DeclContext* around = function.getDeclContext(); around != nullptr; around = around->getParent())
    if (const auto* record = llvm::dyn_cast<clang::CXXRecordDecl>(around); record != nullptr && !record->isLambda())
      return record->getQualifiedNameAsString();
  return {};
}

/// The blocks of a function as sites and calls.
class function_reader {
 public:
  function_reader(clang::ASTContext& context, const file_choice& chosen, const written_file& file, function_code code,
                  function_flow flow)
      : context_(context),
        chosen_(chosen),
        file_(file),
        code_(std::move(code)),
        flow_(std::move(flow)),
        control_(flow_.graph) {}

  void read(function_branches& to) {
    add_sites(to);
    add_calls(to);
    add_hidden(to);
  }

 private:
  void add_sites(function_branches& to) {
    struct found_site {
      described_site described;
      std::size_t block;
    };
    std::vector<found_site> found;
    for (std::size_t i = flow_.blocks.size(); i-- > 0;)  // Clang numbers from the end
      if (const block_facts& facts = flow_.blocks[i]; facts.terminator != nullptr && control_.is_reached(i))
        found.push_back({describe_site({facts.terminator, facts.condition, to.range.begin}, context_, file_), i});
    std::ranges::stable_sort(found, {}, [](const found_site& each) { return each.described.site.range; });
    site_of_block_.assign(flow_.blocks.size(), std::nullopt);
    is_negated_.assign(flow_.blocks.size(), false);
    for (std::size_t i = 0; i < found.size(); ++i) {
      site_of_block_[found[i].block] = i;
      is_negated_[found[i].block] = found[i].described.is_negated;
    }
    for (found_site& each : found) {
      branch_site& site = each.described.site;
      site.under = under(each.block);
      site.code = code_at(each.block, each.described.is_negated);
      const auto& next = flow_.graph.blocks[each.block].next;
      for (std::size_t way = 0; way < next.size(); ++way) {
        const branch one = of_edge({each.block, way});
        if (!next[way])
          site.never.push_back(one.outcome);
        else if (control_.is_reached_from_entry(each.block))
          to.entry.push_back(one);
      }
      std::ranges::sort(site.never);
      to.sites.push_back(std::move(site));
    }
    in_order(to.entry);
  }

  void add_calls(function_branches& to) {
    for (std::size_t i = 0; i < flow_.blocks.size(); ++i) {
      if (!control_.is_reached(i)) continue;
      std::optional<std::vector<branch>> under_block, followed;
      for (const called_function& each : flow_.blocks[i].calls) {
        auto call = called(each, to);
        if (!call) continue;
        if (!under_block) under_block = under(i);
        if (!followed) followed = of_edges(control_.leads_to(i));
        call->under = *under_block;
        call->follows = *followed;
        call->is_always = under_block->empty() && control_.is_reached_from_entry(i);
        to.calls.push_back(std::move(*call));
      }
    }
    std::ranges::stable_sort(to.calls, {}, [](const branch_call& each) { return std::tie(each.begin, each.callee); });
  }

  site_code code_at(std::size_t block, bool is_negated) const {
    const block_facts& facts = flow_.blocks[block];
    const bool is_whole = llvm::isa<clang::CXXForRangeStmt, clang::SwitchStmt>(facts.terminator);
    const clang::Stmt& of = is_whole ? *facts.terminator : *facts.condition->IgnoreParens();
    const auto known = code_.sites.find(&of);
    if (known == code_.sites.end()) return {};
    site_code made = known->second;
    made.is_negated = is_negated;
    const auto* range = llvm::dyn_cast<clang::CXXForRangeStmt>(&of);
    const auto* choice = llvm::dyn_cast<clang::SwitchStmt>(&of);
    const auto extent = range != nullptr    ? clang::SourceRange(range->getForLoc(), range->getRParenLoc())
                        : choice != nullptr ? choice->getCond()->getSourceRange()
                                            : of.getSourceRange();
    if (const auto at = file_.surroundings(extent)) made.last_line = file_.line(at->end - 1);
    return made;
  }

  void add_hidden(function_branches& to) const {
    for (const clang::Expr* each : code_.operands)
      if (const auto at = file_.surroundings(each->getSourceRange()))
        to.operands.emplace_back(at->begin, file_.line(at->begin));
    std::set<std::uint32_t> lines;
    for (const clang::SourceRange each : code_.hidden)
      if (const auto at = file_.surroundings(each))
        for (std::uint32_t line = file_.line(at->begin); line <= file_.line(at->end - 1); ++line) lines.insert(line);
    to.hidden.assign(lines.begin(), lines.end());
    std::ranges::sort(to.operands);
  }

  std::optional<branch_call> called(const called_function& call, const function_branches& within) const {
    if (call.callee->isImplicit() || call.callee->isDefaulted()) return std::nullopt;
    const clang::FunctionDecl& named = *written_one(*call.callee).getCanonicalDecl();
    const clang::SourceManager& sources = context_.getSourceManager();
    const auto entry = sources.getFileEntryRefForID(sources.getFileID(sources.getExpansionLoc(named.getLocation())));
    if (!entry) return std::nullopt;
    std::string path = one_name(entry->getName());
    if (!chosen_.contains(path)) return std::nullopt;
    const auto at = file_.surroundings(call.where);
    const std::uint32_t begin = at ? at->begin : within.range.begin;
    branch_call made{.begin = begin,
                     .line = file_.line(begin),
                     .callee = name_with_const(named),
                     .callee_class = class_around(named),
                     .callee_file = std::move(path),
                     .is_virtual = call.is_virtual};
    if (call.receiver != nullptr) made.receiver = call.receiver->getQualifiedNameAsString();
    return made;
  }

  branch of_edge(const flow_edge& edge) const {
    const auto& outcomes = flow_.blocks[edge.block].outcomes;
    std::size_t outcome = 0;
    if (!outcomes.empty())
      outcome = outcomes[edge.outcome];
    else
      outcome = (edge.outcome == 0) != is_negated_[edge.block] ? 1 : 0;
    return {site_of_block_[edge.block].value_or(0), outcome};
  }

  std::vector<branch> of_edges(const std::vector<flow_edge>& edges) const {
    std::vector<branch> found;
    for (const flow_edge& each : edges)
      if (site_of_block_[each.block]) found.push_back(of_edge(each));
    in_order(found);
    return found;
  }

  /// Blocks that are no sites hand on what they depend on themselves: `if constexpr`. Those that hand on exceptions do
  /// not: any call may throw.
  std::vector<branch> under(std::size_t block) const {
    std::vector<branch> found;
    std::vector<std::size_t> open{block};
    std::set<std::size_t> seen{block};
    while (!open.empty()) {
      const auto edges = control_.dependences(open.back());
      open.pop_back();
      for (const flow_edge& each : edges) {
        if (site_of_block_[each.block])
          found.push_back(of_edge(each));
        else if (!flow_.graph.blocks[each.block].catches && seen.insert(each.block).second)
          open.push_back(each.block);
      }
    }
    in_order(found);
    return found;
  }

  static void in_order(std::vector<branch>& of) {
    std::ranges::sort(of);
    const auto gone = std::ranges::unique(of);
    of.erase(gone.begin(), gone.end());
  }

  clang::ASTContext& context_;
  const file_choice& chosen_;
  const written_file& file_;
  function_code code_;
  function_flow flow_;
  control control_;
  std::vector<std::optional<std::size_t>> site_of_block_;
  std::vector<bool> is_negated_;
};

class unit_reader {
 public:
  unit_reader(clang::ASTContext& context, const file_choice& chosen, const std::vector<parse_error>& errors)
      : context_(context), sources_(context.getSourceManager()), chosen_(chosen), errors_(errors) {}

  file_branches run() {
    for (clang::Decl* each : context_.getTranslationUnitDecl()->decls()) {
      if (each->getLocation().isValid() && sources_.isInSystemHeader(each->getLocation())) continue;
      walk(each, {.statement = [this](const clang::Stmt& of) { return look_at(of), true; },
                  .declaration = [this](clang::Decl& of) { return look_at(of), true; }});
    }
    for (auto& [path, functions] : found_)
      std::ranges::stable_sort(functions, {}, [](const function_branches& each) {
        return std::pair(each.range.begin, -static_cast<std::int64_t>(each.range.end));
      });
    return std::move(found_);
  }

 private:
  void look_at(const clang::Stmt& of) {
    const auto* lambda = llvm::dyn_cast<clang::LambdaExpr>(&of);
    if (lambda != nullptr && lambda->getCallOperator() != nullptr)
      add(*lambda->getCallOperator(), lambda->getSourceRange(), says_constexpr(*lambda));
  }

  void look_at(const clang::Decl& of) {
    if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(&of); variable != nullptr && variable->isConstexpr())
      constexpr_values_.push_back(variable->getSourceRange());
    const auto* function = llvm::dyn_cast<clang::FunctionDecl>(&of);
    if (function != nullptr && !isLambdaCallOperator(function))
      add(*function, function->getSourceRange(), function->isConstexpr());
  }

  /// Clang says it of all lambdas that could be.
  bool says_constexpr(const clang::LambdaExpr& of) const {
    if (std::ranges::any_of(constexpr_values_,
                            [&](clang::SourceRange each) { return each.fullyContains(of.getSourceRange()); }))
      return true;
    const auto head =
        clang::CharSourceRange::getCharRange(of.getIntroducerRange().getEnd(), of.getCompoundStmtBody()->getBeginLoc());
    return clang::Lexer::getSourceText(head, sources_, context_.getLangOpts()).contains("constexpr");
  }

  void add(const clang::FunctionDecl& function, clang::SourceRange extent, bool is_constexpr) {
    if (!function.isThisDeclarationADefinition() || function.isDefaulted() || function.isDeleted() ||
        function.isConsteval() || function.isTemplateInstantiation() || function.getBody() == nullptr)
      return;
    const auto id = sources_.getFileID(sources_.getExpansionLoc(function.getBody()->getBeginLoc()));
    const auto entry = sources_.getFileEntryRefForID(id);
    if (!entry) return;
    const std::string path = one_name(entry->getName());
    if (!chosen_.contains(path)) return;
    const written_file file(context_, id);
    const auto range = file.surroundings(extent);
    if (!range || !known_.insert({path, *range}).second) return;
    function_branches made;
    made.name = name_with_const(function);
    made.in_class = class_around(function);
    made.range = *range;
    made.line = file.line(sources_.getFileOffset(sources_.getExpansionLoc(function.getLocation())));
    made.end_line = file.line(range->end - 1);
    if (const auto* block = llvm::dyn_cast<clang::CompoundStmt>(function.getBody()))
      made.body = file.behind(block->getLBracLoc());
    made.is_constexpr = is_constexpr;
    made.is_template = function.isTemplated();
    made.is_rejected = function.isInvalidDecl() || std::ranges::any_of(errors_, [&](const parse_error& each) {
                         return each.file == path && range->begin <= each.offset && each.offset < range->end;
                       });
    if (!made.is_rejected) {
      function_code code = code_of(function, context_);
      if (auto flow = flow_of(function, context_))
        function_reader(context_, chosen_, file, std::move(code), std::move(*flow)).read(made);
    }
    found_[path].push_back(std::move(made));
  }

  clang::ASTContext& context_;
  const clang::SourceManager& sources_;
  const file_choice& chosen_;
  const std::vector<parse_error>& errors_;
  std::set<std::pair<std::string, byte_range>> known_;
  std::vector<clang::SourceRange> constexpr_values_;
  file_branches found_;
};

}  // namespace

file_branches read_branches(clang::ASTContext& context, const file_choice& chosen,
                            const std::vector<parse_error>& errors) {
  return unit_reader(context, chosen, errors).run();
}

}  // namespace morph::source
