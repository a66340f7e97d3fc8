// What two texts of a source tell of the code that compilers make of them, without a compiler.
#pragma once

#include <set>
#include <span>
#include <string_view>

#include "plugin/build/known_words.hpp"
#include "plugin/git/repository.hpp"

namespace morph::build {

/// How the code of a changed text may differ.
struct text_difference {
  /// False: in more than `bodies`.
  bool is_known = false;
  /// Names of functions whose code alone may differ, unless it is put into their callers (plain_functions.hpp); views
  /// of the old text. None: what compilers make of both texts is the same.
  std::set<std::string_view> bodies;
};

/// A text whose comments and blanks alone changed does not differ; where a word may come to the number of its line, the
/// function around it does if it moved. Otherwise a hunk must lie in bodies of plain functions; it must declare nothing
/// that outlives them, and the text must have the same names as before. What is not certain is not known.
text_difference compare_texts(std::string_view old_text, std::string_view new_text, std::span<const git::hunk> hunks,
                              const known_words& words);

}  // namespace morph::build
