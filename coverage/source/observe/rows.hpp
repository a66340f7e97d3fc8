// How classes and enumerations are read: a function for each of them, registered before main().
#pragma once

#include <clang/AST/ASTContext.h>
#include <clang/AST/DeclCXX.h>

#include <set>
#include <vector>

#include "coverage/observation/points.hpp"

namespace morph::source {

class type_rows {
 public:
  explicit type_rows(clang::ASTContext& context) : context_(context) {}

  /// What a value of this type is read by, its fields' types too: `depth` classes deep.
  void add(clang::QualType type, int depth);

  std::vector<observation::row> take() && { return std::move(rows_); }

 private:
  void add_class(const clang::CXXRecordDecl& of, clang::QualType type, int depth);
  void add_enumeration(const clang::EnumDecl& of, clang::QualType type);
  std::string fields_of(const clang::CXXRecordDecl& of, int depth);

  clang::ASTContext& context_;
  std::set<std::pair<const clang::Decl*, int>> seen_;
  std::set<const clang::Decl*> written_;
  std::vector<observation::row> rows_;
};

}  // namespace morph::source
