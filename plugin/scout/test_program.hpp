// The program that a source of tests is linked into, for linking something else in its place.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "plugin/build/build_tree.hpp"
#include "plugin/build/compile_commands.hpp"
#include "plugin/build/link_lines.hpp"

namespace morph::scout {

struct program_of_tests {
  std::filesystem::path file{};
  std::vector<std::string> objects{};    // without the source's own; relative to the build tree if they lie there
  std::vector<std::string> libraries{};  // words of the link line
  std::vector<std::string> run_paths{};  // folders of shared libraries of the build
};

/// Relative to the build tree if it lies there.
std::string object_of(const build::build_tree& tree, const build::compile_unit& unit);

/// Nothing if no program is linked of the unit.
std::optional<program_of_tests> program_of(const build::build_tree& tree, const std::vector<build::linked_file>& linked,
                                           const build::compile_unit& unit);

}  // namespace morph::scout
