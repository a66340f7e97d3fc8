#include "optimizer/cover/times.hpp"

#include <algorithm>
#include <queue>

#include "optimizer/cover/bound.hpp"
#include "optimizer/matrix/density.hpp"

namespace morph::optimizer {
namespace {

struct worse {
  bool operator()(const value& a, const value& b) const { return is_denser(b, a); }
};

}  // namespace

repeated_cover cover_times(const cover_matrix& matrix, std::uint32_t times, std::span<const std::uint32_t> given) {
  std::vector<bool> is_given(matrix.test_count());
  for (const std::uint32_t test : given) is_given[test] = true;
  std::vector<std::uint32_t> demand(matrix.class_count());
  for (std::uint32_t c = 0; c < demand.size(); ++c) {
    const auto tests = matrix.tests_of(c);
    const auto covered = static_cast<std::uint32_t>(
        std::count_if(tests.begin(), tests.end(), [&](std::uint32_t test) { return is_given[test]; }));
    const auto wanted = std::min(times, static_cast<std::uint32_t>(tests.size()));
    demand[c] = wanted - std::min(wanted, covered);
  }
  std::vector<std::uint32_t> missing = demand;
  const auto gain_of = [&](std::uint32_t test) {
    const auto classes = matrix.classes_of(test);
    return static_cast<std::int64_t>(
        std::count_if(classes.begin(), classes.end(), [&](std::uint32_t c) { return missing[c] > 0; }));
  };
  std::priority_queue<value, std::vector<value>, worse> queue;
  for (std::uint32_t test = 0; test < matrix.test_count(); ++test)
    if (!is_given[test]) queue.push({test, gain_of(test), matrix.cost_us[test]});
  std::vector<std::uint32_t> chosen;
  std::vector<std::uint32_t> surplus(demand.size());  // by class: chosen tests beyond its demand
  while (!queue.empty() && queue.top().gain > 0) {
    value best = queue.top();
    queue.pop();
    if (const std::int64_t now = gain_of(best.test); now != best.gain) {
      best.gain = now;
      queue.push(best);
      continue;
    }
    chosen.push_back(best.test);
    for (const std::uint32_t c : matrix.classes_of(best.test)) {
      if (missing[c] > 0)
        --missing[c];
      else
        ++surplus[c];
    }
  }
  std::sort(chosen.begin(), chosen.end(), [&](std::uint32_t a, std::uint32_t b) {
    return matrix.cost_us[a] != matrix.cost_us[b] ? matrix.cost_us[a] > matrix.cost_us[b] : a > b;
  });
  std::erase_if(chosen, [&](std::uint32_t test) {
    const auto classes = matrix.classes_of(test);
    if (std::any_of(classes.begin(), classes.end(), [&](std::uint32_t c) { return surplus[c] == 0; })) return false;
    for (const std::uint32_t c : classes)
      if (surplus[c] > 0) --surplus[c];
    return true;
  });
  repeated_cover found;
  for (const std::uint32_t test : chosen) found.cost_us += matrix.cost_us[test];
  std::sort(chosen.begin(), chosen.end());
  found.tests = std::move(chosen);
  found.bound_us = multicover_lower_bound(matrix, found.cost_us, demand, is_given);
  return found;
}

}  // namespace morph::optimizer
