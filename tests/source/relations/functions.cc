// Relations as functions. Behind an assertion stand the function's inputs and lines, or why there is none.
#include <gtest/gtest.h>

#include <fstream>
#include <stdexcept>
#include <vector>

#include "codec.hpp"
#include "doc.hpp"

namespace trips {
namespace {

const char* const mark = "!";
std::string marked(const std::string& text) { return text + mark; }

TEST(Functions, LiteralsOfTheFirstCallAreInputs) {
  const std::string text("abc");
  ns::doc unrelated(7);
  EXPECT_EQ(unrelated.depth(), 7);
  EXPECT_EQ(decode(encode(text)), text);
  //> text: std::string = std::string("abc")
  //> const std::string text(in.text);
  //> return morph::is_equal(decode(encode(text)), text);
}
TEST(Functions, EqualLiteralsAreOneInput) {
  EXPECT_EQ(checksum_on(checksum("left"), "right"), checksum_on(checksum("left"), "right"));
  //> text: std::string = "left"
  //> text2: std::string = "right"
  //> return morph::is_equal(checksum_on(checksum(in.text), in.text2), checksum_on(checksum(in.text), in.text2));
}
TEST(Functions, WhatATestStopsAtIsAGuard) {
  ns::doc made = ns::parse("a");
  ASSERT_TRUE(made.depth() > 0);
  ASSERT_EQ(made.text(), "a");
  ns::doc again = ns::parse(made.text());
  EXPECT_EQ(made, again);
  //> text: std::string = "a"
  //> ns::doc made = ns::parse(in.text);
  //> if (!(made.depth() > 0)) return {};
  //> ns::doc again = ns::parse(made.text());
  //> return morph::is_equal(made, again);
}
TEST(Functions, ARoundIsAsGoodAsAllOthers) {
  for (const char* const each : {"a", "bc"}) {
    const std::string coded = encode(each);
    EXPECT_EQ(decode(coded), each);
    //> each: std::string = "a" "bc"
    //> {
    //>   const char* each = in.each.c_str();
    //>   const std::string coded = encode(each);
    //>   return morph::is_equal(decode(coded), each);
    //> }
  }
}
TEST(Functions, RoundsThatDependOnOthersStay) {
  std::string text = "x";
  for (int i = 0; i < 3; ++i) {
    text = encode(text);
    EXPECT_NE(checksum(text), checksum(encode(text)));
    //> text: std::string = "x"
    //> morph::comparison last;
    //> std::string text = in.text;
    //> for (int i = 0; i < 3; ++i) {
    //>   text = encode(text);
    //>   last = morph::is_unequal(checksum(text), checksum(encode(text)));
    //>   if (last.fails()) return last;
    //> }
    //> return last;
  }
}
TEST(Functions, WhatFollowsInARoundStays) {
  std::string text = "x";
  for (int i = 0; i < 3; ++i) {
    EXPECT_NE(checksum(text), checksum(encode(text)));
    //> text: std::string = "x"
    //> morph::comparison last;
    //> std::string text = in.text;
    //> for (int i = 0; i < 3; ++i) {
    //>   last = morph::is_unequal(checksum(text), checksum(encode(text)));
    //>   if (last.fails()) return last;
    //>   text = encode(text);
    //> }
    //> return last;
    text = encode(text);
  }
}
TEST(Functions, ExpectedConditionsAreGuardsToo) {
  ns::doc made = ns::parse("a");
  EXPECT_FALSE(made.load("b"));
  EXPECT_TRUE(made.text() == "a");
  EXPECT_EQ(made, ns::parse(made.text()));
  //> text: std::string = "a"
  //> ns::doc made = ns::parse(in.text);
  //> if (made.load("b")) return {};
  //> return morph::is_equal(made, ns::parse(made.text()));
}
TEST(Functions, WhatIsWrittenToElementsIsWrittenToTheirTable) {
  std::string text("abc");
  for (char& each : text) each = 'x';
  EXPECT_EQ(decode(encode(text)), text);
  //> text: std::string = std::string("abc")
  //> each: char = 'x'
  //> std::string text(in.text);
  //> for (char& each : text) {
  //>   each = in.each;
  //> }
  //> return morph::is_equal(decode(encode(text)), text);
}
TEST(Functions, LoopsKeepTheirWaysOut) {
  std::string text = "x";
  while (true) {
    if (checksum(text) > 9) break;
    text = encode(text);
  }
  EXPECT_EQ(decode(encode(text)), text);
  //> text: std::string = "x"
  //> std::string text = in.text;
  //> while (true) {
  //>   if (checksum(text) > 9) {
  //>     break;
  //>   }
  //>   text = encode(text);
  //> }
  //> return morph::is_equal(decode(encode(text)), text);
}
TEST(Functions, DeclarationsOfTheSourceComeAlong) {
  EXPECT_EQ(decode(encode(marked("a"))), marked("a"));
  //> text: std::string = "a"
  //> return morph::is_equal(decode(encode(marked(in.text))), marked(in.text));
}
TEST(Functions, ExpectedExceptionsAreRun) {
  ns::doc made = ns::parse("a");
  EXPECT_THROW(made.deepen(-1), std::runtime_error);
  EXPECT_NO_THROW(made.deepen(4));
  EXPECT_EQ(ns::parse(made.text()), made);
  //> text: std::string = "a"
  //> ns::doc made = ns::parse(in.text);
  //> try { made.deepen(-1); } catch (...) {}
  //> made.deepen(4);
  //> return morph::is_equal(ns::parse(made.text()), made);
}
TEST(Functions, FilesAreWritten) {
  {
    std::ofstream out("a.txt");
    out << "text";
  }
  const std::string name("a.txt");
  EXPECT_EQ(decode(encode(name)), name);
  //> value: std::string = "a.txt"
  //> value2: std::string = "text"
  //> name: std::string = std::string("a.txt")
  //> {
  //>   std::ofstream out(in.value.c_str());
  //>   out << in.value2.c_str();
  //> }
  //> const std::string name(in.name);
  //> return morph::is_equal(decode(encode(name)), name);
}

void expect_round_trip(const std::string& text) {
  EXPECT_EQ(decode(encode(text)), text);
  //> text: std::string = std::string("one")
  //> const auto text = in.text;
  //> return morph::is_equal(decode(encode(text)), text);
}
TEST(Functions, ParametersOfHelpersAreInputs) {
  const std::string one("one");
  expect_round_trip(one);
}

void expect_same(const ns::doc& one, const ns::doc& other) {
  EXPECT_EQ(one, other);
  //> text: std::string = "deep"
  //> ns::doc one = ns::parse(in.text);
  //> auto&& given_one = one;
  //> auto&& given_other = ns::parse(one.text());
  //> {
  //>   const ns::doc& one = given_one;
  //>   const ns::doc& other = given_other;
  //>   return morph::is_equal(one, other);
  //> }
}
TEST(Functions, HelpersAreWrittenWhereTheyAreCalled) {
  ns::doc one = ns::parse("deep");
  expect_same(one, ns::parse(one.text()));
}

class Fixture : public testing::Test {
 protected:
  void SetUp() override { kept_ = ns::parse("kept"); }
  ns::doc kept_{1};
};
TEST_F(Fixture, MembersAreThoseOfTheFixture) {
  kept_.deepen(2);
  EXPECT_EQ(ns::parse(kept_.text()), kept_);
  //> by: int = 2
  //> kept_.deepen(in.by);
  //> return morph::is_equal(ns::parse(kept_.text()), kept_);
}

TEST(Functions, HardCodedFollowUpsArePairs) {
  EXPECT_EQ(checksum("ab"), checksum("AB"));
  //> text: std::string = "ab"
  //> follow_up: "ab" -> "AB" of text
  //> return morph::is_equal(checksum(in.text), checksum(follow_up));
  const int before = checksum_on(2, "x");
  const int behind = checksum_on(3, "y");
  EXPECT_NE(before, behind);
  //> before: int = 2
  //> text: std::string = "x"
  //> follow_up: 2 -> 3 of before
  //> follow_up2: "x" -> "y" of text
  //> const int before = checksum_on(in.before, in.text);
  //> const int behind = checksum_on(follow_up, follow_up2);
  //> return morph::is_unequal(before, behind);
}
TEST(Functions, ATextMayBeTwoTexts) {
  EXPECT_EQ(checksum("ab"), checksum_on(checksum("a"), "b"));
  //> text: std::string = "a"
  //> text2: std::string = "b"
  //> const std::string whole = in.text + in.text2;
  //> return morph::is_equal(checksum(whole), checksum_on(checksum(in.text), in.text2));
}
TEST(Functions, TheLaterCallMayWorkOnTheEarlier) {
  int sum = checksum("foo");
  EXPECT_NE(sum, checksum_on(sum, "b"));
  //> text: std::string = "foo"
  //> int sum = checksum(in.text);
  //> return morph::is_unequal(sum, checksum_on(sum, "b"));
}
TEST(Functions, WhatIsGivenAConstantHandleMayWriteBehindIt) {
  ns::doc made = ns::parse("a");
  ns::writer into(made);
  into.add(7);
  ns::doc again = ns::parse(made.text());
  EXPECT_EQ(made, again);
  //> text: std::string = "a"
  //> number: int = 7
  //> ns::doc made = ns::parse(in.text);
  //> ns::writer into(made);
  //> into.add(in.number);
  //> ns::doc again = ns::parse(made.text());
  //> return morph::is_equal(made, again);
}
TEST(Functions, OthersAreNone) {
  EXPECT_EQ(checksum("xy"), checksum_on(checksum("a"), "b"));
  //> the second call's input is written beside the first call's
}
TEST(Functions, LambdasAreNone) {
  const auto check = [](const std::string& text) {
    EXPECT_EQ(decode(encode(text)), text);
    //> its assertion stands in a lambda
  };
  const std::string text = "a";
  check(text);
}

}  // namespace
}  // namespace trips
