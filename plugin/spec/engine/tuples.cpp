// Enumerating and ranking tuples.
#include "plugin/spec/engine/tuples.hpp"

#include <algorithm>
#include <numeric>

#include "morph/hash.hpp"

namespace morph::engine {
namespace {

constexpr std::uint64_t many = std::uint64_t{1} << 63;

std::uint64_t times(std::uint64_t a, std::uint64_t b) {
  std::uint64_t product = 0;
  return __builtin_mul_overflow(a, b, &product) || product > many ? many : product;
}

/// n over k.
std::uint64_t choices(std::uint64_t n, unsigned k) {
  if (k > n) return 0;
  std::uint64_t made = 1;
  for (unsigned i = 1; i <= k; ++i) {
    // made * (n - k + i) is divisible by i.
    const __uint128_t next = static_cast<__uint128_t>(made) * (n - k + i) / i;
    if (next > many) return many;
    made = static_cast<std::uint64_t>(next);
  }
  return made;
}

}  // namespace

std::uint64_t number_of_tuples(std::uint64_t sources, unsigned arity, tuples which) {
  if (which == tuples::unordered) return choices(sources, arity);
  std::uint64_t number = 1;
  for (unsigned i = 0; i < arity; ++i) {
    if (which == tuples::distinct && sources < i) return 0;
    number = times(number, which == tuples::all ? sources : sources - i);
  }
  return number;
}

tuple tuple_of_rank(std::uint64_t rank, std::uint64_t sources, unsigned arity, tuples which) {
  tuple made{};
  if (which == tuples::unordered) {
    // Lexicographic: those that begin with a lower number come first. Seen from the last one, what is left over are the
    // sources behind the one of this place.
    std::uint64_t from_last = choices(sources, arity) - 1 - rank;
    for (unsigned place = 0; place < arity; ++place) {
      const unsigned left = arity - place;
      std::uint64_t low = left - 1, high = sources;  // choices(low) <= from_last < choices(high)
      while (high - low > 1) {
        const std::uint64_t middle = low + (high - low) / 2;
        (choices(middle, left) <= from_last ? low : high) = middle;
      }
      from_last -= choices(low, left);
      made[place] = static_cast<std::uint32_t>(sources - 1 - low);
    }
    return made;
  }
  for (unsigned place = arity; place-- > 0;) {
    const std::uint64_t base = which == tuples::all ? sources : sources - place;
    made[place] = static_cast<std::uint32_t>(rank % base);
    rank /= base;
  }
  if (which == tuples::distinct) {
    // Each place counts the sources that the places before it left over.
    std::array<std::uint32_t, most_arguments> taken{};
    for (unsigned place = 0; place < arity; ++place) {
      std::uint32_t value = made[place];
      for (unsigned i = 0; i < place; ++i)
        if (value >= taken[i]) ++value;
      made[place] = value;
      auto* const end = taken.begin() + place;
      auto* const at = std::upper_bound(taken.begin(), end, value);
      std::move_backward(at, end, end + 1);
      *at = value;
    }
  }
  return made;
}

tuple_walk::tuple_walk(std::uint32_t sources, std::uint32_t first_new, unsigned arity, tuples which)
    : sources_(sources), first_new_(first_new), arity_(arity), which_(which) {}

bool tuple_walk::used_before(unsigned place) const {
  return which_ != tuples::all && std::find(at_.begin(), at_.begin() + place, at_[place]) != at_.begin() + place;
}

/// Makes the places from `from` on the least that may follow; `from` itself is at least what it is.
bool tuple_walk::settle(unsigned from) {
  unsigned place = from;
  for (;;) {
    const bool last = place + 1 == arity_;
    if (last && std::none_of(at_.begin(), at_.begin() + place, [&](auto s) { return s >= first_new_; }))
      at_[place] = std::max(at_[place], first_new_);
    while (at_[place] < sources_ && used_before(place)) ++at_[place];
    if (at_[place] >= sources_) {
      if (place == 0) return false;
      ++at_[--place];
    } else if (last) {
      return true;
    } else {
      ++place;
      at_[place] = which_ == tuples::unordered ? at_[place - 1] + 1 : 0;
    }
  }
}

bool tuple_walk::next(tuple& to) {
  if (begun_) {
    ++at_[arity_ - 1];
    if (!settle(arity_ - 1)) return false;
  } else {
    begun_ = true;
    if (!settle(0)) return false;
  }
  to = at_;
  return true;
}

shuffled::shuffled(std::uint64_t size, std::uint64_t seed) : size_(size), seed_(seed) {
  while (half_bits_ < 32 && (std::uint64_t{1} << (2 * half_bits_)) < size) ++half_bits_;
}

std::uint64_t shuffled::at(std::uint64_t i) const {
  const std::uint64_t mask = (std::uint64_t{1} << half_bits_) - 1;
  do {
    std::uint64_t left = i >> half_bits_;
    std::uint64_t right = i & mask;
    for (std::uint64_t round = 1; round <= 4; ++round) {
      const std::uint64_t next = left ^ (word_hash::mixed(right + seed_ * 31 + round * 0x9e3779b97f4a7c15) & mask);
      left = right;
      right = next;
    }
    i = left << half_bits_ | right;
  } while (i >= size_);
  return i;
}

spread::spread(std::uint64_t size) : size_(size) {
  if (size < 3) return;
  step_ = static_cast<std::uint64_t>(static_cast<double>(size) * 0.6180339887498949);
  while (std::gcd(step_, size_) != 1) ++step_;
}

std::uint64_t spread::at(std::uint64_t i) const {
  return static_cast<std::uint64_t>(static_cast<__uint128_t>(i) * step_ % size_);
}

}  // namespace morph::engine
