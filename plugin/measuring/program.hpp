// Runs one instrumented test program and writes the rows of its tests to the store.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "plugin/build/build_tree.hpp"
#include "plugin/frameworks/listing.hpp"
#include "plugin/measuring/session.hpp"
#include "plugin/store/store.hpp"
#include "plugin/system/result.hpp"

namespace morph::measuring {

struct program_totals {
  std::size_t measured = 0;  // rows written now
  std::size_t failed = 0;
  std::size_t incomplete = 0;
};

/// Makes the program's start-up row and cases known to the store, disabled ones excepted; how many cases.
std::size_t register_tests(store::measurement_writer& writer, const build::suite& suite,
                           const build::test_program& program, const std::vector<frameworks::listed_case>& cases);

/// Runs every listed case that has no row yet. A program that dies is started again for the cases that are left. An
/// error: nothing of the program can be measured.
result<program_totals> measure_program(session& m, const build::suite& suite, const build::test_program& program,
                                       const std::vector<frameworks::listed_case>& cases);

/// Rows of tests that ctest would not run, since a set-up of their fixtures fails: they always run.
program_totals leave_unmeasured(session& m, const build::suite& suite, const build::test_program& program,
                                const std::vector<frameworks::listed_case>& cases);

}  // namespace morph::measuring
