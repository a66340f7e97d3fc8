// Describes types as JSON: their kind, and what they are made of.
#pragma once

#include <clang/AST/ASTContext.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/PrettyPrinter.h>
#include <clang/Sema/Sema.h>

#include <nlohmann/json.hpp>
#include <set>
#include <string>

namespace morph::source {

/// Types by their canonical names. Each is described once, with all that it is made of.
class type_table {
 public:
  explicit type_table(clang::Sema& sema);

  /// {"type": name in the table, "spelled": as a source may write it, "passed": value, reference, const_reference,
  /// move, pointer or const_pointer}; of references and pointers, the type is that which they refer to.
  nlohmann::json use_of(clang::QualType type);

  /// As use_of(), for calls: of `T**` and `T*&` the type is T, "passed" is pointer_to_pointer or reference_to_pointer,
  /// "pointer" is how a variable of the type `T*` is declared, and "constant" says that the callee cannot write the
  /// pointer. In addition "written", the whole type.
  nlohmann::json use_for_call(clang::QualType type);

  /// Types with a morph_save() or to_json() of their own are told beforehand.
  void add_hook(clang::QualType type, const char* name) { hooks_[canonical(type)].insert(name); }

  std::string spelled(clang::QualType type) const;
  const clang::PrintingPolicy& policy() const { return policy_; }
  const nlohmann::json& types() const { return types_; }
  bool has_trait(clang::TypeTrait trait, std::initializer_list<clang::QualType> of);
  clang::QualType type_of(const clang::CXXRecordDecl& record) const;
  clang::QualType rvalue_of(clang::QualType type) const { return context_.getRValueReferenceType(type); }
  nlohmann::json take() { return std::move(types_); }

 private:
  std::string canonical(clang::QualType type) const;
  std::string add(clang::QualType type);
  nlohmann::json described(clang::QualType type);
  void add_record(const clang::CXXRecordDecl& record, clang::QualType type, nlohmann::json& to);
  void add_function(const clang::FunctionProtoType& function, nlohmann::json& to);
  bool add_of_standard_library(const clang::CXXRecordDecl& record, nlohmann::json& to);
  bool has_equality(clang::QualType type);

  clang::Sema& sema_;
  clang::ASTContext& context_;
  clang::PrintingPolicy policy_;
  nlohmann::json types_ = nlohmann::json::object();
  std::map<std::string, std::set<std::string>> hooks_;
};

}  // namespace morph::source
