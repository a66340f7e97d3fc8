// Sets of tests over weighted requirements: folding, state, greedy, bound, front.
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <set>
#include <stdexcept>

#include "optimizer/cover/bound.hpp"
#include "optimizer/cover/front.hpp"
#include "optimizer/cover/greedy.hpp"
#include "optimizer/cover/state.hpp"
#include "optimizer/cover/times.hpp"
#include "optimizer/exact/exact.hpp"
#include "tests/unit/optimizer/cover_problems.hpp"

namespace morph::optimizer {
namespace {

using cost_and_cover = std::vector<std::pair<std::int64_t, std::int64_t>>;

TEST(CoverMatrix, requirements_of_the_same_tests_are_one_class) {
  const cover_matrix m = matrix_of({{0, 1, 3}, {0, 1}, {3}}, {5, 0, 7}, {{"changed", 2}, {"kills", 3}});
  EXPECT_EQ(m.class_count(), 2U);
  EXPECT_EQ(m.cost_us, (std::vector<std::int64_t>{5, 1, 7}));
  const auto classes = m.classes_of(0);
  EXPECT_EQ(std::vector<std::uint32_t>(classes.begin(), classes.end()), (std::vector<std::uint32_t>{0, 1}));
  const auto tests = m.tests_of(0);
  EXPECT_EQ(std::vector<std::uint32_t>(tests.begin(), tests.end()), (std::vector<std::uint32_t>{0, 2}));
  EXPECT_EQ(m.members, (std::vector<std::int64_t>{0, 1, 2, 0}));
  EXPECT_EQ(m.uncovered, (std::vector<std::int64_t>{0, 2}));
}

TEST(CoverMatrix, what_weighs_nothing_is_in_no_class) {
  const cover_matrix m = matrix_of({{0, 1}, {1}}, {1, 1}, {{"code", 2}}, {0, 4});
  EXPECT_EQ(m.class_count(), 1U);
  EXPECT_EQ(m.members, std::vector<std::int64_t>{4});
}

TEST(CoverMatrix, an_empty_one_is_fine) {
  const cover_problem p = problem_of({}, {}, 0);
  EXPECT_EQ(p.total_weight, 0);
  EXPECT_TRUE(greedy_path(p).empty());
  front_search search(p, {}, 1);
  search.run(100);
  EXPECT_TRUE(search.points().empty());
  EXPECT_EQ(cover_bound(p, {}).most_within(100), 0);
}

TEST(CoverMatrix, wrong_numbers_are_refused) {
  const auto message_of = [](const auto& call) {
    try {
      call();
    } catch (const std::exception& error) {
      return std::string(error.what());
    }
    return std::string("nothing was thrown");
  };
  EXPECT_EQ(message_of([] { matrix_of({}, {}, {{"code", 2}}, {1}); }), "there are 1 weights of 2 requirements");
  EXPECT_EQ(message_of([] {
              matrix_of({}, {}, {{"code", 2}}, {1, -3});
            }),
            "a requirement has the weight -3; the least that one can have is 0");
  EXPECT_EQ(message_of([] { matrix_of({{2}}, {1}, {{"code", 2}}); }), "requirement 2 of 2");
  EXPECT_EQ(message_of([] { problem_of({{0}}, {1}, 1, {largest_sum + 1}); }),
            "the weights of all requirements add up to more than 2^52");
  EXPECT_EQ(message_of([] {
              problem_of({{0}, {0}}, {largest_sum, largest_sum}, 1);
            }),
            "the costs of all tests add up to more than 2^52 microseconds");
  const auto matrix = std::make_shared<const cover_matrix>(matrix_of({{0}}, {1}, {{"code", 1}}));
  EXPECT_EQ(message_of([&] { weigh(matrix, std::vector<std::int64_t>{1, 2}); }), "there are 2 weights of 1 groups");
  EXPECT_EQ(message_of([&] { weigh(matrix, std::vector<std::int64_t>{-1}); }),
            "the group 'code' has the weight -1; the least that one can have is 0");
}

TEST(CoverMatrix, groups_weigh_what_they_are_told) {
  const auto matrix = std::make_shared<const cover_matrix>(
      matrix_of({{0, 2}, {1, 3}}, {1, 1}, {{"changed", 2}, {"kills", 2}}, {1, 2, 3, 4}));
  EXPECT_EQ(weigh(matrix).weight, (std::vector<std::int64_t>{4, 6}));
  EXPECT_EQ(weigh(matrix, std::vector<std::int64_t>{10, 0}).weight, (std::vector<std::int64_t>{10, 20}));
}

TEST(CoverState, gains_and_losses_are_exact_after_every_change) {
  const cover_problem p = random_problem(7, 40, 60);
  cover_state state(p);
  std::set<std::uint32_t> members;
  random_source random(3);
  for (int step = 0; step < 120; ++step) {
    const std::uint32_t test = random.below(40);
    if (members.insert(test).second) {
      state.add(test);
    } else {
      members.erase(test);
      state.remove(test);
    }
    const sums now = sums_of(p, members);
    ASSERT_EQ((sums{state.cost_us(), state.covered()}), now);
    for (std::uint32_t t = 0; t < 40; ++t) {
      auto other = members;
      const bool is_member = members.count(t) != 0;
      is_member ? static_cast<void>(other.erase(t)) : static_cast<void>(other.insert(t));
      const std::int64_t difference = sums_of(p, other).covered - now.covered;
      ASSERT_EQ(state.gain(t), is_member ? 0 : difference);
      ASSERT_EQ(state.loss(t), is_member ? -difference : 0);
    }
  }
}

TEST(CoverState, the_best_addition_is_compared_exactly) {
  // 3 per 3 x large - 1 is denser than 1 per large, by less than a double tells.
  const std::int64_t large = 500'000'000'000'001;
  const cover_problem p = problem_of({{0}, {1, 2, 3}, {4}}, {large, 3 * large - 1, large}, 5);
  cover_state state(p);
  EXPECT_EQ(state.best_addition(largest_sum), 1U);
  EXPECT_EQ(state.best_addition(3 * large - 2), 0U) << "as dense as the third, and before it";
  EXPECT_EQ(state.best_addition(large - 1), std::nullopt);
  state.add(1);
  EXPECT_EQ(state.best_addition(largest_sum), 0U);
}

TEST(CoverState, becomes_what_was_stored) {
  const cover_problem p = random_problem(8, 100, 30);
  cover_state state(p), other(p);
  for (const std::uint32_t test : {3U, 64U, 99U}) state.add(test);
  test_set stored;
  state.store(stored);
  other.add(5);
  other.add(64);
  other.become(stored);
  EXPECT_EQ(tests_in(p, stored), (std::set<std::uint32_t>{3, 64, 99}));
  EXPECT_EQ(other.covered(), state.covered());
  EXPECT_EQ(other.cost_us(), state.cost_us());
  EXPECT_TRUE(other.has(3) && !other.has(5));
}

TEST(CoverState, prunes_the_most_expensive_of_those_that_add_nothing) {
  const cover_problem p = problem_of({{0, 1}, {0}, {1}, {0}}, {9, 5, 4, 7}, 2);
  cover_state state(p);
  for (std::uint32_t test = 0; test < 4; ++test) state.add(test);
  EXPECT_TRUE(state.prune());
  test_set left;
  state.store(left);
  EXPECT_EQ(tests_in(p, left), (std::set<std::uint32_t>{1, 2}));
  EXPECT_FALSE(state.prune());
}

TEST(CoverState, without_noise_the_densest_comes_first) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const cover_problem p = random_problem(seed, 300, 40);
    cover_state state(p);
    const std::uint32_t best = *state.best_addition(largest_sum);
    const auto density = [&](std::uint32_t test) {
      return static_cast<double>(cover_state(p).gain(test)) / static_cast<double>(p.matrix->cost_us[test]);
    };
    random_source random(seed);
    state.fill(largest_sum, random, 0);
    ASSERT_FALSE(state.members().empty());
    EXPECT_NEAR(density(state.members().front()), density(best), 1e-9) << seed;
    EXPECT_EQ(state.covered(), p.total_weight) << seed;
  }
}

