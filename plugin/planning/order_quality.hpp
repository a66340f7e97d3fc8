// morph plan --evaluate: how soon the plan's order finds the failures of a run of all tests.
#pragma once

#include <string>
#include <vector>

#include "plugin/build/build_tree.hpp"
#include "plugin/planning/planning.hpp"

namespace morph::planning {

/// The plan is made as it was before the run. `reports`: JUnit; empty = what ctest left.
int run_evaluation(const build::build_tree& tree, plan_options options, const std::vector<std::string>& reports,
                   bool as_json);

}  // namespace morph::planning
