// Seeds that are drawn: bounds, the same stream on every machine, pairs of values, adaptive random.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <list>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "morph/generate.hpp"
#include "morph/spec.hpp"
#include "plugin/spec/engine/engine.hpp"

namespace {

using morph::random_source;

/// The first values with this seed.
template <typename G>
std::vector<typename G::value_type> first(std::size_t count, const G& make, std::uint64_t seed = 1) {
  random_source random(seed);
  return morph::draw(count, make)(random);
}

TEST(SpecGenerate, TheStreamIsSplitMix64) {
  random_source random(1);
  EXPECT_EQ(random(), 10451216379200822465U);
  EXPECT_EQ(random(), 13757245211066428519U);
  EXPECT_EQ(random(), 17911839290282890590U);
}

TEST(SpecGenerate, TheSameOnEveryMachine) {
  EXPECT_EQ(first(8, morph::integers(-9, 9)), (std::vector<int>{0, -1, 5, 4, 5, 4, -7, -9}));
  EXPECT_EQ(first(3, morph::floats(0, 1)),
            (std::vector<double>{0.5665615751722809, 0.7457817572627011, 0.9710027535867962}));
  EXPECT_EQ(first(4, morph::strings(5)), (std::vector<std::string>{"todfc", "lys", "eyy", "lpbs"}));
  EXPECT_EQ(first(3, morph::vectors(4, morph::integers(0, 9))), (std::vector<std::vector<int>>{{}, {0, 5, 1, 8}, {}}));
}

TEST(SpecGenerate, IntegersReachTheirBoundsAndNotBeyond) {
  const auto few = first(1000, morph::integers(-2, 2));
  EXPECT_EQ(std::set<int>(few.begin(), few.end()), (std::set<int>{-2, -1, 0, 1, 2}));
  const auto one = first(5, morph::integers(7, 7));
  EXPECT_EQ(one, (std::vector<int>(5, 7)));
  using limits = std::numeric_limits<std::int64_t>;
  const auto all = first(1000, morph::integers(limits::min(), limits::max()));
  EXPECT_LT(*std::min_element(all.begin(), all.end()), limits::min() / 2);
  EXPECT_GT(*std::max_element(all.begin(), all.end()), limits::max() / 2);
  const auto bytes = first(5000, morph::integers<unsigned char>(0, 255));
  EXPECT_EQ(std::set<unsigned char>(bytes.begin(), bytes.end()).size(), 256U);
}

TEST(SpecGenerate, EachIntegerIsAsLikely) {
  std::map<int, int> seen;
  for (const int each : first(60'000, morph::integers(1, 6))) ++seen[each];
  for (int face = 1; face <= 6; ++face) EXPECT_NEAR(seen[face], 10'000, 500) << face;
}

TEST(SpecGenerate, FloatsStayInside) {
  for (const double each : first(1000, morph::floats(-2, 3))) {
    EXPECT_GE(each, -2);
    EXPECT_LT(each, 3);
  }
}

TEST(SpecGenerate, StringsOfAnAlphabet) {
  std::size_t longest = 0, empty = 0;
  for (const std::string& each : first(1000, morph::strings(4, "xy"))) {
    EXPECT_EQ(each.find_first_not_of("xy"), each.npos);
    longest = std::max(longest, each.size());
    empty += each.empty() ? 1 : 0;
  }
  EXPECT_EQ(longest, 4U);
  EXPECT_GT(empty, 0U);
  EXPECT_EQ(first(2, morph::strings(4, "")), (std::vector<std::string>{"", ""}));
}

TEST(SpecGenerate, Choices) {
  const auto words = first(100, morph::one_of({"GET", "POST"}));
  EXPECT_EQ(std::set<std::string>(words.begin(), words.end()), (std::set<std::string>{"GET", "POST"}));
  const auto flags = first(100, morph::booleans());
  EXPECT_NE(std::count(flags.begin(), flags.end(), true), 0);
  EXPECT_NE(std::count(flags.begin(), flags.end(), false), 0);
  const auto either = first(200, morph::either(morph::integers(1, 2), morph::integers(10, 11), morph::one_of({100})));
  EXPECT_EQ(std::set<int>(either.begin(), either.end()), (std::set<int>{1, 2, 10, 11, 100}));
}

struct point {
  int x;
  double y;
};

TEST(SpecGenerate, WhatIsPutTogether) {
  for (const point& each : first(100, morph::made_of<point>(morph::integers(1, 3), morph::floats(0, 1)))) {
    EXPECT_TRUE(each.x >= 1 && each.x <= 3);
    EXPECT_TRUE(each.y >= 0 && each.y < 1);
  }
  for (const std::string& each :
       first(10, morph::mapped(morph::integers(1, 9), [](int x) { return std::to_string(x) + "!"; })))
    EXPECT_EQ(each[1], '!');
  for (const std::set<int>& each : first(100, morph::containers<std::set<int>>(3, morph::integers(0, 99))))
    EXPECT_LE(each.size(), 3U);
}

TEST(SpecGenerate, GeneratorsKnowWhatTheyMayMake) {
  EXPECT_TRUE(morph::integers(1, 3).contains(3));
  EXPECT_FALSE(morph::integers(1, 3).contains(4));
  EXPECT_FALSE(morph::floats(0, 1).contains(1.5));
  EXPECT_FALSE(morph::strings(2, "ab").contains("abc"));
  EXPECT_FALSE(morph::strings(2, "ab").contains("x"));
  EXPECT_TRUE(morph::one_of({"GET", "POST"}).contains("GET"));
  EXPECT_FALSE(morph::one_of({"GET", "POST"}).contains(""));
  const auto pairs = morph::made_of<point>(morph::integers(1, 3), morph::floats(0, 1));
  EXPECT_TRUE(pairs.contains({2, 0.5}));
  EXPECT_FALSE(pairs.contains({2, 5}));
  const auto lists = morph::vectors(2, morph::integers(1, 3));
  EXPECT_TRUE(lists.contains({1, 3}));
  EXPECT_FALSE(lists.contains({1, 2, 3}));
  EXPECT_FALSE(lists.contains({0}));
  EXPECT_TRUE(morph::either(morph::integers(1, 2), morph::integers(8, 9)).contains(8));
  EXPECT_FALSE(morph::either(morph::integers(1, 2), morph::integers(8, 9)).contains(5));
}

// ---- as seeds of a spec

std::vector<std::string> seeds_with(std::uint64_t seed, bool another_list_before) {
  morph::spec<int, int> s("s");
  s.execute([](int in) { return in; });
  if (another_list_before) s.seeds("others", morph::draw(5, morph::integers(100, 200)));
  s.seeds("drawn", morph::draw(5, morph::integers(0, 99)));
  s.seeds("uniform", morph::uniform(0, 99, 3));
  morph::engine::options how;
  how.seed = seed;
  if (another_list_before) how.makers = {"others", "drawn", "uniform"};
  morph::engine::session at_work(s, how);
  at_work.make_seeds();
  std::vector<std::string> made;
  for (morph::case_index c = 0; c < at_work.cases().size(); ++c) {
    const std::string text = at_work.spec().text_of_input(at_work.cases().input(c));
    if (text.size() < 3) made.push_back(text);
  }
  return made;
}

TEST(SpecGenerate, ASeedDecidesAndOtherListsDoNot) {
  EXPECT_EQ(seeds_with(1, false), seeds_with(1, false));
  EXPECT_NE(seeds_with(1, false), seeds_with(2, false));
  EXPECT_EQ(seeds_with(1, false), seeds_with(1, true));
}

// ---- adaptive random

double least_distance(const std::vector<double>& values) {
  double least = 1;
  for (std::size_t i = 0; i < values.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) least = std::min(least, std::abs(values[i] - values[j]));
  return least;
}

TEST(SpecGenerate, AdaptiveRandomIsMoreSpread) {
  double random = 0, adaptive = 0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    random_source source(seed);
    random += least_distance(morph::draw(30, morph::floats(0, 1))(source));
    const auto spread = morph::draw_adaptively(30, morph::floats(0, 1))(source);
    EXPECT_EQ(spread.size(), 30U);
    adaptive += least_distance(spread);
  }
  EXPECT_GT(adaptive, 5 * random);
}

// ---- pairs of values

using rows = std::vector<std::vector<std::size_t>>;

void expect_all_pairs(const std::vector<std::size_t>& levels, std::size_t most_rows) {
  const rows made = morph::pairwise_rows(levels);
  EXPECT_LE(made.size(), most_rows);
  for (const auto& row : made) {
    ASSERT_EQ(row.size(), levels.size());
    for (std::size_t f = 0; f < levels.size(); ++f) ASSERT_LT(row[f], levels[f]);
  }
  for (std::size_t f = 0; f < levels.size(); ++f)
    for (std::size_t g = f + 1; g < levels.size(); ++g) {
      std::set<std::pair<std::size_t, std::size_t>> pairs;
      for (const auto& row : made) pairs.emplace(row[f], row[g]);
      EXPECT_EQ(pairs.size(), levels[f] * levels[g]) << f << " and " << g;
    }
}

TEST(SpecGenerate, PairwiseRowsHaveAllPairsAndAreFew) {
  expect_all_pairs({2, 2, 2}, 4 + 2);
  expect_all_pairs({3, 3, 3, 3}, 9 + 4);
  expect_all_pairs({2, 3, 4, 5}, 20 + 4);
  expect_all_pairs(std::vector<std::size_t>(13, 3), 15 + 8);
  expect_all_pairs(std::vector<std::size_t>(100, 2), 10 + 6);
  expect_all_pairs(std::vector<std::size_t>(10, 10), 200);
  expect_all_pairs({1, 4, 1}, 4);
}

TEST(SpecGenerate, PairwiseRowsOfFewFields) {
  EXPECT_EQ(morph::pairwise_rows({}), rows{});
  EXPECT_EQ(morph::pairwise_rows({3}), (rows{{0}, {1}, {2}}));
  EXPECT_EQ(morph::pairwise_rows({3, 0}), rows{});
  EXPECT_EQ(morph::pairwise_rows({2, 2}).size(), 4U);
}

struct request {
  std::string method;
  int size;
  bool fast;
};

TEST(SpecGenerate, PairwiseValues) {
  random_source unused(1);
  const auto make = morph::pairwise<request>(morph::one_of({"GET", "POST", "PUT"}), morph::one_of({1, 9}),
                                             morph::one_of({true, false}));
  const std::vector<request> made = make(unused);
  std::set<std::pair<std::string, int>> methods_and_sizes;
  for (const request& each : made) methods_and_sizes.emplace(each.method, each.size);
  EXPECT_EQ(methods_and_sizes.size(), 6U);
  EXPECT_LE(made.size(), 8U);
  EXPECT_TRUE(make.accepts({"PUT", 9, true}));
  EXPECT_FALSE(make.accepts({"PUT", 8, true}));
}

}  // namespace
