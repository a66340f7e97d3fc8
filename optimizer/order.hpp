// Orders of tests that find faults early.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "optimizer/matrix/matrix.hpp"

namespace morph::optimizer {

/// The candidates in the order of lazy additional greedy per cost (Rothermel et al. 2001, made lazy by submodularity,
/// Minoux 1978): next comes the test that newly covers the most weight a microsecond in the first level where any test
/// gains; when nothing gains anywhere, coverage starts afresh for the remaining tests; tests that cover nothing come
/// last, cheapest first. Ties: larger gain, smaller cost, smaller number. Deterministic.
/// O(pairs log tests) in practice.
std::vector<std::uint32_t> additional_greedy_order(const instance& in, std::span<const std::uint32_t> candidates);

}  // namespace morph::optimizer
