// What compilers of a build tree are called with.
#pragma once

#include <string>

#include "plugin/build/build_tree.hpp"

namespace morph::build {

/// Whether every object of the tree is compiled by GCC or Clang without optimization, as far as Ninja's or CMake's own
/// records tell. False where there are none.
bool is_unoptimized(const build_tree& tree);

/// What -D defines for any object, as lines of the preprocessor.
std::string definitions_on_command_lines(const build_tree& tree);

}  // namespace morph::build
