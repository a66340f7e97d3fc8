// What a plan selects, why, and in which order.
#include <gtest/gtest.h>

#include "tests/unit/selection/selection_examples.hpp"

namespace morph::selection_tests {
namespace {

TEST(Plan, WhoNeedsWhatAChangedTestDoesRunsToo) {
  const evidence e = example();
  plan_request r = request_for(e, {modified("lib.cpp", {{2, 1, 2, 1}})});
  r.tests[0].fixtures_set_up = {"f"};
  r.tests[1].fixtures_required = {"f"};
  r.tests[2].depends = {"S.B"};
  const plan p = make_plan(r);
  EXPECT_EQ(order_of(p, r), (names{"S.A", "S.B", "S.C"}));
  EXPECT_EQ(reasons_of(p, 1), (names{"required"}));
}

TEST(Plan, ReasonsAreSaidOnceWithNamesAsPeopleWriteThem) {
  const std::string in_gcc =
      "f(std::__cxx11::basic_string<char, std::char_traits<char>, std::allocator<char> > const&)";
  const std::string in_llvm =
      "f(std::__cxx11::basic_string<char, std::char_traits<char>, std::allocator<char>> const&)";
  const auto changed = [](const std::string& name) { return reason{reason_kind::changed_code, name, "in some.o"}; };
  const std::vector<reason> reasons{changed(in_gcc), changed("g[abi:cxx11](std::__cxx11::list<int>)"),
                                    changed(in_llvm)};
  EXPECT_EQ(texts_of(reasons), (names{"changed-code:f(std::string const&)", "changed-code:g(std::list<int>)"}));
}

TEST(Plan, WhoNeedsATestThatRunsForOtherReasonsWaits) {
  const evidence e = example();
  plan_request r = request_for(e, {});
  r.suites[0].always = {"S.A"};
  r.failed = {"S.C"};
  r.tests[1].depends = {"S.A", "S.C"};
  EXPECT_EQ(order_of(make_plan(r), r), (names{"S.C", "S.A"}));
}

TEST(Plan, FilesThatACommandNamesAreDataOfItsTest) {
  const evidence e = example();
  const std::vector<file_change> changes{modified("spec.md", {{1, 1, 1, 1}}), modified("docs/a.md", {{1, 1, 1, 1}})};
  plan_request r = request_for(e, changes);
  r.tests[0].named = {"spec.md"};
  r.tests[1].named = {"docs"};
  r.tests[2].named = {"doc", "spec"};
  const plan p = make_plan(r);
  EXPECT_EQ(order_of(p, r), (names{"S.A", "S.B"}));
  EXPECT_EQ(reasons_of(p, 1), (names{"changed-data:docs/a.md"}));
}

TEST(Plan, SelectsTheAffectedAndDefersTheRest) {
  const evidence e = example();
  const plan_request r = request_for(e, {modified("lib.cpp", {{3, 1, 3, 1}})});
  const plan p = make_plan(r);
  EXPECT_EQ(p.state, plan_state::affected);
  EXPECT_EQ(order_of(p, r), (names{"S.A", "S.B"}));
  EXPECT_EQ(reasons_of(p, 2), (names{"unaffected"}));
  EXPECT_EQ(p.tests[2].rank, std::nullopt);
  EXPECT_EQ(p.suites[0].selected, 2U);
  EXPECT_EQ(p.suites[0].total, 4U);
}

TEST(Plan, IsProvenUnchangedWhenNothingChanged) {
  const evidence e = example();
  const plan p = make_plan(request_for(e, {}));
  EXPECT_EQ(p.state, plan_state::unchanged_proven);
  EXPECT_EQ(p.suites[0].selected, 0U);
}

TEST(Plan, RunsEverythingInDeclaredOrderWithoutABaseline) {
  const evidence e = example();
  plan_request r = request_for(e, {});
  r.baseline.reset();
  r.failed = {"S.C"};
  const plan p = make_plan(r);
  EXPECT_EQ(p.state, plan_state::unmeasured_ran_all);
  EXPECT_EQ(order_of(p, r), (names{"S.C", "S.A", "S.B", "S.D"}));
  EXPECT_EQ(reasons_of(p, 0), (names{"unmeasured"}));
  EXPECT_EQ(p.tests[0].seconds, std::nullopt);
}

TEST(Plan, PutsFailedTestsFirstAndNewOnesBeforeTheRest) {
  const evidence e = example();
  plan_request r = request_for(e, {modified("lib.cpp", {{3, 1, 3, 1}})});
  r.tests.push_back({0, "tests", "S.New", "S.New", "test.cpp"});
  r.failed = {"S.D"};
  const plan p = make_plan(r);
  EXPECT_EQ(order_of(p, r), (names{"S.D", "S.New", "S.A", "S.B"}));
  EXPECT_EQ(reasons_of(p, 3), (names{"failed-recently"}));
  EXPECT_EQ(reasons_of(p, 4), (names{"new"}));
}

TEST(Plan, CallsAChangeInTheTestsOwnFileAChangedTest) {
  const evidence e = example();
  const plan p = make_plan(request_for(e, {modified("test.cpp", {{7, 1, 7, 1}})}));
  EXPECT_EQ(reasons_of(p, 2), (names{"changed-test"}));
}

TEST(Plan, AlwaysRunsTestsWithIncompleteEvidence) {
  evidence e = example();
  e.tests[a].incomplete = 1;
  e.tests[b].how = outcome::failed;
  e.tests[c].how = outcome::crashed;
  e.tests[c].incomplete = 4;
  e.tests[d].measured = false;
  const plan_request r = request_for(e, {});
  const plan p = make_plan(r);
  EXPECT_EQ(reasons_of(p, 0), (names{"incomplete-evidence"}));
  EXPECT_EQ(reasons_of(p, 1), (names{"incomplete-evidence"}));
  EXPECT_EQ(p.tests[2].marks, (names{"crashed"}));
  EXPECT_EQ(reasons_of(p, 3), (names{"unmeasured"}));
  EXPECT_EQ(p.state, plan_state::affected);
}

TEST(Plan, AlwaysRunsAProgramWhoseStartUpIsIncomplete) {
  evidence e = example();
  e.tests[startup].incomplete = 16;
  EXPECT_EQ(make_plan(request_for(e, {})).suites[0].selected, 4U);
}

TEST(Plan, WidensWhatWasNotUnderstood) {
  const evidence e = example();
  const plan p = make_plan(request_for(e, {modified("CMakeLists.txt", {{1, 1, 1, 1}})}));
  EXPECT_EQ(p.state, plan_state::stale_widened);
  EXPECT_EQ(p.suites[0].selected, 4U);
  EXPECT_EQ(reasons_of(p, 3), (names{"changed-build:CMakeLists.txt"}));
}

TEST(Plan, KnowsASuiteThatTheBaselineLacks) {
  const evidence e = example();
  plan_request r = request_for(e, {});
  r.suites.push_back({"other", {policy::safe}, {}, true});
  r.tests.push_back({1, "others", "S.X", "S.X", ""});
  const plan p = make_plan(r);
  EXPECT_EQ(p.suites[0].state, plan_state::unchanged_proven);
  EXPECT_EQ(p.suites[1].state, plan_state::unmeasured_ran_all);
  EXPECT_EQ(p.state, plan_state::unmeasured_ran_all);
  EXPECT_EQ(reasons_of(p, 4), (names{"unmeasured"}));
}

TEST(Plan, RunsTestsOfOneNameInSeveralProgramsAlways) {
  const evidence e = example();
  plan_request r = request_for(e, {});
  r.tests[1].name = "S.A";
  r.tests[1].target = "other";
  const plan p = make_plan(r);
  EXPECT_TRUE(p.tests[0].selected);
  EXPECT_EQ(p.tests[1].marks, (names{"duplicate-name"}));
  r.tests[1].target = r.tests[0].target;
  r.suites[0].adopted = true;
  EXPECT_TRUE(make_plan(r).tests[0].selected);
}

TEST(Plan, RunsAllCasesOfOneNameInAProgramOrNone) {
  const evidence e = example();
  plan_request r = request_for(e, {});
  r.tests[2].name = r.tests[1].name = "S.A";
  plan p = make_plan(r);
  EXPECT_EQ(reasons_of(p, 0), (names{"unaffected"}));
  EXPECT_EQ(p.tests[1].marks, (names{"duplicate-name"}));
  r.suites[0].always = {"\\.C$"};
  r.tests[3].depends = {"S.C"};
  p = make_plan(r);
  EXPECT_EQ(reasons_of(p, 0), (names{"same-name"}));
  EXPECT_EQ(reasons_of(p, 1), (names{"same-name"}));
  EXPECT_EQ(reasons_of(p, 2), (names{"always"}));
  EXPECT_EQ(reasons_of(p, 3), (names{"unaffected"}));
  r.budget_seconds = 0.05;
  p = make_plan(r);
  EXPECT_EQ(p.tests[0].selected, p.tests[2].selected);
  EXPECT_EQ(p.tests[1].selected, p.tests[2].selected);
}

TEST(Plan, ObeysAlwaysAndPolicyAll) {
  const evidence e = example();
  plan_request r = request_for(e, {});
  r.suites[0].always = {"\\.C$"};
  EXPECT_EQ(reasons_of(make_plan(r), 2), (names{"always"}));
  EXPECT_EQ(make_plan(r).suites[0].selected, 1U);
  EXPECT_EQ(make_plan(r).state, plan_state::unchanged_proven);
  r.suites[0].how = {policy::all};
  EXPECT_EQ(reasons_of(make_plan(r), 0), (names{"policy-all"}));
  EXPECT_EQ(make_plan(r).suites[0].selected, 4U);
}

TEST(Plan, SelectsWhatASelectedTestDependsOn) {
  const evidence e = example();
  plan_request r = request_for(e, {});
  r.suites[0].always = {"\\.C$"};
  r.tests[2].depends = {r.tests[1].name, "gone"};
  r.tests[1].depends = {r.tests[0].name, r.tests[2].name};
  const plan p = make_plan(r);
  EXPECT_EQ(reasons_of(p, 2), (names{"always"}));
  EXPECT_EQ(reasons_of(p, 1), (names{"required"}));
  EXPECT_EQ(reasons_of(p, 0), (names{"required"}));
  EXPECT_EQ(p.suites[0].selected, 3U);
  r.suites[0].always.clear();
  EXPECT_EQ(make_plan(r).suites[0].selected, 0U);
}

TEST(Plan, RunsATestWhoseProgramIsNotBuilt) {
  const evidence e = example();
  plan_request r = request_for(e, {});
  r.tests[0].built = false;
  EXPECT_EQ(reasons_of(make_plan(r), 0), (names{"always"}));
}

TEST(Plan, StopsAtTheBudget) {
  evidence e = example();
  plan_request r = request_for(e, {modified("lib.cpp", {{3, 1, 3, 1}})});
  r.budget_seconds = 0.0015;
  const plan p = make_plan(r);
  EXPECT_EQ(order_of(p, r), (names{"S.A"}));
  EXPECT_EQ(reasons_of(p, 1), (names{"changed-code:lib.cpp:3", "deferred-by-budget"}));
}

TEST(Plan, OrdersByChangedCodeBeforeAllCode) {
  evidence e = example();
  e.tests[a].wall_us = 100;  // cheaper, but S.B covers more of what changed
  e.tests[b].wall_us = 101;
  const plan_request r = request_for(e, {modified("lib.cpp", {{3, 1, 3, 1}}), modified("lib.hpp", {{5, 1, 5, 1}})});
  EXPECT_EQ(order_of(make_plan(r), r), (names{"S.B", "S.A"}));
}

TEST(Plan, RunsAffectedTestsBeforeThoseThatOnlyLackEvidence) {
  evidence e = example();
  e.tests[c].incomplete = incomplete_table().front().bit;
  e.tests[c].wall_us = 1;
  const plan_request r = request_for(e, {modified("macros.hpp", {{1, 1, 1, 1}})});
  const names order = order_of(make_plan(r), r);
  ASSERT_EQ(order.size(), 3U);
  EXPECT_EQ(order.back(), "S.C");
}

TEST(Plan, ATestThatHasFailedCountsAsIfItCoveredMoreOfWhatChanged) {
  const evidence e = example();
  plan_request r = request_for(e, {modified("lib.cpp", {{3, 1, 3, 1}})});
  EXPECT_EQ(order_of(make_plan(r), r), (names{"S.A", "S.B"}));
  r.past["S.B"] = {{1, true}, {2, false}};
  EXPECT_EQ(order_of(make_plan(r), r), (names{"S.B", "S.A"}));
  r.past["S.A"] = {{1, true}, {2, true}};
  EXPECT_EQ(order_of(make_plan(r), r), (names{"S.A", "S.B"}));
}

TEST(Plan, WhereEverythingRunsFilesThatChangedLatelyCountMore) {
  const evidence e = example();
  plan_request r = request_for(e, {});
  r.suites[0].how = {policy::all};
  EXPECT_EQ(order_of(make_plan(r), r), (names{"S.A", "S.B", "S.C", "S.D"}));
  r.churn["test.cpp"] = 10;
  EXPECT_EQ(order_of(make_plan(r), r), (names{"S.C", "S.A", "S.B", "S.D"})) << "a line of it weighs 3.4";
  r.churn["lib.hpp"] = 100;
  EXPECT_EQ(order_of(make_plan(r), r), (names{"S.B", "S.C", "S.A", "S.D"}));
}

TEST(Plan, WhereEverythingRunsAKillCountsAsALine) {
  evidence e = example();
  std::vector<element> kills;
  for (std::uint32_t mutant = 0; mutant < 3; ++mutant) kills.push_back(make_element(requirement_kind::kill, 0, mutant));
  e.classes.push_back({{d}, kills});
  plan_request r = request_for(e, {});
  r.suites[0].how = {policy::all};
  EXPECT_EQ(order_of(make_plan(r), r), (names{"S.D", "S.A", "S.B", "S.C"}));
  r.churn["test.cpp"] = 10;
  EXPECT_EQ(order_of(make_plan(r), r), (names{"S.C", "S.D", "S.A", "S.B"}));
}

TEST(Plan, WhatWaitsHasAnOrderToo) {
  const evidence e = example();
  const plan_request r = request_for(e, {modified("test.cpp", {{7, 1, 7, 1}})});
  EXPECT_EQ(order_of_left_out(r, make_plan(r)), (std::vector<std::uint32_t>{0, 1, 3}));
}

/// Six tests, of which the first covers most; the last one covers nothing and failed in `failures` runs.
plan_request with_failures_that_coverage_puts_last(const evidence& e, int failures) {
  plan_request r;
  r.suites = {{"suite", {policy::all}, {}, true}};
  for (const char* name : {"A", "B", "C", "D", "E", "F"}) {
    r.tests.push_back({0, "tests", name, name, ""});
    for (int run = 0; run < failures; ++run) r.past[name].push_back({run, name[0] == 'F'});
    r.past[name].push_back({failures, false});
  }
  impact nothing;
  nothing.of_test.resize(e.tests.size());
  r.baseline.emplace(plan_request::base{&e, 1, nothing});
  return r;
}

TEST(Plan, GoesByFailuresWhereCoverageFoundThemLaterThanChance) {
  evidence e;
  e.info.complete = true;
  e.files = {"lib.cpp"};
  e.programs = {{"suite", "tests"}};
  std::vector<row> rows;
  for (std::uint32_t t = 0; t < 6; ++t) {
    measured_test test;
    test.case_name = test.name = std::string(1, static_cast<char>('A' + t));
    test.measured = true;
    test.wall_us = 1000;
    e.tests.push_back(test);
    std::vector<element> lines;
    for (std::uint32_t n = 1; n + t < 6; ++n) lines.push_back(line(0, 10 * t + n));
    rows.emplace_back(t, lines);
  }
  e.classes = fold_rows(rows);
  plan_request few = with_failures_that_coverage_puts_last(e, 4);
  EXPECT_FALSE(make_plan(few).coverage_misleads);
  plan_request enough = with_failures_that_coverage_puts_last(e, 5);
  const plan p = make_plan(enough);
  EXPECT_TRUE(p.coverage_misleads);
  EXPECT_EQ(order_of(p, enough).front(), "F");
  EXPECT_EQ(order_of(p, enough)[1], "E");  // its neighbour
}

TEST(Plan, IsDeterministic) {
  const evidence e = example();
  const plan_request r = request_for(e, {modified("lib.hpp", {{1, 1, 1, 1}})});
  EXPECT_EQ(order_of(make_plan(r), r), order_of(make_plan(r), r));
}

// A branch's number would be that of a line, and its file has changed.
TEST(Plan, BranchesNeitherSelectNorOrder) {
  const auto branch = [](std::uint32_t number) { return make_element(requirement_kind::branch, 0, number); };
  evidence e = example();
  e.classes.push_back({{c}, {branch(2), branch(3), branch(10)}});
  e.classes.push_back({{d}, {branch(4096 * 2), branch(4096 * 3), branch(4096 * 10)}});
  for (const bool everything : {false, true}) {
    plan_request r = request_for(e, {modified("lib.cpp", {{2, 1, 2, 1}})});
    if (everything) r.suites[0].how = {policy::all};
    const evidence plain = example();
    plan_request expected = r;
    expected.baseline.emplace(plan_request::base{&plain, 1, assess_one(modified("lib.cpp", {{2, 1, 2, 1}}))});
    EXPECT_EQ(order_of(make_plan(r), r), order_of(make_plan(expected), expected));
    EXPECT_EQ(order_of(make_plan(r), r).size(), everything ? 4U : 1U);
  }
}

}  // namespace
}  // namespace morph::selection_tests
