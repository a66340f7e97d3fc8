// Lazy additional greedy per cost over the levels of an instance.
#include "optimizer/order.hpp"

#include <algorithm>
#include <limits>
#include <queue>

namespace morph::optimizer {
namespace {

__extension__ using uint128 = unsigned __int128;  // -Wpedantic: both compilers have it, ISO C++ has not

struct candidate {
  std::uint32_t test;
  std::uint64_t gain;
  std::int64_t cost;
};

/// "a comes after b". Gains per cost are compared exactly, by cross multiplication.
struct worse {
  bool operator()(const candidate& a, const candidate& b) const {
    const auto left = static_cast<uint128>(a.gain) * static_cast<std::uint64_t>(b.cost);
    const auto right = static_cast<uint128>(b.gain) * static_cast<std::uint64_t>(a.cost);
    if (left != right) return left < right;
    if (a.gain != b.gain) return a.gain < b.gain;
    if (a.cost != b.cost) return a.cost > b.cost;
    return a.test > b.test;
  }
};

class level_state {
 public:
  level_state(const std::vector<requirement_class>& classes, std::size_t tests)
      : classes_(classes), covered_(classes.size()), of_test_(tests) {
    for (std::uint32_t c = 0; c < classes.size(); ++c)
      for (std::uint32_t test : classes[c].tests) of_test_[test].push_back(c);
  }
  std::uint64_t gain(std::uint32_t test) const {
    std::uint64_t sum = 0;
    for (std::uint32_t c : of_test_[test])
      if (!covered_[c]) sum += classes_[c].weight;
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
      std::priority_queue<candidate, std::vector<candidate>, worse> queue;
      for (std::uint32_t test : rest)
        if (const std::uint64_t gain = taken[test] ? 0 : level.gain(test); gain > 0)
          queue.push({test, gain, cost(test)});
      while (!queue.empty()) {
        candidate best = queue.top();
        queue.pop();
        if (const std::uint64_t gain = level.gain(best.test); gain != best.gain) {
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
