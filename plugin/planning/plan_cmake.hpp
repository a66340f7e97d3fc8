// Plans as the CMake code that registers their tests with ctest.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "plugin/planning/ctest_entries.hpp"
#include "plugin/planning/planning.hpp"
#include "plugin/workspace/suites.hpp"

namespace morph::planning {

/// What the include scripts of ctest evaluate: a macro _morph_code_<suite> for every suite, then the sentinel line.
std::string plan_as_cmake(const full_plan& p, const std::vector<suite_entries>& entries,
                          const std::string& morph_executable, const std::optional<test_recording>& recording);

/// CMake code that registers every test of a suite as selected: what ctest uses when there is no plan.
std::string fallback_as_cmake(const workspace::listed_suite& suite, const suite_entries& entries,
                              const std::string& morph_executable);

}  // namespace morph::planning
