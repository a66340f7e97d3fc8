// Digests of what linkers made in a build tree.
#pragma once

#include <string>

#include "plugin/build/build_tree.hpp"
#include "plugin/system/digest_cache.hpp"

namespace morph::changes {

/// Kept in the tree (digest_cache).
class linked_digests {
 public:
  explicit linked_digests(const build::build_tree& tree);

  /// `path`: relative to the tree. Empty if it cannot be read.
  std::string of(const std::string& path);

 private:
  const build::build_tree& tree_;
  system::digest_cache contents_;
};

}  // namespace morph::changes
