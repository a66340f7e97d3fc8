// Updates of test profiles, by numbers worked out by hand from the formulas in docs/specs/adaptive.md.
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <vector>

#include "plugin/spec/adaptive/profile.hpp"

namespace {

using morph::random_source;
using morph::engine::leave;
using morph::engine::parameters;
using morph::engine::probabilities;
using morph::engine::problem_of;
using morph::engine::profile;
using morph::engine::profile_rule;
using morph::engine::punish;
using morph::engine::reward;
using morph::engine::stay;

void expect_near(const probabilities& got, const probabilities& wanted) {
  ASSERT_EQ(got.size(), wanted.size());
  for (std::size_t i = 0; i < wanted.size(); ++i) EXPECT_NEAR(got[i], wanted[i], 1e-12) << "partition " << i;
}
double sum_of(const probabilities& p) {
  return std::accumulate(p.begin(), p.end(), 0.0);
}

/// A profile behind updates: `{source, follow-up, violated}` each.
probabilities behind(profile_rule rule, const parameters& with, probabilities start,
                     const std::vector<morph::engine::tested>& all, const std::vector<std::uint64_t>& bounds = {}) {
  profile at(rule, with, std::move(start), bounds);
  for (const auto& each : all) at.update(each);
  return at.now();
}
parameters of(double epsilon, double delta) {
  parameters with;
  with.epsilon = epsilon;
  with.delta = delta;
  return with;
}
constexpr bool violated = true, held = false;

// ---- DRT: source and follow-up in one partition

TEST(SpecProfile, DrtRewardsAViolationByWhatTheOthersLose) {
  // epsilon / (m - 1) = 0.06 / 3 = 0.02 of each other one.
  expect_near(behind(profile_rule::drt, of(0.06, 0.06), {0.25, 0.25, 0.3, 0.2}, {{1, 1, violated}}),
              {0.23, 0.31, 0.28, 0.18});
}

TEST(SpecProfile, DrtTakesFromNobodyMoreThanItHas) {
  // The third has 0.01 only, of the 0.02 that it would lose: the second gets 0.02 + 0.01 + 0.02.
  expect_near(behind(profile_rule::drt, of(0.06, 0.06), {0.39, 0.3, 0.01, 0.3}, {{1, 1, violated}}),
              {0.37, 0.35, 0, 0.28});
}

TEST(SpecProfile, DrtPunishesByGivingToTheOthers) {
  // The first loses delta = 0.03, of which each of three gets 0.01.
  expect_near(behind(profile_rule::drt, of(0.5, 0.03), {0.25, 0.25, 0.3, 0.2}, {{0, 0, held}}),
              {0.22, 0.26, 0.31, 0.21});
}

TEST(SpecProfile, DrtGivesBackAllThatAClampedPartitionHad) {
  // p_1 = 0.02 < delta = 0.05. The drafts print p'_1 / (m - 1) = 0 for each other one: the sum would be 0.98.
  const probabilities made = behind(profile_rule::drt, of(0.05, 0.05), {0.02, 0.48, 0.5}, {{0, 0, held}});
  expect_near(made, {0, 0.49, 0.51});
  EXPECT_NEAR(sum_of(made), 1, 1e-15);
}

TEST(SpecProfile, DrtOfTwoPartitions) {
  expect_near(behind(profile_rule::drt, of(0.1, 0.04), {0.5, 0.5}, {{0, 0, violated}}), {0.6, 0.4});
  expect_near(behind(profile_rule::drt, of(0.1, 0.04), {0.5, 0.5}, {{0, 0, held}}), {0.46, 0.54});
  expect_near(behind(profile_rule::drt, of(0.1, 0.04), {0.97, 0.03}, {{0, 0, violated}}), {1, 0});
}

TEST(SpecProfile, OnePartitionKeepsAll) {
  for (const profile_rule rule :
       {profile_rule::fixed, profile_rule::drt, profile_rule::mdrt, profile_rule::mapt, profile_rule::rapt})
    expect_near(behind(rule, of(0.1, 0.1), {1}, {{0, 0, violated}, {0, 0, held}, {0, 0, held}}, {2}), {1});
}

TEST(SpecProfile, DrtLeavesPairsOfPartitionsAlone) {
  expect_near(behind(profile_rule::drt, of(0.06, 0.06), {0.2, 0.3, 0.5}, {{0, 1, violated}, {2, 0, held}}),
              {0.2, 0.3, 0.5});
}

// ---- MDRT: source and follow-up in different partitions

TEST(SpecProfile, MdrtRewardsBothByHalf) {
  // 2 epsilon / (m - 2) = 0.08 / 2 = 0.04 of each other one; 0.08 in all, half each.
  expect_near(behind(profile_rule::mdrt, of(0.04, 0.04), {0.2, 0.3, 0.1, 0.4}, {{0, 2, violated}}),
              {0.24, 0.26, 0.14, 0.36});
}

TEST(SpecProfile, MdrtTakesFromNobodyMoreThanItHas) {
  // The second has 0.01 of 0.04: 0.05 in all, 0.025 each.
  expect_near(behind(profile_rule::mdrt, of(0.04, 0.04), {0.2, 0.01, 0.1, 0.69}, {{2, 0, violated}}),
              {0.225, 0, 0.125, 0.65});
}

TEST(SpecProfile, MdrtPunishesBoth) {
  // Both lose 0.03, the two others get 0.03 each.
  expect_near(behind(profile_rule::mdrt, of(0.5, 0.03), {0.2, 0.3, 0.1, 0.4}, {{0, 2, held}}),
              {0.17, 0.33, 0.07, 0.43});
  // The third has 0.01 only: 0.04 in all, 0.02 each.
  expect_near(behind(profile_rule::mdrt, of(0.5, 0.03), {0.2, 0.3, 0.01, 0.49}, {{0, 2, held}}), {0.17, 0.32, 0, 0.51});
}

TEST(SpecProfile, MdrtOfThreePartitionsHasOneOther) {
  // 2 * 0.05 / 1 = 0.1 of the third, 0.05 each.
  expect_near(behind(profile_rule::mdrt, of(0.05, 0.05), {0.3, 0.3, 0.4}, {{0, 1, violated}}), {0.35, 0.35, 0.3});
  expect_near(behind(profile_rule::mdrt, of(0.05, 0.02), {0.3, 0.3, 0.4}, {{0, 1, held}}), {0.28, 0.28, 0.44});
}

TEST(SpecProfile, MdrtOfTwoPartitionsHasNobodyToTakeFrom) {
  expect_near(behind(profile_rule::mdrt, of(0.1, 0.1), {0.4, 0.6}, {{0, 1, violated}, {1, 0, held}}), {0.4, 0.6});
}

TEST(SpecProfile, MdrtIsDrtInOnePartition) {
  expect_near(behind(profile_rule::mdrt, of(0.06, 0.03), {0.25, 0.25, 0.3, 0.2}, {{1, 1, violated}}),
              {0.23, 0.31, 0.28, 0.18});
  expect_near(behind(profile_rule::mdrt, of(0.06, 0.03), {0.25, 0.25, 0.3, 0.2}, {{0, 0, held}}),
              {0.22, 0.26, 0.31, 0.21});
}

// ---- MAPT

TEST(SpecProfile, MaptStaysBehindAViolation) {
  // gamma p_ii / (m - 1) = 0.1 * 0.4 / 2 = 0.02 of each other one.
  probabilities row{0.3, 0.4, 0.3};
  stay(row, 1, 0.1);
  expect_near(row, {0.28, 0.44, 0.28});
}

TEST(SpecProfile, MaptTakesNothingFromWhoHasTooLittle) {
  // 0.1 * 0.8 / 2 = 0.04: the first has just that, and keeps it; the third has more.
  probabilities row{0.04, 0.8, 0.16};
  stay(row, 1, 0.1);
  expect_near(row, {0.04, 0.84, 0.12});
}

TEST(SpecProfile, MaptLeavesWhereRelationsHold) {
  // tau / (m - 1) = 0.1 / 2 = 0.05: the others grow by 5 %, and the second loses 0.05 * 0.6 = 0.03.
  probabilities row{0.2, 0.4, 0.4};
  leave(row, 1, 0.1);
  expect_near(row, {0.21, 0.37, 0.42});
}

TEST(SpecProfile, MaptKeepsWhatIsTooLittleToGive) {
  // 0.05 * 0.98 = 0.049 > 0.02
  probabilities row{0.5, 0.02, 0.48};
  leave(row, 1, 0.1);
  expect_near(row, {0.5, 0.02, 0.48});
}

TEST(SpecProfile, MaptOfTwoPartitions) {
  probabilities row{0.5, 0.5};
  stay(row, 0, 0.1);
  expect_near(row, {0.55, 0.45});
  leave(row, 0, 0.1);  // 0.1 * 0.45
  expect_near(row, {0.505, 0.495});
}

TEST(SpecProfile, MaptUpdatesTheRowsOfSourceAndFollowUp) {
  profile at(profile_rule::mapt, {}, {0.5, 0.3, 0.2});
  at.update({0, 2, violated});
  // Row 0: 0.1 * 0.5 / 2 = 0.025 of each other one.
  expect_near(at.now(), {0.55, 0.275, 0.175});
  at.update({1, 1, held});
  // Row 1: 0.05 * 0.7 = 0.035.
  expect_near(at.now(), {0.525, 0.265, 0.21});
  at.update({2, 2, held});
  // Row 2 was stayed in: 0.1 * 0.2 / 2 = 0.01 of each, 0.22; then left: 0.05 * 0.78 = 0.039.
  expect_near(at.now(), {0.49 * 1.05, 0.29 * 1.05, 0.22 - 0.039});
}

// ---- RAPT

TEST(SpecProfile, RaptStaysAsLongAsItViolates) {
  parameters with;
  with.floor = 0;
  profile at(profile_rule::rapt, with, {0.25, 0.25, 0.25, 0.25});
  random_source random(1);
  at.update({2, 2, violated});
  for (int i = 0; i < 20; ++i) EXPECT_EQ(at.draw(random), 2u);
  expect_near(at.now(), {0.25, 0.25, 0.25, 0.25});  // rewarded when that ends
}

TEST(SpecProfile, RaptRewardsARunOfViolationsWhenItEnds) {
  // Two: (1 + ln 2) * 0.03 / 3 of each other one.
  const double taken = (1 + std::log(2.0)) * 0.01;
  expect_near(behind(profile_rule::rapt, of(0.03, 0.03), {0.25, 0.25, 0.25, 0.25},
                     {{2, 2, violated}, {2, 2, violated}, {2, 2, held}}),
              {0.25 - taken, 0.25 - taken, 0.25 + 3 * taken, 0.25 - taken});
  // One, with the follow-up elsewhere: epsilon / (m - 2) = 0.015, half of 0.03 each.
  expect_near(behind(profile_rule::rapt, of(0.03, 0.03), {0.25, 0.25, 0.25, 0.25}, {{2, 0, violated}, {2, 1, held}}),
              {0.265, 0.235, 0.265, 0.235});
}

TEST(SpecProfile, RaptPunishesWhereNothingWasViolated) {
  expect_near(behind(profile_rule::rapt, of(0.5, 0.03), {0.25, 0.25, 0.3, 0.2}, {{0, 0, held}}),
              {0.22, 0.26, 0.31, 0.21});
  expect_near(behind(profile_rule::rapt, of(0.5, 0.03), {0.2, 0.3, 0.1, 0.4}, {{0, 2, held}}),
              {0.17, 0.33, 0.07, 0.43});
  // Clamped.
  expect_near(behind(profile_rule::rapt, of(0.5, 0.03), {0.02, 0.58, 0.4}, {{0, 0, held}}), {0, 0.59, 0.41});
}

TEST(SpecProfile, RaptGivesUpAnExhaustedPartition) {
  // The second one that holds exhausts it: all that is left, 0.22, goes to the others, 0.11 each.
  expect_near(behind(profile_rule::rapt, of(0.5, 0.08), {0.3, 0.3, 0.4}, {{0, 0, held}, {0, 0, held}}, {2, 9, 9}),
              {0, 0.45, 0.55});
  // A violation between them begins anew: held, 0.22; the reward is 0.05 of each other one, 0.32; then the second one
  // that holds, so that 0.16 goes to each.
  expect_near(behind(profile_rule::rapt, of(0.1, 0.08), {0.3, 0.3, 0.4},
                     {{0, 0, held}, {0, 0, violated}, {0, 0, held}, {0, 0, held}}, {2, 9, 9}),
              {0, 0.45, 0.55});
}

TEST(SpecProfile, RaptOfTwoPartitions) {
  expect_near(behind(profile_rule::rapt, of(0.1, 0.04), {0.5, 0.5}, {{0, 0, violated}, {0, 0, held}}), {0.6, 0.4});
  expect_near(behind(profile_rule::rapt, of(0.1, 0.04), {0.5, 0.5}, {{0, 1, violated}, {0, 1, held}}), {0.5, 0.5});
}

// ---- all of them

TEST(SpecProfile, TheSumStaysOne) {
  for (const profile_rule rule : {profile_rule::drt, profile_rule::mdrt, profile_rule::mapt, profile_rule::rapt})
    for (const std::size_t m : {2u, 3u, 7u, 100u}) {
      profile at(rule, of(0.05, 0.05), probabilities(m, 1 / static_cast<double>(m)));
      random_source random(m);
      for (int i = 0; i < 20000; ++i) {
        at.update({random.below(m), random.below(m), random.below(10) == 0});
        ASSERT_NEAR(sum_of(at.now()), 1, 1e-9) << "m " << m << ", update " << i;
        for (const double each : at.now()) ASSERT_GE(each, 0);
      }
    }
}

TEST(SpecProfile, ItIsDrawnFromAsItSays) {
  parameters with;
  with.floor = 0;
  profile at(profile_rule::fixed, with, {0.1, 0, 0.6, 0.3});
  random_source random(3);
  std::vector<double> drawn(4, 0);
  for (int i = 0; i < 100000; ++i) drawn[at.draw(random)] += 1e-5;
  EXPECT_NEAR(drawn[0], 0.1, 0.005);
  EXPECT_EQ(drawn[1], 0);
  EXPECT_NEAR(drawn[2], 0.6, 0.01);
  EXPECT_NEAR(drawn[3], 0.3, 0.01);
}

TEST(SpecProfile, NoPartitionDiesAboveTheFloor) {
  profile at(profile_rule::fixed, {}, {1, 0, 0, 0});
  random_source random(3);
  std::vector<double> drawn(4, 0);
  for (int i = 0; i < 100000; ++i) drawn[at.draw(random)] += 1e-5;
  // 0.8 p + 0.2 / m
  EXPECT_NEAR(drawn[0], 0.85, 0.01);
  EXPECT_NEAR(drawn[1], 0.05, 0.004);
}

TEST(SpecProfile, WhatIsNoProfileIsToldWhy) {
  const std::vector<std::string> names{"empty", "small", "large"};
  EXPECT_EQ(problem_of(probabilities{0.5, 0.25, 0.25}, names), "");
  EXPECT_EQ(problem_of(probabilities{0.5, 0.2, 0.2}, names), "the profile sums to 0.9; its numbers have to sum to 1");
  EXPECT_EQ(problem_of(probabilities{0.5, 0.5}, names),
            "the profile has 2 numbers, and there are 3 partitions: empty, small, large");
  EXPECT_EQ(problem_of(probabilities{1.5, -0.25, -0.25}, names),
            "the profile gives 'empty' the probability 1.5; it has to be from 0 to 1");
  EXPECT_EQ(problem_of(probabilities{0.5, std::nan(""), 0.5}, names),
            "the profile gives 'small' the probability nan; it has to be from 0 to 1");
}

TEST(SpecProfile, ParametersHaveBounds) {
  EXPECT_EQ(problem_of(parameters{}), "");
  EXPECT_EQ(problem_of(of(0, 0.1)), "epsilon is 0; it has to be above 0 and below 1");
  EXPECT_EQ(problem_of(of(0.1, 1)), "delta is 1; it has to be from 0 to below 1");
  parameters with;
  with.floor = 1.5;
  EXPECT_EQ(problem_of(with), "floor is 1.5; it has to be from 0 to 1");
  with = {};
  with.gamma = -1;
  EXPECT_EQ(problem_of(with), "gamma is -1; it has to be above 0 and below 1");
  with = {};
  with.tau = 1;
  EXPECT_EQ(problem_of(with), "tau is 1; it has to be above 0 and below 1");
}

}  // namespace
