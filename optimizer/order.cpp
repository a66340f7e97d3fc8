// Lazy additional greedy per cost over the levels of an instance.
#include "optimizer/order.hpp"

#include <algorithm>
#include <limits>
#include <queue>

#include "optimizer/density.hpp"

namespace morph::optimizer {
namespace {

struct worse {
  bool operator()(const value& a, const value& b) const { return is_denser(b, a); }
};

class level_state {
 public:
  level_state(const std::vector<requirement_class>& classes, std::size_t tests)
      : classes_(classes), covered_(classes.size()), of_test_(tests) {
    for (std::uint32_t c = 0; c < classes.size(); ++c)
      for (std::uint32_t test : classes[c].tests) of_test_[test].push_back(c);
  }
  std::int64_t gain(std::uint32_t test) const {
    std::int64_t sum = 0;
    for (std::uint32_t c : of_test_[test])
      if (!covered_[c]) sum += static_cast<std::int64_t>(classes_[c].weight);
    return sum;
  }
  void take(std::uint32_t test) {
    for (std::uint32_t c : of_test_[test]) covered_[c] = true;
  }
  void forget() { covered_.assign(covered_.size(), false); }

 private:
  const std::vector<requirement_class>& classes_;
  std::vector<bool> covered_;
  std::vector<std::vector<std::uint32_t>> of_test_;
};

}  // namespace

std::vector<std::uint32_t> additional_greedy_order(const instance& in, std::span<const std::uint32_t> candidates) {
  std::vector<level_state> levels;
  for (const auto& classes : in.levels) levels.emplace_back(classes, in.cost_us.size());

  std::vector<std::uint32_t> order;
  std::vector<bool> taken(in.cost_us.size());
  std::vector<std::uint32_t> rest(candidates.begin(), candidates.end());
  const auto cost = [&](std::uint32_t test) { return std::max<std::int64_t>(in.cost_us[test], 1); };
  const auto take = [&](std::uint32_t test) {
    taken[test] = true;
    order.push_back(test);
    for (auto& level : levels) level.take(test);
  };

  while (order.size() < candidates.size()) {
    const std::size_t before = order.size();
    for (auto& level : levels) {
      std::priority_queue<value, std::vector<value>, worse> queue;
      for (std::uint32_t test : rest)
        if (const std::int64_t gain = taken[test] ? 0 : level.gain(test); gain > 0)
          queue.push({test, gain, cost(test)});
      while (!queue.empty()) {
        value best = queue.top();
        queue.pop();
        if (const std::int64_t gain = level.gain(best.test); gain != best.gain) {
          best.gain = gain;
          if (gain > 0) queue.push(best);
        } else {
          take(best.test);
        }
      }
    }
    std::erase_if(rest, [&](std::uint32_t test) { return taken[test]; });
    if (order.size() == before) {
      std::sort(rest.begin(), rest.end(),
                [&](std::uint32_t a, std::uint32_t b) { return cost(a) != cost(b) ? cost(a) < cost(b) : a < b; });
      order.insert(order.end(), rest.begin(), rest.end());
    }
    for (auto& level : levels) level.forget();
  }
  return order;
}

}  // namespace morph::optimizer
