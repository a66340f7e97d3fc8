// Which program mutants mean the same as the original, or as each other: morph-source compares their code, unit by
// unit.
#pragma once

#include <optional>
#include <vector>

#include "plugin/mutating/sources.hpp"
#include "plugin/system/observer.hpp"

namespace morph::mutating {

struct mutant_place {
  std::size_t file = 0;  // of mutated_sources
  std::uint32_t place = 0;
  std::uint32_t alternative = 0;  // from 0
};

struct equivalence {
  bool is_equivalent = false;            // in every unit that has code of it
  std::optional<std::size_t> same_as{};  // an earlier one of the mutants, with the same code in every unit
};

/// By mutant. What was compared before is known as long as the unit has the same tokens; it is kept in
/// `request.state`. Where a unit cannot be compared none of its mutants is equivalent.
result<std::vector<equivalence>> find_equivalents(const source_reader::source_request& request,
                                                  const mutated_sources& sources,
                                                  const std::vector<mutant_place>& mutants, system::observer& told);

}  // namespace morph::mutating
