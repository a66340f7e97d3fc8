// What the store remembers of verdicts.
#include <gtest/gtest.h>

#include "tests/unit/store/store_examples.hpp"

namespace morph::store {
namespace {
using namespace morph::store_tests;
using morph::optimizer::requirement_kind;
using morph::test_support::temporary_folder;

TEST(Store, KnowsTheLatestOutcomeOfEachTest) {
  const temporary_folder folder;
  auto store = evidence_store::open_for_writing(folder / "e.db");
  const std::vector<test_outcome> outcomes{{"a", true, 10, 0.25, "ctest", ""},
                                           {"a", false, 20, 0.5, "ctest", ""},
                                           {"b", false, 10, 0, "ctest", ""},
                                           {"b", true, 10, 0, "junit", ""}};
  ASSERT_TRUE(store->add_outcomes(outcomes));
  ASSERT_TRUE(store->add_outcomes(outcomes));
  const auto latest = store->histories();
  ASSERT_TRUE(latest);
  EXPECT_FALSE(latest->at("a").latest.failed);
  EXPECT_EQ(latest->at("a").latest.seconds, 0.5);
  EXPECT_TRUE(latest->at("b").latest.failed);
  EXPECT_EQ((*store).verify().value(), std::vector<std::string>{});
}

/// Which tests are flaky after these outcomes.
std::string flaky_of(const std::vector<test_outcome>& outcomes) {
  const temporary_folder folder;
  auto store = evidence_store::open_for_writing(folder / "e.db");
  EXPECT_TRUE(store->add_outcomes(outcomes));
  std::string names;
  const auto histories = store->histories();
  for (const auto& [name, history] : *histories)
    if (history.flaky) names += name + " ";
  return names;
}

TEST(Store, CallsATestFlakyThatPassedAndFailedOnTheSameContent) {
  EXPECT_EQ(flaky_of({{"a", true, 10, 0, "ctest", "c1"}, {"a", false, 20, 0, "junit", "c1"}}), "a ");
  EXPECT_EQ(flaky_of({{"a", true, 10, 0, "ctest", "c1"}, {"a", false, 20, 0, "ctest", "c2"}}), "");
  EXPECT_EQ(flaky_of({{"a", true, 10, 0, "ctest", "c1"}, {"b", false, 20, 0, "ctest", "c1"}}), "");
  EXPECT_EQ(flaky_of({{"a", true, 10, 0, "ctest", ""}, {"a", false, 20, 0, "ctest", ""}}), "");
  EXPECT_EQ(flaky_of({{"a", true, 10, 0, "junit", ""}, {"a", false, 10, 0, "junit", ""}}), "a ");  // tried again
}

TEST(Store, ComparesTheTwinsVerdictsWithEachOtherOnly) {
  EXPECT_EQ(flaky_of({{"a", true, 10, 0, "measure", "c1"}, {"a", false, 20, 0, "ctest", "c1"}}), "");
  EXPECT_EQ(flaky_of({{"a", true, 10, 0, "measure", "c1"}, {"a", false, 20, 0, "measure", "c1"}}), "a ");
}

TEST(Store, CountsNewOutcomesOnly) {
  const temporary_folder folder;
  auto store = evidence_store::open_for_writing(folder / "e.db");
  const std::vector<test_outcome> outcomes{{"a", true, 10, 0, "junit", "c"}, {"a", false, 10, 0, "junit", "c"}};
  EXPECT_EQ(*store->add_outcomes(outcomes), 2U);
  EXPECT_EQ(*store->add_outcomes(outcomes), 0U);
}

TEST(Store, KeepsTheSameOutcomesInWhateverOrderTheyCome) {
  std::vector<test_outcome> outcomes;
  for (int i = 0; i < 3 * kept_outcomes; ++i) {
    outcomes.push_back({"a", i == 0, i, 0, "ctest", std::to_string(i)});
    outcomes.push_back({"a", false, 1000 + i, 0, "measure", "m"});
  }
  outcomes.push_back({"a", true, kept_outcomes * 2, 0, "junit", "r"});
  const auto kept_after = [&] {
    const temporary_folder folder;
    auto store = evidence_store::open_for_writing(folder / "e.db");
    for (const test_outcome& o : outcomes) EXPECT_TRUE(store->add_outcomes(std::vector{o}));
    EXPECT_TRUE(store->add_outcomes(outcomes));
    database db(folder / "e.db", database::mode::read_only);
    std::string kept;
    statement s = db.prepare("SELECT at, source, failed, content FROM outcome ORDER BY at, source, failed");
    while (s.step()) kept += s.text(0) + s.text(1) + s.text(2) + s.text(3) + " ";
    return kept;
  };
  const std::string kept = kept_after();
  EXPECT_EQ(std::count(kept.begin(), kept.end(), ' '), 2 * kept_outcomes);
  EXPECT_EQ(kept.find("0ctest10 "), std::string::npos);
  std::reverse(outcomes.begin(), outcomes.end());
  EXPECT_EQ(kept_after(), kept);
}

TEST(Store, DoesNotForgetAFailureBecauseOfManyMeasurements) {
  const temporary_folder folder;
  auto store = evidence_store::open_for_writing(folder / "e.db");
  std::vector<test_outcome> outcomes{{"a", true, 1, 0, "ctest", "c"}};
  for (int i = 0; i < 3 * kept_outcomes; ++i) outcomes.push_back({"a", false, 10 + i, 0, "measure", "c"});
  ASSERT_TRUE(store->add_outcomes(outcomes));
  EXPECT_TRUE(store->histories()->at("a").latest.failed);
}

/// What is known of test `a` in configuration `one` after these outcomes.
std::string known_in_one(const std::vector<test_outcome>& outcomes) {
  const temporary_folder folder;
  auto store = evidence_store::open_for_writing(folder / "e.db");
  EXPECT_TRUE(store->add_outcomes(outcomes));
  const auto histories = store->histories("one");
  const auto a = histories->find("a");
  if (a == histories->end()) return "unknown";
  return std::string(a->second.latest.failed ? "failed" : "passed") + (a->second.flaky ? ", flaky" : "");
}

TEST(Store, KeepsTheVerdictsOfConfigurationsApart) {
  const test_outcome failed_in_one{"a", true, 10, 0, "ctest", "c", "one"};
  EXPECT_EQ(known_in_one({failed_in_one, {"a", false, 20, 0, "ctest", "c", "two"}}), "failed");
  EXPECT_EQ(known_in_one({failed_in_one, {"a", false, 10, 0, "ctest", "c", "two"}}), "failed");
  EXPECT_EQ(known_in_one({{"a", false, 10, 0, "ctest", "c", "one"}, {"a", true, 20, 0, "ctest", "c", "two"}}),
            "passed");
  EXPECT_EQ(known_in_one({{"a", true, 20, 0, "ctest", "c", "two"}}), "unknown");
  EXPECT_EQ(known_in_one({failed_in_one, {"a", false, 20, 0, "ctest", "c", "one"}}), "passed, flaky");
}

TEST(Store, AVerdictOfAnUnknownConfigurationCountsWhenItIsAFailure) {
  const test_outcome failed_in_one{"a", true, 10, 0, "ctest", "c", "one"};
  const test_outcome failed_somewhere{"a", true, 20, 0, "ctest", "c"}, passed_somewhere{"a", false, 30, 0, "ctest", ""};
  EXPECT_EQ(known_in_one({{"a", false, 10, 0, "ctest", "c", "one"}, failed_somewhere}), "failed");
  EXPECT_EQ(known_in_one({failed_somewhere, passed_somewhere}), "passed");
  EXPECT_EQ(known_in_one({failed_in_one, passed_somewhere}), "failed");
  EXPECT_EQ(known_in_one({failed_in_one, failed_somewhere, passed_somewhere}), "failed");
  EXPECT_EQ(known_in_one({failed_somewhere, {"a", false, 30, 0, "ctest", "c", "one"}}), "passed");
}

TEST(Store, ManyVerdictsOfOneConfigurationPushOutNoneOfAnother) {
  std::vector<test_outcome> outcomes{{"a", true, 1, 0, "ctest", "c", "one"}};
  for (int i = 0; i < 3 * kept_outcomes; ++i) outcomes.push_back({"a", false, 10 + i, 0, "ctest", "c", "two"});
  EXPECT_EQ(known_in_one(outcomes), "failed");
}

TEST(Store, PassingInTheTwinEndsNoFailureOfCTest) {
  const temporary_folder folder;
  auto store = evidence_store::open_for_writing(folder / "e.db");
  ASSERT_TRUE(store->add_outcomes(std::vector<test_outcome>{{"a", true, 10, 0, "ctest", ""},
                                                            {"a", false, 20, 0, "measure", ""},
                                                            {"b", true, 10, 0, "measure", ""},
                                                            {"b", false, 20, 0, "measure", ""}}));
  EXPECT_TRUE(store->histories()->at("a").latest.failed);
  EXPECT_FALSE(store->histories()->at("b").latest.failed);
}

TEST(Store, AFailureOfMeasuringIsNoVerdictOfCTest) {
  const temporary_folder folder;
  auto store = evidence_store::open_for_writing(folder / "e.db");
  ASSERT_TRUE(store->add_outcomes(std::vector<test_outcome>{
      {"a", true, 10, 0, "measure", "c"}, {"b", true, 10, 0, "ctest", "c"}, {"b", true, 20, 0, "measure", "c"}}));
  const auto histories = store->histories();
  EXPECT_FALSE(histories->at("a").latest.failed);
  EXPECT_FALSE(histories->at("a").failed_at);
  EXPECT_TRUE(histories->at("b").latest.failed);
  EXPECT_EQ(histories->at("b").latest.source, "ctest");
}

}  // namespace
}  // namespace morph::store
