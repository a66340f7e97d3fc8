// Searches for goals as algorithms of pagmo's, on locks with four wheels.
#include "optimizer/pagmo/goal_search.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <map>
#include <pagmo/algorithm.hpp>
#include <pagmo/problems/zdt.hpp>
#include <set>

#include "tests/unit/optimizer/thrown.hpp"

namespace morph::optimizer {
namespace {

using algorithm = goal_search_options::algorithm;
using wheels = std::array<int, 4>;

constexpr wheels secret{17, 42, 5, 60};
constexpr std::uint32_t both = 4, never = 5;  // the first two wheels in one candidate; nothing
constexpr int positions = 64;

/// Wheels at positions. Each that is right is a goal.
struct locks {
  random_source random;
  std::map<std::uint32_t, std::pair<wheels, goal_distances>> all{};
  std::vector<wheels> proposed{}, known{};
  std::uint32_t last = 0, executed = 0;
  std::uint32_t broken = 0;  // of the executed ones the first so many break
  std::size_t next_known = 0, most_at_once = 0;

  explicit locks(std::uint64_t seed = 1) : random(seed) {}

  static goal_distances distances_of(const wheels& of) {
    goal_distances made;
    for (std::uint32_t i = 0; i < of.size(); ++i) {
      const auto off = static_cast<float>(std::abs(of[i] - secret[i]));
      made.emplace_back(i, off / (off + 1));
    }
    made.emplace_back(both, (made[0].second + made[1].second) / 2);
    return made;
  }

  executed_candidate candidate(std::uint32_t number) const {
    const auto at = all.find(number);
    return at == all.end()
               ? executed_candidate{}
               : executed_candidate{number, 1U + (static_cast<unsigned>(at->second.first[3]) & 3U), &at->second.second};
  }

