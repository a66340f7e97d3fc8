// Summing audits up.
#include "plugin/planning/audit.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace morph::planning {
namespace {

store::audit audited(const std::string& configuration, std::uint32_t tests, std::uint32_t selected,
                     std::uint32_t failed, std::vector<std::string> missed) {
  store::audit a;
  a.configuration = configuration;
  a.tests = tests;
  a.selected = selected;
  a.failed = failed;
  a.full_us = 1000;
  a.selected_us = 100 * selected;
  a.missed = std::move(missed);
  return a;
}

TEST(Audit, SumsUpTheNewestOfOneConfiguration) {
  const std::vector<store::audit> newest_first{audited("a", 10, 2, 3, {"x"}), audited("b", 10, 10, 9, {"y", "z"}),
                                               audited("a", 10, 4, 1, {}), audited("a", 10, 9, 7, {"v"})};
  const history h = sum_up(newest_first, "a", 2);
  EXPECT_EQ(h.runs, 2U);
  EXPECT_EQ(h.failed, 4U);
  EXPECT_EQ(h.missed, 1U);
  EXPECT_DOUBLE_EQ(h.selected_share, 0.3);
  EXPECT_DOUBLE_EQ(h.time_share, 0.3);
}

TEST(Audit, OfNoRunThereIsNoShare) {
  const history h = sum_up({}, "a", 20);
  EXPECT_EQ(h.runs, 0U);
  EXPECT_EQ(h.selected_share, 0);
}

TEST(Audit, ARunWithoutTestsOrTimeDividesByNothing) {
  store::audit empty = audited("a", 0, 0, 0, {});
  empty.full_us = 0;
  const history h = sum_up({empty}, "a", 20);
  EXPECT_EQ(h.runs, 1U);
  EXPECT_EQ(h.time_share, 0);
}

}  // namespace
}  // namespace morph::planning
