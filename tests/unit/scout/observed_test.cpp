// What notes of a run say of a relation.
#include "plugin/scout/observed.hpp"

#include <gtest/gtest.h>

namespace morph::scout {
namespace {

/// Two calls and an assertion in the test that goes from byte 100 to 200; `first` may stand in a SetUp() before it.
std::string verdict(const std::vector<std::size_t>& reached, std::size_t first = 110) {
  const relation of{.first = {.line = 3}, .second = {.line = 4}, .stops = {first, 120, 130}};
  std::vector<noted> notes;
  for (const std::size_t each : reached) notes.push_back({each, each == 100 || each == 300});
  return why_refuted(of, {100, 200}, notes);
}

TEST(Observed, BothCallsComeInFrontOfTheAssertion) {
  EXPECT_EQ(verdict({100, 110, 120, 130}), "");
  EXPECT_EQ(verdict({100, 130, 120, 110, 120, 130}), "") << "in a later round";
  EXPECT_EQ(verdict({300, 110, 120, 130}), "?") << "another test runs";
  EXPECT_EQ(verdict({}), "?");
  EXPECT_EQ(verdict({100, 110, 120}), "the assertion was not reached");
  EXPECT_EQ(verdict({100, 120, 130}), "the first call (line 3) was not made");
  EXPECT_EQ(verdict({100, 110, 130}), "the second call (line 4) was not made");
  EXPECT_EQ(verdict({100, 120, 110, 130}), "the calls were not made in this order in front of the assertion");
}

TEST(Observed, ARunOfATestIsItsOwn) {
  EXPECT_NE(verdict({100, 110, 100, 120, 130}), "");
  EXPECT_EQ(verdict({100, 110, 100, 110, 120, 130}), "");
}

TEST(Observed, HelpersMayCallOnTheAssertionsBehalf) {
  const relation of{.first = {.line = 3}, .second = {.line = 4}, .stops = {110, 50, 130}};
  const auto told = [&](std::vector<noted> notes) { return why_refuted(of, {100, 200}, notes); };
  EXPECT_EQ(told({{100, true}, {110}, {130}, {50}}), "");
  EXPECT_NE(told({{100, true}, {110}, {130}, {140}, {50}}), "") << "behind the assertion";
}

TEST(Observed, HelpersMayCallOnTheSecondCallsBehalf) {
  EXPECT_EQ(verdict({100, 120, 50, 130}, 50), "") << "second(helper()) in front of the assertion";
  EXPECT_NE(verdict({100, 120, 110, 130}), "") << "the first call stands behind the second one";
  const relation in_assertion{.first = {.line = 3}, .second = {.line = 4}, .stops = {50, 130, 130}};
  EXPECT_EQ(why_refuted(in_assertion, {100, 200}, {{100, true}, {130}, {50}}), "");
}

TEST(Observed, WhatSetUpCallsComesBeforeTheTest) {
  EXPECT_EQ(verdict({50, 100, 120, 130}, 50), "");
  EXPECT_EQ(verdict({100, 120, 130}, 50), "the first call (line 3) was not made");
}

}  // namespace
}  // namespace morph::scout
