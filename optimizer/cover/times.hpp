// Sets of tests that cover everything several times.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "optimizer/cover/problem.hpp"

namespace morph::optimizer {

struct repeated_cover {
  std::vector<std::uint32_t> tests;  // ascending, without those that run in any case
  std::int64_t cost_us = 0;          // theirs
  std::int64_t bound_us = 0;         // no set costs less
};

/// A cheap set with which every class is covered by `times` tests, or by all of its tests where it has fewer; weights
/// do not count. `given` run in any case: they cover for nothing. Additional greedy per cost (a logarithm from the
/// optimum at worst: Dobson 1982), then what is of no use goes, the most expensive first; the bound is Lagrangian.
/// Deterministic. O(pairs of classes x times), and some 100 times the pairs for the bound.
repeated_cover cover_times(const cover_matrix& matrix, std::uint32_t times, std::span<const std::uint32_t> given = {});

}  // namespace morph::optimizer
