// What people call a mutant, and the one that they mean.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "plugin/report/mutation.hpp"

namespace morph::report {

/// Of the mutants of a file, in their order: `src/price.cpp:5:7:ror`, with `.2` behind it for the second one of an
/// operator that has several at one place. No other mutant of the result is called so.
std::vector<std::string> mutant_ids(const mutated_source& file);

struct mutant_number {
  std::uint32_t file = 0, mutant = 0;  // in the result, in its file

  auto operator<=>(const mutant_number&) const = default;
};

/// Those that `named` means, in order: an id, `FILE:LINE`, `FILE:LINE:COLUMN`, a file, or a function with or without
/// its namespaces and parameters.
std::vector<mutant_number> mutants_named(const mutation_result& result, const std::string& named);

/// The function around a mutant, the innermost one; null if it stands in none.
const function_result* function_around(const mutated_source& file, const mutant_result& mutant);

}  // namespace morph::report
