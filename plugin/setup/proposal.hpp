// What `morph init` offers: the lines that put a project's tests under Morph, read from its CMakeLists.txt files.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "plugin/system/result.hpp"

namespace morph::setup {

struct call_place {
  std::string file;
  std::uint32_t line = 0;
  std::string call;
};

/// A test as an existing build tree registers it.
struct registered_test {
  std::string name;
  std::vector<call_place> calls;  // innermost first; empty for tests that are discovered when ctest starts
};

/// What ctest lists in a build tree, with places relative to `source_dir` where they lie in it.
result<std::vector<registered_test>> read_registered_tests(const std::filesystem::path& binary_dir,
                                                           const std::filesystem::path& source_dir);

/// The newest configured build tree of the project among the folders in `source_dir`; empty without one.
std::filesystem::path find_any_build_tree(const std::filesystem::path& source_dir);

/// An error if the folder is not a build tree of the project.
result<void> check_build_tree(const std::filesystem::path& binary_dir, const std::filesystem::path& source_dir);

struct project_text {
  /// The content of a file, its path relative to the top; nothing if it is not there.
  std::function<std::optional<std::string>(const std::string&)> read;
  std::optional<std::vector<registered_test>> registered;
  /// All files of the project, for file(GLOB).
  std::function<std::vector<std::string>()> files{};
};

struct proposed_change {
  std::string path;
  std::uint32_t line = 0;  // in the file as it is
  std::string what;        // one sentence
};

struct file_edit {
  std::string path;
  std::string before;
  std::string after;
};

struct proposal {
  std::vector<std::string> files;        // that were read
  std::vector<proposed_change> changes;  // by file, then line
  std::vector<file_edit> edits;
  std::vector<std::string> unknown;  // what could not be told, each with its place
  std::vector<std::string> notes;
};

/// Discovery calls, and add_test() of programs that link a test framework, become morph_add_suite(); programs that use
/// one and that nothing registers get a morph_add_suite() of their own. morph_adopt_tests() takes what is left, or
/// everything if `adopt`. Nothing is proposed for what uses Morph already. An error: the top CMakeLists.txt is missing
/// or is not CMake code.
result<proposal> propose(const project_text& project, bool adopt);

}  // namespace morph::setup
