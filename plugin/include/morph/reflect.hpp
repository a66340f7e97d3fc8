// The members of an aggregate: how many there are, references to them, their names as far as the compiler tells.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

namespace morph::reflect {

inline constexpr std::size_t most_members = 16;

namespace detail {

struct anything {
  template <typename T>
  constexpr operator T() const;  // never defined: it only stands for a value
};

template <std::size_t>
using anything_at = anything;

/// Stands for a base class of T alone: members of an aggregate are none.
template <typename T>
struct base_of {
  template <typename Base>
  requires(std::is_base_of_v<Base, T> && !std::is_same_v<Base, T>) constexpr operator Base() const;
};

template <typename T>
concept has_base = requires {
  T{base_of<T>{}};
};

template <typename T, typename... Values>
concept made_of = requires {
  T{std::declval<Values>()...};
};

/// Whether T can be made of `Before` values, then `Nested` values in braces of their own, then `After` values.
template <typename T, std::size_t... Before, std::size_t... Nested, std::size_t... After>
consteval bool takes_nested(std::index_sequence<Before...>, std::index_sequence<Nested...>,
                            std::index_sequence<After...>) {
  return requires {
    T{anything_at<Before>{}..., {anything_at<Nested>{}...}, anything_at<After>{}...};
  };
}

template <typename T, std::size_t Count>
consteval bool takes() {
  return []<std::size_t... I>(std::index_sequence<I...>) {
    return made_of<T, anything_at<I>...>;
  }
  (std::make_index_sequence<Count>{});
}

/// How many values T takes without inner braces: an array counts as its elements.
inline constexpr std::size_t most_values = 64;
template <typename T, std::size_t Count = most_values>
consteval std::size_t values() {
  if constexpr (Count == 0 || takes<T, Count>())
    return Count;
  else
    return values<T, Count - 1>();
}

template <typename T, std::size_t At, std::size_t Nested, std::size_t All>
consteval bool is_array_of() {
  if constexpr (All < At + Nested) {
    return false;
  } else {
    // An array has used up as many values as it has elements; a class that `anything` became has used up one.
    return takes_nested<T>(std::make_index_sequence<At>{}, std::make_index_sequence<Nested>{},
                           std::make_index_sequence<All - At - Nested>{}) &&
           !takes_nested<T>(std::make_index_sequence<At>{}, std::make_index_sequence<Nested>{},
                            std::make_index_sequence<All - At - Nested + 1>{});
  }
}

template <typename T, std::size_t At, std::size_t All, std::size_t Nested>
consteval std::size_t values_of_member() {
  if constexpr (Nested <= 1)
    return 1;
  else if constexpr (is_array_of<T, At, Nested, All>())
    return Nested;
  else
    return values_of_member<T, At, All, Nested - 1>();
}

template <typename T, std::size_t At, std::size_t All>
consteval std::size_t members_from() {
  if constexpr (At >= All)
    return 0;
  else
    return 1 + members_from<T, At + values_of_member<T, At, All, All - At>(), All>();
}

}  // namespace detail

/// Of an aggregate without base classes; a member that is an array counts once.
template <typename T>
inline constexpr std::size_t members = detail::members_from<T, 0, detail::values<T>()>();

template <typename T>
concept reflectable =
    std::is_class_v<T> && std::is_aggregate_v<T> && !std::is_polymorphic_v<T> && !detail::has_base<T> &&
    (detail::values<T>() != 0 || std::is_empty_v<T>);  // a reference is made of no stand-in

/// References to all members, in their order.
template <typename T>
constexpr auto tie(T& value) {
  constexpr std::size_t count = members<std::remove_const_t<T>>;
  static_assert(count <= most_members,
                "morph: aggregates are taken apart up to 16 members; give this type morph_save() and morph_load()");
  // clang-format off
  if constexpr (count == 0) { return std::tuple<>{}; }
  else if constexpr (count == 1) { auto& [a] = value; return std::tie(a); }
  else if constexpr (count == 2) { auto& [a, b] = value; return std::tie(a, b); }
  else if constexpr (count == 3) { auto& [a, b, c] = value; return std::tie(a, b, c); }
  else if constexpr (count == 4) { auto& [a, b, c, d] = value; return std::tie(a, b, c, d); }
  else if constexpr (count == 5) { auto& [a, b, c, d, e] = value; return std::tie(a, b, c, d, e); }
  else if constexpr (count == 6) { auto& [a, b, c, d, e, f] = value; return std::tie(a, b, c, d, e, f); }
  else if constexpr (count == 7) { auto& [a, b, c, d, e, f, g] = value; return std::tie(a, b, c, d, e, f, g); }
  else if constexpr (count == 8) { auto& [a, b, c, d, e, f, g, h] = value; return std::tie(a, b, c, d, e, f, g, h); }
  else if constexpr (count == 9) { auto& [a, b, c, d, e, f, g, h, i] = value; return std::tie(a, b, c, d, e, f, g, h, i); }
  else if constexpr (count == 10) { auto& [a, b, c, d, e, f, g, h, i, j] = value; return std::tie(a, b, c, d, e, f, g, h, i, j); }
  else if constexpr (count == 11) { auto& [a, b, c, d, e, f, g, h, i, j, k] = value; return std::tie(a, b, c, d, e, f, g, h, i, j, k); }
  else if constexpr (count == 12) { auto& [a, b, c, d, e, f, g, h, i, j, k, l] = value; return std::tie(a, b, c, d, e, f, g, h, i, j, k, l); }
  else if constexpr (count == 13) { auto& [a, b, c, d, e, f, g, h, i, j, k, l, m] = value; return std::tie(a, b, c, d, e, f, g, h, i, j, k, l, m); }
  else if constexpr (count == 14) { auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n] = value; return std::tie(a, b, c, d, e, f, g, h, i, j, k, l, m, n); }
  else if constexpr (count == 15) { auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o] = value; return std::tie(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o); }
  else if constexpr (count == 16) { auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p] = value; return std::tie(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p); }
  // clang-format on
}

