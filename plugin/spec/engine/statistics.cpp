// Tests of hypotheses about samples.
#include "morph/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace morph {
namespace {

/// The continued fraction of the incomplete beta function, by Lentz's method.
double beta_fraction(double a, double b, double x) {
  constexpr double tiny = 1e-300;
  double c = 1;
  double d = 1 - (a + b) * x / (a + 1);
  d = 1 / (std::abs(d) < tiny ? tiny : d);
  double made = d;
  for (int m = 1; m <= 500; ++m) {
    const double two_m = 2.0 * m;
    for (const double factor : {m * (b - m) * x / ((a + two_m - 1) * (a + two_m)),
                                -(a + m) * (a + b + m) * x / ((a + two_m) * (a + two_m + 1))}) {
      d = 1 + factor * d;
      d = 1 / (std::abs(d) < tiny ? tiny : d);
      c = 1 + factor / c;
      if (std::abs(c) < tiny) c = tiny;
      made *= c * d;
    }
    if (std::abs(c * d - 1) < 1e-15) break;
  }
  return made;
}

/// I_x(a, b).
double incomplete_beta(double a, double b, double x) {
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  const double front =
      std::exp(std::lgamma(a + b) - std::lgamma(a) - std::lgamma(b) + a * std::log(x) + b * std::log1p(-x));
  return x < (a + 1) / (a + b + 2) ? front * beta_fraction(a, b, x) / a : 1 - front * beta_fraction(b, a, 1 - x) / b;
}

struct moments {
  double mean = 0, variance = 0;
};

moments moments_of(const std::vector<double>& values) {
  // From the first value on: of constant samples, the variance is 0, whatever is rounded.
  moments made;
  for (const double value : values) made.mean += (value - values[0]) / static_cast<double>(values.size());
  made.mean += values[0];
  for (const double value : values)
    made.variance += (value - made.mean) * (value - made.mean) / static_cast<double>(values.size() - 1);
  return made;
}

double log_choose(double n, double k) {
  return std::lgamma(n + 1) - std::lgamma(k + 1) - std::lgamma(n - k + 1);
}

}  // namespace

double two_sided_t(double t, double degrees) {
  return incomplete_beta(degrees / 2, 0.5, degrees / (degrees + t * t));
}

bool same_mean(const std::vector<double>& a, const std::vector<double>& b, double error) {
  if (a.size() < 2 || b.size() < 2) return true;  // nothing is known
  const moments x = moments_of(a);
  const moments y = moments_of(b);
  const double va = x.variance / static_cast<double>(a.size());
  const double vb = y.variance / static_cast<double>(b.size());
  if (va + vb == 0) return x.mean == y.mean;
  const double t = (x.mean - y.mean) / std::sqrt(va + vb);
  const double degrees = (va + vb) * (va + vb) /
                         (va * va / static_cast<double>(a.size() - 1) + vb * vb / static_cast<double>(b.size() - 1));
  return two_sided_t(t, degrees) >= error;
}

bool same_distribution(const std::vector<double>& a, const std::vector<double>& b, double error) {
  if (a.empty() || b.empty()) return a.size() == b.size();
  std::vector<double> x = a, y = b;
  // What is no number stands behind all numbers.
  const auto before = [](double p, double q) { return p < q || (p == p && q != q); };
  std::sort(x.begin(), x.end(), before);
  std::sort(y.begin(), y.end(), before);
  double largest = 0;
  std::size_t i = 0, j = 0;
  while (i < x.size() && j < y.size()) {
    const double value = std::min(x[i], y[j], before);
    while (i < x.size() && !before(value, x[i])) ++i;
    while (j < y.size() && !before(value, y[j])) ++j;
    largest = std::max(largest, std::abs(static_cast<double>(i) / static_cast<double>(x.size()) -
                                         static_cast<double>(j) / static_cast<double>(y.size())));
  }
  const double n =
      static_cast<double>(x.size()) * static_cast<double>(y.size()) / static_cast<double>(x.size() + y.size());
  const double lambda = (std::sqrt(n) + 0.12 + 0.11 / std::sqrt(n)) * largest;
  double probability = 0;  // of Kolmogorov's distribution beyond lambda
  for (int k = 1; k <= 100; ++k) probability += (k % 2 == 1 ? 2 : -2) * std::exp(-2 * k * k * lambda * lambda);
  return lambda < 0.2 || probability >= error;
}

bool same_rate(std::size_t successes_a, std::size_t runs_a, std::size_t successes_b, std::size_t runs_b, double error) {
  const auto n = static_cast<double>(runs_a);
  const auto m = static_cast<double>(runs_b);
  const auto all = static_cast<double>(successes_a + successes_b);
  const auto log_probability = [&](double in_a) {
    return log_choose(n, in_a) + log_choose(m, all - in_a) - log_choose(n + m, all);
  };
  // All tables that are as unlikely as this one, or more.
  const double seen = log_probability(static_cast<double>(successes_a));
  double probability = 0;
  for (double in_a = std::max(0.0, all - m); in_a <= std::min(n, all); ++in_a)
    if (const double each = log_probability(in_a); each <= seen + 1e-9) probability += std::exp(each);
  return probability >= error;
}

std::vector<double> plus(std::vector<double> values, double by) {
  for (double& each : values) each += by;
  return values;
}
std::vector<double> times(std::vector<double> values, double by) {
  for (double& each : values) each *= by;
  return values;
}

}  // namespace morph
