// Types that are values, and initializers without effects.
#include "coverage/source/mutants/initial_value.hpp"

#include <clang/AST/DeclTemplate.h>
#include <clang/AST/ExprCXX.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "coverage/source/clang/walk.hpp"

namespace morph::source {
namespace {

constexpr std::array<std::string_view, 24> values{
    "allocator", "array", "basic_string",  "basic_string_view",  "bitset",        "char_traits",
    "complex",   "deque", "duration",      "equal_to",           "hash",          "initializer_list",
    "less",      "list",  "map",           "multimap",           "optional",      "pair",
    "ratio",     "set",   "unordered_map", "unordered_multimap", "unordered_set", "vector"};

/// Memory alone: no constructor or destructor of it does anything else.
bool is_value(clang::QualType type) {
  type = type.getCanonicalType();
  if (type.isVolatileQualified()) return false;
  if (const auto* array = type->getAsArrayTypeUnsafe()) return is_value(array->getElementType());
  if (type->isArithmeticType() || type->isEnumeralType() || type->isPointerType()) return true;
  const auto* made = llvm::dyn_cast_or_null<clang::ClassTemplateSpecializationDecl>(type->getAsCXXRecordDecl());
  if (made == nullptr || !made->isInStdNamespace()) return false;
  const llvm::StringRef name = made->getName();
  const auto is_good = [](const clang::TemplateArgument& of) {
    return of.getKind() == clang::TemplateArgument::Integral ||
           (of.getKind() == clang::TemplateArgument::Type && is_value(of.getAsType()));
  };
  return std::ranges::find(values, std::string_view(name.data(), name.size())) != values.end() &&
         std::ranges::all_of(made->getTemplateArgs().asArray(), [&](const clang::TemplateArgument& of) {
           return of.getKind() == clang::TemplateArgument::Pack ? std::ranges::all_of(of.pack_elements(), is_good)
                                                                : is_good(of);
         });
}

bool has_effect(const clang::Stmt& of) {
  if (llvm::isa<clang::CallExpr, clang::LambdaExpr, clang::CXXNewExpr, clang::CXXDeleteExpr, clang::CXXThrowExpr,
                clang::StmtExpr>(of))
    return true;
  if (const auto* made = llvm::dyn_cast<clang::CXXConstructExpr>(&of)) return !is_value(made->getType());
  if (const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(&of)) return binary->isAssignmentOp();
  const auto* const unary = llvm::dyn_cast<clang::UnaryOperator>(&of);
  return unary != nullptr && (unary->isIncrementDecrementOp() || unary->getOpcode() == clang::UO_AddrOf);
}

}  // namespace

bool only_sets_memory(const clang::VarDecl& variable) {
  if (!variable.hasGlobalStorage() || variable.isStaticLocal() || variable.getTLSKind() != clang::VarDecl::TLS_None ||
      variable.getInit() == nullptr || variable.getInit()->isInstantiationDependent() || !is_value(variable.getType()))
    return false;
  bool found = false;
  walk(variable.getInit(), {.statement = [&](const clang::Stmt& of) { return !(found = found || has_effect(of)); }});
  return !found;
}

}  // namespace morph::source
