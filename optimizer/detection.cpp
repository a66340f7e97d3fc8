// Conformal prediction over known faults, and rates of single tests.
#include "optimizer/detection.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "optimizer/matrix/random.hpp"

namespace morph::optimizer {
namespace {

/// 0 for the first test; below 1.
double score(std::size_t first, std::size_t tests) {
  return std::log(static_cast<double>(first)) / std::log(static_cast<double>(tests) + 1);
}

/// Of comparable faults.
std::vector<double> scores_of(std::span<const found_fault> known, std::size_t tests) {
  std::vector<double> scores;
  for (const found_fault& f : comparable_faults(known, tests)) scores.push_back(score(f.first, f.tests));
  std::sort(scores.begin(), scores.end());
  return scores;
}

constexpr double rounding = 1e-9;

/// How many of so many known faults, and of one that is not known, have to lie at a score or below it.
std::size_t rank_of(double probability, std::size_t known) {
  return static_cast<std::size_t>(std::ceil(probability * static_cast<double>(known + 1) - rounding));
}

}  // namespace

std::vector<found_fault> comparable_faults(std::span<const found_fault> known, std::size_t tests) {
  std::vector<found_fault> comparable;
  for (const found_fault& f : known)
    if (f.tests >= 2 && f.tests <= 3 * tests && tests <= 3 * f.tests) comparable.push_back(f);
  return comparable;
}

std::size_t faults_needed(double probability) {
  if (probability >= 1) return std::numeric_limits<std::size_t>::max();
  return static_cast<std::size_t>(std::ceil(probability / (1 - probability) - rounding));
}

std::size_t fewest_to_find(double probability, std::span<const found_fault> known, std::size_t tests) {
  if (!(probability > 0 && probability <= 1))
    throw std::invalid_argument("a probability of detection lies above 0, and not above 1");
  const std::vector<double> scores = scores_of(known, tests);
  const std::size_t rank = rank_of(probability, scores.size());
  if (rank > scores.size()) return tests;
  const double most = scores[std::max<std::size_t>(rank, 1) - 1];
  std::size_t first = std::min<std::size_t>(1, tests);
  while (first < tests && score(first + 1, tests) <= most) ++first;
  return first;
}

double found_within(std::size_t first, std::size_t tests, std::span<const found_fault> known) {
  if (first >= tests) return 1;
  const std::vector<double> scores = scores_of(known, tests);
  const auto found = std::lower_bound(scores.begin(), scores.end(), score(first + 1, tests)) - scores.begin();
  return static_cast<double>(found) / static_cast<double>(scores.size() + 1);
}

namespace {

void check(std::span<const known_kills> faults, std::size_t tests) {
  for (const known_kills& f : faults)
    if (f.kills.size() != f.executing.size() ||
        std::any_of(f.executing.begin(), f.executing.end(), [&](std::uint32_t t) { return t >= tests; }))
      throw std::invalid_argument("known kills name tests that there are, and say of each whether it fails");
}

double base_rate(std::span<const known_kills> faults) {
  double executed = 0, killed = 0;
  for (const known_kills& f : faults) {
    executed += static_cast<double>(f.kills.size());
    killed += static_cast<double>(std::count(f.kills.begin(), f.kills.end(), true));
  }
  return executed == 0 ? 0 : killed / executed;
}

}  // namespace

std::vector<double> kill_rates(std::span<const known_kills> faults, std::size_t tests) {
  check(faults, tests);
  constexpr double drawn = 10;
  std::vector<double> executed(tests, drawn), killed(tests, drawn * base_rate(faults));
  for (const known_kills& f : faults)
    for (std::size_t i = 0; i < f.executing.size(); ++i) {
      executed[f.executing[i]] += 1;
      if (f.kills[i]) killed[f.executing[i]] += 1;
    }
  for (std::size_t t = 0; t < tests; ++t) killed[t] /= executed[t];
  return killed;
}

detection_rates learn_detection(std::span<const known_kills> faults, std::size_t tests) {
  check(faults, tests);
  const double base = base_rate(faults);
  detection_rates learned{std::vector<double>(tests, base), base};
  if (faults.size() < fewest_faults_to_learn) return learned;

  constexpr std::uint64_t splits = 20;
  double pairs = 0;
  std::vector<known_kills> order(faults.begin(), faults.end());
  for (std::uint64_t split = 0; split < splits; ++split) {
    random_source random(split);
    for (auto i = static_cast<std::uint32_t>(order.size()); i > 1; --i) std::swap(order[i - 1], order[random.below(i)]);
    const std::span<const known_kills> all(order), half = all.first(all.size() / 2);
    const double base_of_half = base_rate(half);
    const std::vector<double> rates = kill_rates(half, tests);
    for (const known_kills& f : all.subspan(half.size()))
      for (std::size_t i = 0; i < f.executing.size(); ++i) {
        const double kills = f.kills[i] ? 1 : 0, error = rates[f.executing[i]] - kills,
                     base_error = base_of_half - kills;
        learned.brier += error * error;
        learned.base_brier += base_error * base_error;
        pairs += 1;
      }
  }
  if (pairs == 0) return learned;
  learned.brier /= pairs;
  learned.base_brier /= pairs;
  learned.are_learned = learned.brier < learned.base_brier;
  if (learned.are_learned) learned.of_test = kill_rates(faults, tests);
  return learned;
}

}  // namespace morph::optimizer
