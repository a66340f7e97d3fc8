// Values as JSON text and back. Equal values are equal text, with every compiler and on every machine (but 0.0 and
// -0.0, which are told apart).
//
//   bool, integers, floating-point numbers (shortest form; inf and nan as strings), characters, enumerations (as their
//   numbers), strings and paths (what is no UTF-8 as {"base64": ...}), optional and owning pointers (null or [value]),
//   variants ([index, value]), tuples, pairs, ranges (unordered ones sorted by text), aggregates of up to 16 members
//   (as arrays: names of members are for people, see show()), and other types whose bytes alone make them equal
//   ({"bytes": ...}, not portable).
//
// A type of your own: morph_save() makes anything of that kind of a value, morph_load() takes it back, both found by
// its namespace:
//   std::pair<int, int> morph_save(const fraction& f) { return {f.over(), f.under()}; }
//   void morph_load(fraction& f, const std::pair<int, int>& saved) { f = {saved.first, saved.second}; }
// morph_load() may return false: then the value is refused. Where <nlohmann/json.hpp> is included before this header, a
// type that none of the rules above knows may have to_json() and from_json() instead.
#pragma once

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "morph/reflect.hpp"

namespace morph {

namespace text {

/// Where reading is, and what went wrong first.
class reader {
 public:
  explicit reader(std::string_view from) : text_(from) {}

  bool take(char expected);  // behind blanks; an error if something else comes
  bool comes(char c);        // behind blanks
  bool take_if(char c) { return comes(c) && take(c); }
  bool word(std::string_view expected);
  bool string(std::string& to);  // a JSON string, or an object with base64
  bool name(std::string& to);    // a JSON string
  std::string_view number();     // its characters; empty with an error
  std::string_view value();      // of any kind, as it stands
  bool fail(const std::string& what);
  bool end();  // nothing but blanks is left

  bool enter();  // one level deeper; an error beyond 200
  void leave() { --depth_; }
  const std::string& error() const { return error_; }

