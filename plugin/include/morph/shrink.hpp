// Smaller values that are like a given one: what a violation is tried with, to show it as simply as can be.
//
// A type of your own: `std::vector<T> morph_shrink(const T&)` in its namespace, the smallest first.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <type_traits>
#include <utility>
#include <vector>

#include "morph/text.hpp"

namespace morph {

namespace detail {

template <typename T>
concept shrunk_by_hook = requires(const T& value, std::vector<T> made) {
  made = morph_shrink(value);
};

template <typename T, typename Try>
void shrink(const T& value, const Try& attempt);

/// Towards zero. Not of <cmath>, which takes a tenth of the time to compile these headers.
long double without_fraction(long double value);
template <typename T>
T whole_part(T value) {
  return static_cast<T>(without_fraction(static_cast<long double>(value)));
}

template <typename T, typename Try>
void shrink_number(T value, const Try& attempt) {
  if (value == T(0)) return;
  attempt(T(0));
  if constexpr (std::is_floating_point_v<T>) {
    if (value != value || value - value != T(0)) return attempt(T(1));
    if (value < T(0)) attempt(-value);
    if (const T whole = whole_part<T>(value); whole != value) {
      attempt(whole);
      if (const T tenths = whole_part<T>(value * T(10)) / T(10); tenths != value) attempt(tenths);
      if (const T thousandths = whole_part<T>(value * T(1000)) / T(1000); thousandths != value) attempt(thousandths);
      return;
    }
    for (T step = whole_part<T>(value / T(2)); std::abs(step) >= T(1); step = whole_part<T>(step / T(2)))
      attempt(value - step);
    if (std::abs(value) <= T(1e15)) attempt(value > T(0) ? value - T(1) : value + T(1));
  } else {
    if constexpr (std::is_signed_v<T>)
      if (value < T(0) && value != std::numeric_limits<T>::min()) attempt(static_cast<T>(-value));
    for (T step = static_cast<T>(value / T(2)); step != T(0); step = static_cast<T>(step / T(2)))
      attempt(static_cast<T>(value - step));
    attempt(static_cast<T>(value > T(0) ? value - T(1) : value + T(1)));
  }
}

template <typename T, typename Try>
void shrink_sequence(const T& values, const Try& attempt) {
  const std::size_t size = values.size();
  if (size == 0) return;
  attempt(T());
  // Parts are left out, from halves down to single elements; of what is long, only as many as memory has room for.
  constexpr std::size_t most_elements = std::size_t{1} << 21;
  for (std::size_t part = size / 2; part > 0 && (size / part <= 8 || size <= most_elements / (size / part)); part /= 2)
    for (std::size_t at = 0; at < size; at += part) {
      T rest = values;
      const auto first = rest.begin() + static_cast<std::ptrdiff_t>(at);
      rest.erase(first, first + static_cast<std::ptrdiff_t>(std::min(part, size - at)));
      attempt(std::move(rest));
    }
  for (std::size_t at = 0; at < size && at < 64; ++at)
    shrink(values[at], [&](typename T::value_type smaller) {
      T changed = values;
      changed[at] = std::move(smaller);
      attempt(std::move(changed));
    });
}

/// Sets, maps, lists: their elements stay what they are.
template <typename T, typename Try>
void shrink_set(const T& values, const Try& attempt) {
  if (values.empty()) return;
  attempt(T());
  std::size_t at = 0;
  for (auto one = values.begin(); one != values.end() && at < 256; ++one, ++at) {
    T rest = values;
    rest.erase(std::next(rest.begin(), static_cast<std::ptrdiff_t>(at)));
    attempt(std::move(rest));
  }
}

/// `part_of(whole)` is what gets smaller; of an array, each element.
template <typename Whole, typename Part, typename Try>
void shrink_part(const Whole& whole, const Part& part_of, const Try& attempt) {
  using part = std::remove_cvref_t<decltype(part_of(whole))>;
  if constexpr (!std::is_array_v<part>) {
    shrink(part_of(whole), [&](part smaller) {
      Whole changed = whole;
      part_of(changed) = std::move(smaller);
      attempt(std::move(changed));
    });
  } else if constexpr (!text::is_text_array<part>) {
    for (std::size_t at = 0; at < std::extent_v<part>; ++at)
      shrink_part(
          whole, [&](auto& of) -> auto& { return part_of(of)[at]; }, attempt);
  }
}

template <std::size_t I, typename Whole>
auto& member_of(Whole& whole) {
  if constexpr (text::tuple_like<std::remove_const_t<Whole>>)
    return std::get<I>(whole);
  else
    return std::get<I>(reflect::tie(whole));
}

template <typename Whole, typename Try, std::size_t... I>
void shrink_members(const Whole& whole, const Try& attempt, std::index_sequence<I...>) {
  (shrink_part(
       whole, [](auto& of) -> auto& { return member_of<I>(of); }, attempt),
   ...);
}

template <typename T, typename Try>
void shrink(const T& value, const Try& attempt) {
  if constexpr (shrunk_by_hook<T>) {
    for (T& smaller : morph_shrink(value)) attempt(std::move(smaller));
  } else if constexpr (text::saved_by_hook<T> || text::known_to_nlohmann<T> || std::is_enum_v<T> ||
                       text::is_text_array<T>) {
    // What is inside is not ours to change.
  } else if constexpr (std::is_same_v<T, bool>) {
    if (value) attempt(false);
  } else if constexpr (std::is_same_v<T, char>) {
    if (value != 'a') attempt('a');
  } else if constexpr (std::is_arithmetic_v<T>) {
    shrink_number(value, attempt);
  } else if constexpr (text::range_like<T> && requires(T & v) {
                         v.erase(v.begin(), v.begin());
                         v[std::size_t{0}];
                         requires std::is_same_v<decltype(v[std::size_t{0}]), typename T::value_type&>;
                       }) {
    shrink_sequence(value, attempt);
  } else if constexpr (text::range_like<T> && requires(T & v) { v.erase(v.begin()); }) {
    shrink_set(value, attempt);
  } else if constexpr (text::range_like<T>) {
    if constexpr (requires(T & v) { requires std::is_same_v<decltype(v[std::size_t{0}]), typename T::value_type&>; })
      for (std::size_t at = 0; at < value.size(); ++at)
        shrink_part(
            value, [at](auto& of) -> auto& { return of[at]; }, attempt);
  } else if constexpr (text::tuple_like<T>) {
    shrink_members(value, attempt, std::make_index_sequence<std::tuple_size_v<T>>{});
  } else if constexpr (text::nullable<T> && std::is_copy_constructible_v<T>) {
    if (!value) return;
    attempt(T());
    using held = std::remove_cvref_t<decltype(*value)>;
    if constexpr (std::is_constructible_v<T, held>)
      shrink(*value, [&](held smaller) { attempt(T(std::move(smaller))); });
  } else if constexpr (reflect::reflectable<T> && std::is_copy_constructible_v<T>) {
    shrink_members(value, attempt, std::make_index_sequence<reflect::members<T>>{});
  }
}

}  // namespace detail
}  // namespace morph
