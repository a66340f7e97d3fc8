// Pools that are bred, on numbers: what each selection scheme keeps, loses and stops at.
#include "optimizer/pagmo/breeding.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <pagmo/algorithm.hpp>
#include <pagmo/problems/zdt.hpp>
#include <set>

#include "tests/unit/optimizer/thrown.hpp"

namespace morph::optimizer {
namespace {

constexpr unsigned kinds = 40;

/// Cases are whole numbers. A pool is the better, the more remainders by 40 it has. Mutants are one more, twice as
/// many, and the sum of two.
struct numbers {
  std::vector<unsigned> values{1};
  std::vector<case_set> made_of{{}};
  double offset = 0;  // of the metric

  breeding_ground ground(std::uint32_t capacity = 2000) {
    breeding_ground made;
    made.arities = {1, 1, 2};
    made.metrics = 1;
    made.capacity = capacity;
    made.cases = [this] { return static_cast<std::uint32_t>(values.size()); };
    made.mate = [this, capacity](const std::vector<mating>& matings) {
      std::vector<case_set> all;
      for (const mating& m : matings) {
        const unsigned a = values[m.sources[0]];
        const unsigned value = m.datamorphism == 0 ? a + 1 : m.datamorphism == 1 ? 2 * a : a + values[m.sources[1]];
        const auto known = std::find(values.begin(), values.end(), value % 1000);
        all.emplace_back();
        if (known != values.end()) {
          all.back() = {static_cast<std::uint32_t>(known - values.begin())};
        } else if (values.size() < capacity) {
          all.back() = {static_cast<std::uint32_t>(values.size())};
          values.push_back(value % 1000);
          case_set origins(m.sources);
          std::sort(origins.begin(), origins.end());
          origins.erase(std::unique(origins.begin(), origins.end()), origins.end());
          made_of.push_back(origins);
        }
      }
      return all;
    };
    made.measure = [this](const case_set& cases) {
      std::set<unsigned> remainders;
      for (const std::uint32_t c : cases) remainders.insert(values[c] % kinds);
      return std::vector<double>{offset + static_cast<double>(remainders.size()) / kinds};
    };
    made.strengths = [this](const case_set& cases) {
      std::map<unsigned, unsigned> count;
      for (const std::uint32_t c : cases) ++count[values[c] % kinds];
      std::vector<double> all;
      for (const std::uint32_t c : cases) all.push_back(1.0 / count[values[c] % kinds]);
      return all;
    };
    made.filter = [this](const case_set& cases) {
      case_set even;
      for (const std::uint32_t c : cases)
        if (values[c] % 2 == 0 || c == 0) even.push_back(c);
      return even;
    };
    made.origins = [this](std::uint32_t c) { return made_of[c]; };
    return made;
  }
};

breeding_options options_for(selection_scheme scheme, unsigned seed = 1) {
  breeding_options how;
  how.scheme = scheme;
  how.generations = 40;
  how.budget = 400;
  how.change = 0;
  how.seed = seed;
  return how;
}

bred_pools bred(const breeding_options& how, numbers from = {}) {
  return breed_pools(from.ground(), how);
}

TEST(Breeding, elitist_never_loses_the_best_pool) {
  for (unsigned seed = 1; seed <= 5; ++seed) {
    const bred_pools found = bred(options_for(selection_scheme::elitist, seed));
    double best = 0;
    for (const breeding_row& row : found.log) {
      EXPECT_GE(row.values[0], best);
      best = std::max(best, row.values[0]);
    }
    EXPECT_EQ(found.pools.front().values[0], best);
    EXPECT_GE(best, 0.9) << "seed " << seed;
  }
}

TEST(Breeding, elitist_keeps_no_case_that_the_metric_does_not_need) {
  numbers from;
  const bred_pools found = breed_pools(from.ground(), options_for(selection_scheme::elitist));
  const case_set& cases = found.pools.front().cases;
  std::set<std::uint32_t> needed;
  for (const std::uint32_t c : cases) needed.insert(from.made_of[c].begin(), from.made_of[c].end());
  for (const std::uint32_t c : cases) {
    EXPECT_TRUE(std::includes(cases.begin(), cases.end(), from.made_of[c].begin(), from.made_of[c].end()));
    if (needed.count(c) != 0) continue;
    case_set without = cases;
    without.erase(std::find(without.begin(), without.end(), c));
    EXPECT_LT(from.ground().measure(without)[0], found.pools.front().values[0]) << from.values[c];
  }
}

TEST(Breeding, no_pool_of_the_front_is_as_good_as_another_with_fewer_cases) {
  const bred_pools found = bred(options_for(selection_scheme::elitist));
  ASSERT_GT(found.pools.size(), 3U);
  for (const bred_pool& a : found.pools)
    for (const bred_pool& b : found.pools) {
      if (&a == &b) continue;
      EXPECT_FALSE(a.values[0] >= b.values[0] && a.cases.size() <= b.cases.size());
    }
}

TEST(Breeding, equal_seeds_give_equal_logs) {
  for (const named_breeding& each : named_breedings) {
    const breeding_options how = options_for(each.scheme, 7);
    const bred_pools one = bred(how), other = bred(how), another = bred(options_for(each.scheme, 8));
    EXPECT_EQ(one.log, other.log) << each.name;
    EXPECT_EQ(one.pools.front().cases, other.pools.front().cases) << each.name;
    EXPECT_NE(one.log, another.log) << each.name;
  }
}

TEST(Breeding, elitist_stops_where_nothing_gets_better) {
  breeding_options how = options_for(selection_scheme::elitist);
  how.stagnation = 3;
  how.generations = 1000;
  how.budget = 1'000'000;
  const bred_pools found = bred(how);
  EXPECT_EQ(found.stopped, "no better pool in 3 generations");
  const breeding_row& last = found.log.back();
  const breeding_row& before = found.log[found.log.size() - 4];
  EXPECT_EQ(before.best, last.best);
  EXPECT_EQ(before.best_cases, last.best_cases);
}

TEST(Breeding, limits_are_kept) {
  for (const named_breeding& each : named_breedings) {
    breeding_options how = options_for(each.scheme);
    how.stagnation = 0;
    how.budget = 25;
    const bred_pools few = bred(how);
    EXPECT_LE(few.log.back().made, 25U) << each.name;
    how.budget = 400;
    how.generations = 3;
    EXPECT_EQ(bred(how).log.back().generation, 3U) << each.name;
    how.generations = 40;
    how.most_cases = 9;
    for (const breeding_row& row : bred(how).log) EXPECT_LE(row.cases, 9U) << each.name;
  }
}

TEST(Breeding, no_pool_of_elitist_gets_fewer_cases_than_asked) {
  breeding_options how = options_for(selection_scheme::elitist);
  how.fewest_cases = kinds + 4;
  const bred_pools found = bred(how);
  const std::uint32_t at_first = found.log.front().cases;
  ASSERT_LT(at_first, how.fewest_cases);
  for (const breeding_row& row : found.log) EXPECT_GE(row.cases, at_first);
  numbers many;
  for (unsigned value = 2; value <= 3 * kinds; ++value) many.values.push_back(value), many.made_of.emplace_back();
  for (const bred_pool& each : bred(how, many).pools) EXPECT_GE(each.cases.size(), how.fewest_cases);
  how.most_cases = 5;
  EXPECT_EQ(message_of([&] { bred(how); }),
            "a pool has " + std::to_string(how.fewest_cases) + " cases at least and 5 at most");
}

TEST(Breeding, the_published_schemes_keep_no_best_pool) {
  bool has_lost = false;
  for (unsigned seed = 1; seed <= 5; ++seed) {
    breeding_options how = options_for(selection_scheme::random_removal, seed);
    how.remove_ratio = 0.6;
    how.mutant_ratio = 0.1;
    const bred_pools found = bred(how);
    has_lost = has_lost || found.pools.front().values < found.log.back().best;
    EXPECT_EQ(found.pools.size(), 1U);
  }
  EXPECT_TRUE(has_lost);
}

TEST(Breeding, a_published_scheme_makes_a_mutant_of_every_parent_by_every_datamorphism) {
  numbers from;
  from.values = {1, 100, 200, 300};
  from.made_of.resize(4);
  breeding_options how = options_for(selection_scheme::filter);
  how.generations = 1;
  how.mutant_ratio = 0.75;
  const breeding_ground ground = from.ground();
  std::vector<mating> seen;
  breeding_ground watched = ground;
  watched.mate = [&](const std::vector<mating>& matings) { return seen = matings, ground.mate(matings); };
  breed_pools(watched, how);
  ASSERT_EQ(seen.size(), 9U);  // three parents, three datamorphisms
  std::set<std::uint32_t> parents;
  for (const mating& each : seen) {
    EXPECT_EQ(each.sources.size(), each.datamorphism == 2 ? 2U : 1U);
    parents.insert(each.sources[0]);
  }
  EXPECT_EQ(parents.size(), 3U);
}

TEST(Breeding, strongest_mutant_takes_the_strongest_and_weakest_removal_leaves_them) {
  numbers from;
  from.values = {1, 41, 81, 2};  // the last one alone has its remainder
  from.made_of.resize(4);
  breeding_options how = options_for(selection_scheme::strongest_mutant);
  how.generations = 1;
  how.mutant_ratio = 0.25;
  how.remove_ratio = 0.5;
  const breeding_ground ground = from.ground();
  breeding_ground watched = ground;
  std::vector<mating> seen;
  watched.mate = [&](const std::vector<mating>& matings) { return seen = matings, ground.mate(matings); };
  breed_pools(watched, how);
  for (const mating& each : seen) EXPECT_EQ(each.sources[0], 3U);
  how.scheme = selection_scheme::weakest_removal;
  const bred_pools found = bred(how, from);
  const case_set& cases = found.pools.front().cases;
  EXPECT_TRUE(std::binary_search(cases.begin(), cases.end(), 3U));
  EXPECT_FALSE(std::binary_search(cases.begin(), cases.end(), 0U));
}

TEST(Breeding, a_published_scheme_stops_at_the_first_small_change) {
  breeding_options how = options_for(selection_scheme::random_removal);
  how.remove_ratio = 0;
  how.change = 100;
  const bred_pools found = bred(how);
  EXPECT_NE(found.stopped.find("changed the metric by less than 100"), std::string::npos) << found.stopped;
}

TEST(Breeding, a_published_scheme_takes_negative_values_for_failures) {
  numbers from;
  from.offset = -3;
  const auto of = [&](selection_scheme scheme) { return message_of([&] { bred(options_for(scheme), from); }); };
  EXPECT_EQ(of(selection_scheme::random_removal),
            "the metric is -2.975000, and the strategy random-removal takes values below 0 for failures; the strategy "
            "elitist does not");
  EXPECT_EQ(of(selection_scheme::elitist), "nothing was thrown");
}

TEST(Breeding, what_cannot_be_bred_is_told) {
  breeding_options how;
  how.budget = 0;
  EXPECT_EQ(message_of([&] { breeding_uda{how}; }), "the budget is 0 mutants; breeding needs one at least");
  how = {};
  how.generations = 0;
  EXPECT_EQ(message_of([&] { breeding_uda{how}; }), "there are 0 generations; breeding needs one at least");
  how = {};
  how.mutant_ratio = 0;
  EXPECT_EQ(message_of([&] { breeding_uda{how}; }),
            "the part of the pool that has mutants is 0.000000; it has to be above 0 and at most 1");
  how = {};
  how.remove_ratio = 1;
  EXPECT_EQ(message_of([&] { breeding_uda{how}; }),
            "the part of the pool that is removed is 1.000000; it has to be at least 0 and below 1");
  const pagmo::population other(pagmo::problem(pagmo::zdt()), 1, 1);
  EXPECT_NE(message_of([&] { breeding_uda().evolve(other); }).find("is not one of which cases are in a pool"),
            std::string::npos);
}

TEST(Breeding, an_unknown_selection_scheme_is_refused) {
  const auto unknown = static_cast<selection_scheme>(std::size(named_breedings));
  const std::string refusal = "the selection scheme 5 is unknown; there are 5, from 0 on";
  EXPECT_EQ(message_of([&] { breeding_uda(options_for(unknown)); }), refusal);
  EXPECT_EQ(message_of([&] { bred(options_for(unknown)); }), refusal);
}

TEST(Breeding, the_problem_counts_cases_and_turns_metrics_round) {
  numbers from;
  from.values = {1, 41, 2};
  from.made_of.resize(3);
  const pool_problem p(std::make_shared<const breeding_ground>(from.ground(5)));
  EXPECT_EQ(p.fitness({1, 1, 0, 0, 0}), (pagmo::vector_double{-1.0 / kinds, 2}));
  EXPECT_EQ(p.fitness({1, 0, 1, 0, 0}), (pagmo::vector_double{-2.0 / kinds, 2}));
  EXPECT_EQ(p.vector_of(p.set_of({0, 1, 0, 0, 0})), (pagmo::vector_double{0, 1, 0, 0, 0}));
  const pagmo::problem known{p};
  EXPECT_EQ(known.get_nobj(), 2U);
  EXPECT_EQ(known.get_nix(), 5U);
}

}  // namespace
}  // namespace morph::optimizer
