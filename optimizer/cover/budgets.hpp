// Budgets that searches and bounds look at.
#pragma once

#include <cstdint>
#include <vector>

namespace morph::optimizer {

inline constexpr std::uint32_t default_budgets = 40;

/// Budgets up to `most_us`, ascending and distinct, the smaller ones closer together: there most can be won.
std::vector<std::int64_t> spread_budgets(std::int64_t most_us, std::uint32_t count);

/// Where spread_budgets() has the budget that stands at this part of all of them, as a part of the largest one.
double spread_part(double part);

}  // namespace morph::optimizer
