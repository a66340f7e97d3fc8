// Runs adopted tests in the twin, each as ctest would, and writes their rows to the store.
#pragma once

#include "plugin/measuring/program.hpp"

namespace morph::measuring {

/// Runs every test that has no row yet, behind the tests that it needs. What a test runs before main() is in its own
/// row, and so is all that was run for it before: by set-ups of its fixtures, and by the tests that it depends on.
/// A test whose process is no program of the twin gets an incomplete row.
result<program_totals> measure_adopted(session& m, const build::suite& suite,
                                       const std::vector<frameworks::listed_case>& cases);

}  // namespace morph::measuring
