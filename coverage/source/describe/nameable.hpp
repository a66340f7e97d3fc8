// What a source beside the project's can name: declarations that are public all the way, and types made of these.
#pragma once

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>

#include <string>

namespace morph::source {

/// It and all around it is public, has a name, and is neither local nor in an anonymous namespace.
bool is_public(const clang::Decl& declaration);

/// Whether the unit declares it in a file that another source can include, too.
bool is_in_header(const clang::Decl& declaration);

bool is_header_name(llvm::StringRef file);

/// Why no other source can write the type: "the private type 'a::b'"; empty if one can.
std::string unnameable_part(clang::QualType type, const clang::PrintingPolicy& policy);
std::string unnameable_part(const clang::TagDecl& tag, const clang::PrintingPolicy& policy);

/// Whether the type can be written by the names that the source uses for it. If not, its canonical name may do.
bool are_its_aliases_public(clang::QualType type);

}  // namespace morph::source
