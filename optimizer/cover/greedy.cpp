#include "optimizer/cover/greedy.hpp"

#include <queue>

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
  const auto is_worse = [](const value& a, const value& b) { return is_denser(b, a); };
  std::priority_queue<value, std::vector<value>, decltype(is_worse)> queue(is_worse);
  for (std::uint32_t test = 0; test < matrix.test_count(); ++test)
    if (const value v = value_of(test); v.gain > 0) queue.push(v);

  std::vector<greedy_step> path;
  greedy_step sum;
  while (!queue.empty()) {
    const value best = queue.top();
    queue.pop();
    if (const value now = value_of(best.test); now.gain != best.gain) {
      if (now.gain > 0) queue.push(now);
      continue;
    }
    for (const std::uint32_t c : matrix.classes_of(best.test)) covered[c] = true;
    sum = {best.test, sum.cost_us + best.cost_us, sum.covered + best.gain};
    path.push_back(sum);
  }
  return path;
}

}  // namespace morph::optimizer
