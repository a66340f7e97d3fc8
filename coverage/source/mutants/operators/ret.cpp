// ret: another value returned, of scalars.
#include <clang/AST/ExprCXX.h>
#include <clang/AST/Stmt.h>

#include "coverage/source/mutants/operators/each.hpp"
#include "coverage/source/mutants/operators/operands.hpp"

namespace morph::source {

void returned(const clang::Stmt& node, site& at) {
  const auto* of = llvm::dyn_cast<clang::ReturnStmt>(&node);
  const clang::Expr* const value = of == nullptr ? nullptr : of->getRetValue();
  if (value == nullptr || value->isTypeDependent() || value->isGLValue()) return;
  const auto type = value->getType();
  if (!type->isScalarType() || type->isMemberPointerType()) return;
  const clang::Expr* const inner = value->IgnoreParenImpCasts();
  // Another literal is crp's.
  if (llvm::isa<clang::IntegerLiteral, clang::CXXBoolLiteralExpr, clang::CXXNullPtrLiteralExpr, clang::InitListExpr>(
          inner))
    return;
  const auto where = at.range(*value);
  const auto name = type->isBooleanType() ? std::optional<std::string>("bool") : at.type_name(type);
  if (!where || !name) return;
  for (const std::string& other : constants_of(type, at))
    at.propose(*where, mutation::place_kind::expression, *name, "ret", other);
}

}  // namespace morph::source
