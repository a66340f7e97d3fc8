// Under which condition mutants differ, and what tests have not given.
#include "plugin/explain/missing_value.hpp"

#include <gtest/gtest.h>

namespace morph::explain {
namespace {

TEST(MissingValue, OfComparisonsIsWhereTheyDisagree) {
  EXPECT_EQ(condition_of_difference("all > many", "all >= many"), "`all` equal to `many`");
  EXPECT_EQ(condition_of_difference("all > many", "all < many"), "`all` different from `many`");
  EXPECT_EQ(condition_of_difference("a == b", "a <= b"), "`a` less than `b`");
  EXPECT_EQ(condition_of_difference("a != b", "a < b"), "`a` greater than `b`");
  EXPECT_EQ(condition_of_difference("a < b", "true"), "`a` not less than `b`");
  EXPECT_EQ(condition_of_difference("a < b", "false"), "`a` less than `b`");
  EXPECT_EQ(condition_of_difference("f(x, y) < size - 1", "f(x, y) <= size - 1"), "`f(x, y)` equal to `size - 1`");
}

TEST(MissingValue, OfLogicIsWhichSideAlone) {
  EXPECT_EQ(condition_of_difference("a && b", "a || b"), "one of `a` and `b` true and the other one false");
  EXPECT_EQ(condition_of_difference("a && b", "a"), "`a` true and `b` false");
  EXPECT_EQ(condition_of_difference("a || b", "a"), "`b` true and `a` false");
  EXPECT_EQ(condition_of_difference("a < 3 || b", "false"), "`a < 3` or `b` true");
  EXPECT_EQ(condition_of_difference("a && b", "true"), "`a` or `b` false");
}

TEST(MissingValue, OfSumsIsAnythingButZero) {
  EXPECT_EQ(condition_of_difference("a + b", "a - b"), "`b` different from 0");
  EXPECT_EQ(condition_of_difference("a + b", "b"), "`a` different from 0");
  EXPECT_EQ(condition_of_difference("a - b", "a"), "`b` different from 0");
  EXPECT_EQ(condition_of_difference("price", "-price"), "`price` different from 0");
}

TEST(MissingValue, SaysNothingOfWhatItCannotTell) {
  EXPECT_EQ(condition_of_difference("a * b", "a / b"), "");
  EXPECT_EQ(condition_of_difference("f(a)", "f(a) + 1"), "");
  EXPECT_EQ(condition_of_difference("max<int>(a, b)", "true"), "");
  EXPECT_EQ(condition_of_difference("a * -b", "a"), "");
  EXPECT_EQ(condition_of_difference("\"a < b\"", "true"), "");
  EXPECT_EQ(condition_of_difference("a > b", "c >= b"), "");
}

TEST(MissingValue, ReadsOperandsWithTextsAndScopes) {
  const seen_operand of = operand_of("shop::name: \"a, b\", \"c\", f(1, 2)");
  EXPECT_EQ(of.name, "shop::name");
  EXPECT_EQ(of.values, (std::vector<std::string>{"\"a, b\"", "\"c\"", "f(1, 2)"}));
  EXPECT_TRUE(operand_of("many").values.empty());
}

explained_change changed(report::mutant_kind kind, const std::string& original, const std::string& replacement) {
  return {.kind = kind, .original = original, .replacement = replacement, .value = report::difference::none};
}

TEST(MissingValue, IsASentenceWithWhatWasSeen) {
  EXPECT_EQ(missing_value(changed(report::mutant_kind::expression, "n > 10", "n >= 10"), {"n: 1, 2"}, 14),
            "No call had `n` equal to `10` (`n` was 1 and 2 in all 14 calls); a test with such a call is missing.");
  EXPECT_EQ(
      missing_value(changed(report::mutant_kind::body, "{", "return true;"), {}, 1),
      "The result was `true` in the only call, as it is without the body; a call with another result is missing.");
  EXPECT_EQ(missing_value(changed(report::mutant_kind::body, "{", "return;"), {}, 3),
            "The function changed nothing that its caller can see in all 3 calls; a call that changes something is "
            "missing.");
  EXPECT_EQ(
      missing_value(changed(report::mutant_kind::statement, "++n;", ""), {}, 3),
      "The statement changed nothing that its caller can see in all 3 calls; a call in which it does is missing.");
  explained_change quotient = changed(report::mutant_kind::expression, "a * b", "a / b");
  EXPECT_EQ(missing_value(quotient, {"b: 1"}, 2),
            "Each call ends the same with `a / b` in place of `a * b` (`b` was 1 in all 2 calls); a call in which they "
            "differ is missing.");
  quotient.value = report::difference::seen;
  quotient.infected = 3;
  EXPECT_EQ(missing_value(quotient, {}, 2),
            "Each call ends the same with `a / b` in place of `a * b`, which differs in 3 tests; a call in which that "
            "matters is missing.");
  explained_change constant = changed(report::mutant_kind::expression, "10", "11");
  constant.value = report::difference::seen;
  EXPECT_EQ(
      missing_value(constant, {"n: 1"}, 2),
      "Each call ends the same with `11` in place of `10` (`n` was 1 in all 2 calls); a call in which that matters is "
      "missing.");
  explained_change sum = changed(report::mutant_kind::expression, "a + b", "a - b");
  sum.value = report::difference::unknown;
  EXPECT_EQ(missing_value(sum, {}, 2),
            "It shows only with `b` different from 0; a test with such a call, in which that matters, is missing.");
}

}  // namespace
}  // namespace morph::explain
