// Constants, parameters and rounds of loops become inputs.
#include <algorithm>
#include <numeric>
#include <optional>

#include "coverage/source/clang/walk.hpp"
#include "coverage/source/scout/codifier.hpp"

namespace morph::source::scouting {
namespace {

constexpr std::size_t most_inputs = 10;

}  // namespace

bool is_trivial(const std::string& text) {
  static const std::set<std::string> known{"0",  "1",   "2",   "-1",   "0u",    "1u",  "0U",
                                           "1U", "0.0", "1.0", "true", "false", "\"\""};
  return known.contains(text);
}

std::string codifier::add_input(std::string name, const input_type& type, std::vector<std::string> examples) {
  while (name.ends_with('_')) name.pop_back();
  if (name.starts_with('_')) name.clear();  // of a library
  if (name.empty()) name = "value";
  const std::string base = name;
  for (int i = 2; std::ranges::find(made_.inputs, name, &codified_input::name) != made_.inputs.end(); ++i)
    name = base + std::to_string(i);
  made_.inputs.push_back({name, type.name, std::move(examples)});
  return made_.given + '.' + name;
}

void codifier::declare(const clang::VarDecl& variable, const input_type& type, const std::string& input,
                       std::vector<std::string>& to) const {
  const std::string name = variable.getNameAsString();
  if (type.how == input_type::access::itself)
    to.push_back((variable.getType().getNonReferenceType().isConstQualified() ? "const auto " : "auto ") + name +
                 " = " + input + ';');
  else
    to.push_back((type.how == input_type::access::pointer ? "const char* " : "std::string_view ") + name + " = " +
                 input + (type.how == input_type::access::pointer ? ".c_str();" : ";"));
}

bool codifier::lift_parameters() {
  const clang::FunctionDecl& function = *levels_[0].function;
  for (unsigned i = 0; i < function.getNumParams(); ++i) {
    const clang::ParmVarDecl* const each = function.getParamDecl(i);
    if (!levels_[0].kept.needed.contains(each)) continue;
    const auto type = input_type_of(each->getType(), context_);
    if (!type) {
      made_ = refuse("its helper takes a '" + name_of(each->getType().getNonReferenceType()) + "'");
      return false;
    }
    std::vector<std::string> examples;
    if (i < levels_[0].arguments.size()) examples = examples_of(*levels_[0].arguments[i]);
    declare(*each, *type, add_input(each->getNameAsString(), *type, std::move(examples)), prologue_);
  }
  return lift_test_parameter();
}

void codifier::lift_loops(const std::vector<piece>& in) {
  for (const piece& each : in) {
    if (each.how == piece::kind::lifted) {
      const clang::VarDecl& variable = *variable_of_loop(*each.of);
      if (std::ranges::any_of(levels_, [&](const level& one) { return one.kept.needed.contains(&variable); }))
        lifted_[each.of] =
            add_input(variable.getNameAsString(), *input_type_of(variable.getType(), context_), rounds_of(*each.of));
    }
    lift_loops(each.inside);
  }
}

std::vector<std::string> codifier::rounds_of(const clang::Stmt& loop) const {
  std::vector<std::string> made;
  if (const auto* const range = clang::dyn_cast<clang::CXXForRangeStmt>(&loop)) {
    const clang::Expr* table = bare(range->getRangeInit());
    if (const auto* const name = clang::dyn_cast<clang::DeclRefExpr>(table))
      if (const auto* const variable = clang::dyn_cast<clang::VarDecl>(name->getDecl());
          variable != nullptr && variable->getInit() != nullptr)
        table = bare(variable->getInit());
    walk(table, {.statement =
                     [&](const clang::Stmt& each) {
                       const auto* list = clang::dyn_cast<clang::InitListExpr>(&each);
                       if (list == nullptr || !made.empty()) return true;
                       if (!list->isSemanticForm()) list = list->getSemanticForm();
                       for (const clang::Expr* const one : list->inits())
                         for (std::string& text : examples_of(*one)) made.push_back(std::move(text));
                       return true;
                     },
                 .implicit_code = true});
    return made;
  }
  const auto number = [&](const clang::Expr* of) -> std::optional<std::int64_t> {
    clang::Expr::EvalResult known;
    if (of == nullptr || of->isValueDependent() || !of->EvaluateAsRValue(known, context_) || !known.Val.isInt() ||
        !known.Val.getInt().isRepresentableByInt64())
      return std::nullopt;
    return known.Val.getInt().getExtValue();
  };
  const auto& counting = clang::cast<clang::ForStmt>(loop);
  const auto begin = number(variable_of_loop(loop)->getInit());
  const auto* const ends =
      counting.getCond() != nullptr ? clang::dyn_cast<clang::BinaryOperator>(bare(counting.getCond())) : nullptr;
  if (!begin) return made;
  made.push_back(std::to_string(*begin));
  const std::int64_t end = ends != nullptr && ends->isRelationalOp() ? number(ends->getRHS()).value_or(*begin) : *begin;
  if (end > *begin && end - 1 > *begin)
    for (const std::int64_t each : {*begin + 1, std::midpoint(*begin, end), end - 1})
      made.push_back(std::to_string(each));
  return made;
}

bool codifier::lift_test_parameter() {
  std::string input;
  bool is_refused = false;
  for (const code_part& each : code_)
    walk(each.of, {.statement = [&](const clang::Stmt& one) {
           const auto* const call = clang::dyn_cast<clang::CallExpr>(&one);
           const auto* const callee = call != nullptr ? call->getDirectCallee() : nullptr;
           if (callee == nullptr || callee->getIdentifier() == nullptr || callee->getName() != "GetParam") return true;
           const auto type = input_type_of(call->getType(), context_);
           const auto where = text_.range_of(call->getSourceRange());
           if (!type || !where) {
             is_refused = true;
             return true;
           }
           if (input.empty()) input = add_input("parameter", *type, {});
           text_.replace(*where, written(*type, input));
           return true;
         }});
  if (is_refused) made_ = refuse("the parameter of its test is of a type that no values are known of");
  return !is_refused;
}

std::vector<std::string> codifier::examples_of(const clang::Expr& of) const {
  std::vector<std::string> made;
  if (const auto* const name = clang::dyn_cast<clang::DeclRefExpr>(bare(&of)))
    if (const auto* const variable = clang::dyn_cast<clang::VarDecl>(name->getDecl());
        variable != nullptr && variable->getInit() != nullptr &&
        !clang::isa<clang::DeclRefExpr>(bare(variable->getInit()))) {
      find_constant_of(*variable, context_, text_, [&](const found_constant& each) { made.push_back(each.text); });
      if (made.size() > 1) made.clear();
      return made;
    }
  const auto whole = text_.range_of(of.getSourceRange());
  find_constants(&of, context_, text_, [&](const found_constant& each) {
    if (whole && each.where.begin == whole->begin && each.where.end == whole->end) made.push_back(each.text);
  });
  return made;
}

void codifier::lift_constants() {
  const auto limit = end_of(of_.between.first);
  std::vector<found_constant> sources, later;
  std::set<std::pair<clang::FileID, unsigned>> seen;
  for (const code_part& each : code_)
    find_constants(each.has_inputs ? each.of : nullptr, context_, text_, [&](const found_constant& one) {
      if (!seen.insert({one.where.file, one.where.begin}).second || one.where.file != levels_[each.level].file) return;
      const bool is_source = !each.is_asserted && std::pair(each.level, one.where.begin) < limit;
      (is_source ? sources : later).push_back(one);
    });
  // Where all is in one expression, what the first call is given stands in the assertion.
  const bool is_in_assertion = sources.empty() && made_.inputs.empty();
  if (is_in_assertion) {
    for (const found_constant& each : later)
      if (std::pair(levels_.size() - 1, each.where.begin) < limit) sources.push_back(each);
    std::erase_if(later,
                  [&](const found_constant& each) { return std::pair(levels_.size() - 1, each.where.begin) < limit; });
  }
  const auto key = [](const found_constant& of) { return std::pair(of.text, of.type.name); };
  std::map<std::pair<std::string, std::string>, std::string> shared;
  for (const found_constant& each : later)
    if (!is_trivial(each.text)) shared.try_emplace(key(each), "");
  std::map<std::string, std::set<input_type::access>> taken;
  std::vector<std::pair<found_constant, std::string>> lifted;
  for (const std::vector<found_constant>* const part : {&sources, &later})
    for (const found_constant& each : *part) {
      const auto same = shared.find(key(each));
      if (part == &later && (same == shared.end() || same->second.empty())) continue;
      std::string input = same != shared.end() ? same->second : "";
      if (input.empty()) {
        if (made_.inputs.size() >= most_inputs) continue;
        input = add_input(each.name, each.type, {each.text});
        if (same != shared.end()) same->second = input;
        lifted.emplace_back(each, made_.inputs.back().name);
      } else if (part == &later) {
        made_.shares_constants = true;
      }
      taken[input].insert(each.type.how);
      put(each, input);
    }
  if (!made_.shares_constants && !reading_.terms().have_one_origin(of_.between.first, of_.between.second))
    pair_constants(lifted, later);
  for (const auto& [input, how] : taken)
    if (how.size() > 1) refuse_zeros(input, how);
}

/// A text of C ends at the first of these, and others do not.
void codifier::refuse_zeros(const std::string& input, const std::set<input_type::access>& how) {
  if (!how.contains(input_type::access::pointer)) return;
  const std::string line = "if (" + input + ".find('\\0') != std::string::npos) return {};";
  if (std::ranges::find(prologue_, line) == prologue_.end()) prologue_.push_back(line);
}

void codifier::put(const found_constant& in_place_of, const std::string& input) {
  if (in_place_of.length) {
    text_.replace(in_place_of.where, input + ".data()");
    text_.replace(*in_place_of.length, input + ".size()");
  } else {
    text_.replace(in_place_of.where, in_place_of.is_in_brackets ? '(' + input + ')' : written(in_place_of.type, input));
  }
}

void codifier::pair_constants(const std::vector<std::pair<found_constant, std::string>>& lifted,
                              const std::vector<found_constant>& later) {
  if (levels_.size() > 1) return;
  const unsigned limit = end_of(of_.between.second).second;
  std::vector<const found_constant*> follow_ups;
  for (const found_constant& each : later)
    if (each.where.begin < limit) follow_ups.push_back(&each);
  if (lifted.size() == 1 && join_texts(lifted[0].first, follow_ups)) return;
  if (follow_ups.size() != lifted.size()) return;
  for (std::size_t i = 0; i < lifted.size(); ++i)
    if (follow_ups[i]->type.name != lifted[i].first.type.name) return;
  const auto name = [](std::size_t i) { return i == 0 ? "follow_up" : "follow_up" + std::to_string(i + 1); };
  for (std::size_t i = 0; i < lifted.size(); ++i)
    if (is_said(name(i))) return;
  for (std::size_t i = 0; i < lifted.size(); ++i) {
    const auto& [source, input] = lifted[i];
    made_.pairs.push_back({name(i), input, source.type.name, source.text, follow_ups[i]->text});
    put(*follow_ups[i], name(i));
    refuse_zeros(made_.given + '.' + input, {source.type.how, follow_ups[i]->type.how});
  }
}

bool codifier::join_texts(const found_constant& whole, const std::vector<const found_constant*>& parts) {
  const auto is_text = [](const found_constant& of) {
    return of.type.name == "std::string" && of.text.size() > 2 && of.text.front() == '"' && of.text.back() == '"';
  };
  if (parts.size() != 2 || !is_text(whole) || !is_text(*parts[0]) || !is_text(*parts[1]) || is_said("whole"))
    return false;
  const auto inside = [](const found_constant& of) { return of.text.substr(1, of.text.size() - 2); };
  if (inside(*parts[0]) + inside(*parts[1]) != inside(whole)) return false;
  made_.inputs.clear();
  std::string sum;
  for (const found_constant* const each : parts) {
    const std::string input = add_input(each->name, each->type, {each->text});
    put(*each, input);
    refuse_zeros(input, {each->type.how, whole.type.how});
    sum += (sum.empty() ? "" : " + ") + input;
  }
  put(whole, "whole");
  prologue_.push_back("const std::string whole = " + sum + ';');
  made_.inferred.emplace_back("the first call's text is both of the second's, one behind the other");
  return true;
}

std::pair<std::size_t, unsigned> codifier::end_of(call_number call) const {
  const invocation& one = reading_.terms().call(call);
  const auto site = one.site != nullptr ? text_.range_of(one.site->getSourceRange()) : std::nullopt;
  for (std::size_t i = 0; i < levels_.size() && site; ++i)
    if (const auto body = text_.range_of(levels_[i].function->getBody()->getSourceRange());
        body && body->contains(*site))
      return {i, site->end};
  return {levels_.size() - 1, sources_.getFileOffset(of_.at)};
}

}  // namespace morph::source::scouting
