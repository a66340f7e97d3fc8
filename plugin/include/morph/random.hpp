// Random numbers that are the same on every machine for the same seed.
#pragma once

#include <cstdint>
#include <string_view>

namespace morph {

/// SplitMix64 (Steele, Lea, Flood 2014): one word of state, so that streams are cheap.
class random_source {
 public:
  explicit constexpr random_source(std::uint64_t seed) : state_(seed) {}

  constexpr std::uint64_t operator()() {
    std::uint64_t x = state_ += 0x9e3779b97f4a7c15;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
    x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
    return x ^ (x >> 31);
  }
  /// Uniform in [0, bound); 0 for a bound of 0.
  constexpr std::uint64_t below(std::uint64_t bound) {
    if (bound == 0) return 0;
    // What would make the lower numbers likelier is drawn again.
    const std::uint64_t uneven = (0 - bound) % bound;
    for (;;)
      if (const std::uint64_t drawn = (*this)(); drawn >= uneven) return drawn % bound;
  }
  /// Uniform in [0, 1), in steps of 2^-53.
  constexpr double unit() { return static_cast<double>((*this)() >> 11) * 0x1p-53; }

 private:
  std::uint64_t state_;
};

}  // namespace morph
