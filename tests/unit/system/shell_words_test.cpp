// Command lines as a shell takes them apart.
#include "plugin/system/shell_words.hpp"

#include <gtest/gtest.h>

namespace morph::system {
namespace {

using words = std::vector<std::string>;

TEST(ShellWords, EndAtBlanks) {
  EXPECT_EQ(shell_words("c++ -O2\t-c  a.cpp\r"), (words{"c++", "-O2", "-c", "a.cpp"}));
  EXPECT_EQ(shell_words("  "), words());
}

TEST(ShellWords, InQuotesHoldBlanks) {
  EXPECT_EQ(shell_words(R"(-DTEXT="a b" 'c "d"' "e 'f'")"), (words{"-DTEXT=a b", R"(c "d")", "e 'f'"}));
  EXPECT_EQ(shell_words(R"(a "" b)"), (words{"a", "", "b"}));
}

TEST(ShellWords, BackslashesHoldInSingleQuotesAlone) {
  EXPECT_EQ(shell_words(R"(-DA=\"x\" 'b\c' d\ e)"), (words{R"(-DA="x")", R"(b\c)", "d e"}));
}

TEST(ShellWords, WithoutTheirLastQuoteEndWithTheLine) {
  EXPECT_EQ(shell_words("a 'b c"), (words{"a", "b c"}));
}

TEST(ShellLine, QuotesWhatAShellWouldNotTakeAsItStands) {
  EXPECT_EQ(shell_line({"morph", "plan", "--why=A/b.C:1", "x@y%,+"}), "morph plan --why=A/b.C:1 x@y%,+");
  EXPECT_EQ(shell_line({"a b", "", "$x", "*", "~", "a'b", "#", "a\nb", "\xff"}),
            "'a b' '' '$x' '*' '~' 'a'\\''b' '#' 'a\nb' '\xff'");
  EXPECT_EQ(shell_line({}), "");
}

TEST(ShellLine, IsTakenApartAgain) {
  const words all{"",    "a",          "a b", "'", "''", "\"",  "\\", "a'b\"c\\d e", "$(rm -rf x)",
                  "`x`", "line\nline", "\t",  ";", "&&", "\xff"};
  EXPECT_EQ(shell_words(shell_line(all)), all);
}

}  // namespace
}  // namespace morph::system
