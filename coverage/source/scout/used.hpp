// Declarations of a test's source that a piece of its code needs.
#pragma once

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/AST/Stmt.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace morph::source::scouting {

struct used_declarations {
  std::vector<const clang::Decl*> of_source{};  // at the level of namespaces, in the order of the source
  std::string refused{};                        // why they cannot be written again
  bool has_framework = false;                   // something of GoogleTest, Catch2 or doctest is used
};

/// Of the file that is read, through the declarations that those use.
used_declarations used_by(const std::vector<const clang::Stmt*>& code, const std::vector<const clang::Decl*>& further,
                          clang::ASTContext& context);

/// What code needs of a source beside declarations that it names: active includes, macros, `using` at the level of
/// namespaces. And the text of these declarations.
nlohmann::json parts_of_source(clang::ASTContext& context, const std::vector<const clang::Decl*>& used);

/// Namespaces around a declaration, the outermost first; empty for one without a name.
std::vector<std::string> scopes_of(const clang::Decl& of);

}  // namespace morph::source::scouting
