// CMake's text in a repository, and who in it may read a file.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "plugin/build/cmake_syntax.hpp"
#include "plugin/git/repository.hpp"
#include "plugin/selection/file_kind.hpp"

namespace morph::changes {

class cmake_files {
 public:
  /// `configured`: what CMake read.
  cmake_files(const git::repository& repo, const selection::file_kinds& kinds, const std::set<std::string>& configured);

  /// Not in a comment.
  bool name(const std::string& word);

  /// Not by a command of the build, which build.ninja tells.
  bool read(const std::string& name);

  /// Whether the pattern of a glob fits the file's name, whatever its folder.
  bool glob(const std::string& name);

 private:
  template <typename Test>
  bool any_command(const Test& test);

  std::vector<std::string> texts_;
  std::vector<bool> is_code_;  // else presets and their like
  std::optional<std::vector<build::cmake_command>> commands_;
  bool all_understood_ = true;
};

}  // namespace morph::changes
