// Lazy greedy: the path that every search starts from.
#pragma once

#include <cstdint>
#include <vector>

#include "optimizer/cover/problem.hpp"

namespace morph::optimizer {

struct greedy_step {
  std::uint32_t test = 0;
  std::int64_t cost_us = 0;  // of this and all before it
  std::int64_t covered = 0;  // by them
};

/// Next comes the test that adds the most weight per cost (is_denser()), until all is covered that any test covers:
/// additional greedy (Rothermel et al. 2001), lazy since gains only shrink (Minoux 1978).
/// O(pairs of classes) and a logarithm a look; looks are few.
std::vector<greedy_step> greedy_path(const cover_problem& problem);

}  // namespace morph::optimizer
