// Seeds that are drawn: generators of values, and how many of them are taken, and which.
//
// A generator is called with a random_source and gives a value; it has a `value_type`. Put together:
//   s.seeds("points", morph::draw(100, morph::made_of<point>(morph::floats(0, 1), morph::floats(0, 1))));
#pragma once

#include <cstddef>
#include <initializer_list>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "morph/distance.hpp"
#include "morph/random.hpp"

namespace morph {

namespace detail {

/// False only where the generator says that it never makes this value.
template <typename G, typename T>
bool may_make(const G& make, const T& value) {
  if constexpr (requires { make.contains(value); })
    return make.contains(static_cast<typename G::value_type>(value));
  else
    return true;
}

}  // namespace detail

template <typename G>
concept generator = requires(const G& make, random_source& random) {
  typename G::value_type;
  { make(random) } -> std::convertible_to<typename G::value_type>;
};

/// Uniform from `low` to `high`, both included.
template <typename Integer>
struct integer_generator {
  using value_type = Integer;
  Integer low, high;
  Integer operator()(random_source& random) const {
    const auto span = static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low);
    const std::uint64_t drawn = span + 1 == 0 ? random() : random.below(span + 1);
    return static_cast<Integer>(static_cast<std::uint64_t>(low) + drawn);
  }
  bool contains(Integer value) const { return low <= value && value <= high; }
};
template <typename Integer>
requires std::is_integral_v<Integer> integer_generator<Integer> integers(Integer low, Integer high) {
  return {low, high};
}

/// Uniform in [low, high).
struct float_generator {
  using value_type = double;
  double low, high;
  double operator()(random_source& random) const { return low + (high - low) * random.unit(); }
  bool contains(double value) const { return low <= value && value <= high; }
};
inline float_generator floats(double low, double high) {
  return {low, high};
}

struct boolean_generator {
  using value_type = bool;
  bool operator()(random_source& random) const { return (random() & 1) != 0; }
};
inline boolean_generator booleans() {
  return {};
}

/// Of 0 to `longest` characters of the alphabet.
struct string_generator {
  using value_type = std::string;
  std::size_t longest;
  std::string alphabet;
  std::string operator()(random_source& random) const {
    std::string made(alphabet.empty() ? 0 : random.below(longest + 1), ' ');
    for (char& c : made) c = alphabet[random.below(alphabet.size())];
    return made;
  }
  bool contains(const std::string& value) const {
    return value.size() <= longest && value.find_first_not_of(alphabet) == std::string::npos;
  }
};
inline string_generator strings(std::size_t longest, std::string alphabet = "abcdefghijklmnopqrstuvwxyz") {
  return {longest, std::move(alphabet)};
}

/// One of these values, each as likely.
template <typename T>
struct choice_generator {
  using value_type = T;
  std::vector<T> values;
  T operator()(random_source& random) const { return values[random.below(values.size())]; }
  bool contains(const T& value) const {
    for (const T& each : values)
      if (to_text(each) == to_text(value)) return true;
    return false;
  }
};
template <typename T>
choice_generator<T> one_of(std::initializer_list<T> values) {
  return {values};
}
inline choice_generator<std::string> one_of(std::initializer_list<const char*> values) {
  return {std::vector<std::string>(values.begin(), values.end())};
}

/// What one of these generators makes, each as likely.
template <typename First, typename... More>
struct either_generator {
  using value_type = typename First::value_type;
  std::tuple<First, More...> makers;
  value_type operator()(random_source& random) const {
    const std::uint64_t drawn = random.below(1 + sizeof...(More));
    return pick(drawn, random, std::integral_constant<std::size_t, 0>{});
  }
  bool contains(const value_type& value) const {
    return std::apply([&](const auto&... make) { return (detail::may_make(make, value) || ...); }, makers);
  }

 private:
  template <std::size_t I>
  value_type pick(std::uint64_t drawn, random_source& random, std::integral_constant<std::size_t, I>) const {
    if constexpr (I == sizeof...(More))
      return std::get<I>(makers)(random);
    else
      return drawn == I ? std::get<I>(makers)(random)
                        : pick(drawn, random, std::integral_constant<std::size_t, I + 1>{});
  }
};
template <generator First, generator... More>
either_generator<First, More...> either(First first, More... more) {
  return {{std::move(first), std::move(more)...}};
}

/// Of 0 to `longest` elements: a vector, a list, a set, ....
template <typename Container, typename G>
struct container_generator {
  using value_type = Container;
  G element;
  std::size_t longest;
  Container operator()(random_source& random) const {
    Container made;
    for (std::uint64_t left = random.below(longest + 1); left > 0; --left) made.insert(made.end(), element(random));
    return made;
  }
  bool contains(const Container& values) const {
    std::size_t size = 0;
    for (const auto& each : values)
      if (++size > longest || !detail::may_make(element, each)) return false;
    return true;
  }
};
template <typename Container, generator G>
container_generator<Container, G> containers(std::size_t longest, G element) {
  return {std::move(element), longest};
}
template <generator G>
container_generator<std::vector<typename G::value_type>, G> vectors(std::size_t longest, G element) {
  return {std::move(element), longest};
}

