// CMake code as text.
#include "plugin/build/cmake_syntax.hpp"

#include <gtest/gtest.h>

namespace morph::build {
namespace {

std::vector<std::string> words(const cmake_command& c) {
  std::vector<std::string> texts;
  for (const auto& a : c.arguments) texts.push_back(a.text);
  return texts;
}
using list = std::vector<std::string>;

TEST(CMakeText, CommandsHaveLowerCaseNamesAndLines) {
  const auto commands = parse_cmake("project(a)\n\n  Enable_Testing ( )\n").value();
  ASSERT_EQ(commands.size(), 2U);
  EXPECT_EQ(commands[1].name, "enable_testing");
  EXPECT_EQ(commands[1].line, 3U);
  EXPECT_TRUE(commands[1].arguments.empty());
}

TEST(CMakeText, ACallMayTakeSeveralLinesWithComments) {
  const auto commands =
      parse_cmake("add_test(\n  NAME a # no ) here\n  #[[ nor ) here\n ]] COMMAND b)\nnext()").value();
  ASSERT_EQ(commands.size(), 2U);
  EXPECT_EQ(words(commands[0]), (list{"NAME", "a", "COMMAND", "b"}));
  EXPECT_EQ(commands[1].line, 5U);
}

TEST(CMakeText, StringsAndBracketsHoldWhatLooksLikeCode) {
  const auto commands =
      parse_cmake("message(\"add_test(x)\\\" #\" [==[ ]=] add_test(y) ]==] a\\ b -Da=\"b c\")").value();
  ASSERT_EQ(commands.size(), 1U);
  EXPECT_EQ(words(commands[0]), (list{"add_test(x)\" #", " ]=] add_test(y) ", "a b", "-Da=\"b c\""}));
}

TEST(CMakeText, CommentedCallsAreNone) {
  EXPECT_TRUE(parse_cmake("# add_test(a b)\n#[[\nadd_test(c d)\n]]\n").value().empty());
}

TEST(CMakeText, VariablesAndGeneratorExpressionsAreNotLiteral) {
  const auto commands = parse_cmake("add_test(plain ${name} \"a${b}\" $<TARGET_FILE:x> [[${y}]])").value();
  std::vector<bool> literal;
  for (const auto& a : commands[0].arguments) literal.push_back(a.literal);
  EXPECT_EQ(literal, (std::vector<bool>{true, false, false, false, true}));
}

TEST(CMakeText, CommandsKnowTheBlocksAroundThem) {
  const auto commands = parse_cmake("if(A)\n a()\nelse()\n foreach(x)\n  b()\n endforeach()\nendif()\nc()").value();
  EXPECT_EQ(commands[1].blocks, (std::vector<cmake_block>{{0, 0}}));
  EXPECT_EQ(commands[4].blocks, (std::vector<cmake_block>{{0, 1}, {3, 0}}));
  EXPECT_TRUE(commands[7].blocks.empty());
}

TEST(CMakeText, ParenthesesInArgumentsAreBalanced) {
  const auto commands = parse_cmake("if((A OR B) AND C)\nendif()").value();
  EXPECT_EQ(words(commands[0]), (list{"(", "A", "OR", "B", ")", "AND", "C"}));
}

TEST(CMakeText, WhatIsNotCMakeIsNamedWithItsLine) {
  EXPECT_EQ(parse_cmake("a()\nadd_test(x").error(), "line 2: add_test( is never closed");
  EXPECT_EQ(parse_cmake("a()\n%").error(), "line 2: a command is expected here");
  EXPECT_EQ(parse_cmake("if(A)\nb()").error(), "line 1: if() is never closed");
  EXPECT_EQ(parse_cmake("a(\"b)").error(), "line 1: a string is never closed");
}

TEST(CMakeText, EveryPrefixOfAFileIsCodeOrAnError) {
  const std::string text = "if(A)\n f(\"x\\\"\" [=[y]=] $(z) a\"b c\" # d\n )\nendif()\n";
  for (std::size_t length = 0; length <= text.size(); ++length) (void)parse_cmake(text.substr(0, length));
  EXPECT_EQ(parse_cmake(text)->size(), 3U);
}

}  // namespace
}  // namespace morph::build
