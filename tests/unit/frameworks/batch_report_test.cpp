// What is told of a batch that ran.
#include "plugin/frameworks/batch_report.hpp"

#include <gtest/gtest.h>

namespace morph::frameworks {
namespace {

using case_verdict = case_result::verdict;

batch of_three() {
  batch b;
  b.entry = "geo.tier1";
  b.suite = "geo";
  b.programs = {{"/bin/one", {{"A", "A"}, {"B", "B"}, {"C", "C"}}}};
  return b;
}

batch_result passed_failed_skipped() {
  batch_result ran;
  ran.cases = {{"A", case_verdict::passed, 0.5, 10, "", ""},
               {"B", case_verdict::crashed, 0.25, 11, "signal 11\nmore", "its output"},
               {"C", case_verdict::skipped, 0, 12, "not here", ""}};
  return ran;
}

TEST(BatchReport, ASkippedCaseSaysNothingToTheNextPlan) {
  const auto outcomes = outcomes_of(of_three(), passed_failed_skipped());
  ASSERT_EQ(outcomes.size(), 3U);
  EXPECT_FALSE(outcomes[0].failed || outcomes[0].suspect);
  EXPECT_TRUE(outcomes[1].failed && !outcomes[1].suspect);
  EXPECT_TRUE(!outcomes[2].failed && outcomes[2].suspect);
}

TEST(BatchReport, WhatWentWrongOutsideOfTheCasesMayBeTheDoingOfAny) {
  batch_result ran = passed_failed_skipped();
  ran.complaints = {"the program ended with 3"};
  const auto outcomes = outcomes_of(of_three(), ran);
  EXPECT_TRUE(outcomes[0].failed && outcomes[0].suspect);
  EXPECT_TRUE(outcomes[1].failed && !outcomes[1].suspect);
  EXPECT_TRUE(outcomes[2].failed && outcomes[2].suspect);
}

TEST(BatchReport, JUnitHasACaseForEachComplaint) {
  batch_result ran = passed_failed_skipped();
  ran.complaints = {"the program ended with 3"};
  const auto cases = junit_cases_of(of_three(), ran);
  ASSERT_EQ(cases.size(), 4U);
  EXPECT_EQ(cases[1].how, junit_case::verdict::failed);
  EXPECT_EQ(cases[1].message, std::string(name_of(case_verdict::crashed)) + ": signal 11\nmore");
  EXPECT_EQ(cases[2].how, junit_case::verdict::skipped);
  EXPECT_EQ(cases[3].name, "geo.tier1");
  EXPECT_EQ(cases[3].message, "the program ended with 3");
}

TEST(BatchReport, TheSummaryCountsAndNamesWhatFailed) {
  batch_result ran = passed_failed_skipped();
  ran.interrupted = true;
  const std::string text = summary_of(of_three(), ran);
  EXPECT_NE(text.find("name=\"failures\">1</CTestMeasurement>"), std::string::npos) << text;
  EXPECT_NE(text.find("geo.tier1: 3 of 3 cases ran: 1 passed, 1 failed, 1 skipped; interrupted\n  "), std::string::npos)
      << text;
  EXPECT_NE(text.find(" B: signal 11\n"), std::string::npos) << text;
  EXPECT_EQ(text.find("more"), std::string::npos) << text;
}

}  // namespace
}  // namespace morph::frameworks
