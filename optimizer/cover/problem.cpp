// Folding rows into classes, and weighing these.
#include "optimizer/cover/problem.hpp"

#include <algorithm>
#include <numeric>
#include <stdexcept>
#include <utility>

namespace morph::optimizer {
namespace {

std::size_t size_of(const std::vector<requirement_group>& groups) {
  return std::accumulate(groups.begin(), groups.end(), std::size_t{0},
                         [](std::size_t sum, const requirement_group& g) { return sum + g.size; });
}

/// Adds a product of two numbers that are not negative.
void add_product(std::int64_t& sum, std::int64_t a, std::int64_t b) {
  std::int64_t product = 0;
  if (__builtin_mul_overflow(a, b, &product) || __builtin_add_overflow(sum, product, &sum) || sum > largest_sum)
    throw std::invalid_argument("the weights of all requirements add up to more than 2^52");
}

}  // namespace

matrix_builder::matrix_builder(std::vector<requirement_group> groups, std::vector<std::int64_t> weights)
    : groups_(std::move(groups)),
      weights_(std::move(weights)),
      requirements_(size_of(groups_)),
      folder_(requirements_) {
  if (!weights_.empty() && weights_.size() != requirements_)
    throw std::invalid_argument("there are " + std::to_string(weights_.size()) + " weights of " +
                                std::to_string(requirements_) + " requirements");
  if (const auto negative = std::find_if(weights_.begin(), weights_.end(), [](auto w) { return w < 0; });
      negative != weights_.end())
    throw std::invalid_argument("a requirement has the weight " + std::to_string(*negative) +
                                "; the least that one can have is 0");
}

void matrix_builder::add_test(std::int64_t cost_us, std::span<const std::uint32_t> requirements) {
  if (const auto wrong =
          std::find_if(requirements.begin(), requirements.end(), [&](auto r) { return r >= requirements_; });
      wrong != requirements.end())
    throw std::out_of_range("requirement " + std::to_string(*wrong) + " of " + std::to_string(requirements_));
  folder_.add_row(static_cast<std::uint32_t>(cost_us_.size()), requirements);
  cost_us_.push_back(std::max<std::int64_t>(cost_us, 1));
}

cover_matrix matrix_builder::finish() && {
  folded by_tests = std::move(folder_).finish();
  const std::size_t group_count = groups_.size(), folded_classes = by_tests.tests_of.size();
  std::vector<std::int64_t> members(folded_classes * group_count);
  std::size_t requirement = 0;
  for (std::size_t g = 0; g < group_count; ++g)
    for (std::uint32_t i = 0; i < groups_[g].size; ++i, ++requirement)
      add_product(members[by_tests.class_of[requirement] * group_count + g],
                  weights_.empty() ? 1 : weights_[requirement], 1);

  cover_matrix made;
  made.groups = std::move(groups_);
  made.cost_us = std::move(cost_us_);
  made.uncovered.assign(members.begin(), members.begin() + static_cast<std::ptrdiff_t>(group_count));
  made.class_begin.push_back(0);
  for (std::size_t c = 1; c < folded_classes; ++c) {
    const auto first = members.begin() + static_cast<std::ptrdiff_t>(c * group_count);
    const auto last = first + static_cast<std::ptrdiff_t>(group_count);
    if (std::any_of(first, last, [](std::int64_t weight) { return weight > 0; })) {
      made.members.insert(made.members.end(), first, last);
      made.tests.insert(made.tests.end(), by_tests.tests_of[c].begin(), by_tests.tests_of[c].end());
      made.class_begin.push_back(made.tests.size());
    }
    std::vector<std::uint32_t>().swap(by_tests.tests_of[c]);
  }

  made.test_begin.assign(made.cost_us.size() + 1, 0);
  for (const std::uint32_t test : made.tests) ++made.test_begin[test + 1];
  std::partial_sum(made.test_begin.begin(), made.test_begin.end(), made.test_begin.begin());
  made.classes.resize(made.tests.size());
  std::vector<std::uint64_t> next(made.test_begin.begin(), made.test_begin.end() - 1);
  for (std::uint32_t c = 0; c < made.class_count(); ++c)
    for (const std::uint32_t test : made.tests_of(c)) made.classes[next[test]++] = c;
  return made;
}

cover_problem weigh(std::shared_ptr<const cover_matrix> matrix, std::span<const std::int64_t> group_weights) {
  const std::size_t group_count = matrix->groups.size();
  if (!group_weights.empty() && group_weights.size() != group_count)
    throw std::invalid_argument("there are " + std::to_string(group_weights.size()) + " weights of " +
                                std::to_string(group_count) + " groups");
  for (std::size_t g = 0; g < group_weights.size(); ++g)
    if (group_weights[g] < 0)
      throw std::invalid_argument("the group '" + matrix->groups[g].name + "' has the weight " +
                                  std::to_string(group_weights[g]) + "; the least that one can have is 0");
  cover_problem made;
  made.weight.assign(matrix->class_count(), 0);
  for (std::size_t c = 0; c < made.weight.size(); ++c) {
    for (std::size_t g = 0; g < group_count; ++g)
      add_product(made.weight[c], matrix->members[c * group_count + g], group_weights.empty() ? 1 : group_weights[g]);
    add_product(made.total_weight, made.weight[c], 1);
  }
  for (const std::int64_t cost : matrix->cost_us)
    if (__builtin_add_overflow(made.total_cost_us, cost, &made.total_cost_us) || made.total_cost_us > largest_sum)
      throw std::invalid_argument("the costs of all tests add up to more than 2^52 microseconds");
  made.matrix = std::move(matrix);
  return made;
}

}  // namespace morph::optimizer
