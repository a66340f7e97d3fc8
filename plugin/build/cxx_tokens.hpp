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

/// Words, literals and single characters, without comments and blanks. They point into `text`. A literal without an end
/// ends with its line.
std::vector<cxx_token> cxx_tokens(std::string_view text);

/// Whether a token of a text is the first one of a line of the preprocessor: comments, and a backslash in front of an
/// end of line, do not end it.
bool begins_line(const std::vector<cxx_token>& all, std::size_t index);

/// From where the one begins to where the other ends, of one text.
inline std::string_view text_between(std::string_view begin, std::string_view end) {
  return {begin.data(), static_cast<std::size_t>(end.data() + end.size() - begin.data())};
}

/// As in a word of C++, or in a character beyond ASCII.
bool is_word_character(char c);
/// Whether a token is a name or keyword: no number, no literal.
bool is_word(std::string_view token);

}  // namespace morph::build
