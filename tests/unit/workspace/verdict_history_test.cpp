// What is known of tests by other names.
#include "plugin/workspace/verdict_history.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace morph {
namespace {
using workspace::known_verdicts;

workspace::listed_suite suite_of(std::string name, std::vector<std::string> other_names) {
  frameworks::listed_case c;
  c.name = std::move(name);
  c.other_names = std::move(other_names);
  workspace::listed_suite suite;
  suite.programs.emplace_back().cases.push_back(std::move(c));
  return suite;
}

TEST(NamesOfOtherCMakes, AFailureByTheOtherNameCounts) {
  known_verdicts known;
  known.failed = {"old"};
  known.flaky = {"old"};
  known.past["old"] = {{5, true}};
  workspace::follow_names(known, {suite_of("new", {"older", "old"})});
  EXPECT_EQ(known.failed, (std::set<std::string>{"new", "old"}));
  EXPECT_EQ(known.flaky, (std::set<std::string>{"new", "old"}));
  EXPECT_EQ(known.past["new"].size(), 1U);
}

TEST(NamesOfOtherCMakes, TheLaterVerdictCounts) {
  known_verdicts known;
  known.failed = {"old"};
  known.past["old"] = {{5, true}};
  known.past["new"] = {{7, false}};
  workspace::follow_names(known, {suite_of("new", {"old"})});
  EXPECT_FALSE(known.failed.contains("new"));

  known.past["old"] = {{5, true}, {9, true}};
  workspace::follow_names(known, {suite_of("new", {"old"})});
  EXPECT_TRUE(known.failed.contains("new"));
  const auto& past = known.past["new"];
  EXPECT_TRUE(std::is_sorted(past.begin(), past.end(), [](const auto& a, const auto& b) { return a.at < b.at; }));
}

}  // namespace
}  // namespace morph
