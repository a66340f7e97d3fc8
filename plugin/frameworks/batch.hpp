// A batch: the tests that one ctest entry of a suite with GRANULARITY tier or suite runs, as a file that never changes.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "plugin/build/build_tree.hpp"

namespace morph::frameworks {

/// What CTest 3.25 gives a test that has no TIMEOUT.
constexpr double default_timeout = 1500;  // seconds

struct batched_case {
  std::string case_name;  // the program's own name
  std::string name;       // ctest's
  /// Its own of batch::recording; empty: it is not recorded.
  std::string record{};
};

struct batched_program {
  std::filesystem::path executable;
  std::vector<batched_case> cases;
};

/// Everything that running it needs: a batch outlives the plan and the build.json that it was made from.
struct batch {
  std::string entry;  // the ctest name of what runs it
  std::string suite;
  std::string framework;
  std::filesystem::path binary_dir;
  std::filesystem::path own_dir;  // where what it found out is left
  std::filesystem::path working_directory;
  std::vector<std::string> environment;  // NAME=value
  std::vector<std::string> extra_args;
  double timeout = default_timeout;  // seconds, of each case
  /// What the process of a case gets that is recorded: NAME=value, the last one without a value, which each case has
  /// for itself. LD_PRELOAD comes before what is preloaded already.
  std::vector<std::string> recording{};
  std::vector<batched_program> programs;

  std::size_t size() const;  // cases
};

/// An empty batch of a suite.
batch make_batch(const build::build_tree& tree, const build::suite& of, std::string entry);

/// Writes <build>/.morph/batches/<hash>.json, or marks it as used if it is there: equal batches are one file, and a
/// file never changes under a ctest that is going to read it.
result<std::filesystem::path> keep_batch(const batch& b);

result<batch> read_batch(const std::filesystem::path& path);

/// Whether ctest's name is that of an entry of Morph's own (`geometry.plan`, `geometry.tier1`) and not of a test.
bool is_entry(const build::build_tree& tree, const std::string& name);

/// Removes the batches of a build tree that no listing has used for a week.
void remove_old_batches(const build::build_tree& tree);

}  // namespace morph::frameworks
