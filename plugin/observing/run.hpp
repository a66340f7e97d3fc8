// Observes what undetected mutants change in what tests do.
#pragma once

#include <vector>

#include "coverage/observation/difference.hpp"
#include "plugin/build/build_tree.hpp"
#include "plugin/observing/request.hpp"
#include "plugin/system/observer.hpp"
#include "plugin/system/result.hpp"

namespace morph::observing {

/// Rewrites a second state of the mutation twin so that the mutants' functions and the tests that reach them say what
/// they see, and runs these tests. Errors say what to do first. Costs a build of what is rewritten and was not the last
/// time, and each test `runs` times, and once or `runs` times more for each mutant that it reaches.
result<std::vector<observation::observed_mutant>> run(const build::build_tree& tree, const request& asked,
                                                      system::observer& told);

}  // namespace morph::observing
