// Access, scopes and aliases along a name.
#include "coverage/source/describe/nameable.hpp"

#include <clang/AST/DeclCXX.h>
#include <clang/AST/DeclTemplate.h>
#include <clang/Basic/SourceManager.h>

#include <algorithm>

#include "coverage/source/clang/files.hpp"

namespace morph::source {
namespace {

bool is_hidden(clang::AccessSpecifier access) {
  return access == clang::AS_private || access == clang::AS_protected;
}

bool is_unnamed(const clang::TagDecl& tag) {
  return !tag.getDeclName() && tag.getTypedefNameForAnonDecl() == nullptr;
}

bool has_hidden_access(const clang::Decl& declaration) {
  if (is_hidden(declaration.getAccess())) return true;
  const auto* const instance = clang::dyn_cast<clang::ClassTemplateSpecializationDecl>(&declaration);
  return instance != nullptr && is_hidden(instance->getSpecializedTemplate()->getAccess());
}

std::string quoted(const char* what, const clang::TagDecl& tag, const clang::PrintingPolicy& policy) {
  std::string name;
  llvm::raw_string_ostream to(name);
  tag.printQualifiedName(to, policy);
  return std::string(what) + " '" + to.str() + "'";
}

std::string unnameable_argument(const clang::TemplateArgument& argument, const clang::PrintingPolicy& policy) {
  if (argument.getKind() == clang::TemplateArgument::Type) return unnameable_part(argument.getAsType(), policy);
  if (argument.getKind() == clang::TemplateArgument::Declaration && !is_public(*argument.getAsDecl()))
    return "a hidden declaration";
  if (argument.getKind() != clang::TemplateArgument::Pack) return {};
  for (const clang::TemplateArgument& each : argument.pack_elements())
    if (std::string part = unnameable_argument(each, policy); !part.empty()) return part;
  return {};
}

}  // namespace

bool is_header_name(llvm::StringRef file) {
  const llvm::StringRef name = file.substr(file.rfind('/') + 1);
  const auto dot = name.rfind('.');
  if (dot == llvm::StringRef::npos) return true;
  const llvm::StringRef end = name.substr(dot + 1);
  return end.starts_with("h") || end == "H" || end == "inl" || end == "ipp" || end == "tcc";
}

bool is_public(const clang::Decl& declaration) {
  if (has_hidden_access(declaration)) return false;
  for (const clang::DeclContext* at = declaration.getDeclContext(); at != nullptr; at = at->getParent()) {
    if (at->isFunctionOrMethod()) return false;
    if (const auto* const space = clang::dyn_cast<clang::NamespaceDecl>(at); space && space->isAnonymousNamespace())
      return false;
    if (const auto* const tag = clang::dyn_cast<clang::TagDecl>(at))
      if (is_unnamed(*tag) || has_hidden_access(*tag)) return false;
  }
  return true;
}

bool is_in_header(const clang::Decl& declaration) {
  const clang::SourceManager& sources = declaration.getASTContext().getSourceManager();
  return std::any_of(declaration.redecls_begin(), declaration.redecls_end(), [&](const clang::Decl* each) {
    const clang::FileID file = sources.getFileID(sources.getFileLoc(each->getLocation()));
    if (file != sources.getMainFileID()) return true;
    const auto entry = sources.getFileEntryRefForID(file);
    return entry && is_header_name(entry->getName());
  });
}

std::string unnameable_part(const clang::TagDecl& tag, const clang::PrintingPolicy& policy) {
  if (is_unnamed(tag)) return "a type without a name";
  if (!is_public(tag)) return quoted("the hidden type", tag, policy);
  const auto* const instance = clang::dyn_cast<clang::ClassTemplateSpecializationDecl>(&tag);
  if (instance == nullptr) return is_in_header(tag) ? std::string() : quoted("no header declares", tag, policy);
  for (const clang::TemplateArgument& each : instance->getTemplateArgs().asArray())
    if (std::string part = unnameable_argument(each, policy); !part.empty()) return part;
  return {};
}

std::string unnameable_part(clang::QualType type, const clang::PrintingPolicy& policy) {
  type = type.getCanonicalType();
  if (const auto* const tag = type->getAsTagDecl()) return unnameable_part(*tag, policy);
  if (const auto* const array = type->getAsArrayTypeUnsafe()) return unnameable_part(array->getElementType(), policy);
  if (const auto* const function = type->getAs<clang::FunctionProtoType>()) {
    std::string part = unnameable_part(function->getReturnType(), policy);
    for (const clang::QualType each : function->param_types())
      if (part.empty()) part = unnameable_part(each, policy);
    return part;
  }
  const clang::QualType inner = type->getPointeeType();
  return inner.isNull() ? std::string() : unnameable_part(inner, policy);
}

bool are_its_aliases_public(clang::QualType type) {
  while (true) {
    const clang::Type* const at = type.getTypePtr();
    if (const auto* const alias = clang::dyn_cast<clang::TypedefType>(at)) return is_public(*alias->getDecl());
    if (clang::isa<clang::DecltypeType, clang::TypeOfExprType>(at)) return false;  // may name parameters
    if (const auto* const instance = clang::dyn_cast<clang::TemplateSpecializationType>(at)) {
      const clang::TemplateDecl* const of = instance->getTemplateName().getAsTemplateDecl();
      return (of == nullptr || is_public(*of)) &&
             std::ranges::all_of(instance->template_arguments(), [](const clang::TemplateArgument& each) {
               return each.getKind() != clang::TemplateArgument::Type || are_its_aliases_public(each.getAsType());
             });
    }
    if (const auto* const function = clang::dyn_cast<clang::FunctionProtoType>(at))
      return are_its_aliases_public(function->getReturnType()) &&
             std::ranges::all_of(function->param_types(), are_its_aliases_public);
    if (const clang::QualType inner = at->getPointeeType();
        !inner.isNull() && clang::isa<clang::PointerType, clang::ReferenceType, clang::MemberPointerType>(at)) {
      type = inner;
      continue;
    }
    if (const auto* const array = clang::dyn_cast<clang::ArrayType>(at)) {
      type = array->getElementType();
      continue;
    }
    const clang::QualType next = at->getLocallyUnqualifiedSingleStepDesugaredType();
    if (next.getTypePtr() == at) return true;
    type = next;
  }
}

}  // namespace morph::source
