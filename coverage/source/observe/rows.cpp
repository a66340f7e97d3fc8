// Rows name fields: access is not checked where they are compiled.
#include "coverage/source/observe/rows.hpp"

#include <clang/AST/DeclTemplate.h>
#include <clang/Basic/SourceManager.h>

#include <optional>
#include <string>

#include "coverage/source/observe/written.hpp"

namespace morph::source {
namespace {

constexpr std::size_t most_enumerators = 200;

/// Why a field is named and not read.
const char* unreadable(const clang::FieldDecl& field) {
  const clang::QualType type = field.getType();
  if (type->isReferenceType()) return "a reference";
  if (type.isVolatileQualified()) return "volatile";
  if (type->isUnionType()) return "a union";
  if (type->isMemberPointerType()) return "a pointer to a member";
  if (type->isIncompleteType()) return "of unknown size";
  return nullptr;
}

}  // namespace

void type_rows::add(clang::QualType type, int depth) {
  if (type.isNull() || depth < 0) return;
  type = type.getNonReferenceType().getCanonicalType().getUnqualifiedType();
  while (const auto* array = type->getAsArrayTypeUnsafe()) type = array->getElementType().getUnqualifiedType();
  if (type->isDependentType()) return;
  if (const auto* enumeration = type->getAs<clang::EnumType>()) return add_enumeration(*enumeration->getDecl(), type);
  const clang::CXXRecordDecl* of = type->getAsCXXRecordDecl();
  if (of == nullptr || (of = of->getDefinition()) == nullptr) return;
  if (!seen_.insert({of, depth}).second) return;
  if (!context_.getSourceManager().isInSystemHeader(of->getLocation())) return add_class(*of, type, depth);
  // What a container or an owner of the library holds.
  if (const auto* instance = llvm::dyn_cast<clang::ClassTemplateSpecializationDecl>(of))
    for (const clang::TemplateArgument& each : instance->getTemplateArgs().asArray())
      if (each.getKind() == clang::TemplateArgument::Type) add(each.getAsType(), depth - 1);
}

void type_rows::add_class(const clang::CXXRecordDecl& of, clang::QualType type, int depth) {
  if (of.isUnion() || of.isLambda() || of.isInvalidDecl()) return;
  for (const clang::CXXBaseSpecifier& base : of.bases()) add(base.getType(), depth);
  for (const clang::FieldDecl* field : of.fields())
    if (!field->getLocation().isMacroID() && unreadable(*field) == nullptr) add(field->getType(), depth - 1);
  const auto name = name_at_end(type, context_);
  if (!name || !written_.insert(&of).second) return;
  rows_.push_back({*name, fields_of(of, depth)});
}

std::string type_rows::fields_of(const clang::CXXRecordDecl& of, int) {
  std::string text;
  for (const clang::CXXBaseSpecifier& base : of.bases())
    if (const auto name = name_at_end(base.getType(), context_))
      text += "morph_observe::read_base(static_cast<const " + *name + "&>(v),d);";
  for (const clang::FieldDecl* field : of.fields()) {
    // GCC and Clang number the lines of a macro's arguments differently: a name may have such a number in it.
    if (!field->getIdentifier() || field->getLocation().isMacroID()) continue;
    const std::string name = field->getNameAsString();
    const char* const is_private = field->getAccess() == clang::AS_public ? "0" : "1";
    const std::string called = "(\"." + name + "\"," + is_private + ",";
    if (const char* const why = unreadable(*field))
      text += "morph_observe::not_read" + called + "\"" + why + "\");";
    else if (field->isBitField())
      text += "morph_observe::named" + called + "static_cast<decltype(v." + name + ")>(v." + name + "),d);";
    else
      text += "morph_observe::named" + called + "v." + name + ",d);";
  }
  return text;
}

void type_rows::add_enumeration(const clang::EnumDecl& declared, clang::QualType type) {
  const clang::EnumDecl* const of = declared.getDefinition();
  if (of == nullptr) return;
  const auto name = name_at_end(type, context_);
  if (!name || !written_.insert(of).second) return;
  std::string scope = *name;
  if (!of->isScoped()) scope = scope.rfind("::") == std::string::npos ? "" : scope.substr(0, scope.rfind("::"));
  std::string text;
  std::size_t count = 0;
  for (const clang::EnumConstantDecl* each : of->enumerators()) {
    if (++count > most_enumerators) return;
    const std::string enumerator = (scope.empty() ? "" : scope + "::") + each->getNameAsString();
    const std::string_view shown = std::string_view(enumerator).substr(enumerator.starts_with("::") ? 2 : 0);
    text += "if(v==" + enumerator + ")return morph_observe_word(\"" + std::string(shown) + "\");";
  }
  rows_.push_back({*name, text + "(void)d;morph_observe_bits(morph_observe::enumerator,&v,sizeof v);"});
}

}  // namespace morph::source
