// What ctest registers on the day the plan fails.
#pragma once

#include <vector>

#include "plugin/build/build_tree.hpp"
#include "plugin/planning/ctest_entries.hpp"
#include "plugin/planning/planning.hpp"
#include "plugin/system/observer.hpp"

namespace morph::planning {

/// Writes what is missing or old; ctest then registers the tests from there. See cmake/MorphRegister.cmake.
void refresh_fallbacks(const build::build_tree& tree, const full_plan& p, const std::vector<suite_entries>& planned,
                       system::observer& told);

}  // namespace morph::planning
