// The search, for the branches of a program that the test interprets.
#include "plugin/generate/search.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <set>

#include "lock_program.hpp"
#include "optimizer/pagmo/goal_search.hpp"

namespace morph::generate {
namespace {

using algorithm = search_options::algorithm;

const std::vector<std::uint32_t> all_of_lock{toy::entered,      toy::wrong_key, toy::right_key,
                                             toy::still_closed, toy::opens,     toy::opened};

bool never(const search_row&) {
  return false;
}

search_result searched(toy::lock_program& of, const search_options& options, std::uint64_t seed = 1,
                       const std::vector<objective>& goals = toy::goals_of_lock()) {
  optimizer::random_source random(seed);
  auto found = search(of.offered, of.literals, goals, options, of.evaluates(), never, random, optimizer::search_goals);
  EXPECT_TRUE(found.has_value());
  return found.has_value() ? std::move(*found) : search_result{};
}

std::vector<std::uint32_t> reached(const search_result& of) {
  std::vector<std::uint32_t> made;
  for (const auto& [goal, one] : of.archive) made.push_back(goal);
  return made;
}

std::string text_of(const search_result& of) {
  std::string made;
  for (const search_row& row : of.rows)
    made += fmt::format("{} {} {} {}\n", row.generation, row.sequences, row.reached, row.objectives);
  for (const auto& [goal, one] : of.archive) {
    made += fmt::format("{}:", goal);
    for (const call& each : one.calls) {
      made += fmt::format(" {}(", each.callable);
      for (const argument& a : each.arguments) made += fmt::format(" {}/{}", static_cast<int>(a.kind), a.number);
      made += ")";
    }
    made += '\n';
  }
  return made;
}

/// Sequences until all goals are reached, over some seeds.
std::uint64_t needed(algorithm by, bool tells_operands) {
  std::uint64_t made = 0;
  for (std::uint64_t seed = 1; seed <= 2; ++seed) {
    toy::lock_program program;
    program.tells_operands = tells_operands;
    made += searched(program, {.by = by, .most_sequences = 15000}, seed).sequences;
  }
  return made;
}

TEST(Search, ReachesNestedGoalsByDistancesAlone) {
  toy::lock_program program;
  EXPECT_EQ(reached(searched(program, {.most_sequences = 20000})), all_of_lock);
}

TEST(Search, ByMosaReachesNestedGoals) {
  toy::lock_program program;
  EXPECT_EQ(reached(searched(program, {.by = algorithm::mosa, .most_sequences = 20000})), all_of_lock);
}

TEST(Search, AtRandomReachesWhatOperandsTell) {
  toy::lock_program program;
  program.tells_operands = true;
  EXPECT_TRUE(searched(program, {.by = algorithm::random, .most_sequences = 2000}).archive.contains(toy::right_key));
}

TEST(Search, ByDynaMosaNeedsFewerSequencesThanAtRandomForANestedGoal) {
  EXPECT_LT(needed(algorithm::dyna_mosa, false) * 2, needed(algorithm::random, false));
}

TEST(Search, NeedsFewerSequencesIfOperandsBecomeLiterals) {
  EXPECT_LT(needed(algorithm::dyna_mosa, true) * 4, needed(algorithm::dyna_mosa, false));
}

TEST(Search, TakesOperandsIntoThePoolsOfLiterals) {
  toy::lock_program program;
  program.tells_operands = true;
  searched(program, {.most_sequences = 200});
  const auto& pool = program.literals.role_at(program.offered.callables[toy::press].slots[1].role).pool;
  EXPECT_TRUE(std::ranges::any_of(pool, [&](std::uint32_t each) { return program.literals[each].number == toy::key; }));
}

TEST(Search, ArchivesSequencesThatReachTheirGoals) {
  toy::lock_program program;
  const search_result found = searched(program, {.most_sequences = 20000});
  for (const auto& [goal, one] : found.archive) {
    const outcome again = program.execute(one.calls);
    EXPECT_EQ(std::ranges::count(again.goals, std::pair<std::uint32_t, float>(goal, 0)), 1) << "goal " << goal;
  }
}

TEST(Search, ArchivesTheShortestSequence) {
  toy::lock_program program;
  std::vector<objective> goals = toy::goals_of_lock();
  goals.push_back({});  // which nothing reaches: the search goes on
  const search_result found = searched(program, {.most_sequences = 5000}, 1, goals);
  EXPECT_EQ(found.archive.at(toy::entered).calls.size(), 2U);
  EXPECT_EQ(found.archive.at(toy::wrong_key).calls.size(), 2U);
}

TEST(Search, OfAGoalThatIsNotPossibleIsNone) {
  toy::lock_program program;
  std::vector<objective> goals = toy::goals_of_lock();
  goals[toy::wrong_key].is_possible = false;
  const search_result found = searched(program, {.most_sequences = 20000}, 1, goals);
  EXPECT_FALSE(found.archive.contains(toy::wrong_key));
  EXPECT_TRUE(found.archive.contains(toy::opened));
  EXPECT_LT(found.sequences, 20000U);
}

/// Of a program that reaches these goals and no others, whatever is called.
search_row first_row(algorithm by, const std::vector<std::uint32_t>& reached) {
  toy::lock_program program;
  optimizer::random_source random(1);
  const evaluator same = [&](const std::vector<sequence>& all) -> result<std::vector<outcome>> {
    outcome one;
    for (const std::uint32_t goal : reached) one.goals.emplace_back(goal, 0.0F);
    return std::vector<outcome>(all.size(), one);
  };
  return search(program.offered, program.literals, toy::goals_of_lock(), {.by = by, .most_sequences = 1}, same, never,
                random, optimizer::search_goals)
      ->rows.front();
}

TEST(Search, ByDynaMosaBeginsWithGoalsThatComeAfterNoOther) {
  EXPECT_EQ(first_row(algorithm::dyna_mosa, {}).objectives, 1U);
  EXPECT_EQ(first_row(algorithm::mosa, {}).objectives, all_of_lock.size());
}

TEST(Search, ByDynaMosaGoesOnWithGoalsAfterThoseThatWereReached) {
  EXPECT_EQ(first_row(algorithm::dyna_mosa, {toy::entered}).objectives, 2U);
  EXPECT_EQ(first_row(algorithm::dyna_mosa, {toy::entered, toy::right_key}).objectives, 3U);
  EXPECT_EQ(first_row(algorithm::dyna_mosa, {toy::entered, toy::wrong_key}).objectives, 1U);
}

TEST(Search, FindsACrashOnceForEachPlaceAndSignal) {
  toy::lock_program program;
  const evaluator crashes = [&](const std::vector<sequence>& all) -> result<std::vector<outcome>> {
    std::vector<outcome> made(all.size());
    for (std::size_t i = 0; i < all.size(); ++i)
      made[i] = {.how = morph_outcome_crashed, .code = all[i].size() % 2 == 0 ? 6 : 11, .call = 0};
    return made;
  };
  optimizer::random_source random(1);
  const auto found = search(program.offered, program.literals, toy::goals_of_lock(), {.most_sequences = 500}, crashes,
                            never, random, optimizer::search_goals);
  std::set<std::pair<std::uint32_t, std::int32_t>> places;
  for (const finding& each : found->findings) places.emplace(each.calls.at(0).callable, each.did.code);
  EXPECT_EQ(places.size(), found->findings.size());
  EXPECT_EQ(places, (std::set<std::pair<std::uint32_t, std::int32_t>>{{toy::make_lock, 6}, {toy::make_lock, 11}}));
  EXPECT_EQ(found->crashed, 500U);
  EXPECT_TRUE(found->archive.empty());
}

TEST(Search, CutsASequenceBehindTheCallThatThrew) {
  toy::lock_program program;
  const evaluator throws = [&](const std::vector<sequence>& all) -> result<std::vector<outcome>> {
    return std::vector<outcome>(all.size(), {.how = morph_outcome_threw, .call = 0, .goals = {{0, 0.0F}}});
  };
  optimizer::random_source random(1);
  const auto found = search(program.offered, program.literals, toy::goals_of_lock(), {.most_sequences = 200}, throws,
                            never, random, optimizer::search_goals);
  EXPECT_EQ(found->archive.at(0).calls.size(), 1U);
  EXPECT_EQ(found->threw, found->sequences);
}

TEST(Search, EndsWhenAllPossibleGoalsAreReached) {
  toy::lock_program program;
  const search_result found = searched(program, {.most_sequences = 20000});
  EXPECT_EQ(found.rows.back().reached, all_of_lock.size());
  for (std::size_t i = 0; i + 1 < found.rows.size(); ++i) EXPECT_LT(found.rows[i].reached, all_of_lock.size());
}

TEST(Search, ExecutesNoMoreSequencesThanItMay) {
  toy::lock_program program;
  EXPECT_EQ(searched(program, {.most_sequences = 120}).sequences, 120U);
  EXPECT_EQ(program.evaluated, 120U);
}

TEST(Search, BeginsWithWhatIsKnown) {
  toy::lock_program program;
  const auto pressed = [&](std::uint32_t lock) {
    return call{toy::press,
                {{morph_argument_value, lock},
                 {morph_argument_literal, program.literals.add({.kind = 'i', .number = toy::key})}}};
  };
  const sequence opening{{toy::make_lock, {}}, pressed(0), pressed(0), pressed(0), {toy::open_lock, {{}}}};
  known_inputs known;
  known.first = {opening};
  optimizer::random_source random(1);
  const auto found = search(program.offered, program.literals, toy::goals_of_lock(), {.most_sequences = 50},
                            program.evaluates(), never, random, optimizer::search_goals, &known);
  ASSERT_TRUE(found.has_value());
  EXPECT_TRUE(found->archive.contains(toy::opened));
}

TEST(Search, BreedsFromRecipesAndLearnsWhichOnesFail) {
  toy::lock_program program;
  known_inputs known;
  // One gives a lock whose key was pressed twice, the other one crashes.
  const argument lock{morph_argument_value, 0};
  const argument right{morph_argument_literal, program.literals.add({.kind = 'i', .number = toy::key})};
  known.book.add({{toy::make_lock, {}}, {toy::press, {lock, right}}, {toy::press, {lock, right}}}, program.offered);
  known.book.add({{toy::make_lock, {}}, {toy::kick, {lock}}}, program.offered);
  optimizer::random_source random(1);
  const auto found = search(program.offered, program.literals, toy::goals_of_lock(), {.most_sequences = 3000},
                            program.evaluates(), never, random, optimizer::search_goals, &known);
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ(reached(*found), all_of_lock);
  EXPECT_GT(known.book[0].weight, known.book[1].weight);
  EXPECT_LT(known.book[1].weight, 0.2);
}

TEST(Search, EndsWhenItIsOver) {
  toy::lock_program program;
  optimizer::random_source random(1);
  const auto found = search(
      program.offered, program.literals, toy::goals_of_lock(), {}, program.evaluates(),
      [](const search_row& row) { return row.generation == 2; }, random, optimizer::search_goals);
  EXPECT_EQ(found->rows.size(), 3U);
}

TEST(Search, EndsWithTheErrorOfItsProgram) {
  toy::lock_program program;
  optimizer::random_source random(1);
  const auto found = search(
      program.offered, program.literals, toy::goals_of_lock(), {},
      [](const std::vector<sequence>&) -> result<std::vector<outcome>> {
        return tl::unexpected(std::string("it has gone"));
      },
      never, random,
      [](const auto&... all) -> result<optimizer::found_goals> {
        try {  // as the module does
          return optimizer::search_goals(all...);
        } catch (const std::exception& error) {
          return tl::unexpected(std::string(error.what()));
        }
      });
  ASSERT_FALSE(found.has_value());
  EXPECT_EQ(found.error(), "it has gone");
}

TEST(Search, OfEqualSeedsIsEqual) {
  const auto of_seed = [](algorithm by, std::uint64_t seed) {
    toy::lock_program program;
    return text_of(searched(program, {.by = by, .most_sequences = 2000}, seed));
  };
  for (const algorithm by :
       {algorithm::random, algorithm::novelty, algorithm::whole_suite, algorithm::mosa, algorithm::dyna_mosa}) {
    EXPECT_EQ(of_seed(by, 3), of_seed(by, 3));
    EXPECT_NE(of_seed(by, 3), of_seed(by, 4));
  }
}

}  // namespace
}  // namespace morph::generate
