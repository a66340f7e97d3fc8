// Objectives of sets of tests, and sets as decision vectors.
#include "optimizer/pagmo/subset_problem.hpp"

#include <algorithm>
#include <memory>
#include <stdexcept>

#include "optimizer/pagmo/binary.hpp"

namespace morph::optimizer {
namespace {

constexpr std::size_t most_weightings = 4;

}  // namespace

subset_problem::subset_problem()
    : subset_problem({weigh(std::make_shared<const cover_matrix>(matrix_builder({}).finish()))}) {}

subset_problem::subset_problem(std::vector<cover_problem> weightings) : weightings_(std::move(weightings)) {
  if (weightings_.empty() || weightings_.size() > most_weightings)
    throw std::invalid_argument("there are " + std::to_string(weightings_.size()) +
                                " weightings; a problem has one to four");
  const auto is_other = [&](const cover_problem& p) { return p.matrix != weightings_.front().matrix; };
  if (std::any_of(weightings_.begin(), weightings_.end(), is_other))
    throw std::invalid_argument("the weightings are of more than one matrix");
}

pagmo::vector_double subset_problem::fitness(const pagmo::vector_double& x) const {
  const cover_matrix& matrix = *weightings_.front().matrix;
  std::vector<bool> covered(matrix.class_count());
  std::int64_t cost = 0;
  for (std::uint32_t test = 0; test < matrix.test_count(); ++test) {
    if (!is_yes(x[test])) continue;
    cost += matrix.cost_us[test];
    for (const std::uint32_t c : matrix.classes_of(test)) covered[c] = true;
  }
  pagmo::vector_double objectives;
  for (const cover_problem& weighting : weightings_) {
    std::int64_t missing = weighting.total_weight;
    for (std::size_t c = 0; c < covered.size(); ++c)
      if (covered[c]) missing -= weighting.weight[c];
    objectives.push_back(fraction(missing, weighting.total_weight));
  }
  objectives.push_back(fraction(cost, weightings_.front().total_cost_us));
  return objectives;
}

pagmo::vector_double subset_problem::batch_fitness(const pagmo::vector_double& xs) const {
  pagmo::vector_double all;
  if (tests() == 0) return all;
  for (auto x = xs.begin(); x != xs.end(); x += static_cast<std::ptrdiff_t>(tests())) {
    const auto one = fitness({x, x + static_cast<std::ptrdiff_t>(tests())});
    all.insert(all.end(), one.begin(), one.end());
  }
  return all;
}

std::pair<pagmo::vector_double, pagmo::vector_double> subset_problem::get_bounds() const {
  return yes_or_no_bounds(tests());
}

test_set subset_problem::set_of(const pagmo::vector_double& x) const {
  test_set set = empty_set(tests());
  for (std::uint32_t test = 0; test < tests(); ++test)
    if (is_yes(x[test])) insert(set, test);
  return set;
}

pagmo::vector_double subset_problem::vector_of(const test_set& set) const {
  pagmo::vector_double x(tests(), 0);
  for (std::uint32_t test = 0; test < tests(); ++test) x[test] = has(set, test) ? 1 : 0;
  return x;
}

}  // namespace morph::optimizer