 private:
  void skip_blanks();
  std::string_view text_;
  std::size_t at_ = 0;
  int depth_ = 0;
  std::string error_;
};

void write_string(std::string& to, std::string_view value);
void write_bytes(std::string& to, const void* bytes, std::size_t size);
bool read_bytes(reader& from, void* bytes, std::size_t size);
void write_sorted(std::string& to, std::vector<std::string> texts);  // as an array

template <typename T>
inline constexpr bool never = false;

/// std::filesystem::path, without its header.
template <typename T>
concept path_like = std::is_class_v<T> && requires(const T& path) {
  path.native();
  path.lexically_normal();
};
template <path_like T>
std::string morph_save(const T& path) {
  return path.string();
}
template <path_like T>
void morph_load(T& path, const std::string& text) {
  path = text;
}

template <typename T>
concept saved_by_hook = requires(const T& value) {
  morph_save(value);
};
template <typename T>
concept loaded_by_hook = saved_by_hook<T> && requires(T& to, const T& value) {
  morph_load(to, morph_save(value));
};

template <typename T>
concept texted = std::is_convertible_v<const T&, std::string_view>;
template <typename T>
inline constexpr bool is_text_array = false;
template <std::size_t Size>
inline constexpr bool is_text_array<char[Size]> = true;
/// What is a range of itself (std::filesystem::path) is taken for none.
template <typename T>
concept range_like = requires(const T& values) {
  std::begin(values);
  std::end(values);
}
&&!std::is_same_v<std::remove_cvref_t<decltype(*std::begin(std::declval<const T&>()))>, T>;
/// Equal values have equal bytes. Not portable.
template <typename T>
concept bytes_alone =
    std::is_trivially_copyable_v<T> && std::has_unique_object_representations_v<T> && !std::is_pointer_v<T> &&
    !std::is_aggregate_v<T> && !texted<T>;
template <typename T>
using number_of_enum =
    std::conditional_t<std::is_same_v<std::underlying_type_t<T>, bool>, unsigned char, std::underlying_type_t<T>>;
template <typename T>
concept tuple_like = requires {
  std::tuple_size<T>::value;
}
&&!range_like<T>;
template <typename T>
concept unordered = range_like<T> && requires {
  typename T::hasher;
};
template <typename T>
concept nullable = requires(const T& value) {
  static_cast<bool>(value);
  *value;
}
&&!std::is_pointer_v<T> && !range_like<T>;

template <typename T>
inline constexpr bool is_variant = false;
template <typename... T>
inline constexpr bool is_variant<std::variant<T...>> = true;

/// What the rules have a text for.
template <typename T>
concept known = saved_by_hook<T> || std::is_arithmetic_v<T> || std::is_enum_v<T> || std::is_same_v<T, std::monostate> ||
    std::is_same_v<T, std::nullopt_t> || is_text_array<T> || texted<T> || is_variant<T> || range_like<T> ||
    tuple_like<T> || nullable<T> || reflect::reflectable<T> || bytes_alone<T>;

/// Other types only: since 3.11.3 the library's own to_json() is found for every class, strings and ranges too.
#ifdef NLOHMANN_JSON_VERSION_MAJOR
template <typename T>
concept known_to_nlohmann = std::is_class_v<T> && !known<T> && requires(nlohmann::json & json, const T& value) {
  to_json(json, value);
};
#else
template <typename T>
concept known_to_nlohmann = false;
#endif

/// A pair of a map has a constant key.
template <typename T>
struct plain {
  using type = std::remove_cv_t<T>;
};
template <typename First, typename Second>
struct plain<std::pair<First, Second>> {
  using type = std::pair<std::remove_cv_t<First>, Second>;
};

template <typename T>
void write(std::string& to, const T& value, bool named);
template <typename T>
bool read(reader& from, T& to);

template <typename Number>
void write_number(std::string& to, Number value) {
  char digits[128];
  const auto end = std::to_chars(digits, digits + sizeof digits, value);
  to.append(digits, static_cast<std::size_t>(end.ptr - digits));
}

template <typename Number>
void write_floating(std::string& to, Number value) {
  if (value != value)
    to += "\"nan\"";
  else if (value - value != 0)
    to += value > 0 ? "\"inf\"" : "\"-inf\"";
  else
    write_number(to, value);
}

template <typename Tuple>
void write_members(std::string& to, const Tuple& members, bool named) {
  std::apply(
      [&](const auto&... each) {
        bool first = true;
        to += '[';
        ((to += first ? "" : ",", first = false, write(to, each, named)), ...);
        to += ']';
      },
      members);
}

template <typename T, std::size_t... I>
void write_named(std::string& to, const T& value, std::index_sequence<I...>) {
  [[maybe_unused]] const auto members = reflect::tie(value);
  to += '{';
  [[maybe_unused]] const auto one = [&](std::string_view name, const auto& member, bool first) {
    if (!first) to += ',';
    write_string(to, name);
    to += ':';
    write(to, member, true);
  };
  (one(reflect::member_name<T, I>(), std::get<I>(members), I == 0), ...);
  to += '}';
}

template <typename T>
consteval bool has_member_names() {
  if constexpr (reflect::members<T> == 0)
    return false;
  else
    return !reflect::member_name<T, 0>().empty();
}

template <typename T>
void write_range(std::string& to, const T& values, bool named) {
  if constexpr (unordered<T>) {
    std::vector<std::string> texts;
    for (const auto& value : values) write(texts.emplace_back(), value, named);
    write_sorted(to, std::move(texts));
  } else {
    to += '[';
    bool first = true;
    for (auto&& value : values) {
      if (!first) to += ',';
      first = false;
      if constexpr (std::is_same_v<T, std::vector<bool>>)
        write(to, static_cast<bool>(value), named);
      else
        write(to, value, named);
    }
    to += ']';
  }
}

template <typename T>
void write(std::string& to, const T& value, bool named) {
  if constexpr (saved_by_hook<T>) {
    write(to, morph_save(value), named);
  } else if constexpr (std::is_same_v<T, bool>) {
    to += value ? "true" : "false";
  } else if constexpr (std::is_same_v<T, char>) {
    write_string(to, std::string_view(&value, 1));
  } else if constexpr (std::is_enum_v<T>) {
    const std::string_view name = named ? reflect::enumerator_name(value) : std::string_view();
    if (name.empty())
      write_number(to, static_cast<number_of_enum<T>>(value));
    else
      to += name;
  } else if constexpr (std::is_integral_v<T>) {
    write_number(to, value);
  } else if constexpr (std::is_floating_point_v<T>) {
    write_floating(to, value);
  } else if constexpr (std::is_same_v<T, std::monostate> || std::is_same_v<T, std::nullopt_t>) {
    to += "null";
  } else if constexpr (is_text_array<T>) {
    write_string(to, std::string_view(value, ::strnlen(value, sizeof value)));
  } else if constexpr (texted<T>) {
    write_string(to, value);
  } else if constexpr (is_variant<T>) {
    to += '[';
    write_number(to, value.index());
    to += ',';
    std::visit([&](const auto& held) { write(to, held, named); }, value);
    to += ']';
  } else if constexpr (range_like<T>) {
    write_range(to, value, named);
  } else if constexpr (tuple_like<T>) {
    write_members(to, value, named);
  } else if constexpr (nullable<T>) {
    if (!value) {
      to += "null";
      return;
    }
    to += '[';
    write(to, *value, named);
    to += ']';
  } else if constexpr (reflect::reflectable<T>) {
    if constexpr (has_member_names<T>())
      if (named) return write_named(to, value, std::make_index_sequence<reflect::members<T>>{});
    write_members(to, reflect::tie(value), named);
  } else if constexpr (bytes_alone<T>) {
    write_bytes(to, &value, sizeof value);
  } else if constexpr (known_to_nlohmann<T>) {
#ifdef NLOHMANN_JSON_VERSION_MAJOR
    nlohmann::json made;
    to_json(made, value);
    to += made.dump();
#endif
  } else {
    static_assert(never<T>,
                  "morph: a value of this type T has no text; write `auto morph_save(const T&)` and `void "
                  "morph_load(T&, const Saved&)` in its namespace");
  }
}

template <typename Number>
bool read_number(reader& from, Number& to) {
  const std::string_view digits = from.number();
  if (digits.empty()) return false;
  const auto end = std::from_chars(digits.data(), digits.data() + digits.size(), to);
  if (end.ec == std::errc::result_out_of_range) return from.fail("the number " + std::string(digits) + " is too large");
  return end.ptr == digits.data() + digits.size() ||
         from.fail((std::is_integral_v<Number> ? "a whole number is wanted, not " : "a number is wanted, not ") +
                   std::string(digits));
}

template <typename Number>
bool read_floating(reader& from, Number& to) {
  if (!from.comes('"')) return read_number(from, to);
  std::string word;
  if (!from.string(word)) return false;
  if (word == "inf" || word == "-inf" || word == "nan") {
    to = word == "nan" ? std::numeric_limits<Number>::quiet_NaN() : std::numeric_limits<Number>::infinity();
    if (word == "-inf") to = -to;
    return true;
  }
  return from.fail("a number is wanted, not \"" + word + "\"");
}

template <typename... T>
bool read_members(reader& from, T&... members) {
  [[maybe_unused]] std::size_t left = sizeof...(T);
  [[maybe_unused]] const auto one = [&](auto& member) { return read(from, member) && (--left == 0 || from.take(',')); };
  return from.take('[') && (one(members) && ...) && from.take(']');
}

template <typename T, std::size_t... I>
bool read_named(reader& from, T& to, std::index_sequence<I...>) {
  [[maybe_unused]] auto members = reflect::tie(to);
  [[maybe_unused]] const auto one = [&](std::string_view name, auto& member, bool last) {
    std::string found;
    if (!from.name(found)) return false;
    if (!name.empty() && found != name)
      return from.fail("the member '" + std::string(name) + "' is wanted, not '" + found + "'");
    return from.take(':') && read(from, member) && (last || from.take(','));
  };
  return from.take('{') && (one(reflect::member_name<T, I>(), std::get<I>(members), I + 1 == sizeof...(I)) && ...) &&
         from.take('}');
}

template <typename T>
bool read_range(reader& from, T& to) {
  using element = typename plain<std::remove_cv_t<std::remove_reference_t<decltype(*std::begin(to))>>>::type;
  if (!from.take('[')) return false;
  if constexpr (requires { to.clear(); }) {
    to.clear();
    if (from.take_if(']')) return true;
    do {
      std::conditional_t<std::is_same_v<T, std::vector<bool>>, bool, element> one{};
      if (!read(from, one)) return false;
      to.insert(to.end(), std::move(one));
    } while (from.take_if(','));
    return from.take(']');
  } else {
    bool first = true;
    for (auto& one : to) {
      if (!first && !from.take(',')) return false;
      first = false;
      if (!read(from, one)) return false;
    }
    return from.take(']');
  }
}

template <typename Variant, std::size_t I = 0>
bool read_alternative(reader& from, Variant& to, std::size_t index) {
  if constexpr (I == std::variant_size_v<Variant>) {
    return from.fail("there is no alternative " + std::to_string(index));
  } else {
    if (index != I) return read_alternative<Variant, I + 1>(from, to, index);
    std::variant_alternative_t<I, Variant> held{};
    if (!read(from, held)) return false;
    to.template emplace<I>(std::move(held));
    return true;
  }
}

template <typename T>
bool read_value(reader& from, T& to) {
  if constexpr (saved_by_hook<T>) {
    static_assert(loaded_by_hook<T>,
                  "morph: this type T has morph_save(), but no `morph_load(T&, const Saved&)` that takes back what it "
                  "makes");
    std::remove_cvref_t<decltype(morph_save(to))> saved{};
    if (!read(from, saved)) return false;
    if constexpr (std::is_same_v<decltype(morph_load(to, saved)), bool>)
      return morph_load(to, saved) || from.fail("the value is refused by morph_load()");
    else
      return morph_load(to, saved), true;
  } else if constexpr (std::is_same_v<T, bool>) {
    to = from.comes('t');
    return from.word(to ? "true" : "false");
  } else if constexpr (std::is_same_v<T, char>) {
    std::string one;
    if (!from.string(one)) return false;
    if (one.size() != 1) return from.fail("one character is wanted");
    to = one[0];
    return true;
  } else if constexpr (std::is_enum_v<T>) {
    number_of_enum<T> number{};
    if (!read_number(from, number)) return false;
    to = static_cast<T>(number);
    return true;
  } else if constexpr (std::is_integral_v<T>) {
    return read_number(from, to);
  } else if constexpr (std::is_floating_point_v<T>) {
    return read_floating(from, to);
  } else if constexpr (std::is_same_v<T, std::monostate>) {
    return from.word("null");
  } else if constexpr (is_text_array<T>) {
    std::string characters;
    if (!from.string(characters)) return false;
    if (characters.size() > sizeof to) return from.fail("the string is too long");
    std::memset(to, 0, sizeof to);
    std::memcpy(to, characters.data(), characters.size());
    return true;
  } else if constexpr (std::is_same_v<T, std::string>) {
    return from.string(to);
  } else if constexpr (is_variant<T>) {
    std::size_t index = 0;
    return from.take('[') && read_number(from, index) && from.take(',') && read_alternative(from, to, index) &&
           from.take(']');
  } else if constexpr (range_like<T> && !texted<T>) {
    return read_range(from, to);
  } else if constexpr (tuple_like<T>) {
    return std::apply([&](auto&... each) { return read_members(from, each...); }, to);
  } else if constexpr (nullable<T> && !texted<T>) {
    using held = std::remove_cvref_t<decltype(*to)>;
    if (from.comes('n')) return to = T(), from.word("null");
    held one{};
    if (!from.take('[') || !read(from, one) || !from.take(']')) return false;
    if constexpr (std::is_constructible_v<T, held>)
      to = T(std::move(one));
    else
      to = T(new held(std::move(one)));
    return true;
  } else if constexpr (reflect::reflectable<T>) {
    if (from.comes('{')) return read_named(from, to, std::make_index_sequence<reflect::members<T>>{});
    return std::apply([&](auto&... each) { return read_members(from, each...); }, reflect::tie(to));
  } else if constexpr (bytes_alone<T>) {
    return read_bytes(from, &to, sizeof to);
  } else if constexpr (known_to_nlohmann<T>) {
#ifdef NLOHMANN_JSON_VERSION_MAJOR
    const auto json = nlohmann::json::parse(from.value(), nullptr, false);
    if (json.is_discarded()) return from.fail("JSON is wanted");
    try {
      from_json(json, to);
    } catch (const nlohmann::json::exception& error) {
      return from.fail(error.what());
    }
    return true;
#endif
  } else {
    static_assert(never<T>,
                  "morph: a value of this type T cannot be read; write `auto morph_save(const T&)` and `void "
                  "morph_load(T&, const Saved&)` in its namespace");
  }
}

template <typename T>
bool read(reader& from, T& to) {
  if (!from.enter()) return false;
  const bool good = read_value(from, to);
  from.leave();
  return good;
}

}  // namespace text

/// What identifies a value, and what files have of it.
template <typename T>
std::string to_text(const T& value) {
  std::string made;
  text::write(made, value, false);
  return made;
}

/// For people: aggregates with the names of their members and enumerators by their names, where the compiler tells
/// them. from_text() reads it, too, but for names of enumerators.
template <typename T>
std::string show(const T& value) {
  std::string made;
  text::write(made, value, true);
  return made;
}

template <typename T>
struct parsed {
  std::optional<T> value;
  std::string error;  // "at 12: a number is wanted, not 'x'"; empty if there is a value
};

/// T has a default. Names of members have to be its own, as far as the compiler tells them.
template <typename T>
parsed<T> from_text(std::string_view written) {
  text::reader from(written);
  T made{};
  if (text::read(from, made) && from.end()) return {std::move(made), {}};
  return {std::nullopt, from.error()};
}

}  // namespace morph
