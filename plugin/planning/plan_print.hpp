// Printers of a plan: a table for a person, JSON for a script, names and filters for shells.
#pragma once

#include <optional>
#include <string>

#include "plugin/planning/planning.hpp"

namespace morph::planning {

/// Selected, deselected or deferred.
selection::decision decision_of(const selection::planned_test& test);

/// Of a plan's tests, or of one suite's. Seconds are those that are known.
struct plan_sums {
  std::size_t selected = 0, deferred = 0, total = 0;
  double selected_seconds = 0, total_seconds = 0;
  std::size_t untimed = 0, untimed_left_out = 0;  // tests without a known time; of those that do not run
};
plan_sums sums_of(const full_plan& p, const std::string& only_suite);

struct text_style {
  bool colour = false;
  bool names_deselected = false;  // name every test that is not selected, not only how many
};
std::string plan_as_text(const full_plan& p, const std::string& only_suite, text_style style);

/// Schema morph.plan/1.
std::string plan_as_json(const full_plan& p, const std::string& only_suite);

/// Selected ctest names, one a line, in the plan's order.
std::string plan_as_names(const full_plan& p, const std::string& only_suite);

/// What to build, one target a line, for `cmake --build BUILD --target`. Of a plan before the build.
std::string plan_as_targets(const full_plan& p);

/// Selected case names joined by colons, for --gtest_filter.
std::string plan_as_gtest_filter(const full_plan& p, const std::string& only_suite);

/// The chain from the change to the test; nothing if no test has this name (ctest's or the program's).
std::optional<std::string> why_as_text(const full_plan& p, const std::string& test);

/// The same, schema morph.why/1.
std::optional<std::string> why_as_json(const full_plan& p, const std::string& test);

/// What the policy or the budget leaves out of what the change affects, and what is lost by that.
std::string deferred_as_text(const full_plan& p);

/// The same, schema morph.deferred/1.
std::string deferred_as_json(const full_plan& p);

/// "baseline 1a2b3c4, 1 commit back"
std::string base_text(const full_plan& p);

/// "12 of 980 tests selected (affected); baseline 1a2b3c4, 1 commit back"
std::string suite_note(const full_plan& p, std::size_t suite);

}  // namespace morph::planning
