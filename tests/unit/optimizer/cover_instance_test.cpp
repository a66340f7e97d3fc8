// Instance files, and what smaller sets keep.
#include <gtest/gtest.h>

#include <morph/optimizer.hpp>
#include <sstream>

#include "tests/unit/optimizer/cover_problems.hpp"

namespace morph::optimizer {
namespace {

constexpr const char* shapes =
    "# three tests\n"
    "morph-instance 1\n"
    "\n"
    "group lines 6\n"
    "group kills 2 10\r\n"
    "test 1250 Area.OfSquare\n"
    "lines 0-2 1 4\n"
    "kills 1\n"
    "test 0 a name of words\n"
    "  lines 3\n"
    "test 7 Nothing\n";

instance_file read(const std::string& text) {
  std::istringstream in(text);
  auto result = read_instance(in);
  if (!result) throw std::runtime_error(result.error());
  return std::move(*result);
}

std::string error_of(const std::string& text) {
  std::istringstream in(text);
  const auto result = read_instance(in);
  return result ? "read" : result.error();
}

TEST(InstanceFile, is_read) {
  const instance_file instance = read(shapes);
  EXPECT_EQ(instance.tests, (std::vector<std::string>{"Area.OfSquare", "a name of words", "Nothing"}));
  EXPECT_EQ(instance.matrix.cost_us, (std::vector<std::int64_t>{1250, 1, 7}));
  EXPECT_EQ(instance.matrix.groups, (std::vector<requirement_group>{{"lines", 6}, {"kills", 2}}));
  EXPECT_EQ(instance.matrix.uncovered, (std::vector<std::int64_t>{1, 1}));
  const cover_problem p = weigh(std::make_shared<const cover_matrix>(instance.matrix), instance.group_weights);
  EXPECT_EQ(p.total_weight, 4 + 10 + 1);
}

TEST(InstanceFile, is_written_as_it_was_read) {
  const instance_file once = read(shapes);
  std::ostringstream out;
  EXPECT_TRUE(write_instance(out, once).has_value());
  const instance_file twice = read(out.str());
  EXPECT_EQ(twice.tests, once.tests);
  EXPECT_EQ(twice.matrix.cost_us, once.matrix.cost_us);
  EXPECT_EQ(twice.matrix.members, once.matrix.members);
  EXPECT_EQ(twice.matrix.tests, once.matrix.tests);
  EXPECT_EQ(twice.matrix.uncovered, once.matrix.uncovered);
  EXPECT_EQ(twice.group_weights, once.group_weights);
  std::ostringstream again;
  EXPECT_TRUE(write_instance(again, twice).has_value());
  EXPECT_EQ(again.str(), out.str());
}

TEST(InstanceFile, one_that_weighs_more_is_written_as_so_many) {
  const instance_file heavy{matrix_of({{0, 1}, {1}}, {5, 6}, {{"lines", 3}}, {4, 2, 3}), {1}, {"a", "b"}};
  std::ostringstream out;
  EXPECT_TRUE(write_instance(out, heavy).has_value());
  const instance_file light = read(out.str());
  EXPECT_EQ(light.matrix.groups, (std::vector<requirement_group>{{"lines", 9}}));
  EXPECT_EQ(light.matrix.members, heavy.matrix.members);
  EXPECT_EQ(light.matrix.uncovered, heavy.matrix.uncovered);
}

TEST(InstanceFile, an_error_says_where_and_what) {
  const std::string begin = "morph-instance 1\n", group = begin + "group lines 6\n";
  EXPECT_EQ(error_of(""), "line 0: the first line is not 'morph-instance 1'");
  EXPECT_EQ(error_of("morph-instance 2\n"), "line 1: the first line is not 'morph-instance 1'");
  EXPECT_EQ(error_of(begin + "group lines\n"), "line 2: the number of requirements '' is no whole number from 0 on");
  EXPECT_EQ(error_of(begin + "group lines 3 nan\n"), "line 2: the weight 'nan' is no whole number from 0 on");
  EXPECT_EQ(error_of(begin + "group lines 3 -1\n"), "line 2: the weight '-1' is no whole number from 0 on");
  EXPECT_EQ(error_of(begin + "group lines 3 1 1\n"), "line 2: '1' is one word too many");
  EXPECT_EQ(error_of(begin + "group lines 99999999999999999999\n"),
            "line 2: the number of requirements '99999999999999999999' is too large a number");
  EXPECT_EQ(error_of(begin + "group lines 9999999999\n"), "line 2: there are more than 67108864 requirements");
  EXPECT_EQ(error_of(group + "group more 9223372036854775807\n"), "line 3: there are more than 67108864 requirements");
  EXPECT_EQ(error_of(begin + "group #kills 2\n"),
            "line 2: a group cannot be named '#kills', which has another meaning here");
  EXPECT_EQ(error_of(group + "group lines 6\n"),
            "line 3: a group cannot be named 'lines', which has another meaning here");
  EXPECT_EQ(error_of(group + "test 5\n"), "line 3: a test has a cost and a name");
  EXPECT_EQ(error_of(group + "test 1.5 a\n"), "line 3: the cost '1.5' is no whole number from 0 on");
  EXPECT_EQ(error_of(group + "lines 1\n"), "line 3: what is covered stands behind a test");
  EXPECT_EQ(error_of(group + "test 5 a\nlines 4-6\n"),
            "line 4: '4-6' is not all there: 'lines' has 6 requirements, from 0 on");
  EXPECT_EQ(error_of(group + "test 5 a\nlines 4-3\n"), "line 4: '4-3' ends before it begins");
  EXPECT_EQ(error_of(group + "test 5 a\nbranches 1\n"),
            "line 4: 'branches' is no group; a line begins with group, test or the name of one");
  EXPECT_EQ(error_of(group + "test 5 a\ngroup more 1\n"), "line 4: a group has to come before the first test");
}

TEST(InstanceFile, a_name_that_a_line_cannot_hold_is_not_written) {
  const auto error_of_names = [](const std::string& group, const std::string& test) {
    std::ostringstream out;
    const auto written = write_instance(out, {matrix_of({{0}}, {5}, {{group, 1}}), {1}, {test}});
    EXPECT_EQ(out.str().empty(), !written.has_value());
    return written ? "written" : written.error();
  };
  EXPECT_EQ(error_of_names("lines", "a name\rof words"), "written");
  EXPECT_EQ(error_of_names("\"l,", "{"), "written");
  for (const char* test : {"", " ", " a", "a\t", "a\r", "a\nlines 3"})
    EXPECT_EQ(error_of_names("lines", test), "a test named '" + std::string(test) +
                                                 "' cannot be written as a text: it is empty, has blanks at an end "
                                                 "or several lines");
  for (const char* group : {"", "test", "group", "#1", "all lines", "a\nb"})
    EXPECT_EQ(error_of_names(group, "a"), "a group named '" + std::string(group) + "' cannot be written as a text");
}

TEST(InstanceFile, one_that_is_cut_off_anywhere_is_read_or_refused) {
  const std::string whole = shapes;
  for (std::size_t length = 0; length < whole.size(); ++length)
    EXPECT_NO_THROW(error_of(whole.substr(0, length))) << length;
}

TEST(Reduction, says_what_each_test_is_there_for) {
  const cover_problem p = problem_of({{0, 1, 2}, {2, 3}, {2, 3}, {}, {}}, {5, 5, 5, 5, 5}, 4, {1, 10, 100, 1000});
  const auto roles = roles_of(p);
  EXPECT_EQ(roles[0].covers, 111);
  EXPECT_EQ(roles[0].alone, 11);
  EXPECT_EQ(roles[1].alone, 0);
  EXPECT_EQ(roles[1].same_as, std::nullopt);
  EXPECT_EQ(roles[2].same_as, 1U);
  EXPECT_EQ(roles[4].same_as, 3U);
}

TEST(Reduction, keeps_everything_at_the_least_cost) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const cover_problem p = random_problem(seed, 12, 20);
    const reduced_set found = minimal_set(p);
    EXPECT_EQ(found.set.covered, p.total_weight);
    EXPECT_EQ(sums_of(p, tests_in(p, found.set.tests)), (sums{found.set.cost_us, p.total_weight}));
    EXPECT_LT(best_of_all(p, {found.set.cost_us - 1}).front(), p.total_weight);
    EXPECT_EQ(found.proven, has_exact_lane() || found.bound == found.set.cost_us);
    search_effort without_proof;
    without_proof.provable_pairs = 0;
    const reduced_set searched = minimal_set(p, without_proof);
    EXPECT_EQ(searched.set.cost_us, found.set.cost_us);
    EXPECT_LE(searched.bound, found.set.cost_us);
    EXPECT_GT(searched.bound, found.set.cost_us / 2);
  }
}

