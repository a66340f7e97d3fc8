// Which assertions relate two calls. A note, FIRST | SECOND: TRANSFORMATION, says so; without one there is none.
#include <gtest/gtest.h>

#include <cstring>
#include <sstream>

#include "codec.hpp"
#include "doc.hpp"

// ---- An input of one call, or its output, with the output of a later one.
TEST(Elements, RoundTrip) {
  const std::string text = "a";
  EXPECT_EQ(decode(encode(text)), text);  //= encode(text) | decode(encode(text)): computed
  ns::doc d = ns::parse("a");
  ns::doc e = ns::parse(d.text());
  EXPECT_EQ(d, e);  //= d.text() | ns::parse(d.text()): computed
}
TEST(Elements, TwoOutputs) {
  EXPECT_EQ(checksum("ab"), checksum_on(checksum("a"), "b"));  //= checksum("ab") | checksum_on(checksum("a"), "b"): none
  std::string a = "x";
  EXPECT_LT(checksum(a), checksum(a + a));  //= checksum(a) | checksum(a + a): computed
}
TEST(Elements, ConstantsAreNoneButNamesOfConstantsAre) {
  ns::doc d(3);
  EXPECT_EQ(d.depth(), 3);
  EXPECT_EQ(checksum("a"), 7);
  EXPECT_EQ(ns::parse("a").depth(), 1);
  const int depth = 3;
  ns::doc e(depth);
  EXPECT_EQ(depth, e.depth());  //= e(depth) | e.depth(): computed
}
TEST(Elements, ALiteralThatComesBackIsAnEcho) {
  ns::doc d = ns::parse("a");
  d.deepen(5);
  EXPECT_EQ(d.depth(), 5);  //= echo d.deepen(5) | d.depth(): state
}
TEST(Elements, WhatACallIsGivenIsNotRelatedToItsOwnOutput) {
  const std::string a = "x";
  EXPECT_NE(encode(a), a);
}
TEST(Elements, NorToThatOfACallThatIsGivenTheSame) {
  const std::string a = "x";
  checksum(a);
  EXPECT_NE(encode(a), a);
}
TEST(Elements, CopiesThatAreWrittenAreCalls) {
  ns::doc a = ns::parse("a");
  ns::doc b(a);
  EXPECT_EQ(a, b);  //= ns::parse("a") | b(a): computed
  ns::doc c(3);
  ns::doc d(c);
  EXPECT_EQ(c, d);
}

// ---- Both belong to one class, with what takes or returns it, or to one header.
TEST(Units, OfDifferentOnes) {
  const int n = 3;
  ns::doc d = ns::parse("a");
  EXPECT_EQ(ns::other(n).depth(), d.depth());
  EXPECT_EQ(ns::parse("a").text(), encode("a"));
}

// ---- What a variable holds.
TEST(Definitions, TheLastOne) {
  std::string a = encode("a");
  a = "b";
  EXPECT_EQ(decode("c"), a);
  std::string b = "a", c = encode(b);
  c = "b";
  EXPECT_EQ(decode(c), c);
}
TEST(Definitions, OfTwoBranches) {
  int a = checksum("a");
  if (version() > 1) a = 3;
  EXPECT_EQ(a, checksum("b"));  //= checksum("a") | checksum("b"): none
}
TEST(Definitions, FieldsApart) {
  struct {
    int a, b;
  } both{};
  both.a = checksum("a");
  both.b = 3;
  EXPECT_EQ(both.b, checksum("b"));
  EXPECT_EQ(both.a, checksum("c"));  //= checksum("a") | checksum("c"): none
}
TEST(Definitions, AnArgumentThatIsWritten) {
  const std::string a = "x";
  ns::doc d;
  ASSERT_TRUE(ns::read(a, &d));
  EXPECT_EQ(a, d.text());  //= ns::read(a, &d) | d.text(): computed
}
TEST(Definitions, AReceiverThatIsChanged) {
  const int n = 4;
  ns::doc d = ns::parse("a");
  d.deepen(n);
  EXPECT_EQ(n, d.depth());  //= d.deepen(n) | d.depth(): state
}
TEST(Definitions, AMethodWithATwinForConstantObjectsChangesNone) {
  ns::doc d;
  const ns::doc e;
  d.begin();
  EXPECT_EQ(d, e);
}
TEST(Definitions, OfAHandler) {
  const std::string a = "x";
  try {
    decode(a);
  } catch (const std::string& what) {
    EXPECT_EQ(what, encode("y"));  //= decode(a) | encode("y"): none
  }
}
TEST(Definitions, LoopsCarryThem) {
  for (const std::string text : {"a", "b"}) {
    EXPECT_EQ(decode(encode(text)), text);  //= encode(text) | decode(encode(text)): computed
  }
  int before = 0;
  for (int i = 0; i < 9; ++i) {
    const int now = checksum(std::string(i, 'a'));
    EXPECT_LE(before, now);  //= checksum(std::string(i, 'a')) | checksum(std::string(i, 'a')): none
    before = now;
  }
}

