// inc: decrement in place of increment, and the other way round; uod: a unary operator deleted; uoi: one inserted where
// a variable is an argument: elsewhere other operators have its place.
#include "coverage/source/mutants/operators/each.hpp"
#include "coverage/source/mutants/operators/operands.hpp"

namespace morph::source {

void increment(const clang::Expr& node, site& at) {
  const auto* of = llvm::dyn_cast<clang::UnaryOperator>(&node);
  if (of == nullptr || !of->isIncrementDecrementOp() || of->getType()->isBooleanType()) return;
  const auto whole = at.range(*of);
  const auto operand = at.text(*of->getSubExpr());
  if (!whole || !operand) return;
  const std::string other = of->isIncrementOp() ? "--" : "++";
  at.propose(*whole, "inc", of->isPrefix() ? other + *operand : *operand + other);
}

void unary_deletion(const clang::Expr& node, site& at) {
  const auto* of = llvm::dyn_cast<clang::UnaryOperator>(&node);
  if (of == nullptr || of->isTypeDependent()) return;
  const auto whole = at.range(*of);
  const auto operand = at.text(*of->getSubExpr());
  if (!whole || !operand) return;
  switch (of->getOpcode()) {
    case clang::UO_Minus:
    case clang::UO_Not:
      at.propose(*whole, "uod", "+" + *operand);  // promoted as the original is
      break;
    case clang::UO_LNot:
      at.propose(*whole, "uod", "static_cast<bool>(" + *operand + ")");
      break;
    default:
      break;
  }
}

void unary_insertion(const clang::Expr& node, site& at) {
  const auto* read = llvm::dyn_cast<clang::ImplicitCastExpr>(&node);
  if (read == nullptr || read->getCastKind() != clang::CK_LValueToRValue || !read->getType()->isArithmeticType())
    return;
  if (!llvm::isa<clang::DeclRefExpr, clang::MemberExpr>(read->getSubExpr()->IgnoreParens())) return;
  const auto* parent = at.parent();
  if (parent == nullptr || !llvm::isa<clang::CallExpr, clang::CXXConstructExpr>(parent) ||
      llvm::isa<clang::CXXOperatorCallExpr>(parent))
    return;
  const auto whole = at.range(*read);
  const auto operand = at.text(*read->getSubExpr());
  if (!whole || !operand) return;
  if (read->getType()->isBooleanType()) {
    at.propose(*whole, "uoi", "!" + *operand);
  } else if (const auto type = at.type_name(read->getType())) {
    at.propose(*whole, mutation::place_kind::expression, *type, "uoi", "-" + *operand);
  }
}

}  // namespace morph::source