TEST(CoverState, fills_as_the_best_additions_would_however_many_tests_there_are) {
  const cover_problem p = random_problem(12, 5000, 300);
  const std::int64_t budget = p.total_cost_us / 400;
  cover_state one_by_one(p), filled(p);
  for (const std::uint32_t test : {17U, 4000U}) {
    one_by_one.add(test);
    filled.add(test);
  }
  while (const auto test = one_by_one.best_addition(budget - one_by_one.cost_us())) one_by_one.add(*test);
  filled.fill(budget);
  test_set expected, found;
  one_by_one.store(expected);
  filled.store(found);
  EXPECT_EQ(found, expected);
  EXPECT_GT(filled.members().size(), 4U);
}

TEST(CoverState, the_worst_member_is_not_more_expensive_than_need_be) {
  // The second loses less per cost, but of its cost one microsecond is needed.
  const cover_problem p = problem_of({{0, 1}, {2, 3, 4}, {5}}, {1, 100, 1}, 6);
  cover_state state(p);
  for (std::uint32_t test = 0; test < 3; ++test) state.add(test);
  random_source random(1);
  EXPECT_EQ(state.worst_member(50, random, 0), 1U);
  EXPECT_EQ(state.worst_member(1, random, 0), 2U);
  EXPECT_EQ(state.worst_member(1, random, 0, 2U), 0U);
}