std::int64_t least_of_all(const cover_problem& p) {
  std::int64_t least = p.total_cost_us;
  look_at_every_set(p, [&](const sums& set) {
    if (set.covered == p.total_weight) least = std::min(least, set.cost_us);
  });
  return least;
}

TEST(Core, a_cheapest_set_of_it_is_a_cheapest_one_of_all) {
  std::size_t tests_left = 0;
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    random_source random(seed);
    cover_rows covers(9);
    std::vector<std::int64_t> costs;
    for (auto& row : covers) {
      for (std::uint32_t r = 0; r < 14; ++r)
        if (random.below(3) == 0) row.push_back(r);
      costs.push_back(1 + random.below(3));  // many cost the same
    }
    std::vector<std::int64_t> weights(14, 1);
    const bool has_idle = random.below(2) == 0;
    if (has_idle) weights[random.below(14)] = 0;  // need not be covered
    const cover_problem p = problem_of(covers, costs, 14, weights);
    const cover_core core = core_of(p);
    EXPECT_TRUE(std::is_sorted(core.taken.begin(), core.taken.end())) << seed;
    std::int64_t taken = 0;
    for (const std::uint32_t test : core.taken) taken += p.matrix->cost_us[test];
    const std::int64_t of_core = core.tests.empty() ? 0 : least_of_all(core.problem);
    EXPECT_EQ(taken + of_core, least_of_all(p)) << seed;
    for (const std::uint32_t test : core.tests)
      EXPECT_FALSE(std::binary_search(core.taken.begin(), core.taken.end(), test)) << seed;
    tests_left += core.tests.size();
    if (has_idle) continue;
    EXPECT_LE(set_cover_lower_bound(*p.matrix, p.total_cost_us), least_of_all(p)) << seed;
  }
  EXPECT_LE(tests_left, 789U) << "of a third of all tests at most it is left to a search";
}

