// Names of functions, of instances of templates those of the pattern.
#include "coverage/source/branches/function_names.hpp"

#include <clang/AST/DeclCXX.h>

#include "coverage/source/clang/names.hpp"

namespace morph::source {

std::string name_with_const(const clang::FunctionDecl& of) {
  const clang::FunctionDecl& function = *of.getCanonicalDecl();
  const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(&function);
  return function_name(function) + (method != nullptr && method->isConst() ? " const" : "");
}

const clang::FunctionDecl& written_one(const clang::FunctionDecl& function) {
  const clang::FunctionDecl* const pattern = function.getTemplateInstantiationPattern();
  return pattern == nullptr ? function : *pattern;
}

}  // namespace morph::source