/// Bytes of one random number after the other, the lowest first, as factors from 1 up to 1 + noise / 256.
class noise_factors {
 public:
  noise_factors(random_source& from, std::uint32_t noise) : from_(&from), noise_(noise) {}
  double next() {
    if (at_ % 8 == 0) bits_ = (*from_)();
    return 1 + static_cast<double>((bits_ >> 8 * (at_++ % 8) & 255U) * noise_) / 65536;
  }

 private:
  random_source* from_;
  std::uint32_t noise_;
  std::uint64_t bits_ = 0;
  std::uint32_t at_ = 0;
};

TEST(CoverState, fills_with_noise_as_the_definition_says_however_many_tests_there_are) {
  for (const auto& [tests, noise] : {std::pair{300U, 38U}, {300U, 153U}, {50'100U, 153U}}) {
    const cover_problem p = random_problem(4, tests, 60);  // each test covers something
    const std::int64_t budget = 60;                        // more than any test costs
    cover_state filled(p), expected(p);
    random_source random(noise), same(noise);
    filled.fill(budget, random, noise);
    noise_factors factors(same, noise);
    std::vector<double> factor(tests);
    for (double& f : factor) f = factors.next();
    for (;;) {
      std::optional<std::uint32_t> densest;
      double most = 0;
      for (std::uint32_t t = 0; t < tests; ++t) {
        const auto cost = p.matrix->cost_us[t];
        const double density = static_cast<double>(expected.gain(t)) * (1.0 / static_cast<double>(cost) * factor[t]);
        if (density <= most || cost > budget - expected.cost_us()) continue;
        most = density;
        densest = t;
      }
      if (!densest) break;
      expected.add(*densest);
    }
    EXPECT_TRUE(std::ranges::equal(filled.members(), expected.members())) << tests << " tests, noise " << noise;
    EXPECT_GT(filled.members().size(), 4U);
  }
}

TEST(CoverState, the_worst_member_with_noise_is_that_of_the_definition) {
  const cover_problem p = random_problem(6, 60, 200);
  cover_state state(p);
  for (std::uint32_t t = 0; t < 60; t += 3) state.add(t);
  random_source random(2), same(2);
  for (std::int64_t excess = 1; excess < 40; ++excess) {
    const std::uint32_t without = state.members()[static_cast<std::size_t>(excess) % 20];
    noise_factors factors(same, 153);
    std::optional<std::uint32_t> worst;
    double least = 0;
    for (const std::uint32_t t : state.members()) {
      if (t == without) continue;
      const double per_us = 1.0 / static_cast<double>(std::min(excess, p.matrix->cost_us[t]));
      const double density = static_cast<double>(state.loss(t)) * per_us * factors.next();
      if (worst && density >= least) continue;
      least = density;
      worst = t;
    }
    EXPECT_EQ(state.worst_member(excess, random, 153, without), worst) << excess;
  }
  EXPECT_EQ(cover_state(p).worst_member(1, random, 153), std::nullopt);
}

TEST(Density, is_compared_exactly_then_by_gain_then_by_cost_then_by_number) {
  const value few{5, 2, 4}, many{6, 4, 8}, denser{9, 3, 5};
  EXPECT_TRUE(is_denser(denser, many) && !is_denser(many, denser));
  EXPECT_TRUE(is_denser(many, few) && !is_denser(few, many)) << "of one density the larger gain";
  const value idle{3, 0, 4}, idle_and_cheap{4, 0, 3};
  EXPECT_TRUE(is_denser(idle_and_cheap, idle) && !is_denser(idle, idle_and_cheap));
  const value same{6, 2, 4};
  EXPECT_TRUE(is_denser(few, same) && !is_denser(same, few) && !is_denser(few, few));
}

TEST(GreedyPath, takes_the_densest_first_and_stops_when_all_is_covered) {
  const cover_problem p = problem_of({{0, 1, 2}, {2, 3}, {0}, {3}, {}}, {30, 10, 5, 1, 1}, 5);
  std::vector<std::uint32_t> tests;
  for (const greedy_step& step : greedy_path(p)) tests.push_back(step.test);
  EXPECT_EQ(tests, (std::vector<std::uint32_t>{3, 2, 1, 0}));
  EXPECT_EQ(greedy_path(p).back().cost_us, 46);
  EXPECT_EQ(greedy_path(p).back().covered, p.total_weight);
}

TEST(CoverBound, is_never_below_the_optimum) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    const cover_problem p = random_problem(seed, 12, 20);
    const cover_bound bound(p, greedy_path(p));
    std::vector<std::int64_t> budgets(static_cast<std::size_t>(p.total_cost_us) / 5);
    std::iota(budgets.begin(), budgets.end(), 0);
    for (auto& b : budgets) b *= 5;
    const auto best = best_of_all(p, budgets);
    double sum_of_best = 0, sum_of_bounds = 0;
    for (std::size_t b = 0; b < budgets.size(); ++b) {
      ASSERT_GE(bound.most_within(budgets[b]), best[b]) << "seed " << seed << ", budget " << budgets[b];
      sum_of_best += static_cast<double>(best[b]);
      sum_of_bounds += static_cast<double>(bound.most_within(budgets[b]));
    }
    EXPECT_LT(sum_of_bounds, 1.045 * sum_of_best) << "seed " << seed;
    EXPECT_LE(bound.most_within(largest_sum), p.total_weight);
    EXPECT_GE(bound.most_within(0), 0);
  }
}

