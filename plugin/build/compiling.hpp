// Compiling and linking something else as a unit of the build tree is compiled and linked.
#pragma once

#include <string>
#include <vector>

#include "plugin/build/compile_commands.hpp"

namespace morph::build {

/// The compiler and its options: without the source, what is written, and what makes warnings errors.
std::vector<std::string> options_of(const compile_unit& unit);

/// Of a command that links what is compiled so: the compiler, and the options that both have to agree on.
std::vector<std::string> link_head_of(const compile_unit& unit);
/// The libraries in the options of a linked file.
std::vector<std::string> library_words(const std::string& options);

/// What it says if it fails comes behind `log`.
bool run_compiler(const std::vector<std::string>& words, const std::string& directory, std::string& log);

}  // namespace morph::build
