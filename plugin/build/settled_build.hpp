// Whether building once more would make other programs.
#pragma once

#include <filesystem>
#include <functional>
#include <string>

#include "plugin/build/build_tree.hpp"

namespace morph::build {

/// How a tree is built, which may lose its programs: those that are not made of what is there are removed, so that they
/// are made again.
struct settled_build {
  std::filesystem::path binary_dir;
  std::filesystem::path record;  // what programs were linked of outside of the build's own objects and libraries
  std::function<result<void>()> build;
  /// What the build tool would do now, in its words; empty if that is nothing or cannot be asked.
  std::function<std::string()> planned;
  /// Which object is older than what it was compiled from; empty if none is.
  std::function<std::string()> stale_object;
  bool asks_objects = false;  // `planned` does not tell of them
};

/// Build tools learn only afterwards that a command which ends behind a link step (the install step of an external
/// project, say) has changed what was linked. Builds until that makes no other programs: mostly not at all. An error
/// names the first that never is up to date.
result<void> settle(const settled_build& how);

}  // namespace morph::build
