// Where generated tests go: a source beside the project's tests, and a line of CMake.
#pragma once

#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "plugin/build/build_tree.hpp"
#include "plugin/generate/program.hpp"
#include "plugin/system/result.hpp"

namespace morph::generate {

struct changed_file {
  std::filesystem::path path{};
  std::string before{}, after{};
  bool is_new = false;
};

struct proposal {
  std::vector<changed_file> files{};
  std::vector<std::string> notes{};  // what is left to the user
};

/// The name of the file for a unit: "YAML::Emitter", "generated" -> "emitter_generated_test.cpp".
std::string file_name(const std::string& unit, const std::string& kind);
/// The kind, with a number where a file of that name is there, or is `taken`.
std::string free_kind(const std::filesystem::path& folder, const std::string& unit, const std::string& kind,
                      const std::set<std::filesystem::path>& taken = {});

/// Where new tests are written.
std::filesystem::path folder_of_new_tests(const build::build_tree& tree, const call_program& program);

/// The text in the style of the project's .clang-format, if there is one, and the program.
std::string formatted(const std::string& text, const std::filesystem::path& as, const std::filesystem::path& root);

/// `name`: of the file. An error if one of that name is there which `morph generate` has not written.
result<proposal> propose(const build::build_tree& tree, const call_program& program, const std::string& unit,
                         const std::string& name, const std::string& source);

/// One of several, each of which adds files, and lines at the end of others.
proposal merged(const std::vector<proposal>& all);

/// As `git diff` writes it, for `git apply` in the project's root.
result<std::string> patch_of(const build::build_tree& tree, const proposal& of);
result<void> write(const proposal& of);

}  // namespace morph::generate
