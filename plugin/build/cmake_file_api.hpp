// The targets of a configured build tree as CMake's file API tells them: sources, how they are compiled, where
// declared.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "plugin/system/result.hpp"

namespace morph::build {

/// A command of a CMakeLists.txt; no file if CMake does not tell.
struct cmake_place {
  std::string file;
  std::uint32_t line = 0;
  std::string command;
};

struct include_folder {
  std::string path;
  bool is_system = false;
  cmake_place added_at;
};

/// How some sources of a target are compiled.
struct compile_group {
  std::string language;  // CXX, C, ...
  std::vector<std::string> options;
  std::vector<std::string> defines;
  std::vector<include_folder> includes;
  std::vector<std::string> sources;  // absolute
};

struct cmake_target {
  std::string name;
  std::string type;  // STATIC_LIBRARY, EXECUTABLE, ...
  cmake_place declared_at;
  std::vector<std::string> files;  // all that it lists; absolute
  std::vector<compile_group> groups;

  bool is_library() const { return type.ends_with("_LIBRARY") && type != "MODULE_LIBRARY"; }
};

struct cmake_model {
  std::filesystem::path source_dir, binary_dir;
  std::string compiler;  // of C++
  std::vector<cmake_target> targets;

  const cmake_target* find(const std::string& name) const;
};

/// The value of an entry of CMakeCache.txt; empty if it is not there.
std::string cache_entry(const std::filesystem::path& binary_dir, const std::string& name);

/// Has CMake configure the tree, as any build would, if it was not asked before or its files have changed since. Of
/// several configurations, `config` or the first. The error is CMake's own.
result<cmake_model> read_cmake_model(const std::filesystem::path& binary_dir, const std::string& config);

}  // namespace morph::build
