// sor: shifted the other way.
#include "coverage/source/mutants/operators/each.hpp"
#include "coverage/source/mutants/operators/operands.hpp"

namespace morph::source {

void shift(const clang::Expr& node, site& at) {
  const auto* of = llvm::dyn_cast<clang::BinaryOperator>(&node);
  if (of == nullptr || !of->isShiftOp() || of->isTypeDependent()) return;
  if (const auto spelled = spell(*of, at))
    at.propose(spelled->whole, "sor", spelled->with(of->getOpcode() == clang::BO_Shl ? ">>" : "<<"));
}

}  // namespace morph::source
