// Tests of one build of a program in another build of it.
#include <gtest/gtest.h>

#include "coverage/mutation/judge.hpp"

namespace morph::mutation {
namespace {

using numbers = std::vector<std::optional<std::uint32_t>>;

program_baseline baseline_of(const std::vector<std::string>& names) {
  program_baseline made;
  for (const std::string& each : names) made.tests.push_back({.name = each, .reached = {}});
  return made;
}

TEST(NumbersOfTests, GoByNames) {
  EXPECT_EQ(numbers_in({"b", "a", "c"}, baseline_of({"a", "b", "c"})), (numbers{1, 0, 2}));
}

TEST(NumbersOfTests, KeepTheOrderOfEqualNames) {
  EXPECT_EQ(numbers_in({"a", "b", "a"}, baseline_of({"a", "a", "b"})), (numbers{0, 2, 1}));
}

TEST(NumbersOfTests, AreMissingWhereTheTestIs) {
  EXPECT_EQ(numbers_in({"a"}, baseline_of({"a", "b", "a"})), (numbers{0, std::nullopt, std::nullopt}));
}

}  // namespace
}  // namespace morph::mutation