TEST(CoverBound, is_near_what_can_be_covered) {
  const cover_problem p = sparse_problem(9, 300, 200);
  const auto path = greedy_path(p);
  const cover_bound bound(p, path);
  // Sets are known that cover 386, 592, 731, 832, 911, 977, 1019 and 1040.
  for (const auto& [budget, most] :
       cost_and_cover{{767, 388}, {1823, 596}, {3168, 733}, {4802, 834}, {6725, 918}, {8937, 981}, {11438, 1027}})
    EXPECT_LE(bound.most_within(budget), most) << budget;
  for (const auto& [budget, most] :
       cost_and_cover{{767, 388}, {1823, 599}, {3168, 733}, {4802, 834}, {6725, 917}, {8937, 981}, {11438, 1024}})
    EXPECT_LE(cover_bound(p, path, {.slopes = 2, .around_us = budget}).most_within(budget), most) << budget;
  EXPECT_EQ(bound.most_within(14229), 1040);
}

TEST(FrontSearch, finds_the_optimum_of_small_problems) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const cover_problem p = random_problem(seed, 12, 20);
    front_search search(p, {}, seed, 10);
    search.run(10000);
    const auto best = best_of_all(p, search.budgets());
    for (std::size_t b = 0; b < best.size(); ++b) {
      const front_point& point = search.points()[b];
      EXPECT_EQ(point.covered, best[b]) << "seed " << seed << ", budget " << search.budgets()[b];
      EXPECT_LE(point.cost_us, search.budgets()[b]);
      EXPECT_EQ(sums_of(p, tests_in(p, point.tests)), (sums{point.cost_us, point.covered}));
    }
    EXPECT_EQ(search.whole().covered, p.total_weight);
    std::vector<std::int64_t> below{search.whole().cost_us - 1};
    EXPECT_LT(best_of_all(p, below).front(), p.total_weight) << "seed " << seed << ": it can be had for less";
  }
}

