// bor: another bitwise operator.
#include "coverage/source/mutants/operators/each.hpp"
#include "coverage/source/mutants/operators/operands.hpp"

namespace morph::source {

void bitwise(const clang::Expr& node, site& at) {
  const auto* of = llvm::dyn_cast<clang::BinaryOperator>(&node);
  if (of == nullptr || !of->isBitwiseOp() || of->isTypeDependent()) return;
  if (!of->getLHS()->getType()->isArithmeticType() || !of->getRHS()->getType()->isArithmeticType()) return;
  const auto spelled = spell(*of, at);
  if (!spelled) return;
  for (const std::string_view other : {"&", "|", "^"})
    if (other != spelled->spelling) at.propose(spelled->whole, "bor", spelled->with(other));
}

}  // namespace morph::source
