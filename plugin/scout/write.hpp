// Specs of relations as files of the project, with their lines of CMake.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "plugin/build/build_tree.hpp"
#include "plugin/contract/failure.hpp"
#include "plugin/scout/trial.hpp"

namespace morph::scout {

struct written_specs {
  std::vector<std::filesystem::path> files{};
  std::vector<std::string> cmake{};  // "FILE: line", those that were added
  std::vector<std::string> notes{};
};

/// All or nothing. A file that is there already is replaced only if it was written by this before.
contract::outcome<written_specs> write_specs(const build::build_tree& tree, const std::filesystem::path& folder,
                                             const std::vector<tried_source>& of);

}  // namespace morph::scout
