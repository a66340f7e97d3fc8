// neg: a negated condition.
#include <clang/AST/ExprCXX.h>

#include "coverage/source/mutants/operators/each.hpp"

namespace morph::source {
namespace {

/// Of the text as it stands: an object with an operator bool is none.
bool is_written_as_bool(const clang::Expr& condition) {
  const clang::Expr* const written = condition.IgnoreImpCasts();
  const auto* call = llvm::dyn_cast<clang::CXXMemberCallExpr>(written);
  const bool is_conversion = call != nullptr && llvm::isa_and_nonnull<clang::CXXConversionDecl>(call->getMethodDecl());
  return written->getType()->isBooleanType() && !is_conversion;
}

}  // namespace

void negation(const clang::Expr& condition, site& at) {
  const auto where = at.range(condition);
  const auto text = at.text(condition);
  if (!where || !text) return;
  at.propose(*where, mutation::place_kind::expression, is_written_as_bool(condition) ? "" : "bool", "neg",
             "!(" + *text + ")");
}

}  // namespace morph::source