TEST(FrontSearch, is_never_worse_than_the_greedy) {
  const cover_problem p = random_problem(5, 300, 400);
  const std::vector<greedy_step> path = greedy_path(p);
  std::vector<std::int64_t> budgets;
  for (const greedy_step& step : path) budgets.push_back(step.cost_us);
  const front_search search(p, budgets, 1);
  for (std::size_t i = 0; i < path.size(); ++i) EXPECT_GE(search.points()[i].covered, path[i].covered);
}

TEST(FrontSearch, equal_seeds_and_moves_give_equal_sets_however_they_are_portioned) {
  const cover_problem p = random_problem(9, 200, 300);
  front_search one(p, {}, 4), portions(p, {}, 4), other(p, {}, 5);
  one.run(900);
  for (int i = 0; i < 9; ++i) portions.run(100);
  other.run(900);
  const auto sets_of = [](const front_search& search) {
    std::vector<test_set> sets{search.whole().tests};
    for (const front_point& point : search.points()) sets.push_back(point.tests);
    return sets;
  };
  EXPECT_EQ(sets_of(one), sets_of(portions));
  EXPECT_NE(sets_of(one), sets_of(other));
}

// Plans are repeatable by later versions, too: who changes how sets are searched for changes these numbers, and says
// so.
TEST(FrontSearch, a_seed_finds_the_sets_that_it_always_found) {
  const cover_problem p = sparse_problem(9, 300, 200);
  front_search search(p, {}, 4, 8);
  const auto found_after = [&](std::uint64_t moves) {
    search.run(moves);
    cost_and_cover found;
    for (const front_point& point : search.points()) found.emplace_back(point.cost_us, point.covered);
    found.emplace_back(search.whole().cost_us, search.whole().covered);
    return found;
  };
  EXPECT_EQ(search.budgets(), (std::vector<std::int64_t>{767, 1823, 3168, 4802, 6725, 8937, 11438, 14229}));
  EXPECT_EQ(found_after(0), (cost_and_cover{{765, 382},
                                            {1822, 585},
                                            {3128, 722},
                                            {4727, 822},
                                            {6707, 903},
                                            {8915, 962},
                                            {11299, 1007},
                                            {14229, 1040},
                                            {14229, 1040}}));
  EXPECT_EQ(found_after(100), (cost_and_cover{{765, 384},
                                              {1819, 592},
                                              {3162, 731},
                                              {4790, 832},
                                              {6680, 907},
                                              {8836, 969},
                                              {11412, 1019},
                                              {14229, 1040},
                                              {14229, 1040}}));
  EXPECT_EQ(found_after(900), (cost_and_cover{{767, 386},
                                              {1819, 592},
                                              {3162, 731},
                                              {4769, 832},
                                              {6694, 911},
                                              {8893, 977},
                                              {11412, 1019},
                                              {14121, 1040},
                                              {14121, 1040}}));
}

