// The one generator of random numbers: equal seeds give equal numbers with every compiler and library.
#pragma once

#include <cstdint>

#include "optimizer/matrix/density.hpp"

namespace morph::optimizer {

/// SplitMix64 (Steele, Lea and Flood, OOPSLA 2014).
class random_source {
 public:
  explicit random_source(std::uint64_t seed) : state_(seed) {}

  std::uint64_t operator()() {
    std::uint64_t z = state_ += 0x9E3779B97F4A7C15U;
    z = (z ^ (z >> 30U)) * 0xBF58476D1CE4E5B9U;
    z = (z ^ (z >> 27U)) * 0x94D049BB133111EBU;
    return z ^ (z >> 31U);
  }

  /// From 0 to n - 1; n is at least 1. Not exactly even: off by n / 2^64.
  std::uint32_t below(std::uint32_t n) {
    return static_cast<std::uint32_t>(static_cast<uint128>((*this)()) * n >> 64U);
  }

 private:
  std::uint64_t state_;
};

}  // namespace morph::optimizer
