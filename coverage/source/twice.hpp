// Whether the body of a function can stand twice in one function, with a choice in front.
#pragma once

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>

namespace morph::source {

/// Not if it has what exists once (static variables, labels, code in assembler), makes the function a constant
/// expression or a coroutine, gives it its type, or holds lines for the preprocessor. `function` is a definition, of
/// which nothing is in a macro.
bool can_stand_twice(const clang::FunctionDecl& function, const clang::ASTContext& context);

}  // namespace morph::source
