// Whom a change affects, by lines and by functions, on hand-made evidence.
#include <gtest/gtest.h>

#include "tests/unit/selection/selection_examples.hpp"

namespace morph::selection_tests {
namespace {

std::vector<std::string> affected(const impact& i) {
  std::vector<std::string> result;
  const char* names[] = {"start", "A", "B", "C", "D"};
  for (std::size_t t = 1; t < i.of_test.size(); ++t)
    if (!i.of_test[t].empty()) result.emplace_back(names[t]);
  return result;
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
  std::vector<morph::git::hunk> hunks;
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

/// Every test of the suite opened the pool when its program began; so did the only test of another one.
evidence with_pool() {
  const element opened = make_element(requirement_kind::data, 4, 0);
  evidence e = example();
  e.files.emplace_back("pool.jsonl");
  e.executable_lines.emplace_back();
  e.programs.push_back({"others", "tests"});
  e.tests[d].program = 1;
  e.classes = fold_rows({{startup, {opened}}, {a, {}}, {b, {}}, {c, {}}, {d, {opened}}});
  return e;
}

TEST(LineRules, APoolAffectsTheCasesWhoseLinesChangedAndWhoElseOpenedIt) {
  const std::string head = "{\"morph\":\"pool\",\"version\":1,\"spec\":\"S\"}\n";
  file_change change = modified("pool.jsonl", {{2, 1, 2, 1}});
  change.old_text = head + "{\"id\":\"A\",\"in\":1,\"expected\":1}\n{\"id\":\"B\",\"in\":2}\n";
  change.new_text = head + "{\"id\":\"A\",\"in\":1,\"expected\":2}\n{\"id\":\"B\",\"in\":2}\n";
  const suite_data data{"suite", {}, "pool.jsonl"};
  const evidence e = with_pool();
  const impact by_line = assess(e, {&change, 1}, kinds, {&data, 1});
  EXPECT_EQ(affected(by_line), (names{"A", "D"}));
  EXPECT_EQ(by_line.of_test[a][0].because,
            "'pool.jsonl' changed in the line of this case, or of one that it was made of");
  EXPECT_EQ(by_line.of_test[d][0].because, "'pool.jsonl' changed; the test opened it");
  EXPECT_TRUE(by_line.of_suite.empty());
  EXPECT_TRUE(by_line.of_everything.empty());
  EXPECT_EQ(by_line.counted, 1U);
}

TEST(LineRules, APoolOfWhichLinesDoNotTellAffectsItsSuite) {
  file_change no_ids = modified("pool.jsonl", {{2, 1, 2, 1}});
  no_ids.old_text = "{\"in\":1}\n";
  no_ids.new_text = "{\"in\":2}\n";
  file_change binary = modified("pool.jsonl", {});
  binary.binary = true;
  const suite_data data{"suite", {}, "pool.jsonl"};
  for (const file_change& change : {no_ids, binary, of_kind("pool.jsonl", file_change::kind::deleted),
                                    of_kind("pool.jsonl", file_change::kind::added)}) {
    const evidence e = with_pool();
    const impact i = assess(e, {&change, 1}, kinds, {&data, 1});
    EXPECT_EQ(i.of_suite.count("suite"), 1U);
    EXPECT_EQ(i.counted, 1U);
    EXPECT_TRUE(i.of_everything.empty());
  }
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
}  // namespace morph::selection_tests
