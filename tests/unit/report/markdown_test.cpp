// Names and sources in comments on pull requests.
#include "plugin/report/markdown.hpp"

#include <gtest/gtest.h>

namespace morph::report {
namespace {

TEST(Markdown, OfCodeKeepsItsBackQuotesAndOneLine) {
  EXPECT_EQ(as_code("a < b"), "`a < b`");
  EXPECT_EQ(as_code("f(`x`)"), "`` f(`x`) ``");
  EXPECT_EQ(as_code("a\n# b\r\n"), "`a # b`");
  EXPECT_EQ(as_code("caf\xe9"), "`caf\xef\xbf\xbd`");
  EXPECT_EQ(as_code(" \n"), "");
}

TEST(Markdown, OfSentencesHasNoMarksButThoseOfCode) {
  EXPECT_EQ(as_sentence("Assert `a < *b` in A_Test"), "Assert `a < *b` in A\\_Test");
  EXPECT_EQ(as_sentence("[x](y) <b> \\<i>"), "\\[x\\](y) \\<b> \\\\\\<i>");
  EXPECT_EQ(as_sentence("`a` and `b <i>"), "`a` and \\`b \\<i>");
}

TEST(Markdown, OfLongTextsEndsWithDots) {
  EXPECT_EQ(shortened("abc", 3), "abc");
  EXPECT_EQ(shortened("abcd", 3), "abc...");
  EXPECT_EQ(shortened("a\xc3\xa4\xc3\xb6", 2), "a...");  // no half of a character
  EXPECT_EQ(shortened("a\xc3\xa4\xc3\xb6", 3), "a\xc3\xa4...");
}

}  // namespace
}  // namespace morph::report
