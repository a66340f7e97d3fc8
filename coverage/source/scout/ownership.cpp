// Owners by files; classes without their instances.
#include "coverage/source/scout/ownership.hpp"

#include <clang/AST/DeclCXX.h>
#include <clang/AST/DeclTemplate.h>
#include <clang/Basic/SourceManager.h>

#include <string_view>

#include "coverage/naming/test_names.hpp"
#include "coverage/source/describe/places.hpp"

namespace morph::source::scouting {
namespace {

/// The class that others are nested in, as the template that it is an instance of.
const clang::CXXRecordDecl& outermost(const clang::CXXRecordDecl& of) {
  const clang::CXXRecordDecl* at = &of;
  if (const auto* const pattern = at->getTemplateInstantiationPattern()) at = pattern;
  while (const auto* const around = clang::dyn_cast<clang::CXXRecordDecl>(at->getDeclContext())) {
    at = around;
    if (const auto* const pattern = at->getTemplateInstantiationPattern()) at = pattern;
  }
  return *at->getCanonicalDecl();
}

}  // namespace

ownership::owner ownership::of_file(clang::SourceLocation at) const {
  const clang::FileID file = sources_.getFileID(sources_.getFileLoc(at));
  const auto [known, is_new] = files_.try_emplace(file, owner::others);
  if (!is_new) return known->second;
  if (file == sources_.getMainFileID()) return known->second = owner::tests;
  const auto entry = sources_.getFileEntryRefForID(file);
  if (!entry) return known->second;
  const std::string name = one_name(entry->getName());
  if (chosen_.contains(name))
    known->second = naming::is_named_as_tests(std::string_view(name).substr(chosen_.root.size() + 1)) ? owner::tests
                                                                                                      : owner::project;
  return known->second;
}

ownership::owner ownership::of(const clang::Decl& declaration) const {
  owner found = owner::others;
  for (const clang::Decl* const each : declaration.redecls()) {
    const owner one = of_file(each->getLocation());
    if (one == owner::project) return one;
    if (one == owner::tests) found = one;
  }
  if (found == owner::others)
    if (const auto* const function = clang::dyn_cast<clang::FunctionDecl>(&declaration))
      if (const auto* const pattern = function->getTemplateInstantiationPattern();
          pattern != nullptr && pattern != function)
        return of(*pattern);
  return found;
}

void ownership::add_class(const clang::CXXRecordDecl& of, std::set<std::string>& to) const {
  const clang::CXXRecordDecl& one = outermost(of);
  if (this->of(one) != owner::project || !to.insert(one.getQualifiedNameAsString()).second) return;
  const clang::CXXRecordDecl* const defined = of.getDefinition();
  if (defined == nullptr || defined->isDependentContext()) return;
  for (const clang::CXXBaseSpecifier& base : defined->bases())
    if (const auto* const record = base.getType()->getAsCXXRecordDecl()) add_class(*record, to);
}

/// A class, what references and pointers lead to, and elements of containers.
void ownership::add_classes(clang::QualType type, std::set<std::string>& to, unsigned depth) const {
  while (type->isReferenceType() || type->isPointerType()) type = type->getPointeeType();
  const auto* const record = type->getAsCXXRecordDecl();
  if (record == nullptr) return;
  add_class(*record, to);
  const auto* const instance = clang::dyn_cast<clang::ClassTemplateSpecializationDecl>(record);
  if (instance == nullptr || depth == 0 || this->of(*record) == owner::project) return;
  for (const clang::TemplateArgument& each : instance->getTemplateArgs().asArray())
    if (each.getKind() == clang::TemplateArgument::Type) add_classes(each.getAsType(), to, depth - 1);
}

std::set<std::string> ownership::units_of(const clang::FunctionDecl& of) const {
  std::set<std::string> made;
  if (const auto* const method = clang::dyn_cast<clang::CXXMethodDecl>(&of)) {
    add_class(*method->getParent(), made);
    return made;
  }
  add_classes(of.getReturnType(), made, 1);
  for (const clang::ParmVarDecl* const each : of.parameters()) add_classes(each->getType(), made, 1);
  if (!of.isOverloadedOperator()) {
    const clang::FunctionDecl* const pattern = of.getTemplateInstantiationPattern();
    made.insert(source::place_of(*(pattern != nullptr ? pattern : &of)->getCanonicalDecl()).file);
  }
  return made;
}

}  // namespace morph::source::scouting
