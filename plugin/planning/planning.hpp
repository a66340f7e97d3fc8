// The plan of a build tree, and everything that it is printed from.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "plugin/build/build_tree.hpp"
#include "plugin/git/repository.hpp"
#include "plugin/selection/plan.hpp"
#include "plugin/store/store.hpp"
#include "plugin/workspace/suites.hpp"

namespace morph::planning {

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
  bool orders_waiting = false;  // order_of_left_out() will be asked for
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

/// What ctest gives to tests that are recorded while they run (plugin/learning).
struct test_recording {
  std::string preload;                                         // LD_PRELOAD
  std::vector<std::pair<std::string, std::string>> variables;  // of all
  std::string name;                                            // of the variable that each has for itself
  std::map<std::uint32_t, std::string> tests;                  // its value, by index of plan_request::tests
};

/// Tests that another measurement than the baseline says to be unaffected.
struct other_rows {
  store::evidence facts;
  std::set<std::uint32_t> tests;  // of the request
};

/// Everything a plan is printed from.
struct full_plan {
  std::vector<workspace::listed_suite> suites;
  selection::plan_request request;
  std::optional<store::evidence> facts;  // what request.baseline points to
  selection::plan plan;
  std::optional<std::int64_t> baseline_days;
  std::vector<git::file_change> changes;  // from the baseline's content to the work tree
  std::set<std::string> for_tests_alone;  // those among them of unknown use that the build has nothing to do with
  std::string by_lines;                   // why object code was not compared; empty if it was
  std::vector<std::string> notes;         // one line each: why there is no baseline, what could not be listed, ...
  bool listing_failed = false;
  std::vector<other_rows> others{};  // nearest content first
  /// Of what was learned, the measurement of the present content and build that lacks rows.
  std::optional<std::int64_t> continues{};
  programs_left_out left_out;
  std::optional<build_needs> needs{};  // of a plan before the build
};

/// An error only for wrong options; every lack of git, store or evidence becomes a plan that runs everything, and a
/// note.
result<std::unique_ptr<full_plan>> make_planning(const build::build_tree& tree, const plan_options& options);

/// What an incremental measurement starts from: a baseline, and the plan from it under the policy safe. Its request no
/// longer points to the facts.
///
/// `suites`: of the twin, as they are listed there. An error says in one line why there is none.
result<full_plan> plan_refresh(const build::build_tree& tree, const git::repository& repo,
                               store::evidence_store& evidence, std::vector<workspace::listed_suite> suites);

/// Nothing for an empty text.
result<std::optional<double>> parse_budget(const std::string& text);

/// 3 for an empty text.
result<std::uint32_t> parse_times(const std::string& text);

/// How many of its last runs make a test one that failed recently.
result<std::uint32_t> parse_failed_within(const std::string& text);

}  // namespace morph::planning
