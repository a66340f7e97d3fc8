// Assertions of GoogleTest, Catch2 and doctest, by the functions that their macros call.
#include <clang/AST/DeclTemplate.h>

#include <algorithm>
#include <string_view>

#include "coverage/source/scout/reader.hpp"

namespace morph::source::scouting {
namespace {

bool is_comparison(clang::OverloadedOperatorKind of) {
  return of == clang::OO_EqualEqual || of == clang::OO_ExclaimEqual || of == clang::OO_Less ||
         of == clang::OO_Greater || of == clang::OO_LessEqual || of == clang::OO_GreaterEqual;
}

struct sides {
  const clang::Expr* left = nullptr;
  const clang::Expr* right = nullptr;  // null: a condition
  std::string by{};
};

/// Of GoogleTest's function for a macro: `CmpHelperLE`.
std::string comparison_of(std::string_view function) {
  for (const auto& [end, by] :
       {std::pair<std::string_view, const char*>{"NE", "!="}, {"LT", "<"}, {"LE", "<="}, {"GT", ">"}, {"GE", ">="}})
    if (function.starts_with("CmpHelper") && function.ends_with(end)) return by;
  return "==";
}

/// What `Decomposer() <= a == b` and `ExpressionDecomposer() << a == b` were written for.
std::optional<sides> decomposed(const clang::Expr* of) {
  of = bare(of);
  if (const auto* const converted = clang::dyn_cast<clang::CXXMemberCallExpr>(of);
      converted != nullptr && clang::isa_and_nonnull<clang::CXXConversionDecl>(converted->getMethodDecl()))
    return decomposed(converted->getImplicitObjectArgument());
  if (const auto* const made = clang::dyn_cast<clang::CXXConstructExpr>(of); made != nullptr && made->getNumArgs() == 1)
    return decomposed(made->getArg(0));
  const auto* const call = clang::dyn_cast<clang::CXXOperatorCallExpr>(of);
  if (call == nullptr || call->getNumArgs() != 2) return std::nullopt;
  const std::string first = class_name(call->getArg(0)->getType());
  if (first == "Catch::Decomposer" || first == "doctest::detail::ExpressionDecomposer")
    return sides{.left = call->getArg(1)};
  if (!is_comparison(call->getOperator())) return std::nullopt;
  const auto left = decomposed(call->getArg(0));
  if (!left) return std::nullopt;
  return sides{left->left, call->getArg(1), clang::getOperatorSpelling(call->getOperator())};
}

/// It is what is tested, and no property of its operands, if it changes one of them.
bool changes_operands(const clang::FunctionDecl& callee) {
  const auto* const method = clang::dyn_cast<clang::CXXMethodDecl>(&callee);
  if (method != nullptr && !method->isStatic() && !method->isConst()) return true;
  return std::ranges::any_of(callee.parameters(), [](const auto* each) { return may_write(each->getType()); });
}

/// What GoogleTest has made a predicate of.
const clang::Expr* matcher_in(const clang::Expr* predicate) {
  const auto* const made = clang::dyn_cast<clang::CallExpr>(bare(predicate));
  return made != nullptr && made->getNumArgs() == 1 ? made->getArg(0) : predicate;
}

bool is_truth(const clang::Expr* of) {
  return clang::isa<clang::CXXBoolLiteralExpr>(bare(of));
}

}  // namespace

void reader::note(written_assertion one, clang::SourceLocation at) {
  one.at = sources_.getExpansionLoc(at);
  assertions_.insert_or_assign(one.at, std::move(one));
}

void reader::compare(term_number left, term_number right, assertion_kind how, std::string by,
                     clang::SourceLocation at) {
  const auto between = terms_.relation_of(left, right);
  if (!between) return;
  const clang::SourceLocation begin = sources_.getExpansionLoc(at);
  found_relation made{
      .between = *between, .how = how, .by = std::move(by), .line = sources_.getExpansionLineNumber(at)};
  if (const auto entry = sources_.getFileEntryRefForID(sources_.getFileID(begin)))
    made.file = one_name(entry->getName());
  made.text = text_of({begin, sources_.getExpansionRange(at).getEnd()});
  made.at = begin;
  made.frames = inside_;
  relations_.push_back(std::move(made));
}

void reader::read_operands(const clang::CallExpr& of, clang::SourceLocation at) {
  std::vector<const clang::Expr*> operands;
  if (const auto* const member = clang::dyn_cast<clang::CXXMemberCallExpr>(&of))
    operands.push_back(member->getImplicitObjectArgument());
  for (const clang::Expr* const each : of.arguments())
    if (!clang::isa<clang::CXXDefaultArgExpr>(each)) operands.push_back(each);
  std::vector<term_number> values;
  for (const clang::Expr* const each : operands) values.push_back(read(each));
  const std::size_t before = relations_.size();
  for (std::size_t i = 0; i < values.size(); ++i)
    for (std::size_t k = i + 1; k < values.size() && relations_.size() == before; ++k)
      compare(values[i], values[k], assertion_kind::boolean, of.getDirectCallee()->getNameAsString(), at);
}

void reader::read_condition(const clang::Expr* of, clang::SourceLocation at) {
  of = bare(of);
  if (const auto* const binary = clang::dyn_cast<clang::BinaryOperator>(of)) {
    if (binary->isLogicalOp()) {
      read_condition(binary->getLHS(), at);
      return read_condition(binary->getRHS(), at);
    }
    if (!binary->isComparisonOp()) return void(read(of));
    if (is_truth(binary->getLHS())) return read_condition(binary->getRHS(), at);
    if (is_truth(binary->getRHS())) return read_condition(binary->getLHS(), at);
    const term_number left = read(binary->getLHS()), right = read(binary->getRHS());
    return compare(left, right, assertion_kind::boolean, binary->getOpcodeStr().str(), at);
  }
  if (const auto* const unary = clang::dyn_cast<clang::UnaryOperator>(of);
      unary != nullptr && unary->getOpcode() == clang::UO_LNot) {
    // A `!` of the test's own relates no operands of a call; that of EXPECT_FALSE is no part of the condition.
    const clang::SourceLocation sign = unary->getOperatorLoc();
    const bool is_of_macro = sign.isMacroID() && !sources_.isMacroArgExpansion(sign);
    const bool is_call = clang::isa<clang::CallExpr>(bare(unary->getSubExpr())) &&
                         !clang::isa<clang::CXXOperatorCallExpr>(bare(unary->getSubExpr()));
    if (is_call && !is_of_macro) return void(read(of));
    return read_condition(unary->getSubExpr(), at);
  }
  if (const auto* const rewritten = clang::dyn_cast<clang::CXXRewrittenBinaryOperator>(of)) {
    const auto parts = rewritten->getDecomposedForm();
    const term_number left = read(parts.LHS), right = read(parts.RHS);
    return compare(left, right, assertion_kind::boolean, clang::BinaryOperator::getOpcodeStr(parts.Opcode).str(), at);
  }
  if (const auto* const by_operator = clang::dyn_cast<clang::CXXOperatorCallExpr>(of);
      by_operator != nullptr && by_operator->getNumArgs() == 2 && is_comparison(by_operator->getOperator())) {
    const term_number left = read(by_operator->getArg(0)), right = read(by_operator->getArg(1));
    return compare(left, right, assertion_kind::boolean, clang::getOperatorSpelling(by_operator->getOperator()), at);
  }
  if (const auto* const cast = clang::dyn_cast<clang::ExplicitCastExpr>(of))
    return read_condition(cast->getSubExpr(), at);
  const auto* const call = clang::dyn_cast<clang::CallExpr>(of);
  const clang::FunctionDecl* const callee = call != nullptr ? call->getDirectCallee() : nullptr;
  if (callee == nullptr || clang::isa<clang::CXXConversionDecl>(callee)) return void(read(of));
  if (owns_.of(*callee) == ownership::owner::tests && callee->hasBody()) {
    asked_ = at;
    read(of);
    asked_.reset();
    return;
  }
  const clang::QualType gives = callee->getReturnType();
  const bool is_verdict = gives->isBooleanType() || class_name(gives) == "testing::AssertionResult";
  if (!is_verdict || changes_operands(*callee)) return void(read(of));
  read_operands(*call, at);
}

/// True if the call is of an assertion, which is read then.
bool reader::read_assertion(const clang::CallExpr& of, const clang::FunctionDecl& callee) {
  const auto* const method = clang::dyn_cast<clang::CXXMethodDecl>(&callee);
  const std::string name = callee.getNameAsString();
  const std::string owner = method != nullptr ? method->getParent()->getQualifiedNameAsString() : std::string();
  const clang::SourceLocation at = of.getBeginLoc();
  const unsigned count = of.getNumArgs();
  const auto compare_sides = [&](const clang::Expr* left, const clang::Expr* right,
                                 std::string by = "==", assertion_kind how = assertion_kind::comparison) {
    note({.left = left, .right = right, .by = by, .function = name}, at);
    if (is_truth(left)) return read_condition(right, at);
    if (is_truth(right)) return read_condition(left, at);
    const term_number a = read(left), b = read(right);
    compare(a, b, how, std::move(by), at);
  };
  const auto ask_condition = [&](const clang::Expr* of) {
    note({.left = of, .function = name}, at);
    read_condition(of, at);
  };
  const std::string scope = callee.getQualifiedNameAsString();
  if (scope.starts_with("testing::internal::")) {
    if ((owner == "testing::internal::EqHelper" || name.starts_with("CmpHelper")) && count >= 4)
      return compare_sides(of.getArg(2), of.getArg(3), comparison_of(name)), true;
    if (name == "DoubleNearPredFormat" && count == 6) {
      compare_sides(of.getArg(3), of.getArg(4), "near");
      assertions_.at(sources_.getExpansionLoc(at)).tolerance = of.getArg(5);
      return true;
    }
    if (name == "AssertPred2Helper" && count == 6)
      return compare_sides(of.getArg(4), of.getArg(5), text_of(*of.getArg(3))), true;
    if (owner == "testing::internal::PredicateFormatterFromMatcher" && count == 3)
      return compare_sides(of.getArg(2), matcher_in(of.getArg(0)), "matches"), true;
    return false;
  }
  if ((scope == "testing::FloatLE" || scope == "testing::DoubleLE") && count == 4)
    return compare_sides(of.getArg(2), of.getArg(3), "<="), true;
  if ((owner == "Catch::AssertionHandler" && name == "handleExpr" && count == 1) ||
      (owner == "doctest::detail::ResultBuilder" && name == "setResult" && count == 1) ||
      (scope == "doctest::detail::decomp_assert" && count > 0)) {
    if (const auto asserted = decomposed(of.getArg(count - 1))) {
      if (asserted->right != nullptr)
        compare_sides(asserted->left, asserted->right, asserted->by, assertion_kind::boolean);
      else
        ask_condition(asserted->left);
      return true;
    }
    // CHECK_THAT(value, matcher)
    const auto* const matched = clang::dyn_cast<clang::CallExpr>(bare(of.getArg(count - 1)));
    if (matched != nullptr && matched->getNumArgs() >= 2)
      return compare_sides(matched->getArg(0), matched->getArg(1), "matches"), true;
    return false;
  }
  if (scope.starts_with("doctest::detail::")) {
    if (name == "binary_assert" && count >= 2) return compare_sides(of.getArg(count - 2), of.getArg(count - 1)), true;
    if (name == "unary_assert" && count >= 1) return ask_condition(of.getArg(count - 1)), true;
  }
  return false;
}

/// `const AssertionResult gtest_ar_ = AssertionResult(condition)`, or of a function that gives one.
void reader::read_result(const clang::VarDecl& of) {
  const clang::Expr* given = of.getInit() != nullptr ? bare(of.getInit()) : nullptr;
  while (given != nullptr) {
    if (const auto* const cast = clang::dyn_cast<clang::ExplicitCastExpr>(given)) {
      given = bare(cast->getSubExpr());
    } else if (const auto* const made = clang::dyn_cast<clang::CXXConstructExpr>(given);
               made != nullptr && made->getNumArgs() > 0) {
      given = bare(made->getArg(0));
    } else {
      break;
    }
  }
  if (given == nullptr) return;
  const auto* const call = clang::dyn_cast<clang::CallExpr>(given);
  const clang::FunctionDecl* const callee = call != nullptr ? call->getDirectCallee() : nullptr;
  if (callee != nullptr && read_assertion(*call, *callee)) return;
  const auto* const sign = clang::dyn_cast<clang::UnaryOperator>(given);
  // One that the macro has written is where the macro is called, or where it is defined.
  const auto is_of_macro = [&](clang::SourceLocation at) {
    const clang::SourceLocation written = sources_.getFileLoc(at), called = sources_.getExpansionLoc(at);
    return at.isMacroID() && (written == called || sources_.getFileID(written) != sources_.getFileID(called));
  };
  const bool is_negated = sign != nullptr && sign->getOpcode() == clang::UO_LNot && is_of_macro(sign->getOperatorLoc());
  note({.left = is_negated ? bare(sign->getSubExpr()) : given, .is_negated = is_negated}, of.getLocation());
  read_condition(given, of.getLocation());
}

}  // namespace morph::source::scouting
