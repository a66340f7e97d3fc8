// The language of scripts: a text to lines of words, and words to a line that reads back.
//
//   # what the script is for
//   set pool = cases.jsonl
//   repeat 3 as i
//     morph spec seed --pool "${pool}" --seed ${i}
//   end
//   try morph spec check --pool "${pool}"
//   play other --set pool="${pool}"
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

namespace morph::scripting {

struct word_piece {
  std::string text;  // of a variable: its name
  bool is_variable = false;
};
/// Pieces that stand side by side. A variable's value is never split.
using script_word = std::vector<word_piece>;

struct script_line {
  std::size_t number;              // from 1
  std::vector<script_word> words;  // one or more
  std::size_t ends_at = 0;         // of `repeat`: the position of its `end` among the lines
};

struct script_error {
  std::size_t line;  // 0 = the whole file
  std::string what;
};

/// The lines that hold something. Quotes are those of a shell: nothing is replaced within '...', within "..." variables
/// and \" \\ \$ \n \r \t are. An error for what is not closed, and for what only a shell would understand.
tl::expected<std::vector<script_line>, script_error> read_script(std::string_view text);

/// The word, if it holds no variable.
const std::string* literal(const script_word& word);

bool is_variable_name(std::string_view name);

/// One line that read_script() takes for these words.
std::string script_line_of(const std::vector<std::string>& words);

}  // namespace morph::scripting
