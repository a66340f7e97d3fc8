// Failure rates that forget, and how soon an order finds failures.
#include "optimizer/history.hpp"

#include <algorithm>
#include <numeric>

namespace morph::optimizer {
namespace {

constexpr double unseen = 0.5;  // what is taken for the rate of a test without verdicts
constexpr std::size_t neighbours = 15;

double own_rate(const verdicts& test) {
  double fast = unseen, failures = 0, runs = 0;
  for (const bool failed : test) {
    fast += 0.7 * ((failed ? 1.0 : 0.0) - fast);
    failures = 0.95 * failures + (failed ? 1.0 : 0.0);
    runs = 0.95 * runs + 1;
  }
  return (fast + (failures + unseen) / (runs + 1)) / 2;
}

struct counts {
  double failures = 0, runs = 0;
};

counts count(const verdicts& test) {
  counts sum;
  for (const bool failed : test) {
    sum.failures = 0.98 * sum.failures + (failed ? 1.0 : 0.0);
    sum.runs = 0.98 * sum.runs + 1;
  }
  return sum;
}

}  // namespace

std::vector<double> failure_rates(std::span<const verdicts> tests) {
  std::vector<std::size_t> known;
  std::vector<counts> of_known;
  counts all{0.2, 1};
  for (std::size_t t = 0; t < tests.size(); ++t) {
    if (tests[t].empty()) continue;
    known.push_back(t);
    of_known.push_back(count(tests[t]));
    all.failures += of_known.back().failures;
    all.runs += of_known.back().runs;
  }
  const double mean = all.failures / all.runs;
  std::vector<double> rates(tests.size(), unseen + 0.1 * mean);
  for (std::size_t i = 0; i < known.size(); ++i) {
    counts near{mean / 2, 0.5};
    const std::size_t from = i - std::min(i, neighbours), to = std::min(known.size(), i + neighbours + 1);
    for (std::size_t j = from; j < to; ++j) {
      if (j == i) continue;
      const double weight = 1.0 / (1.0 + static_cast<double>(j < i ? i - j : j - i));
      near.failures += weight * of_known[j].failures;
      near.runs += weight * of_known[j].runs;
    }
    rates[known[i]] = own_rate(tests[known[i]]) + 0.1 * near.failures / near.runs;
  }
  return rates;
}

double apfd(const std::vector<bool>& failed) {
  return napfd(failed, failed.size());
}

double apfd_by_cost(const std::vector<bool>& failed, std::span<const std::int64_t> cost_us) {
  const double all = static_cast<double>(std::accumulate(cost_us.begin(), cost_us.end(), std::int64_t{0}));
  double left = all, sum = 0, failures = 0;
  for (std::size_t i = 0; i < failed.size(); ++i) {
    const auto cost = static_cast<double>(cost_us[i]);
    if (failed[i]) {
      sum += left - cost / 2;
      ++failures;
    }
    left -= cost;
  }
  return failures == 0 || all == 0 ? 1 : sum / (all * failures);
}

double napfd(const std::vector<bool>& failed, std::size_t run) {
  const auto tests = static_cast<double>(run);
  double places = 0, failures = 0, found = 0;
  for (std::size_t i = 0; i < failed.size(); ++i) {
    if (!failed[i]) continue;
    ++failures;
    if (i >= run) continue;
    ++found;
    places += static_cast<double>(i + 1);
  }
  if (failures == 0) return 1;
  if (run == 0) return 0;
  const double part = found / failures;
  return part - places / (tests * failures) + part / (2 * tests);
}

}  // namespace morph::optimizer
