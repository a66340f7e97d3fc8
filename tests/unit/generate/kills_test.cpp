// What of a mutant a test sees.
#include "plugin/generate/kills.hpp"

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace morph::generate
