// The plain types of a test-set matrix: tests x weighted requirements.
#pragma once

#include <cstdint>
#include <vector>

namespace morph::optimizer {

/// What a test can cover. The numbers are stored on disk: append, never renumber.
enum class requirement_kind : std::uint8_t {
  line = 1,
  function = 2,
  unit = 3,
  branch = 4,
  kill = 5,
  condition = 6,
  data = 7,
  input = 8,
  unshown = 9  // nothing to cover: see store::element
};

/// Requirements covered by exactly the same tests, merged without loss.
struct requirement_class {
  std::vector<std::uint32_t> tests;  // ascending
  std::uint64_t weight = 1;          // how many requirements were merged, or their summed weights
};

/// What an order is made for. Within a level a test is worth the weight it newly covers per microsecond; a later level
/// decides only when no test gains anything in the earlier ones.
struct instance {
  std::vector<std::int64_t> cost_us;                   // a test's cost; values below 1 count as 1
  std::vector<std::vector<requirement_class>> levels;  // most important level first
};

/// Sums of weights and of costs stay below this, so that a double holds each of them exactly.
inline constexpr std::int64_t largest_sum = std::int64_t{1} << 52;

}  // namespace morph::optimizer