/// An aggregate, tuple or class that is made of what the generators make, in their order.
template <typename T, typename... G>
struct aggregate_generator {
  using value_type = T;
  std::tuple<G...> makers;
  T operator()(random_source& random) const { return make_all(random, std::index_sequence_for<G...>{}); }
  bool contains(const T& value) const {
    if constexpr (text::tuple_like<T>) {
      return each_may_be(value, std::index_sequence_for<G...>{});
    } else if constexpr (reflect::reflectable<T>) {
      if constexpr (reflect::members<T> == sizeof...(G))
        return each_may_be(reflect::tie(value), std::index_sequence_for<G...>{});
    }
    return true;
  }

 private:
  /// Of the members' own types, as far as they are known: no number is narrowed without a word to the compiler.
  template <std::size_t... I>
  T make_all(random_source& random, std::index_sequence<I...>) const {
    if constexpr (reflect::reflectable<T> && !text::tuple_like<T>) {
      if constexpr (reflect::members<T> == sizeof...(G)) {
        using members = decltype(reflect::tie(std::declval<T&>()));
        return T{
            static_cast<std::remove_reference_t<std::tuple_element_t<I, members>>>(std::get<I>(makers)(random))...};
      } else {
        return T{static_cast<typename G::value_type>(std::get<I>(makers)(random))...};
      }
    } else {
      return T{static_cast<typename G::value_type>(std::get<I>(makers)(random))...};
    }
  }
  template <typename Members, std::size_t... I>
  bool each_may_be(const Members& members, std::index_sequence<I...>) const {
    return (detail::may_make(std::get<I>(makers), std::get<I>(members)) && ...);
  }
};
template <typename T, generator... G>
aggregate_generator<T, G...> made_of(G... makers) {
  return {{std::move(makers)...}};
}

/// What `change` makes of a generator's values.
template <typename G, typename F>
struct mapped_generator {
  using value_type = std::remove_cvref_t<std::invoke_result_t<const F&, typename G::value_type>>;
  G make;
  F change;
  value_type operator()(random_source& random) const { return change(make(random)); }
};
template <generator G, typename F>
mapped_generator<G, F> mapped(G make, F change) {
  return {std::move(make), std::move(change)};
}

// ---- which of them are taken

/// `count` values, each drawn by itself.
template <typename G>
struct drawn_values {
  using value_type = typename G::value_type;
  G make;
  std::size_t count;
  std::vector<value_type> operator()(random_source& random) const {
    std::vector<value_type> values;
    for (std::size_t i = 0; i < count; ++i) values.push_back(make(random));
    return values;
  }
  /// Shrinking stays inside the bounds.
  bool accepts(const value_type& value) const { return detail::may_make(make, value); }
};
template <generator G>
drawn_values<G> draw(std::size_t count, G make) {
  return {std::move(make), count};
}
inline drawn_values<float_generator> uniform(double low, double high, std::size_t count) {
  return {{low, high}, count};
}
template <typename Integer>
requires std::is_integral_v<Integer> drawn_values<integer_generator<Integer>> uniform(Integer low, Integer high,
                                                                                      std::size_t count) {
  return {{low, high}, count};
}

/// Adaptive random: each value is that of `candidates` drawn ones which is furthest from all before it (the fixed-size
/// candidate set of Chen, Leung and Mak 2004).
template <typename G>
struct spread_values {
  using value_type = typename G::value_type;
  G make;
  std::size_t count;
  std::size_t candidates;
  std::vector<value_type> operator()(random_source& random) const {
    std::vector<value_type> values;
    while (values.size() < count) {
      value_type best = make(random);
      double best_distance = nearest(best, values);
      for (std::size_t i = 1; i < candidates && !values.empty(); ++i) {
        value_type candidate = make(random);
        const double apart = nearest(candidate, values);
        if (apart <= best_distance) continue;
        best = std::move(candidate);
        best_distance = apart;
      }
      values.push_back(std::move(best));
    }
    return values;
  }
  bool accepts(const value_type& value) const { return detail::may_make(make, value); }

 private:
  static double nearest(const value_type& value, const std::vector<value_type>& among) {
    double least = std::numeric_limits<double>::infinity();
    for (const value_type& other : among) least = std::min(least, distance(value, other));
    return least;
  }
};
template <generator G>
spread_values<G> draw_adaptively(std::size_t count, G make, std::size_t candidates = 10) {
  return {std::move(make), count, candidates};
}

/// For each of `levels` (how many values each field has) a row of places, so that each two fields have all pairs of
/// their values in some row: greedily, a row at a time.
std::vector<std::vector<std::size_t>> pairwise_rows(const std::vector<std::size_t>& levels);

/// `pairwise<request>(one_of(...), one_of(...), ...)`: few values in which each two members have all pairs of what they
/// may be.
template <typename T, typename... Field>
struct pairwise_values {
  using value_type = T;
  std::tuple<choice_generator<Field>...> fields;
  std::vector<T> operator()(random_source&) const {
    const std::vector<std::size_t> levels =
        std::apply([](const auto&... field) { return std::vector<std::size_t>{field.values.size()...}; }, fields);
    std::vector<T> values;
    for (const auto& row : pairwise_rows(levels)) values.push_back(value_of(row, std::index_sequence_for<Field...>{}));
    return values;
  }
  bool accepts(const T& value) const {
    return aggregate_generator<T, choice_generator<Field>...>{fields}.contains(value);
  }

 private:
  template <std::size_t... I>
  T value_of(const std::vector<std::size_t>& row, std::index_sequence<I...>) const {
    return T{std::get<I>(fields).values[row[I]]...};
  }
};
template <typename T, typename... Field>
pairwise_values<T, Field...> pairwise(choice_generator<Field>... fields) {
  return {{std::move(fields)...}};
}

}  // namespace morph