namespace detail {

template <typename T>
struct wrapped {
  T value;
};
#ifdef __clang__
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wundefined-internal"
#endif
template <typename T>
extern const wrapped<T> imagined;  // never defined: only addresses in it are named
#ifdef __clang__
#pragma clang diagnostic pop
#endif

/// GCC 12: "P = (& imagined<T>.wrapped<T>::value.T::x)", Clang 19: "P = &imagined.value.x".
template <auto P>
consteval std::string_view spelled_name() {
  std::string_view text = __PRETTY_FUNCTION__;
  text = text.substr(0, text.find_last_of(']'));
  const std::size_t begin = text.rfind("P = ");
  text = text.substr(begin == text.npos ? 0 : begin);
  text = text.substr(0, text.find(';'));
  while (!text.empty() && (text.back() == ')' || text.back() == ' ' || text.back() == '}')) text.remove_suffix(1);
  return text.substr(text.find_last_of(".:>") + 1);
}

}  // namespace detail

/// Empty where the compiler does not tell: Clang before 18 takes no address of a member as a template argument.
template <typename T, std::size_t I>
consteval std::string_view member_name() {
#if defined(__clang__) && __clang_major__ < 18
  return {};
#else
#ifdef __clang__
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wundefined-var-template"
#endif
  return detail::spelled_name<&std::get<I>(tie(detail::imagined<T>.value))>();
#ifdef __clang__
#pragma clang diagnostic pop
#endif
#endif
}

// ---- enumerations

/// Names are looked for among these numbers.
inline constexpr int most_enumerators = 64;

namespace detail {

/// Any number is a value of it: of an enumeration without a fixed type, some are none.
template <typename T>
concept has_fixed_type = std::is_enum_v<T> && requires {
  T{0};
};

/// "V = Kind::scalene", and "V = (Kind)9" where 9 has no name.
template <auto V>
consteval std::string_view spelled_value() {
  std::string_view text = __PRETTY_FUNCTION__;
  const std::size_t begin = text.rfind("V = ");
  text = text.substr(begin == text.npos ? 0 : begin + 4);
  text = text.substr(0, text.find_first_of(";]"));
  if (text.empty() || text[0] == '(' || (text[0] >= '0' && text[0] <= '9') || text[0] == '-') return {};
  const std::size_t colon = text.rfind(':');
  return colon == text.npos ? text : text.substr(colon + 1);
}

template <typename T, std::size_t... I>
consteval auto enumerator_table(std::index_sequence<I...>) {
  return std::array<std::string_view, sizeof...(I)>{spelled_value<static_cast<T>(I)>()...};
}

}  // namespace detail

/// The name of a value from 0 to 63 of an enumeration with a fixed type (`enum class`); else empty.
template <typename T>
constexpr std::string_view enumerator_name(T value) {
  if constexpr (detail::has_fixed_type<T> && !std::is_same_v<std::underlying_type_t<T>, bool>) {
    constexpr auto names = detail::enumerator_table<T>(std::make_index_sequence<most_enumerators>{});
    const auto number = static_cast<long long>(value);
    return number >= 0 && number < most_enumerators ? names[static_cast<std::size_t>(number)] : std::string_view();
  } else {
    return {};
  }
}

}  // namespace morph::reflect
