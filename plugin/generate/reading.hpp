// Asks Clang about units of the project.
#pragma once

#include <nlohmann/json.hpp>
#include <vector>

#include "plugin/build/build_tree.hpp"
#include "plugin/build/compile_commands.hpp"
#include "plugin/system/result.hpp"

namespace morph::generate {

/// A line for each unit that `morph-source` has read, in any order, as coverage/source/main.cpp writes it.
result<std::vector<nlohmann::json>> read_units(const build::build_tree& tree,
                                               const std::vector<build::compile_unit>& units, const char* task);

}  // namespace morph::generate
