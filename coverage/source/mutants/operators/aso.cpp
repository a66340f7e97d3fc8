// aso: another assignment operator, or plain assignment.
#include "coverage/source/mutants/operators/each.hpp"
#include "coverage/source/mutants/operators/operands.hpp"

namespace morph::source {
namespace {

std::string_view opposite(clang::BinaryOperatorKind of) {
  switch (of) {
    case clang::BO_AddAssign:
      return "-=";
    case clang::BO_SubAssign:
      return "+=";
    case clang::BO_MulAssign:
      return "/=";
    case clang::BO_DivAssign:
    case clang::BO_RemAssign:
      return "*=";
    case clang::BO_AndAssign:
      return "|=";
    case clang::BO_OrAssign:
    case clang::BO_XorAssign:
      return "&=";
    case clang::BO_ShlAssign:
      return ">>=";
    case clang::BO_ShrAssign:
      return "<<=";
    default:
      return {};
  }
}

}  // namespace

void assignment(const clang::Expr& node, site& at) {
  if (const auto overloaded = spell_overloaded(node, at)) {
    if (overloaded->kind == clang::OO_PlusEqual)
      at.propose(overloaded->spelled.whole, "aso", overloaded->spelled.with("="));
    return;
  }
  const auto* of = llvm::dyn_cast<clang::BinaryOperator>(&node);
  if (of == nullptr || !of->isCompoundAssignmentOp() || of->isTypeDependent()) return;
  const auto spelled = spell(*of, at);
  if (!spelled) return;
  at.propose(spelled->whole, "aso", spelled->with(opposite(of->getOpcode())));
  if (!of->getLHS()->getType()->isPointerType()) at.propose(spelled->whole, "aso", spelled->with("="));
}

}  // namespace morph::source
