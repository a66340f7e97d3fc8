// Answers to questions about one test, one line, one change.
#include "plugin/report/answers.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/unit/report/coverage_examples.hpp"

namespace morph::report_tests {
namespace {
using nlohmann::json;

TEST(CoverageOfATest, IsItsLines) {
  const coverage cov = make_coverage(example());
  const auto tests = find_tests(cov, "S.A");
  ASSERT_EQ(tests.size(), 1U);
  EXPECT_EQ(find_tests(cov, "pre.S.A"), tests);
  const std::string said = tests_as_text(cov, somewhere(), tests);
  EXPECT_NE(said.find("pre.S.A (suite suite): 3 lines, 1 branch, 2 functions, 2 files\n"
                      "  src/lib.cpp: 2-3\n  src/lib.hpp: 3\n"),
            std::string::npos)
      << said;
  const json as_json = json::parse(tests_as_json(cov, somewhere(), tests));
  EXPECT_EQ(as_json["schema"], "morph.test-coverage/1");
  EXPECT_EQ(as_json["tests"][0]["files"][0], (json{{"path", "src/lib.cpp"},
                                                   {"lines", {2, 3}},
                                                   {"branches", {{3, 40}}},
                                                   {"conditions", json::array()},
                                                   {"functions", {"f(int)"}}}));
}

TEST(CoverageOfATest, HasTheOutcomesOfConditionsIfThereAreAny) {
  const coverage cov = make_coverage(with_conditions());
  const auto tests = find_tests(cov, "S.B");
  const std::string said = tests_as_text(cov, somewhere(), tests);
  EXPECT_NE(said.find("pre.S.B (suite suite): 3 lines, 0 branches, 1 outcome of conditions, 3 functions, 2 files"),
            std::string::npos)
      << said;
  EXPECT_EQ(json::parse(tests_as_json(cov, somewhere(), tests))["tests"][0]["files"][0]["conditions"],
            json::array({{3, 1, false}}));
}

TEST(CoverageOfATest, SaysThatItIsNotWholeOrNotThere) {
  const coverage cov = make_coverage(example());
  EXPECT_NE(
      tests_as_text(cov, somewhere(), find_tests(cov, "S.B")).find("files; it may run more: crashed, ended-early"),
      std::string::npos);
  EXPECT_NE(tests_as_text(cov, somewhere(), find_tests(cov, "S.C")).find("pre.S.C (suite suite): not measured\n"),
            std::string::npos);
}

TEST(CoverageOfALine, HasAllItsStates) {
  coverage cov = make_coverage(example());
  follow_changes(cov, std::vector{modified("src/lib.cpp", {{4, 1, 4, 1}})});
  const auto state = [&](const std::string& path, std::uint32_t number) { return ask_line(cov, path, number).state; };
  EXPECT_EQ(state("src/lib.cpp", 2), line_state::run);
  EXPECT_EQ(state("src/lib.cpp", 7), line_state::not_run);
  EXPECT_EQ(state("src/lib.cpp", 8), line_state::not_executable);
  EXPECT_EQ(state("src/lib.cpp", 4), line_state::unknown);
  EXPECT_EQ(state("src/plain.hpp", 1), line_state::not_executable);
  EXPECT_EQ(state("src/blind.cpp", 1), line_state::no_counters);
  EXPECT_EQ(state("src/nowhere.cpp", 1), line_state::in_no_program);
  const line_answer run = ask_line(cov, "src/lib.cpp", 2);
  EXPECT_NE(line_as_text(cov, somewhere(), run).find("src/lib.cpp:2 is run by 2 tests:\n  pre.S.A\n  pre.S.B\n"),
            std::string::npos);
  const json as_json = json::parse(line_as_json(cov, somewhere(), run));
  EXPECT_EQ(as_json["schema"], "morph.line-coverage/1");
  EXPECT_EQ(as_json["state"], "run");
  EXPECT_EQ(as_json["tests"][1]["name"], "pre.S.B");
}

TEST(CoverageOfALine, SaysWhoTookItsBranches) {
  const coverage cov = make_coverage(example());
  const line_answer run = ask_line(cov, "src/lib.cpp", 3);
  EXPECT_NE(line_as_text(cov, somewhere(), run)
                .find("src/lib.cpp:3 is run by 1 test:\n  pre.S.A\n"
                      "branch 0 is taken by no test\n"
                      "branch 40 is taken by 1 test:\n  pre.S.A\n"),
            std::string::npos)
      << line_as_text(cov, somewhere(), run);
  EXPECT_EQ(json::parse(line_as_json(cov, somewhere(), run))["branches"],
            (json{{{"number", 0}, {"tests", json::array()}}, {{"number", 40}, {"tests", {"pre.S.A"}}}}));
}

TEST(CoverageOfALine, SaysWhoSawItsTermsDecide) {
  const coverage cov = make_coverage(with_conditions());
  const line_answer run = ask_line(cov, "src/lib.cpp", 3);
  const std::string said = line_as_text(cov, somewhere(), run);
  EXPECT_NE(said.find("branch 40 is taken by 1 test:\n  pre.S.A\n"
                      "term 0 decides while true in 1 test:\n  pre.S.A\n"
                      "term 0 decides while false in no test\n"
                      "term 1 decides while true in no test\n"
                      "term 1 decides while false in 1 test:\n  pre.S.B\n"),
            std::string::npos)
      << said;
  EXPECT_EQ(json::parse(line_as_json(cov, somewhere(), run))["conditions"],
            (json{{{"term", 0}, {"value", true}, {"tests", {"pre.S.A"}}},
                  {{"term", 0}, {"value", false}, {"tests", json::array()}},
                  {{"term", 1}, {"value", true}, {"tests", json::array()}},
                  {{"term", 1}, {"value", false}, {"tests", {"pre.S.B"}}}}));
}

diff_coverage diff_of(const coverage& cov, const std::vector<changed_lines>& changed) {
  return make_diff(cov, changed, [](const std::string&, std::uint32_t number) { return number == 12; });
}

TEST(DiffCoverage, FindsChangedLinesThatNobodyRuns) {
  const coverage cov = make_coverage(example());
  diff_coverage diff = diff_of(cov, {{"src/lib.cpp", {{1, 2}, {4, 8}}, false}, {"src/plain.hpp", {{1, 9}}, false}});
  ASSERT_EQ(diff.files.size(), 1U);
  EXPECT_EQ(diff.files[0].run, (std::vector<std::uint32_t>{2, 6}));
  EXPECT_EQ(diff.files[0].not_run, (std::vector<std::uint32_t>{4, 7}));
  EXPECT_TRUE(diff.totals().has_findings());
  diff.revision = "main";
  const std::string said =
      diff_as_text(cov, somewhere(), diff, [](const std::string&, std::uint32_t) { return std::string("code"); });
  EXPECT_NE(said.find("src/lib.cpp:4: not run: code\nsrc/lib.cpp:7: not run: code\n"
                      "since main: 2 of 4 changed lines that can run are run by a test\n"),
            std::string::npos)
      << said;
  const json as_json = json::parse(diff_as_json(cov, somewhere(), diff));
  EXPECT_EQ(as_json["schema"], "morph.diff-coverage/1");
  EXPECT_EQ(as_json["totals"], (json{{"run", 2},
                                     {"not_run", 2},
                                     {"branches", {{"hit", 0}, {"total", 0}}},  // line 7 has two, and is not run
                                     {"unknown", 0},
                                     {"unknown_files", 0}}));
}

TEST(DiffCoverage, IsContentWithLinesThatAreRun) {
  const diff_coverage diff = diff_of(make_coverage(example()), {{"src/lib.cpp", {{1, 3}}, false}});
  EXPECT_EQ(diff.files[0].run.size(), 2U);
  EXPECT_FALSE(diff.totals().has_findings());
}

TEST(DiffCoverage, TellsOfBranchesThatNobodyTakes) {
  const coverage cov = make_coverage(example());
  diff_coverage diff = diff_of(cov, {{"src/lib.cpp", {{3, 3}}, false}});
  EXPECT_FALSE(diff.totals().has_findings());
  diff.revision = "main";
  const std::string said =
      diff_as_text(cov, somewhere(), diff, [](const std::string&, std::uint32_t) { return std::string("code"); });
  EXPECT_NE(said.find("src/lib.cpp:3: 1 of 2 branches not taken: code\n"
                      "since main: 1 of 1 changed lines that can run are run by a test; 1 of 2 branches are taken\n"),
            std::string::npos)
      << said;
  const json as_json = json::parse(diff_as_json(cov, somewhere(), diff));
  EXPECT_EQ(as_json["files"][0]["branches"], (json{{{"line", 3}, {"hit", 1}, {"total", 2}}}));
  EXPECT_EQ(as_json["totals"]["branches"], (json{{"hit", 1}, {"total", 2}}));
}

TEST(DiffCoverage, TakesNothingUnknownForRun) {
  coverage cov = make_coverage(example());
  follow_changes(cov, std::vector{modified("src/lib.cpp", {{9, 1, 9, 4}})});
  const diff_coverage diff = diff_of(cov, {{"src/blind.cpp", {{1, 1}}, false},
                                           {"src/lib.cpp", {{10, 14}}, false},
                                           {"src/lib.hpp", {}, true},
                                           {"src/new.cpp", {{1, 3}}, false}});
  ASSERT_EQ(diff.files.size(), 4U);
  EXPECT_EQ(diff.files[0].all_unknown, "is compiled without counters, or for a program that the build runs");
  EXPECT_EQ(diff.files[1].unknown, (std::vector<std::uint32_t>{10, 11}));  // 12 is blank, 13 and 14 are as measured
  EXPECT_EQ(diff.files[2].all_unknown, "cannot be compared with the revision by lines");
  EXPECT_EQ(diff.files[3].all_unknown, "is part of no measured program");
  EXPECT_EQ(diff.totals().unknown_files, 3U);
  EXPECT_TRUE(diff.totals().has_findings());
}

}  // namespace
}  // namespace morph::report_tests