TEST(Core, nothing_is_left_of_what_is_certain) {
  const cover_core core = core_of(problem_of({{0, 1}, {1, 2}, {2}, {2}}, {5, 5, 4, 4}, 3));
  EXPECT_EQ(core.taken, (std::vector<std::uint32_t>{0, 2})) << "the second of two that are alike goes";
  EXPECT_TRUE(core.tests.empty());
  EXPECT_EQ(core.problem.matrix->class_count(), 0U);
  const auto matrix =
      std::make_shared<const cover_matrix>(matrix_of({{0}, {1}, {1}}, {5, 5, 4}, {{"code", 1}, {"history", 1}}));
  EXPECT_EQ(core_of(weigh(matrix, std::vector<std::int64_t>{1, 0})).taken, std::vector<std::uint32_t>{0})
      << "what weighs nothing need not be covered";
  EXPECT_TRUE(core_of(problem_of({}, {}, 0)).taken.empty());
}

TEST(Reduction, covers_the_most_within_a_budget) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const cover_problem p = random_problem(seed, 12, 20);
    const std::int64_t budget = p.total_cost_us / 10;
    const reduced_set found = best_within(p, budget);
    EXPECT_EQ(found.set.covered, best_of_all(p, {budget}).front());
    EXPECT_LE(found.set.cost_us, budget);
    EXPECT_GE(found.bound, found.set.covered);
    EXPECT_EQ(best_within(p, 0).set.covered, 0);
    EXPECT_EQ(best_within(p, largest_sum).set.covered, p.total_weight);
  }
}

