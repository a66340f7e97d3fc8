// Which measurements stay.
#include "plugin/workspace/garbage.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace morph::workspace {
namespace {

store::measurement_info measured(std::int64_t id, const std::string& tree, const std::string& configuration) {
  store::measurement_info m;
  m.id = id;
  m.taken_from.tree = tree;
  m.configuration = configuration;
  return m;
}

TEST(Garbage, TheNewestOfEachConfigurationStayAndWhatRevisionsReach) {
  const std::vector<store::measurement_info> newest_first{measured(5, "e", "debug"), measured(4, "d", "debug"),
                                                          measured(3, "c", "release"), measured(2, "b", "debug"),
                                                          measured(1, "a", "release")};
  EXPECT_EQ(useful(newest_first, {}, 1), (std::set<std::int64_t>{5, 3}));
  EXPECT_EQ(useful(newest_first, {"b"}, 1), (std::set<std::int64_t>{5, 3, 2}));
  EXPECT_EQ(useful(newest_first, {"a", "b"}, 0), (std::set<std::int64_t>{2, 1}));
  EXPECT_EQ(useful(newest_first, {}, 2), (std::set<std::int64_t>{5, 4, 3, 1}));
}

}  // namespace
}  // namespace morph::workspace
