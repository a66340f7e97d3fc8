// Expressions without effects.
#pragma once

#include <clang/AST/Expr.h>

namespace morph::source {

/// Whether evaluating it once more changes nothing: reads, operators of builtin types, and functions of the standard
/// library's containers that only look. What is not known is not pure.
bool is_pure(const clang::Expr& expression);

}  // namespace morph::source
