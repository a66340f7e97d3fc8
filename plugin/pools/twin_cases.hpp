// New cases of a pool as tests of a twin: who runs them, and what the instrumented twin records of them.
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "plugin/build/build_tree.hpp"
#include "plugin/build/dependencies.hpp"
#include "plugin/git/repository.hpp"
#include "plugin/measuring/program.hpp"
#include "plugin/report/coverage.hpp"
#include "plugin/selection/file_kind.hpp"
#include "plugin/store/evidence.hpp"
#include "plugin/system/files.hpp"
#include "plugin/system/observer.hpp"
#include "plugin/system/result.hpp"
#include "plugin/workspace/watched_files.hpp"

namespace morph::pools {

/// Cases that are to be run: those of a saved pool of the spec with these ids.
struct cases_to_run {
  std::string spec;
  std::filesystem::path pool;
  std::vector<std::string> ids;

  bool operator==(const cases_to_run&) const = default;
};

/// The suite with these cases as its tests; their ids are written into `folder`, which is made anew.
result<build::suite> with_cases(const build::suite& from, const cases_to_run& cases,
                                const std::filesystem::path& folder);

/// The instrumented twin of a suite of specs. As long as it lives, `morph measure` waits.
class twin_cases {
 public:
  /// Builds the twin.
  static result<std::shared_ptr<twin_cases>> open(const build::build_tree& tree, const build::suite& suite,
                                                  system::observer& told);
  twin_cases(const twin_cases&) = delete;
  twin_cases& operator=(const twin_cases&) = delete;
  ~twin_cases();

  /// Each case in a process of its own. Valid until other cases run; the same ones do not run twice.
  result<const store::evidence*> run(const cases_to_run& cases);
  /// All but what tests are written in.
  bool is_under_test(const std::string& path) const;
  const std::filesystem::path& root() const { return repo_.root(); }

 private:
  twin_cases(const build::build_tree& tree, std::string suite, build::build_tree twin,
             build::dependency_map dependencies, git::repository repo, system::file_lock lock, system::observer& told);
  std::filesystem::path folder() const { return tree_.own_dir() / "breed"; }

  const build::build_tree& tree_;
  std::string suite_;
  build::build_tree twin_;
  build::dependency_map dependencies_;
  git::repository repo_;
  selection::file_kinds kinds_;
  workspace::outside_rules outside_;
  system::file_lock lock_;
  system::observer& told_;
  std::set<std::string> test_files_;
  cases_to_run last_;
  std::optional<store::evidence> found_;
};

/// By test, its place among the ids.
std::vector<std::optional<std::size_t>> places_of(const report::coverage& covered, const std::vector<std::string>& ids);

}  // namespace morph::pools
