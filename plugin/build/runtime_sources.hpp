// Sources of Morph's own runtime, which twins compile into test programs.
#pragma once

#include <string_view>

#include "plugin/build/build_tree.hpp"

namespace morph::build {

/// By the folder that the build tree's description names: a file of a project may have any name.
bool is_runtime_source(const build_tree& tree, std::string_view path);

}  // namespace morph::build
