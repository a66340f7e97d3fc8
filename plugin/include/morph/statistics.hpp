// Whether samples of outputs are alike: for statistical relations on random or learned programs.
//
//   s.statistical_relation("the mean moves with the input", shifted, 200, [](auto& mutant, auto& origin) {
//     return morph::same_mean(morph::plus(mutant, -1.0), origin, 1e-6);
//   });
#pragma once

#include <cstddef>
#include <vector>

namespace morph {

/// Welch's t-test: false if the means differ. Where they are the same, it says false with probability `error` at most,
/// for samples that are large (30 and more) or normally distributed. Constant samples are the same if they are equal.
bool same_mean(const std::vector<double>& a, const std::vector<double>& b, double error);

/// The two-sample test of Kolmogorov and Smirnov: false if the distributions differ. Where they are the same, it says
/// false with probability `error` at most; for continuous ones asymptotically, else less often.
bool same_distribution(const std::vector<double>& a, const std::vector<double>& b, double error);

/// Whether an event has the same probability in both: `successes` of `runs` each, by Fisher's exact test.
bool same_rate(std::size_t successes_a, std::size_t runs_a, std::size_t successes_b, std::size_t runs_b, double error);

/// The error of each of `checks` checks, so that all together have `error` at most (Bonferroni).
inline double shared_error(double error, std::size_t checks) {
  return checks == 0 ? error : error / static_cast<double>(checks);
}

/// The probability that Student's t with that many degrees of freedom is at least |t| away from 0.
double two_sided_t(double t, double degrees);

/// Each value with `by` added, or multiplied.
std::vector<double> plus(std::vector<double> values, double by);
std::vector<double> times(std::vector<double> values, double by);

}  // namespace morph