TEST(Reduction, many_tests_are_searched_where_nothing_can_be_proven) {
  const cover_problem p = sparse_problem(1, 150, 100);
  const search_effort searched_only{.moves = 2000, .exactly = true, .provable_pairs = 0};
  const reduced_set whole = minimal_set(p, searched_only);
  EXPECT_EQ(sums_of(p, tests_in(p, whole.set.tests)), (sums{whole.set.cost_us, p.total_weight}));
  EXPECT_LE(whole.set.cost_us, 8240) << "what the cheapest set costs";
  EXPECT_GE(whole.bound, 8200);
  EXPECT_LE(whole.bound, whole.set.cost_us);
  const reduced_set within = best_within(p, 2000, searched_only);
  EXPECT_EQ(sums_of(p, tests_in(p, within.set.tests)), (sums{within.set.cost_us, within.set.covered}));
  EXPECT_LE(within.set.cost_us, 2000);
  EXPECT_GE(within.set.covered, 372);
  EXPECT_LE(within.bound, 375);
  EXPECT_EQ(within.proven, within.bound == within.set.covered);
  const reduced_set judged = with_bound(p, std::nullopt, whole.set);
  EXPECT_GE(judged.bound, 8100);
  EXPECT_LE(judged.bound, whole.set.cost_us);
  EXPECT_EQ(judged.proven, judged.bound == whole.set.cost_us);
}

TEST(Reduction, what_is_proven_is_what_the_exact_lane_finds) {
  if (!has_exact_lane()) GTEST_SKIP() << "this build has no CBC";
  const cover_problem p = sparse_problem(2, 150, 100);
  const reduced_set whole = minimal_set(p, {.moves = 1, .exactly = true});
  EXPECT_TRUE(whole.proven);
  EXPECT_EQ(whole.set.cost_us, cheapest_cover(p)->found.cost_us);
  EXPECT_EQ(whole.bound, whole.set.cost_us);
  EXPECT_EQ(sums_of(p, tests_in(p, whole.set.tests)), (sums{whole.set.cost_us, p.total_weight}));
  const reduced_set within = best_within(p, 2000, {.moves = 1, .exactly = true});
  EXPECT_TRUE(within.proven);
  EXPECT_EQ(within.set.covered, largest_cover(p, 2000)->found.covered);
  EXPECT_EQ(within.bound, within.set.covered);
  EXPECT_EQ(sums_of(p, tests_in(p, within.set.tests)), (sums{within.set.cost_us, within.set.covered}));
}

TEST(Reduction, without_a_budget_nothing_is_chosen) {
  const cover_problem p = random_problem(3, 130, 20);
  const reduced_set none = best_within(p, 0);
  EXPECT_EQ(none.set.tests, test_set(3));
  EXPECT_TRUE(none.proven);
  EXPECT_EQ(none.bound, 0);
  EXPECT_FALSE(with_bound(p, 1, none.set).proven);
  EXPECT_TRUE(with_bound(p, 0, none.set).proven);
}

TEST(Reduction, tells_how_far_it_is) {
  const cover_problem p = random_problem(3, 60, 200);
  for (const bool whole : {true, false}) {
    std::vector<std::uint64_t> told;
    search_effort effort{.moves = 1000, .exactly = true, .provable_pairs = 0};
    const auto search = [&] { return whole ? minimal_set(p, effort) : best_within(p, p.total_cost_us / 10, effort); };
    const reduced_set silent = search();
    effort.has_done = [&](std::uint64_t done, std::uint64_t moves) {
      EXPECT_EQ(moves, 1000U);
      told.push_back(done);
    };
    EXPECT_EQ(search().set.tests, silent.set.tests);
    ASSERT_GT(told.size(), 10U);
    EXPECT_TRUE(std::is_sorted(told.begin(), told.end()));
    EXPECT_EQ(told.back(), 1000U);
  }
}

