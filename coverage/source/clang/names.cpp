// Qualified names and types of parameters.
#include "coverage/source/clang/names.hpp"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>

namespace morph::source {

std::string function_name(const clang::FunctionDecl& function) {
  const clang::FunctionDecl* const pattern = function.getTemplateInstantiationPattern();
  const clang::FunctionDecl& named = pattern != nullptr ? *pattern : function;
  clang::PrintingPolicy policy(function.getASTContext().getLangOpts());
  policy.SuppressTagKeyword = true;
  std::string name = named.getQualifiedNameAsString() + '(';
  for (const clang::ParmVarDecl* each : named.parameters()) {
    if (name.back() != '(') name += ", ";
    name += each->getType().getAsString(policy);
  }
  return name + ')';
}

}  // namespace morph::source
