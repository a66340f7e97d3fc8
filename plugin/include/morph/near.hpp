// Comparisons with a tolerance, for relations on floating-point numbers and what is made of them.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <type_traits>

#include "morph/text.hpp"

namespace morph {

/// `near(a, b, absolute(1e-12))`: at most this far apart.
struct absolute {
  double bound;
};
/// At most this part of the larger one apart.
struct relative {
  double bound;
};
/// At most as many representable numbers apart ("units in the last place").
struct ulps {
  std::uint64_t bound;
};
/// Absolute below 1 and relative above: the usual meaning of "the same number".
struct within {
  double bound = 1e-9;
};

namespace detail {

inline bool near_number(double a, double b, absolute tolerance) {
  return std::abs(a - b) <= tolerance.bound;
}
inline bool near_number(double a, double b, relative tolerance) {
  return std::abs(a - b) <= tolerance.bound * std::max(std::abs(a), std::abs(b));
}
inline bool near_number(double a, double b, within tolerance) {
  return std::abs(a - b) <= tolerance.bound * std::max(1.0, std::max(std::abs(a), std::abs(b)));
}

/// Numbers in their order, as whole numbers: neighbours differ by 1, and 0.0 equals -0.0.
template <typename Bits, typename Number>
Bits place_of(Number value) {
  Bits bits = 0;
  std::memcpy(&bits, &value, sizeof bits);
  constexpr Bits sign = Bits{1} << (sizeof(Bits) * 8 - 1);
  return bits & sign ? sign - (bits - sign) : sign + bits;
}
template <typename Number>
bool near_number(Number a, Number b, ulps tolerance) {
  static_assert(sizeof(Number) <= 8, "morph: units in the last place are told for float and double");
  using bits = std::conditional_t<sizeof(Number) == 4, std::uint32_t, std::uint64_t>;
  const bits x = place_of<bits>(a);
  const bits y = place_of<bits>(b);
  return (x > y ? x - y : y - x) <= tolerance.bound;
}

template <typename T, typename Tolerance>
bool near_value(const T& a, const T& b, Tolerance tolerance);

template <typename T, typename Tolerance, std::size_t... I>
bool near_members(const T& a, const T& b, Tolerance tolerance, std::index_sequence<I...>) {
  return (near_value(std::get<I>(a), std::get<I>(b), tolerance) && ...);
}

/// By key, where there are keys.
template <typename T, typename Tolerance>
bool near_unordered(const T& a, const T& b, Tolerance tolerance) {
  if constexpr (
      requires { typename T::mapped_type; } && requires(T & values) { values.at(values.begin()->first); }) {
    if (a.size() != b.size()) return false;
    for (const auto& [key, value] : a) {
      const auto other = b.find(key);
      if (other == b.end() || !near_value(value, other->second, tolerance)) return false;
    }
    return true;
  } else {
    return a == b;
  }
}

template <typename T, typename Tolerance>
bool near_value(const T& a, const T& b, Tolerance tolerance) {
  if constexpr (std::is_floating_point_v<T>) {
    if (a == b || (a != a && b != b)) return true;
    if (!(a - a == 0) || !(b - b == 0)) return false;  // infinite, or not both a number
    return near_number(a, b, tolerance);
  } else if constexpr (text::is_text_array<T>) {
    return std::string_view(a, ::strnlen(a, sizeof a)) == std::string_view(b, ::strnlen(b, sizeof b));
  } else if constexpr (text::texted<T> || std::is_arithmetic_v<T> || std::is_enum_v<T>) {
    return a == b;
  } else if constexpr (text::is_variant<T>) {
    return a.index() == b.index() && std::visit(
                                         [&](const auto& held) {
                                           const auto* const other =
                                               std::get_if<std::remove_cvref_t<decltype(held)>>(&b);
                                           return other != nullptr && near_value(held, *other, tolerance);
                                         },
                                         a);
  } else if constexpr (text::unordered<T>) {
    return near_unordered(a, b, tolerance);
  } else if constexpr (text::range_like<T>) {
    auto x = std::begin(a);
    auto y = std::begin(b);
    for (; x != std::end(a) && y != std::end(b); ++x, ++y)
      if (!near_value(*x, *y, tolerance)) return false;
    return x == std::end(a) && y == std::end(b);
  } else if constexpr (text::tuple_like<T>) {
    return near_members(a, b, tolerance, std::make_index_sequence<std::tuple_size_v<T>>{});
  } else if constexpr (text::nullable<T>) {
    return static_cast<bool>(a) == static_cast<bool>(b) && (!a || near_value(*a, *b, tolerance));
  } else if constexpr (reflect::reflectable<T>) {
    using members = decltype(reflect::tie(a));
    return near_members<members>(reflect::tie(a), reflect::tie(b), tolerance,
                                 std::make_index_sequence<std::tuple_size_v<members>>{});
  } else {
    return a == b;
  }
}

}  // namespace detail

/// Structural: members of aggregates, elements of ranges, held values, each by the tolerance. Numbers that are not
/// floating-point, strings and enumerations are equal or not. Not-a-number is near not-a-number, infinity near itself
/// alone.
template <typename T, typename Tolerance = within>
bool near(const T& a, const T& b, Tolerance tolerance = {}) {
  if constexpr (std::is_arithmetic_v<Tolerance>)
    return detail::near_value(a, b, within{static_cast<double>(tolerance)});
  else
    return detail::near_value(a, b, tolerance);
}
inline bool near(double a, double b, double bound) {
  return detail::near_value(a, b, within{bound});
}

}  // namespace morph
