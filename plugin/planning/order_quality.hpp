// morph plan --evaluate: how soon the plan's order finds the failures of a run of all tests.
#pragma once

#include <string>
#include <vector>

#include "plugin/build/build_tree.hpp"
#include "plugin/contract/failure.hpp"
#include "plugin/planning/earlier_run.hpp"
#include "plugin/planning/planning.hpp"

namespace morph::planning {

struct order_figures {
  double apfd = 0, apfd_by_cost = 0, napfd = 0;
};

struct evaluation {
  std::vector<std::string> notes;  // the plan's
  std::size_t tests = 0;           // with a verdict
  std::size_t without_verdict = 0;
  std::size_t selected = 0;  // of `tests`
  std::size_t failed = 0, failed_selected = 0;
  std::size_t first = 0;                   // place of the first failure in the plan's order; 0: none failed
  double seconds_before = 0, seconds = 0;  // until it has ended; of all tests
  order_figures plan{}, declared{}, best{};
};

/// The plan is made as it was before the run. `reports`: JUnit; empty = what ctest left.
contract::outcome<evaluation> run_evaluation(const build::build_tree& tree, plan_options options,
                                             const std::vector<std::string>& reports);

/// Schema morph.evaluation/1, with an end of line.
std::string as_json(const evaluation& of);
/// For people.
std::string as_text(const evaluation& of);

}  // namespace morph::planning
