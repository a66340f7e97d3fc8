// Where a source can be mutated, and how: what is known of a file before it is rewritten.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace morph::mutation {

/// What stands in the place of the original text while a program mutant is active.
struct alternative {
  std::string op;    // the mutation operator's name
  std::string text;  // on one line
  /// Neither it nor the original has an effect: both can be evaluated, to see whether they differ.
  bool pure = false;

  bool operator==(const alternative&) const = default;
};

enum class place_kind : std::uint8_t {
  statement,   // deleted, with its semicolon
  body,        // of a function: the alternative runs first, and returns
  expression,  // replaced by one of the same type
};

/// Bytes [begin, end) of a file. A body's are its opening brace.
struct place {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
  place_kind kind = place_kind::expression;
  std::string type{};  // to which original and alternatives are converted; empty: they have one type
  std::vector<alternative> alternatives{};
  std::string original{};  // on one line, where an alternative is pure

  bool operator==(const place&) const = default;
};

/// A function's definition, as people know it, and where it stands.
struct function_extent {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
  std::uint32_t line = 0;  // of its name
  std::uint32_t end_line = 0;
  std::string name;       // qualified, with the types of its parameters
  std::string untouched;  // why no extreme transformation fits; empty if one does
  /// Where its body begins, if that can stand twice; else 0.
  std::uint32_t body = 0;
  bool is_constexpr = false;

  bool operator==(const function_extent&) const = default;
};

/// A variable that gets its value before main() and has no effect but on itself: bytes of its declaration, with all
/// that it is initialized with.
struct initial_value {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
  std::string name{};  // as it stands there

  auto operator<=>(const initial_value&) const = default;
};

/// All sorted: an outer one before what it contains.
struct file_places {
  std::vector<place> places;
  std::vector<function_extent> functions;
  /// What compilers alone evaluate: no mutant of it could be on.
  std::vector<place> compile_time{};
  std::vector<initial_value> initial_values{};

  bool operator==(const file_places&) const = default;
};

}  // namespace morph::mutation
