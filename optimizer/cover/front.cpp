// Moves of the memetic search, and the greedy sets that it starts from.
#include "optimizer/cover/front.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <stdexcept>
#include <utility>

namespace morph::optimizer {
namespace {

constexpr std::uint32_t moves_a_turn = 3;
constexpr std::int64_t no_limit = largest_sum;
// Parts of 256 by which densities may seem larger than they are.
constexpr std::uint32_t little_noise = 38, much_noise = 153;

/// Any member; of an empty set the first test.
std::uint32_t pick(const test_set& set, random_source& random) {
  std::uint32_t members = 0;
  for (const std::uint64_t word : set) members += static_cast<std::uint32_t>(std::popcount(word));
  if (members == 0) return 0;
  std::uint32_t left = random.below(members);
  for (std::size_t i = 0;; ++i) {
    const auto here = static_cast<std::uint32_t>(std::popcount(set[i]));
    if (left >= here) {
      left -= here;
      continue;
    }
    std::uint64_t bits = set[i];
    for (; left > 0; --left) bits &= bits - 1;
    return static_cast<std::uint32_t>(i * 64 + std::countr_zero(bits));
  }
}

}  // namespace

front_search::front_search(const cover_problem& problem, std::vector<std::int64_t> budgets, std::uint64_t seed,
                           std::uint32_t count)
    : problem_(problem),
      matrix_(*problem.matrix),
      budgets_(std::move(budgets)),
      path_(greedy_path(problem)),
      random_(seed),
      state_(problem) {
  for (std::size_t i = 0; i < budgets_.size(); ++i)
    if (budgets_[i] < 1 || (i > 0 && budgets_[i] <= budgets_[i - 1]))
      throw std::invalid_argument("budgets have to be at least 1 and to ascend");
  test_set all = empty_set(matrix_.test_count());
  for (const greedy_step& step : path_) insert(all, step.test);
  state_.become(all);
  state_.prune();
  whole_ = point_of(state_);
  if (budgets_.empty()) budgets_ = spread_budgets(whole_.cost_us, count);
  points_.assign(budgets_.size(), {empty_set(matrix_.test_count()), 0, 0});
  start_greedily();
}

/// What of the path fits, and what fills the rest.
void front_search::start_greedily() {
  state_.become(empty_set(matrix_.test_count()));
  std::size_t taken = 0;
  for (std::size_t i = 0; i < budgets_.size(); ++i) {
    for (; taken < path_.size() && path_[taken].cost_us <= budgets_[i]; ++taken) state_.add(path_[taken].test);
    const std::size_t of_path = state_.members().size();
    state_.fill(budgets_[i]);
    offer_state(i);
    while (state_.members().size() > of_path) state_.remove(state_.members().back());
  }
  state_.become(whole_.tests);
  offer_state(0);
}

void front_search::offer(const test_set& tests) {
  state_.become(tests);
  offer_state(0);
}

/// To all budgets that it fits, the first of which is not before `from`.
void front_search::offer_state(std::size_t from) {
  const std::int64_t cost = state_.cost_us(), covered = state_.covered();
  std::optional<front_point> here;
  const auto take = [&](front_point& point) {
    if (!here) here = point_of(state_);
    point = *here;
  };
  while (from < budgets_.size() && budgets_[from] < cost) ++from;
  for (std::size_t i = from; i < budgets_.size(); ++i) {
    if (covered < points_[i].covered || (covered == points_[i].covered && cost >= points_[i].cost_us)) break;
    take(points_[i]);
  }
  if (covered == whole_.covered && cost < whole_.cost_us) take(whole_);
}

void front_search::run(std::uint64_t moves) {
  if (budgets_.empty()) return;
  for (; moves > 0; --moves) {
    const bool is_last = at_ + 1 == budgets_.size();
    if (turn_ < moves_a_turn) {
      move(at_);
    } else if (turn_ == moves_a_turn) {
      const bool up = random_.below(2) != 0;
      if (random_.below(4) == 0 && (up ? !is_last : at_ > 0)) cross(at_, up ? at_ + 1 : at_ - 1);
    } else {
      move_whole();
    }
    if (++turn_ <= (is_last ? 2 * moves_a_turn : moves_a_turn)) continue;
    turn_ = 0;
    if (upwards_ ? is_last : at_ == 0) upwards_ = !upwards_;
    if (budgets_.size() > 1) at_ = upwards_ ? at_ + 1 : at_ - 1;
  }
}

void front_search::move(std::size_t at) {
  state_.become(points_[at].tests);
  if (!state_.members().empty()) {
    switch (random_.below(3)) {
      case 0:
        drop_some(std::clamp<std::uint32_t>(static_cast<std::uint32_t>(state_.members().size() / 3), 3, 12));
        break;
      case 1:
        force_one(budgets_[at]);
        break;
      default:
        drop_related();
    }
    while (random_.below(8) == 0) force_one(budgets_[at]);
  }
  settle(at);
}

void front_search::settle(std::size_t at) {
  state_.fill(budgets_[at], random_, random_.below(4) == 0 ? much_noise : little_noise);
  if (state_.prune()) state_.fill(budgets_[at]);
  offer_state(at);
}

void front_search::drop_some(std::uint32_t most) {
  for (std::uint32_t left = 1 + random_.below(most); left > 0 && !state_.members().empty(); --left)
    state_.remove(state_.members()[random_.below(static_cast<std::uint32_t>(state_.members().size()))]);
}

/// A member of the set of any budget, or the densest of a few tests; nothing if it is there already or too expensive.
std::optional<std::uint32_t> front_search::newcomer(std::int64_t budget_us) {
  const auto may_come = [&](std::uint32_t test) { return !state_.has(test) && matrix_.cost_us[test] <= budget_us; };
  if (random_.below(2) == 0) {
    const test_set& other = points_[random_.below(static_cast<std::uint32_t>(points_.size()))].tests;
    const std::uint32_t test = pick(other, random_);
    return may_come(test) ? std::optional(test) : std::nullopt;
  }
  std::optional<value> best;
  for (std::uint32_t looks = 1U << random_.below(4); looks > 0; --looks) {
    const std::uint32_t test = random_.below(matrix_.test_count());
    if (!may_come(test)) continue;
    const value candidate{test, state_.gain(test) + 1, matrix_.cost_us[test]};
    if (!best || is_denser(candidate, *best)) best = candidate;
  }
  return best ? std::optional(best->test) : std::nullopt;
}

/// A test comes in, and others go until it fits.
void front_search::force_one(std::int64_t budget_us) {
  const auto forced = newcomer(budget_us);
  if (!forced) return;
  state_.add(*forced);
  while (state_.cost_us() > budget_us) {
    const auto worst = state_.worst_member(state_.cost_us() - budget_us, random_, much_noise, forced);
    if (!worst) return;
    state_.remove(*worst);
  }
}

/// Members that share a class go, those of little loss first.
void front_search::drop_related() {
  constexpr std::size_t most = 6;
  const std::uint32_t member = state_.members()[random_.below(static_cast<std::uint32_t>(state_.members().size()))];
  const auto classes = matrix_.classes_of(member);
  if (classes.empty()) return;
  std::vector<std::pair<double, std::uint32_t>> related;
  for (const std::uint32_t test : matrix_.tests_of(classes[random_.below(static_cast<std::uint32_t>(classes.size()))]))
    if (state_.has(test)) {
      const double density = static_cast<double>(state_.loss(test)) / static_cast<double>(matrix_.cost_us[test]);
      related.emplace_back(density * static_cast<double>(128 + random_.below(256)), test);
    }
  std::sort(related.begin(), related.end());
  for (std::size_t i = 0; i < std::min(most, related.size()); ++i) state_.remove(related[i].second);
}

/// Both agree on a test, or a coin decides.
void front_search::cross(std::size_t at, std::size_t mate) {
  test_set child = empty_set(matrix_.test_count());
  for (std::size_t word = 0; word < child.size(); ++word) {
    const std::uint64_t a = points_[at].tests[word], b = points_[mate].tests[word];
    child[word] = (a & b) | ((a ^ b) & random_());
  }
  state_.become(child);
  while (state_.cost_us() > budgets_[at])
    state_.remove(*state_.worst_member(state_.cost_us() - budgets_[at], random_, little_noise));
  settle(at);
}

void front_search::move_whole() {
  state_.become(whole_.tests);
  const auto members = static_cast<std::uint32_t>(state_.members().size());
  if (members == 0) return;
  const std::uint32_t most = std::min(30U, 1 + random_.below(std::max(2U, members / 8)));
  if (random_.below(2) == 0) {
    drop_some(most);
  } else {
    const auto tests = matrix_.tests_of(random_.below(matrix_.class_count()));
    std::uint32_t left = most;
    for (const std::uint32_t test : tests) {
      if (left == 0) break;
      if (!state_.has(test)) continue;
      state_.remove(test);
      --left;
    }
    if (const std::uint32_t test = random_.below(matrix_.test_count()); !state_.has(test)) state_.add(test);
  }
  state_.fill(no_limit, random_, random_.below(3) == 0 ? much_noise : little_noise);
  state_.prune();
  offer_state(0);
}

}  // namespace morph::optimizer
