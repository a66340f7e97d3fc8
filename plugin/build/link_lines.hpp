// What the programs and shared libraries of a build are linked of, in the linker's order.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "plugin/build/build_tree.hpp"

namespace morph::build {

struct link_input {
  std::string path;    // an object or a static library, relative to the build tree if it lies there
  bool whole = false;  // --whole-archive

  friend bool operator==(const link_input&, const link_input&) = default;
};

struct linked_file {
  std::string path;  // relative to the build tree
  bool shared = false;
  bool archive = false;  // a static library
  std::vector<link_input> inputs;
  /// Of Ninja: the other words of the link line and what it does before and after, but for options that only compilers
  /// heed. The build tree is written as ".".
  std::string options{};

  friend bool operator==(const linked_file&, const linked_file&) = default;
};

/// Reads build.ninja, or the link.txt files of Makefiles; in the order of their paths, static libraries too. An error
/// if there is neither.
result<std::vector<linked_file>> linked_files(const std::filesystem::path& binary_dir);

/// The same out of the text of a build.ninja, and of one link.txt, whose paths count from `folder`.
std::vector<linked_file> linked_by_ninja(std::string_view text, const std::string& binary_dir);
std::vector<linked_file> linked_by_make(std::string_view text, const std::string& folder,
                                        const std::string& binary_dir);

}  // namespace morph::build
