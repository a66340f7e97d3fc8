// What to do about an undetected mutant, by what was observed of it (Vera-Pérez et al., section 3.5).
#pragma once

#include <map>
#include <string>

#include "plugin/explain/explanation.hpp"
#include "plugin/explain/sources.hpp"

namespace morph::explain {

/// Frameworks of test sources, by file: gtest, catch2 or doctest.
using test_frameworks = std::map<std::string, std::string>;

/// no-infection: the tests to vary, and the kind of value that is missing. no-propagation: the nearest function that a
/// test can call. weak-oracle: what to assert, or the accessor that is missing. Lines: three at most.
suggestion suggestion_for(const explained_change& change, const observation::observed_mutant& seen,
                          const project_functions& functions, const test_frameworks& frameworks);

/// The framework of the test's source; GoogleTest's if that is not known.
std::string framework_at(const test_frameworks& frameworks, const std::string& file);

}  // namespace morph::explain
