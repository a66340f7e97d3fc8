// morph plan --audit: what the plan would have missed of a run of all tests.
#pragma once

#include <string>
#include <vector>

#include "plugin/build/build_tree.hpp"
#include "plugin/planning/planning.hpp"

namespace morph::planning {

struct audit_arguments {
  std::vector<std::string> reports;  // JUnit; empty = what ctest left
  std::size_t runs = 20;             // that are summed up
};

/// The plan is made as it was before the run: its failures are forgotten. Exit code `finding` with a miss.
int run_audit(const build::build_tree& tree, plan_options options, const audit_arguments& arguments, bool as_json);

}  // namespace morph::planning
