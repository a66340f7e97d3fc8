// What a build reads beside the files that its records of dependencies name, and whose headers are whose.
#pragma once

#include <filesystem>
#include <set>
#include <string>
#include <string_view>

#include "plugin/build/build_tree.hpp"

namespace morph::build {

/// What the system's packages bring: `/usr` but for `/usr/local` and `/usr/src`.
bool is_of_system(std::string_view path);

/// Headers of compilers and modules of CMake, wherever these are installed.
bool is_of_tools(std::string_view path);

/// Folders that compile lines name.
struct include_folders {
  std::set<std::string> own;     // -I, -iquote
  std::set<std::string> others;  // -isystem, -idirafter, but for those that are own, too

  /// Whether compilers find the file in a folder of others alone. What lies in none of the folders is ours.
  bool are_others(const std::string& file) const;
};
include_folders read_include_folders(const std::filesystem::path& binary_dir);

/// Files that exist and that the build description names: what CMake reads, what commands, compilers and linkers are
/// given. Absolute. Not the programs that Morph itself starts, nor shared libraries, which tests tell.
std::set<std::string> described_inputs(const build_tree& tree);

}  // namespace morph::build
