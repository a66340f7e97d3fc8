// Test programs of suites as servers of mutants, and why others cannot judge any.
#pragma once

#include <string>
#include <vector>

#include "coverage/mutation/server.hpp"
#include "plugin/build/build_tree.hpp"
#include "plugin/system/result.hpp"

namespace morph::mutating {

/// How a suite's program is run, in the surroundings that ctest gives its tests.
mutation::mutant_program mutant_program_of(const build::suite& suite, const build::test_program& program);

/// Why the tests of a suite cannot judge mutants; empty if they can.
std::string why_not(const build::suite& suite);

/// Refers to the tree.
struct judging_program {
  const build::suite* suite;
  const build::test_program* program;

  std::string name() const { return suite->name + '/' + program->target; }
};

struct judging_programs {
  std::vector<judging_program> able;
  std::vector<std::string> not_run;  // which suites are not among them, and why
};
judging_programs judging_programs_of(const build::build_tree& twin);

/// An error if there is none.
result<void> some_can_judge(const judging_programs& programs);
std::string why_nobody_judges(const std::vector<std::string>& not_run);

}  // namespace morph::mutating
