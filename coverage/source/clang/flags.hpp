// Compiler options as Clang takes them, whichever compiler they were written for.
#pragma once

#include <string>
#include <vector>

namespace morph::source {

/// The arguments of a command that compiles `file`, for parsing it: what decides how a unit is read is kept (folders,
/// macros, the standard, the target), and what its code may assume (-fwrapv, -ffast-math, sanitizers of undefined
/// behaviour); all else goes, for Clang refuses what it does not know. Without the compiler.
std::vector<std::string> parse_options(const std::vector<std::string>& arguments);

}  // namespace morph::source
