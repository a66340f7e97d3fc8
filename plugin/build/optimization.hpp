// Whether compilers put functions into their callers.
#pragma once

#include "plugin/build/build_tree.hpp"

namespace morph::build {

/// Whether every object of the tree is compiled without optimization, as far as Ninja's or CMake's own records of flags
/// tell. False where there are none.
bool is_unoptimized(const build_tree& tree);

}  // namespace morph::build
