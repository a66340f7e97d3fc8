// Compaction of the matrix and the additional greedy order.
#include <gtest/gtest.h>

#include <numeric>
#include <random>

#include "optimizer/matrix/fold.hpp"
#include "optimizer/order.hpp"

namespace {

using namespace morph::optimizer;
using numbers = std::vector<std::uint32_t>;

TEST(Fold, MergesElementsWithTheSameTests) {
  folder f(4);
  f.add_row(0, numbers{0, 1});
  f.add_row(1, numbers{0, 1, 2});
  const folded result = std::move(f).finish();
  EXPECT_EQ(result.class_of[0], result.class_of[1]);
  EXPECT_NE(result.class_of[0], result.class_of[2]);
  EXPECT_EQ(result.tests_of[result.class_of[0]], (numbers{0, 1}));
  EXPECT_EQ(result.tests_of[result.class_of[2]], (numbers{1}));
  EXPECT_EQ(result.class_of[3], 0U);
  EXPECT_TRUE(result.tests_of[0].empty());
}

TEST(Fold, KeepsTheUncoveredClassEmptyWhenARowCoversEverything) {
  folder f(2);
  f.add_row(5, numbers{0, 1});
  const folded result = std::move(f).finish();
  EXPECT_TRUE(result.tests_of[0].empty());
  EXPECT_EQ(result.tests_of[result.class_of[1]], (numbers{5}));
}

TEST(Fold, LosesNothingOfRandomMatrices) {
  std::mt19937 random(7);
  for (int round = 0; round < 50; ++round) {
    const auto tests = static_cast<std::uint32_t>(1 + random() % 12),
               elements = static_cast<std::uint32_t>(1 + random() % 40);
    std::vector<numbers> rows(tests);
    folder f(elements);
    for (std::uint32_t t = 0; t < tests; ++t) {
      for (std::uint32_t e = 0; e < elements; ++e)
        if (random() % 3 == 0) rows[t].push_back(e);
      f.add_row(t, rows[t]);
    }
    const folded result = std::move(f).finish();
    std::vector<numbers> back(tests);
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
  EXPECT_EQ(additional_greedy_order(two_levels(), numbers{0, 1, 2, 3}), (numbers{2, 3, 0, 1}));
}

TEST(Order, ComparesGainPerCostNotGain) {
  instance in;
  in.cost_us = {100, 1};
  in.levels = {{{{0}, 10}, {{1}, 1}}};
  EXPECT_EQ(additional_greedy_order(in, numbers{0, 1}), (numbers{1, 0}));
}

TEST(Order, CountsOnlyWhatIsNewlyCovered) {
  instance in;
  in.cost_us = {1, 1, 1};
  in.levels = {{{{0, 1}, 10}, {{2}, 3}, {{1}, 1}}};
  EXPECT_EQ(additional_greedy_order(in, numbers{0, 1, 2}), (numbers{1, 2, 0}));
}

TEST(Order, PutsTestsThatCoverNothingLastCheapestFirst) {
  instance in;
  in.cost_us = {5, 9, 3, 1};
  in.levels = {{{{1}, 1}}};
  EXPECT_EQ(additional_greedy_order(in, numbers{0, 1, 2, 3}), (numbers{1, 3, 2, 0}));
}

TEST(Order, OrdersOnlyTheCandidates) {
  EXPECT_EQ(additional_greedy_order(two_levels(), numbers{1, 3}), (numbers{3, 1}));
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
    numbers all(tests);
    std::iota(all.begin(), all.end(), 0U);
    const numbers order = additional_greedy_order(in, all);
    numbers sorted = order;
    std::sort(sorted.begin(), sorted.end());
    EXPECT_EQ(sorted, all);
    std::shuffle(all.begin(), all.end(), random);
    EXPECT_EQ(additional_greedy_order(in, all), order);
  }
}

}  // namespace
