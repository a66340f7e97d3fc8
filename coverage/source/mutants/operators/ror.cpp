// ror: another comparison. Of the six other results of a comparison of two values three suffice: the others are killed
// by what kills these (Kaminski, Ammann, Offutt 2013).
#include "coverage/source/mutants/operators/each.hpp"
#include "coverage/source/mutants/operators/operands.hpp"

namespace morph::source {
namespace {

struct others {
  std::string_view first;
  std::string_view second;
  std::string_view always;
};

others of_ordered(std::string_view spelling) {
  if (spelling == "<") return {"<=", "!=", "false"};
  if (spelling == ">") return {">=", "!=", "false"};
  if (spelling == "<=") return {"<", "==", "true"};
  if (spelling == ">=") return {">", "==", "true"};
  if (spelling == "==") return {"<=", ">=", "false"};
  return {"<", ">", "true"};
}

bool is_null(const clang::Expr& of, site& at) {
  return of.IgnoreParenImpCasts()->isNullPointerConstant(at.context, clang::Expr::NPC_ValueDependentIsNotNull) !=
         clang::Expr::NPCK_NotNull;
}

}  // namespace

void comparison(const clang::Expr& node, site& at) {
  if (const auto overloaded = spell_overloaded(node, at)) {
    const spelled_binary& spelled = overloaded->spelled;
    switch (overloaded->kind) {
      case clang::OO_EqualEqual:
        at.propose(spelled.whole, "ror", spelled.with("!="));
        break;
      case clang::OO_ExclaimEqual:
        at.propose(spelled.whole, "ror", spelled.with("=="));
        break;
      case clang::OO_Less:
      case clang::OO_Greater:
      case clang::OO_LessEqual:
      case clang::OO_GreaterEqual: {
        const others other = of_ordered(spelled.spelling);
        at.propose(spelled.whole, "ror", spelled.with(other.first));
        at.propose(spelled.whole, "ror", spelled.with(other.second));
        break;
      }
      default:
        break;
    }
    return;
  }
  const auto* of = llvm::dyn_cast<clang::BinaryOperator>(&node);
  if (of == nullptr || !of->isComparisonOp() || of->getOpcode() == clang::BO_Cmp || of->isTypeDependent()) return;
  const auto left = of->getLHS()->IgnoreParenImpCasts()->getType(),
             right = of->getRHS()->IgnoreParenImpCasts()->getType();
  const auto spelled = spell(*of, at);
  if (!spelled) return;
  const bool null = is_null(*of->getLHS(), at) || is_null(*of->getRHS(), at);
  const bool pointers = left->isPointerType() && right->isPointerType() && !null;
  const bool ordered = of->isRelationalOp() || (is_number(left) && is_number(right)) || pointers ||
                       (left->isEnumeralType() && right->isEnumeralType());
  const others other = of_ordered(spelled->spelling);
  if (ordered) {
    at.propose(spelled->whole, "ror", spelled->with(other.first));
    at.propose(spelled->whole, "ror", spelled->with(other.second));
  } else {
    at.propose(spelled->whole, "ror", spelled->with(of->getOpcode() == clang::BO_EQ ? "!=" : "=="));
  }
  at.propose(spelled->whole, "ror", std::string(other.always));
}

}  // namespace morph::source
