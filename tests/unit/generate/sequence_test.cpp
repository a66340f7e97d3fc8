// Numbers of calls as sequences become shorter.
#include "plugin/generate/sequence.hpp"

#include <gtest/gtest.h>

namespace morph::generate {
namespace {

call using_values(std::uint32_t callable, const std::vector<std::uint32_t>& calls) {
  call made{.callable = callable};
  for (const std::uint32_t each : calls) made.arguments.push_back({morph_argument_value, each});
  return made;
}

TEST(Sequence, IsOrderedIfValuesComeFromEarlierCalls) {
  EXPECT_TRUE(is_ordered({}));
  EXPECT_TRUE(is_ordered({using_values(0, {}), using_values(1, {0}), using_values(2, {1, 0})}));
  EXPECT_FALSE(is_ordered({using_values(0, {0})}));
  EXPECT_FALSE(is_ordered({using_values(0, {1}), using_values(1, {})}));
}

TEST(Sequence, IsOrderedWhateverNumbersItsLiteralsHave) {
  EXPECT_TRUE(is_ordered({{0, {{morph_argument_literal, 9}, {morph_argument_nothing, 9}}}}));
}

TEST(Sequence, OfOnlySomeCallsRefersToThemByTheirNewNumbers) {
  const sequence all{using_values(0, {}), using_values(1, {}), using_values(2, {1}), using_values(3, {2, 1})};
  const sequence expected{using_values(1, {}), using_values(2, {0}), using_values(3, {1, 0})};
  EXPECT_EQ(only(all, {false, true, true, true}), expected);
}

TEST(Sequence, OfOnlySomeCallsKeepsTheNumbersOfLiterals) {
  const sequence all{using_values(0, {}), {1, {{morph_argument_literal, 7}, {morph_argument_nothing, 0}}}};
  EXPECT_EQ(only(all, {false, true}), sequence{all[1]});
}

}  // namespace
}  // namespace morph::generate