TEST(FrontSearch, what_is_offered_is_kept_where_it_is_better) {
  const cover_problem p = problem_of({{0, 1}, {2, 3}, {1, 2}, {4}}, {10, 10, 11, 100}, 5, {3, 4, 4, 3, 1});
  front_search search(p, {11, 20}, 1);
  EXPECT_EQ(search.points()[0].covered, 8);
  EXPECT_EQ(search.points()[1].covered, 8) << "the densest leaves no room for another";
  search.offer({0b0011});
  EXPECT_EQ(search.points()[0].covered, 8);
  EXPECT_EQ(search.points()[1].covered, 14);
  EXPECT_EQ(search.points()[1].tests, test_set{0b0011});
  EXPECT_EQ(search.whole().cost_us, 120);
}

TEST(FrontSearch, budgets_ascend) {
  const cover_problem p = problem_of({{0}}, {1}, 1);
  EXPECT_THROW(front_search(p, {0}, 1), std::invalid_argument);
  EXPECT_THROW(front_search(p, {2, 2}, 1), std::invalid_argument);
  EXPECT_EQ(spread_budgets(3, 40), (std::vector<std::int64_t>{1, 2, 3}));
  EXPECT_EQ(spread_budgets(1000, 4), (std::vector<std::int64_t>{128, 337, 628, 1000}));
  EXPECT_TRUE(spread_budgets(0, 4).empty());
}

/// Of all sets without `given`, the least cost with which each class is covered as often as it can be, up to `times`.
std::int64_t least_repeated(const cover_matrix& m, std::uint32_t times, std::uint32_t given) {
  std::int64_t least = largest_sum;
  for (std::uint32_t set = 0; set < 1U << m.test_count(); ++set) {
    if ((set & given) != 0) continue;
    std::int64_t cost = 0;
    for (std::uint32_t t = 0; t < m.test_count(); ++t)
      if ((set >> t & 1U) != 0) cost += m.cost_us[t];
    bool covers = cost < least;
    for (std::uint32_t c = 0; covers && c < m.class_count(); ++c) {
      std::uint32_t of_set = 0;
      for (const std::uint32_t t : m.tests_of(c)) of_set += (set | given) >> t & 1U;
      covers = of_set >= std::min<std::size_t>(times, m.tests_of(c).size());
    }
    if (covers) least = cost;
  }
  return least;
}

TEST(CoverTimes, is_a_cover_near_the_least_and_the_bound_is_never_above_it) {
  double found_cost = 0, least_cost = 0, bound = 0;
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    const cover_problem p = random_problem(seed, 11, 14);
    const cover_matrix& m = *p.matrix;
    for (const std::uint32_t times : {1U, 3U})
      for (const std::uint32_t given : {0U, 0b101U}) {
        const repeated_cover found =
            cover_times(m, times, given == 0 ? std::vector<std::uint32_t>{} : std::vector<std::uint32_t>{0, 2});
        std::int64_t cost = 0;
        for (const std::uint32_t t : found.tests) {
          EXPECT_TRUE(given == 0 || (t != 0 && t != 2));
          cost += m.cost_us[t];
        }
        EXPECT_EQ(found.cost_us, cost);
        for (std::uint32_t c = 0; c < m.class_count(); ++c) {
          std::size_t covered = 0;
          for (const std::uint32_t t : m.tests_of(c))
            covered += std::count(found.tests.begin(), found.tests.end(), t) + (given >> t & 1U);
          EXPECT_GE(covered, std::min<std::size_t>(times, m.tests_of(c).size())) << seed;
        }
        const std::int64_t least = least_repeated(m, times, given);
        EXPECT_LE(found.bound_us, least) << seed;
        EXPECT_GE(found.cost_us, least) << seed;
        found_cost += static_cast<double>(found.cost_us);
        least_cost += static_cast<double>(least);
        bound += static_cast<double>(found.bound_us);
      }
  }
  EXPECT_LT(found_cost, 1.1 * least_cost);
  EXPECT_GT(bound, 0.9 * least_cost);
}

