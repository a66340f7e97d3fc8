// Lazy additional greedy per cost over the levels of an instance.
#include "optimizer/order.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <stdexcept>

#include "optimizer/cover/lazy_greedy.hpp"
#include "optimizer/matrix/density.hpp"

namespace morph::optimizer {
namespace {

using gains = std::array<std::int64_t, most_levels>;
constexpr std::int64_t newly = 4, again = 1;  // what covering a class counts
constexpr int rounds = 3;                     // more cost time and find hardly more (`./dev bench orders`)

struct candidate {
  std::uint32_t test;
  std::int64_t cost_us;
  gains gain;
  bool operator==(const candidate&) const = default;
};

bool is_before(const candidate& a, const candidate& b) {
  for (std::size_t level = 0; level < most_levels; ++level)
    if (const auto order = compare_density(a.gain[level], a.cost_us, b.gain[level], b.cost_us); order != 0)
      return order > 0;
  if (a.gain != b.gain) return a.gain > b.gain;
  if (a.cost_us != b.cost_us) return a.cost_us < b.cost_us;
  return a.test < b.test;
}

bool is_behind(const candidate& a, const candidate& b) {
  return is_before(b, a);
}

/// What each class is still worth, and what each test adds to that.
class coverage {
 public:
  coverage(const instance& in, std::span<const std::uint32_t> candidates) : begin_(in.cost_us.size() + 1) {
    if (in.levels.size() > most_levels) throw std::invalid_argument("an order has at most four levels");
    std::vector<bool> counts(in.cost_us.size());
    for (const std::uint32_t test : candidates) counts[test] = true;
    for (const auto& level : in.levels) {
      std::uint64_t sum = 0;
      for (const requirement_class& c : level) {
        if (c.weight > largest_sum || (sum += c.weight) > largest_sum)
          throw std::invalid_argument("the weights of a level are too large together");
        weights_.push_back(static_cast<std::int64_t>(c.weight));
        for (const std::uint32_t test : c.tests)
          if (counts[test]) ++begin_[test + 1];
      }
      end_of_level_.push_back(static_cast<std::uint32_t>(weights_.size()));
    }
    std::partial_sum(begin_.begin(), begin_.end(), begin_.begin());
    covers_.resize(begin_.back());
    std::vector<std::uint64_t> at(begin_.begin(), begin_.end() - 1);
    std::uint32_t number = 0;
    for (const auto& level : in.levels)
      for (const requirement_class& c : level) {
        for (const std::uint32_t test : c.tests)
          if (counts[test]) covers_[at[test]++] = number;
        ++number;
      }
    forget();
  }

  /// Classes that are worth nothing any more are not looked at again.
  gains gain_of(std::uint32_t test) {
    gains sum{};
    auto c = open_.begin() + static_cast<std::ptrdiff_t>(begin_[test]), kept = c;
    const auto end = open_.begin() + static_cast<std::ptrdiff_t>(end_of_open_[test]);
    for (std::size_t level = 0; level < end_of_level_.size(); ++level) {
      const std::uint32_t behind = end_of_level_[level];
      std::int64_t of_level = 0;
      for (; c != end && *c < behind; ++c) {
        const std::int64_t worth = left_[*c];
        of_level += worth;
        *kept = *c;
        kept += worth != 0 ? 1 : 0;
      }
      sum[level] = of_level;
    }
    end_of_open_[test] = static_cast<std::uint64_t>(kept - open_.begin());
    return sum;
  }
  void take(std::uint32_t test) {
    for (auto c = begin_[test]; c < end_of_open_[test]; ++c) {
      const std::uint32_t covered = open_[c];
      left_[covered] = left_[covered] == weights_[covered] * newly ? weights_[covered] * again : 0;
    }
  }
  void forget() {
    left_.resize(weights_.size());
    for (std::size_t c = 0; c < left_.size(); ++c) left_[c] = weights_[c] * newly;
    open_ = covers_;
    end_of_open_.assign(begin_.begin() + 1, begin_.end());
  }

 private:
  std::vector<std::int64_t> weights_, left_;  // by class, those of one level beside each other
  std::vector<std::uint32_t> end_of_level_;
  std::vector<std::uint64_t> begin_;  // by test, into covers_ and open_
  std::vector<std::uint32_t> covers_;
  std::vector<std::uint32_t> open_;         // the same, each test's up to its end: what may be worth something
  std::vector<std::uint64_t> end_of_open_;  // by test
};

}  // namespace

std::vector<std::uint32_t> additional_greedy_order(const instance& in, std::span<const std::uint32_t> candidates) {
  coverage covered(in, candidates);
  std::vector<candidate> rest;  // as if nothing was covered
  for (const std::uint32_t test : candidates)
    rest.push_back({test, std::max<std::int64_t>(in.cost_us[test], 1), covered.gain_of(test)});
  std::sort(rest.begin(), rest.end(), is_before);
  const auto useless = std::find_if(rest.begin(), rest.end(), [](const candidate& c) { return c.gain == gains{}; });
  std::vector<candidate> idle(useless, rest.end());
  rest.erase(useless, rest.end());

  std::vector<std::uint32_t> order;
  std::vector<bool> taken(in.cost_us.size());
  for (int round = 0; round < rounds && !rest.empty(); ++round) {
    take_lazily(
        rest, is_behind,
        [&](candidate c) {
          c.gain = covered.gain_of(c.test);
          return c.gain == gains{} ? std::nullopt : std::optional(c);
        },
        [&](const candidate& best) {
          order.push_back(best.test);
          taken[best.test] = true;
          covered.take(best.test);
        });
    std::erase_if(rest, [&](const candidate& c) { return taken[c.test]; });
    if (round + 1 < rounds && !rest.empty()) covered.forget();
  }
  for (const candidate& c : rest) order.push_back(c.test);
  for (const candidate& c : idle) order.push_back(c.test);
  return order;
}

std::int64_t rounded_cost(std::int64_t us) {
  std::int64_t unit = 1;
  while (us / unit >= 100) unit *= 10;
  return std::max<std::int64_t>(1, (us + unit / 2) / unit * unit);
}

}  // namespace morph::optimizer
