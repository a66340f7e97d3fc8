// How far two texts are apart.
#include "morph/distance.hpp"

#include <algorithm>
#include <numeric>

#include "plugin/writing/edit_distance.hpp"

namespace morph {

double edit_distance(std::string_view a, std::string_view b) {
  constexpr std::size_t longest = 512;
  const double beyond =
      static_cast<double>(std::max(a.size(), longest)) - static_cast<double>(std::max(b.size(), longest));
  return static_cast<double>(writing::edit_distance(a.substr(0, longest), b.substr(0, longest))) + std::abs(beyond);
}

std::string edit_midpoint(std::string_view a, std::string_view b) {
  const std::size_t width = b.size() + 1;
  std::vector<std::size_t> cost((a.size() + 1) * width);  // from the beginnings, of i characters to j
  std::iota(cost.begin(), cost.begin() + static_cast<std::ptrdiff_t>(width), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    cost[i * width] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = cost[(i - 1) * width + j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      cost[i * width + j] = std::min({replaced, cost[(i - 1) * width + j] + 1, cost[i * width + j - 1] + 1});
    }
  }
  // Back along a shortest way, to where half of it is left: up to there `b`, from there on `a`.
  std::size_t i = a.size(), j = b.size();
  const std::size_t half = cost.back() / 2;
  while (cost[i * width + j] > half) {
    const std::size_t here = cost[i * width + j];
    if (i > 0 && j > 0 && cost[(i - 1) * width + j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1) == here)
      --i, --j;
    else if (i > 0 && cost[(i - 1) * width + j] + 1 == here)
      --i;
    else
      --j;
  }
  return std::string(b.substr(0, j)) += a.substr(i);
}

}  // namespace morph
