// Sequences and literals after minimization, for a program that the test interprets.
#include "plugin/generate/minimize.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "lock_program.hpp"

namespace morph::generate {
namespace {

class Minimize : public testing::Test {
 protected:
  call pressed(std::uint32_t lock, std::int64_t number) {
    return {toy::press,
            {{morph_argument_value, lock},
             {morph_argument_literal, program_.literals.add({.kind = 'i', .number = number})}}};
  }
  static call with(std::uint32_t callable, std::uint32_t lock) { return {callable, {{morph_argument_value, lock}}}; }

  void archive(std::uint32_t goal, const sequence& calls) { found_.archive[goal] = {calls, program_.execute(calls)}; }

  std::vector<kept_test> kept() {
    auto made = minimized(found_, program_.offered, program_.literals, program_.evaluates());
    EXPECT_TRUE(made.has_value());
    return made.has_value() ? std::move(*made) : std::vector<kept_test>{};
  }
  std::int64_t literal_of(const call& of) const { return program_.literals[of.arguments.back().number].number; }

  toy::lock_program program_;
  search_result found_;
  const call new_lock_{toy::make_lock, {}};
};

TEST_F(Minimize, LeavesOutCallsThatNoGoalNeeds) {
  archive(toy::opens, {new_lock_, new_lock_, pressed(0, 5), pressed(1, toy::key), pressed(1, toy::key),
                       with(toy::open_lock, 0), pressed(1, toy::key)});
  const auto tests = kept();
  ASSERT_EQ(tests.size(), 1U);
  // The false branches are goals of it too: one wrong key stays.
  EXPECT_EQ(tests[0].one.calls.size(), 6U);
  EXPECT_TRUE(is_ordered(tests[0].one.calls));
  for (const call& each : tests[0].one.calls) EXPECT_NE(each.callable, toy::open_lock);
}

TEST_F(Minimize, KeepsTheGoalsOfTheArchive) {
  archive(toy::wrong_key, {new_lock_, pressed(0, 3), pressed(0, 4)});
  archive(toy::opened,
          {new_lock_, pressed(0, toy::key), pressed(0, toy::key), pressed(0, toy::key), with(toy::open_lock, 0)});
  std::set<std::uint32_t> goals;
  for (const kept_test& each : kept())
    for (const auto& [goal, distance] : program_.execute(each.one.calls).goals)
      if (distance == 0) goals.insert(goal);
  EXPECT_EQ(goals, (std::set<std::uint32_t>{toy::entered, toy::wrong_key, toy::right_key, toy::still_closed, toy::opens,
                                            toy::opened}));
}

TEST_F(Minimize, LeavesOutSequencesWhoseGoalsOthersReach) {
  archive(toy::entered, {new_lock_, pressed(0, 9)});
  archive(toy::wrong_key, {new_lock_, pressed(0, 8)});
  EXPECT_EQ(kept().size(), 1U);
}

TEST_F(Minimize, NamesEachGoalInOneTest) {
  archive(toy::wrong_key, {new_lock_, pressed(0, 9)});
  archive(toy::right_key, {new_lock_, pressed(0, toy::key)});
  std::vector<std::uint32_t> goals;
  for (const kept_test& each : kept()) goals.insert(goals.end(), each.goals.begin(), each.goals.end());
  std::ranges::sort(goals);
  EXPECT_EQ(goals, (std::vector<std::uint32_t>{toy::entered, toy::wrong_key, toy::right_key, toy::still_closed}));
}

TEST_F(Minimize, MakesNumbersPlainerWhereGoalsAllow) {
  archive(toy::wrong_key, {new_lock_, pressed(0, 98765)});
  EXPECT_EQ(literal_of(kept().at(0).one.calls.at(1)), 0);
}

TEST_F(Minimize, KeepsNumbersThatGoalsNeed) {
  archive(toy::right_key, {new_lock_, pressed(0, toy::key)});
  EXPECT_EQ(literal_of(kept().at(0).one.calls.at(1)), toy::key);
}

TEST_F(Minimize, LeavesAPlainNumber) {
  archive(toy::wrong_key, {new_lock_, pressed(0, 0)});
  EXPECT_EQ(literal_of(kept().at(0).one.calls.at(1)), 0);
}

TEST_F(Minimize, KeepsThatATestThrows) {
  const std::uint32_t nine = program_.literals.add({.kind = 'i', .number = 9});
  archive(toy::wrong_key,
          {new_lock_, pressed(0, 5), {toy::jam, {{morph_argument_value, 0}, {morph_argument_literal, nine}}}});
  const auto tests = kept();
  ASSERT_EQ(tests.size(), 1U);
  EXPECT_EQ(tests[0].one.did.how, morph_outcome_threw);
  EXPECT_EQ(tests[0].one.calls.back().callable, toy::jam);
  EXPECT_EQ(literal_of(tests[0].one.calls.back()), 1);
}

TEST_F(Minimize, LeavesOutASequenceThatEndsOtherwiseInAProcessOfItsOwn) {
  archive(toy::entered, {new_lock_, pressed(0, 5), with(toy::kick, 0)});
  EXPECT_TRUE(kept().empty());
}

TEST_F(Minimize, CutsAFindingToTheCallsThatItNeeds) {
  const sequence calls{
      new_lock_, new_lock_, pressed(0, 1), pressed(1, toy::key), with(toy::kick, 1), with(toy::open_lock, 1)};
  const auto made = minimized_finding({calls, program_.execute(calls)}, program_.evaluates());
  ASSERT_TRUE(made.has_value());
  EXPECT_EQ(made->calls, (sequence{new_lock_, pressed(0, toy::key), with(toy::kick, 0)}));
  EXPECT_EQ(made->did.code, 6);
}

TEST_F(Minimize, DropsAFindingThatDoesNotHappenAgain) {
  const finding once{{new_lock_, with(toy::open_lock, 0)}, {.how = morph_outcome_crashed, .code = 11, .call = 1}};
  EXPECT_TRUE(minimized_finding(once, program_.evaluates())->calls.empty());
}

/// One callable with one slot of this role, whatever is passed reaches its goal if `holds` says so.
literal plainest(role of, const literal& from, const std::function<bool(const literal&)>& holds) {
  literal_table literals;
  api by;
  by.callables = {{.slots = {{.from = slot::source::literal, .role = literals.add_role(std::move(of))}}}};
  const evaluator evaluate = [&](const std::vector<sequence>& all) -> result<std::vector<outcome>> {
    std::vector<outcome> made(all.size());
    for (std::size_t i = 0; i < all.size(); ++i)
      made[i].goals = {{0, holds(literals[all[i].at(0).arguments.at(0).number]) ? 0.0F : 0.5F}};
    return made;
  };
  search_result found;
  found.archive[0].calls = {{0, {{morph_argument_literal, literals.add(from)}}}};
  const auto made = minimized(found, by, literals, evaluate);
  return literals[made->at(0).one.calls.at(0).arguments.at(0).number];
}

bool always(const literal&) {
  return true;
}

TEST(MinimizedLiterals, OfTextsAreTheLettersThatGoalsNeed) {
  EXPECT_EQ(plainest({.kind = 's'}, {.kind = 's', .text = "some <b>old</b> text"},
                     [](const literal& of) {
                       return of.text.find('<') < of.text.find('>') && of.text.find('>') != std::string::npos;
                     })
                .text,
            "<>");
  EXPECT_EQ(plainest({.kind = 's'}, {.kind = 's', .text = "abc"}, always).text, "");
}

TEST(MinimizedLiterals, OfRealsAreZeroAtBest) {
  EXPECT_EQ(plainest({.kind = 'd'}, {.kind = 'd', .real = 3.7}, always).real, 0);
  EXPECT_EQ(plainest({.kind = 'd'}, {.kind = 'd', .real = 0}, always).real, 0);
}

TEST(MinimizedLiterals, OfNumbersStayWithinTheirRole) {
  EXPECT_EQ(plainest({.kind = 'i', .least = 1, .most = 100}, {.kind = 'i', .number = 77}, always).number, 1);
  EXPECT_EQ(plainest({.kind = 'i', .least = 2, .most = 9, .values = {2, 9}}, {.kind = 'i', .number = 9}, always).number,
            2);
}

TEST(MinimizedLiterals, OfListsAreEmptyAtBest) {
  EXPECT_TRUE(plainest({.kind = 'l', .elements = {0}}, {.kind = 'l', .elements = {0, 0}}, always).elements.empty());
}

TEST(MinimizedLiterals, OfListsAreTheElementsThatGoalsNeed) {
  const auto has_7 = [](const literal& of) { return std::ranges::find(of.elements, 7U) != of.elements.end(); };
  EXPECT_EQ(plainest({.kind = 'l', .elements = {0}}, {.kind = 'l', .elements = {5, 7, 9}}, has_7).elements,
            std::vector<std::uint32_t>{7});
}

}  // namespace
}  // namespace morph::generate
