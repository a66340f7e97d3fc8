// Digests of what linkers made in a build tree.
#pragma once

#include <map>
#include <string>

#include "plugin/project/build_tree.hpp"

namespace morph::command {

/// Kept in the tree by size, times and inode, so that a file is read once.
class linked_digests {
 public:
  explicit linked_digests(const project::build_tree& tree);
  linked_digests(const linked_digests&) = delete;
  linked_digests& operator=(const linked_digests&) = delete;
  ~linked_digests();  // writes what is new; without that the next one reads again

  /// `path`: relative to the tree. Empty if it cannot be read.
  std::string of(const std::string& path);

 private:
  struct known {
    std::string stamp, digest;
  };
  const project::build_tree& tree_;
  std::map<std::string, known> known_;
  bool is_new_ = false;
};

}  // namespace morph::command
