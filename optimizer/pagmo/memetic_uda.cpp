// Evolving populations by the memetic search, on islands too.
#include "optimizer/pagmo/memetic_uda.hpp"

#include <algorithm>
#include <memory>
#include <pagmo/algorithm.hpp>
#include <pagmo/archipelago.hpp>
#include <pagmo/islands/thread_island.hpp>
#include <pagmo/topologies/unconnected.hpp>
#include <stdexcept>

#include "optimizer/pagmo/binary.hpp"

namespace morph::optimizer {
namespace {

const subset_problem& subsets_in(const pagmo::population& population) {
  return problem_of<subset_problem>(population, "which tests run");
}

}  // namespace

cover_problem sum_of(const std::vector<cover_problem>& weightings, const std::vector<std::int64_t>& shares) {
  if (shares.size() != weightings.size())
    throw std::invalid_argument("there are " + std::to_string(shares.size()) + " shares of " +
                                std::to_string(weightings.size()) + " weightings");
  if (std::any_of(shares.begin(), shares.end(), [](std::int64_t share) { return share < 0; }))
    throw std::invalid_argument("a share is less than 0");
  constexpr std::int64_t largest_share = 1'000'000;
  if (std::any_of(shares.begin(), shares.end(), [](std::int64_t share) { return share > largest_share; }))
    throw std::invalid_argument("a share is more than a million");
  if (weightings.size() == 1) return weightings.front();
  // What all classes weigh together: fine enough for shares of 1 to 1000 of classes of a millionth part each.
  constexpr std::int64_t scale = std::int64_t{1} << 40;
  std::int64_t all_shares = 0;
  for (const std::int64_t share : shares) all_shares += share;
  cover_problem sum = weightings.front();
  sum.total_weight = 0;
  for (std::size_t c = 0; c < sum.weight.size(); ++c) {
    std::int64_t weight = 0;
    for (std::size_t i = 0; i < weightings.size(); ++i) {
      if (weightings[i].total_weight == 0 || all_shares == 0 || weightings[i].weight[c] == 0 || shares[i] == 0)
        continue;
      const auto part = static_cast<uint128>(weightings[i].weight[c]) * static_cast<std::uint64_t>(scale) *
                        static_cast<std::uint64_t>(shares[i]) /
                        (static_cast<uint128>(weightings[i].total_weight) * static_cast<std::uint64_t>(all_shares));
      weight += std::max<std::int64_t>(1, static_cast<std::int64_t>(part));
    }
    sum.weight[c] = weight;
    sum.total_weight += weight;
  }
  return sum;
}

memetic_uda::memetic_uda(std::uint64_t moves, std::uint32_t budgets, std::vector<std::int64_t> shares, unsigned seed)
    : moves_(moves), budgets_(budgets), shares_(std::move(shares)), seed_(seed) {
  if (budgets_ < 1) throw std::invalid_argument("there are 0 budgets; the search needs one at least");
}

pagmo::population memetic_uda::evolve(pagmo::population population) const {
  const subset_problem& problem = subsets_in(population);
  const auto shares = shares_.empty() ? std::vector<std::int64_t>(problem.weightings().size(), 1) : shares_;
  const cover_problem weighted = sum_of(problem.weightings(), shares);
  const std::uint64_t calls = log_.size();
  front_search search(weighted, {}, seed_ + (calls << 32U), budgets_);
  for (const pagmo::vector_double& x : population.get_x()) search.offer(problem.set_of(x));
  search.run(moves_);

  const auto& points = search.points();
  double uncovered = 0;
  for (const front_point& point : points)
    uncovered += fraction(weighted.total_weight - point.covered, weighted.total_weight);
  log_.push_back({moves_ * (calls + 1), points.empty() ? 0 : uncovered / static_cast<double>(points.size()),
                  search.whole().cost_us});
  const std::size_t size = population.size();
  for (std::size_t i = 0; i < size; ++i) {
    const bool is_last = i + 1 == size || points.empty();
    const test_set& set = is_last ? search.whole().tests : points[i * points.size() / size].tests;
    const pagmo::vector_double x = problem.vector_of(set);
    population.set_xf(i, x, problem.fitness(x));
  }
  return population;
}

std::string memetic_uda::get_extra_info() const {
  return "\tMoves: " + std::to_string(moves_) + "\n\tBudgets: " + std::to_string(budgets_) +
         "\n\tSeed: " + std::to_string(seed_);
}

pagmo::population evolve_islands(const pagmo::population& start, const std::vector<std::vector<std::int64_t>>& shares,
                                 std::uint64_t moves, unsigned seed) {
  subsets_in(start);
  pagmo::archipelago islands{pagmo::topology(pagmo::unconnected())};
  for (std::size_t i = 0; i < shares.size(); ++i)
    islands.push_back(pagmo::island{
        pagmo::thread_island(),
        pagmo::algorithm(memetic_uda(moves, default_budgets, shares[i], seed + static_cast<unsigned>(i))), start});
  islands.evolve();
  islands.wait_check();
  pagmo::population all(start.get_problem(), 0, seed);
  for (const pagmo::island& island : islands) {
    const pagmo::population evolved = island.get_population();
    for (std::size_t i = 0; i < evolved.size(); ++i) all.push_back(evolved.get_x()[i], evolved.get_f()[i]);
  }
  return all;
}

}  // namespace morph::optimizer
