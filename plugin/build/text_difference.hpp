// What two texts of a source tell of the code that compilers make of them, without a compiler.
#pragma once

#include <cstdint>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "plugin/build/source_functions.hpp"
#include "plugin/git/repository.hpp"

namespace morph::build {

/// What words of a project's sources may come to.
struct known_words {
  using words = std::set<std::string, std::less<>>;
  words macros;               // all that are defined
  words of_lines;             // the number of the line where they stand
  words of_compilers;         // what compilers evaluate, put into its callers, or run before main()
  bool asks_callers = false;  // a function may ask for the place of its caller (std::source_location)
};

/// Of macros, by what they are defined as, in any of the texts.
known_words read_words(std::span<const std::string> texts);

/// How the code of a changed text may differ.
struct text_difference {
  /// False: in more than `bodies`.
  bool is_known = false;
  /// Functions whose code alone may differ, unless it is put into their callers; views of the old text. None: what
  /// compilers make of both texts is the same.
  std::vector<source_function> bodies;
};

/// A text whose comments and blanks alone changed does not differ; where a word may come to the number of its line, the
/// function around it does if it moved. Otherwise a hunk must lie in bodies of functions that no compiler evaluates,
/// whose types do not follow from their bodies; it must declare nothing that outlives them, and the text must have the
/// same names as before. What is not certain is not known.
text_difference compare_texts(std::string_view old_text, std::string_view new_text, std::span<const git::hunk> hunks,
                              const known_words& words);

}  // namespace morph::build
