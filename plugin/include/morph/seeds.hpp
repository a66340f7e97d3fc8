// Where seeds come from: literals, labelled ones, files, standard input.
#pragma once

#include <initializer_list>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "morph/text.hpp"

namespace morph {

namespace detail {

template <typename T, typename = void>
struct list_of {
  struct none {};
  using element = none;
};
template <typename T>
struct list_of<T, std::void_t<typename T::value_type>> {
  using element = typename T::value_type;
};

template <typename T, typename... A>
concept made_of_members = std::is_aggregate_v<T> &&(sizeof...(A) > 0) && requires(A&&... a) {
  T{std::forward<A>(a)...};
};

/// A whole number may stand for a member of another type of numbers: `{1, 2}` for two of double.
template <typename Member, typename A>
inline constexpr bool may_stand_for = std::is_convertible_v<A, Member> &&
                                      (!std::is_arithmetic_v<Member> || std::is_integral_v<std::remove_cvref_t<A>> ||
                                       std::is_floating_point_v<Member>);
template <typename T, typename... A, std::size_t... I>
consteval bool may_stand_for_members(std::index_sequence<I...>) {
  using members = decltype(reflect::tie(std::declval<T&>()));
  return (may_stand_for<std::remove_reference_t<std::tuple_element_t<I, members>>, A> && ...);
}
template <typename T, typename... A>
consteval bool stands_for_members() {
  if constexpr (std::is_aggregate_v<T> && !made_of_members<T, A...> && !text::range_like<T>) {
    if constexpr (reflect::reflectable<T>)
      if constexpr (reflect::members<T> == sizeof...(A))
        return may_stand_for_members<T, A...>(std::index_sequence_for<A...>{});
  }
  return false;
}
template <typename T, std::size_t... I, typename... A>
T of_numbers(std::index_sequence<I...>, A&&... a) {
  using members = decltype(reflect::tie(std::declval<T&>()));
  return T{static_cast<std::remove_reference_t<std::tuple_element_t<I, members>>>(std::forward<A>(a))...};
}

}  // namespace detail

/// An input and, if it is known, the output that is expected: `{5, 5, 5}` or `{{5, 5, 5}, equilateral}`.
template <typename In, typename Out>
struct seed {
  In input;
  std::optional<Out> expected{};