TEST(CoverTimes, stays_near_the_bound_where_many_tests_are_needed) {
  const cover_problem p = sparse_problem(1, 150, 100);
  const cover_matrix& m = *p.matrix;
  for (const auto& [times, cost, bound] : {std::tuple{1U, 8793, 8240}, {2U, 18664, 17898}, {3U, 29059, 28568}}) {
    const repeated_cover found = cover_times(m, times);
    EXPECT_LE(found.cost_us, cost) << times;
    EXPECT_GE(found.bound_us, bound) << times;
  }
  const std::int64_t least = set_cover_lower_bound(m, 100'000);
  EXPECT_GE(least, 8183) << "with a reached cost that is far from the least";
  EXPECT_LE(least, 8240) << "what the cheapest set costs";
  EXPECT_EQ(set_cover_lower_bound(m, 5000), 5000) << "never more than what is reached";
}

TEST(CoverTimes, what_runs_in_any_case_costs_nothing) {
  const cover_problem p = problem_of({{0}, {0}, {0}, {0, 1}}, {5, 1, 2, 9}, 2);
  EXPECT_EQ(cover_times(*p.matrix, 2).tests, (std::vector<std::uint32_t>{1, 3}));
  EXPECT_EQ(cover_times(*p.matrix, 2, std::vector<std::uint32_t>{0, 3}).tests, std::vector<std::uint32_t>{});
  EXPECT_EQ(cover_times(*p.matrix, 0).cost_us, 0);
}

TEST(ExactLane, is_there_where_cbc_is) {
#if __has_include(<coin/Cbc_C_Interface.h>)
  EXPECT_TRUE(has_exact_lane()) << "whatever version its library is of";
#else
  EXPECT_FALSE(has_exact_lane());
#endif
}

TEST(ExactLane, proves_the_optimum) {
  if (!has_exact_lane()) GTEST_SKIP() << "this build has no CBC";
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    const cover_problem p = random_problem(seed, 12, 20);
    const auto whole = cheapest_cover(p);
    ASSERT_TRUE(whole && whole->proven);
    EXPECT_EQ(sums_of(p, tests_in(p, whole->found.tests)), (sums{whole->found.cost_us, p.total_weight}));
    const std::vector<std::int64_t> budgets{whole->found.cost_us - 1, whole->found.cost_us, p.total_cost_us / 4};
    const auto best = best_of_all(p, budgets);
    EXPECT_LT(best[0], p.total_weight);
    EXPECT_EQ(best[1], p.total_weight);
    const auto largest = largest_cover(p, budgets[2]);
    ASSERT_TRUE(largest && largest->proven);
    EXPECT_EQ(largest->found.covered, best[2]);
    EXPECT_LE(largest->found.cost_us, budgets[2]);
  }
}

TEST(ExactLane, an_effort_that_is_too_small_proves_nothing) {
  if (!has_exact_lane()) GTEST_SKIP() << "this build has no CBC";
  const cover_problem p = random_problem(2, 200, 1000);
  const auto found = largest_cover(p, p.total_cost_us / 50, {20000, 0});
  EXPECT_FALSE(found && found->proven);
}

}  // namespace
}  // namespace morph::optimizer
