// What is kept of the functions that lead to an assertion.
#include "coverage/source/scout/codify.hpp"

#include <clang/AST/DeclTemplate.h>
#include <clang/Lex/Lexer.h>

#include <algorithm>
#include <cctype>

#include "coverage/source/scout/codifier.hpp"
#include "coverage/source/scout/used.hpp"

namespace morph::source::scouting {

bool has_word(const std::string& text, const std::string& word) {
  const auto is_letter = [&](std::size_t i) {
    return i < text.size() && (std::isalnum(static_cast<unsigned char>(text[i])) != 0 || text[i] == '_');
  };
  for (auto at = text.find(word); at != std::string::npos; at = text.find(word, at + 1))
    if ((at == 0 || !is_letter(at - 1)) && !is_letter(at + word.size())) return true;
  return false;
}

codifier::codifier(const found_relation& of, const std::vector<frame>& frames, std::size_t count, const reader& reading,
                   const section_path& path, clang::ASTContext& context)
    : of_(of),
      reading_(reading),
      path_(path),
      context_(context),
      sources_(context.getSourceManager()),
      text_(sources_, context.getLangOpts()) {
  for (std::size_t i = frames.size() - count; i < frames.size(); ++i)
    levels_.push_back({.function = frames[i].function, .call = frames[i].call, .arguments = frames[i].arguments});
}

codified codifier::make() {
  const auto asserted = reading_.assertions().find(of_.at);
  if (asserted == reading_.assertions().end()) return refuse("its assertion is of another kind");
  target_ = asserted->second;
  for (std::size_t i = 0; i < levels_.size(); ++i) {
    level& each = levels_[i];
    const auto body = text_.range_of(each.function->getBody()->getSourceRange());
    if (!body) return refuse("a macro has written a function that leads to it");
    each.file = body->file;
    const slice_target target{of_.at, i + 1 < levels_.size() ? levels_[i + 1].call : nullptr};
    each.kept = slice_of(*each.function, target, path_, reading_.assertions(), context_);
    if (each.kept.is_too_long) return refuse("its test has more than 2,000 statements");
    if (!each.kept.has_target) return refuse("its assertion stands inside of another statement");
    if (each.kept.needs_fixture && !find_fixture(*each.function))
      return refuse("it uses members of a class that is no fixture");
    now_ = i;
    collect_code(each.kept.pieces);
    if (i + 1 < levels_.size())
      for (const clang::Expr* const one : levels_[i + 1].arguments) add_side(one);
  }
  for (const clang::Expr* const each : {target_.left, target_.right, target_.tolerance}) add_side(each, true);
  made_.given = is_said("in") ? "given" : "in";
  if (!lift_parameters()) return std::move(made_);
  for (const level& each : levels_) lift_loops(each.kept.pieces);
  lift_constants();
  if (made_.inputs.empty()) return refuse("it has no input that could be another: neither a literal nor a parameter");
  for (now_ = 0; now_ < levels_.size(); ++now_) bind_types(*levels_[now_].function);
  now_ = 0;
  emit(levels_[0].kept.pieces, 0, false);
  if (is_in_loop_) {
    made_.lines.insert(made_.lines.begin(), "morph::comparison last;");
    made_.lines.emplace_back("return last;");
  }
  made_.lines.insert(made_.lines.begin(), prologue_.begin(), prologue_.end());
  if (!made_.refused.empty()) return std::move(made_);
  std::vector<const clang::Stmt*> all;
  for (const code_part& each : code_) all.push_back(each.of);
  const used_declarations used = used_by(all, types_, context_);
  if (!used.refused.empty()) return refuse(used.refused);
  made_.uses = used.of_source;
  made_.has_framework |= used.has_framework || !made_.fixture.empty();
  made_.scopes = scopes_of(*levels_[0].function->getCanonicalDecl());
  return std::move(made_);
}

codified codifier::refuse(std::string why) {
  codified none;
  none.refused = std::move(why);
  return none;
}

bool codifier::find_fixture(const clang::FunctionDecl& function) {
  const auto* const method = clang::dyn_cast<clang::CXXMethodDecl>(&function);
  if (method == nullptr) return false;
  clang::QualType type = method->getThisType()->getPointeeType();
  if (method->getParent()->getBeginLoc().isMacroID()) {
    if (method->getParent()->getNumBases() == 0) return false;
    type = method->getParent()->bases_begin()->getType();
  }
  const clang::CXXRecordDecl* const around = type->getAsCXXRecordDecl();
  if (around == nullptr || around->getQualifiedNameAsString().starts_with("testing::")) return false;
  if (!made_.fixture.empty()) return true;
  made_.fixture = name_of(type);
  made_.is_fixture_of_gtest = is_of_gtest(*around);
  types_.push_back(around);
  return true;
}

bool codifier::is_of_gtest(const clang::CXXRecordDecl& of) {
  if (of.getQualifiedNameAsString() == "testing::Test") return true;
  return of.hasDefinition() && std::ranges::any_of(of.bases(), [](const clang::CXXBaseSpecifier& each) {
           const auto* const base = each.getType()->getAsCXXRecordDecl();
           return base != nullptr && is_of_gtest(*base);
         });
}

std::string codifier::name_of(clang::QualType type) const {
  clang::PrintingPolicy policy(context_.getLangOpts());
  policy.SuppressUnwrittenScope = true;
  policy.SuppressTagKeyword = true;
  policy.Bool = true;
  return type.getCanonicalType().getUnqualifiedType().getAsString(policy);
}

void codifier::bind_types(const clang::FunctionDecl& function) {
  const auto bind = [&](const clang::TemplateParameterList& names, const clang::TemplateArgumentList& values) {
    for (unsigned i = 0; i < names.size() && i < values.size(); ++i) {
      if (values[i].getKind() != clang::TemplateArgument::Type) continue;
      std::string name = names.getParam(i)->getNameAsString();
      if (name == "gtest_TypeParam_") name = "TypeParam";
      if (name.empty() || !is_said(name)) continue;
      if (!bound_.insert(name).second) continue;
      prologue_.push_back("using " + name + " = " + name_of(values[i].getAsType()) + ';');
      if (const auto* const tag = values[i].getAsType()->getAsTagDecl()) types_.push_back(tag);
    }
  };
  if (const auto* const pattern = function.getTemplateInstantiationPattern();
      pattern != nullptr && function.getTemplateSpecializationArgs() != nullptr &&
      pattern->getDescribedFunctionTemplate() != nullptr)
    bind(*pattern->getDescribedFunctionTemplate()->getTemplateParameters(), *function.getTemplateSpecializationArgs());
  if (const auto* const method = clang::dyn_cast<clang::CXXMethodDecl>(&function))
    if (const auto* const instance = clang::dyn_cast<clang::ClassTemplateSpecializationDecl>(method->getParent()))
      bind(*instance->getSpecializedTemplate()->getTemplateParameters(), instance->getTemplateArgs());
}

bool codifier::is_said(const std::string& word) const {
  return std::ranges::any_of(code_, [&](const code_part& each) {
    const auto where = text_.range_of(each.of->getSourceRange());
    return where && has_word(text_.original(*where), word);
  });
}

void codifier::collect_code(std::vector<piece>& of) {
  for (piece& each : of) {
    if (each.how == piece::kind::assertion && !each.is_needed) each.is_needed = is_guard(each);
    if (!each.is_needed) continue;
    if (each.how == piece::kind::statement) code_.push_back({each.of, now_});
    if (each.how == piece::kind::assertion) {
      const written_assertion& asserted = assertion_of(each);
      add_side(asserted.left, true);
      add_side(asserted.right, true);
    }
    if (each.how == piece::kind::controlled)
      for (const clang::Stmt* const part : each.of->children())
        if (part != nullptr && clang::isa<clang::Expr, clang::DeclStmt>(part)) code_.push_back({part, now_, false});
    collect_code(each.inside);
    collect_code(each.otherwise);
  }
}

void codifier::add_side(const clang::Expr* of, bool is_asserted) {
  if (of != nullptr) code_.push_back({of, now_, true, is_asserted});
}

const written_assertion& codifier::assertion_of(const piece& of) const {
  return reading_.assertions().at(sources_.getExpansionLoc(of.of->getBeginLoc()));
}

std::string codifier::macro_of(const written_assertion& of) const {
  return clang::Lexer::getSourceText(clang::CharSourceRange::getTokenRange(of.at, of.at), sources_,
                                     context_.getLangOpts())
      .str();
}

bool codifier::is_guard(const piece& of) const {
  const written_assertion& asserted = assertion_of(of);
  if (!is_condition(asserted) || compares_with_value(*asserted.left)) return false;
  auto read = read_by(*asserted.left);
  if (asserted.right != nullptr) read.merge(read_by(*asserted.right));
  return !read.empty() &&
         std::ranges::all_of(read, [&](const auto* each) { return levels_[now_].kept.needed.contains(each); });
}

bool codifier::is_known(const clang::Expr* of) {
  return clang::isa<clang::CXXNullPtrLiteralExpr, clang::GNUNullExpr, clang::CXXBoolLiteralExpr>(bare(of));
}

bool codifier::compares_with_value(const clang::Expr& condition) const {
  const clang::Expr* const top = bare(&condition);
  const auto* const binary = clang::dyn_cast<clang::BinaryOperator>(top);
  const auto* const call = clang::dyn_cast<clang::CXXOperatorCallExpr>(top);
  if ((binary == nullptr || !binary->isComparisonOp()) && (call == nullptr || !call->isComparisonOp())) return false;
  bool made = false;
  find_constants(top, context_, text_, [&](const found_constant& each) { made |= !is_trivial(each.text); });
  return made;
}

bool codifier::is_condition(const written_assertion& of) const {
  return of.right == nullptr || is_known(of.left) || is_known(of.right);
}

namespace {

/// From the test to the function whose body has the assertion.
std::vector<frame> frames_to(const found_relation& of, const clang::SourceManager& sources) {
  std::vector<frame> made;
  std::size_t count = 0;
  for (const frame& each : of.frames) {
    made.push_back(each);
    const clang::Stmt* const body = each.function->getBody();
    if (body == nullptr) continue;
    const auto begin = sources.getExpansionLoc(body->getBeginLoc()),
               end = sources.getExpansionRange(body->getEndLoc()).getEnd();
    if (!sources.isBeforeInTranslationUnit(of.at, begin) && !sources.isBeforeInTranslationUnit(end, of.at))
      count = made.size();
  }
  made.resize(count);
  return made;
}

bool is_lambda(const frame& of) {
  const auto* const method = clang::dyn_cast<clang::CXXMethodDecl>(of.function);
  return method != nullptr && method->getParent()->isLambda();
}

}  // namespace

codified codify(const found_relation& of, const reader& reading, const section_path& path, clang::ASTContext& context) {
  const clang::SourceManager& sources = context.getSourceManager();
  const std::vector<frame> frames = frames_to(of, sources);
  if (frames.empty()) return {.refused = "its assertion stands in a macro"};
  // As few functions as have the first call, and can be given values.
  const invocation& first = reading.terms().call(of.between.first);
  const edited_text text(sources, context.getLangOpts());
  const auto site = first.site != nullptr ? text.range_of(first.site->getSourceRange()) : std::nullopt;
  std::size_t least = 1;
  for (std::size_t count = 1; count <= frames.size() && site; ++count) {
    const auto body = text.range_of(frames[frames.size() - count].function->getBody()->getSourceRange());
    if (!body || !body->contains(*site)) continue;
    least = count;
    break;
  }
  if (std::any_of(frames.end() - static_cast<std::ptrdiff_t>(least), frames.end(), is_lambda))
    return {.refused = "its assertion stands in a lambda"};
  codified made;
  for (std::size_t count = least; count <= frames.size(); ++count) {
    if (is_lambda(frames[frames.size() - count])) return {.refused = "its assertion stands in a lambda"};
    if (count > 1 && frames[frames.size() - count + 1].call == nullptr) break;
    made = codifier(of, frames, count, reading, path, context).make();
    if (made.refused.empty()) return made;
  }
  if (made.refused.empty()) made.refused = "its helper is called by a framework";
  return made;
}

}  // namespace morph::source::scouting
