// Verdicts of earlier runs: ctest's LastTest.log, and what batches leave of their cases.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

namespace morph::frameworks {

struct run_outcome {
  std::string name;
  bool failed = false;
  double seconds = 0;     // wall time
  std::int64_t at = 0;    // seconds since 1970
  std::string program{};  // the first word of its command line, if the report has one
  std::string entry{};    // the ctest entry whose batch it was in
  /// Failed: something went wrong outside of the cases, and it may be this one's doing. Not failed: it was skipped
  /// where nothing went wrong, which ends such a suspicion and says nothing else.
  bool suspect = false;
  bool skipped = false;  // by what it printed (SKIP_REGULAR_EXPRESSION)
  /// Of a test that has failed once: how often it passed since then.
  std::optional<std::uint32_t> passes_since_failure{};
  std::string output{};  // of one that failed, as long as the log has it
};

/// The last run of `ctest` in a build tree, and behind it what a run that was cut off got to; empty without one.
/// LastTestsFailed.log is not used: it outlives a green run.
std::vector<run_outcome> read_last_test_log(const std::filesystem::path& binary_dir);

/// Where batches of a build tree (build_tree::own_dir()) leave what they found out.
std::filesystem::path runs_dir(const std::filesystem::path& own_dir);

/// Leaves what a batch found out about its cases for the next plan: a file of its own in `folder`, since entries run
/// side by side and again before anybody has looked.
tl::expected<void, std::string> leave_outcomes(const std::filesystem::path& folder, const std::string& entry,
                                               const std::vector<run_outcome>& outcomes);

/// What `folders` (where ctest was started) hold now, and what batches left in `runs`, over what `cache` remembers of
/// earlier runs; the latest verdict of each test. The cache is brought up to date: a mere listing (`ctest -N`, an IDE)
/// empties LastTest.log in CTest 3.25, and so does the next run, of whatever tests. What batches left is removed when
/// the cache has it. `counts` leaves verdicts of `folders` out.
std::vector<run_outcome> remember_last_runs(const std::set<std::filesystem::path>& folders,
                                            const std::filesystem::path& runs, const std::filesystem::path& cache,
                                            const std::function<bool(const run_outcome&)>& counts = {});

/// Testing/Temporary/LastTest.log of CTest 3.25. `at` is the time given.
std::vector<run_outcome> parse_last_test_log(std::string_view text, std::int64_t at);

}  // namespace morph::frameworks
