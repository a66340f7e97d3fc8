// aor: another arithmetic operator.
#include "coverage/source/mutants/operators/each.hpp"
#include "coverage/source/mutants/operators/operands.hpp"

namespace morph::source {

void arithmetic(const clang::Expr& node, site& at) {
  if (const auto overloaded = spell_overloaded(node, at)) {
    const std::string_view other = overloaded->kind == clang::OO_Minus   ? "+"
                                   : overloaded->kind == clang::OO_Star  ? "/"
                                   : overloaded->kind == clang::OO_Slash ? "*"
                                                                         : "";
    if (!other.empty()) at.propose(overloaded->spelled.whole, "aor", overloaded->spelled.with(other));
    return;
  }
  const auto* of = llvm::dyn_cast<clang::BinaryOperator>(&node);
  if (of == nullptr || !(of->isAdditiveOp() || of->isMultiplicativeOp()) || of->isTypeDependent()) return;
  const auto left = of->getLHS()->getType(), right = of->getRHS()->getType();
  const auto spelled = spell(*of, at);
  if (!spelled) return;
  if (left->isPointerType() && right->isIntegerType()) {
    at.propose(spelled->whole, "aor", spelled->with(of->getOpcode() == clang::BO_Add ? "-" : "+"));
    return;
  }
  if (!left->isArithmeticType() || !right->isArithmeticType() || of->getType()->isAnyComplexType()) return;
  const bool whole_numbers = left->isIntegerType() && right->isIntegerType();
  for (const std::string_view other : {"+", "-", "*", "/", "%"})
    if (other != spelled->spelling && (other != "%" || whole_numbers))
      at.propose(spelled->whole, "aor", spelled->with(other));
}

}  // namespace morph::source
