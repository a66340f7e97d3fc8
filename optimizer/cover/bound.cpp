// Lagrangian bounds by the subgradient method.
#include "optimizer/cover/bound.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "optimizer/cover/budgets.hpp"

namespace morph::optimizer {
namespace {

/// What a rounding of a double may take, in parts of the number.
constexpr double rounding_of_double = 0x1p-52;

/// How far the subgradient method steps: half as far after `halve_after` iterations without a better bound, until that
/// is `least` or less (Held, Wolfe and Crowder 1974). Which numbers are best depends on what is relaxed.
class step_schedule {
 public:
  step_schedule(int halve_after, double least) : halve_after_(halve_after), least_(least) {}
  bool is_over() const { return step_ <= least_; }
  double step() const { return step_; }
  /// Whether to go back to the best place and step half as far from there.
  bool halves(bool is_better) {
    stalled_ = is_better ? 0 : stalled_ + 1;
    if (stalled_ < halve_after_) return false;
    stalled_ = 0;
    step_ /= 2;
    return true;
  }

 private:
  int halve_after_;
  double least_;
  double step_ = 2;
  int stalled_ = 0;
};
constexpr double noticeable = 1e-5;  // a bound that is better by less, in parts of it, is not

class subgradient {
 public:
  explicit subgradient(const cover_problem& problem)
      : problem_(problem),
        matrix_(*problem.matrix),
        u_(matrix_.class_count()),
        best_u_(u_),
        slack_(u_.size()),
        price_(matrix_.test_count()),
        best_price_(price_) {
    for (std::size_t c = 0; c < u_.size(); ++c) u_[c] = static_cast<double>(problem_.weight[c]) / 2;
  }

  /// Minimizes sum(w - u) + sum(max(0, p - slope x cost)) from where it stands. `reached`: what some set reaches.
  void minimize(double slope, double reached, std::uint32_t iterations) {
    double best = std::numeric_limits<double>::infinity();
    step_schedule schedule(8, 0.005);
    for (std::uint32_t i = 0; i < iterations && !schedule.is_over(); ++i) {
      const double here = evaluate(slope);
      const bool halves = schedule.halves(here < best * (1 - noticeable));
      if (here < best) {
        best = here;
        best_u_ = u_;
        best_price_ = price_;
      }
      if (halves) {
        u_ = best_u_;
        continue;
      }
      if (!take_step(schedule.step() * std::max(here - reached, 1e-4 * here))) break;
    }
    u_ = best_u_;
  }

  const std::vector<double>& multipliers() const { return best_u_; }
  const std::vector<double>& prices() const { return best_price_; }

 private:
  double evaluate(double slope) {
    double sum = 0;
    for (std::size_t c = 0; c < u_.size(); ++c) sum += static_cast<double>(problem_.weight[c]) - u_[c];
    std::fill(slack_.begin(), slack_.end(), -1.0);
    for (std::uint32_t test = 0; test < price_.size(); ++test) {
      double price = 0;
      for (const std::uint32_t c : matrix_.classes_of(test)) price += u_[c];
      price_[test] = price;
      const double rest = price - slope * static_cast<double>(matrix_.cost_us[test]);
      if (rest <= 0) continue;
      sum += rest;
      for (const std::uint32_t c : matrix_.classes_of(test)) slack_[c] += 1;
    }
    return sum;
  }

  /// False at a minimum.
  bool take_step(double length) {
    double norm = 0;
    for (std::size_t c = 0; c < u_.size(); ++c) {
      const auto weight = static_cast<double>(problem_.weight[c]);
      if ((slack_[c] < 0 && u_[c] >= weight) || (slack_[c] > 0 && u_[c] <= 0)) slack_[c] = 0;
      norm += slack_[c] * slack_[c];
    }
    if (norm < 1e-9) return false;
    for (std::size_t c = 0; c < u_.size(); ++c)
      u_[c] = std::clamp(u_[c] - length / norm * slack_[c], 0.0, static_cast<double>(problem_.weight[c]));
    return true;
  }

