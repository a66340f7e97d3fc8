// k-tuples of sources: counted, enumerated, found by rank, and in other orders.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <set>
#include <vector>

#include "plugin/spec/engine/tuples.hpp"

namespace {

using morph::tuples;
using morph::engine::number_of_tuples;
using morph::engine::shuffled;
using morph::engine::spread;
using morph::engine::tuple;
using morph::engine::tuple_of_rank;
using morph::engine::tuple_walk;
using rows = std::vector<std::vector<std::uint32_t>>;

/// By counting through all k digits.
rows by_definition(std::uint32_t sources, unsigned arity, tuples which, std::uint32_t first_new = 0) {
  rows made;
  std::vector<std::uint32_t> digits(arity, 0);
  if (sources == 0) return made;
  for (;;) {
    std::vector<std::uint32_t> sorted = digits;
    std::sort(sorted.begin(), sorted.end());
    const bool distinct = std::adjacent_find(sorted.begin(), sorted.end()) == sorted.end();
    const bool fits = which == tuples::all || (distinct && (which == tuples::distinct || sorted == digits));
    if (fits && sorted.back() >= first_new) made.push_back(digits);
    unsigned place = arity;
    while (place > 0 && ++digits[place - 1] == sources) digits[--place] = 0;
    if (place == 0) return made;
  }
}

rows walked(std::uint32_t sources, unsigned arity, tuples which, std::uint32_t first_new) {
  rows made;
  tuple_walk walk(sources, first_new, arity, which);
  for (tuple next; walk.next(next);) made.emplace_back(next.begin(), next.begin() + arity);
  return made;
}

rows ranked(std::uint32_t sources, unsigned arity, tuples which) {
  rows made;
  const std::uint64_t number = number_of_tuples(sources, arity, which);
  for (std::uint64_t rank = 0; rank < number; ++rank) {
    const tuple one = tuple_of_rank(rank, sources, arity, which);
    made.emplace_back(one.begin(), one.begin() + arity);
  }
  return made;
}

TEST(SpecTuples, OfThreeSources) {
  EXPECT_EQ(walked(3, 2, tuples::all, 0),
            (rows{{0, 0}, {0, 1}, {0, 2}, {1, 0}, {1, 1}, {1, 2}, {2, 0}, {2, 1}, {2, 2}}));
  EXPECT_EQ(walked(3, 2, tuples::distinct, 0), (rows{{0, 1}, {0, 2}, {1, 0}, {1, 2}, {2, 0}, {2, 1}}));
  EXPECT_EQ(walked(3, 2, tuples::unordered, 0), (rows{{0, 1}, {0, 2}, {1, 2}}));
  EXPECT_EQ(walked(3, 2, tuples::distinct, 2), (rows{{0, 2}, {1, 2}, {2, 0}, {2, 1}})) << "with source 2";
}

TEST(SpecTuples, NumberRankAndWalkAgreeWithTheDefinition) {
  for (const tuples which : {tuples::all, tuples::distinct, tuples::unordered})
    for (std::uint32_t sources = 0; sources <= 6; ++sources)
      for (unsigned arity = 1; arity <= (sources < 5 ? 6U : 4U); ++arity) {
        const rows expected = by_definition(sources, arity, which);
        SCOPED_TRACE(std::to_string(sources) + " sources, arity " + std::to_string(arity));
        EXPECT_EQ(number_of_tuples(sources, arity, which), expected.size());
        EXPECT_EQ(ranked(sources, arity, which), expected);
        for (std::uint32_t first_new = 0; first_new <= sources; ++first_new)
          EXPECT_EQ(walked(sources, arity, which, first_new), by_definition(sources, arity, which, first_new));
      }
}

TEST(SpecTuples, TheNumberIsSaturated) {
  EXPECT_EQ(number_of_tuples(100, 2, tuples::all), 10'000U);
  EXPECT_EQ(number_of_tuples(100, 2, tuples::distinct), 9'900U);
  EXPECT_EQ(number_of_tuples(100, 2, tuples::unordered), 4'950U);
  EXPECT_EQ(number_of_tuples(49, 6, tuples::unordered), 13'983'816U);
  const std::uint64_t many = std::uint64_t{1} << 63;
  EXPECT_EQ(number_of_tuples(4'000'000'000, 6, tuples::all), many);
  EXPECT_EQ(number_of_tuples(4'000'000'000, 6, tuples::distinct), many);
  EXPECT_EQ(number_of_tuples(4'000'000'000, 6, tuples::unordered), many);
  EXPECT_EQ(number_of_tuples(0, 2, tuples::all), 0U);
}

TEST(SpecTuples, RanksOfMany) {
  const std::uint64_t last = number_of_tuples(1'000'000, 3, tuples::unordered) - 1;
  EXPECT_EQ(tuple_of_rank(0, 1'000'000, 3, tuples::unordered), (tuple{0, 1, 2}));
  EXPECT_EQ(tuple_of_rank(999'998, 1'000'000, 3, tuples::unordered), (tuple{0, 2, 3}));
  EXPECT_EQ(tuple_of_rank(last, 1'000'000, 3, tuples::unordered), (tuple{999'997, 999'998, 999'999}));
  EXPECT_EQ(tuple_of_rank(999'999'999'999, 1'000'000, 2, tuples::all), (tuple{999'999, 999'999}));
}

template <typename Permutation>
void expect_permutation(const Permutation& of, std::uint64_t size) {
  std::vector<std::uint64_t> all, places(size);
  for (std::uint64_t i = 0; i < size; ++i) all.push_back(of.at(i));
  std::sort(all.begin(), all.end());
  std::iota(places.begin(), places.end(), std::uint64_t{0});
  EXPECT_EQ(all, places) << size;
}

TEST(SpecTuples, OtherOrdersArePermutations) {
  for (std::uint64_t size : {1, 2, 3, 4, 5, 6, 7, 8, 12, 16, 17, 100, 1000, 4096, 4097}) {
    for (const std::uint64_t seed : {0, 1, 2}) expect_permutation(shuffled(size, seed), size);
    expect_permutation(spread(size), size);
  }
}

TEST(SpecTuples, AnotherSeedIsAnotherOrder) {
  const shuffled a(1000, 1), b(1000, 1), c(1000, 2);
  std::set<std::uint64_t> equal;
  for (std::uint64_t i = 0; i < 1000; ++i) {
    EXPECT_EQ(a.at(i), b.at(i));
    if (a.at(i) == c.at(i)) equal.insert(i);
  }
  EXPECT_LT(equal.size(), 20U);
}

TEST(SpecTuples, ABeginningIsSpreadEvenly) {
  const spread evenly(1000);
  std::vector<std::uint64_t> some{0, 1000};
  for (std::uint64_t i = 0; i < 20; ++i) some.push_back(evenly.at(i));
  std::sort(some.begin(), some.end());
  std::uint64_t widest = 0;
  for (std::size_t i = 1; i < some.size(); ++i) widest = std::max(widest, some[i] - some[i - 1]);
  EXPECT_LE(widest, 100U) << "20 of 1000 are 50 apart on average";
}

}  // namespace
