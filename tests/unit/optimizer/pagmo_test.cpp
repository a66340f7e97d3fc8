// Which tests run, as a problem of pagmo's, and the search as an algorithm of pagmo's.
#include <gtest/gtest.h>

#include <pagmo/algorithm.hpp>
#include <pagmo/algorithms/nsga2.hpp>
#include <pagmo/population.hpp>
#include <pagmo/problems/zdt.hpp>

#include "optimizer/cover/greedy.hpp"
#include "optimizer/pagmo/memetic_uda.hpp"
#include "optimizer/pagmo/named_search.hpp"
#include "tests/unit/optimizer/cover_problems.hpp"
#include "tests/unit/optimizer/thrown.hpp"

namespace morph::optimizer {
namespace {

/// Two weightings of one matrix: the first half of the requirements, and all.
std::vector<cover_problem> two_weightings() {
  random_source random(11);
  cover_rows covers(60);
  std::vector<std::int64_t> costs;
  for (auto& row : covers) {
    for (std::uint32_t r = 0; r < 100; ++r)
      if (random.below(8) == 0) row.push_back(r);
    costs.push_back(1 + random.below(50));
  }
  const auto matrix = std::make_shared<const cover_matrix>(matrix_of(covers, costs, {{"changed", 50}, {"others", 50}}));
  return {weigh(matrix, std::vector<std::int64_t>{1, 0}), weigh(matrix)};
}

TEST(SubsetProblem, tells_what_is_not_covered_and_what_it_costs) {
  const subset_problem p({problem_of({{0, 1, 2}, {2, 3}}, {30, 10}, 4)});
  EXPECT_EQ(p.fitness({0, 0}), (pagmo::vector_double{1, 0}));
  EXPECT_EQ(p.fitness({1, 0}), (pagmo::vector_double{0.25, 0.75}));
  EXPECT_EQ(p.fitness({0.4, 0.6}), (pagmo::vector_double{0.5, 0.25}));
  EXPECT_EQ(p.batch_fitness({1, 0, 1, 1}), (pagmo::vector_double{0.25, 0.75, 0, 1}));
  EXPECT_EQ(p.vector_of(p.set_of({0, 1})), (pagmo::vector_double{0, 1}));
}

TEST(SubsetProblem, has_an_objective_for_each_weighting_and_one_for_cost) {
  const pagmo::problem p{subset_problem(two_weightings())};
  EXPECT_EQ(p.get_nobj(), 3U);
  EXPECT_EQ(p.get_nix(), 60U);
  EXPECT_EQ(p.get_thread_safety(), pagmo::thread_safety::constant);
  const auto none = p.fitness(pagmo::vector_double(60, 0));
  EXPECT_EQ(none, (pagmo::vector_double{1, 1, 0}));
}

TEST(SubsetProblem, is_worked_on_by_algorithms_of_pagmos_own) {
  const pagmo::problem p{subset_problem(two_weightings())};
  pagmo::population start(p, 40, 3);
  const pagmo::population evolved = pagmo::algorithm(pagmo::nsga2(20, 0.95, 10, 0.05, 50, 7)).evolve(start);
  EXPECT_EQ(evolved.size(), 40U);
  EXPECT_NE(evolved.get_f(), start.get_f());
}

TEST(SubsetProblem, refuses_weightings_that_do_not_belong_together) {
  EXPECT_EQ(message_of([] { subset_problem(std::vector<cover_problem>{}); }),
            "there are 0 weightings; a problem has one to four");
  EXPECT_EQ(message_of([] {
              subset_problem({random_problem(1, 5, 5), random_problem(1, 5, 5)});
            }),
            "the weightings are of more than one matrix");
}

TEST(MemeticUda, finds_what_no_start_has) {
  const cover_problem p = random_problem(3, 12, 20);
  const pagmo::problem problem{subset_problem({p})};
  const pagmo::population evolved = pagmo::algorithm(memetic_uda(20000, 20)).evolve(pagmo::population(problem, 24, 1));
  std::vector<std::int64_t> costs;
  for (const auto& f : evolved.get_f())
    costs.push_back(static_cast<std::int64_t>(std::llround(f[1] * static_cast<double>(p.total_cost_us))));
  const auto best = best_of_all(p, costs);
  for (std::size_t i = 0; i < costs.size(); ++i)
    EXPECT_DOUBLE_EQ(evolved.get_f()[i][0],
                     static_cast<double>(p.total_weight - best[i]) / static_cast<double>(p.total_weight));
  EXPECT_EQ(evolved.get_f().back()[0], 0);
}

TEST(MemeticUda, keeps_what_the_population_has_found) {
  const cover_problem p = random_problem(4, 200, 300);
  const pagmo::problem problem{subset_problem({p})};
  const auto far = pagmo::algorithm(memetic_uda(20000)).evolve(pagmo::population(problem, 41, 1));
  const auto further = pagmo::algorithm(memetic_uda(1, 40, {}, 9)).evolve(far);
  for (std::size_t i = 0; i < far.size(); ++i) EXPECT_LE(further.get_f()[i][0], far.get_f()[i][0]) << i;
  EXPECT_LE(further.get_f().back()[1], far.get_f().back()[1]);
}

TEST(MemeticUda, equal_seeds_give_equal_logs_and_populations) {
  const pagmo::problem problem{subset_problem({random_problem(5, 150, 200)})};
  const auto evolve_twice = [&](unsigned seed) {
    const pagmo::algorithm algorithm{memetic_uda(500, 10, {}, seed)};
    const auto population = algorithm.evolve(algorithm.evolve(pagmo::population(problem, 10, 1)));
    return std::pair(population.get_x(), algorithm.extract<memetic_uda>()->get_log());
  };
  EXPECT_EQ(evolve_twice(6), evolve_twice(6));
  EXPECT_NE(evolve_twice(6).first, evolve_twice(7).first);
  const auto log = evolve_twice(6).second;
  ASSERT_EQ(log.size(), 2U);
  EXPECT_EQ(log[1].moves, 1000U);
  EXPECT_LE(log[1].uncovered, log[0].uncovered);
}

TEST(MemeticUda, shares_count_equally_whatever_the_totals_are) {
  const auto weightings = two_weightings();
  const cover_problem sum = sum_of(weightings, {3, 1});
  const auto& first = weightings[0];
  for (std::size_t c = 0; c < sum.weight.size(); ++c) {
    const double expected =
        0.75 * static_cast<double>(first.weight[c]) / static_cast<double>(first.total_weight) +
        0.25 * static_cast<double>(weightings[1].weight[c]) / static_cast<double>(weightings[1].total_weight);
    EXPECT_NEAR(static_cast<double>(sum.weight[c]) / static_cast<double>(sum.total_weight), expected, 1e-9);
  }
  EXPECT_EQ(sum_of({first}, {5}).weight, first.weight);
}

TEST(MemeticUda, any_number_of_islands_gives_what_they_give_one_after_the_other) {
  const auto weightings = two_weightings();
  const pagmo::problem problem{subset_problem(weightings)};
  const pagmo::population start(problem, 8, 1);
  for (const unsigned threads : {1U, 2U, 8U}) {
    std::vector<std::vector<std::int64_t>> shares;
    for (unsigned i = 0; i < threads; ++i) shares.push_back({i, threads - i});
    const pagmo::population all = evolve_islands(start, shares, 300, 5);
    pagmo::population one_after_the_other(problem, 0, 5);
    for (unsigned i = 0; i < threads; ++i) {
      const auto evolved = memetic_uda(300, 40, shares[i], 5 + i).evolve(start);
      for (std::size_t k = 0; k < evolved.size(); ++k) one_after_the_other.push_back(evolved.get_x()[k]);
    }
    EXPECT_EQ(all.get_x(), one_after_the_other.get_x()) << threads;
    EXPECT_EQ(all.get_f(), one_after_the_other.get_f()) << threads;
  }
}

TEST(MemeticUda, refuses_what_it_cannot_evolve) {
  const pagmo::problem problem{subset_problem(two_weightings())};
  EXPECT_EQ(message_of([&] { memetic_uda().evolve(pagmo::population(pagmo::zdt(1, 5), 4, 1)); }),
            "the problem 'ZDT1' is not one of which tests run");
  EXPECT_EQ(message_of([&] { memetic_uda().evolve(pagmo::population(problem, 0, 1)); }), "the population is empty");
  EXPECT_EQ(message_of([&] { memetic_uda(1, 4, {1}).evolve(pagmo::population(problem, 4, 1)); }),
            "there are 1 shares of 2 weightings");
  EXPECT_EQ(message_of([&] {
              memetic_uda(1, 4, {1, -1}).evolve(pagmo::population(problem, 4, 1));
            }),
            "a share is less than 0");
  EXPECT_EQ(message_of([&] {
              memetic_uda(1, 4, {1, 1000001}).evolve(pagmo::population(problem, 4, 1));
            }),
            "a share is more than a million");
  EXPECT_EQ(message_of([] { memetic_uda(1, 0); }), "there are 0 budgets; the search needs one at least");
}

TEST(NamedSearch, every_algorithm_finds_what_greedy_finds_at_least) {
  const cover_problem p = random_problem(3, 40, 60);
  const std::int64_t budget = greedy_path(p).back().cost_us / 3;
  const front_search greedy(p, {budget}, 1);
  for (const named_algorithm& a : named_algorithms) {
    const named_search how{a.name, 20};
    const front_point whole = search_by_name(p, std::nullopt, how), within = search_by_name(p, budget, how);
    EXPECT_EQ(whole.covered, p.total_weight) << a.name;
    EXPECT_LE(whole.cost_us, greedy.whole().cost_us) << a.name;
    EXPECT_LE(within.cost_us, budget) << a.name;
    EXPECT_GE(within.covered, greedy.points()[0].covered) << a.name;
    const front_point again = search_by_name(p, budget, how);
    EXPECT_EQ(within.tests, again.tests) << a.name;
    cover_state state(p);
    state.become(within.tests);
    EXPECT_EQ(state.cost_us(), within.cost_us) << a.name;
    EXPECT_EQ(state.covered(), within.covered) << a.name;
  }
}

TEST(NamedSearch, starts_at_random_if_it_is_told) {
  const cover_problem p = random_problem(3, 200, 400);
  for (const named_algorithm& a : named_algorithms) {
    const front_point found = search_by_name(p, p.total_cost_us / 2, {a.name, 15, 7, false});
    EXPECT_GT(found.covered, 0) << a.name;
    EXPECT_EQ(found.tests, search_by_name(p, p.total_cost_us / 2, {a.name, 15, 7, false}).tests) << a.name;
  }
  // Nothing is evolved: the best of a hundred random sets is no greedy one.
  EXPECT_GT(search_by_name(p, std::nullopt, {"nsga2", 0, 7, false}).cost_us,
            search_by_name(p, std::nullopt, {"nsga2", 0, 7, true}).cost_us);
}

TEST(NamedSearch, says_how_far_it_is) {
  std::vector<unsigned> done;
  search_by_name(random_problem(3, 10, 20), std::nullopt,
                 {"nsga2", 25, 1, true, [&](unsigned generations) { done.push_back(generations); }});
  EXPECT_EQ(done, (std::vector<unsigned>{10, 20, 25}));
}

TEST(NamedSearch, small_problems_and_unknown_names_are_defined) {
  for (const named_algorithm& a : named_algorithms) {
    const front_point one = search_by_name(problem_of({{0}}, {5}, 1), std::nullopt, {a.name, 10});
    EXPECT_EQ(one.covered, 1) << a.name;
    EXPECT_EQ(search_by_name(problem_of({{0}}, {5}, 1), 4, {a.name, 10}).covered, 0) << a.name;
    EXPECT_EQ(search_by_name(problem_of({}, {}, 1), std::nullopt, {a.name, 10}).covered, 0) << a.name;
  }
  EXPECT_EQ(message_of([] { search_by_name(random_problem(1, 5, 5), std::nullopt, {"nsga3"}); }),
            "pagmo has no algorithm 'nsga3' here");
}

}  // namespace
}  // namespace morph::optimizer
