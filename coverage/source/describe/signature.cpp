// Names with scopes and arguments, and the types of parameters.
#include "coverage/source/describe/signature.hpp"

#include <clang/AST/DeclTemplate.h>
#include <clang/Basic/SourceManager.h>

#include "coverage/source/describe/nameable.hpp"

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

bool can_be_written(clang::QualType type, const clang::ASTContext& context, const type_table& types) {
  const clang::QualType inner = type.getNonReferenceType();
  const auto* const tag = inner->getAsTagDecl();
  return !inner->isArrayType() && !type->isUndeducedType() && unnameable_part(type, types.policy()).empty() &&
         (tag == nullptr || !context.getSourceManager().isInMainFile(tag->getLocation()));
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

std::string use_of_instance(const clang::FunctionDecl& function, const type_table& types) {
  const clang::ASTContext& context = function.getASTContext();
  const auto* const method = clang::dyn_cast<clang::CXXMethodDecl>(&function);
  if (function.getTemplateSpecializationKind() != clang::TSK_ImplicitInstantiation ||
      function.getPrimaryTemplate() == nullptr || function.isVariadic() ||
      clang::isa<clang::CXXConstructorDecl, clang::CXXConversionDecl>(function))
    return {};
  // Of `auto` it is not known how another source would write it.
  const std::string result = types.spelled(function.getReturnType());
  if (result.find("auto") != std::string::npos) return {};
  for (const clang::TemplateArgument& each : function.getTemplateSpecializationArgs()->asArray())
    if (each.getKind() != clang::TemplateArgument::Type || !can_be_written(each.getAsType(), context, types)) return {};
  std::string parameters;
  for (const auto* const each : function.parameters()) {
    if (!can_be_written(each->getType(), context, types)) return {};
    parameters += (parameters.empty() ? "" : ", ") + types.spelled(each->getType());
  }
  const bool is_member = method != nullptr && !method->isStatic();
  const callable_name name = name_of(function, method != nullptr ? method->getParent() : nullptr, types);
  return "static_cast<" + result + " (" + (is_member ? name.scope + "::" : "") + "*)(" + parameters + ')' +
         (is_member && method->isConst() ? " const" : "") + ">(&" + name.whole() + ')';
}

}  // namespace morph::source
