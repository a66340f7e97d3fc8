// Fourth step: the tests of each program judge the mutants, as far as earlier verdicts do not hold.
#pragma once

#include <cstdint>

#include "plugin/mutating/list.hpp"
#include "plugin/mutating/memory.hpp"
#include "plugin/mutating/ordinary_build.hpp"
#include "plugin/mutating/prepare.hpp"
#include "plugin/mutating/programs.hpp"
#include "plugin/mutating/result.hpp"
#include "plugin/mutating/setting.hpp"
#include "plugin/mutating/settled.hpp"
#include "plugin/system/result.hpp"

namespace morph::mutating {

/// What was made for the judges. Refers to it.
struct judged_build {
  const prepared_twin& twin;
  const counted_content& content;
  const listed_mutants& listed;
};

/// The tests of a program and its verdicts go into the report and into the memory, which is saved now and then.
/// Interrupted, it keeps what was found.
result<void> judge(const setting& run, const judged_build& built, const judging_program& judging,
                   ordinary_build& ordinary, verdict_memory& memory, mutation_report& report);

/// Whether no mutant needs to be judged again; then the report has all verdicts and tests.
bool recall_all(const setting& run, const judging_programs& programs, const listed_mutants& listed,
                const verdict_memory& memory, mutation_report& report);

/// Adds the verdict of one program, whose first test has this number in the report: the worst state counts.
void take_verdict(mutation::mutant_verdict& verdict, const mutation::program_verdict& found, std::uint32_t first_test);

}  // namespace morph::mutating
