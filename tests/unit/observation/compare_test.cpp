// What counts as a difference, on records made by hand.
#include "coverage/observation/compare.hpp"

#include <gtest/gtest.h>

namespace morph::observation {
namespace {

struct written_event {
  std::uint32_t point;
  std::uint64_t number;
  std::vector<std::pair<std::uint32_t, std::string>> values;
  std::vector<std::string> path{};
};

test_record record(const std::vector<written_event>& events) {
  test_record made;
  for (const written_event& each : events) {
    seen_event event{each.point, each.number, 0, 0};
    if (!each.path.empty()) {
      event.path = static_cast<std::uint32_t>(made.paths.size());
      made.paths.push_back(each.path);
      made.addresses.emplace_back();
    }
    for (const auto& [name, text] : each.values) event.values.push_back({name, std::hash<std::string>()(text), text});
    made.events.push_back(event);
    made.counts[each.point] = std::max(made.counts[each.point], each.number);
  }
  return made;
}

stable_state state(const std::vector<test_record>& runs) {
  stable_state made;
  for (const test_record& each : runs) made.add(each);
  return made;
}

std::vector<std::string> lines(const stable_state& original, const stable_state& mutated) {
  std::vector<std::string> made;
  for (const state_difference& each : differences(original, mutated, [](std::uint32_t) { return true; }))
    made.push_back(std::to_string(each.key.point) +
                   (each.key.number == 0 ? " count" : " " + std::to_string(each.key.name)) + ": " + each.original +
                   " -> " + each.mutated);
  return made;
}

using texts = std::vector<std::string>;

TEST(Differences, OfEqualRunsAreNone) {
  const test_record run = record({{1, 1, {{0, "5"}}}, {2, 1, {{0, "a"}, {1, "b"}}}});
  EXPECT_EQ(lines(state({run, run}), state({run})), texts());
}

TEST(Differences, AreTheFirstOfEachProperty) {
  const auto original = state({record({{1, 1, {{0, "5"}}}, {1, 2, {{0, "6"}}}, {1, 3, {{0, "7"}}}})});
  const auto mutated = state({record({{1, 1, {{0, "5"}}}, {1, 2, {{0, "0"}}}, {1, 3, {{0, "0"}}}})});
  EXPECT_EQ(lines(original, mutated), texts{"1 0: 6 -> 0"});
}

TEST(Differences, OfWhatIsNotTheSameInAllRunsDoNotCount) {
  const auto original = state({record({{1, 1, {{0, "5"}, {1, "x"}}}}), record({{1, 1, {{0, "9"}, {1, "x"}}}})});
  const auto mutated = state({record({{1, 1, {{0, "7"}, {1, "y"}}}})});
  EXPECT_EQ(lines(original, mutated), texts{"1 1: x -> y"});
}

TEST(Differences, WhatIsNotTheSameInAllRunsHasNames) {
  const auto seen = state({record({{1, 1, {{0, "5"}, {3, "a"}}}, {2, 1, {{4, "x"}}}}),
                           record({{1, 1, {{0, "5"}, {3, "b"}}}, {1, 2, {{5, "c"}}}, {2, 1, {{4, "y"}}}})});
  EXPECT_EQ(seen.unstable_names(1), (std::set<std::uint32_t>{3, 5}));
  EXPECT_EQ(seen.unstable_names(2), std::set<std::uint32_t>{4});
  EXPECT_EQ(seen.unstable_names(3), std::set<std::uint32_t>());
}

TEST(Differences, OfWhatVariesWithTheMutantDoNotCount) {
  const auto original = state({record({{1, 1, {{0, "5"}}}})});
  const auto mutated = state({record({{1, 1, {{0, "7"}}}}), record({{1, 1, {{0, "8"}}}})});
  EXPECT_EQ(lines(original, mutated), texts());
}

TEST(Differences, OfAPropertyThatOneRunAloneHasDoNotCount) {
  const auto original = state({record({{1, 1, {{0, "5"}}}}), record({{1, 1, {{0, "5"}, {1, "x"}}}})});
  EXPECT_EQ(lines(original, state({record({{1, 1, {{0, "5"}, {1, "x"}}}})})), texts());
}

TEST(Differences, AreInTheNumberOfEventsWhereThatDiffers) {
  const auto original = state({record({{1, 1, {{0, "5"}}}, {1, 2, {{0, "6"}}}, {2, 1, {{0, "a"}}}})});
  const auto mutated = state({record({{1, 1, {{0, "5"}}}})});
  EXPECT_EQ(lines(original, mutated), (texts{"1 count: 2 -> 1", "2 count: 1 -> 0"}));
}

TEST(Differences, OfAnExceptionInPlaceOfAResult) {
  const auto original = state({record({{1, 1, {{0, "5"}}}})});
  const auto mutated = state({record({{1, 1, {{1, "std::out_of_range(\"at\")"}}}})});
  EXPECT_EQ(lines(original, mutated), (texts{"1 0: 5 -> ", "1 1:  -> std::out_of_range(\"at\")"}));
}

TEST(Differences, EndWhereCallsStandInOtherPlaces) {
  const auto original = state({record({{1, 1, {{0, "5"}}, {"test", "f"}}, {1, 2, {{0, "6"}}, {"test", "g", "f"}}})});
  const auto mutated = state({record({{1, 1, {{0, "5"}}, {"test", "f"}}, {1, 2, {{0, "0"}}, {"test", "h", "f"}}})});
  EXPECT_EQ(lines(original, mutated), texts());
}

TEST(Differences, OfEventsWithoutLinesAreInTheirDigests) {
  test_record before = record({{1, 1, {{0, "5"}}}}), after = before;
  before.others[{1, 0}] = 7;
  after.others[{1, 0}] = 8;
  EXPECT_EQ(lines(state({before}), state({after})), texts{"1 0: (in later calls) -> (in later calls)"});
}

TEST(Differences, AreOfThePointsThatAreAskedFor) {
  const auto original = state({record({{1, 1, {{0, "5"}}}, {2, 1, {{0, "5"}}}})});
  const auto mutated = state({record({{1, 1, {{0, "0"}}}, {2, 1, {{0, "0"}}}})});
  const auto found = differences(original, mutated, [](std::uint32_t point) { return point == 2; });
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found.front().key.point, 2U);
}

TEST(Symptoms, GoByTheLevelsAtWhichSomeTestDiffers) {
  difference call, test;
  call.where = level::call;
  test.where = level::test;
  EXPECT_EQ(symptom_of({}), symptom::no_infection);
  EXPECT_EQ(symptom_of({call}), symptom::no_propagation);
  EXPECT_EQ(symptom_of({call, test}), symptom::weak_oracle);
  EXPECT_EQ(symptom_of({test}), symptom::weak_oracle);
}

}  // namespace
}  // namespace morph::observation
