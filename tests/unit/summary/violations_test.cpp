// Violated relations in the output of programs of specs.
#include "plugin/summary/violations.hpp"

#include <gtest/gtest.h>

namespace morph::summary {
namespace {

TEST(Violations, AreReadWithTheirReplayLines) {
  const auto found = violations_in(
      "halves: 20 seeds, 20 mutants, 40 runs\n"
      "halves: \"one more\" is violated by add two\n"
      "  source  49 -> 24\n"
      "  replay: /home/me/b/relations --test 'halves.one more' --replay '{\"in\":49}'\n"
      "\n"
      "halves: \"every run ends\" is violated\n"
      "  replay: b/relations --test 'halves.every run ends'\n");
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].spec, "halves");
  EXPECT_EQ(found[0].relation, "one more");
  EXPECT_EQ(found[0].replay, "/home/me/b/relations --test 'halves.one more' --replay '{\"in\":49}'");
  EXPECT_EQ(found[1].relation, "every run ends");
  EXPECT_EQ(found[1].replay, "b/relations --test 'halves.every run ends'");
}

TEST(Violations, OfAHostHaveNoReplayLine) {
  const auto found = violations_in("hosted: \"odd \"function\"\" is violated by negate\nWhich is: 0\n");
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found.front().relation, "odd \"function\"");
  EXPECT_EQ(found.front().replay, "");
}

TEST(Violations, AreEachThereOnce) {
  const std::string one = "s: \"r\" is violated\n  replay: p --replay '1'\n";
  EXPECT_EQ(violations_in(one + one).size(), 1U);
  EXPECT_EQ(violations_in(one + "s: \"r\" is violated\n  replay: p --replay '2'\n").size(), 2U);
}

TEST(Violations, AreNotFoundInOtherText) {
  EXPECT_TRUE(violations_in("").empty());
  EXPECT_TRUE(violations_in("the law is violated\n  replay: nothing\n\" is violated: \"\n").empty());
}

}  // namespace
}  // namespace morph::summary
