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

/// Whether the folder is there, and no file in it would be lost: one is replaced only if it was written by this before.
contract::outcome<void> can_write(const std::filesystem::path& folder, const std::vector<spec_source>& of);

/// All or nothing.
contract::outcome<written_specs> write_specs(const build::build_tree& tree, const std::filesystem::path& folder,
                                             const std::vector<tried_source>& of);

}  // namespace morph::scout
