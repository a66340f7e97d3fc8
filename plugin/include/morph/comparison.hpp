// What a relation compares: whether it holds, and both sides as text. Specs that `morph scout` writes return it.
#pragma once

#include <cmath>
#include <concepts>
#include <iosfwd>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>

#include "morph/case.hpp"
#include "morph/near.hpp"
#include "morph/text.hpp"

namespace morph {

/// `{}` says that the relation does not apply.
struct comparison {
  verdict holds = verdict::not_applicable;
  std::string left{}, right{};

  bool fails() const { return holds == verdict::fail; }
};

namespace detail {

template <typename T>
concept streamed = requires(std::ostream& to, const T& value) {
  { to << value } -> std::convertible_to<std::ostream&>;
};

/// What is written to a stream: streams make headers slow.
std::string shown_by(void (*write)(std::ostream& to, const void* value), const void* value);

/// At most 200 bytes; empty for what has no text.
template <typename T>
std::string shown(const T& value) {
  std::string made;
  if constexpr (std::is_arithmetic_v<T> || std::is_enum_v<T> || std::is_same_v<T, std::string>) {
    made = to_text(value);
  } else if constexpr (std::is_convertible_v<const T&, std::string_view>) {
    // What a pointer leads to need not be a text.
    if constexpr (std::is_pointer_v<T>) return value == nullptr ? "null" : "a pointer";
    made = to_text(std::string(std::string_view(value)));
  } else if constexpr (streamed<T>) {
    made = shown_by([](std::ostream& to, const void* at) { to << *static_cast<const T*>(at); }, std::addressof(value));
  }
  if (made.size() > 200) made.replace(197, made.npos, "...");
  return made;
}

template <typename A, typename B>
comparison compared(bool holds, const A& left, const B& right) {
  return {holds ? verdict::pass : verdict::fail, shown(left), shown(right)};
}

inline comparison compared_texts(const char* left, const char* right, bool have_to_be_same) {
  const auto text = [](const char* of) { return of != nullptr ? shown(std::string(of)) : std::string("null"); };
  const bool are_same = left == nullptr || right == nullptr ? left == right : std::string_view(left) == right;
  return {are_same == have_to_be_same ? verdict::pass : verdict::fail, text(left), text(right)};
}

}  // namespace detail

template <typename A, typename B>
comparison is_equal(const A& left, const B& right) {
  return detail::compared(static_cast<bool>(left == right), left, right);
}
template <typename A, typename B>
comparison is_unequal(const A& left, const B& right) {
  return detail::compared(static_cast<bool>(left != right), left, right);
}
template <typename A, typename B>
comparison is_less(const A& left, const B& right) {
  return detail::compared(static_cast<bool>(left < right), left, right);
}
template <typename A, typename B>
comparison is_at_most(const A& left, const B& right) {
  return detail::compared(static_cast<bool>(left <= right), left, right);
}
template <typename A, typename B>
comparison is_more(const A& left, const B& right) {
  return detail::compared(static_cast<bool>(left > right), left, right);
}
template <typename A, typename B>
comparison is_at_least(const A& left, const B& right) {
  return detail::compared(static_cast<bool>(left >= right), left, right);
}
/// Texts of C.
inline comparison is_same_text(const char* left, const char* right) {
  return detail::compared_texts(left, right, true);
}
inline comparison is_other_text(const char* left, const char* right) {
  return detail::compared_texts(left, right, false);
}
/// At most `tolerance` apart.
inline comparison is_near(double left, double right, double tolerance) {
  return detail::compared(left == right || std::abs(left - right) <= tolerance, left, right);
}
/// At most four representable numbers apart: of float if one is.
template <typename A, typename B>
comparison is_almost(const A& left, const B& right) {
  constexpr bool has_float = std::is_same_v<A, float> || std::is_same_v<B, float>;
  using number = std::conditional_t<has_float, float, std::common_type_t<A, B>>;
  return detail::compared(near(static_cast<number>(left), static_cast<number>(right), ulps{4}), left, right);
}
template <typename Condition>
comparison is_true(const Condition& condition) {
  const bool holds = static_cast<bool>(condition);
  return {holds ? verdict::pass : verdict::fail, holds ? "true" : "false", {}};
}
template <typename Condition>
comparison is_false(const Condition& condition) {
  const bool holds = !static_cast<bool>(condition);
  return {holds ? verdict::pass : verdict::fail, holds ? "false" : "true", {}};
}

}  // namespace morph
