// How far two texts are apart.
#include "morph/distance.hpp"

#include <algorithm>
#include <numeric>

namespace morph {

double edit_distance(std::string_view a, std::string_view b) {
  constexpr std::size_t longest = 512;
  const double beyond =
      static_cast<double>(std::max(a.size(), longest)) - static_cast<double>(std::max(b.size(), longest));
  a = a.substr(0, longest);
  b = b.substr(0, longest);
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = row[0]++;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({replaced, row[j] + 1, row[j + 1] + 1});
    }
  }
  return static_cast<double>(row.back()) + std::abs(beyond);
}

}  // namespace morph
