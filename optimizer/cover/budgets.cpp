// Budgets that are closer together where they are small.
#include "optimizer/cover/budgets.hpp"

#include "optimizer/matrix/density.hpp"

namespace morph::optimizer {
namespace {

// Percent of x and of x^2, for x from 0 to 1.
constexpr std::uint32_t linear = 35, square = 65;

}  // namespace

std::vector<std::int64_t> spread_budgets(std::int64_t most_us, std::uint32_t count) {
  std::vector<std::int64_t> budgets;
  // In integers, x = i / count.
  for (std::uint64_t i = 1; i <= count; ++i) {
    const auto parts = static_cast<uint128>(linear * i * count + square * i * i);
    const auto budget = static_cast<std::int64_t>(static_cast<uint128>(most_us) * parts / (100ULL * count * count));
    if (budget >= 1 && (budgets.empty() || budget > budgets.back())) budgets.push_back(budget);
  }
  return budgets;
}

double spread_part(double part) {
  return linear / 100.0 * part + square / 100.0 * part * part;
}

}  // namespace morph::optimizer
