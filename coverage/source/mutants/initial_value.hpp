// Variables whose initial values matter to nobody but who names them.
#pragma once

#include <clang/AST/Decl.h>

namespace morph::source {

/// Whether the variable has a moment before main() in which it gets its value, and that has no effect but on its own
/// memory: numbers, enums, and what the standard library makes of them (texts, containers), out of literals, operators
/// and other such values. What a function does that is called there is not looked at.
bool only_sets_memory(const clang::VarDecl& variable);

}  // namespace morph::source
