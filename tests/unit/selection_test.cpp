// The line rules and the plan, on hand-made evidence.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "plugin/selection/impact.hpp"
#include "plugin/selection/plan.hpp"
#include "plugin/selection/rules.hpp"

namespace {

using namespace morph::selection;
using namespace morph::store;
using morph::optimizer::requirement_kind;
using morph::project::file_change;

// Files: 0 lib.cpp (lines 2, 3, 10), 1 lib.hpp (line 5), 2 test.cpp (line 7), 3 macros.hpp (no executable line).
// Units: 0 lib.o of lib.cpp, 1 test.o of test.cpp; both include lib.hpp, only lib.o macros.hpp.
// Tests: 0 start-up, 1 S.A (lib.cpp 2, 3), 2 S.B (lib.cpp 3, lib.hpp 5), 3 S.C (test.cpp 7 only), 4 S.D (nothing).
constexpr std::uint32_t startup = 0, a = 1, b = 2, c = 3, d = 4;

element line(std::uint32_t file, std::uint32_t number) {
  return make_element(requirement_kind::line, file, number);
}
element unit(std::uint32_t number) {
  return make_element(requirement_kind::unit, 0, number);
}

evidence example(std::vector<element> at_startup = {}) {
  evidence e;
  e.info.complete = true;
  e.files = {"lib.cpp", "lib.hpp", "test.cpp", "macros.hpp"};
  e.executable_lines = {{2, 3, 10}, {5}, {7}, {}};
  e.programs = {{"suite", "tests"}};
  for (const char* name : {"", "S.A", "S.B", "S.C", "S.D"}) {
    measured_test t;
    t.case_name = t.name = name;
    t.measured = true;
    t.wall_us = 1000;
    e.tests.push_back(t);
  }
  e.units = {{"lib.o", 0, {0, 1, 3}, false}, {"test.o", 2, {1, 2}, false}};
  e.functions = {
      {"_Z1fi", 0, 2, 3, false}, {"_Z1gi", 0, 10, 10, false}, {"_Z1hi", 1, 4, 6, false}, {"_Z1ti", 2, 6, 8, false}};
  e.classes = fold_rows({{startup, std::move(at_startup)},
                         {a, {line(0, 2), line(0, 3), unit(0)}},
                         {b, {line(0, 3), line(1, 5), unit(0)}},
                         {c, {line(2, 7), unit(1)}},
                         {d, {}}});
  return e;
}

const file_kinds kinds("/nowhere", {});

file_change modified(const std::string& path, std::vector<morph::project::hunk> hunks, std::uint32_t old_lines = 20) {
  file_change change;
  change.path = path;
  change.hunks = std::move(hunks);
  change.old_lines = old_lines;
  return change;
}
file_change of_kind(const std::string& path, file_change::kind how) {
  file_change change;
  change.path = path;
  change.how = how;
  return change;
}

/// The object code of f(int) is another one, and explains all changes.
plan_request request_for_code(const evidence& e, const std::vector<file_change>& changes, policy how) {
  code_changes code;
  for (const file_change& change : changes) code.explained.insert(change.path);
  code_change f;
  f.what = "f(int)";
  f.functions = {0};
  code.changes.push_back(f);
  plan_request r;
  r.suites = {{"suite", {how}, {}, true}};
  for (const char* name : {"S.A", "S.B", "S.C", "S.D"}) r.tests.push_back({0, "tests", name, name, "test.cpp"});
  r.baseline.emplace(plan_request::base{&e, 1, assess(e, changes, kinds, {}, {}, &code)});
  return r;
}

std::vector<std::string> affected(const impact& i) {
  std::vector<std::string> result;
  const char* names[] = {"start", "A", "B", "C", "D"};
  for (std::size_t t = 1; t < i.of_test.size(); ++t)
    if (!i.of_test[t].empty()) result.emplace_back(names[t]);
  return result;
}
using names = std::vector<std::string>;

impact assess_one(const file_change& change, const evidence& e = example()) {
  return assess(e, {&change, 1}, kinds, {});
}

TEST(LineRules, AnExecutableLineAffectsTheTestsThatRanIt) {
  const impact i = assess_one(modified("lib.cpp", {{2, 1, 2, 1}}));
  EXPECT_EQ(affected(i), (names{"A"}));
  EXPECT_EQ(text_of(i.of_test[a][0]), "changed-code:lib.cpp:2");
  EXPECT_EQ(i.of_test[a][0].because, "lib.cpp:2 in f(int) changed; the test executed it");
  EXPECT_EQ(i.changed, std::vector<element>{line(0, 2)});
}

TEST(LineRules, AnExecutableLineOfNoFunctionThatPeopleWroteIsLikeAnyOtherLine) {
  evidence e = example();
  for (const bool artificial : {true, false}) {
    e.functions[0] = {"_ZN1SC2Ev", 0, artificial ? 2U : 1U, artificial ? 3U : 1U, artificial};
    EXPECT_EQ(affected(assess_one(modified("lib.cpp", {{2, 1, 2, 1}}), e)), (names{"A", "B"})) << artificial;
  }
}

TEST(LineRules, ALineThatNobodyRanAffectsNobody) {
  const impact i = assess_one(modified("lib.cpp", {{10, 1, 10, 1}}));
  EXPECT_EQ(affected(i), names{});
  EXPECT_EQ(i.counted, 1U);
}

TEST(LineRules, AnInsertionCountsItsNeighbours) {
  EXPECT_EQ(affected(assess_one(modified("lib.cpp", {{2, 0, 3, 1}}))), (names{"A", "B"}));  // between 2 and 3
}

TEST(LineRules, AnInsertionBesideALineThatIsNotExecutableAffectsTheFile) {
  EXPECT_EQ(affected(assess_one(modified("lib.cpp", {{10, 0, 11, 1}}))), (names{"A", "B"}));
}

TEST(LineRules, AnInsertionAtTheEndHasOneNeighbour) {
  EXPECT_EQ(affected(assess_one(modified("lib.cpp", {{10, 0, 11, 1}}, 10))), names{});
}

TEST(LineRules, AnyOtherLineOfASourceAffectsTheTestsThatRanALineOfTheFile) {
  const impact i = assess_one(modified("lib.cpp", {{1, 1, 1, 1}}));
  EXPECT_EQ(affected(i), (names{"A", "B"}));
  EXPECT_EQ(i.of_test[a][0].because,
            "lib.cpp:1 changed and is no executable line; the test executed a line of the file");
}

TEST(LineRules, AnyOtherLineOfAHeaderAffectsTheTestsOfItsIncluders) {
  EXPECT_EQ(affected(assess_one(modified("lib.hpp", {{1, 1, 1, 1}}))), (names{"A", "B", "C"}));
  EXPECT_EQ(affected(assess_one(modified("macros.hpp", {{1, 1, 1, 1}}))), (names{"A", "B"}));
}

TEST(LineRules, AnExecutableLineOfAHeaderAffectsOnlyTheTestsThatRanIt) {
  EXPECT_EQ(affected(assess_one(modified("lib.hpp", {{5, 1, 5, 1}}))), (names{"B"}));
}

TEST(LineRules, TheFirstLineOfAFunctionInAHeaderIsADeclarationToo) {
  evidence e = example();
  e.functions.push_back({"_Z1gi", 1, 5, 6, false});
  EXPECT_EQ(affected(assess_one(modified("lib.hpp", {{5, 1, 5, 1}}), e)), (names{"A", "B", "C"}));
}

TEST(LineRules, WhatRanBeforeTheFirstTestBelongsToEveryTest) {
  const impact i = assess_one(modified("lib.cpp", {{10, 1, 10, 1}}), example({line(0, 10)}));
  EXPECT_EQ(affected(i), (names{"A", "B", "C", "D"}));
}

TEST(LineRules, ADeletedFileAffectsItsTests) {
  EXPECT_EQ(affected(assess_one(of_kind("lib.cpp", file_change::kind::deleted))), (names{"A", "B"}));
  EXPECT_EQ(affected(assess_one(of_kind("macros.hpp", file_change::kind::deleted))), (names{"A", "B"}));
}

TEST(LineRules, WhatIsNotUnderstoodAffectsEverything) {
  const auto reason_of = [](const file_change& change) {
    const impact i = assess_one(change);
    return i.of_everything.size() == 1 ? text_of(i.of_everything[0]) : std::string("none");
  };
  EXPECT_EQ(reason_of(modified("sub/CMakeLists.txt", {{1, 1, 1, 1}})), "changed-build:sub/CMakeLists.txt");
  EXPECT_EQ(reason_of(modified("cmake/x.cmake", {{1, 1, 1, 1}})), "changed-build:cmake/x.cmake");
  EXPECT_EQ(reason_of(modified("grammar.y", {{1, 1, 1, 1}})), "changed-data:grammar.y");
  EXPECT_EQ(reason_of(of_kind("new.cpp", file_change::kind::added)), "changed-code:new.cpp");
  EXPECT_EQ(reason_of(modified("README.md", {{1, 1, 1, 1}})), "none");
  EXPECT_EQ(assess_one(modified("README.md", {{1, 1, 1, 1}})).counted, 0U);
}

TEST(LineRules, AFileThatNoUnitIsKnownToReadAffectsEverything) {
  evidence e = example();
  e.executable_lines[3] = {8};  // macros.hpp has lines, but is taken out of all dependencies
  e.units[0].dependencies = {0, 1};
  EXPECT_EQ(assess_one(modified("macros.hpp", {{1, 1, 1, 1}}), e).of_everything.size(), 1U);
}

TEST(LineRules, AFileOfAnObjectWithoutCountersAffectsEverything) {
  evidence e = example();
  e.files.push_back("table.cpp");
  e.executable_lines.emplace_back();
  e.units.push_back({"table.o", 4, {1, 4}, true});
  EXPECT_EQ(assess_one(modified("lib.hpp", {{5, 1, 5, 1}}), e).of_everything.size(), 1U);
  EXPECT_EQ(assess_one(modified("table.cpp", {{1, 1, 1, 1}}), e).of_everything.size(), 1U);
  EXPECT_EQ(assess_one(modified("lib.cpp", {{2, 1, 2, 1}}), e).of_everything.size(), 0U);
}

TEST(LineRules, GivesOnlyAFewReasonsAFile) {
  std::vector<morph::project::hunk> hunks;
  for (int i = 0; i < 100; ++i) hunks.push_back({2, 1, 2, 1});
  EXPECT_EQ(assess_one(modified("lib.cpp", hunks)).of_test[a].size(), 4U);
}

TEST(LineRules, AFileCanBeDataAndCode) {
  const file_change change = modified("lib.cpp", {{2, 1, 2, 1}});
  const suite_data data{"suite", {"lib.cpp"}};
  const evidence e = example();
  const impact i = assess(e, {&change, 1}, kinds, {&data, 1});
  EXPECT_EQ(i.of_suite.size(), 1U);
  EXPECT_EQ(affected(i), (names{"A"}));
}

TEST(LineRules, ADataFileAffectsItsSuiteOnly) {
  const file_change change = modified("tests/data/x.txt", {{1, 1, 1, 1}});
  const suite_data data{"suite", {"tests/data/*"}};
  const evidence e = example();
  const impact i = assess(e, {&change, 1}, kinds, {&data, 1});
  EXPECT_TRUE(i.of_everything.empty());
  EXPECT_EQ(text_of(i.of_suite.at("suite")[0]), "changed-data:tests/data/x.txt");
}

TEST(Narrow, LeavesOutWhoExecutedNoneOfTheChangedLinesOfAFunction) {
  evidence e = example();
  e.executable_lines[0] = {1, 2, 3, 4, 5, 10};
  e.functions[0] = {"_Z1fi", 0, 1, 5, false};
  e.classes.push_back({{a, b}, {make_element(requirement_kind::function, 0, 0)}});
  const auto marks_of_b = [&](const file_change& change, policy how) {
    const plan_request r = request_for_code(e, {change}, how);
    const plan p = make_plan(r);
    EXPECT_TRUE(p.tests[0].selected);
    EXPECT_EQ(p.tests[0].marks, names());
    EXPECT_NE(p.tests[1].selected, !p.tests[1].marks.empty());
    return p.tests[1].selected ? names() : p.tests[1].marks;
  };
  const file_change only_a = modified("lib.cpp", {{2, 1, 2, 1}}),
                    both = modified("lib.cpp", {{2, 1, 2, 1}, {3, 1, 3, 1}});
  EXPECT_EQ(marks_of_b(only_a, policy::narrow), names{"unproven"});
  EXPECT_EQ(marks_of_b(only_a, policy::safe), names());
  EXPECT_EQ(marks_of_b(both, policy::narrow), names());
  EXPECT_EQ(marks_of_b(modified("lib.cpp", {{2, 0, 3, 1}}), policy::narrow), names());  // beside line 3
  EXPECT_EQ(marks_of_b(modified("lib.cpp", {{1, 2, 1, 2}}), policy::narrow), names());  // where it begins
  EXPECT_EQ(marks_of_b(modified("lib.hpp", {{5, 1, 5, 1}}), policy::narrow), names());  // elsewhere
}

TEST(CodeRules, WhatGivesValuesAffectsTheTestsThatGetThem) {
  const element f = make_element(requirement_kind::function, 0, 0);
  evidence e = example({f});
  code_changes code;
  code.changes.push_back({"f(int)", "differs", {0}, {}});
  EXPECT_EQ(affected(assess(e, {}, kinds, {}, {}, &code)), (names{"A", "B", "C", "D"}));
  code.changes[0].tests = std::vector<std::uint32_t>{b, d};
  EXPECT_EQ(affected(assess(e, {}, kinds, {}, {}, &code)), (names{"B", "D"}));
  e = example();
  e.classes = fold_rows({{startup, {}}, {a, {f}}, {b, {f}}, {c, {}}, {d, {}}});
  EXPECT_EQ(affected(assess(e, {}, kinds, {}, {}, &code)), (names{"B"})) << "in rows of their own";
}

TEST(Narrow, KeepsWhoHasAnotherReasonOrIsNeeded) {
  evidence e = example();
  e.executable_lines[0] = {1, 2, 3, 4, 5, 10};
  e.functions[0] = {"_Z1fi", 0, 1, 5, false};
  e.classes.push_back({{a, b}, {make_element(requirement_kind::function, 0, 0)}});
  const std::vector<file_change> change{modified("lib.cpp", {{2, 1, 2, 1}})};
  plan_request r = request_for_code(e, change, policy::narrow);
  EXPECT_EQ(make_plan(r).tests[1].reasons.back().kind, reason_kind::deferred_by_policy);
  r.failed = {"S.B"};
  EXPECT_TRUE(make_plan(r).tests[1].selected);
  r.failed.clear();
  r.tests[0].depends = {"S.B"};
  const plan p = make_plan(r);
  EXPECT_TRUE(p.tests[1].selected);
  EXPECT_EQ(p.tests[1].marks, names());
  EXPECT_EQ(p.tests[1].reasons[0].kind, reason_kind::required);
}

TEST(LineRules, OneReasonAHunkIsEnough) {
  EXPECT_EQ(assess_one(modified("lib.cpp", {{2, 2, 2, 2}})).of_test[a].size(), 1U);
}

plan_request request_for(const evidence& e, const std::vector<file_change>& changes) {
  plan_request r;
  r.suites = {{"suite", {policy::safe}, {}, true}};
  for (const char* name : {"S.A", "S.B", "S.C", "S.D"}) r.tests.push_back({0, "tests", name, name, "test.cpp"});
  r.baseline.emplace(plan_request::base{&e, 1, assess(e, changes, kinds, {})});
  return r;
}

names sorted(names all) {
  std::sort(all.begin(), all.end());
  return all;
}
names order_of(const plan& p, const plan_request& r) {
  names result(r.tests.size());
  for (const auto& t : p.tests)
    if (t.rank) result[*t.rank - 1] = r.tests[t.test].name;
  std::erase(result, "");
  return result;
}
names reasons_of(const plan& p, std::size_t test) {
  names result;
  for (const auto& r : p.tests[test].reasons) result.push_back(text_of(r));
  return result;
}

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

TEST(Plan, WhatWaitsHasAnOrderToo) {
  const evidence e = example();
  const plan_request r = request_for(e, {modified("test.cpp", {{7, 1, 7, 1}})});
  EXPECT_EQ(order_of_waiting(r, make_plan(r)), (std::vector<std::uint32_t>{0, 1, 3}));
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

TEST(Plan, LeavesNothingOutThatIsKept) {
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

TEST(Reasons, TheTableIsInTheOrderOfItsKinds) {
  std::size_t i = 0;
  for (const rule_row& row : rules) EXPECT_EQ(static_cast<std::size_t>(row.id), i++) << row.trigger;
  i = 0;
  for (const cause_row& row : causes) EXPECT_EQ(static_cast<std::size_t>(row.id), i++) << row.text;
  i = 0;
  for (const reason_row& row : reason_table()) EXPECT_EQ(static_cast<std::size_t>(row.kind), i++) << row.name;
  i = 0;
  for (const state_row& row : state_table()) EXPECT_EQ(static_cast<std::size_t>(row.state), i++) << row.name;
}

TEST(FileKinds, GoByTheName) {
  EXPECT_EQ(kinds.kind_of("src/a.cpp"), file_kind::source);
  EXPECT_EQ(kinds.kind_of("a.inl"), file_kind::source);
  EXPECT_EQ(kinds.kind_of("a.cu"), file_kind::source);
  EXPECT_EQ(kinds.kind_of("CMakeLists.txt"), file_kind::build);
  EXPECT_EQ(kinds.kind_of("docs/logo.svg"), file_kind::ignored);
  EXPECT_EQ(kinds.kind_of("src/docs/logo.svg"), file_kind::unknown);
  EXPECT_EQ(kinds.kind_of("docs/example.cpp"), file_kind::source);
  EXPECT_EQ(kinds.kind_of("docs/CMakeLists.txt"), file_kind::build);
  EXPECT_EQ(kinds.kind_of("data.bin"), file_kind::unknown);
  EXPECT_EQ(file_kinds("/nowhere", {"util/"}).kind_of("util/x.cpp"), file_kind::ignored);
  EXPECT_EQ(file_kinds("/nowhere", {"util/"}).kind_of("README.md"), file_kind::unknown);
}

}  // namespace
