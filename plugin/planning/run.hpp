// What `morph plan` does: makes a plan, and gives it one of its forms.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "plugin/build/build_tree.hpp"
#include "plugin/contract/failure.hpp"
#include "plugin/planning/ctest_entries.hpp"
#include "plugin/planning/plan_print.hpp"
#include "plugin/planning/planning.hpp"
#include "plugin/system/observer.hpp"

namespace morph::planning {

struct plan_request {
  plan_options options;
  std::string format = "text";       // or json, cmake, names, gtest-filter, targets
  std::string suite;                 // empty: all
  std::optional<std::string> why{};  // the chain to this test; empty: to each
  bool names_deselected = false;
  bool deferred = false, nightly = false, front = false;
  std::string picture, export_prefix;  // files, beside what is printed
  /// Asked of a plan for ctest: whether and how the tests are recorded while they run.
  std::function<std::optional<test_recording>(const full_plan&)> record{};
};

/// Takes what was not given from the environment, by a function as std::getenv().
void take_defaults(plan_options& options, const std::function<const char*(const char*)>& variable);

/// What does not go together; empty if all does.
std::string wrong_form(const plan_request& asked);

/// An error that lists the suites, if it has no such suite. All have that without a name.
result<void> has_suite(const build::build_tree& tree, const std::string& name);

struct made_plan {
  std::unique_ptr<full_plan> plan;
  std::vector<suite_entries> entries;
  std::vector<std::string> batch_notes;       // on those entries
  std::optional<test_recording> recording{};  // of what ctest runs
};

/// What ctest registers without a plan is renewed, too.
contract::outcome<made_plan> run(const build::build_tree& tree, const plan_request& asked, system::observer& told);

/// The picture and the tables.
contract::outcome<void> write_files(const made_plan& made, const plan_request& asked);

/// For standard output. `why`: an error if there is no such test.
contract::outcome<std::string> in_form(const made_plan& made, const plan_request& asked, bool has_colour,
                                       system::observer& told);

/// Whether that form has the plan's notes.
bool has_notes(const plan_request& asked);

}  // namespace morph::planning
