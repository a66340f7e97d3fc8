// Coverage of hand-made evidence: the model, and what changes do to it.
#include <gtest/gtest.h>

#include "plugin/report/answers.hpp"
#include "tests/unit/report/coverage_examples.hpp"

namespace morph::report_tests {
namespace {

TEST(CoverageModel, SaysWhoRanEachLine) {
  const coverage cov = make_coverage(example());
  EXPECT_EQ(lines_of(cov, "src/lib.cpp"),
            (std::map<std::uint32_t, names>{{2, {"S.A", "S.B"}}, {3, {"S.A"}}, {4, {}}, {6, {"S.B"}}, {7, {}}}));
  EXPECT_EQ(lines_of(cov, "src/idle.cpp"), (std::map<std::uint32_t, names>{{1, {}}}));
}

TEST(CoverageModel, GivesWhatRanAtTheStartToEveryMeasuredTest) {
  EXPECT_EQ(lines_of(make_coverage(example()), "src/lib.hpp"),
            (std::map<std::uint32_t, names>{{3, {"S.A", "S.B", "S/A"}}}));
}

TEST(CoverageModel, TakesAwayWhatGcovsOwnRuleDoesNotShow) {
  evidence e = example();
  e.classes.push_back({{a}, {unshown(lib, 2)}});
  e.classes.push_back({{startup}, {unshown(header, 3)}});
  const coverage cov = make_coverage(e);
  EXPECT_EQ(lines_of(cov, "src/lib.cpp").at(2), names{"S.B"});
  EXPECT_EQ(lines_of(cov, "src/lib.cpp").at(3), names{"S.A"});
  EXPECT_EQ(lines_of(cov, "src/lib.hpp").at(3), names());
}

TEST(CoverageModel, JoinsTheVariantsOfAFunction) {
  const coverage cov = make_coverage(example());
  EXPECT_EQ(functions_of(cov, "src/lib.hpp"), (std::map<std::string, names>{{"A::A()", {"S.A", "S.B", "S/A"}}}));
  EXPECT_EQ(functions_of(cov, "src/lib.cpp"),
            (std::map<std::string, names>{{"f(int)", {"S.A", "S.B"}}, {"g()", {"S.B"}}}));
}

TEST(CoverageModel, SaysWhoTookEachBranch) {
  const coverage cov = make_coverage(example());
  const auto branches = [&](std::size_t line) {
    std::map<std::uint32_t, names> result;
    for (const auto& way : cov.find("src/lib.cpp")->lines[line].branches)
      result[way.number] = test_names(cov, way.tests);
    return result;
  };
  EXPECT_TRUE(branches(0).empty());
  EXPECT_EQ(branches(1), (std::map<std::uint32_t, names>{{0, {}}, {40, {"S.A"}}}));
  EXPECT_EQ(branches(4), (std::map<std::uint32_t, names>{{0, {}}, {1, {}}}));
  EXPECT_FALSE(cov.lacks_branches);
}

TEST(CoverageModel, SaysWhoSawEachTermDecide) {
  const coverage cov = make_coverage(with_conditions());
  const auto decided = [&](std::size_t line) {
    std::map<std::pair<std::uint32_t, bool>, names> result;
    for (const auto& outcome : cov.find("src/lib.cpp")->lines[line].conditions) {
      const auto [term, value] = decision_of(outcome.number);
      result[{term, value}] = test_names(cov, outcome.tests);
    }
    return result;
  };
  using outcomes = std::map<std::pair<std::uint32_t, bool>, names>;
  EXPECT_EQ(decided(0), outcomes{});
  EXPECT_EQ(decided(1), (outcomes{{{0, true}, {"S.A"}}, {{0, false}, {}}, {{1, true}, {}}, {{1, false}, {"S.B"}}}));
  EXPECT_EQ(decided(4), (outcomes{{{32, true}, {}}, {{32, false}, {}}}));
  const file_tally sum = tally_of(*cov.find("src/lib.cpp"));
  EXPECT_EQ(sum.conditions.hit, 2U);
  EXPECT_EQ(sum.conditions.total, 6U);
  EXPECT_EQ(sum.branches.total, 4U);
}

TEST(CoverageModel, SaysThatAnOlderMeasurementListsNoBranches) {
  evidence e = example();
  e.branches[lib].clear();
  const coverage cov = make_coverage(e);
  EXPECT_EQ(tally_of(*cov.find("src/lib.cpp")).branches.total, 0U);
  EXPECT_EQ(notes_on(cov, somewhere())[0],
            "an older morph made the measurement, which did not list the branches that nobody took: they are left out; "
            "`morph measure --fresh` lists them");
}

TEST(CoverageModel, KeepsTheLinesOfATextThatHasNoFunctionOfItsOwn) {
  EXPECT_EQ(lines_of(make_coverage(example()), "src/text.inc"), (std::map<std::uint32_t, names>{{5, {"S/A"}}}));
}

TEST(CoverageModel, TellsFilesWithoutCodeFromThoseWithoutCounters) {
  const coverage cov = make_coverage(example());
  ASSERT_NE(cov.find("src/plain.hpp"), nullptr);
  EXPECT_FALSE(cov.find("src/plain.hpp")->has_code());
  EXPECT_EQ(cov.find("src/blind.cpp"), nullptr);
  EXPECT_EQ(cov.without_counters, names{"src/blind.cpp"});
}

TEST(CoverageModel, SaysWhatItLacks) {
  origin from = somewhere();
  from.in_no_program = {"src/other.cpp"};
  from.complete = false;
  const auto notes = notes_on(make_coverage(example()), from);
  ASSERT_EQ(notes.size(), 5U);
  EXPECT_EQ(notes[0], "the measurement was interrupted; `morph measure` goes on with it");
  EXPECT_EQ(notes[1], "1 of 4 tests not measured, what only they run counts as not run: pre.S.C");
  EXPECT_EQ(notes[2], "1 of 4 tests may run more than is known: pre.S.B (crashed, ended-early)");
  EXPECT_EQ(notes[3],
            "1 source compiled without counters, or for programs that the build runs, missing here: src/blind.cpp");
  EXPECT_EQ(notes[4], "1 source file of the repository in no measured program, missing here: src/other.cpp");
}

TEST(CoverageModel, DoubtsEveryTestOfAProgramWhoseStartIsIncomplete) {
  evidence e = example();
  e.tests[startup].incomplete = 16;
  const coverage cov = make_coverage(e);
  for (const auto& test : cov.tests) EXPECT_TRUE(test.facts.is_doubtful()) << test.facts.name;
  EXPECT_EQ(doubts(cov.tests[0].facts), names{"threads-at-start"});
}

TEST(CoverageAfterChanges, StandsWhereTheLinesAreNow) {
  coverage cov = make_coverage(example());
  follow_changes(cov, std::vector{modified("src/lib.cpp", {{0, 0, 1, 1}, {3, 1, 4, 2}})});
  EXPECT_EQ(lines_of(cov, "src/lib.cpp"),
            (std::map<std::uint32_t, names>{{3, {"S.A", "S.B"}}, {6, {}}, {8, {"S.B"}}, {9, {}}}));
  EXPECT_EQ(cov.find("src/lib.cpp")->functions[1].line, 8U);
  EXPECT_EQ(cov.find("src/lib.cpp")->unknown, (std::vector<line_range>{{1, 1}, {4, 5}}));
  EXPECT_EQ(cov.find("src/lib.cpp")->lines[3].branches.size(), 2U);
}

TEST(CoverageAfterChanges, TakesConditionsAlong) {
  coverage cov = make_coverage(with_conditions());
  follow_changes(cov, std::vector{modified("src/lib.cpp", {{0, 0, 1, 1}, {7, 1, 8, 1}})});
  EXPECT_EQ(ask_line(cov, "src/lib.cpp", 4).conditions.size(), 4U);
  EXPECT_EQ(tally_of(*cov.find("src/lib.cpp")).conditions.total, 4U);
}

TEST(CoverageAfterChanges, ForgetsAFunctionWhoseFirstLineChanged) {
  coverage cov = make_coverage(example());
  follow_changes(cov, std::vector{modified("src/lib.cpp", {{2, 1, 2, 1}})});
  EXPECT_EQ(functions_of(cov, "src/lib.cpp"), (std::map<std::string, names>{{"g()", {"S.B"}}}));
}

TEST(CoverageAfterChanges, ForgetsFilesThatWentOrAreNoText) {
  coverage cov = make_coverage(example());
  file_change gone = modified("src/idle.cpp", {});
  gone.how = file_change::kind::deleted;
  file_change binary = modified("src/lib.cpp", {});
  binary.binary = true;
  follow_changes(cov, std::vector{gone, binary});
  EXPECT_EQ(cov.find("src/idle.cpp"), nullptr);
  EXPECT_FALSE(cov.find("src/lib.cpp")->has_code());
  EXPECT_EQ(ask_line(cov, "src/lib.cpp", 3).state, line_state::unknown);
}

TEST(CoverageAfterChanges, SaysSoFirst) {
  coverage cov = make_coverage(example());
  follow_changes(cov, std::vector{modified("src/lib.cpp", {{3, 1, 3, 2}})});
  origin from = somewhere();
  from.changed = {"src/lib.cpp"};
  EXPECT_EQ(notes_on(cov, from)[0],
            "1 file changed since the measurement (src/lib.cpp): nothing is known of 2 new or changed lines; all else "
            "is as it was measured, moved to where the lines stand now. `morph measure` measures this content");
}

}  // namespace
}  // namespace morph::report_tests
