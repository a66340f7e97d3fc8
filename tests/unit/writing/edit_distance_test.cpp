// Distances of names.
#include "plugin/writing/edit_distance.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace morph::writing {
namespace {

TEST(EditDistance, CountsInsertedRemovedAndReplacedCharacters) {
  EXPECT_EQ(edit_distance("", ""), 0U);
  EXPECT_EQ(edit_distance("", "abc"), 3U);
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3U);
  EXPECT_EQ(edit_distance("sitting", "kitten"), 3U);
  EXPECT_EQ(edit_distance("ab", "ba"), 2U);
}

TEST(NearestName, IsTheFirstOfTheNearestBelowALimit) {
  const std::vector<std::string> names{"report", "rapport", "repost", "plan"};
  const auto nearest = [&](const std::string& wanted, std::size_t limit) {
    return nearest_name(names, limit, [&](const std::string& name) { return edit_distance(wanted, name); });
  };
  EXPECT_EQ(nearest("repot", 3), "report");
  EXPECT_EQ(nearest("repot", 1), "");
  EXPECT_EQ(nearest("plan", 1), "plan");
}

}  // namespace
}  // namespace morph::writing
