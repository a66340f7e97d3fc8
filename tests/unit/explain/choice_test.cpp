// Which survivors are meant by a name, and which come first.
#include "plugin/explain/choice.hpp"

#include <gtest/gtest.h>

#include "handmade.hpp"

namespace morph::explain {
namespace {

std::vector<std::string> ids(const report::mutation_result& result, const choice& asked) {
  const auto chosen = choose(result, asked);
  if (!chosen) return {chosen.error()};
  std::vector<std::string> made;
  for (const auto& each : chosen->mutants) made.push_back(change_of(result, each).id);
  return made;
}

using names = std::vector<std::string>;

TEST(Choice, BeginsWithPseudoTestedFunctions) {
  EXPECT_EQ(ids(survivors(), {}), (names{"src/price.cpp:5:17:xt", "src/price.cpp:2:7:ror.1"}));
}

TEST(Choice, TakesPlacesFunctionsAndMutants) {
  const auto result = survivors();
  const names ror{"src/price.cpp:2:7:ror.1"}, body{"src/price.cpp:5:17:xt"};
  EXPECT_EQ(ids(result, {.named = "src/price.cpp:2"}), ror);
  EXPECT_EQ(ids(result, {.named = "src/price.cpp:2:7"}), ror);
  EXPECT_EQ(ids(result, {.named = "src/price.cpp:2:7:ror"}), ror);
  EXPECT_EQ(ids(result, {.named = "src/price.cpp:2:7:ror.1"}), ror);
  EXPECT_EQ(ids(result, {.named = "price"}), ror);
  EXPECT_EQ(ids(result, {.named = "half"}), body);
  EXPECT_EQ(ids(result, {.named = "shop::half(int)"}), body);
  EXPECT_EQ(ids(result, {.named = "src/price.cpp"}).size(), 2U);
}

TEST(Choice, SaysWhyThereIsNothingToExplain) {
  const auto result = survivors();
  EXPECT_EQ(ids(result, {.named = "src/price.cpp:2:7:ror.2"}),
            names{"there is nothing to explain of 'src/price.cpp:2:7:ror.2': killed by Price.OfFew"});
  EXPECT_EQ(
      ids(result, {.named = "src/price.cpp:3"}),
      names{"no test reaches 'src/price.cpp:3'; it needs a first test, which `morph generate --unit src/price.cpp` "
            "can look for"});
  EXPECT_EQ(ids(result, {.named = "halb"}),
            names{"the last `morph mutate` has no mutant, function or place 'halb'; did you mean 'half'?"});
  EXPECT_EQ(ids(result, {.named = "src/price.cpp:99"}).front().substr(0, 47),
            "the last `morph mutate` has no mutant, function");
  EXPECT_EQ(ids(result, {.named = "alf"}).front().find("there is nothing"), std::string::npos);
}

TEST(Choice, OfAChangeIsWhatItsFunctionsHold) {
  const auto result = survivors();
  EXPECT_EQ(ids(result, {.among = mutating::changed_lines{{"src/price.cpp", {{3, 3}}}}}),
            names{"src/price.cpp:2:7:ror.1"});
  EXPECT_TRUE(ids(result, {.among = mutating::changed_lines{{"src/other.cpp", {{3, 3}}}}}).empty());
}

TEST(Choice, LeavesOutWhatIsTooMuch) {
  const auto chosen = choose(survivors(), {.most = 1});
  ASSERT_TRUE(chosen);
  EXPECT_EQ(chosen->mutants.size(), 1U);
  EXPECT_EQ(chosen->left_out, 1U);
}

TEST(Choice, ShowsTheChangeAsMutateDoes) {
  const auto result = survivors();
  const explained_change ror = change_of(result, {0, 0});
  EXPECT_EQ(ror.lines.before, "  if (all > 9) return 1;");
  EXPECT_EQ(ror.lines.after, "  if (all >= 9) return 1;");
  EXPECT_EQ(ror.function, "price(int)");
  EXPECT_EQ(ror.original, "all > 9");
}

}  // namespace
}  // namespace morph::explain
