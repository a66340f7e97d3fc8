// What ctest gets of each suite: an entry a case, or a few that run batches of cases.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "plugin/build/build_tree.hpp"
#include "plugin/planning/planning.hpp"

namespace morph::planning {

constexpr int first_cost = 1'000'000;  // of ctest's COST: a float, exact up to 16.7 million

/// One ctest entry of a suite with GRANULARITY tier or suite.
struct batch_entry {
  std::string name;
  std::string batch;      // the file; empty = it has no case and does nothing
  bool selected = false;  // it runs with the label `morph`
  int cost = -1;
  double timeout = 0;  // seconds; never shorter than what `morph run` itself allows the cases
};

/// The entries of a suite: always the same names in the same order. Nothing: an entry a case.
using suite_entries = std::optional<std::vector<batch_entry>>;

/// For each suite of the plan. Writes the batches; a suite whose batches cannot be written is registered by cases, and
/// `notes` gets a line.
std::vector<suite_entries> make_entries(const build::build_tree& tree, const full_plan& p,
                                        const std::optional<test_recording>& recording,
                                        std::vector<std::string>& notes);

/// The same names with everything in the first one: for when there is no plan.
std::vector<suite_entries> make_fallback_entries(const build::build_tree& tree, const full_plan& p,
                                                 const std::vector<suite_entries>& planned);

}  // namespace morph::planning
