// What a change of the set changes, the densest test by blocks of doubles, and filling and pruning by that.
#include "optimizer/cover/state.hpp"

#include <algorithm>
#include <bit>

#include "optimizer/cover/lazy_greedy.hpp"

namespace morph::optimizer {
namespace {

constexpr std::size_t block = 2;  // as every x86-64 and AArch64 has it
using block_of_doubles = double __attribute__((vector_size(block * sizeof(double))));

std::size_t padded(std::size_t tests) {
  return (tests + block - 1) / block * block;
}

block_of_doubles read(const std::vector<double>& from, std::size_t at) {
  block_of_doubles values;
  __builtin_memcpy(&values, from.data() + at, sizeof values);
  return values;
}

/// Bytes of one random number after the other.
class random_bytes {
 public:
  explicit random_bytes(random_source& from) : from_(&from) {}
  std::uint32_t next() {
    if (left_ == 0) {
      bits_ = (*from_)();
      left_ = 8;
    }
    const auto byte = static_cast<std::uint32_t>(bits_ & 255U);
    bits_ >>= 8U;
    --left_;
    return byte;
  }

 private:
  random_source* from_;
  std::uint64_t bits_ = 0;
  int left_ = 0;
};

/// Between 1 and 1 + noise / 256.
double factor_of(std::uint32_t byte, std::uint32_t noise) {
  return static_cast<double>(65536 + byte * noise) * 0x1p-16;
}

/// What is densest, and where the tests begin of which the first such is one; nothing if nothing is dense at all.
struct densest_tests {
  double density = 0;
  std::size_t begin = 0;
};

template <typename Densities>
densest_tests find_densest(std::size_t tests, Densities densities) {
  constexpr std::size_t tests_at_once = 64 * block;
  densest_tests found;
  for (std::size_t begin = 0; begin < tests; begin += tests_at_once) {
    block_of_doubles best{};
    for (std::size_t at = begin; at < std::min(tests, begin + tests_at_once); at += block) {
      const block_of_doubles here = densities(at);
      best = here > best ? here : best;
    }
    for (std::size_t i = 0; i < block; ++i)
      if (best[i] > found.density) found = {best[i], begin};
  }
  return found;
}

}  // namespace

cover_state::cover_state(const cover_problem& problem)
    : problem_(&problem),
      matrix_(problem.matrix.get()),
      count_(matrix_->class_count()),
      xor_(matrix_->class_count()),
      gain_(padded(matrix_->test_count())),
      loss_(gain_.size()),
      cost_(gain_.size(), 2.0 * static_cast<double>(largest_sum)),  // the padding is too expensive for any room
      inverse_cost_(gain_.size()),
      place_(matrix_->test_count()) {
  for (std::uint32_t test = 0; test < matrix_->test_count(); ++test) {
    std::int64_t gain = 0;
    for (const std::uint32_t c : matrix_->classes_of(test)) gain += problem_->weight[c];
    gain_[test] = static_cast<double>(gain);
    cost_[test] = static_cast<double>(matrix_->cost_us[test]);
    inverse_cost_[test] = 1.0 / cost_[test];
  }
}

void cover_state::add(std::uint32_t test) {
  members_.push_back(test);
  place_[test] = static_cast<std::uint32_t>(members_.size());
  cost_us_ += matrix_->cost_us[test];
  for (const std::uint32_t c : matrix_->classes_of(test)) {
    const std::int64_t weight = problem_->weight[c];
    const auto change = static_cast<double>(weight);
    if (count_[c] == 0) {
      covered_ += weight;
      loss_[test] += change;
      for (const std::uint32_t other : matrix_->tests_of(c)) gain_[other] -= change;
    } else if (count_[c] == 1) {
      loss_[xor_[c]] -= change;
    }
    ++count_[c];
    xor_[c] ^= test;
  }
}

void cover_state::remove(std::uint32_t test) {
  members_[place_[test] - 1] = members_.back();
  place_[members_.back()] = place_[test];
  members_.pop_back();
  place_[test] = 0;
  cost_us_ -= matrix_->cost_us[test];
  for (const std::uint32_t c : matrix_->classes_of(test)) {
    const std::int64_t weight = problem_->weight[c];
    const auto change = static_cast<double>(weight);
    --count_[c];
    xor_[c] ^= test;
    if (count_[c] == 0) {
      covered_ -= weight;
      for (const std::uint32_t other : matrix_->tests_of(c)) gain_[other] += change;
    } else if (count_[c] == 1) {
      loss_[xor_[c]] += change;
    }
  }
  loss_[test] = 0;
}

void cover_state::become(const test_set& set) {
  for (std::size_t i = members_.size(); i-- > 0;)
    if (const std::uint32_t test = members_[i]; !optimizer::has(set, test)) remove(test);
  for (std::size_t word = 0; word < set.size(); ++word)
    for (std::uint64_t bits = set[word]; bits != 0; bits &= bits - 1)
      if (const auto test = static_cast<std::uint32_t>(word * 64 + std::countr_zero(bits)); !has(test)) add(test);
}

void cover_state::store(test_set& set) const {
  set = empty_set(matrix_->test_count());
  for (const std::uint32_t test : members_) insert(set, test);
}

std::optional<std::uint32_t> cover_state::best_addition(std::int64_t room_us) const {
  const auto room = static_cast<double>(room_us);
  const auto densities = [&](std::size_t at) {
    const block_of_doubles cost = read(cost_, at), density = read(gain_, at) * read(inverse_cost_, at);
    return cost <= room ? density : density * 0.0;
  };
  const densest_tests densest = find_densest(gain_.size(), densities);
  if (densest.density <= 0) return std::nullopt;

  // Whatever is as dense but for rounding, compared exactly.
  const double least = densest.density * (1 - 0x1p-49);
  std::optional<value> found;
  for (std::size_t at = 0; at < gain_.size(); at += block) {
    const block_of_doubles here = densities(at);
    for (std::size_t i = 0; i < block; ++i) {
      if (here[i] < least) continue;
      const auto test = static_cast<std::uint32_t>(at + i);
      const value candidate{test, gain(test), matrix_->cost_us[test]};
      if (!found || is_denser(candidate, *found)) found = candidate;
    }
  }
  return found->test;
}

std::optional<std::uint32_t> cover_state::first_densest(std::int64_t room_us,
                                                        const std::vector<double>& inverse_cost) const {
  const auto room = static_cast<double>(room_us);
  const auto densities = [&](std::size_t at) {
    const block_of_doubles density = read(gain_, at) * read(inverse_cost, at);
    return read(cost_, at) <= room ? density : density * 0.0;
  };
  const densest_tests densest = find_densest(gain_.size(), densities);
  if (densest.density <= 0) return std::nullopt;
  for (std::size_t at = densest.begin;; at += block) {
    const block_of_doubles here = densities(at);
    for (std::size_t i = 0; i < block; ++i)
      if (here[i] == densest.density) return static_cast<std::uint32_t>(at + i);
  }
}

std::optional<std::uint32_t> cover_state::worst_member(std::int64_t excess_us, random_source& random,
                                                       std::uint32_t noise,
                                                       std::optional<std::uint32_t> without) const {
  random_bytes bytes(random);
  const double inverse_excess = 1.0 / static_cast<double>(excess_us);
  std::optional<std::uint32_t> found;
  double worst = 0;
  for (const std::uint32_t test : members_) {
    if (test == without) continue;
    const double density = loss_[test] * std::max(inverse_cost_[test], inverse_excess) * factor_of(bytes.next(), noise);
    if (found && density >= worst) continue;
    worst = density;
    found = test;
  }
  return found;
}

namespace {
constexpr std::size_t
    few = 4096,
    many = 50'000;  // below: looked at again faster than kept in order; above: a look at all takes too long
}

void cover_state::fill(std::int64_t budget_us) {
  if (place_.size() <= few) {
    while (const auto test = best_addition(budget_us - cost_us_)) add(*test);
    return;
  }
  const auto value_of = [&](std::uint32_t test) -> std::optional<value> {
    const value v{test, gain(test), matrix_->cost_us[test]};
    return v.gain > 0 && v.cost_us <= budget_us - cost_us_ ? std::optional(v) : std::nullopt;
  };
  std::vector<value> values;
  for (std::uint32_t test = 0; test < place_.size(); ++test)
    if (const auto v = value_of(test)) values.push_back(*v);
  take_lazily(
      std::move(values), is_less_dense, [&](const value& before) { return value_of(before.test); },
      [&](const value& best) { add(best.test); });
}

void cover_state::fill(std::int64_t budget_us, random_source& random, std::uint32_t noise) {
  if (place_.size() > many) {
    fill_once(budget_us, random, noise);
    return;
  }
  random_bytes bytes(random);
  std::vector<double>& inverse_cost = noisy_inverse_cost_;
  inverse_cost.resize(gain_.size());
  for (std::size_t test = 0; test < place_.size(); ++test)
    inverse_cost[test] = inverse_cost_[test] * factor_of(bytes.next(), noise);
  while (const auto test = first_densest(budget_us - cost_us_, inverse_cost)) add(*test);
}

/// The same with a heap.
void cover_state::fill_once(std::int64_t budget_us, random_source& random, std::uint32_t noise) {
  struct noisy_value {
    double density = 0;
    std::uint32_t test = 0;
    double factor = 0;
    bool operator==(const noisy_value&) const = default;
  };
  const auto is_worse = [](const noisy_value& a, const noisy_value& b) {
    return a.density != b.density ? a.density < b.density : a.test > b.test;
  };
  const auto fits = [&](std::uint32_t test) {
    return gain_[test] > 0 && matrix_->cost_us[test] <= budget_us - cost_us_;
  };
  random_bytes bytes(random);
  std::vector<noisy_value> values;
  for (std::uint32_t test = 0; test < place_.size(); ++test)
    if (fits(test)) {
      const double factor = inverse_cost_[test] * factor_of(bytes.next(), noise);
      values.push_back({gain_[test] * factor, test, factor});
    }
  take_lazily(
      std::move(values), is_worse,
      [&](noisy_value v) {
        v.density = gain_[v.test] * v.factor;
        return fits(v.test) ? std::optional(v) : std::nullopt;
      },
      [&](const noisy_value& best) { add(best.test); });
}

bool cover_state::prune() {
  std::vector<std::uint32_t> idle;
  for (const std::uint32_t test : members_)
    if (loss_[test] <= 0) idle.push_back(test);
  std::sort(idle.begin(), idle.end(), costliest_first{matrix_->cost_us});
  bool any = false;
  for (const std::uint32_t test : idle) {
    if (loss_[test] > 0) continue;  // it is the last of those that cover something
    remove(test);
    any = true;
  }
  return any;
}

front_point point_of(const cover_state& state) {
  front_point point{{}, state.cost_us(), state.covered()};
  state.store(point.tests);
  return point;
}

}  // namespace morph::optimizer
