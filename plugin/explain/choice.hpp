// Which undetected mutants are explained, and which come first.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "plugin/explain/explanation.hpp"
#include "plugin/mutating/scope.hpp"
#include "plugin/report/mutant_ids.hpp"
#include "plugin/report/mutation.hpp"

namespace morph::explain {

struct choice {
  std::string named{};                             // MUTANT, FUNCTION or FILE:LINE; empty: all survivors
  std::optional<mutating::changed_lines> among{};  // only mutants of functions that changed
  std::size_t most = 10;
};

/// Whether the function around bytes [begin, end) of the file has changed, or their lines if they are in none.
bool is_changed(const report::mutated_source& file, std::uint32_t begin, std::uint32_t end,
                const mutating::changed_lines& changed);

struct chosen_mutants {
  std::vector<report::mutant_number> mutants{};
  std::size_t left_out = 0;  // survivors that were meant, too
};

/// Survivors. Where many are meant, one of each function in turn: first extreme transformations of pseudo-tested
/// functions, then mutants whose value differs in a test, then those of which that is not known, then the others. An
/// error if no survivor is meant: it says what became of the mutants that are, or which names are alike.
result<chosen_mutants> choose(const report::mutation_result& result, const choice& asked);

explained_change change_of(const report::mutation_result& result, report::mutant_number number);

}  // namespace morph::explain
