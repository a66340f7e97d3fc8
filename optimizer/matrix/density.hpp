// Gain per cost, compared exactly.
#pragma once

#include <compare>
#include <cstdint>

namespace morph::optimizer {

__extension__ using uint128 = unsigned __int128;  // -Wpedantic: both compilers have it, ISO C++ has not

/// What a test gives, and what it costs; neither is negative.
struct value {
  std::uint32_t test;
  std::int64_t gain;
  std::int64_t cost_us;
  bool operator==(const value&) const = default;
};

/// The gain per cost of `a` against that of `b`.
inline std::strong_ordering compare_density(std::int64_t gain_a, std::int64_t cost_a_us, std::int64_t gain_b,
                                            std::int64_t cost_b_us) {
  return static_cast<uint128>(gain_a) * static_cast<std::uint64_t>(cost_b_us) <=>
         static_cast<uint128>(gain_b) * static_cast<std::uint64_t>(cost_a_us);
}

/// Whether `a` comes before `b`: more gain per cost, then more gain, then less cost, then the smaller number.
inline bool is_denser(const value& a, const value& b) {
  if (const auto order = compare_density(a.gain, a.cost_us, b.gain, b.cost_us); order != 0) return order > 0;
  if (a.gain != b.gain) return a.gain > b.gain;
  if (a.cost_us != b.cost_us) return a.cost_us < b.cost_us;
  return a.test < b.test;
}

inline bool is_less_dense(const value& a, const value& b) {
  return is_denser(b, a);
}

}  // namespace morph::optimizer
