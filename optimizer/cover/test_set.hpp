// A set of tests as bits.
#pragma once

#include <cstdint>
#include <vector>

namespace morph::optimizer {

/// One bit a test.
using test_set = std::vector<std::uint64_t>;

/// Of so many tests, none of which is in it.
inline test_set empty_set(std::uint32_t tests) {
  return test_set((static_cast<std::size_t>(tests) + 63) / 64);
}

inline bool has(const test_set& set, std::uint32_t test) {
  return (set[test / 64] >> (test % 64) & 1U) != 0;
}

inline void insert(test_set& set, std::uint32_t test) {
  set[test / 64] |= std::uint64_t{1} << (test % 64);
}

}  // namespace morph::optimizer