// ---- What an assertion compares.
TEST(Assertions, ABooleanCallThatChangesNothing) {
  ns::doc a = ns::parse("a");
  const ns::doc b = ns::parse("b");
  EXPECT_TRUE(b.has(a));  //= ns::parse("a") | ns::parse("b"): none
  EXPECT_TRUE(a.load(encode("b")));
}
TEST(Assertions, OnlyComparisons) {
  EXPECT_TRUE(checksum("a") && checksum("b"));
  EXPECT_TRUE(!(checksum("c") == checksum("d")) || version() > 2);  //= checksum("c") | checksum("d"): none
  EXPECT_EQ(checksum("e") - checksum("f"), 0);
  EXPECT_EQ(checksum("g") == checksum("h"), true);  //= checksum("g") | checksum("h"): none
}
TEST(Assertions, OfOtherMacros) {
  const std::string a = "x";
  EXPECT_STREQ(a.c_str(), decode(encode(a)).c_str());  //= encode(a) | decode(encode(a)): computed
  EXPECT_NEAR(checksum("a"), checksum("b"), 3);        //= checksum("a") | checksum("b"): none
  EXPECT_PRED2(std::less<int>(), checksum("c"), checksum("d"));  //= checksum("c") | checksum("d"): none
  EXPECT_NO_THROW(encode(a));
}

// ---- What a test is made of.
static void same(const std::string& text) {
  EXPECT_EQ(decode(encode(text)), text);  //= encode(text) | decode(encode(text)): computed
}
static void over(const std::string& text) {
  same(text);
}
static void deeper(const std::string& text) {
  EXPECT_EQ(decode(encode(text)), text);
}
static void deep(const std::string& text) {
  deeper(text);
}
static void far(const std::string& text) {
  deep(text);
}
static bool round(const std::string& text) {
  return decode(encode(text)) == text;
}
static void check(const std::string& text, bool both, bool sums) {
  if (both) {
    EXPECT_EQ(decode(encode(text)), text);  //= encode(text) | decode(encode(text)): computed
  }
  if (sums) {
    EXPECT_EQ(checksum(text), checksum(text + text));
  }
}
TEST(Helpers, TwoDeep) {
  const std::string a = "b";
  over(a);
  far(a);
  EXPECT_TRUE(round(a));  //= encode(text) | decode(encode(text)): computed
}
TEST(Helpers, Lambdas) {
  const std::string a = "b";
  const auto f = [](const std::string& text) {
    EXPECT_EQ(decode(encode(text)), text);  //= encode(text) | decode(encode(text)): computed
  };
  f(a);
}
TEST(Helpers, OfABranchThatAConstantExcludesNothing) {
  const std::string a = "b";
  check(a, true, false);
}

struct fixture : testing::Test {
  void SetUp() override {
    text_ = "a";
    coded_ = encode(text_);
  }
  std::string text_, coded_;
};
TEST_F(fixture, Members) {
  EXPECT_EQ(text_, decode(coded_));  //= encode(text_) | decode(coded_): computed
}

struct with_texts : testing::TestWithParam<std::string> {};
TEST_P(with_texts, Parameters) {
  EXPECT_EQ(GetParam(), decode(encode(GetParam())));  //= encode(GetParam()) | decode(encode(GetParam())): computed
}
INSTANTIATE_TEST_SUITE_P(All, with_texts, testing::Values("a", "b"));

template <typename T>
struct of_types : testing::Test {};
using some_types = testing::Types<std::string, std::string>;
TYPED_TEST_SUITE(of_types, some_types);
TYPED_TEST(of_types, Types) {
  const TypeParam text = "a";
  EXPECT_EQ(decode(encode(text)), text);  //= encode(text) | decode(encode(text)): computed
}

TEST(Elements, TwoPlacesInOneText) {
  ns::doc d = ns::parse("a");
  d.deepen(2);
  const std::string text = d.text();
  EXPECT_LT(text.find("a"), text.find("b"));
}
static bool covers(const char* text, const char* part) {
  const ns::doc whole(static_cast<int>(std::strlen(text))), piece(static_cast<int>(std::strlen(part)));
  return whole.has(piece);
}
TEST(Helpers, LiteralsStayLiterals) {
  EXPECT_TRUE(covers("ab", "a"));
}
TEST(Definitions, AConstructorWritesToNoArgument) {
  std::string a = encode("a");
  ns::view first(a), second(a);
  EXPECT_TRUE(second == a);
}
TEST(Definitions, LongChainsAreReadOnce) {
  std::ostringstream to;
  to << 1 << 2 << 3 << 4 << 5 << 6 << 7 << 8 << 9 << 1 << 2 << 3 << 4 << 5 << 6 << 7 << 8 << 9 << 1 << 2 << 3 << 4 << 5
     << 6 << 7 << 8 << 9 << 1 << 2 << 3 << 4 << 5 << 6 << 7 << 8 << 9 << 1 << 2 << 3 << 4 << 5 << 6 << 7 << 8 << 9;
  EXPECT_EQ(to.str(), encode("1"));
}
TEST(Across, WhatOneUnitWritesAnotherReads) {
  const std::string text = "a";
  EXPECT_EQ(ns::parse(encode(text)).text(), text);  //= across encode(text) | ns::parse(encode(text)).text(): computed
}
TEST(Across, AMakerWritesNothing) {
  const int depth = 3;
  EXPECT_EQ(checksum(ns::doc(depth).text()), depth);
}
static std::vector<int> doubled(const ns::doc& of) {
  std::vector<int> made;
  made.reserve(static_cast<std::size_t>(of.depth()));
  made.push_back(2);
  return made;
}
TEST(Definitions, ReservingChangesNoValue) {
  const int depth = 3;
  const std::vector<int> two{depth, depth};
  EXPECT_EQ(doubled(ns::doc(depth)), two);
}
