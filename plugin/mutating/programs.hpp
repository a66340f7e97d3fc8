// Test programs of suites as servers of mutants.
#pragma once

#include "coverage/mutation/server.hpp"
#include "plugin/build/build_tree.hpp"

namespace morph::mutating {

/// How a suite's program is run, in the surroundings that ctest gives its tests.
mutation::mutant_program mutant_program_of(const build::suite& suite, const build::test_program& program);

}  // namespace morph::mutating
