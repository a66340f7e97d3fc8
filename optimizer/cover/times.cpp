// Additional greedy over what each class still misses.
#include "optimizer/cover/times.hpp"

#include <algorithm>
#include <optional>

#include "optimizer/cover/bound.hpp"
#include "optimizer/cover/lazy_greedy.hpp"
#include "optimizer/matrix/density.hpp"

namespace morph::optimizer {

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
  const auto value_of = [&](std::uint32_t test) {
    const auto classes = matrix.classes_of(test);
    const auto gain = std::count_if(classes.begin(), classes.end(), [&](std::uint32_t c) { return missing[c] > 0; });
    return value{test, gain, matrix.cost_us[test]};
  };
  std::vector<value> values;
  for (std::uint32_t test = 0; test < matrix.test_count(); ++test)
    if (!is_given[test]) values.push_back(value_of(test));
  std::vector<std::uint32_t> chosen;
  std::vector<std::uint32_t> surplus(demand.size());  // by class: chosen tests beyond its demand
  take_lazily(
      std::move(values), is_less_dense,
      [&](const value& before) {
        const value now = value_of(before.test);
        return now.gain > 0 ? std::optional(now) : std::nullopt;
      },
      [&](const value& best) {
        chosen.push_back(best.test);
        for (const std::uint32_t c : matrix.classes_of(best.test)) {
          if (missing[c] > 0)
            --missing[c];
          else
            ++surplus[c];
        }
      });
  std::sort(chosen.begin(), chosen.end(), costliest_first{matrix.cost_us});
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
