// What rewritten sources report: the goals of conditions, and how near the branches are that were not taken.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

// Templates compare what the source compared.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wsign-compare"
#pragma GCC diagnostic ignored "-Wconversion"
#include "plugin/runtime/generate/morph_goals.h"

namespace {

constexpr unsigned goals = 16;
float distances[goals];
std::vector<std::pair<std::int64_t, std::int64_t>> numbers;
std::vector<std::pair<double, double>> reals;
std::vector<std::pair<std::string, std::string>> texts;

}  // namespace

float* morph_goal_distances = distances;
void morph_touch_goal(unsigned goal, float distance) {
  distances[goal] = distance;
}
void morph_note_numbers(int64_t left, int64_t right) {
  numbers.emplace_back(left, right);
}
void morph_note_reals(double left, double right) {
  reals.emplace_back(left, right);
}
void morph_note_texts(const char* left, size_t left_size, const char* right, size_t right_size) {
  texts.emplace_back(std::string(left, left_size), std::string(right, right_size));
}
unsigned morph_text_distance(const char*, size_t left, const char*, size_t right) {
  return left == right ? 1 : static_cast<unsigned>(left > right ? left - right : right - left) + 1;
}

namespace morph_goals {
namespace {

constexpr float untouched = 2;

class GoalDistances : public testing::Test {
 protected:
  GoalDistances() { forget(); }
  static void forget() {
    for (float& each : distances) each = untouched;
    numbers.clear();
    reals.clear();
    texts.clear();
  }
  /// Of the outcome that was not taken; the other one is reached.
  static float other(bool is) {
    EXPECT_EQ(distances[is ? 1 : 0], 0);
    const float made = distances[is ? 0 : 1];
    EXPECT_GT(made, 0);
    EXPECT_LE(made, 1);
    forget();
    return made;
  }
};

TEST_F(GoalDistances, OfLessAreTheStepsToEquality) {
  EXPECT_TRUE(less(0, 3, 5));
  EXPECT_FLOAT_EQ(other(true), 2.0F / 3);
  EXPECT_FALSE(less(0, 5, 3));
  EXPECT_FLOAT_EQ(other(false), 3.0F / 4);
  EXPECT_FALSE(less(0, 3, 3));
  EXPECT_FLOAT_EQ(other(false), 1.0F / 2);
}

TEST_F(GoalDistances, OfTheOtherOrdersAreTheirMirrors) {
  EXPECT_TRUE(less_equal(0, 3, 3));
  EXPECT_FLOAT_EQ(other(true), 1.0F / 2);
  EXPECT_FALSE(less_equal(0, 5, 3));
  EXPECT_FLOAT_EQ(other(false), 2.0F / 3);
  EXPECT_TRUE(greater(0, 5, 3));
  EXPECT_FLOAT_EQ(other(true), 2.0F / 3);
  EXPECT_FALSE(greater(0, 3, 3));
  EXPECT_FLOAT_EQ(other(false), 1.0F / 2);
  EXPECT_TRUE(greater_equal(0, 3, 3));
  EXPECT_FLOAT_EQ(other(true), 1.0F / 2);
  EXPECT_FALSE(greater_equal(0, 3, 5));
  EXPECT_FLOAT_EQ(other(false), 2.0F / 3);
}

TEST_F(GoalDistances, OfEqualityAreTheDifference) {
  EXPECT_FALSE(equal(0, 3, 10));
  EXPECT_FLOAT_EQ(other(false), 7.0F / 8);
  EXPECT_TRUE(equal(0, 3, 3));
  EXPECT_FLOAT_EQ(other(true), 1.0F / 2);
  EXPECT_TRUE(not_equal(0, 3, 10));
  EXPECT_FLOAT_EQ(other(true), 7.0F / 8);
  EXPECT_FALSE(not_equal(0, 3, 3));
  EXPECT_FLOAT_EQ(other(false), 1.0F / 2);
}

TEST_F(GoalDistances, AreTheSmallestThatWereSeen) {
  less(0, 9, 3);
  less(0, 4, 3);
  less(0, 8, 3);
  EXPECT_FLOAT_EQ(distances[1], 2.0F / 3);
  EXPECT_EQ(distances[0], 0);
}

TEST_F(GoalDistances, OfBranchesThatWereNotTakenAreNeverZero) {
  const std::int64_t large = std::int64_t{1} << 62;  // one double with its neighbour
  EXPECT_TRUE(less(0, large, large + 1));
  other(true);
  EXPECT_FALSE(less_equal(0, large + 1, large));
  other(false);
  EXPECT_FALSE(equal(0, large, large + 1));
  other(false);
  EXPECT_TRUE(greater(0, 1e-300, 0.0));
  other(true);
  EXPECT_FALSE(equal(0, 1e-300, 0.0));
  other(false);
}

TEST_F(GoalDistances, OfWhatIsNotANumberAreOne) {
  const double none = std::numeric_limits<double>::quiet_NaN();
  EXPECT_FALSE(less(0, none, 1.0));
  EXPECT_EQ(other(false), 1);
  EXPECT_FALSE(equal(0, none, none));
  EXPECT_EQ(other(false), 1);
  EXPECT_TRUE(not_equal(0, none, none));
  EXPECT_EQ(other(true), 1);
}

TEST_F(GoalDistances, OfInfinitiesAreOne) {
  const double endless = std::numeric_limits<double>::infinity();
  EXPECT_FALSE(less(0, endless, 1.0));
  EXPECT_EQ(other(false), 1);
  EXPECT_FALSE(less(0, endless, endless));
  EXPECT_EQ(other(false), 1);
}

TEST_F(GoalDistances, OfNumbersWithoutSignsAreCompared) {
  EXPECT_TRUE(less(0, 3U, 4000000000U));
  EXPECT_EQ(numbers.back(), (std::pair<std::int64_t, std::int64_t>(3, 4000000000)));
  other(true);
  EXPECT_TRUE(greater(0, std::numeric_limits<std::uint64_t>::max(), std::uint64_t{1}));
  other(true);
}

TEST_F(GoalDistances, OfMixedSignsAreComparedAsTheSourceDoes) {
  EXPECT_FALSE(less(0, -1, 1U));
  other(false);
}

TEST_F(GoalDistances, OfEnumeratorsAreThoseOfTheirNumbers) {
  enum class colour { red, green = 5 };
  EXPECT_FALSE(equal(0, colour::red, colour::green));
  EXPECT_EQ(numbers.back(), (std::pair<std::int64_t, std::int64_t>(0, 5)));
  EXPECT_FLOAT_EQ(other(false), 5.0F / 6);
}

TEST_F(GoalDistances, OfRealsAreKeptAsReals) {
  EXPECT_TRUE(less(0, 1.5L, 2.5L));
  EXPECT_EQ(reals.back(), (std::pair<double, double>(1.5, 2.5)));
  EXPECT_FLOAT_EQ(other(true), 1.0F / 2);
  EXPECT_TRUE(less(0, 1, 2.5F));
  EXPECT_EQ(reals.back(), (std::pair<double, double>(1, 2.5)));
  EXPECT_TRUE(numbers.empty());
}

TEST_F(GoalDistances, OfTruthAreAStep) {
  EXPECT_TRUE(is_true(0, true));
  EXPECT_FLOAT_EQ(other(true), 1.0F / 2);
  EXPECT_FALSE(is_true(0, false));
  EXPECT_FLOAT_EQ(other(false), 1.0F / 2);
}

TEST_F(GoalDistances, OfTextsAreThoseOfTheirLetters) {
  EXPECT_FALSE(text_equal(0, std::string("key"), "keys"));
  EXPECT_FLOAT_EQ(other(false), 2.0F / 3);
  EXPECT_TRUE(text_equal(0, "key", std::string_view("key")));
  EXPECT_FLOAT_EQ(other(true), 1.0F / 2);
  EXPECT_TRUE(text_not_equal(0, std::string("key"), std::string("keys")));
  EXPECT_FLOAT_EQ(other(true), 2.0F / 3);
  EXPECT_FALSE(text_not_equal(0, std::string("key"), std::string("key")));
  EXPECT_FLOAT_EQ(other(false), 1.0F / 2);
}

TEST_F(GoalDistances, OfTextsNoteBothOperands) {
  char buffer[8] = "x";
  char* const pointer = buffer;
  EXPECT_TRUE(text_equal(0, std::string("x"), pointer));
  EXPECT_TRUE(text_equal(0, buffer, std::string("x")));
  text_equal(0, std::string("a\0b", 3), "a");
  EXPECT_EQ(texts,
            (std::vector<std::pair<std::string, std::string>>{{"x", "x"}, {"x", "x"}, {std::string("a\0b", 3), "a"}}));
}

TEST_F(GoalDistances, OfAChoiceAreThoseOfItsLabels) {
  EXPECT_EQ((choice<1, 5>(0, 5)), 5);
  EXPECT_FLOAT_EQ(distances[0], 4.0F / 5);
  EXPECT_EQ(distances[1], 0);
  EXPECT_FLOAT_EQ(distances[2], 0.5F);  // no label
}

TEST_F(GoalDistances, OfAChoiceWithoutAFittingLabelReachItsLastGoal) {
  enum class colour { red, green = 7 };
  EXPECT_EQ((choice<1, 5>(0, colour::green)), colour::green);
  EXPECT_FLOAT_EQ(distances[0], 6.0F / 7);
  EXPECT_FLOAT_EQ(distances[1], 2.0F / 3);
  EXPECT_EQ(distances[2], 0);
}

TEST_F(GoalDistances, OfAnEntryAreZero) {
  EXPECT_TRUE(enter(3));
  EXPECT_EQ(distances[3], 0);
}

TEST_F(GoalDistances, AreNotReportedByTheCompiler) {
  static_assert(less(0, 1, 2) && !equal(0, 1, 2) && is_true(0, true) && choice<1, 2>(0, 2) == 2);
  for (const float each : distances) EXPECT_EQ(each, untouched);
}

}  // namespace
}  // namespace morph_goals
