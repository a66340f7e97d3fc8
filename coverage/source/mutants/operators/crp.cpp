// crp: another constant.
#include <clang/AST/DeclTemplate.h>
#include <clang/AST/ExprCXX.h>

#include <algorithm>

#include "coverage/source/mutants/operators/each.hpp"
#include "coverage/source/mutants/operators/operands.hpp"

namespace morph::source {
namespace {

/// A literal that must stay one: 0 that is a null pointer.
bool is_null_pointer(const site& at) {
  for (auto i = at.around().rbegin(); i != at.around().rend(); ++i) {
    if (const auto* cast = llvm::dyn_cast<clang::CastExpr>(*i))
      return cast->getCastKind() == clang::CK_NullToPointer || cast->getCastKind() == clang::CK_NullToMemberPointer;
    if (!llvm::isa<clang::ParenExpr>(*i)) return llvm::isa<clang::GNUNullExpr>(*i);
  }
  return false;
}

/// In a template, where only an instance can tell what a 0 is.
bool may_be_null_pointer(const site& at) {
  const clang::Stmt* const parent = at.around().empty() ? nullptr : at.around().back();
  if (const auto* expression = llvm::dyn_cast_or_null<clang::Expr>(parent))
    return llvm::isa<clang::ParenListExpr>(expression) || expression->isTypeDependent();
  if (const auto* declared = llvm::dyn_cast_or_null<clang::DeclStmt>(parent))
    return std::ranges::any_of(declared->decls(), [](const clang::Decl* each) {
      const auto* variable = llvm::dyn_cast<clang::ValueDecl>(each);
      return variable != nullptr && variable->getType()->isDependentType();
    });
  return llvm::isa_and_nonnull<clang::ReturnStmt>(parent) && at.function() != nullptr &&
         at.function()->getReturnType()->isDependentType();
}

bool decays(const site& at) {
  const auto* parent = at.around().empty() ? nullptr : llvm::dyn_cast<clang::ImplicitCastExpr>(at.around().back());
  return parent != nullptr && parent->getCastKind() == clang::CK_ArrayToPointerDecay;
}

}  // namespace

void constant(const clang::Expr& node, site& at) {
  const auto literal = [&](std::initializer_list<std::string> texts) {
    if (const auto where = at.range(node))
      for (const std::string& text : texts) at.propose(*where, "crp", text);
  };
  const auto spelled = [&] { return at.text(node).value_or(""); };
  if (const auto* of = llvm::dyn_cast<clang::CXXBoolLiteralExpr>(&node)) {
    literal({of->getValue() ? "false" : "true"});
  } else if (const auto* number = llvm::dyn_cast<clang::IntegerLiteral>(&node)) {
    const auto type = at.type_name(number->getType());
    if (!type || is_null_pointer(at) || (number->getValue() == 0 && may_be_null_pointer(at))) return;
    const auto converted = [&](const std::string& value) { return "static_cast<" + *type + ">(" + value + ")"; };
    if (number->getValue() != 0) literal({converted("0")});
    if (number->getValue() != 1) literal({converted("1")});
    if (number->getValue().ugt(1)) literal({converted(spelled() + " + 1")});
  } else if (const auto* real = llvm::dyn_cast<clang::FloatingLiteral>(&node)) {
    const auto type = at.type_name(real->getType());
    if (!type) return;
    if (!real->getValue().isZero()) literal({"static_cast<" + *type + ">(0)"});
    literal({"static_cast<" + *type + ">(" + spelled() + " + 1)"});
  } else if (const auto* character = llvm::dyn_cast<clang::CharacterLiteral>(&node)) {
    if (const auto type = at.type_name(character->getType()))
      literal({"static_cast<" + *type + ">(" + spelled() + " + 1)"});
  } else if (const auto* text = llvm::dyn_cast<clang::StringLiteral>(&node)) {
    if (!text->isOrdinary() || text->getLength() == 0 || !decays(at)) return;
    if (const auto where = at.range(node); where && at.original(*where).starts_with('"')) literal({"\"\""});
  }
}

}  // namespace morph::source
