// What words of C++ sources may come to: macros, and what else is said of functions apart from their bodies.
#pragma once

#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace morph::build {

struct known_words {
  using words = std::set<std::string, std::less<>>;
  words macros;        // all that are defined
  words of_lines;      // the number of the line where they stand
  words of_compilers;  // what compilers evaluate, put into its callers, count, name otherwise or run before main()
  words of_braces;     // a brace without its other one
  words said_apart;    // functions of which some statement says a word of compilers
  bool asks_callers = false;  // a function may ask for the place of its caller (std::source_location)
  bool puts_callees = false;  // a function may have others put into it (flatten)
  bool asks_time = false;     // of the file (__TIMESTAMP__)

  /// Whether a word that parentheses follow may be a macro of which nothing is known, by its capitals.
  bool is_unknown_macro(std::string_view word) const;
};

/// Of all that is compiled together. Macros by what they are defined as, in any of the texts.
known_words read_words(std::span<const std::string> texts);

/// As macros are called by convention.
bool is_in_capitals(std::string_view word);

}  // namespace morph::build
