// What may stand in an expression without effects.
#include "coverage/source/mutants/purity.hpp"

#include <clang/AST/DeclCXX.h>
#include <clang/AST/ExprCXX.h>

#include <algorithm>
#include <array>
#include <string_view>

namespace morph::source {
namespace {

constexpr std::array<std::string_view, 14> looking{"begin",     "c_str",  "capacity", "cbegin",  "cend",
                                                   "count",     "data",   "empty",    "end",     "get",
                                                   "has_value", "length", "size",     "value_or"};

bool is_of_standard_library(const clang::CXXRecordDecl* record) {
  return record != nullptr && record->isInStdNamespace();
}

/// `v[i]`, `*it`, `p->x`; not a map's subscript, which may insert.
bool looks(const clang::CXXOperatorCallExpr& call) {
  const auto kind = call.getOperator();
  if (kind != clang::OO_Subscript && kind != clang::OO_Star && kind != clang::OO_Arrow) return false;
  const auto* record = call.getArg(0)->getType()->getAsCXXRecordDecl();
  if (record == nullptr) return false;
  const bool is_map = record->getIdentifier() != nullptr && record->getName().contains("map");
  const bool is_known = record->isInStdNamespace() ||
                        (record->getDeclContext()->isNamespace() &&
                         llvm::cast<clang::NamespaceDecl>(record->getDeclContext())->getName() == "__gnu_cxx");
  return is_known && !is_map;
}

}  // namespace

bool is_pure(const clang::Expr& expression) {
  const clang::Expr* const of = expression.IgnoreParens();
  if (of->isInstantiationDependent() || of->containsErrors() || of->getType().isVolatileQualified()) return false;
  if (llvm::isa<clang::IntegerLiteral, clang::FloatingLiteral, clang::CharacterLiteral, clang::StringLiteral,
                clang::CXXBoolLiteralExpr, clang::CXXNullPtrLiteralExpr, clang::CXXThisExpr, clang::DeclRefExpr,
                clang::UnaryExprOrTypeTraitExpr>(of))
    return true;
  if (const auto* constant = llvm::dyn_cast<clang::ConstantExpr>(of)) return is_pure(*constant->getSubExpr());
  if (const auto* made = llvm::dyn_cast<clang::MaterializeTemporaryExpr>(of)) return is_pure(*made->getSubExpr());
  if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(of)) return is_pure(*member->getBase());
  if (const auto* cast = llvm::dyn_cast<clang::CastExpr>(of))
    return cast->getCastKind() != clang::CK_UserDefinedConversion &&
           cast->getCastKind() != clang::CK_ConstructorConversion && cast->getCastKind() != clang::CK_Dynamic &&
           is_pure(*cast->getSubExpr());
  if (const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(of))
    return !unary->isIncrementDecrementOp() && is_pure(*unary->getSubExpr());
  if (const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(of))
    return !binary->isAssignmentOp() && !binary->isCommaOp() && !binary->isPtrMemOp() && is_pure(*binary->getLHS()) &&
           is_pure(*binary->getRHS());
  if (const auto* choice = llvm::dyn_cast<clang::ConditionalOperator>(of))
    return is_pure(*choice->getCond()) && is_pure(*choice->getTrueExpr()) && is_pure(*choice->getFalseExpr());
  if (const auto* element = llvm::dyn_cast<clang::ArraySubscriptExpr>(of))
    return is_pure(*element->getBase()) && is_pure(*element->getIdx());
  if (const auto* call = llvm::dyn_cast<clang::CXXMemberCallExpr>(of)) {
    const auto* method = call->getMethodDecl();
    if (method == nullptr || method->getIdentifier() == nullptr || !is_of_standard_library(method->getParent()))
      return false;
    const llvm::StringRef name = method->getName();
    return std::ranges::find(looking, std::string_view(name.data(), name.size())) != looking.end() &&
           is_pure(*call->getImplicitObjectArgument()) &&
           std::all_of(call->arg_begin(), call->arg_end(), [](const clang::Expr* each) { return is_pure(*each); });
  }
  if (const auto* call = llvm::dyn_cast<clang::CXXOperatorCallExpr>(of))
    return looks(*call) &&
           std::all_of(call->arg_begin(), call->arg_end(), [](const clang::Expr* each) { return is_pure(*each); });
  return false;
}

}  // namespace morph::source
