// What a plan leaves out: policies, budgets, risk; what is deferred, and the front of choices.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/unit/selection/selection_examples.hpp"

namespace morph::selection_tests {
namespace {

/// `times` of the tests that executed what changed.
plan_request minimal(plan_request r, std::uint32_t times) {
  for (auto& suite : r.suites) suite.how = {policy::minimal};
  r.times_covered = times;
  return r;
}

TEST(Minimal, KeepsTheCheapestTestsThatExecuteTheChange) {
  evidence e = example();
  e.tests[a].wall_us = 2000;
  const plan_request r = request_for(e, {modified("lib.cpp", {{3, 1, 3, 1}})});
  const plan p = make_plan(minimal(r, 1));
  EXPECT_EQ(order_of(p, r), names{"S.B"});
  EXPECT_EQ(reasons_of(p, 0), (names{"changed-code:lib.cpp:3", "deferred-by-policy"}));
  EXPECT_EQ(p.tests[1].rank, 1U);
  ASSERT_TRUE(p.minimal);
  EXPECT_DOUBLE_EQ(p.minimal->reached, 0.001);
  EXPECT_DOUBLE_EQ(p.minimal->bound, 0.001);
  EXPECT_EQ(order_of(make_plan(minimal(r, 2)), r).size(), 2U);
}

TEST(Minimal, KeepsKnownKills) {
  evidence e = example();
  e.tests[a].wall_us = 2000;
  const plan_request r = request_for(e, {modified("lib.cpp", {{3, 1, 3, 1}})});
  e.classes.push_back({{a}, {make_element(requirement_kind::kill, 0, 0)}});
  EXPECT_EQ(order_of(make_plan(minimal(r, 1)), r), names{"S.A"}) << "though it is dearer";
  e.classes.back().tests = {a, b, c};
  EXPECT_EQ(order_of(make_plan(minimal(r, 1)), r), names{"S.B"});
}

TEST(Minimal, AKillTakesNobodyAway) {
  evidence e = example({line(0, 3)});  // S.C and S.D run since their program executes the line before them
  const plan_request r = request_for(e, {modified("lib.cpp", {{3, 1, 3, 1}})});
  const names without = order_of(make_plan(minimal(r, 1)), r);
  ASSERT_EQ(std::count(without.begin(), without.end(), "S.C"), 1);
  e.classes.push_back({{a, b, c, d}, {make_element(requirement_kind::kill, 0, 0)}});
  EXPECT_EQ(sorted(order_of(make_plan(minimal(r, 1)), r)), sorted(without));
}

TEST(Minimal, EveryChangedLineCounts) {
  const evidence e = example();
  const plan_request r = request_for(e, {modified("lib.cpp", {{2, 2, 2, 2}}), modified("lib.hpp", {{5, 1, 5, 1}})});
  EXPECT_EQ(order_of(make_plan(minimal(r, 1)), r).size(), 2U);  // line 2 is executed by S.A alone, lib.hpp by S.B
}

TEST(Minimal, KeepsWhoHasAReasonThatWasNotTold) {
  evidence e = example();
  for (element_class& lines : e.classes)
    if (lines.elements == std::vector<element>{line(1, 5)}) lines.tests = {b, c};
  // Two tests executed line 5, and all that include the header are concerned by line 6: of one hunk each is told one
  // reason.
  const plan_request r = request_for(e, {modified("lib.hpp", {{5, 2, 5, 2}})});
  ASSERT_EQ(reasons_of(make_plan(r), 1), names{"changed-code:lib.hpp:5"});
  EXPECT_EQ(sorted(order_of(make_plan(minimal(r, 1)), r)), (names{"S.A", "S.B", "S.C"}));
}

TEST(Minimal, KeepsWhoNeedsWhatAnotherDoes) {
  evidence e = example();
  plan_request r = request_for(e, {modified("lib.cpp", {{3, 1, 3, 1}})});
  r.tests[1].depends = {"S.A"};
  EXPECT_EQ(sorted(order_of(make_plan(minimal(r, 1)), r)), (names{"S.A", "S.B"}));
  r.tests[1].depends.clear();
  e.tests[b].wall_us = 100;  // the only one that is kept
  r.tests[1].depends = {"S.D"};
  EXPECT_EQ(sorted(order_of(make_plan(minimal(r, 1)), r)), (names{"S.B", "S.D"}));
}

TEST(Minimal, StartingAProgramIsNoTestOfWhatATestExecutes) {
  evidence e = example({line(0, 3)});
  const plan_request r = request_for(e, {modified("lib.cpp", {{3, 1, 3, 1}})});
  const names kept = order_of(make_plan(minimal(r, 1)), r);
  EXPECT_TRUE(std::count(kept.begin(), kept.end(), "S.A") + std::count(kept.begin(), kept.end(), "S.B") >= 1);
}

TEST(Budget, ATestCostsWhatHasToRunWithIt) {
  evidence e = example();
  plan_request r = request_for(e, {modified("lib.cpp", {{3, 1, 3, 1}})});
  r.tests[1].depends = {"S.C"};
  e.tests[c].wall_us = 5000;
  r.budget_seconds = 0.0025;
  EXPECT_EQ(order_of(make_plan(r), r), names{"S.A"});
  r.budget_seconds = 0.0075;
  EXPECT_EQ(sorted(order_of(make_plan(r), r)), (names{"S.A", "S.B", "S.C"}));
}

TEST(Budget, WhatIsNotKnownRunsFirst) {
  const evidence e = example();
  plan_request r = request_for(e, {modified("lib.cpp", {{3, 1, 3, 1}})});
  r.suites.push_back({"other", {policy::safe}, {}, true});
  r.tests.push_back({1, "others", "O.A", "O.A", ""});
  r.budget_seconds = 0.0015;
  EXPECT_EQ(order_of(make_plan(r), r), names{"O.A"});
}

TEST(Deferred, SaysWhatNoTestThatRunsExecutes) {
  const evidence e = example();
  plan_request r = request_for(e, {modified("lib.cpp", {{2, 1, 2, 1}}), modified("lib.hpp", {{5, 1, 5, 1}})});
  r.budget_seconds = 0.0015;
  const plan p = make_plan(r);
  const deferral left = what_is_deferred(r, p);
  ASSERT_EQ(left.tests.size(), 1U);
  EXPECT_EQ(left.alone[0], 1U);
  EXPECT_EQ(left.lost, 1U);
  EXPECT_EQ(left.executed, 2U);
}

TEST(Front, EndsWithEverythingAndKnowsThePlan) {
  const evidence e = example();
  const plan_request r = request_for(e, {modified("lib.cpp", {{2, 1, 2, 1}}), modified("lib.hpp", {{5, 1, 5, 1}})});
  const plan_front front = front_of(r, make_plan(r));
  EXPECT_TRUE(front.of_change);
  ASSERT_EQ(front.rows.size(), 2U);
  EXPECT_DOUBLE_EQ(front.rows[0].changed, 0.5);
  EXPECT_DOUBLE_EQ(front.rows[1].changed, 1);
  EXPECT_DOUBLE_EQ(front.rows[1].lines, 1);
  EXPECT_DOUBLE_EQ(front.chosen.changed, 1);
  EXPECT_EQ(front.chosen.tests, 2U);
  for (std::size_t i = 0; i < 2; ++i) EXPECT_GE(front.at_most[i], front.rows[i].changed);
}

TEST(Front, KnownKillsCountAfterTheChange) {
  evidence e = example();
  e.tests[a].wall_us = 5000;
  plan_request r = request_for(e, {modified("lib.cpp", {{3, 1, 3, 1}})});
  const plan_front without = front_of(r, make_plan(r));
  EXPECT_EQ(without.kills, 0U);
  ASSERT_EQ(without.rows[0].changed, 1);
  EXPECT_EQ(without.rows[0].kills, 1) << "of none, all";
  std::vector<element> kills;
  for (std::uint32_t mutant = 0; mutant < 3; ++mutant) kills.push_back(make_element(requirement_kind::kill, 0, mutant));
  e.classes.push_back({{a}, {kills[0]}});
  e.classes.push_back({{b}, {kills[1]}});
  e.classes.push_back({{d}, {kills[2]}});  // which nothing affects
  const plan_front front = front_of(r, make_plan(r));
  EXPECT_EQ(front.kills, 2U);
  ASSERT_EQ(front.rows.size(), 2U);
  EXPECT_EQ(front.rows[0].tests, 1U) << "the cheap one";
  EXPECT_DOUBLE_EQ(front.rows[0].changed, 1);
  EXPECT_DOUBLE_EQ(front.rows[0].kills, 0.5);
  EXPECT_DOUBLE_EQ(front.rows[0].lines, without.rows[0].lines) << "a kill is no line";
  EXPECT_DOUBLE_EQ(front.rows[1].kills, 1);
  EXPECT_DOUBLE_EQ(front.chosen.kills, 1);
  r.suites[0].how = {policy::all};
  r.baseline->of_changes = {};
  r.baseline->of_changes.of_test.resize(e.tests.size());
  const plan_front of_all = front_of(r, make_plan(r));
  EXPECT_FALSE(of_all.of_change);
  EXPECT_EQ(of_all.kills, 3U);
  EXPECT_DOUBLE_EQ(of_all.rows.back().kills, 1);
  EXPECT_DOUBLE_EQ(of_all.rows.back().lines, 1);
  ASSERT_GE(of_all.rows.size(), 2U);
  EXPECT_LT(of_all.at_most[0], 1) << "a part of all lines";
  for (std::size_t i = 1; i < of_all.rows.size(); ++i) EXPECT_GE(of_all.rows[i].lines, of_all.rows[i - 1].lines);
}

/// Eight tests that executed line 3 of lib.cpp, one after the other cheaper.
evidence eight_alike() {
  evidence e = example();
  std::vector<row> rows;
  e.tests.resize(1);
  for (std::uint32_t i = 1; i <= 8; ++i) {
    measured_test t = e.tests[0];
    t.case_name = t.name = fmt::format("S.{}", i);
    t.wall_us = 100'000 - 10'000 * i;
    e.tests.push_back(t);
    rows.emplace_back(i, std::vector<element>{line(0, 3), unit(0)});
  }
  e.classes = fold_rows(rows);
  return e;
}

plan_request risky(const evidence& e, double detection, std::vector<morph::optimizer::found_fault> known) {
  plan_request r = request_for(e, {modified("lib.cpp", {{3, 1, 3, 1}})});
  r.tests.clear();
  for (std::size_t i = 1; i < e.tests.size(); ++i)
    r.tests.push_back({0, "tests", e.tests[i].name, e.tests[i].name, ""});
  r.suites[0].how = {policy::risk, detection};
  r.known_faults = std::move(known);
  return r;
}

TEST(Risk, RunsTheFirstTestsThatFoundKnownFaults) {
  const evidence e = eight_alike();
  std::vector<morph::optimizer::found_fault> known{{1, 8}, {2, 8}, {3, 8}, {3, 8}};
  plan_request r = risky(e, 0.8, known);
  const plan p = make_plan(r);
  EXPECT_EQ(order_of(p, r), (names{"S.8", "S.7", "S.6"}));
  ASSERT_EQ(p.risks.size(), 1U);
  EXPECT_TRUE(p.risks[0].goes_by_own);
  EXPECT_EQ(p.risks[0].run, 3U);
  EXPECT_EQ(p.risks[0].affected, 8U);
  EXPECT_EQ(p.risks[0].known, 4U);
  EXPECT_DOUBLE_EQ(p.risks[0].expected, 0.8);
  EXPECT_EQ(reasons_of(p, 0).back(), "deferred-by-policy");
  EXPECT_EQ(what_is_deferred(r, p).tests.size(), 5U);
}

TEST(Risk, GoesByOtherProgramsUntilEnoughIsKnown) {
  const evidence e = eight_alike();
  const std::vector<morph::optimizer::found_fault> known(18, {8, 8});  // one too few
  plan_request r = risky(e, 0.95, known);
  const plan p = make_plan(r);
  ASSERT_EQ(p.risks.size(), 1U);
  EXPECT_FALSE(p.risks[0].goes_by_own);
  EXPECT_EQ(p.risks[0].own, 18U);
  EXPECT_EQ(p.risks[0].known, morph::optimizer::comparable_faults(reference_faults(), 8).size());
  EXPECT_LT(p.risks[0].run, 8U);
  r.known_faults.push_back({8, 8});
  EXPECT_EQ(order_of(make_plan(r), r).size(), 8U);
}

TEST(Risk, LeavesOutNobodyWhoHasAnotherReason) {
  const evidence e = eight_alike();
  plan_request r = risky(e, 0.5, {{1, 8}, {1, 8}});
  EXPECT_EQ(order_of(make_plan(r), r), names{"S.8"});
  r.failed = {"S.1"};
  EXPECT_EQ(order_of(make_plan(r), r), (names{"S.1", "S.8"}));
  r.failed.clear();
  r.tests[7].depends = {"S.2"};
  EXPECT_EQ(sorted(order_of(make_plan(r), r)), (names{"S.2", "S.7", "S.8"}));  // S.8 needs what may behave otherwise
  r.tests[7].depends.clear();
  r.suites[0].always = {"3$"};
  EXPECT_EQ(order_of(make_plan(r), r), (names{"S.8", "S.3"}));
  r.suites[0].always.clear();
  r.suites[0].how = {};
  EXPECT_EQ(order_of(make_plan(r), r).size(), 8U);
  EXPECT_TRUE(make_plan(r).risks.empty());
}

TEST(Risk, IsTakenBySuite) {
  const evidence e = eight_alike();
  plan_request r = risky(e, 0.5, {{1, 4}, {1, 4}, {2, 4}, {3, 4}});
  r.suites.push_back({"suite2", {policy::risk, 0.8}, {}, true});
  r.suites.push_back({"suite3", {}, {}, true});
  evidence three = e;
  three.programs = {{"suite", "tests"}, {"suite2", "tests"}, {"suite3", "tests"}};
  for (std::uint32_t i = 4; i <= 6; ++i) {
    r.tests[i - 1].suite = 1;
    three.tests[i].program = 1;
  }
  r.tests[0].suite = 2;
  three.tests[1].program = 2;
  r.baseline->facts = &three;
  const plan p = make_plan(r);
  ASSERT_EQ(p.risks.size(), 2U);
  // Of all eight the first two are of the first suite, the next two of the second one.
  EXPECT_EQ(p.risks[0].affected, 8U);
  EXPECT_EQ(p.risks[0].run, 2U);
  EXPECT_EQ(p.risks[1].affected, 8U);
  EXPECT_EQ(p.risks[1].run, 4U);
  EXPECT_EQ(p.suites[0].selected, 2U);
  EXPECT_EQ(p.suites[1].selected, 2U);
  EXPECT_EQ(p.suites[2].selected, 1U);
}

TEST(Minimal, LeavesOtherSuitesAlone) {
  evidence e = eight_alike();
  e.programs = {{"suite", "tests"}, {"suite2", "tests"}};
  plan_request r = risky(e, 0.5, {});
  r.suites[0].how = {policy::minimal};
  r.suites.push_back({"suite2", {}, {}, true});
  r.times_covered = 1;
  for (std::uint32_t i = 5; i <= 7; ++i) {
    e.tests[i].program = 1;
    r.tests[i - 1].suite = 1;
  }
  const plan p = make_plan(r);
  EXPECT_EQ(p.suites[1].selected, 3U);
  EXPECT_EQ(p.suites[0].selected, 0U);  // what changed is executed by those that run in any case
}

TEST(Minimal, WithinABudgetHasTheProofOfTheBudget) {
  const evidence e = eight_alike();
  plan_request r = risky(e, 0.5, {});
  r.suites[0].how = {policy::minimal};
  r.times_covered = 3;
  EXPECT_EQ(order_of(make_plan(r), r), (names{"S.8", "S.7", "S.6"}));
  r.budget_seconds = 0.055;  // of 20, 30 and 40 ms
  const plan p = make_plan(r);
  EXPECT_EQ(order_of(p, r), (names{"S.8", "S.7"}));
  EXPECT_FALSE(p.minimal);
  EXPECT_TRUE(p.budget);
  EXPECT_EQ(reasons_of(p, 5).back(), "deferred-by-budget");
  EXPECT_EQ(reasons_of(p, 0).back(), "deferred-by-policy");
}

TEST(Minimal, DoesNotRelyOnTestsThatTheRiskMayLeaveOut) {
  evidence e = eight_alike();
  e.programs = {{"suite", "tests"}, {"suite2", "tests"}};
  plan_request r = risky(e, 0.5, {{1, 8}, {1, 8}});
  r.suites.push_back({"suite2", {policy::minimal}, {}, true});
  r.times_covered = 1;
  r.tests[0].suite = 1;
  e.tests[1].program = 1;
  EXPECT_EQ(order_of(make_plan(r), r), (names{"S.8", "S.1"}));
}

TEST(Risk, LeavesNothingOutThatIsKept) {
  const evidence e = eight_alike();
  plan_request r = risky(e, 0.5, {{1, 8}, {1, 8}});
  r.kept = {0};
  EXPECT_EQ(order_of(make_plan(r), r), (names{"S.8", "S.1"}));
  r.suites[0].how = {policy::minimal};
  r.times_covered = 1;
  EXPECT_EQ(sorted(order_of(make_plan(r), r)), (names{"S.1", "S.8"}));
  r.suites[0].how = {};
  r.budget_seconds = 0;
  EXPECT_EQ(order_of(make_plan(r), r), names{"S.1"});
}

TEST(Risk, WithinABudgetRunsWhatBothLeave) {
  const evidence e = eight_alike();
  plan_request r = risky(e, 0.8, {{1, 8}, {2, 8}, {3, 8}, {3, 8}});
  r.budget_seconds = 0.055;
  const plan p = make_plan(r);
  EXPECT_EQ(order_of(p, r), (names{"S.8", "S.7"}));
  EXPECT_EQ(reasons_of(p, 5).back(), "deferred-by-budget");
  EXPECT_EQ(reasons_of(p, 4).back(), "deferred-by-policy");
  EXPECT_TRUE(p.risks.empty());  // it was about more tests
}

TEST(Risk, PoliciesAreParsed) {
  for (const char* text : {"all", "safe", "narrow", "minimal", "risk=0.95", "risk=0.5"})
    EXPECT_EQ(text_of(parse_policy(text).value()), text);
  EXPECT_EQ(parse_policy("risk=.9"), (chosen_policy{policy::risk, 0.9}));
  for (const char* text :
       {"", "risk", "risk=", "risk=0", "risk=1", "risk=95", "risk=-0.5", "risk=0.5x", "risk=nan", "brave"})
    EXPECT_FALSE(parse_policy(text)) << text;
  EXPECT_NE(parse_policy("risk=95").error().find("write for example risk=0.95"), std::string::npos);
}

}  // namespace
}  // namespace morph::selection_tests
