// Why a test is selected, deselected or deferred: the closed list of reasons and plan states, the one table that help
// and docs are made from.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace morph::selection {

enum class reason_kind : std::uint8_t {
  failed_recently,
  changed_test,
  changed_code,
  changed_data,
  changed_build,
  changed_environment,
  is_new,
  incomplete_evidence,
  unmeasured,
  always,
  required,
  same_name,
  policy_all,
  unaffected,
  deferred_by_policy,
  deferred_by_budget,
  planned,
};

/// deselected: the change cannot affect the test, or another run has it; deferred: it can, but a policy or a budget
/// leaves the test out.
enum class decision : std::uint8_t { selected, deselected, deferred };
std::string_view name_of(decision d);

struct reason_row {
  reason_kind kind;
  std::string_view name;  // as in `morph plan --json`
  bool has_detail;        // name:detail
  decision leads_to;
  std::string_view meaning;  // when it is given
};

/// In the order in which a plan shows them.
std::span<const reason_row> reason_table();
const reason_row& row_of(reason_kind kind);

struct reason {
  reason_kind kind;
  std::string detail;   // `src/parser.cpp:57`, a path, ...; empty if the kind has none
  std::string because;  // one sentence for `morph plan --why`
  std::string file{};   // where the change is, if `detail` names a function
  /// A function that the test executed is another one, but the test executed none of its changed lines: narrow plans
  /// leave out who has no better reason.
  bool unproven = false;
  bool executed = false;  // the test executed something of impact::changed, and that is the whole reason
  bool operator==(const reason&) const = default;
};

/// C++ names as people write them: `std::string` for what it stands for.
std::string with_short_names(std::string text);

/// `changed-code:src/parser.cpp:57`
std::string text_of(const reason& r);

/// Each once, though several objects may have changed alike.
std::vector<std::string> texts_of(std::span<const reason> reasons);

/// What a plan says of a test beside its reasons.
struct mark_row {
  std::string_view name;
  std::string_view meaning;
};
inline constexpr std::string_view duplicate_name_mark = "duplicate-name";
inline constexpr std::string_view crashed_mark = "crashed";
inline constexpr std::string_view flaky_mark = "flaky";
inline constexpr std::string_view unproven_mark = "unproven";
inline constexpr std::string_view unsteady_mark = "unsteady";
std::span<const mark_row> mark_table();

/// Weakest last: a plan's state is the weakest of its suites'.
enum class plan_state : std::uint8_t { unchanged_proven, affected, stale_widened, unmeasured_ran_all };

struct state_row {
  plan_state state;
  std::string_view name;
  std::string_view meaning;
};
std::span<const state_row> state_table();
std::string_view name_of(plan_state state);

}  // namespace morph::selection
