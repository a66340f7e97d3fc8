// Classes of a unit: what they derive from, and what they override.
#include <clang/AST/ASTContext.h>
#include <clang/AST/DeclTemplate.h>
#include <clang/Basic/SourceManager.h>

#include <set>

#include "coverage/source/branches/branches.hpp"
#include "coverage/source/branches/function_names.hpp"
#include "coverage/source/clang/walk.hpp"

namespace morph::source {
namespace {

/// Of `Base<T>` in a template: the class that the template is written as.
const clang::CXXRecordDecl* written_class(clang::QualType type) {
  if (const auto* instance = type->getAs<clang::TemplateSpecializationType>())
    if (const clang::TemplateDecl* of = instance->getTemplateName().getAsTemplateDecl())
      return llvm::dyn_cast_or_null<clang::CXXRecordDecl>(of->getTemplatedDecl());
  return type->getAsCXXRecordDecl();
}

branch_class described(const clang::CXXRecordDecl& record) {
  branch_class made{record.getQualifiedNameAsString(), {}, {}};
  for (const clang::CXXBaseSpecifier& each : record.bases())
    if (const auto* base = written_class(each.getType())) made.bases.push_back(base->getQualifiedNameAsString());
  for (const clang::CXXMethodDecl* method : record.methods()) {
    // A destructor is followed by that of the base.
    if (llvm::isa<clang::CXXDestructorDecl>(method)) continue;
    for (const clang::CXXMethodDecl* base : method->overridden_methods())
      made.overrides.emplace_back(name_with_const(*method), name_with_const(written_one(*base)));
  }
  return made;
}

}  // namespace

std::vector<branch_class> read_classes(clang::ASTContext& context, const file_choice& chosen) {
  std::vector<branch_class> found;
  std::set<std::string> known;
  const clang::SourceManager& sources = context.getSourceManager();
  const auto look_at = [&](clang::Decl& of) {
    const auto* record = llvm::dyn_cast<clang::CXXRecordDecl>(&of);
    if (record == nullptr || !record->isThisDeclarationADefinition() || record->isLambda() ||
        llvm::isa<clang::ClassTemplateSpecializationDecl>(record))
      return true;
    const auto entry = sources.getFileEntryRefForID(sources.getFileID(sources.getExpansionLoc(record->getLocation())));
    if (entry && chosen.contains(one_name(entry->getName())) && known.insert(record->getQualifiedNameAsString()).second)
      found.push_back(described(*record));
    return true;
  };
  for (clang::Decl* each : context.getTranslationUnitDecl()->decls())
    if (each->getLocation().isInvalid() || !sources.isInSystemHeader(each->getLocation()))
      walk(each, {.declaration = look_at});
  return found;
}

}  // namespace morph::source
