// The rule of GRANULARITY auto.
#include "plugin/selection/granularity.hpp"

namespace morph::selection {

bool prefers_batches(std::size_t cases, std::optional<double> seconds, bool had_batches) {
  constexpr double process_seconds = 0.0045, few = 100, many = 2000, hysteresis = 0.5;
  const double scale = had_batches ? hysteresis : 1;
  const auto number = static_cast<double>(cases);
  if (number > many * scale) return true;
  if (number <= few * scale || !seconds) return false;
  return number * process_seconds > *seconds * scale;
}

}  // namespace morph::selection
