// Small problems of covering, and what is known of them by trying everything.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <set>
#include <utility>
#include <vector>

#include "optimizer/cover/problem.hpp"
#include "optimizer/cover/state.hpp"
#include "optimizer/matrix/random.hpp"

namespace morph::optimizer {

using cover_rows = std::vector<std::vector<std::uint32_t>>;

inline cover_matrix matrix_of(const cover_rows& covers, const std::vector<std::int64_t>& costs,
                              std::vector<requirement_group> groups, std::vector<std::int64_t> weights = {}) {
  matrix_builder builder(std::move(groups), std::move(weights));
  for (std::size_t t = 0; t < covers.size(); ++t) builder.add_test(costs[t], covers[t]);
  return std::move(builder).finish();
}

inline cover_problem problem_of(const cover_rows& covers, const std::vector<std::int64_t>& costs,
                                std::uint32_t requirements, std::vector<std::int64_t> weights = {}) {
  return weigh(
      std::make_shared<const cover_matrix>(matrix_of(covers, costs, {{"code", requirements}}, std::move(weights))));
}

/// A test covers a quarter of all and costs at most 50.
inline cover_problem random_problem(std::uint64_t seed, std::uint32_t tests, std::uint32_t requirements) {
  random_source random(seed);
  cover_rows covers(tests);
  std::vector<std::int64_t> costs, weights;
  for (auto& row : covers) {
    for (std::uint32_t r = 0; r < requirements; ++r)
      if (random.below(4) == 0) row.push_back(r);
    costs.push_back(1 + random.below(50));
  }
  for (std::uint32_t r = 0; r < requirements; ++r) weights.push_back(1 + random.below(3));
  return problem_of(covers, costs, requirements, weights);
}

/// A test covers up to eight and costs at most 1000, so that much has to be chosen.
inline cover_problem sparse_problem(std::uint64_t seed, std::uint32_t tests, std::uint32_t requirements) {
  random_source random(seed);
  cover_rows covers(tests);
  std::vector<std::int64_t> costs, weights;
  for (auto& row : covers) {
    std::set<std::uint32_t> covered;
    for (std::uint32_t left = 1 + random.below(8); left > 0; --left) covered.insert(random.below(requirements));
    row.assign(covered.begin(), covered.end());
    costs.push_back(1 + random.below(1000));
  }
  for (std::uint32_t r = 0; r < requirements; ++r) weights.push_back(1 + random.below(9));
  return problem_of(covers, costs, requirements, weights);
}

struct sums {
  std::int64_t cost_us = 0;
  std::int64_t covered = 0;
  bool operator==(const sums&) const = default;
};

inline sums sums_of(const cover_problem& p, const std::set<std::uint32_t>& tests) {
  std::vector<bool> is_covered(p.matrix->class_count());
  sums result;
  for (const std::uint32_t test : tests) {
    result.cost_us += p.matrix->cost_us[test];
    for (const std::uint32_t c : p.matrix->classes_of(test)) {
      if (!is_covered[c]) result.covered += p.weight[c];
      is_covered[c] = true;
    }
  }
  return result;
}

inline std::set<std::uint32_t> tests_in(const cover_problem& p, const test_set& set) {
  std::set<std::uint32_t> tests;
  for (std::uint32_t t = 0; t < p.matrix->test_count(); ++t)
    if (has(set, t)) tests.insert(t);
  return tests;
}

/// Calls `look` with the sums of every set of tests.
template <typename Look>
void look_at_every_set(const cover_problem& p, Look look) {
  std::vector<int> times(p.matrix->class_count());
  const auto decide_from = [&](const auto& self, std::uint32_t test, sums taken) -> void {
    if (test == p.matrix->test_count()) {
      look(taken);
      return;
    }
    self(self, test + 1, taken);
    taken.cost_us += p.matrix->cost_us[test];
    for (const std::uint32_t c : p.matrix->classes_of(test))
      if (times[c]++ == 0) taken.covered += p.weight[c];
    self(self, test + 1, taken);
    for (const std::uint32_t c : p.matrix->classes_of(test)) --times[c];
  };
  decide_from(decide_from, 0, {});
}

/// The most that can be covered within each of the budgets.
inline std::vector<std::int64_t> best_of_all(const cover_problem& p, const std::vector<std::int64_t>& budgets) {
  std::vector<std::int64_t> best(budgets.size());
  look_at_every_set(p, [&](const sums& set) {
    for (std::size_t b = 0; b < budgets.size(); ++b)
      if (set.cost_us <= budgets[b]) best[b] = std::max(best[b], set.covered);
  });
  return best;
}

}  // namespace morph::optimizer
