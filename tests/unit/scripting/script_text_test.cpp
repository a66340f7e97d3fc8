// The language of scripts: words, quotes, variables, blocks, and what is wrong with a line.
#include <gtest/gtest.h>

#include "plugin/scripting/text.hpp"

namespace morph::scripting {
namespace {

/// The words, a variable as ${NAME}.
std::vector<std::string> words_of(const std::string& line) {
  const auto lines = read_script(line);
  EXPECT_TRUE(lines) << line << ": " << lines.error().what;
  std::vector<std::string> words;
  if (!lines || lines->empty()) return words;
  EXPECT_EQ(lines->size(), 1U) << line;
  for (const script_word& word : lines->front().words) {
    std::string& text = words.emplace_back();
    for (const word_piece& piece : word) text += piece.is_variable ? "${" + piece.text + "}" : piece.text;
  }
  return words;
}

script_error error_of(const std::string& text) {
  const auto lines = read_script(text);
  EXPECT_FALSE(lines) << text;
  return lines ? script_error{} : lines.error();
}

using texts = std::vector<std::string>;

TEST(ScriptText, WordsAreSplitAtBlanks) {
  EXPECT_EQ(words_of("  morph spec\tseed --pool  a.jsonl "), (texts{"morph", "spec", "seed", "--pool", "a.jsonl"}));
}

TEST(ScriptText, ARemarkEndsALineButNotAWord) {
  EXPECT_EQ(words_of("morph plan # all of it"), (texts{"morph", "plan"}));
  EXPECT_EQ(words_of("morph a#b '#' \"#\""), (texts{"morph", "a#b", "#", "#"}));
  EXPECT_TRUE(read_script("# nothing\n\n   \n")->empty());
}

TEST(ScriptText, QuotesAreThoseOfAShell) {
  EXPECT_EQ(words_of(R"(a 'b  c' "d  e" f'g'"h" '' "")"), (texts{"a", "b  c", "d  e", "fgh", "", ""}));
  EXPECT_EQ(words_of(R"('${x} \n "' "a\"b\\c\$d\ne\qf" g\ h\'i)"), (texts{"${x} \\n \"", "a\"b\\c$d\ne\\qf", "g h'i"}));
}

TEST(ScriptText, AVariableMayBePartOfAWord) {
  const auto lines = read_script("morph a${x}b\"${y z}\"");
  EXPECT_FALSE(lines);
  const auto good = read_script("morph a${x}b\"${y} c\" '${z}'");
  ASSERT_TRUE(good);
  const auto& words = good->front().words;
  ASSERT_EQ(words.size(), 3U);
  ASSERT_EQ(words[1].size(), 5U);
  EXPECT_TRUE(words[1][1].is_variable && words[1][3].is_variable);
  EXPECT_EQ(words[1][4].text, " c");
  ASSERT_NE(literal(words[2]), nullptr);
  EXPECT_EQ(*literal(words[2]), "${z}");
}

TEST(ScriptText, LinesMayEndAsInWindows) {
  const auto lines = read_script("\xEF\xBB\xBFmorph a\r\n\r\nmorph 'b'\r\n");
  ASSERT_TRUE(lines);
  ASSERT_EQ(lines->size(), 2U);
  EXPECT_EQ((*lines)[0].words[1].front().text, "a");
  EXPECT_EQ((*lines)[1].number, 3U);
  EXPECT_EQ((*lines)[1].words[1].front().text, "b");
}

TEST(ScriptText, RepetitionsKnowTheirEnd) {
  const auto lines = read_script("repeat 2\nrepeat 3\nmorph a\nend\nend\n");
  ASSERT_TRUE(lines);
  EXPECT_EQ((*lines)[0].ends_at, 4U);
  EXPECT_EQ((*lines)[1].ends_at, 3U);
}

TEST(ScriptText, ErrorsNameTheLineAndWhatWasExpected) {
  const auto expect = [](const std::string& text, std::size_t line, const std::string& what) {
    const script_error found = error_of(text);
    EXPECT_EQ(found.line, line) << text;
    EXPECT_EQ(found.what, what) << text;
  };
  expect("morph a\nmorph 'b\n'", 2, "the quote ' in column 7 is not closed in this line");
  expect("morph \"b", 1, "the quote \" in column 7 is not closed in this line");
  expect("morph \"b\\\"", 1, "the quote \" in column 7 is not closed in this line");
  expect("morph a \\", 1, "nothing follows the backslash at the end; a command is one line");
  expect("morph a > b", 1,
         "'>' is for a shell, and scripts run without one; a text that holds it stands in quotes, and many commands "
         "write files with --out");
  expect("morph a && morph b", 1,
         "'&' is for a shell, and scripts run without one; a text that holds it stands in quotes");
  expect("morph $x", 1, "a variable in column 7 is written ${NAME}; a dollar sign itself is \\$, or stands in '...'");
  expect("morph ${x", 1, "the variable in column 7 is not closed; it is written ${NAME}");
  expect("morph ${1x}", 1, "'1x' is no name of a variable; it has letters, digits and _, no digit first");
  expect("repeat 2\nmorph a\nrepeat 2\nend\n", 1, "this `repeat` has no `end`, which closes it");
  expect("morph a\nend\n", 2, "`end` without a `repeat` before it");
  expect("repeat 1\nend now\n", 2, "`end` stands alone in its line");
  expect(std::string("morph a\nmorph \0b\n", 17), 2, "there is a zero byte; a script is a text");
}

TEST(ScriptText, WhatIsWrittenReadsBack) {
  const texts words{"morph",        "",      "a b", "it's", "it's \"$x\"\\", "\"", "$x ${y}", "a\\b",
                    "line\nline\r", "--x=ü", "#",   "a;b",  "{\"in\":[1,2]}"};
  EXPECT_EQ(words_of(script_line_of(words)), words) << script_line_of(words);
  EXPECT_EQ(script_line_of({"morph", "spec", "--pool", "a.jsonl"}), "morph spec --pool a.jsonl");
}

TEST(ScriptText, NoTextMakesItFail) {
  // Every prefix of a script is read or refused.
  const std::string text = "set a = 'x'\nrepeat 2 as i\n morph \"${a}\\n${i}\" \\# # r\nend\n";
  for (std::size_t n = 0; n <= text.size(); ++n) {
    const auto lines = read_script(text.substr(0, n));
    EXPECT_TRUE(lines || !lines.error().what.empty());
  }
}

}  // namespace
}  // namespace morph::scripting
