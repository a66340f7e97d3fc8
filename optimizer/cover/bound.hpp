// How good a set of tests can be at most: the certificate of a plan.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "optimizer/cover/greedy.hpp"
#include "optimizer/cover/problem.hpp"

namespace morph::optimizer {

/// Of the subgradient method, for each slope. 80 bound up to 0.1 % of the weight less in two thirds of the time.
inline constexpr std::uint32_t subgradient_iterations = 120;

struct bound_effort {
  std::uint32_t slopes = 12;  // of the tangents to the front, spread over the budgets
  std::uint32_t iterations = subgradient_iterations;
  std::optional<std::int64_t> around_us{};  // a budget: the slopes are those of the front there
};

/// Upper bounds on the weight that any set of tests within a budget covers, for every budget at once.
///
/// A class counts as covered as far as the chosen tests cover it; that limit is relaxed with a multiplier u of each
/// class (Lagrange; Held, Wolfe and Crowder 1974): with the price p(t) of a test, the sum of u over its classes, no set
/// within a budget B covers more than sum(w - u) + knapsack(p, B), for any 0 <= u <= w; the knapsack may take one test
/// in part. The least of these over several u is the bound; u is made better by the subgradient method.
class cover_bound {
 public:
  /// `path`: of the greedy; it says which slopes are worth a tangent.
  /// O(slopes x iterations x pairs of classes).
  cover_bound(const cover_problem& problem, const std::vector<greedy_step>& path, bound_effort effort = {});

  /// Never less than the most that can be covered within the budget, and never more than everything.
  std::int64_t most_within(std::int64_t budget_us) const;

 private:
  struct tangent {
    double base = 0;            // sum(w - u)
    std::vector<double> costs;  // of the densest tests, added up
    std::vector<double> gains;  // their prices, added up
  };
  std::int64_t total_weight_;
  double slack_ = 0;  // what roundings may have taken from a bound
  std::vector<tangent> tangents_;
};

/// A lower bound of set multicover: what every set costs at least that covers each class by `demand` tests beside the
/// given ones, which cost nothing. It is the most of sum(demand x y) + sum(min(0, cost - sum of a test's y)) over
/// y >= 0, by the subgradient method (Beasley 1987). `upper_bound_us`: what one such set costs. O(iterations x pairs of
/// classes), 100 to 1000 iterations.
std::int64_t multicover_lower_bound(const cover_matrix& matrix, std::int64_t upper_bound_us,
                                    const std::vector<std::uint32_t>& demand, const std::vector<bool>& is_given);

/// The same of set cover: each class once, and no test is given.
std::int64_t set_cover_lower_bound(const cover_matrix& matrix, std::int64_t upper_bound_us);

}  // namespace morph::optimizer
