// Compile commands of a build tree, as compile_commands.json has them.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "plugin/build/build_tree.hpp"
#include "plugin/system/result.hpp"

namespace morph::build {

struct compile_unit {
  std::string directory;
  std::string file;
  std::string object;
  std::vector<std::string> arguments;

  bool operator==(const compile_unit&) const = default;
};

/// By its name, and not a header.
inline bool is_source(const std::string& path) {
  const std::string extension = std::filesystem::path(path).extension().string();
  return extension.starts_with(".c") || extension.starts_with(".C");
}

/// Of no other one in the build tree.
inline std::string name_of(const compile_unit& unit) {
  return unit.object.empty() ? unit.file : unit.object;
}

/// Of a build tree that was configured to write them.
result<std::vector<compile_unit>> read_compile_commands(const std::filesystem::path& binary_dir);

/// Of any build tree of Ninja, which is asked where the tree does not have them; of Makefiles as above.
result<std::vector<compile_unit>> compile_commands_of(const build_tree& tree);

}  // namespace morph::build
