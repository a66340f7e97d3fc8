// Sources of C++ as tokens: what of a text matters to a compiler, and what is comment and blank.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace morph::build {

/// Two are equal if their texts are.
struct cxx_token {
  std::string_view text;
  std::uint32_t line;       // where it starts, from 1
  std::uint32_t last_line;  // a raw string may have several
  bool operator==(const cxx_token& other) const { return text == other.text; }
};

/// Words, literals and single characters, without comments and blanks. They point into `text`.
std::vector<cxx_token> cxx_tokens(std::string_view text);

/// As in a word of C++, or in a character beyond ASCII.
bool is_word_character(char c);
/// Whether a token is a name or keyword: no number, no literal.
bool is_word(std::string_view token);

}  // namespace morph::build
