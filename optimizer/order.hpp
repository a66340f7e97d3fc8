// Orders of tests that find faults early.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "optimizer/matrix/matrix.hpp"

namespace morph::optimizer {

/// The candidates in the order of lazy additional greedy per cost (Rothermel et al. 2001, made lazy by submodularity,
/// Minoux 1978): next comes the test of the most gain a microsecond. What a test newly covers counts in full, what one
/// test has covered before a quarter (`./dev bench orders` says what that is good for), more often nothing. Levels
/// count lexicographically: a later one decides between tests that gain equally a microsecond in the earlier ones. When
/// nothing gains anywhere, coverage starts afresh for the remaining tests, twice; what is left then comes by what it
/// covers per cost, and tests that cover nothing come last, cheapest first. Ties: larger gain, smaller cost, smaller
/// number. Deterministic.
///
/// At most `most_levels` levels; throws std::invalid_argument for more, or if the weights of a level sum up to more
/// than largest_sum. O(pairs log tests) in practice; memory: eight bytes a pair.
std::vector<std::uint32_t> additional_greedy_order(const instance& in, std::span<const std::uint32_t> candidates);
inline constexpr std::size_t most_levels = 4;

/// Two significant digits, so that equal tests stay equal and results do not change with every measurement; at least 1.
std::int64_t rounded_cost(std::int64_t us);

}  // namespace morph::optimizer
