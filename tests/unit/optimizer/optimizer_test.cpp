// Compaction of the matrix and the additional greedy order.
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <numeric>
#include <random>
#include <stdexcept>

#include "optimizer/detection.hpp"
#include "optimizer/history.hpp"
#include "optimizer/matrix/fold.hpp"
#include "optimizer/order.hpp"

namespace morph::optimizer {
namespace {
using number_list = std::vector<std::uint32_t>;

TEST(Fold, MergesElementsWithTheSameTests) {
  folder f(4);
  f.add_row(0, number_list{0, 1});
  f.add_row(1, number_list{0, 1, 2});
  const folded result = std::move(f).finish();
  EXPECT_EQ(result.class_of[0], result.class_of[1]);
  EXPECT_NE(result.class_of[0], result.class_of[2]);
  EXPECT_EQ(result.tests_of[result.class_of[0]], (number_list{0, 1}));
  EXPECT_EQ(result.tests_of[result.class_of[2]], (number_list{1}));
  EXPECT_EQ(result.class_of[3], 0U);
  EXPECT_TRUE(result.tests_of[0].empty());
}

TEST(Fold, KeepsTheUncoveredClassEmptyWhenARowCoversEverything) {
  folder f(2);
  f.add_row(5, number_list{0, 1});
  const folded result = std::move(f).finish();
  EXPECT_TRUE(result.tests_of[0].empty());
  EXPECT_EQ(result.tests_of[result.class_of[1]], (number_list{5}));
}

TEST(Fold, LosesNothingOfRandomMatrices) {
  std::mt19937 random(7);
  for (int round = 0; round < 50; ++round) {
    const auto tests = static_cast<std::uint32_t>(1 + random() % 12),
               elements = static_cast<std::uint32_t>(1 + random() % 40);
    std::vector<number_list> rows(tests);
    folder f(elements);
    for (std::uint32_t t = 0; t < tests; ++t) {
      for (std::uint32_t e = 0; e < elements; ++e)
        if (random() % 3 == 0) rows[t].push_back(e);
      f.add_row(t, rows[t]);
    }
    const folded result = std::move(f).finish();
    std::vector<number_list> back(tests);
    for (std::uint32_t e = 0; e < elements; ++e)
      for (std::uint32_t t : result.tests_of[result.class_of[e]]) back[t].push_back(e);
    EXPECT_EQ(back, rows);
    for (std::size_t a = 0; a < result.tests_of.size(); ++a)
      for (std::size_t b = a + 1; b < result.tests_of.size(); ++b) EXPECT_NE(result.tests_of[a], result.tests_of[b]);
  }
}

instance two_levels() {
  instance in;
  in.cost_us = {10, 10, 10, 1};
  in.levels = {{{{2}, 1}}, {{{0}, 5}, {{0, 1}, 1}, {{1}, 1}, {{3}, 1}}};
  return in;
}

TEST(Order, TakesAllGainsOfTheFirstLevelBeforeTheSecond) {
  EXPECT_EQ(additional_greedy_order(two_levels(), number_list{0, 1, 2, 3}), (number_list{2, 3, 0, 1}));
}

TEST(Order, ComparesGainPerCostNotGain) {
  instance in;
  in.cost_us = {100, 1};
  in.levels = {{{{0}, 10}, {{1}, 1}}};
  EXPECT_EQ(additional_greedy_order(in, number_list{0, 1}), (number_list{1, 0}));
}

TEST(Order, CountsOnlyWhatIsNewlyCovered) {
  instance in;
  in.cost_us = {1, 1, 1};
  in.levels = {{{{0, 1}, 10}, {{2}, 3}, {{1}, 1}}};
  EXPECT_EQ(additional_greedy_order(in, number_list{0, 1, 2}), (number_list{1, 2, 0}));
}

TEST(Order, CountsWhatOneTestHasCoveredAQuarter) {
  instance in;
  in.cost_us = {1, 1, 1};
  in.levels = {{{{0, 1}, 10}, {{2}, 2}}};
  EXPECT_EQ(additional_greedy_order(in, number_list{0, 1, 2}), (number_list{0, 1, 2}));
  in.levels[0][1].weight = 3;
  EXPECT_EQ(additional_greedy_order(in, number_list{0, 1, 2}), (number_list{0, 2, 1}));
}

TEST(Order, DecidesByTheNextLevelBetweenTestsThatGainEqually) {
  instance in;
  in.cost_us = {10, 10, 20};
  in.levels = {{{{0, 1}, 1}, {{2}, 2}}, {{{0}, 1}, {{1}, 3}, {{2}, 4}}};
  EXPECT_EQ(additional_greedy_order(in, number_list{0, 1, 2}), (number_list{1, 2, 0}));
}

TEST(Order, RefusesMoreThanItCanCompare) {
  instance in;
  in.cost_us = {1};
  in.levels.resize(most_levels + 1);
  EXPECT_THROW(additional_greedy_order(in, number_list{0}), std::invalid_argument);
  in.levels = {{{{0}, 1ULL << 52U}, {{0}, 1}}};
  EXPECT_THROW(additional_greedy_order(in, number_list{0}), std::invalid_argument);
  in.levels[0].pop_back();
  EXPECT_EQ(additional_greedy_order(in, number_list{0}), (number_list{0}));
}

/// What the definition says, step by step.
number_list slow_order(const instance& in, number_list rest) {
  number_list order;
  std::map<const requirement_class*, int> times;
  const auto gain = [&](std::uint32_t test, std::size_t level) {
    std::uint64_t sum = 0;
    for (const requirement_class& c : in.levels[level])
      if (std::count(c.tests.begin(), c.tests.end(), test) != 0)
        sum += times[&c] == 0 ? 4 * c.weight : times[&c] == 1 ? c.weight : 0;
    return sum;
  };
  const auto cost = [&](std::uint32_t test) {
    return static_cast<std::uint64_t>(std::max<std::int64_t>(1, in.cost_us[test]));
  };
  const auto is_before = [&](std::uint32_t a, std::uint32_t b) {
    for (std::size_t level = 0; level < in.levels.size(); ++level)
      if (gain(a, level) * cost(b) != gain(b, level) * cost(a))
        return gain(a, level) * cost(b) > gain(b, level) * cost(a);
    for (std::size_t level = 0; level < in.levels.size(); ++level)
      if (gain(a, level) != gain(b, level)) return gain(a, level) > gain(b, level);
    return cost(a) != cost(b) ? cost(a) < cost(b) : a < b;
  };
  const auto gains = [&](std::uint32_t test) { return gain(test, 0) + gain(test, 1) > 0; };
  for (int fresh = 0; !rest.empty();) {
    const auto best = std::min_element(rest.begin(), rest.end(), is_before);
    if (!gains(*best) && !times.empty()) {
      times.clear();
      if (++fresh == 3) {
        std::sort(rest.begin(), rest.end(), is_before);
        order.insert(order.end(), rest.begin(), rest.end());
        break;
      }
      if (std::any_of(rest.begin(), rest.end(), gains)) continue;
    }
    order.push_back(*best);
    for (const auto& level : in.levels)
      for (const requirement_class& c : level)
        if (std::count(c.tests.begin(), c.tests.end(), *best) != 0) ++times[&c];
    rest.erase(best);
  }
  return order;
}

TEST(Order, IsWhatTheDefinitionSays) {
  std::mt19937 random(5);
  for (int round = 0; round < 8; ++round) {
    instance in;
    for (int t = 0; t < 65; ++t) in.cost_us.push_back(static_cast<std::int64_t>(random() % 5));
    in.levels.resize(2);
    for (auto& level : in.levels)
      for (int c = 0; c < 6; ++c) {
        requirement_class r;
        for (std::uint32_t t = 0; t < 60; ++t)  // the last five cover nothing
          if (random() % 4 == 0) r.tests.push_back(t);
        r.weight = 1 + random() % 3;
        level.push_back(r);
      }
    number_list all(65);
    std::iota(all.begin(), all.end(), 0U);
    EXPECT_EQ(additional_greedy_order(in, all), slow_order(in, all)) << round;
  }
}

TEST(Order, PutsTestsThatCoverNothingLastCheapestFirst) {
  instance in;
  in.cost_us = {5, 9, 3, 1};
  in.levels = {{{{1}, 1}}};
  EXPECT_EQ(additional_greedy_order(in, number_list{0, 1, 2, 3}), (number_list{1, 3, 2, 0}));
}

TEST(Order, OrdersOnlyTheCandidates) {
  EXPECT_EQ(additional_greedy_order(two_levels(), number_list{1, 3}), (number_list{3, 1}));
}

TEST(Order, IsAPermutationAndIndependentOfTheCandidatesOrder) {
  std::mt19937 random(11);
  for (int round = 0; round < 20; ++round) {
    instance in;
    const std::uint32_t tests = 30;
    for (std::uint32_t t = 0; t < tests; ++t) in.cost_us.push_back(static_cast<std::int64_t>(random() % 4));
    in.levels.resize(2);
    for (auto& level : in.levels)
      for (int c = 0; c < 40; ++c) {
        requirement_class r;
        for (std::uint32_t t = 0; t < tests; ++t)
          if (random() % 6 == 0) r.tests.push_back(t);
        r.weight = 1 + random() % 3;
        level.push_back(r);
      }
    number_list all(tests);
    std::iota(all.begin(), all.end(), 0U);
    const number_list order = additional_greedy_order(in, all);
    number_list sorted = order;
    std::sort(sorted.begin(), sorted.end());
    EXPECT_EQ(sorted, all);
    std::shuffle(all.begin(), all.end(), random);
    EXPECT_EQ(additional_greedy_order(in, all), order);
  }
}

TEST(Cost, IsRoundedToTwoDigits) {
  EXPECT_EQ(rounded_cost(0), 1);
  EXPECT_EQ(rounded_cost(99), 99);
  EXPECT_EQ(rounded_cost(1249), 1200);
  EXPECT_EQ(rounded_cost(1250), 1300);
  EXPECT_EQ(rounded_cost(999'999), 1'000'000);
}

TEST(History, PutsWhatFailedBeforeWhatPassedAndNewTestsBetween) {
  const std::vector<verdicts> tests{{}, {false, false, false}, {false, false, true}, {true, true, true}};
  const auto rates = failure_rates(tests);
  EXPECT_GT(rates[3], rates[2]);
  EXPECT_GT(rates[2], rates[0]);
  EXPECT_GT(rates[0], rates[1]);
}

TEST(History, ForgetsButNotAtOnce) {
  const std::vector<verdicts> tests{{true, false, false}, {false, true, false}, {false, false, false}};
  const auto rates = failure_rates(tests);
  EXPECT_GT(rates[1], rates[0]);
  EXPECT_GT(rates[0], rates[2]);
  // Five failures count more than the last but one.
  const auto of_long = failure_rates(std::vector<verdicts>{{true, true, true, true, true, false, false},
                                                           {false, false, false, false, false, true, false}});
  EXPECT_GT(of_long[0], of_long[1]);
}

TEST(History, TestsBesideThoseThatFailAreMoreLikelyTo) {
  std::vector<verdicts> tests(60, {false, false});
  tests[10] = {true, true};
  const auto rates = failure_rates(tests);
  EXPECT_GT(rates[11], rates[20]);
  EXPECT_GT(rates[20], rates[40]);
  EXPECT_EQ(rates[36], rates[37]);
}

TEST(History, RatesAreWhatTheirDefinitionSays) {
  // Without neighbours: the mean of 0.5 + 0.7 x 0.5 and of (1 + 0.5) / 2, and a tenth of (0.2 + 1) / (1 + 1).
  EXPECT_DOUBLE_EQ(failure_rates(std::vector<verdicts>{{true}})[0], (0.85 + 0.75) / 2 + 0.06);
  const auto rates = failure_rates(std::vector<verdicts>{{true, false}, {}, {false, true, true}, {false}});
  // Failures and runs of all, older ones for 0.98 of the next.
  const double first = 0.98, third = 1.98, runs_of_first = 1.98, runs_of_third = 0.98 * 1.98 + 1;
  const double mean = (0.2 + first + third) / (1 + runs_of_first + runs_of_third + 1);
  EXPECT_NEAR(rates[1], 0.5 + 0.1 * mean, 1e-12) << "fails as often as not";
  // The nearest with verdicts counts half, the next one a third.
  const double near_first = (mean / 2 + third / 2) / (0.5 + runs_of_third / 2 + 1.0 / 3);
  EXPECT_NEAR(rates[0], (0.85 * 0.3 + (0.95 + 0.5) / (1.95 + 1)) / 2 + 0.1 * near_first, 1e-12);
  const double near_third = (mean / 2 + first / 2) / (0.5 + runs_of_first / 2 + 0.5);
  const double fast = 0.15 + 0.7 * 0.85, fast_third = fast + 0.7 * (1 - fast);
  EXPECT_NEAR(rates[2], (fast_third + (1.95 + 0.5) / (0.95 * 1.95 + 1 + 1)) / 2 + 0.1 * near_third, 1e-12);
}

TEST(Apfd, IsWhatItsFormulasSay) {
  // Rothermel et al. 2001: 1 - (2 + 5) / (5 x 2) + 1 / 10.
  const std::vector<bool> failed{false, true, false, false, true};
  EXPECT_DOUBLE_EQ(apfd(failed), 0.4);
  EXPECT_DOUBLE_EQ(apfd({true}), 0.5);
  EXPECT_DOUBLE_EQ(apfd({false, false}), 1);
  // Of two failures three tests find one: 0.5 - 2 / (3 x 2) + 0.5 / (2 x 3).
  EXPECT_DOUBLE_EQ(napfd(failed, 3), 0.25);
  EXPECT_DOUBLE_EQ(napfd(failed, 0), 0);
  // Of 10, 9 are left when the first failing test starts and 5 at the second; each is found half way.
  const std::vector<std::int64_t> cost{1, 2, 1, 1, 5};
  EXPECT_DOUBLE_EQ(apfd_by_cost(failed, cost), (8 + 2.5) / 20);
  const std::vector<std::int64_t> equal(5, 7);
  EXPECT_DOUBLE_EQ(apfd_by_cost(failed, equal), apfd(failed));
}

/// Of a hundred tests, found by each of the first `count`.
std::vector<found_fault> found_by_each(std::size_t count) {
  std::vector<found_fault> known;
  for (std::size_t i = 1; i <= count; ++i) known.push_back({i, 100});
  return known;
}

TEST(Detection, TheFewestTestsAreTheQuantileOfKnownFaults) {
  const auto known = found_by_each(19);
  EXPECT_EQ(fewest_to_find(0.95, known, 100), 19U);  // of twenty faults nineteen are at or before it
  EXPECT_EQ(fewest_to_find(0.9, known, 100), 18U);
  EXPECT_EQ(fewest_to_find(0.5, known, 100), 10U);
  EXPECT_EQ(fewest_to_find(0.01, known, 100), 1U);
  // Fewer tests, fewer of them: log(10) / log(101) of log(51) is log(7.1).
  EXPECT_EQ(fewest_to_find(0.5, known, 50), 7U);
}

TEST(Detection, OrdersOfAnotherSizeSayNothing) {
  const auto known = found_by_each(19);
  EXPECT_EQ(fewest_to_find(0.5, known, 33), 33U);
  EXPECT_LT(fewest_to_find(0.5, known, 34), 34U);
  EXPECT_LT(fewest_to_find(0.5, known, 300), 300U);
  EXPECT_EQ(fewest_to_find(0.5, known, 301), 301U);
  EXPECT_EQ(comparable_faults(std::vector<found_fault>{{1, 1}, {1, 2}, {1, 6}, {1, 7}}, 2),
            (std::vector<found_fault>{{1, 2}, {1, 6}}));
}

TEST(Detection, TooFewKnownFaultsPromiseNothing) {
  EXPECT_EQ(faults_needed(0.8), 4U);
  EXPECT_EQ(faults_needed(0.9), 9U);
  EXPECT_EQ(faults_needed(0.95), 19U);
  EXPECT_EQ(faults_needed(0.99), 99U);
  for (const double p : {0.5, 0.75, 0.8, 0.9, 0.95, 0.99, 0.999}) {
    const std::vector<found_fault> enough(faults_needed(p), {1, 100});
    EXPECT_EQ(fewest_to_find(p, enough, 100), 1U) << p;
    EXPECT_EQ(fewest_to_find(p, std::span(enough).first(enough.size() - 1), 100), 100U) << p;
  }
  EXPECT_EQ(fewest_to_find(0.5, {}, 7), 7U);
  EXPECT_EQ(fewest_to_find(1, found_by_each(50), 100), 100U);
  EXPECT_EQ(fewest_to_find(0.5, found_by_each(50), 0), 0U);
  for (const double p : {0.0, -1.0, 1.5, std::nan("")}) EXPECT_THROW(fewest_to_find(p, {}, 1), std::invalid_argument);
}

TEST(Detection, WhatIsPromisedIsWhatWasAskedForAtLeast) {
  const auto known = found_by_each(40);
  for (const double p : {0.1, 0.5, 0.8, 0.9, 0.97})
    for (const std::size_t tests : {1U, 50U, 77U, 100U, 200U, 1000U}) {
      const std::size_t fewest = fewest_to_find(p, known, tests);
      EXPECT_GE(found_within(fewest, tests, known), p) << p << " of " << tests;
      if (fewest > 1) {
        EXPECT_LT(found_within(fewest - 1, tests, known), p) << p << " of " << tests;
      }
    }
  EXPECT_EQ(found_within(0, 10, known), 0);
  EXPECT_EQ(found_within(10, 10, known), 1);
}

/// Test 0 finds everything that it executes, test 1 nothing; both execute every fault.
std::vector<known_kills> told_apart(std::size_t faults) {
  return std::vector<known_kills>(faults, {{0, 1}, {true, false}});
}

TEST(Detection, WhatSingleTestsFoundCountsIfItTellsThemApart) {
  const auto learned = learn_detection(told_apart(20), 3);
  EXPECT_TRUE(learned.are_learned);
  EXPECT_LT(learned.brier, learned.base_brier);
  EXPECT_DOUBLE_EQ(learned.base_brier, 0.25);
  EXPECT_DOUBLE_EQ(learned.of_test[0], (20 + 10 * 0.5) / (20 + 10));
  EXPECT_DOUBLE_EQ(learned.of_test[1], (10 * 0.5) / (20 + 10));
  EXPECT_DOUBLE_EQ(learned.of_test[2], 0.5);  // executed none
}

TEST(Detection, WhatSingleTestsFoundByChanceDoesNotCount) {
  std::vector<known_kills> faults;  // each found by one of four tests, in turn
  for (std::size_t f = 0; f < 40; ++f) {
    faults.push_back({{0, 1, 2, 3}, std::vector<bool>(4, false)});
    faults.back().kills[f % 4] = true;
  }
  const auto learned = learn_detection(faults, 4);
  EXPECT_FALSE(learned.are_learned);
  EXPECT_GE(learned.brier, learned.base_brier);
  EXPECT_EQ(learned.of_test, std::vector<double>(4, 0.25));
}

TEST(Detection, TooFewFaultsTeachNothing) {
  EXPECT_FALSE(learn_detection(told_apart(fewest_faults_to_learn - 1), 2).are_learned);
  EXPECT_TRUE(learn_detection(told_apart(fewest_faults_to_learn), 2).are_learned);
  EXPECT_EQ(learn_detection({}, 2).of_test, std::vector<double>(2, 0));
  const std::vector<known_kills> executed_by_nobody(20);
  EXPECT_FALSE(learn_detection(executed_by_nobody, 2).are_learned);
  EXPECT_THROW(learn_detection(told_apart(1), 1), std::invalid_argument);
  EXPECT_THROW(kill_rates(std::vector<known_kills>{{{0}, {}}}, 1), std::invalid_argument);
}

}  // namespace
}  // namespace morph::optimizer
