// Constants in the texts of conditions.
#include "plugin/source_reader/constants.hpp"

#include <gtest/gtest.h>

namespace morph::source_reader {
namespace {

std::vector<std::int64_t> numbers_in(const std::string& condition) {
  std::vector<std::int64_t> made;
  for (const constant& each : constants_in(condition))
    if (each.is == constant::kind::number) made.push_back(each.number);
  return made;
}

std::vector<std::string> texts_in(const std::string& condition) {
  std::vector<std::string> made;
  for (const constant& each : constants_in(condition))
    if (each.is == constant::kind::text) made.push_back(each.text);
  return made;
}

TEST(Constants, ReadsWholeNumbersOfAllBases) {
  EXPECT_EQ(numbers_in("a < 10 && b == 0x1F || c > 1'000u"), (std::vector<std::int64_t>{10, 31, 1000}));
}

TEST(Constants, TakesNoNumbersOutOfNamesOrRealNumbers) {
  EXPECT_EQ(numbers_in("x2 == utf8_ || r < 2.5 || r > 1e9 || of[3]"), (std::vector<std::int64_t>{3}));
}

TEST(Constants, LeavesOutNumbersThatDoNotFit) {
  EXPECT_TRUE(numbers_in("n > 99999999999999999999").empty());
}

TEST(Constants, ReadsTextsAndCharacters) {
  EXPECT_EQ(texts_in("name == \"a b\" || name == \"\""), (std::vector<std::string>{"a b", ""}));
  EXPECT_EQ(constants_in("c == 'x'"), (std::vector<constant>{{constant::kind::character, 'x', {}}}));
}

TEST(Constants, GoesOnBehindEscapes) {
  EXPECT_EQ(texts_in(R"(a == "q\"5" || a == '\\' || a == "7")"), (std::vector<std::string>{"7"}));
  EXPECT_TRUE(numbers_in(R"(a == "q\"5")").empty());
}

TEST(Constants, StopsWhereALiteralDoesNotEnd) {
  EXPECT_EQ(numbers_in("a == 4 && b == \"5"), (std::vector<std::int64_t>{4}));
}

}  // namespace
}  // namespace morph::source_reader