  seed() requires(std::is_default_constructible_v<In>) : input{} {}  // `{}` in a list
  seed(In in) : input(std::move(in)) {}
  seed(const char* text) requires(std::is_class_v<In>&& std::is_convertible_v<const char*, In>) : input(text) {}
  seed(In in, Out out) : input(std::move(in)), expected(std::move(out)) {}
  seed(std::initializer_list<typename detail::list_of<In>::element> elements) requires requires {
    In(elements);
  } : input(elements) {
  }
  template <typename... Member>
  requires(sizeof...(Member) > 1 && detail::made_of_members<In, Member...>) seed(Member&&... members)
      : input{std::forward<Member>(members)...} {}
  template <typename... Member>
  requires(sizeof...(Member) > 1 && detail::stands_for_members<In, Member...>()) seed(Member&&... members)
      : input(detail::of_numbers<In>(std::index_sequence_for<Member...>{}, std::forward<Member>(members)...)) {}
};

/// Text of a file, in the parts that are one seed each.
struct text_seeds {
  enum class form { lines, rows, files };
  form how = form::lines;
  std::vector<std::string> parts;
  std::vector<std::string> places;  // `file:line` of each
  std::string error;
};

/// A value a line, as text.hpp writes them: `[3,4,5]`, or with the expected output `{"in":[3,4,5],"out":2}`. Lines of
/// saved pools (`morph spec seed --pool`) are such lines.
struct json_lines {
  std::string file;
};
/// A value a row, its members the columns; a column more is the expected output. A first row of names that can be no
/// value is skipped.
struct csv {
  std::string file;
};
/// Each regular file below, sorted by name: the whole content is one seed (strings and vectors of bytes), or its path
/// (std::filesystem::path).
struct folder {
  std::string path;
};
/// Typed in: a value a line, as json_lines. It is read once in a process, and then known to the processes it makes.
struct standard_input {};

text_seeds read_seeds(const json_lines& from);
text_seeds read_seeds(const csv& from);
text_seeds read_seeds(const folder& from);
text_seeds read_seeds(const standard_input& from);
/// The fields of a row; quotes hold commas, newlines and doubled quotes.
std::vector<std::string> csv_fields(std::string_view row);

namespace detail {

/// Where `"in":` and `"out":` of a line stand. Without braces the line is the input.
struct seed_line {
  std::string_view input, output;
};
bool split_seed(std::string_view line, seed_line& to, std::string& error);
/// Whether these may be the names of columns.
bool are_names(const std::vector<std::string>& fields);

template <typename T>
bool read_field(const std::string& field, T& to, std::string& error) {
  if constexpr (std::is_same_v<T, std::string>) {
    to = field;
    return true;
  } else {
    auto made = from_text<T>(field);
    if (!made.value) made = from_text<T>('"' + field + '"');  // inf, nan, characters
    if (!made.value) error = made.error;
    if (made.value) to = std::move(*made.value);
    return error.empty();
  }
}

template <typename T>
bool read_row(const std::vector<std::string>& fields, std::size_t& used, T& to, std::string& error) {
  const auto each = [&](auto&... member) {
    return ((used < fields.size() ? read_field(fields[used++], member, error)
                                  : (error = "there are fewer columns than members", false)) &&
            ...);
  };
  if constexpr (text::tuple_like<T>)
    return std::apply(each, to);
  else if constexpr (reflect::reflectable<T> && !text::saved_by_hook<T> && !text::range_like<T>)
    return std::apply(each, reflect::tie(to));
  else
    return each(to);
}

}  // namespace detail

template <typename In, typename Out>
std::string seeds_of_texts(const text_seeds& texts, std::vector<seed<In, Out>>& to) {
  static_assert(std::is_default_constructible_v<In>,
                "morph: seeds that are read need an input type with a default; give it one, or a seed maker that makes "
                "the values itself");
  if (!texts.error.empty()) return texts.error;
  for (std::size_t i = 0; i < texts.parts.size(); ++i) {
    const std::string& part = texts.parts[i];
    std::string error;
    In input{};
    std::optional<Out> expected;
    const auto read_output = [&](auto&& from) {
      if constexpr (std::is_default_constructible_v<Out>) {
        Out out{};
        if (from(out)) expected = std::move(out);
      } else {
        error = "the type of the output has no default, so that none can be read";
      }
    };
    if (texts.how == text_seeds::form::files) {
      if constexpr (std::is_constructible_v<In, const char*> && !std::is_same_v<In, std::string>)
        input = In(texts.places[i].c_str());
      else if constexpr (std::is_constructible_v<In, std::string::const_iterator, std::string::const_iterator>)
        input = In(part.begin(), part.end());
      else
        error = "a file can be a string, a vector of bytes or a path";
    } else if (texts.how == text_seeds::form::rows) {
      const std::vector<std::string> fields = csv_fields(part);
      std::size_t used = 0;
      if (detail::read_row(fields, used, input, error) && used < fields.size())
        read_output([&](Out& out) { return detail::read_row(fields, used, out, error); });
      if (error.empty() && used < fields.size()) error = "there are more columns than members";
      if (!error.empty() && i == 0 && detail::are_names(fields)) continue;
    } else {
      detail::seed_line line;
      if (detail::split_seed(part, line, error)) {
        auto made = from_text<In>(line.input);
        if (made.value)
          input = std::move(*made.value);
        else
          error = made.error;
        if (error.empty() && !line.output.empty())
          read_output([&](Out& out) {
            auto output = from_text<Out>(line.output);
            if (!output.value) return error = output.error, false;
            out = std::move(*output.value);
            return true;
          });
      }
    }
    if (!error.empty()) return texts.places[i] + ": " + error;
    if (expected)
      to.emplace_back(std::move(input), std::move(*expected));
    else
      to.emplace_back(std::move(input));
  }
  return {};
}

}  // namespace morph
