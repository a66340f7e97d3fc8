// Texts of operands, in parentheses where that is needed.
#include "coverage/source/mutants/operators/operands.hpp"

#include <clang/AST/Decl.h>
#include <clang/Basic/OperatorKinds.h>

namespace morph::source {

std::optional<spelled_binary> spell(const clang::Expr& whole, const clang::Expr& left, const clang::Expr& right,
                                    std::string_view spelling, site& at) {
  const auto all = at.range(whole), l = at.range(left), r = at.range(right);
  if (!all || !l || !r || l->file != all->file || r->file != all->file || l->begin != all->begin ||
      r->end != all->end || l->end > r->begin)
    return std::nullopt;
  const auto between = at.original({all->file, l->end, r->begin});
  if (between.find(spelling) == std::string_view::npos) return std::nullopt;
  auto left_text = at.text(*l), right_text = at.text(*r);
  if (!left_text || !right_text) return std::nullopt;
  return spelled_binary{*all, std::move(*left_text), std::move(*right_text), spelling};
}

std::optional<spelled_binary> spell(const clang::BinaryOperator& of, site& at) {
  const llvm::StringRef spelling = of.getOpcodeStr();
  return spell(of, *of.getLHS(), *of.getRHS(), {spelling.data(), spelling.size()}, at);
}

std::string only_side(const std::string& side) {
  return "static_cast<bool>(" + side + ")";
}

std::optional<overloaded_binary> spell_overloaded(const clang::Expr& of, site& at) {
  const clang::Expr* node = &of;
  if (const auto* rewritten = llvm::dyn_cast<clang::CXXRewrittenBinaryOperator>(node)) {
    const auto form = rewritten->getDecomposedForm();
    const auto kind = clang::BinaryOperator::getOverloadedOperator(form.Opcode);
    const llvm::StringRef spelling = clang::BinaryOperator::getOpcodeStr(form.Opcode);
    auto spelled = spell(of, *form.LHS, *form.RHS, {spelling.data(), spelling.size()}, at);
    if (!spelled) return std::nullopt;
    return overloaded_binary{kind, std::move(*spelled)};
  }
  const auto* call = llvm::dyn_cast<clang::CXXOperatorCallExpr>(node);
  if (call == nullptr || !call->isInfixBinaryOp()) return std::nullopt;
  const char* const spelling = clang::getOperatorSpelling(call->getOperator());
  auto spelled = spell(of, *call->getArg(0), *call->getArg(1), spelling, at);
  if (!spelled) return std::nullopt;
  return overloaded_binary{call->getOperator(), std::move(*spelled)};
}

bool is_number(clang::QualType type) {
  return type->isArithmeticType() && !type->isBooleanType() && !type->isAnyComplexType();
}

std::vector<std::string> constants_of(clang::QualType type, const site& at) {
  if (type->isBooleanType()) return {"true", "false"};
  const auto name = at.type_name(type);
  if (!name) return {};
  const auto converted = [&](std::string_view value) {
    return "static_cast<" + *name + ">(" + std::string(value) + ")";
  };
  if (const auto* of = type->getAs<clang::EnumType>()) {
    std::vector<std::string> texts;
    const clang::EnumConstantDecl* first = nullptr;
    const clang::EnumConstantDecl* last = nullptr;
    for (const clang::EnumConstantDecl* each : of->getDecl()->enumerators()) {
      if (first == nullptr) first = each;
      last = each;
    }
    const auto add = [&](const clang::EnumConstantDecl& value) {
      llvm::SmallString<24> digits;
      value.getInitVal().toString(digits);
      texts.push_back(converted(std::string_view(digits.data(), digits.size())));
    };
    if (first != nullptr) add(*first);
    if (last != nullptr && last->getInitVal() != first->getInitVal()) add(*last);
    return texts;
  }
  if (type->isAnyCharacterType()) return {converted("' '"), converted("'A'")};
  if (type->isIntegerType()) return {converted("0"), converted("1")};
  if (type->isRealFloatingType()) return {converted("0"), converted("0.1")};
  if (type->isPointerType()) return {converted("nullptr")};
  return {};
}

}  // namespace morph::source
