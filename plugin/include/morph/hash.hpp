// What identifies a value: 64 bits that are the same on every machine, with every compiler. Values of equal text
// (text.hpp) have equal hashes.
#pragma once

#include <cstdint>
#include <string_view>

#include "morph/text.hpp"

namespace morph {

/// Of a number of 64-bit words, one after the other.
class word_hash {
 public:
  constexpr explicit word_hash(std::uint64_t start = 0) : state_(mixed(start + 0x9e3779b97f4a7c15)) {}
  constexpr void add(std::uint64_t word) { state_ = mixed((state_ ^ word) + 0x9e3779b97f4a7c15); }
  constexpr std::uint64_t value() const { return state_; }

  /// Each bit of the result depends on each bit of `x` (the finalizer of SplitMix64).
  static constexpr std::uint64_t mixed(std::uint64_t x) {
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
    x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
    return x ^ (x >> 31);
  }

 private:
  std::uint64_t state_;
};

/// Of the bytes, whatever the machine's byte order.
std::uint64_t hash_of_bytes(std::string_view bytes);

namespace text {

template <typename T>
concept hashed_by_members =
    !saved_by_hook<T> && !known_to_nlohmann<T> && !texted<T> && !is_text_array<T> && !is_variant<T> && !unordered<T>;

template <typename T>
constexpr std::uint64_t word_of(T value) {
  if constexpr (std::is_floating_point_v<T>) {
    if (value != value) return 0x7ff8000000000000;
    std::uint64_t bits = 0;
    const double as_double = static_cast<double>(value);
    std::memcpy(&bits, &as_double, sizeof bits);
    return bits;
  } else {
    return static_cast<std::uint64_t>(value);
  }
}

template <typename T>
void hash(word_hash& to, const T& value) {
  if constexpr ((std::is_arithmetic_v<T> && sizeof(T) <= 8) || (std::is_enum_v<T> && hashed_by_members<T>)) {
    to.add(word_of(value));
  } else if constexpr (hashed_by_members<T> && range_like<T>) {
    std::uint64_t size = 0;
    for (auto&& each : value) {
      hash(to, each);
      ++size;
    }
    to.add(size);
  } else if constexpr (hashed_by_members<T> && tuple_like<T>) {
    std::apply([&](const auto&... each) { (hash(to, each), ...); }, value);
  } else if constexpr (hashed_by_members<T> && !nullable<T> && reflect::reflectable<T>) {
    std::apply([&](const auto&... each) { (hash(to, each), ...); }, reflect::tie(value));
  } else if constexpr (texted<T> && !is_text_array<T> && !saved_by_hook<T> && !known_to_nlohmann<T>) {
    to.add(hash_of_bytes(value));
  } else {
    std::string written;
    write(written, value, false);
    to.add(hash_of_bytes(written));
  }
}

}  // namespace text

template <typename T>
std::uint64_t hash_of(const T& value) {
  word_hash made;
  text::hash(made, value);
  return made.value();
}

}  // namespace morph
