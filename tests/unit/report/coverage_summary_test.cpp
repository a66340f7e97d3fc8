// The whole report of hand-made evidence as a table and as JSON.
#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "plugin/report/summary.hpp"
#include "tests/unit/report/coverage_examples.hpp"

namespace morph::report_tests {
namespace {
using nlohmann::json;

TEST(CoverageSummary, HasARowForEachFolderAndFile) {
  evidence e = example();
  e.files[idle] = "idle.cpp";
  coverage cov = make_coverage(e);
  const std::string said = summary_as_text(cov, somewhere(), {});
  EXPECT_EQ(said.substr(0, said.find('\n')), "baseline 0123456789, 1 commit back: 3 of 4 tests measured");
  EXPECT_EQ(said.substr(said.find("\n\n") + 2),
            "  lines      of      %  branch.      of      %   funct.      of      %\n"
            "      0       1    0.0        0       0      -        0       1    0.0  ./\n"
            "      0       1    0.0        0       0      -        0       1    0.0    idle.cpp\n"
            "      5       7   71.4        1       4   25.0        3       3  100.0  src/\n"
            "      3       5   60.0        1       4   25.0        2       2  100.0    lib.cpp\n"
            "      1       1  100.0        0       0      -        1       1  100.0    lib.hpp\n"
            "      1       1  100.0        0       0      -        0       0      -    text.inc\n"
            "      5       8   62.5        1       4   25.0        3       4   75.0  total\n");
}

TEST(CoverageSummary, HasAColumnOfConditionsIfThereAreAny) {
  coverage cov = make_coverage(with_conditions());
  const std::string said = summary_as_text(cov, somewhere(), {});
  EXPECT_EQ(
      said.substr(said.find("\n\n") + 2),
      "  lines      of      %  branch.      of      %  condit.      of      %   funct.      of      %\n"
      "      5       8   62.5        1       4   25.0        2       6   33.3        3       4   75.0  src/\n"
      "      0       1    0.0        0       0      -        0       0      -        0       1    0.0    idle.cpp\n"
      "      3       5   60.0        1       4   25.0        2       6   33.3        2       2  100.0    lib.cpp\n"
      "      1       1  100.0        0       0      -        0       0      -        1       1  100.0    lib.hpp\n"
      "      1       1  100.0        0       0      -        0       0      -        0       0      -    text.inc\n"
      "      5       8   62.5        1       4   25.0        2       6   33.3        3       4   75.0  total\n");
  keep_files(cov, [](const std::string& path) { return path != "src/lib.cpp"; });
  EXPECT_EQ(summary_as_text(cov, somewhere(), {}).find("condit."), std::string::npos);
}

TEST(CoverageSummary, HasALineOfCoupledBranchesIfThereAreAny) {
  const coverage cov = make_coverage(example());
  const auto last_lines = [&](const coupled_figure& figure) {
    const std::string said = summary_as_text(cov, somewhere(), figure);
    return said.substr(said.find("total\n") + 6);
  };
  EXPECT_EQ(last_lines({{4, 4, 2, 1}, ""}),
            "\ncoupled branches: 4 of 8 covered (50.0 %), 2 not mapped, 1 changed since the measurement\n");
  EXPECT_EQ(last_lines({{0, 0, 3, 0}, ""}), "\ncoupled branches: 0 of 0 covered, 3 not mapped\n");
  EXPECT_EQ(last_lines({}), "");
  EXPECT_EQ(last_lines({{}, "no reader"}), "");
  EXPECT_NE(
      summary_as_text(cov, somewhere(), {{}, "no reader"}).find("note: coupled branches are not counted: no reader\n"),
      std::string::npos);
}

TEST(CoverageSummary, CallsNothingWholeThatIsNot) {
  evidence e = example();
  std::vector<element> ran;
  for (std::uint32_t i = 1; i <= 3000; ++i) e.executable_lines[plain].push_back(i);
  for (std::uint32_t i = 1; i < 3000; ++i) ran.push_back(line(plain, i));
  e.classes = fold_rows({{a, ran}});
  EXPECT_NE(summary_as_text(make_coverage(e), somewhere(), {}).find("2999    3000   99.9"), std::string::npos);
}

TEST(CoverageJson, GivesTheTestsOfALineByIndex) {
  coverage cov = make_coverage(example());
  follow_changes(cov, std::vector{modified("src/idle.cpp", {{1, 0, 2, 4}})});
  const json said = json::parse(coverage_as_json(cov, somewhere(), {}));
  EXPECT_EQ(said["schema"], "morph.coverage/1");
  EXPECT_EQ(said["base"]["commit"], "0123456789abcdef");
  EXPECT_EQ(said["base"]["tests"], (json{{"total", 4}, {"measured", 3}, {"doubtful", 1}}));
  EXPECT_EQ(said["totals"]["lines"], (json{{"hit", 5}, {"total", 8}}));
  EXPECT_EQ(said["notes"].size(), 3U);
  EXPECT_EQ(said["totals"]["coupled_branches"]["covered"], 0);
  EXPECT_EQ(said["tests"][1]["doubts"], (json{"crashed", "ended-early"}));
  EXPECT_EQ(said["tests"][2]["measured"], false);
  EXPECT_EQ(said["test_sets"][0], json::array());
  std::map<int, std::set<std::string>> read;
  for (const auto& file : said["files"]) {
    if (file["path"] == "src/idle.cpp") {
      EXPECT_EQ(file["unknown"], (json{{2, 5}}));
    }
    if (file["path"] != "src/lib.cpp") continue;
    EXPECT_EQ(file["functions"][0]["name"], "f(int)");
    EXPECT_EQ(file["functions"][0]["symbol"], "_Z1fi");
    EXPECT_EQ(file["totals"]["branches"], (json{{"hit", 1}, {"total", 4}}));
    EXPECT_EQ(file["branches"][0], (json{3, 0, 0}));
    EXPECT_EQ(said["test_sets"][file["branches"][1][2].get<std::size_t>()], (json{0}));
    for (const auto& l : file["lines"])
      for (int test : said["test_sets"][l[1].get<std::size_t>()])
        read[l[0]].insert(said["tests"][static_cast<std::size_t>(test)]["name"]);
  }
  EXPECT_EQ(read,
            (std::map<int, std::set<std::string>>{{2, {"pre.S.A", "pre.S.B"}}, {3, {"pre.S.A"}}, {6, {"pre.S.B"}}}));
}

TEST(CoverageJson, SaysWhyCoupledBranchesAreNotCounted) {
  const json said = json::parse(coverage_as_json(make_coverage(example()), somewhere(), {{}, "no reader"}));
  EXPECT_EQ(said["totals"]["coupled_branches"], nullptr);
  EXPECT_EQ(said["notes"].back(), "coupled branches are not counted: no reader");
}

TEST(CoverageJson, GivesTheTestsThatSawATermDecide) {
  const json said = json::parse(coverage_as_json(make_coverage(with_conditions()), somewhere(), {}));
  EXPECT_EQ(said["totals"]["conditions"], (json{{"hit", 2}, {"total", 6}}));
  const json& in_lib = said["files"][1];
  EXPECT_EQ(in_lib["totals"]["conditions"], (json{{"hit", 2}, {"total", 6}}));
  std::vector<json> read;
  for (const auto& outcome : in_lib["conditions"])
    read.push_back({outcome[0], outcome[1], outcome[2], said["test_sets"][outcome[3].get<std::size_t>()]});
  EXPECT_EQ(read, (std::vector<json>{{3, 0, true, {0}},
                                     {3, 0, false, json::array()},
                                     {3, 1, true, json::array()},
                                     {3, 1, false, {1}},
                                     {7, 32, true, json::array()},
                                     {7, 32, false, json::array()}}));
  EXPECT_EQ(said["files"][0]["conditions"], json::array());
  const json without = json::parse(coverage_as_json(make_coverage(example()), somewhere(), {}));
  EXPECT_EQ(without["totals"]["conditions"], (json{{"hit", 0}, {"total", 0}}));
}

}  // namespace
}  // namespace morph::report_tests
