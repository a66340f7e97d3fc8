#include "recognisers.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>

namespace perception {
namespace {

/// The grey that occurs most.
int background_of(const image& of) {
  std::array<int, 256> number{};
  for (const std::uint8_t grey : of.pixels) ++number[grey];
  return static_cast<int>(std::max_element(number.begin(), number.end()) - number.begin());
}

std::array<double, 7> hu_moments(const image& of) {
  const int background = background_of(of);
  const auto ink = [&](int x, int y) { return std::abs(of.at(x, y) - background); };
  double mass = 0, mx = 0, my = 0;
  for (int y = 0; y < of.height; ++y)
    for (int x = 0; x < of.width; ++x) mass += ink(x, y), mx += x * ink(x, y), my += y * ink(x, y);
  if (mass == 0) return {};
  mx /= mass, my /= mass;
  std::array<std::array<double, 4>, 4> n{};  // central, made independent of size
  for (int y = 0; y < of.height; ++y)
    for (int x = 0; x < of.width; ++x)
      for (int p = 0; p < 4; ++p)
        for (int q = 0; p + q < 4; ++q) n[p][q] += std::pow(x - mx, p) * std::pow(y - my, q) * ink(x, y);
  for (int p = 0; p < 4; ++p)
    for (int q = 0; p + q < 4; ++q) n[p][q] /= std::pow(mass, 1 + (p + q) / 2.0);
  const double a = n[3][0] + n[1][2], b = n[2][1] + n[0][3], c = n[3][0] - 3 * n[1][2], d = 3 * n[2][1] - n[0][3];
  const double e = n[2][0] - n[0][2], f = n[1][1];
  return {n[2][0] + n[0][2],
          e * e + 4 * f * f,
          c * c + d * d,
          a * a + b * b,
          c * a * (a * a - 3 * b * b) + d * b * (3 * a * a - b * b),
          e * (a * a - b * b) + 4 * f * a * b,
          d * a * (a * a - 3 * b * b) - c * b * (3 * a * a - b * b)};
}

/// Of the pixels of `target` and those of `subject` at places that `where` gives.
template <typename Where>
double correlation(const image& target, const image& subject, const Where& where) {
  double n = 0, st = 0, ss = 0, stt = 0, sss = 0, sts = 0;
  for (int y = 0; y < target.height; y += 2)
    for (int x = 0; x < target.width; x += 2) {
      const auto [sx, sy] = where(x, y);
      const double t = target.at(x, y), s = subject.at(sx, sy);
      n += 1, st += t, ss += s, stt += t * t, sss += s * s, sts += t * s;
    }
  const double spread = (stt - st * st / n) * (sss - ss * ss / n);
  return spread <= 0 ? 0 : (sts - st * ss / n) / std::sqrt(spread);
}

}  // namespace

double by_pixels(const image_pair& pair) {
  const image target = read_pgm(pair.target), subject = read_pgm(pair.subject);
  double sum = 0;
  for (int y = 0; y < target.height; ++y)
    for (int x = 0; x < target.width; ++x) sum += std::abs(target.at(x, y) - subject.at(x, y));
  return std::max(0.0, 1 - sum / (target.width * target.height * 128.0));
}

double by_moments(const image_pair& pair) {
  const auto target = hu_moments(read_pgm(pair.target)), subject = hu_moments(read_pgm(pair.subject));
  double apart = 0;
  const auto scaled = [](double moment) { return std::copysign(std::log10(std::abs(moment) + 1e-30), moment); };
  for (std::size_t i = 0; i < 4; ++i) apart += std::abs(scaled(target[i]) - scaled(subject[i]));
  return 1 / (1 + apart);
}

double by_search(const image_pair& pair) {
  const image target = read_pgm(pair.target), subject = read_pgm(pair.subject);
  double best = 0;
  for (int turn = 0; turn < 24; ++turn) {
    const double angle = turn * std::acos(-1.0) / 12, c = std::cos(angle), s = std::sin(angle);
    for (int dy = -8; dy <= 8; dy += 4)
      for (int dx = -8; dx <= 8; dx += 2)
        best = std::max(best, correlation(target, subject, [&](int x, int y) {
                          const double px = x - target.width / 2.0 + 0.5, py = y - target.height / 2.0 + 0.5;
                          return std::pair(
                              static_cast<int>(std::lround(c * px - s * py + subject.width / 2.0 - 0.5)) + dx,
                              static_cast<int>(std::lround(s * px + c * py + subject.height / 2.0 - 0.5)) + dy);
                        }));
  }
  return std::clamp((best - 0.5) / 0.5, 0.0, 1.0);
}

double by_histogram(const image& target, const image& subject) {
  std::array<double, 16> of_target{}, of_subject{};
  for (const std::uint8_t grey : target.pixels) of_target[grey / 16] += 1.0 / static_cast<double>(target.pixels.size());
  for (const std::uint8_t grey : subject.pixels)
    of_subject[grey / 16] += 1.0 / static_cast<double>(subject.pixels.size());
  double both = 0;
  for (std::size_t i = 0; i < of_target.size(); ++i) both += std::min(of_target[i], of_subject[i]);
  return both;
}

}  // namespace perception
