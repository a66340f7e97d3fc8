// Rows and columns that dominate each other.
#include "optimizer/cover/core.hpp"

#include <algorithm>
#include <memory>
#include <span>

namespace morph::optimizer {
namespace {

constexpr std::size_t longest_row = 200;     // of tests that cover a class: longer ones are in hardly any other
constexpr std::size_t most_compared = 1024;  // rows or columns with one
constexpr int most_rounds = 10;

using numbers = std::vector<std::uint32_t>;

bool is_part(const numbers& part, const numbers& of) {
  return part.size() <= of.size() && std::includes(of.begin(), of.end(), part.begin(), part.end());
}

class reducer {
 public:
  explicit reducer(const cover_problem& problem)
      : cost_us_(problem.matrix->cost_us),
        tests_of_(problem.matrix->class_count()),
        classes_of_(problem.matrix->test_count()) {
    for (std::uint32_t c = 0; c < tests_of_.size(); ++c) {
      const auto tests = problem.matrix->tests_of(c);
      if (problem.weight[c] > 0) tests_of_[c].assign(tests.begin(), tests.end());
    }
    for (int round = 0; round < most_rounds; ++round) {
      const bool taken = take_only_ones();
      const bool fewer_classes = drop_implied_classes();
      if (!drop_dominated_tests() && !taken && !fewer_classes) break;
    }
    std::sort(taken_.begin(), taken_.end());
  }

  cover_core finish() && {
    cover_core made;
    std::uint32_t requirements = 0;
    for (numbers& classes : classes_of_) classes.clear();
    for (const numbers& tests : tests_of_) {
      if (tests.empty()) continue;
      for (const std::uint32_t test : tests) classes_of_[test].push_back(requirements);
      ++requirements;
    }
    matrix_builder builder({{"left", requirements}});
    for (std::uint32_t test = 0; test < classes_of_.size(); ++test) {
      if (classes_of_[test].empty()) continue;
      builder.add_test(cost_us_[test], classes_of_[test]);
      made.tests.push_back(test);
    }
    made.problem = weigh(std::make_shared<const cover_matrix>(std::move(builder).finish()));
    made.taken = std::move(taken_);
    return made;
  }

 private:
  bool take_only_ones() {
    std::vector<bool> is_taken(cost_us_.size());
    const std::size_t before = taken_.size();
    for (const numbers& tests : tests_of_)
      if (tests.size() == 1 && !is_taken[tests.front()]) {
        is_taken[tests.front()] = true;
        taken_.push_back(tests.front());
      }
    if (taken_.size() == before) return false;
    for (numbers& tests : tests_of_)
      if (std::any_of(tests.begin(), tests.end(), [&](std::uint32_t test) { return is_taken[test]; })) tests.clear();
    return true;
  }

  bool drop_implied_classes() {
    list_classes();
    numbers by_size;
    for (std::uint32_t c = 0; c < tests_of_.size(); ++c)
      if (!tests_of_[c].empty()) by_size.push_back(c);
    std::stable_sort(by_size.begin(), by_size.end(),
                     [&](auto a, auto b) { return tests_of_[a].size() < tests_of_[b].size(); });
    bool any = false;
    for (const std::uint32_t c : by_size) {
      const numbers& tests = tests_of_[c];
      if (tests.empty()) continue;
      if (tests.size() > longest_row) break;
      for (const std::uint32_t other : shortest(tests, classes_of_)) {
        if (other == c || !is_part(tests, tests_of_[other])) continue;
        tests_of_[other].clear();
        any = true;
      }
    }
    return any;
  }

  bool drop_dominated_tests() {
    list_classes();
    std::vector<bool> is_gone(cost_us_.size());
    bool any = false;
    for (std::uint32_t test = 0; test < classes_of_.size(); ++test) {
      const numbers& classes = classes_of_[test];
      if (classes.empty()) continue;
      const auto others = shortest(classes, tests_of_);
      is_gone[test] = std::any_of(others.begin(), others.end(), [&](std::uint32_t other) {
        if (other == test || is_gone[other] || cost_us_[other] > cost_us_[test]) return false;
        const bool is_same = cost_us_[other] == cost_us_[test] && classes_of_[other].size() == classes.size();
        return (!is_same || other < test) && is_part(classes, classes_of_[other]);
      });
      any = any || is_gone[test];
    }
    for (numbers& tests : tests_of_) std::erase_if(tests, [&](std::uint32_t test) { return is_gone[test]; });
    return any;
  }

  void list_classes() {
    for (numbers& classes : classes_of_) classes.clear();
    for (std::uint32_t c = 0; c < tests_of_.size(); ++c)
      for (const std::uint32_t test : tests_of_[c]) classes_of_[test].push_back(c);
  }

  /// Of the lists of `of`, the shortest one, as far as it is looked at.
  static std::span<const std::uint32_t> shortest(const numbers& of, const std::vector<numbers>& lists) {
    const std::uint32_t found = *std::min_element(
        of.begin(), of.end(), [&](std::uint32_t a, std::uint32_t b) { return lists[a].size() < lists[b].size(); });
    return std::span(lists[found]).first(std::min(lists[found].size(), most_compared));
  }

  const std::vector<std::int64_t>& cost_us_;
  std::vector<numbers> tests_of_;    // by class; none: it need not be covered any more
  std::vector<numbers> classes_of_;  // by test
  numbers taken_;
};

}  // namespace

cover_core core_of(const cover_problem& problem) {
  return reducer(problem).finish();
}

}  // namespace morph::optimizer
