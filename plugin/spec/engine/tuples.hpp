// Which k-tuples of n sources there are, one after the other or by their rank.
#pragma once

#include <array>
#include <cstdint>

#include "morph/declared.hpp"

namespace morph::engine {

inline constexpr std::size_t most_arguments = 6;
using tuple = std::array<std::uint32_t, most_arguments>;

/// How many there are; 2^63 if there are more.
std::uint64_t number_of_tuples(std::uint64_t sources, unsigned arity, tuples which);

/// The tuple of this rank, which is less than their number. Of unordered ones there are less than 2^63.
tuple tuple_of_rank(std::uint64_t rank, std::uint64_t sources, unsigned arity, tuples which);

/// All tuples of the sources 0 to n-1 that have at least one from `first_new` on, in the order of their places read as
/// digits.
class tuple_walk {
 public:
  tuple_walk(std::uint32_t sources, std::uint32_t first_new, unsigned arity, tuples which);
  /// False behind the last one.
  bool next(tuple& to);

 private:
  bool settle(unsigned from);
  bool used_before(unsigned place) const;
  std::uint32_t sources_, first_new_;
  unsigned arity_;
  tuples which_;
  tuple at_{};
  bool begun_ = false;
};

/// A permutation of 0 to size-1 (a Feistel network of four rounds, walked until it stays inside).
class shuffled {
 public:
  shuffled(std::uint64_t size, std::uint64_t seed);
  std::uint64_t at(std::uint64_t i) const;

 private:
  std::uint64_t size_, seed_;
  unsigned half_bits_ = 1;
};

/// A permutation whose beginnings are spread evenly over 0 to size-1: multiples of a number near size / golden ratio.
class spread {
 public:
  explicit spread(std::uint64_t size);
  std::uint64_t at(std::uint64_t i) const;

 private:
  std::uint64_t size_, step_ = 1;
};

}  // namespace morph::engine
