// Which functions and variables of a unit belong to its tests, where production code stands beside them.
#pragma once

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/Basic/SourceLocation.h>

#include <map>
#include <set>
#include <string>
#include <string_view>

namespace morph::source {

/// Test code is what a macro of a test framework writes (the body of a case, what registers it), members of a class
/// that derives from the framework's or has mocked functions, and every function that uses the framework. In a source
/// that has cases it is also a function that no other unit sees and no production code refers to. All of it is passed
/// by in a unit that includes no framework. Cost: a walk over the unit's functions, once.
class test_code {
 public:
  /// `root`: the project's folder; the names of its files count from there.
  test_code(clang::ASTContext& context, std::string root);

  bool contains(const clang::FunctionDecl& function);
  bool contains(const clang::VarDecl& variable);

 private:
  class references;

  bool is_framework(std::string_view path) const;
  bool is_of_framework(clang::FileID file);
  bool is_in_framework(clang::SourceLocation at);
  bool is_written_by_framework(const clang::Decl& declaration);
  bool is_of_tests(const clang::CXXRecordDecl& of);
  bool is_of_tests(const clang::FunctionDecl& function);
  void find_helpers();

  clang::ASTContext& context_;
  const clang::SourceManager& sources_;
  std::string root_;
  bool has_framework_ = false;
  std::map<clang::FileID, bool> files_;
  std::map<const clang::Decl*, bool> functions_, classes_;  // by canonical declaration
  std::set<const clang::Decl*> helpers_;
};

}  // namespace morph::source
