// Telling test code from production code by what the frameworks make of it.
#include "coverage/source/mutants/test_code.hpp"

#include <clang/AST/DeclCXX.h>
#include <clang/AST/ExprCXX.h>
#include <clang/Basic/SourceManager.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>
#include <vector>

#include "coverage/source/clang/files.hpp"
#include "coverage/source/clang/walk.hpp"

namespace morph::source {
namespace {

constexpr std::array<std::string_view, 4> spec_headers{"/morph/spec.hpp", "/morph/gtest.hpp", "/morph/catch2.hpp",
                                                       "/morph/doctest.hpp"};

/// Of a template's instance, its pattern: one for all declarations and instances.
const clang::FunctionDecl& one_of(const clang::FunctionDecl& function) {
  const clang::FunctionDecl* const pattern = function.getTemplateInstantiationPattern();
  return *(pattern != nullptr ? pattern : &function)->getCanonicalDecl();
}

}  // namespace

/// What a piece of code refers to.
class test_code::references {
 public:
  references(test_code& of, auto* piece_of_code) : of_(of) {
    walk(piece_of_code, {.statement = [&](const clang::Stmt& each) { return note(each); },
                         .type = [&](clang::TypeLoc each) { return note(each); },
                         .implicit_code = true});
  }

  bool uses_framework = false;
  std::set<const clang::FunctionDecl*>
      functions;  // that may be called, all members of a class that is named among them

 private:
  bool note(const clang::Stmt& each) {
    uses_framework = uses_framework || of_.is_in_framework(each.getBeginLoc());
    if (const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(&each)) return note(name->getDecl());
    if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(&each)) return note(member->getMemberDecl());
    if (const auto* made = llvm::dyn_cast<clang::CXXConstructExpr>(&each)) return note(made->getConstructor());
    if (const auto* overloaded = llvm::dyn_cast<clang::OverloadExpr>(&each))
      for (const clang::NamedDecl* one : overloaded->decls()) note(one);
    return true;
  }

  bool note(clang::TypeLoc type) {
    if (const clang::CXXRecordDecl* const record = type.getType()->getAsCXXRecordDecl()) note(*record);
    return true;
  }

  bool note(const clang::NamedDecl* named) {
    uses_framework = uses_framework || of_.is_in_framework(named->getLocation());
    if (const auto* function = named->getAsFunction()) functions.insert(&one_of(*function));
    if (const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(named)) note(*method->getParent());
    return true;
  }

  void note(const clang::CXXRecordDecl& record) {
    if (!records_.insert(record.getCanonicalDecl()).second) return;
    uses_framework = uses_framework || of_.is_in_framework(record.getLocation());
    const clang::CXXRecordDecl* const defined = record.getDefinition();
    if (defined == nullptr || of_.sources_.isInSystemHeader(defined->getLocation())) return;
    for (const clang::CXXMethodDecl* each : defined->methods()) functions.insert(&one_of(*each));
  }

  std::set<const clang::CXXRecordDecl*> records_;

  test_code& of_;
};

test_code::test_code(clang::ASTContext& context, std::string root)
    : context_(context), sources_(context.getSourceManager()), root_(std::move(root) + '/') {
  for (auto i = sources_.fileinfo_begin(); i != sources_.fileinfo_end() && !has_framework_; ++i)
    has_framework_ = is_framework(one_name(file_name(i->first)));
  if (has_framework_) find_helpers();
}

/// Morph's own headers of specs are none in its own project.
bool test_code::is_framework(std::string_view path) const {
  if (path.starts_with(root_)) return is_framework_file(path.substr(root_.size()));
  return is_framework_file(path) ||
         std::ranges::any_of(spec_headers, [&](std::string_view each) { return path.ends_with(each); });
}

bool test_code::is_of_framework(clang::FileID file) {
  const auto [known, is_new] = files_.try_emplace(file, false);
  if (!is_new) return known->second;
  if (const auto entry = sources_.getFileEntryRefForID(file)) known->second = is_framework(one_name(entry->getName()));
  return known->second;
}

