// Additional greedy over the weight of classes.
#include "optimizer/cover/greedy.hpp"

#include <optional>

#include "optimizer/cover/lazy_greedy.hpp"
#include "optimizer/matrix/density.hpp"

namespace morph::optimizer {

std::vector<greedy_step> greedy_path(const cover_problem& problem) {
  const cover_matrix& matrix = *problem.matrix;
  std::vector<bool> covered(matrix.class_count());
  const auto value_of = [&](std::uint32_t test) {
    std::int64_t gain = 0;
    for (const std::uint32_t c : matrix.classes_of(test))
      if (!covered[c]) gain += problem.weight[c];
    return value{test, gain, matrix.cost_us[test]};
  };
  std::vector<value> values;
  for (std::uint32_t test = 0; test < matrix.test_count(); ++test)
    if (const value v = value_of(test); v.gain > 0) values.push_back(v);

  std::vector<greedy_step> path;
  greedy_step sum;
  take_lazily(
      std::move(values), is_less_dense,
      [&](const value& before) {
        const value now = value_of(before.test);
        return now.gain > 0 ? std::optional(now) : std::nullopt;
      },
      [&](const value& best) {
        for (const std::uint32_t c : matrix.classes_of(best.test)) covered[c] = true;
        sum = {best.test, sum.cost_us + best.cost_us, sum.covered + best.gain};
        path.push_back(sum);
      });
  return path;
}

}  // namespace morph::optimizer
