// Which functions are the project's own, and which are those of its tests.
#pragma once

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>

#include <map>
#include <set>
#include <string>

#include "coverage/source/clang/files.hpp"

namespace morph::source::scouting {

/// By the file that declares it: files of tests are told by their names.
class ownership {
 public:
  ownership(clang::ASTContext& context, const file_choice& chosen)
      : sources_(context.getSourceManager()), chosen_(chosen) {}

  enum class owner : std::uint8_t { project, tests, others };
  owner of_file(clang::SourceLocation at) const;
  /// Of the first of its declarations that is the project's.
  owner of(const clang::Decl& declaration) const;

  /// Of a function of the project: the classes that it is a member of, or takes, or returns; of a free one, its header.
  std::set<std::string> units_of(const clang::FunctionDecl& of) const;

 private:
  void add_classes(clang::QualType type, std::set<std::string>& to, unsigned depth) const;
  void add_class(const clang::CXXRecordDecl& of, std::set<std::string>& to) const;

  const clang::SourceManager& sources_;
  const file_choice& chosen_;
  mutable std::map<clang::FileID, owner> files_;
};

}  // namespace morph::source::scouting
