// The user's world as one value: build tree, repository, evidence store; and the plan request made from it.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "plugin/command/command.hpp"
#include "plugin/project/build_tree.hpp"
#include "plugin/project/discovery.hpp"
#include "plugin/project/outcomes.hpp"
#include "plugin/project/repository.hpp"
#include "plugin/selection/plan.hpp"
#include "plugin/store/store.hpp"

namespace morph::command {

/// The build tree that --build names, or the nearest. Errors are printed; nothing = exit with `environment`. It is one
/// if the sources are not there, but for who can do `without_sources`.
std::optional<project::build_tree> open_build_tree(const common_options& common, bool without_sources = false);

/// MORPH_STORE, else .morph/evidence.db at the top of the repository, else (no repository) in the source folder.
std::string store_path(const project::build_tree& tree, const project::repository* repository);

/// Where measurements and verdicts go: the overlay, if there is one.
std::string writable_store_path(const project::build_tree& tree, const project::repository* repository);

/// Repository and store of a build tree, as far as they are there.
struct surroundings {
  std::optional<project::repository> repo;
  std::optional<project::head_state> head;
  std::optional<store::evidence_store> evidence;
  std::string missing;  // which of them, why, and what to do; empty if all are there
  /// Nobody vouches for it: it may add tests to a plan.
  std::optional<store::evidence_store> overlay;
  std::string unread_overlay;  // why it cannot be read
};
surroundings open_surroundings(const project::build_tree& tree);

/// The measurement that plans and reports start from.
struct found_baseline {
  store::evidence facts;
  std::string commit;
  std::optional<std::uint32_t> distance;      // commits between it and the start of the search
  std::optional<std::int64_t> days;           // by the times of the two commits
  std::vector<project::file_change> changes;  // from what was measured to the work tree
};

/// The measurement of this configuration nearest to the work tree; an error says in one line why there is none.
/// `approximate`: one that was measured without isolation will do. `other_options`: if there is none, one whose
/// configuration lacks an option of the project, or has one more, if a change of the build description may be why:
/// whoever asks for it has to find out what that change makes.
project::result<found_baseline> find_baseline(const project::build_tree& tree, const project::repository& repo,
                                              store::evidence_store& evidence, const selection::file_kinds& kinds,
                                              const std::string& base_revision, bool approximate,
                                              bool other_options = false);

/// A suite with the listings of its programs.
struct listed_suite {
  const project::suite* declared = nullptr;
  std::vector<project::listed_program> programs;  // as declared->programs

  bool whole() const;  // every program could be listed
};
using program_lister = std::function<project::listed_program(const project::suite&, const project::test_program&)>;
/// `list`: in place of project::list_program().
std::vector<listed_suite> list_suites(const project::build_tree& tree, const program_lister& list = {});

struct plan_options {
  std::string policy;          // empty = as declared
  std::string base_revision;   // empty = HEAD
  std::string budget_seconds;  // empty = none
  std::string failed_within;   // runs; empty = 1
  bool approximate = false;    // evidence that was measured without isolation will do
  bool before_build = false;   // from git, lines and link lines alone; the programs need not be there
  /// What is known of failures, in place of all that the stores and the build tree say.
  std::optional<std::set<std::string>> failed{};
  /// What happened from then on (seconds since 1970) counts for nothing in orders.
  std::optional<std::int64_t> before{};
  bool orders_waiting = false;  // order_of_waiting() will be asked for
  std::string times;            // what the policy minimal keeps covered so often; empty = 3
};

using program_names = std::set<std::pair<std::string, std::string>>;  // suite, target

/// What has to be built for a plan that was made before the build.
struct build_needs {
  std::vector<std::string> targets;  // of CMake; `all` for adopted tests, nothing_target if there is nothing to build
  std::vector<std::string> suites;
  program_names left_out;  // whose tests are all unaffected
};
inline constexpr const char* nothing_target = "morph-nothing";

/// What was left out of a build because its tests are unaffected (before_build.hpp).
struct programs_left_out {
  program_names programs;
  std::set<std::string> files;  // relative to the build tree
};

/// Everything a plan is printed from.
struct planning {
  std::vector<listed_suite> suites;
  selection::plan_request request;
  std::optional<store::evidence> facts;  // what request.baseline points to
  selection::plan plan;
  std::optional<std::int64_t> baseline_days;
  std::vector<project::file_change> changes;  // from the baseline's content to the work tree
  std::set<std::string> for_tests_alone;      // those among them of unknown use that the build has nothing to do with
  std::string by_lines;                       // why object code was not compared; empty if it was
  std::vector<std::string> notes;             // one line each: why there is no baseline, what could not be listed, ...
  bool listing_failed = false;
  programs_left_out left_out;
  std::optional<build_needs> needs{};  // of a plan before the build
};

/// An error only for wrong options; every lack of git, store or evidence becomes a plan that runs everything, and a
/// note.
project::result<std::unique_ptr<planning>> make_planning(const project::build_tree& tree, const plan_options& options);

/// What an incremental measurement starts from: a baseline, and the plan from it under the policy safe. Its request no
/// longer points to the facts.
///
/// `suites`: of the twin, as they are listed there. An error says in one line why there is none.
project::result<planning> plan_refresh(const project::build_tree& tree, const project::repository& repo,
                                       store::evidence_store& evidence, std::vector<listed_suite> suites);

/// The latest verdict that ctest left in the build tree of each test.
std::vector<project::run_outcome> last_runs(const project::build_tree& tree);

/// Equal for equal configurations; 16 hexadecimal digits. Verdicts are stored with it.
std::string configuration_id(const std::string& configuration);
std::string configuration_id(const project::build_tree& tree);

/// What earlier runs say of tests, by their ctest names.
struct known_verdicts {
  std::set<std::string> failed;  // the last time
  std::set<std::string> flaky;   // as recorded in the store
  std::map<std::string, std::vector<selection::past_verdict>> past;
};
/// Of `overlay` failures count, and nothing else. `within`: a test that failed in one of this many of its last runs
/// counts as failed; 1 = until it passes.
known_verdicts verdicts_of(const project::build_tree& tree, store::evidence_store* store,
                           store::evidence_store* overlay = nullptr, std::uint32_t within = 1);

/// Nothing for an empty text.
project::result<std::optional<double>> parse_budget(const std::string& text);

/// 3 for an empty text.
project::result<std::uint32_t> parse_times(const std::string& text);

/// How many of its last runs make a test one that failed recently.
project::result<std::uint32_t> parse_failed_within(const std::string& text);

}  // namespace morph::command
