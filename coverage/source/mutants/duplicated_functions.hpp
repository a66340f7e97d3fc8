// Whether the body of a function can stand twice in one function, with a choice in front.
#pragma once

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>

namespace morph::source {

/// Not if it has what exists once (static variables, labels, code in assembler), makes the function a constant
/// expression or a coroutine, or gives it its type. `function` is a definition whose text stands in one file, without
/// lines for the preprocessor.
bool can_stand_twice(const clang::FunctionDecl& function, const clang::ASTContext& context);

}  // namespace morph::source
