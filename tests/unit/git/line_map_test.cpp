// Lines of an old text in a new one.
#include "plugin/git/line_map.hpp"

#include <gtest/gtest.h>

namespace morph::git {
namespace {

TEST(LineMap, FollowsLinesThroughADiff) {
  // Line 2 became two, a line was inserted behind 4, 6 and 7 went.
  const line_map map({{2, 1, 2, 2}, {4, 0, 6, 1}, {6, 2, 7, 0}});
  const auto now = [&](std::uint32_t old_line) { return map.now(old_line).value_or(0); };
  EXPECT_EQ(now(1), 1U);
  EXPECT_EQ(now(2), 0U);
  EXPECT_EQ(now(3), 4U);
  EXPECT_EQ(now(4), 5U);
  EXPECT_EQ(now(5), 7U);
  EXPECT_EQ(now(6), 0U);
  EXPECT_EQ(now(7), 0U);
  EXPECT_EQ(now(8), 8U);
  EXPECT_EQ(map.new_lines(), (std::vector<line_range>{{2, 3}, {6, 6}}));
}

TEST(LineMap, FollowsLinesBehindAnInsertionAtTheTop) {
  const line_map map({{0, 0, 1, 3}});
  EXPECT_EQ(map.now(1), 4U);
}

}  // namespace
}  // namespace morph::git
