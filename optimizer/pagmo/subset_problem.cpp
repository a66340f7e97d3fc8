#include "optimizer/pagmo/subset_problem.hpp"

#include <algorithm>
#include <memory>
#include <stdexcept>

namespace morph::optimizer {
namespace {

constexpr std::size_t most_weightings = 4;

double part(std::int64_t of, std::int64_t whole) {
  return whole == 0 ? 0 : static_cast<double>(of) / static_cast<double>(whole);
}

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
    if (x[test] < 0.5) continue;
    cost += matrix.cost_us[test];
    for (const std::uint32_t c : matrix.classes_of(test)) covered[c] = true;
  }
  pagmo::vector_double objectives;
  for (const cover_problem& weighting : weightings_) {
    std::int64_t missing = weighting.total_weight;
    for (std::size_t c = 0; c < covered.size(); ++c)
      if (covered[c]) missing -= weighting.weight[c];
    objectives.push_back(part(missing, weighting.total_weight));
  }
  objectives.push_back(part(cost, weightings_.front().total_cost_us));
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
  return {pagmo::vector_double(tests(), 0), pagmo::vector_double(tests(), 1)};
}

test_set subset_problem::set_of(const pagmo::vector_double& x) const {
  test_set set((tests() + 63) / 64);
  for (std::uint32_t test = 0; test < tests(); ++test)
    if (x[test] >= 0.5) set[test / 64] |= std::uint64_t{1} << (test % 64);
  return set;
}

pagmo::vector_double subset_problem::vector_of(const test_set& set) const {
  pagmo::vector_double x(tests(), 0);
  for (std::uint32_t test = 0; test < tests(); ++test) x[test] = has(set, test) ? 1 : 0;
  return x;
}

}  // namespace morph::optimizer
