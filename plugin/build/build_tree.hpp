// A configured build tree as the CMake module describes it in <build>/.morph/build.json; a tree with several
// configurations has one description each, in <build>/.morph/<configuration>/build.json.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "plugin/system/result.hpp"

namespace morph::build {

struct test_program {
  std::string target;
  std::filesystem::path executable;
};

/// One morph_add_suite() or morph_adopt_tests() call.
struct suite {
  std::string name;
  std::string framework;    // a name of project/framework.cpp's table, "none", or "ctest" for adopted tests
  std::string policy;       // as selection::parse_policy() takes it
  std::string granularity;  // "case", "tier", "suite" or "auto"
  std::string declared_at;
  std::filesystem::path binary_dir;
  std::vector<test_program> programs;
  std::filesystem::path working_directory;
  std::string test_prefix;
  std::string test_suffix;
  std::string test_list;
  std::vector<std::string> extra_args;
  std::vector<std::string> environment;  // NAME=value
  std::optional<double> timeout;         // seconds
  double discovery_timeout = 5;          // seconds
  std::vector<std::string> labels;
  std::vector<std::pair<std::string, std::string>> properties;
  std::vector<std::string> data;                   // globs, absolute
  std::filesystem::path pool{};                    // of specs: whose cases are tests; or empty
  std::vector<std::string> always;                 // regular expressions on case names
  std::vector<std::filesystem::path> executables;  // adopted: what is measured when a test's command starts it

  bool is_adopted() const { return framework == "ctest"; }
};

struct build_tree {
  std::filesystem::path binary_dir;
  std::filesystem::path source_dir;
  std::string config;          // one of a multi-configuration generator's, or empty
  std::string ctest_config{};  // what `ctest -C` says in a tree of one configuration
  std::string morph_version;   // of the module that described it
  std::string compiler_path;
  std::string instrument;  // empty, or the twin's kind
  std::string counters{};  // who reads those of instrumented programs: memory (we), files (the compiler's gcov), none;
                           // probes: no program is; off: nothing is recorded
  std::string generator;
  std::string generator_platform;
  std::string generator_toolset;
  std::string make_program;
  std::string cmake;
  std::string ctest;
  std::string cmake_version;  // empty: nobody said so
  std::filesystem::path twin_cache;
  std::filesystem::path runtime{};  // of Morph: sources that are compiled into instrumented programs
  std::string store;                // MORPH_STORE, may be empty
  std::string overlay{};            // a private store over it, which gets what is written; mostly empty
  std::vector<std::string> ignore;  // MORPH_IGNORE
  std::string configuration;        // canonical JSON: compiler, platform, user-visible cache entries
  std::vector<std::string> targets;
  std::vector<suite> suites;                            // in declared order
  std::vector<std::filesystem::path> test_directories;  // where ctest may be started
  std::vector<std::filesystem::path> shared_libraries;  // that the build makes, modules too

  /// Where its description lies, and what is kept about it.
  std::filesystem::path own_dir() const { return binary_dir / ".morph" / config; }
  std::filesystem::path twin_dir() const {
    return binary_dir / "morph-twin" / (config.empty() ? "coverage" : "coverage-" + config);
  }
  const suite* find_suite(const std::string& name) const;
};

/// Whether probes record basic blocks, too (MORPH_EVIDENCE=blocks).
inline bool has_blocks(const build_tree& tree) {
  return tree.counters == "blocks";
}

/// Whether its tests are measured as they are built (MORPH_EVIDENCE=probes, blocks).
inline bool has_probes(const build_tree& tree) {
  return tree.counters == "probes" || has_blocks(tree);
}

/// MORPH_EVIDENCE=off: nobody records what its tests execute.
inline bool is_off(const build_tree& tree) {
  return tree.counters == "off";
}

/// The configurations that a build tree of a multi-configuration generator describes, alphabetically; none in other
/// trees.
std::vector<std::string> configurations(const std::filesystem::path& binary_dir);

/// Reads the description of a build tree. In a tree with several configurations it is that of `config` (in any case);
/// without a name, of the only one, else of the one whose programs are the newest, else an error that lists them. As
/// CMake does, trees with one configuration take any name. An error for a tree that was moved or copied.
result<build_tree> read_build_tree(const std::filesystem::path& binary_dir, const std::string& config = {});

/// `from` itself or its nearest parent that is a build tree with Morph; else the newest one that lies directly in such
/// a folder (so `morph plan` works in the source tree beside `build/`). Above the git repository of `from` only a tree
/// of its own sources counts: whatever else lies beside it is another project's.
result<std::filesystem::path> find_build_tree(const std::filesystem::path& from);

/// The configuration of what is measured without isolation: nobody takes it for evidence who does not ask for it.
std::string approximate(const std::string& configuration);

/// What differs between two configurations, in words: "CMAKE_BUILD_TYPE: Release -> Debug".
std::vector<std::string> differences(const std::string& configuration, const std::string& other);

/// Whether all that differs are options of the project that only one of them has, as after an edit of its CMake code.
bool differ_in_new_options(const std::string& configuration, const std::string& other);

}  // namespace morph::build
