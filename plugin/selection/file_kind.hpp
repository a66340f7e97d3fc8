// What a file of the repository can mean for tests, by its path.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace morph::selection {

enum class file_kind { source, build, ignored, unknown };

/// The files that never count though their kind is unknown, unless MORPH_IGNORE replaces the list.
const std::vector<std::string>& default_ignored();

class file_kinds {
 public:
  /// `ignored`: MORPH_IGNORE, globs as in system::matches_glob. Only what a person names there hides sources and build
  /// files too; empty = default_ignored().
  file_kinds(std::filesystem::path root, std::vector<std::string> ignored);

  file_kind kind_of(const std::string& path) const;

  /// Below a folder that holds a CMakeCache.txt. Says nothing of files that git tracks: builds can be in-source.
  bool in_build_tree(const std::string& path) const;

  /// An untracked file counts only if a compiler might read it.
  bool counts_untracked(const std::string& path) const;

 private:
  std::filesystem::path root_;
  std::vector<std::string> ignored_;
  mutable std::map<std::string, bool> build_folders_;
};

}  // namespace morph::selection