/// Or written by one of its macros.
bool test_code::is_in_framework(clang::SourceLocation at) {
  if (at.isInvalid()) return false;
  for (; at.isMacroID(); at = sources_.getImmediateMacroCallerLoc(at))
    if (is_of_framework(sources_.getFileID(sources_.getSpellingLoc(at)))) return true;
  return is_of_framework(sources_.getFileID(at));
}

bool test_code::is_written_by_framework(const clang::Decl& declaration) {
  return is_in_framework(declaration.getBeginLoc()) || is_in_framework(declaration.getLocation());
}

bool test_code::is_of_tests(const clang::CXXRecordDecl& of) {
  const clang::CXXRecordDecl* const record = of.getDefinition();
  if (record == nullptr) return false;
  const auto [known, is_new] = classes_.try_emplace(record->getCanonicalDecl(), false);
  if (!is_new) return known->second;
  bool found = is_written_by_framework(*record);
  for (const clang::CXXBaseSpecifier& base : record->bases())
    if (const clang::CXXRecordDecl* const class_of = base.getType()->getAsCXXRecordDecl();
        !found && class_of != nullptr)
      found = is_of_tests(*class_of);
  for (const clang::Decl* member : record->decls())
    found =
        found || (llvm::isa<clang::FunctionDecl>(member) && !member->isImplicit() && is_written_by_framework(*member));
  return classes_[record->getCanonicalDecl()] = found;
}

/// But for helpers.
bool test_code::is_of_tests(const clang::FunctionDecl& function) {
  const clang::FunctionDecl& one = one_of(function);
  const auto [known, is_new] = functions_.try_emplace(&one, false);
  if (!is_new) return known->second;
  const clang::FunctionDecl* defined = nullptr;
  if (!one.isDefined(defined)) defined = &one;
  bool found = one.isMain() || is_written_by_framework(*defined);
  const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(defined);
  found = found || (method != nullptr && is_of_tests(*method->getParent()));
  if (!found && defined->hasBody()) {
    found = references(*this, defined->getBody()).uses_framework;
  }
  return functions_[&one] = found;
}

void test_code::find_helpers() {
  std::vector<const clang::FunctionDecl*> functions;
  std::vector<clang::VarDecl*> variables;
  const auto note_definition = [&](clang::Decl& each) {
    if (auto* const function = llvm::dyn_cast<clang::FunctionDecl>(&each)) {
      if (function->isThisDeclarationADefinition() && function->hasBody()) functions.push_back(function);
    } else if (auto* const variable = llvm::dyn_cast<clang::VarDecl>(&each)) {
      if (variable->hasGlobalStorage() && variable->hasInit()) variables.push_back(variable);
    }
    return true;
  };
  // What other files define has its place there.
  const auto is_here = [&](const clang::Decl* each) {
    return sources_.isInMainFile(sources_.getExpansionLoc(each->getLocation()));
  };
  for (clang::Decl* each : context_.getTranslationUnitDecl()->decls())
    if (is_here(each)) walk(each, {.declaration = note_definition});
  bool has_cases = false;
  std::vector<const clang::FunctionDecl*> production;
  for (const clang::FunctionDecl* each : functions) {
    has_cases = has_cases || is_written_by_framework(*each);
    if (is_of_tests(*each)) continue;
    if (each->isExternallyVisible())
      production.push_back(&one_of(*each));
    else
      helpers_.insert(&one_of(*each));
  }
  if (!has_cases) return helpers_.clear();
  const auto take = [&](const references& within) {
    for (const clang::FunctionDecl* each : within.functions)
      if (helpers_.erase(each) > 0) production.push_back(each);
  };
  for (clang::VarDecl* each : variables) {
    if (is_written_by_framework(*each)) continue;
    take(references(*this, each->getInit()));
  }
  for (std::size_t i = 0; i < production.size(); ++i) {
    const clang::FunctionDecl* defined = nullptr;
    if (!production[i]->isDefined(defined)) continue;
    take(references(*this, const_cast<clang::FunctionDecl*>(defined)));
  }
}

bool test_code::contains(const clang::FunctionDecl& function) {
  return has_framework_ && (is_of_tests(function) || helpers_.contains(&one_of(function)));
}

bool test_code::contains(const clang::VarDecl& variable) {
  return has_framework_ && variable.hasGlobalStorage() && is_written_by_framework(variable);
}

}  // namespace morph::source
