// What of a mutant a test sees.
#include "plugin/generate/kills.hpp"

#include <gtest/gtest.h>

#include <optional>

#include "program/calls.hpp"
#include "tests/unit/temporary_folder.hpp"

namespace morph::generate {
namespace {

outcome passed(std::vector<observation> observed, std::uint32_t calls = 3) {
  return {.call = calls, .observed = std::move(observed)};
}
outcome ended(morph_outcome how, std::uint32_t call, std::vector<observation> observed = {}) {
  return {.how = how, .call = call, .observed = std::move(observed)};
}
outcome threw(std::uint32_t call, std::string exception, std::vector<observation> observed = {}) {
  outcome made = ended(morph_outcome_threw, call, std::move(observed));
  made.exception = std::move(exception);
  return made;
}

const std::vector<observation> values{{1, 0, "i5"}, {2, 0, "sab"}, {3, 0, "b1"}};

/// Calls 0 to 2 are its own; the values of calls 1 and 2, and then what asking for the state gives.
observed_test three_calls() {
  return {.asking = sequence(4), .own = 3, .did = passed(values, 4), .stable = values};
}

using places = std::vector<std::uint32_t>;

TEST(Difference, IsNoneForTheSameValues) {
  const difference found = differing(three_calls(), passed(values), passed(values));
  EXPECT_FALSE(found.anyway);
  EXPECT_EQ(found.values, places{});
}

TEST(Difference, IsInValues) {
  const difference found =
      differing(three_calls(), passed(values), passed({{1, 0, "i5"}, {2, 0, "sabc"}, {3, 0, "b0"}}));
  EXPECT_FALSE(found.anyway);
  EXPECT_EQ(found.values, (places{1, 2}));
}

TEST(Difference, IsANullPointer) {
  observed_test of = three_calls();
  of.stable = {{1, 0, "p"}};
  EXPECT_EQ(differing(of, passed({{1, 0, "p"}}), passed({{1, 0, "k0"}, {1, 0, "n"}})).values, places{0});
}

TEST(Difference, NeedsNoAssertionWhereATestEndsOtherwise) {
  for (const morph_outcome how : {morph_outcome_crashed, morph_outcome_hung, morph_outcome_ended})
    EXPECT_TRUE(differing(three_calls(), passed(values), ended(how, 2)).anyway);
  EXPECT_TRUE(differing(three_calls(), passed(values), threw(0, "std::logic_error")).anyway);
}

TEST(Difference, NeedsTheQuestionThatItEndsIn) {
  const difference found = differing(three_calls(), passed(values), ended(morph_outcome_crashed, 3));
  EXPECT_FALSE(found.anyway);
  EXPECT_EQ(found.values, places{2});
}

TEST(Difference, IsAnotherException) {
  observed_test of = three_calls();
  of.did = threw(2, "std::out_of_range");
  EXPECT_FALSE(differing(of, of.did, threw(2, "std::out_of_range")).anyway);
  EXPECT_TRUE(differing(of, of.did, threw(2, "std::bad_alloc")).anyway);
  EXPECT_TRUE(differing(of, of.did, threw(1, "std::out_of_range")).anyway);
  EXPECT_TRUE(differing(of, of.did, passed(values)).anyway);
  // That a test cannot name.
  of.did.exception = "(anonymous namespace)::error";
  EXPECT_FALSE(differing(of, of.did, threw(2, "std::bad_alloc")).anyway);
}

TEST(Difference, IsUnknownWhereAnObjectIsMissing) {
  const difference found = differing(three_calls(), passed(values), ended(morph_outcome_no_value, 2, {{1, 0, "i5"}}));
  EXPECT_FALSE(found.anyway);
  EXPECT_EQ(found.values, places{});
  EXPECT_EQ(differing(three_calls(), passed(values), ended(morph_outcome_no_value, 2, {{1, 0, "i6"}})).values,
            places{0});
}

TEST(Difference, IsNotInWhatTheRewrittenOriginalSeesOtherwise) {
  EXPECT_EQ(differing(three_calls(), passed({{1, 0, "i6"}}), passed({{1, 0, "i7"}})).values, places{});
}

/// Of the program of calls: `>=` and `<` for `>`, a crash, an endless loop, and one that nothing reaches.
const std::vector<unit_mutant> mutants{{.on = {1, 0, 1, 0}, .is_compared = true},
                                       {.on = {1, 0, 2, 0}, .is_compared = true},
                                       {.on = {2, 0, 1, 0}},
                                       {.on = {3, 0, 1, 0}},
                                       {.on = {9, 0, 1, 0}}};
const std::vector<std::uint32_t> all_mutants{0, 1, 2, 3, 4};

class MutantJudge : public ::testing::Test {
 protected:
  MutantJudge() {
    auto started = served_program::start(MORPH_GENERATE_CALLS, folder_.path());
    if (started)
      program_.emplace(std::move(*started));
    else
      ADD_FAILURE() << started.error();
  }

  observed_test larger_than_ten(std::int64_t number) {
    const std::uint32_t literal = literals_.add({.kind = 'i', .number = number});
    observed_test made{.asking = {{larger, {{morph_argument_literal, literal}}}}, .own = 1};
    made.stable = {{0, 0, "b0"}};
    return made;
  }

  test_support::temporary_folder folder_;
  literal_table literals_;
  std::optional<served_program> program_;
};

TEST_F(MutantJudge, SaysWhichValuesKillWhat) {
  const std::vector<observed_test> tests{larger_than_ten(10), larger_than_ten(8)};
  mutant_judge judge(mutants, *program_, literals_, [](std::uint64_t) { return 0.0; });
  const auto rows = judge.judge(tests, all_mutants);
  ASSERT_TRUE(rows.has_value());
  EXPECT_EQ((*rows)[0].kills, (places{2, 3}));
  EXPECT_EQ((*rows)[0].values, std::vector<places>{{0}});
  EXPECT_EQ((*rows)[1].kills, places{});
  EXPECT_EQ((*rows)[1].values, std::vector<places>{{1}});
  EXPECT_EQ(judge.reached(), 4U);
  EXPECT_EQ(judge.not_judged(), 0U);
}

TEST_F(MutantJudge, SaysWhatItDidNotJudgeInTime) {
  mutant_judge judge(mutants, *program_, literals_, [](std::uint64_t runs) { return runs > 0 ? 1.0 : 0.0; });
  const auto rows = judge.judge({larger_than_ten(10)}, all_mutants);
  ASSERT_TRUE(rows.has_value());
  EXPECT_EQ((*rows)[0].values, std::vector<places>{{}});
  EXPECT_EQ(judge.not_judged(), 3U);
}

TEST_F(MutantJudge, TakesMutantsForGoals) {
  mutant_judge judge(mutants, *program_, literals_, [](std::uint64_t) { return 0.0; });
  const auto made = judge.goals_of({larger_than_ten(10), larger_than_ten(8)}, places{0, 1});
  ASSERT_TRUE(made.has_value());
  EXPECT_EQ((*made)[0].goals, (std::vector<std::pair<std::uint32_t, float>>{{0, 0.0F}}));
  EXPECT_EQ((*made)[1].goals, (std::vector<std::pair<std::uint32_t, float>>{{1, 0.0F}}));
}

}  // namespace
}  // namespace morph::generate
