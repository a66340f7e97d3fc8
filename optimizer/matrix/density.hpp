// Gain per cost, compared exactly.
#pragma once

#include <cstdint>

namespace morph::optimizer {

__extension__ using uint128 = unsigned __int128;  // -Wpedantic: both compilers have it, ISO C++ has not

/// What a test gives, and what it costs; neither is negative.
struct value {
  std::uint32_t test;
  std::int64_t gain;
  std::int64_t cost_us;
};

/// Whether `a` comes before `b`: more gain per cost, then more gain, then less cost, then the smaller number.
inline bool is_denser(const value& a, const value& b) {
  const auto left = static_cast<uint128>(a.gain) * static_cast<std::uint64_t>(b.cost_us);
  const auto right = static_cast<uint128>(b.gain) * static_cast<std::uint64_t>(a.cost_us);
  if (left != right) return left > right;
  if (a.gain != b.gain) return a.gain > b.gain;
  if (a.cost_us != b.cost_us) return a.cost_us < b.cost_us;
  return a.test < b.test;
}

}  // namespace morph::optimizer
