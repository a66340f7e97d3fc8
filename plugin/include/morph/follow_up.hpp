// Steps from one input to another, for specs whose second input was written by hand. What has no result throws: the
// input is not valid then.
#pragma once

#include <algorithm>
#include <cctype>
#include <iterator>
#include <limits>
#include <stdexcept>
#include <string>
#include <type_traits>

namespace morph {

namespace detail {

[[noreturn]] inline void no_follow_up() {
  throw std::overflow_error("there is no such number");
}

inline std::string mapped(std::string text, int (*by)(int)) {
  for (char& each : text) each = static_cast<char>(by(static_cast<unsigned char>(each)));
  return text;
}

}  // namespace detail

template <typename Number>
Number shifted(Number of, long long by) {
  if constexpr (std::is_integral_v<Number>) {
    Number made{};
    if (__builtin_add_overflow(of, by, &made)) detail::no_follow_up();
    return made;
  } else {
    return of + static_cast<Number>(by);
  }
}
template <typename Number>
Number scaled(Number of, int by) {
  if constexpr (std::is_integral_v<Number>) {
    Number made{};
    if (__builtin_mul_overflow(of, by, &made)) detail::no_follow_up();
    return made;
  } else {
    return of * static_cast<Number>(by);
  }
}
template <typename Number>
Number negated(Number of) {
  return scaled(of, -1);
}

inline std::string upper(const std::string& text) {
  return detail::mapped(text, std::toupper);
}
inline std::string lower(const std::string& text) {
  return detail::mapped(text, std::tolower);
}
inline std::string without_blanks(std::string text) {
  std::erase_if(text, [](unsigned char each) { return std::isspace(each) != 0; });
  return text;
}

/// Of texts and lists.
template <typename List>
List reversed(List of) {
  std::reverse(of.begin(), of.end());
  return of;
}
template <typename List>
List rotated(List of) {
  if (!of.empty()) std::rotate(of.begin(), std::next(of.begin()), of.end());
  return of;
}
template <typename List>
List sorted(List of) {
  std::sort(of.begin(), of.end());
  return of;
}
template <typename List>
List joined(List of, const List& behind) {
  of.insert(of.end(), behind.begin(), behind.end());
  return of;
}

}  // namespace morph
