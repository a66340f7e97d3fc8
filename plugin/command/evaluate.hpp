// morph plan --evaluate: how soon the plan's order finds the failures of a run of all tests.
#pragma once

#include <string>
#include <vector>

#include "plugin/command/workspace.hpp"

namespace morph::command {

/// The plan is made as it was before the run. `reports`: JUnit; empty = what ctest left.
int run_evaluation(const project::build_tree& tree, plan_options options, const std::vector<std::string>& reports,
                   const common_options& common);

}  // namespace morph::command