TEST(Reduction, bounds_take_as_many_iterations_as_any_others) {
  const cover_problem p = sparse_problem(9, 300, 200);
  const auto path = greedy_path(p);
  for (const std::int64_t budget : {767, 1823, 6725, 11438}) {
    const cover_bound around(p, path, {.slopes = 2, .around_us = budget});
    EXPECT_EQ(with_bound(p, budget, {}).bound, around.most_within(budget)) << budget;
  }
}

TEST(Reduction, judges_sets_from_elsewhere) {
  const cover_problem p = problem_of({{0}, {}}, {5, 5}, 1);
  const reduced_set whole = with_bound(p, std::nullopt, {{1}, 5, 1}),
                    useless = with_bound(p, std::nullopt, {{2}, 5, 0});
  EXPECT_TRUE(whole.proven);
  EXPECT_EQ(whole.bound, 5);
  EXPECT_FALSE(useless.proven);  // it costs no more, but covers nothing
  EXPECT_TRUE(with_bound(p, 5, {{1}, 5, 1}).proven);
  EXPECT_FALSE(with_bound(p, 5, {{2}, 5, 0}).proven);
  EXPECT_TRUE(with_bound(p, 0, {{0}, 0, 0}).proven);
}

TEST(Reduction, a_hundred_thousand_tests_are_no_others) {
  constexpr std::uint32_t tests = 100'000, requirements = 1000;
  matrix_builder builder({{"code", requirements}});
  for (std::uint32_t t = 0; t < tests; ++t) builder.add_test(1 + t % 97, std::vector<std::uint32_t>{t % requirements});
  const cover_problem p = weigh(std::make_shared<const cover_matrix>(std::move(builder).finish()));
  const search_effort little{.moves = 2, .exactly = true, .provable_pairs = 0};
  const reduced_set cheapest = minimal_set(p, little);
  EXPECT_EQ(cheapest.set.covered, requirements);
  EXPECT_EQ(cheapest.set.cost_us,
            requirements);  // each is covered by a test that costs 1, since 97 and 1000 are coprime
  EXPECT_TRUE(cheapest.proven);
  const reduced_set within = best_within(p, 100, little);
  EXPECT_EQ(within.set.covered, 100);
  EXPECT_GE(within.bound, 100);
}

/// From 50,001 tests on each keeps the random number that it gets: gains have to stay true.
TEST(Reduction, the_search_of_many_tests_stays_true) {
  random_source random(5);
  constexpr std::uint32_t tests = 50'100, requirements = 3000;
  matrix_builder builder({{"code", requirements}});
  for (std::uint32_t t = 0; t < tests; ++t) {
    std::vector<std::uint32_t> covers;
    for (int i = 0; i < 4; ++i) covers.push_back(random.below(requirements));
    std::sort(covers.begin(), covers.end());
    covers.erase(std::unique(covers.begin(), covers.end()), covers.end());
    builder.add_test(1 + random.below(1000), covers);
  }
  const cover_problem p = weigh(std::make_shared<const cover_matrix>(std::move(builder).finish()));
  front_search search(p, {}, 1, 6);
  const std::int64_t greedy_us = search.whole().cost_us;
  search.run(300);
  EXPECT_LT(search.whole().cost_us, greedy_us);
  cover_state again(p);
  for (const front_point& point : search.points()) {
    again.become(point.tests);
    EXPECT_EQ(again.cost_us(), point.cost_us);
    EXPECT_EQ(again.covered(), point.covered);
  }
}

}  // namespace
}  // namespace morph::optimizer
