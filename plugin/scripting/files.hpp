// Where scripts are: those that were recorded, in .morph/scripts at the top of the repository, those of the project, in
// morph_scripts beside its CMakeLists.txt, and any other by its path.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "plugin/build/build_tree.hpp"

namespace morph::scripting {

inline constexpr const char* script_extension = ".morph";

struct script_folders {
  std::filesystem::path recorded;  // empty without a build tree
  std::filesystem::path project;
};
script_folders script_folders_of(const build::build_tree& tree);

/// Where scripts are looked for; without a build tree only where one stands.
struct surroundings {
  std::filesystem::path here;
  std::optional<build::build_tree> tree{};
  script_folders folders{};
};
/// Of the folder `here` with `named`, or with the nearest build tree, if there is one.
surroundings surroundings_of(const std::filesystem::path& here, std::optional<build::build_tree> named,
                             const std::string& config);

/// `name` has a slash or the extension: a path from `folder` on; the extension may be left out. Else NAME.morph in
/// `folder`, or where scripts are. The path is canonical. An error says what is there instead, or what was looked for.
result<std::filesystem::path> find_script(const std::string& name, const std::filesystem::path& folder,
                                          const script_folders& folders);

/// Where a new script of that name goes; an error if it cannot be a name.
result<std::filesystem::path> new_script(const std::string& name, const std::filesystem::path& folder,
                                         const script_folders& folders);

result<std::string> read_script_file(const std::filesystem::path& file);

/// The files, by name: of both folders and of `folder`.
std::vector<std::filesystem::path> all_scripts(const std::filesystem::path& folder, const script_folders& folders);

}  // namespace morph::scripting
