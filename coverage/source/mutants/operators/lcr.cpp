// lcr: another logical connector, or one side alone.
#include "coverage/source/mutants/operators/each.hpp"
#include "coverage/source/mutants/operators/operands.hpp"

namespace morph::source {

void connector(const clang::Expr& node, site& at) {
  const auto* of = llvm::dyn_cast<clang::BinaryOperator>(&node);
  if (of == nullptr || !of->isLogicalOp()) return;
  const auto spelled = spell(*of, at);
  if (!spelled) return;
  at.propose(spelled->whole, "lcr", spelled->with(of->getOpcode() == clang::BO_LAnd ? "||" : "&&"));
  at.propose(spelled->whole, "lcr", only_side(spelled->left));
  at.propose(spelled->whole, "lcr", only_side(spelled->right));
}

}  // namespace morph::source