  goal_ground ground(bool with_the_impossible = true) {
    goal_ground made;
    made.goals.resize(with_the_impossible ? 6 : 5);
    made.goals[both].after = {0};
    made.random = &random;
    made.propose_known = [this] {
      if (next_known >= known.size()) return false;
      proposed.push_back(known[next_known++]);
      return true;
    };
    made.propose_random = [this] {
      proposed.emplace_back();
      for (int& each : proposed.back()) each = static_cast<int>(random.below(positions));
    };
    made.propose_child = [this](const candidate_parents& of) {
      wheels child = all.at(of.first).first;
      if (of.second)
        for (std::size_t i = random.below(4); i < child.size(); ++i) child[i] = all.at(*of.second).first[i];
      if (of.is_mutated) child[random.below(4)] += random.below(2) == 0 ? 1 : -1;
      proposed.push_back(child);
    };
    made.execute = [this](const auto& take) {
      most_at_once = std::max(most_at_once, proposed.size());
      for (std::size_t i = 0; i < proposed.size(); ++i) {
        ++executed;
        if (proposed[i][3] == 0 || executed <= broken) continue;  // the lock breaks
        all[++last] = {proposed[i], distances_of(proposed[i])};
        executed_candidate one = candidate(last);
        one.proposal = i;
        take(one);
      }
      proposed.clear();
    };
    made.candidate = [this](std::uint32_t number) { return candidate(number); };
    made.forget = [this](std::uint32_t number) { EXPECT_EQ(all.erase(number), 1U) << number; };
    return made;
  }
};

std::string name_of(algorithm by) {
  return named_goal_searches[static_cast<std::size_t>(by)].first;
}

TEST(GoalSearch, names_are_in_the_order_of_the_algorithms) {
  for (std::size_t i = 0; i < std::size(named_goal_searches); ++i)
    EXPECT_EQ(static_cast<std::size_t>(named_goal_searches[i].second), i);
}

TEST(GoalSearch, by_distances_reaches_all_goals) {
  for (const algorithm by : {algorithm::whole_suite, algorithm::mosa, algorithm::dyna_mosa}) {
    locks on;
    const found_goals found = search_goals(on.ground(false), {.by = by, .most_sequences = 30000}, {});
    EXPECT_EQ(found.archive.size(), 5U) << name_of(by);
    EXPECT_LT(on.executed, 30000U) << name_of(by);
  }
}

TEST(GoalSearch, without_distances_needs_more) {
  for (const algorithm by : {algorithm::random, algorithm::novelty}) {
    locks on, with_distances;
    search_goals(on.ground(false), {.by = by, .most_sequences = 30000}, {});
    search_goals(with_distances.ground(false), {.most_sequences = 30000}, {});
    EXPECT_GT(on.executed, with_distances.executed) << name_of(by);
  }
}

TEST(GoalSearch, equal_seeds_give_equal_logs_and_archives) {
  for (const auto& [name, by] : named_goal_searches) {
    locks one(3), other(3), another(4);
    const goal_search_options how{.by = by, .most_sequences = 3000};
    const found_goals first = search_goals(one.ground(), how, {});
    const found_goals second = search_goals(other.ground(), how, {});
    EXPECT_EQ(first.log, second.log) << name;
    EXPECT_EQ(first.archive, second.archive) << name;
    EXPECT_EQ(first.population, second.population) << name;
    EXPECT_NE(search_goals(another.ground(), how, {}).population, first.population) << name;
  }
}

TEST(GoalSearch, executes_no_more_than_it_may) {
  for (const auto& [name, by] : named_goal_searches) {
    locks on;
    const found_goals found = search_goals(on.ground(), {.by = by, .most_sequences = 1234}, {});
    EXPECT_EQ(on.executed, 1234U) << name;
    EXPECT_EQ(found.log.back().sequences, 1234U) << name;
  }
}

TEST(GoalSearch, forgets_what_it_does_not_keep) {
  for (const auto& [name, by] : named_goal_searches) {
    locks on;
    const found_goals found = search_goals(on.ground(), {.by = by, .most_sequences = 5000}, {});
    std::set<std::uint32_t> kept(found.population.begin(), found.population.end());
    for (const auto& [goal, number] : found.archive) kept.insert(number);
    std::set<std::uint32_t> left;
    for (const auto& [number, one] : on.all) left.insert(number);
    EXPECT_EQ(left, kept) << name;
  }
}

TEST(GoalSearch, begins_with_what_is_known) {
  for (const auto& [name, by] : named_goal_searches) {
    locks on;
    on.known.assign(120, wheels{1, 1, 1, 1});
    on.known.back() = secret;
    const found_goals found = search_goals(on.ground(false), {.by = by, .most_sequences = 800}, {});
    EXPECT_EQ(found.archive.size(), 5U) << name;
    EXPECT_EQ(on.next_known, 120U) << name;
  }
}

TEST(GoalSearch, of_suites_executes_those_of_a_generation_together) {
  locks on;
  const found_goals found = search_goals(on.ground(), {.by = algorithm::whole_suite, .most_sequences = 5000}, {});
  EXPECT_GT(on.most_at_once, 40U);
  EXPECT_LT(found.log.size(), 150U);
}

TEST(GoalSearch, begins_where_nothing_survives_at_first) {
  for (const auto& [name, by] : named_goal_searches) {
    locks on;
    on.broken = 600;
    EXPECT_FALSE(search_goals(on.ground(), {.by = by, .most_sequences = 3000}, {}).population.empty()) << name;
  }
}

TEST(GoalSearch, as_an_algorithm_has_a_row_for_each_generation) {
  locks on;
  const goal_problem problem(std::make_shared<const goal_ground>(on.ground()), 1);
  pagmo::algorithm search{goal_search_uda({.most_sequences = 500})};
  EXPECT_EQ(search.get_name(), "search for goals: dynamosa");
  EXPECT_EQ(search.get_extra_info(), "\tPopulation: 50\n\tCrossover rate: 0.750000\n\tSequences at most: 500");
  const pagmo::population found = search.evolve(pagmo::population{pagmo::problem(problem), 0, 1});
  const auto& log = search.extract<goal_search_uda>()->get_log();
  ASSERT_EQ(log.size(), 10U);
  EXPECT_EQ(log[0].objectives + log[0].reached, 5U);  // all but the one that comes after another
  for (std::size_t i = 0; i < log.size(); ++i) {
    EXPECT_EQ(log[i].generation, i);
    EXPECT_EQ(log[i].sequences, 50 * (i + 1));
  }
  EXPECT_EQ(found.size(), 50U);
  EXPECT_EQ(found.get_problem().get_nobj(), 6U);
}

TEST(GoalSearch, goes_on_from_a_population) {
  locks on;
  const goal_problem problem(std::make_shared<const goal_ground>(on.ground()), 1);
  const pagmo::algorithm search{goal_search_uda({.most_sequences = 2000})};
  pagmo::population found = search.evolve(pagmo::population{pagmo::problem(problem), 0, 1});
  for (const auto& [goal, number] : search.extract<goal_search_uda>()->archive())
    found.push_back(problem.vector_of({number}));
  std::set<std::size_t> reached;
  for (const pagmo::vector_double& distances : found.get_f())
    for (std::size_t goal = 0; goal < distances.size(); ++goal)
      if (distances[goal] == 0) reached.insert(goal);
  EXPECT_GT(reached.size(), 1U);
  on.broken = on.executed + 1;
  const pagmo::algorithm further{goal_search_uda({.most_sequences = 1})};
  further.evolve(found);
  EXPECT_EQ(further.extract<goal_search_uda>()->get_log().front().reached, reached.size());
}

TEST(GoalSearch, fitness_is_the_distance_of_the_nearest_candidate) {
  locks on;
  on.all[1] = {{17, 40, 1, 1}, locks::distances_of({17, 40, 1, 1})};
  on.all[2] = {{16, 42, 1, 1}, locks::distances_of({16, 42, 1, 1})};
  const goal_problem problem(std::make_shared<const goal_ground>(on.ground()), 3);
  const auto one = problem.fitness(problem.vector_of({1})), suite = problem.fitness(problem.vector_of({1, 2}));
  EXPECT_EQ(one[0], 0);
  EXPECT_FLOAT_EQ(static_cast<float>(one[1]), 2.0F / 3);
  EXPECT_EQ(suite[1], 0);
  EXPECT_EQ(suite[never], static_cast<double>(untouched_goal));
  EXPECT_EQ(problem.candidates_of(problem.vector_of({2, 1})), (std::vector<std::uint32_t>{2, 1}));
}

TEST(GoalSearch, says_what_is_wrong) {
  const auto made = [](goal_search_options how) { return message_of([&] { goal_search_uda one(how); }); };
  EXPECT_EQ(made({.by = static_cast<algorithm>(9)}), "the algorithm 9 is unknown; there are 5, from 0 on");
  EXPECT_EQ(made({.population = 1}), "the population is 1; it has to be 2 or more");
  EXPECT_EQ(made({.population = 60, .most_population = 50}), "the population is 60 and may be 50 at most");
  EXPECT_EQ(made({.crossover_rate = 1.5}), "a rate is 1.500000; it has to be between 0 and 1");
  locks on;
  EXPECT_EQ(message_of([&] { search_goals(on.ground(), {}, {}); }),
            "the search has no end: give it a number of sequences");
  EXPECT_EQ(message_of([] {
              goal_search_uda({.most_sequences = 1}).evolve(pagmo::population{pagmo::zdt(1, 4), 5});
            }),
            "the problem 'ZDT1' is not one of which sequences reach the goals");
}

TEST(GoalSearch, ends_with_what_its_ground_throws) {
  locks on;
  goal_ground broken = on.ground();
  broken.execute = [](const auto&) { throw std::runtime_error("it has gone"); };
  EXPECT_EQ(message_of([&] { search_goals(broken, {.most_sequences = 9}, {}); }), "it has gone");
}

}  // namespace
}  // namespace morph::optimizer
