// Texts by their pieces: what these are, and that changes keep them whole.
#include "plugin/generate/text_variation.hpp"

#include <gtest/gtest.h>

#include <set>

namespace morph::generate {
namespace {

std::vector<std::string> of_kind(text_piece::kind kind, std::string_view text) {
  std::vector<std::string> made;
  for (const text_piece& each : pieces_of(text))
    if (each.of == kind) made.emplace_back(text.substr(each.begin, each.end - each.begin));
  return made;
}

using texts = std::vector<std::string>;

TEST(TextPieces, AreWordsAndRunsOfSigns) {
  EXPECT_EQ(of_kind(text_piece::kind::token, "a_1: <!-- b"), (texts{"a_1", ":", "<!--", "b"}));
  EXPECT_TRUE(pieces_of(" \n ").empty() || of_kind(text_piece::kind::token, " \n ").empty());
}

TEST(TextPieces, AreLinesWithTheirEnds) {
  EXPECT_EQ(of_kind(text_piece::kind::line, "a\n\nb"), (texts{"a\n", "\n", "b"}));
  EXPECT_TRUE(of_kind(text_piece::kind::line, "a").empty());
}

TEST(TextPieces, AreWhatBracketsAndQuotesEnclose) {
  EXPECT_EQ(of_kind(text_piece::kind::group, "f([1], {x})"), (texts{"[1]", "{x}", "([1], {x})"}));
  EXPECT_EQ(of_kind(text_piece::kind::group, R"("a\"(" 'b)')"), (texts{R"("a\"(")", "'b)'"}));
  EXPECT_EQ(of_kind(text_piece::kind::group, "(a < b) ] don't"), (texts{"(a < b)"}));
}

TEST(TextTokens, AreDifferentAndShort) {
  EXPECT_EQ(tokens_of("a: a - abcdefghijklmnopq\n(b)"), (texts{"a", ":", "-", "(", "b", ")"}));
}

/// All that some changes of a text gave.
std::set<std::string> changed(const std::string& text, std::string_view other, const texts& tokens) {
  optimizer::random_source random(1);
  std::set<std::string> made;
  for (int i = 0; i < 3000; ++i) made.insert(with_other_pieces(text, other, tokens, random));
  return made;
}

TEST(TextChanges, RemoveDoubleAndSwapLines) {
  const auto made = changed("a\nb\nc\n", "", {});
  for (const char* each : {"b\nc\n", "a\na\nb\nc\n", "c\nb\na\n", "a\nb\na\nc\n"})
    EXPECT_EQ(made.count(each), 1U) << each;
}

TEST(TextChanges, IndentAndBreakLines) {
  const auto made = changed("a\n b\n", "", {});
  for (const char* each : {"  a\n b\n", "a\nb\n", "a\n \nb\n"}) EXPECT_EQ(made.count(each), 1U) << each;
}

TEST(TextChanges, SpliceAtBracketsOfTheOtherText) {
  const auto made = changed("f(1)", "g([2], {3})", {});
  for (const char* each : {"f[2]", "f{3}", "f([2], {3})"}) EXPECT_EQ(made.count(each), 1U) << each;
}

TEST(TextChanges, PutTokensOfTheDictionary) {
  const auto made = changed("a b", "", {"&x"});
  for (const char* each : {"&x b", "a &x", "a&x b", "a b &x "}) EXPECT_EQ(made.count(each), 1U) << each;
}

TEST(TextChanges, WrapPiecesInBracketsAndQuotes) {
  const auto made = changed("a b", "", {});
  for (const char* each : {"[a] b", "a {b}", "\"a\" b"}) EXPECT_EQ(made.count(each), 1U) << each;
}

TEST(TextChanges, OfATextWithoutPiecesAppend) {
  EXPECT_EQ(changed("", "x", {"y"}), (std::set<std::string>{"y"}));
  EXPECT_EQ(changed("", "x", {}), (std::set<std::string>{"x"}));
}

TEST(Excerpts, AreWholeLinesOfALongText) {
  EXPECT_EQ(excerpts("ab\ncd\n", 10, 4), (texts{"ab\ncd\n"}));
  EXPECT_EQ(excerpts("ab\ncd\nef\n", 4, 4), (texts{"ab\n", "cd\n", "ef\n"}));
  EXPECT_EQ(excerpts("ab\ncd\nef\n", 4, 2), (texts{"ab\n", "cd\n"}));
  EXPECT_EQ(excerpts("abcdefgh", 4, 4), (texts{"abcd", "efgh"}));
}

}  // namespace
}  // namespace morph::generate
