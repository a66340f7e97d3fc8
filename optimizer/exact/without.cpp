// A build without CBC.
#include "optimizer/exact/exact.hpp"

namespace morph::optimizer {

bool has_exact_lane() {
  return false;
}

std::string_view exact_solver() {
  return {};
}

std::optional<exact_set> cheapest_cover(const cover_problem&, exact_effort) {
  return std::nullopt;
}

std::optional<exact_set> largest_cover(const cover_problem&, std::int64_t, exact_effort) {
  return std::nullopt;
}

}  // namespace morph::optimizer
