// The memetic search as an algorithm of pagmo's, and islands of it.
#pragma once

#include <cstdint>
#include <pagmo/population.hpp>
#include <string>
#include <vector>

#include "optimizer/cover/front.hpp"
#include "optimizer/pagmo/subset_problem.hpp"

namespace morph::optimizer {

/// Evolves populations of a subset_problem with front_search. It takes in what the population has; each individual
/// becomes the set of one of the budgets, the last one the cheapest set that covers everything: the ends of the front
/// are always there. With several weightings it searches for their weighted sum.
///
/// Equal seeds, populations and calls give equal populations.
class memetic_uda {
 public:
  struct row {
    std::uint64_t moves = 0;  // of this and all calls before
    double uncovered = 0;     // part of the weight, on the average over the budgets
    std::int64_t whole_us = 0;
    bool operator==(const row&) const = default;
  };

  /// `shares`: of each weighting in the sum; empty: equal ones. Shares are integers.
  explicit memetic_uda(std::uint64_t moves = 4000, std::uint32_t budgets = default_budgets,
                       std::vector<std::int64_t> shares = {}, unsigned seed = 1);

  /// Throws std::invalid_argument for a population of another problem, an empty one, or another number of shares.
  pagmo::population evolve(pagmo::population population) const;
  void set_seed(unsigned seed) { seed_ = seed; }
  std::string get_name() const { return "memetic search for subsets"; }
  std::string get_extra_info() const;
  /// A row for each call of evolve().
  const std::vector<row>& get_log() const { return log_; }

 private:
  std::uint64_t moves_;
  std::uint32_t budgets_;
  std::vector<std::int64_t> shares_;
  unsigned seed_;
  mutable std::vector<row> log_;
};

/// A weighting whose classes weigh the sum of what they weigh in each, times its share. Shares are relative to the
/// total weight of their weighting: equal shares count equally whatever the totals are.
cover_problem sum_of(const std::vector<cover_problem>& weightings, const std::vector<std::int64_t>& shares);

/// One island for each vector of shares, without migration, so that the result does not depend on the number of
/// threads; the individuals of all of them in the order of the islands.
pagmo::population evolve_islands(const pagmo::population& start, const std::vector<std::vector<std::int64_t>>& shares,
                                 std::uint64_t moves, unsigned seed);

}  // namespace morph::optimizer
