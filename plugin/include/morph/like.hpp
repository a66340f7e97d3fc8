// Generators that need no bounds: values like some examples, and any values of a type.
//
//   s.seeds("like the test's", morph::draw(100, morph::like<point>({{1, 2}, {3, 4}})));
//   s.seeds("any", morph::draw(100, morph::any_of<point>()));
#pragma once

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "morph/random.hpp"
#include "morph/reflect.hpp"
#include "morph/text.hpp"

namespace morph {

namespace detail {

/// Small numbers, borders, and numbers of any width.
template <typename Integer>
Integer any_integer(random_source& random) {
  using limits = std::numeric_limits<Integer>;
  using bits = std::make_unsigned_t<Integer>;
  switch (random.below(4)) {
    case 0:
      return static_cast<Integer>(random.below(9));
    case 1:
      return std::is_signed_v<Integer> ? static_cast<Integer>(-static_cast<Integer>(random.below(9)))
                                       : static_cast<Integer>(random.below(256));
    case 2: {
      const Integer borders[] = {limits::min(),
                                 limits::max(),
                                 static_cast<Integer>(limits::max() - 1),
                                 0,
                                 1,
                                 static_cast<Integer>(limits::max() / 2 + 1)};
      return borders[random.below(std::size(borders))];
    }
    default:
      return static_cast<Integer>(static_cast<bits>(random() >> random.below(64)));
  }
}

template <typename Number>
Number any_float(random_source& random) {
  using limits = std::numeric_limits<Number>;
  switch (random.below(4)) {
    case 0:
      return static_cast<Number>(static_cast<int>(random.below(19)) - 9);
    case 1: {
      const Number borders[] = {0, 1, -1, limits::max(), limits::lowest(), limits::min(), limits::epsilon()};
      return borders[random.below(std::size(borders))];
    }
    case 2:
      return static_cast<Number>(random.unit() * 2 - 1);
    default:
      return static_cast<Number>((random.unit() * 2 - 1) * std::pow(10.0, static_cast<double>(random.below(31)) - 15));
  }
}

/// Mostly printable; of any bytes now and then.
inline std::string any_text(random_source& random) {
  const std::uint64_t kind = random.below(8);
  std::string made(random.below(kind == 7 ? 200 : 17), ' ');
  for (char& each : made)
    each = kind < 3    ? static_cast<char>('a' + random.below(26))
           : kind == 3 ? static_cast<char>(random.below(256))
                       : static_cast<char>(' ' + random.below(95));
  return made;
}

/// Of the same kind: a digit for a digit, a small letter for a small letter.
inline char like_character(char of, random_source& random) {
  const auto byte = static_cast<unsigned char>(of);
  if (std::isdigit(byte) != 0) return static_cast<char>('0' + random.below(10));
  if (std::islower(byte) != 0) return static_cast<char>('a' + random.below(26));
  if (std::isupper(byte) != 0) return static_cast<char>('A' + random.below(26));
  return of;
}

inline std::string like_text(std::string of, const std::string& other, random_source& random) {
  for (std::uint64_t edits = 1 + random.below(3); edits > 0; --edits) {
    const std::size_t size = of.size(), at = random.below(size + 1), length = random.below(size - at + 1);
    switch (random.below(7)) {
      case 0:
        of.erase(at, length);
        break;
      case 1:
        of.insert(at, of.substr(at, length));
        break;
      case 2:
        of = of.substr(0, at) + other.substr(random.below(other.size() + 1));
        break;
      case 3:
        if (size > 0) of.insert(at, 1, of[random.below(size)]);
        break;
      case 4:
        if (size > 1) std::swap(of[random.below(size)], of[random.below(size)]);
        break;
      default:
        for (std::size_t i = at; i < at + std::max<std::size_t>(length, 1) && i < size; ++i)
          of[i] = like_character(of[i], random);
    }
  }
  return of;
}

template <typename Number>
Number like_number(Number of, Number other, random_source& random) {
  if constexpr (std::is_floating_point_v<Number>) {
    switch (random.below(6)) {
      case 0:
        return of + static_cast<Number>(random.below(3)) - 1;
      case 1:
        return -of;
      case 2:
        return of * static_cast<Number>(random.unit() * 2);
      case 3:
        return of + other;
      case 4:
        return of / 2;
      default:
        return of * static_cast<Number>(1 + (random.unit() - 0.5) / 8);
    }
  } else {
    using bits = std::make_unsigned_t<Number>;
    const auto a = static_cast<bits>(of), b = static_cast<bits>(other);  // wraps around
    switch (random.below(6)) {
      case 0:
        return static_cast<Number>(a + random.below(3) - 1);
      case 1:
        return static_cast<Number>(a + random.below(21) - 10);
      case 2:
        return static_cast<Number>(std::is_signed_v<Number> ? 0 - a : a / 2);
      case 3:
        return static_cast<Number>(a * 2 + random.below(2));
      case 4:
        return static_cast<Number>(a + b);
      default:
        return static_cast<Number>(a ^ (bits{1} << random.below(std::numeric_limits<Number>::digits)));
    }
  }
}

template <typename T>
T any_instance(random_source& random) {
  if constexpr (std::is_same_v<T, bool>) {
    return random.below(2) == 1;
  } else if constexpr (std::is_same_v<T, char>) {
    return static_cast<char>(random.below(8) == 0 ? random.below(256) : ' ' + random.below(95));
  } else if constexpr (std::is_integral_v<T>) {
    return any_integer<T>(random);
  } else if constexpr (std::is_floating_point_v<T>) {
    return any_float<T>(random);
  } else if constexpr (std::is_same_v<T, std::string>) {
    return any_text(random);
  } else if constexpr (text::nullable<T>) {
    if (random.below(4) == 0) return T{};
    return T(any_instance<std::remove_cvref_t<decltype(*std::declval<const T&>())>>(random));
  } else if constexpr (text::tuple_like<T>) {
    return std::apply(
        [&](const auto&... each) { return T{any_instance<std::remove_cvref_t<decltype(each)>>(random)...}; },
        std::remove_cvref_t<T>{});
  } else if constexpr (text::range_like<T>) {
    T made;
    if constexpr (requires { typename T::mapped_type; }) {
      for (std::uint64_t left = random.below(6); left > 0; --left)
        made.insert(made.end(),
                    {any_instance<typename T::key_type>(random), any_instance<typename T::mapped_type>(random)});
    } else {
      for (std::uint64_t left = random.below(9); left > 0; --left)
        made.insert(made.end(), any_instance<typename T::value_type>(random));
    }
    return made;
  } else {
    T made{};
    std::apply([&](auto&... each) { ((each = any_instance<std::remove_cvref_t<decltype(each)>>(random)), ...); },
               reflect::tie(made));
    return made;
  }
}

template <typename T>
T like_instance(const T& of, const T& other, random_source& random) {
  if (random.below(4) == 0) return random.below(2) == 0 ? of : other;
  if constexpr (std::is_same_v<T, bool>) {
    return random.below(2) == 1;
  } else if constexpr (std::is_same_v<T, char>) {
    return like_character(of, random);
  } else if constexpr (std::is_arithmetic_v<T>) {
    return like_number(of, other, random);
  } else if constexpr (std::is_same_v<T, std::string>) {
    return like_text(of, other, random);
  } else if constexpr (!text::nullable<T> && !text::tuple_like<T> && text::range_like<T> &&
                       !requires { typename T::key_type; }) {
    T made;
    const auto size = static_cast<std::uint64_t>(std::distance(of.begin(), of.end()));
    for (const auto& each : of) {
      const std::uint64_t what = random.below(6);
      if (what == 0) continue;
      made.insert(made.end(),
                  what == 1 ? like_instance(
                                  each, *std::next(of.begin(), static_cast<std::ptrdiff_t>(random.below(size))), random)
                            : each);
      if (what == 2) made.insert(made.end(), each);
    }
    return made;
  } else if constexpr (!text::nullable<T> && !text::tuple_like<T> && !text::range_like<T> && reflect::reflectable<T>) {
    T made{of};
    const auto vary = [&]<std::size_t... I>(std::index_sequence<I...>) {
      auto to = reflect::tie(made);
      const auto from = reflect::tie(other);
      ((std::get<I>(to) = like_instance(std::as_const(std::get<I>(to)), std::as_const(std::get<I>(from)), random)),
       ...);
    };
    vary(std::make_index_sequence<reflect::members<T>>{});
    return made;
  } else {
    return any_instance<T>(random);
  }
}

}  // namespace detail

/// Any values of the type: numbers, texts, containers of these, and aggregates of all.
template <typename T>
struct any_generator {
  using value_type = T;
  T operator()(random_source& random) const { return detail::any_instance<T>(random); }
};
template <typename T>
any_generator<T> any_of() {
  return {};
}

/// Variations of the examples: parts left out, doubled, put together; numbers next to them. The test's own conditions
/// on its inputs, which it does not say, hold for many of them.
template <typename T>
struct like_generator {
  using value_type = T;
  std::vector<T> examples;
  std::size_t only = static_cast<std::size_t>(-1);  // of an aggregate, the member that varies
  T operator()(random_source& random) const {
    if (examples.empty()) return detail::any_instance<T>(random);
    const T& one = examples[random.below(examples.size())];
    T varied = detail::like_instance(one, examples[random.below(examples.size())], random);
    if (only == static_cast<std::size_t>(-1)) return varied;
    if constexpr (reflect::reflectable<T>) {
      T made{one};
      const auto take = [&]<std::size_t... I>(std::index_sequence<I...>) {
        auto to = reflect::tie(made);
        auto from = reflect::tie(varied);
        ((I == only ? void(std::get<I>(to) = std::get<I>(from)) : void()), ...);
      };
      take(std::make_index_sequence<reflect::members<T>>{});
      return made;
    }
    return varied;
  }
};
template <typename T>
like_generator<T> like(std::vector<T> examples) {
  return {std::move(examples)};
}
/// Of an aggregate, in which one member varies and the others are as in an example.
template <typename T>
like_generator<T> like(std::vector<T> examples, std::size_t only) {
  return {std::move(examples), only};
}

}  // namespace morph
