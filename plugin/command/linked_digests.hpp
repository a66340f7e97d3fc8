// Digests of what linkers made in a build tree.
#pragma once

#include <string>

#include "plugin/project/build_tree.hpp"
#include "plugin/project/digest_cache.hpp"

namespace morph::command {

/// Kept in the tree (digest_cache).
class linked_digests {
 public:
  explicit linked_digests(const project::build_tree& tree);

  /// `path`: relative to the tree. Empty if it cannot be read.
  std::string of(const std::string& path);

 private:
  const project::build_tree& tree_;
  project::digest_cache contents_;
};

}  // namespace morph::command
