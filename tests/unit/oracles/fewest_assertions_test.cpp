// The fewest assertions that kill: worked by hand.
#include "plugin/oracles/fewest_assertions.hpp"

#include <gtest/gtest.h>

namespace morph::oracles {
namespace {

using places = std::vector<std::vector<std::uint32_t>>;

TEST(FewestAssertions, KillAllThatCanBeKilled) {
  // Alone the third value kills what the first two do.
  EXPECT_EQ(fewest_assertions({{.values = {{1}, {2}, {1, 2}}}}, 3), (places{{2}}));
}

TEST(FewestAssertions, AreTheFirstOfEqualOnes) {
  EXPECT_EQ(fewest_assertions({{.values = {{}, {7}, {7}}}}, 3), (places{{1}}));
}

TEST(FewestAssertions, AreOneWhereNothingIsKilled) {
  EXPECT_EQ(fewest_assertions({{.values = {{}, {}}}, {.values = {}}}, 3), (places{{0}, {}}));
}

TEST(FewestAssertions, LeaveOutWhatATestKillsAnyway) {
  // 5 crashes the first test: the second one need not see it.
  EXPECT_EQ(fewest_assertions({{.kills = {5}, .values = {{}, {5}}}, {.values = {{}, {5}, {6}}}}, 3),
            (places{{0}, {2}}));
}

TEST(FewestAssertions, AreSharedAmongTests) {
  // The second test kills 1, 2 and 3 by one value: the first one keeps its first, though it kills two of them.
  EXPECT_EQ(fewest_assertions({{.values = {{}, {1}, {2}}}, {.values = {{}, {1, 2, 3}}}}, 3), (places{{0}, {1}}));
}

TEST(FewestAssertions, AreNoMoreThanAllowedInATest) {
  // Of four values that each kill something, those that kill most; 4 is left for the other test.
  const std::vector<judged_test> tests{{.values = {{4}, {1, 10}, {2, 20}, {3, 30}}}, {.values = {{}, {}, {4}}}};
  EXPECT_EQ(fewest_assertions(tests, 3), (places{{1, 2, 3}, {2}}));
  EXPECT_EQ(fewest_assertions(tests, 1).at(0).size(), 1U);
}

TEST(FewestAssertions, AreOfWhatATestIsAbout) {
  // Three own values rather than one of something else; the other test asserts what it is about beside what it kills.
  EXPECT_EQ(fewest_assertions({{.values = {{1}, {2}, {3}, {1, 2, 3}}, .own = 3}}, 3), (places{{0, 1, 2}}));
  EXPECT_EQ(fewest_assertions({{.values = {{1}, {1, 2}}, .own = 1}}, 3), (places{{0, 1}}));
  EXPECT_EQ(fewest_assertions({{.values = {{}, {1, 2}}, .own = 1}}, 3), (places{{1}}));
}

TEST(FewestAssertions, AreEqualForEqualTests) {
  std::vector<judged_test> tests(6);
  for (std::uint32_t t = 0; t < 6; ++t)
    for (std::uint32_t v = 0; v < 8; ++v) tests[t].values.push_back({(t * 7 + v * 3) % 11, (t + v * 5) % 13, 20 + t});
  EXPECT_EQ(fewest_assertions(tests, 3), fewest_assertions(tests, 3));
}

}  // namespace
}  // namespace morph::oracles
