// The plan: which tests run, in which order, why; and what it leaves out.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "optimizer/detection.hpp"
#include "plugin/git/repository.hpp"
#include "plugin/selection/impact.hpp"
#include "plugin/selection/reason.hpp"
#include "plugin/store/evidence.hpp"

namespace morph::selection {

/// `narrow`: of the affected tests, those with proven reasons (reason::unproven). `minimal`: of the tests affected by
/// code, the cheapest ones with which everything that changed is executed plan_request::times_covered times. `risk`: of
/// these the first ones, as many as find a fault with a probability (optimizer::fewest_to_find()).
enum class policy { all, safe, narrow, minimal, risk };

struct chosen_policy {
  policy how = policy::safe;
  double detection = 1;  // of the policy risk: the probability, above 0 and below 1
  bool operator==(const chosen_policy&) const = default;
};
/// As users write them: a word, or risk=0.95.
std::string text_of(const chosen_policy& chosen);
/// An error names those that there are.
result<chosen_policy> parse_policy(const std::string& text);

/// A test as the build tree has it now.
struct current_test {
  std::uint32_t suite = 0;  // index of plan_request::suites
  std::string target;
  std::string case_name;
  std::string name;                    // ctest's
  std::string file;                    // where it is registered, relative to the repository; empty if unknown
  std::vector<std::string> depends{};  // ctest names of tests that have to run before it
  std::vector<std::string> fixtures_required{};
  std::vector<std::string> fixtures_set_up{};
  bool built = true;                 // false: what it runs is not there
  int line = 0;                      // of `file`; 0 = unknown
  std::vector<std::string> named{};  // files and folders in its command, relative to the repository
};

struct current_suite {
  std::string name;
  chosen_policy how;
  std::vector<std::string> always;  // regular expressions on case names
  bool listed = true;               // false: its tests could not be listed; it runs as a whole
  bool adopted = false;             // the project registers its tests; each may have surroundings of its own
};

struct past_verdict {
  std::int64_t at = 0;  // seconds since 1970
  bool failed = false;
};

/// What a plan is made from. Without a baseline everything runs.
struct plan_request {
  std::vector<current_suite> suites;
  std::vector<current_test> tests;                          // suites in order, each in declared order
  std::set<std::string> failed;                             // ctest names that failed in one of their last runs
  std::set<std::string> flaky;                              // ctest names that passed and failed on the same content
  std::map<std::string, std::vector<past_verdict>> past{};  // by ctest name, oldest first
  struct base {
    const store::evidence* facts = nullptr;
    std::optional<std::uint32_t> distance;  // in commits; none for a commit that is no ancestor
    impact of_changes;
  };
  std::optional<base> baseline;
  /// By index of tests: the commit of another measurement by which nothing affects the test.
  std::map<std::uint32_t, std::string> unaffected_since{};
  /// Reasons from elsewhere, by index of tests.
  std::map<std::uint32_t, std::vector<reason>> added{};
  std::optional<git::head_state> head;
  std::optional<double> budget_seconds;
  std::uint32_t times_covered = 3;
  std::uint32_t failed_within = 1;  // how many of a test's runs `failed` is about
  /// Faults that runs of all tests found in this project: where, among the tests affected by code in a plan's order.
  std::vector<optimizer::found_fault> known_faults{};
  /// Indices of tests that no policy and no budget leaves out.
  std::set<std::uint32_t> kept{};
  /// By path, how much a file changed lately (git::repository::churn()): where an order knows of no change, its
  /// lines weigh 1 + ln(1 + churn).
  std::map<std::string, double> churn{};
};

struct planned_test {
  std::uint32_t test = 0;  // index of plan_request::tests
  bool selected = false;
  std::optional<std::uint32_t> rank;  // from 1; nothing when deferred
  std::vector<reason> reasons;
  std::vector<std::string> marks;
  std::optional<double> seconds;  // recorded wall time
};

struct planned_suite {
  plan_state state = plan_state::unchanged_proven;
  std::uint32_t selected = 0;
  std::uint32_t total = 0;
};

/// How good a choice of tests is, beside what any choice could reach.
struct certificate {
  enum class kind : std::uint8_t {
    covered,  // part of what the tests of the choice cover, between 0 and 1: changed code first; no choice has more
    cost      // seconds; no choice has less
  };
  kind of = kind::covered;
  double reached = 0;
  double bound = 0;
};

/// What a part of the tests affected by code is expected to find of what all of them find.
struct risk_taken {
  double asked = 1;          // probability
  double expected = 1;       // at least; by the faults known
  std::size_t run = 0;       // the first ones, of
  std::size_t affected = 0;  // tests affected by code
  std::size_t known = 0;     // faults that it goes by
  std::size_t own = 0;       // of this project
  bool goes_by_own = false;  // otherwise by reference_faults()
};

struct plan {
  plan_state state = plan_state::unchanged_proven;
  std::vector<planned_test> tests;     // in the request's order
  std::vector<planned_suite> suites;   // in the request's order
  bool coverage_misleads = false;      // ranking::coverage_misleads()
  std::optional<certificate> minimal;  // of what the policy minimal leaves, if a suite has it
  std::vector<risk_taken> risks;       // by the probability asked for, if suites have the policy risk
  std::optional<certificate> budget;   // of what runs within the budget, if there is one and not all fit
};

/// Of a selected test: which tests run before which, whatever they cover.
enum class urgency : std::uint8_t {
  failed,    // one of its last times
  changed,   // it is new, its own source changed, or nothing is known of it
  affected,  // by a change
  asked_for  // nothing says that it is affected: its evidence is incomplete, or somebody wants it in every plan
};
urgency urgency_of(const planned_test& test);

/// Whether it runs because of a change, or because nothing is known of it: a new row would say more. Tests that every
/// plan selects, whatever changes, are not affected; nor are those that failed: their rows are from when they passed.
bool is_affected(const planned_test& test);

/// Deterministic: equal requests give equal plans. The order: by urgency, then by additional greedy per second on the
/// changed lines and then on all lines.
plan make_plan(const plan_request& request);

/// The selected tests that have no other reason than to have executed something that changed, in their order.
std::vector<std::uint32_t> affected_by_code(const plan& made);

/// Where the plans of recorded faults of other programs, as commits, had the first test that fails: flex, gzip and make
/// (`./dev bench orders`). What policy::risk goes by as long as too few faults of the project itself are known.
std::span<const optimizer::found_fault> reference_faults();

/// What a plan that leaves out affected tests may lose.
struct deferral {
  std::vector<std::uint32_t> tests;  // selected by a reason, and left out by the policy or the budget; in their order
  std::vector<std::size_t> alone;  // of each: lines and functions that changed, that it executes and no test that runs
  std::size_t executed = 0;        // lines and functions that changed and that any test executes
  std::size_t lost = 0;            // of these, those that no test that runs executes
};
deferral what_is_deferred(const plan_request& request, const plan& made);

/// What some of the tests that have a reason to run cover, in parts between 0 and 1 of what all of them do.
struct front_row {
  double seconds = 0;
  std::size_t tests = 0;
  double changed = 0;  // of the changed lines; of nothing changed: 1
  double kills = 0;    // of the mutants that tests with a reason to run are known to kill; of none: 1
  double lines = 0;    // of all lines
};
/// Time against coverage: for budgets up to the time of all, the best sets known (optimizer::front_search): of changed
/// lines, then of kills, then of all lines; dominated ones left out. `chosen`: what runs. `at_most`: for the seconds of
/// each row, no set covers more of the changed lines (of all lines, if none changed; kills come second then, too).
struct plan_front {
  std::vector<front_row> rows;
  std::vector<double> at_most;
  front_row chosen;
  bool of_change = false;   // whether any test executes changed lines
  std::uint64_t kills = 0;  // how many mutants
};
plan_front front_of(const plan_request& request, const plan& made);

/// The tests that the plan leaves out (indices of plan::tests), best first: by additional greedy
/// per second on all lines.
std::vector<std::uint32_t> order_of_left_out(const plan_request& request, const plan& made);

}  // namespace morph::selection
