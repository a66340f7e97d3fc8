// Which kind of value no test has given: under what condition a mutant differs from the original.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "plugin/explain/explanation.hpp"

namespace morph::explain {

/// "`all` equal to `many`": what holds where the mutant has another value than the original. Empty if the operator says
/// nothing of it.
std::string condition_of_difference(std::string_view original, std::string_view replacement);

/// What tests gave an operand, as observations write it: "many: 1, 2".
struct seen_operand {
  std::string name{};
  std::vector<std::string> values{};
};
seen_operand operand_of(const std::string& text);

/// A sentence on what all calls had in common: "No call had `all` equal to `many`: `many` was 1 and 2 in all 14 calls."
/// `calls`: of the function in all tests.
std::string missing_value(const explained_change& of, const std::vector<std::string>& operands, std::uint64_t calls);

}  // namespace morph::explain