  const cover_problem& problem_;
  const cover_matrix& matrix_;
  std::vector<double> u_, best_u_, slack_, price_, best_price_;
};

}  // namespace

cover_bound::cover_bound(const cover_problem& problem, const std::vector<greedy_step>& path, bound_effort effort)
    : total_weight_(problem.total_weight) {
  const cover_matrix& matrix = *problem.matrix;
  std::size_t longest = 0;
  for (std::uint32_t t = 0; t < matrix.test_count(); ++t) longest = std::max(longest, matrix.classes_of(t).size());
  // A bound is a sum over classes and one over tests, whose prices are sums over classes.
  slack_ = static_cast<double>(matrix.class_count() + matrix.test_count() + longest) * rounding_of_double *
           static_cast<double>(total_weight_);
  if (path.empty()) return;
  subgradient search(problem);
  for (std::uint32_t i = 0; i < effort.slopes; ++i) {
    // Most of what can be won is won by small budgets, so that they are looked at more closely.
    const double part = (i + 0.5) / effort.slopes;
    const double budget = effort.around_us ? static_cast<double>(*effort.around_us)
                                           : spread_part(part) * static_cast<double>(path.back().cost_us);
    const auto at = std::min<std::size_t>(path.size() - 1,
                                          std::partition_point(path.begin(), path.end(), [&](const greedy_step& s) {
                                            return static_cast<double>(s.cost_us) <= budget;
                                          }) - path.begin());
    const std::size_t from = at - std::min<std::size_t>(at, 3), to = std::min(path.size() - 1, at + 3);
    const double slope = from == to ? 0
                                    : static_cast<double>(path[to].covered - path[from].covered) /
                                          static_cast<double>(path[to].cost_us - path[from].cost_us);
    const double reached = static_cast<double>(path[at].covered) - slope * static_cast<double>(path[at].cost_us);
    search.minimize(slope, reached, effort.iterations);

    const std::vector<double>& prices = search.prices();
    std::vector<std::uint32_t> order(matrix.test_count());
    std::iota(order.begin(), order.end(), 0U);
    std::vector<double> densities(order.size());
    for (std::size_t t = 0; t < order.size(); ++t) densities[t] = prices[t] / static_cast<double>(matrix.cost_us[t]);
    std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
      return densities[a] != densities[b] ? densities[a] > densities[b] : a < b;
    });
    tangent made;
    for (std::size_t c = 0; c < problem.weight.size(); ++c)
      made.base += static_cast<double>(problem.weight[c]) - search.multipliers()[c];
    double cost = 0, gain = 0;
    for (const std::uint32_t test : order) {
      cost += static_cast<double>(matrix.cost_us[test]);
      gain += prices[test];
      made.costs.push_back(cost);
      made.gains.push_back(gain);
      if (made.base + gain > static_cast<double>(total_weight_)) break;
    }
    tangents_.push_back(std::move(made));
  }
}

std::int64_t cover_bound::most_within(std::int64_t budget_us) const {
  const auto budget = static_cast<double>(budget_us);
  double least = static_cast<double>(total_weight_);
  for (const tangent& t : tangents_) {
    const auto at =
        static_cast<std::size_t>(std::upper_bound(t.costs.begin(), t.costs.end(), budget) - t.costs.begin());
    double gain = at == 0 ? 0 : t.gains[at - 1];
    if (at < t.costs.size()) {
      const double cost = at == 0 ? 0 : t.costs[at - 1];
      gain += (budget - cost) / (t.costs[at] - cost) * (t.gains[at] - gain);
    }
    least = std::min(least, t.base + gain);
  }
  const double safe = std::floor(least + slack_);
  return std::min(total_weight_, static_cast<std::int64_t>(safe));
}

std::int64_t multicover_lower_bound(const cover_matrix& matrix, std::int64_t upper_bound_us,
                                    const std::vector<std::uint32_t>& demand, const std::vector<bool>& is_given) {
  constexpr std::uint64_t pairs_looked_at = 100'000'000, fewest = 100, most = 1000;  // iterations
  const std::uint64_t iterations =
      std::clamp(pairs_looked_at / std::max<std::size_t>(1, matrix.tests.size()), fewest, most);
  std::vector<double> y(matrix.class_count()), slope(y.size());
  const auto upper_bound = static_cast<double>(upper_bound_us);
  for (std::uint32_t c = 0; c < y.size(); ++c) {
    if (demand[c] == 0) continue;
    double cheapest = upper_bound;
    for (const std::uint32_t test : matrix.tests_of(c))
      cheapest = std::min(
          cheapest, static_cast<double>(matrix.cost_us[test]) / static_cast<double>(matrix.classes_of(test).size()));
    y[c] = cheapest;
  }
  std::vector<double> best_y = y;
  double best = 0;
  step_schedule schedule(10, 0.002);
  for (std::uint64_t i = 0; i < iterations && !schedule.is_over(); ++i) {
    double here = 0;
    for (std::uint32_t c = 0; c < y.size(); ++c) {
      here += demand[c] * y[c];
      slope[c] = demand[c];
    }
    for (std::uint32_t test = 0; test < matrix.test_count(); ++test) {
      if (is_given[test]) continue;
      auto rest = static_cast<double>(matrix.cost_us[test]);
      for (const std::uint32_t c : matrix.classes_of(test)) rest -= y[c];
      if (rest >= 0) continue;
      here += rest;
      for (const std::uint32_t c : matrix.classes_of(test)) slope[c] -= 1;
    }
    const bool halves = schedule.halves(here > best * (1 + noticeable));
    if (here > best) {
      best = here;
      best_y = y;
    }
    if (halves) {
      y = best_y;
      continue;
    }
    double norm = 0;
    for (std::uint32_t c = 0; c < y.size(); ++c)
      if (slope[c] > 0 || y[c] > 0) norm += slope[c] * slope[c];
    if (norm == 0) break;
    const double length = schedule.step() * std::max(1.0, upper_bound - here) / norm;
    for (std::uint32_t c = 0; c < y.size(); ++c)
      if (demand[c] > 0) y[c] = std::max(0.0, y[c] + length * slope[c]);
  }
  // Costs are whole; a millionth is more than what roundings take.
  return std::min(upper_bound_us, static_cast<std::int64_t>(std::ceil(best * (1 - 1e-6))));
}

std::int64_t set_cover_lower_bound(const cover_matrix& matrix, std::int64_t upper_bound_us) {
  return multicover_lower_bound(matrix, upper_bound_us, std::vector<std::uint32_t>(matrix.class_count(), 1),
                                std::vector<bool>(matrix.test_count()));
}

}  // namespace morph::optimizer
