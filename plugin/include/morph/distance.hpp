// How far apart two values are: what diversity and adaptive random seeds go by.
#pragma once

#include <cstdlib>
#include <string_view>
#include <vector>

#include "morph/text.hpp"

namespace morph {

/// Levenshtein's: how many characters have to be inserted, removed or replaced. Takes time in the product of lengths;
/// of texts beyond 512 characters, only their beginnings are compared, and their lengths.
double edit_distance(std::string_view a, std::string_view b);

/// Halfway from `a` to `b` on a shortest way of such edits: as many of them from `a`, rounded down, as from `b`,
/// rounded up. `a` itself where they are one edit apart. For exploration, as the midpoint of strings. Takes time and
/// memory in the product of lengths.
std::string edit_midpoint(std::string_view a, std::string_view b);

/// Numbers: the absolute difference. Aggregates, tuples and pairs: the sum over their members. Ranges: the sum over
/// places, and 1 for each place that only one has. Strings and everything else: edit_distance() of their texts.
template <typename T>
double distance(const T& a, const T& b) {
  if constexpr (std::is_arithmetic_v<T>) {
    if (a == b || (a != a && b != b)) return 0;
    const double apart = std::abs(static_cast<double>(a) - static_cast<double>(b));
    return apart == apart ? apart : 1;
  } else if constexpr (text::is_text_array<T>) {
    return edit_distance(std::string_view(a, ::strnlen(a, sizeof a)), std::string_view(b, ::strnlen(b, sizeof b)));
  } else if constexpr (text::texted<T>) {
    return edit_distance(a, b);
  } else if constexpr (text::saved_by_hook<T> || text::unordered<T>) {
    return edit_distance(to_text(a), to_text(b));
  } else if constexpr (text::range_like<T>) {
    double sum = 0;
    auto x = std::begin(a);
    auto y = std::begin(b);
    for (; x != std::end(a) && y != std::end(b); ++x, ++y) sum += distance(*x, *y);
    for (; x != std::end(a); ++x) ++sum;
    for (; y != std::end(b); ++y) ++sum;
    return sum;
  } else if constexpr (text::tuple_like<T>) {
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
      return (0.0 + ... + distance(std::get<I>(a), std::get<I>(b)));
    }
    (std::make_index_sequence<std::tuple_size_v<T>>{});
  } else if constexpr (reflect::reflectable<T> && !text::nullable<T>) {
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
      const auto x = reflect::tie(a);
      const auto y = reflect::tie(b);
      return (0.0 + ... + distance(std::get<I>(x), std::get<I>(y)));
    }
    (std::make_index_sequence<reflect::members<T>>{});
  } else {
    return edit_distance(to_text(a), to_text(b));
  }
}

}  // namespace morph
