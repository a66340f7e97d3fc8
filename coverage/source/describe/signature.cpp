// Names with scopes and arguments, and the types of parameters.
#include "coverage/source/describe/signature.hpp"

#include <clang/AST/DeclTemplate.h>

namespace morph::source {
namespace {

std::string scope_of(const clang::FunctionDecl& function) {
  const std::string whole = function.getQualifiedNameAsString(), name = function.getNameAsString();
  return whole.size() > name.size() + 2 ? whole.substr(0, whole.size() - name.size() - 2) : std::string();
}

void add_argument(const clang::TemplateArgument& argument, std::string& to, const type_table& types) {
  if (argument.getKind() == clang::TemplateArgument::Pack) {
    for (const clang::TemplateArgument& each : argument.pack_elements()) add_argument(each, to, types);
    return;
  }
  if (!to.empty()) to += ", ";
  if (argument.getKind() == clang::TemplateArgument::Type) {
    to += types.spelled(argument.getAsType());
    return;
  }
  llvm::raw_string_ostream stream(to);
  argument.print(types.policy(), stream, true);
}

std::string own_name(const clang::FunctionDecl& function, const clang::CXXRecordDecl* of_class,
                     const type_table& types) {
  if (clang::isa<clang::CXXConstructorDecl>(function)) return of_class->getNameAsString();
  if (const auto* const conversion = clang::dyn_cast<clang::CXXConversionDecl>(&function))
    return "operator " + types.spelled(conversion->getConversionType());
  std::string name = function.getNameAsString();
  const auto* const arguments = function.getTemplateSpecializationArgs();
  if (arguments == nullptr || function.isOverloadedOperator()) return name;
  std::string text;
  for (const clang::TemplateArgument& each : arguments->asArray()) add_argument(each, text, types);
  return name + '<' + text + '>';
}

}  // namespace

callable_name name_of(const clang::FunctionDecl& function, const clang::CXXRecordDecl* of_class,
                      const type_table& types) {
  return {of_class != nullptr ? types.spelled(types.type_of(*of_class)) : scope_of(function),
          own_name(function, of_class, types)};
}

std::string signature_of(const clang::FunctionDecl& function, const std::string& name, const type_table& types) {
  std::string text = name + '(';
  for (const auto* const each : function.parameters())
    text += (text.ends_with('(') ? "" : ", ") + types.spelled(each->getType());
  if (function.isVariadic()) text += text.ends_with('(') ? "..." : ", ...";
  const auto* const method = clang::dyn_cast<clang::CXXMethodDecl>(&function);
  text += method != nullptr && method->isConst() ? ") const" : ")";
  return method != nullptr && method->getRefQualifier() == clang::RQ_RValue ? text + " &&" : text;
}

std::string signature_of_default_constructor(const clang::CXXRecordDecl& of_class, const type_table& types) {
  return callable_name{types.spelled(types.type_of(of_class)), of_class.getNameAsString()}.whole() + "()";
}

}  // namespace morph::source
