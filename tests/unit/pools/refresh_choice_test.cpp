// What a refresh keeps: cases that cover, that violated something, that could not be measured, and their origins.
#include "plugin/pools/refresh_choice.hpp"

#include <gtest/gtest.h>

namespace morph::pools {
namespace {

using frameworks::pool_line;
using ids = std::set<std::string>;

pool_line seed(const std::string& id) {
  return {.id = id, .by = "some", .from = {}, .input = "1", .text = id + " with runs", .bare = id};
}
pool_line made(const std::string& id, const std::vector<std::string>& from) {
  return {.id = id, .by = "d", .from = from, .input = "1", .text = id + " with runs", .bare = id};
}
pool_line violating(pool_line line) {
  line.violated = {{"x", "r"}};
  return line;
}

/// Each case covers the lines with these numbers.
suite_rows rows(const std::map<std::string, std::vector<std::uint32_t>>& covers) {
  suite_rows found;
  found.all.test_sets.emplace_back();  // nobody
  found.all.files.emplace_back();
  std::map<std::uint32_t, std::vector<std::uint32_t>> tests_of;
  for (const auto& [id, lines] : covers) {
    const auto test = static_cast<std::uint32_t>(found.all.tests.size());
    found.all.tests.emplace_back();
    found.of_cases[id] = test;
    for (const std::uint32_t line : lines) tests_of[line].push_back(test);
  }
  for (const auto& [line, tests] : tests_of) {
    found.all.files[0].lines.push_back({line, static_cast<report::set_id>(found.all.test_sets.size()), {}, {}});
    found.all.test_sets.push_back(tests);
  }
  return found;
}

TEST(RefreshChoice, WhatASpecCanNotMakeAnyMoreIsStaleAndSoIsWhatWasMadeOfIt) {
  const auto found = usable_of({seed("a"), made("b", {"a"}), made("c", {"b"})}, {"some"}, {});
  EXPECT_EQ(ids_of(found.lines), ids{"a"});
  EXPECT_EQ(ids_of(found.stale), (ids{"b", "c"}));
  EXPECT_EQ(ids_of(usable_of({seed("a"), made("b", {"a"})}, {}, {"d"}).stale), (ids{"a", "b"}));
}

TEST(RefreshChoice, WhatViolatedARelationOnceKeepsTheLineThatSaysSo) {
  pool_line old = violating(seed("a"));
  old.text = "as it was";
  const united_cases all = unite({seed("a"), seed("b")}, {old, seed("c")});
  ASSERT_EQ(all.lines.size(), 3U);
  EXPECT_EQ(all.lines[0].text, "as it was");
  EXPECT_EQ(all.lines[0].violated, old.violated);
  EXPECT_EQ(all.lines[2].id, "c");
  EXPECT_EQ(all.violated_before, ids{"a"});
}

TEST(RefreshChoice, TheFewestThatCoverAllStayAndTheirOrigins) {
  const united_cases all = unite({seed("a"), seed("b"), made("c", {"b"})}, {});
  const chosen_cases chosen = choose(all, rows({{"a", {1}}, {"b", {2}}, {"c", {1, 2, 3}}}), {});
  EXPECT_EQ(chosen.found.ids, std::vector<std::string>{"c"});
  EXPECT_EQ(chosen.stay, (ids{"b", "c"}));
}

TEST(RefreshChoice, OfCasesThatDoTheSameThatOfThePoolStays) {
  const united_cases all = unite({seed("a"), seed("b")}, {});
  const auto covers = rows({{"a", {1}}, {"b", {1}}});
  EXPECT_EQ(choose(all, covers, {"b"}).stay, ids{"b"});
  EXPECT_EQ(choose(all, covers, {"a"}).stay, ids{"a"});
}

TEST(RefreshChoice, ARelationThatAppliedToAKindOfCaseKeepsOneOfThem) {
  pool_line b = seed("b");
  b.said = {{"x", "r"}};
  const chosen_cases chosen = choose(unite({seed("a"), b}, {}), rows({{"a", {1, 2}}, {"b", {1}}}), {});
  EXPECT_EQ(chosen.stay, (ids{"a", "b"}));
}

TEST(RefreshChoice, WhatWasNotMeasuredStays) {
  const chosen_cases chosen = choose(unite({seed("a"), seed("b")}, {}), rows({{"a", {1}}}), {});
  EXPECT_EQ(chosen.stay, (ids{"a", "b"}));
  EXPECT_EQ(chosen.unmeasured, 1U);
}

TEST(RefreshChoice, NewViolationsOfAKindStayUpToTenEarlierOnesAll) {
  std::vector<pool_line> lines;
  std::map<std::string, std::vector<std::uint32_t>> covers;
  for (char c = 'a'; c < 'a' + 15; ++c) {
    lines.push_back(violating(seed(std::string(1, c))));
    covers[std::string(1, c)] = {1};
  }
  const chosen_cases of_new = choose(unite(lines, {}), rows(covers), {});
  EXPECT_EQ(of_new.stay.size(), 10U);
  EXPECT_EQ(of_new.left_violations, 5U);
  const chosen_cases of_old = choose(unite({}, lines), rows(covers), {});
  EXPECT_EQ(of_old.stay.size(), 15U);
  EXPECT_EQ(of_old.left_violations, 0U);
}

}  // namespace
}  // namespace morph::pools
