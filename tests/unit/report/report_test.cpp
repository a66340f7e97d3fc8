// Coverage reports on hand-made evidence: the model, what changes do to it, every form read back.
#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "plugin/report/answers.hpp"
#include "plugin/report/tracefiles.hpp"

namespace {

using namespace morph::report;
using namespace morph::store;
using morph::git::file_change;
using morph::git::hunk;
using morph::git::line_range;
using morph::optimizer::requirement_kind;
using nlohmann::json;

// src/lib.cpp: f on lines 2 to 4, g on 6 to 7 (nobody runs line 7), a global on line 9 that static initialization
// makes. Line 3 of it has two branches, 7 has two that nobody takes. src/lib.hpp: a class with two symbols for its
// constructor on line 3, and an implicit destructor on line 2. src/idle.cpp: h on line 1, run by nobody. src/text.inc:
// a line, and no function. Tests: 0 start-up (line 3 of lib.hpp), 1 S.A, 2 S.B (crashed), 3 S.C (not measured), 4 S/A.
constexpr std::uint32_t startup = 0, a = 1, b = 2, c = 3, slash_a = 4;
constexpr std::uint32_t lib = 0, header = 1, idle = 2, plain = 3, blind = 4, text = 5;

element line(std::uint32_t file, std::uint32_t number) {
  return make_element(requirement_kind::line, file, number);
}
element branch(std::uint32_t file, std::uint32_t line, std::uint32_t number) {
  return make_element(requirement_kind::branch, file, branches_of_line * line + number);
}
element condition(std::uint32_t file, std::uint32_t line, std::uint32_t number) {
  return make_element(requirement_kind::condition, file, branches_of_line * line + number);
}
element unshown(std::uint32_t file, std::uint32_t line) {
  return make_element(requirement_kind::unshown, file, line);
}
element function(std::uint32_t number) {
  return make_element(requirement_kind::function, 0, number);
}

evidence example() {
  evidence e;
  e.info.complete = true;
  e.files = {"src/lib.cpp", "src/lib.hpp", "src/idle.cpp", "src/plain.hpp", "src/blind.cpp", "src/text.inc"};
  e.executable_lines = {{2, 3, 4, 6, 7, 9}, {2, 3}, {1}, {}, {}, {5}};
  e.branches = {{number_of(branch(lib, 3, 0)), number_of(branch(lib, 3, 40)), number_of(branch(lib, 7, 0)),
                 number_of(branch(lib, 7, 1))},
                {},
                {},
                {},
                {},
                {}};
  e.conditions.resize(e.files.size());
  e.programs = {{"suite", "tests"}};
  for (const char* name : {"", "S.A", "S.B", "S.C", "S/A"}) {
    measured_test t;
    t.case_name = name;
    t.name = name[0] == 0 ? "" : std::string("pre.") + name;
    t.measured = true;
    e.tests.push_back(t);
  }
  e.tests[b].how = outcome::crashed;
  e.tests[b].incomplete = 4;
  e.tests[c].measured = false;
  e.units = {{"lib.o", lib, {lib, header, plain, text}, false},
             {"idle.o", idle, {idle}, false},
             {"blind.o", blind, {header, blind}, true}};
  e.functions = {{"_Z1fi", lib, 2, 4, false},
                 {"_Z1gv", lib, 6, 7, false},
                 {"_Z41__static_initialization_and_destruction_0ii", lib, 9, 9, true},
                 {"_ZN1AC1Ev", header, 3, 3, false},
                 {"_ZN1AC2Ev", header, 3, 3, false},
                 {"_ZN1AD2Ev", header, 2, 2, true},
                 {"_Z1hv", idle, 1, 1, false}};
  e.classes = fold_rows({{startup, {line(lib, 9), line(header, 3), function(2), function(4)}},
                         {a, {line(lib, 2), line(lib, 3), line(lib, 40), function(0), branch(lib, 3, 40)}},
                         {b, {line(lib, 2), line(lib, 6), line(header, 2), function(0), function(1), function(5)}},
                         {slash_a, {line(text, 5)}}});
  for (auto& k : e.classes) std::sort(k.elements.begin(), k.elements.end());
  return e;
}

/// As GCC 14 compiles it: a condition of two terms on line 3 of src/lib.cpp, of which S.A saw the first decide while
/// true and S.B the second while false; one of a term on line 7; one on a line that cannot run.
evidence with_conditions() {
  evidence e = example();
  for (const std::uint32_t number : {0U, 1U, 2U, 3U}) e.conditions[lib].push_back(number_of(condition(lib, 3, number)));
  for (const std::uint32_t number : {0U, 1U}) e.conditions[lib].push_back(number_of(condition(lib, 5, number)));
  for (const std::uint32_t number : {64U, 65U}) e.conditions[lib].push_back(number_of(condition(lib, 7, number)));
  e.classes.push_back({{a}, {condition(lib, 3, 0)}});
  e.classes.push_back({{b}, {condition(lib, 3, 3)}});
  return e;
}

using names = std::vector<std::string>;

names test_names(const coverage& cov, set_id set) {
  names result;
  for (std::uint32_t t : cov.test_sets[set]) result.push_back(cov.tests[t].facts.case_name);
  return result;
}

std::map<std::uint32_t, names> lines_of(const coverage& cov, const std::string& path) {
  std::map<std::uint32_t, names> result;
  for (const auto& l : cov.find(path)->lines) result[l.number] = test_names(cov, l.tests);
  return result;
}

std::map<std::string, names> functions_of(const coverage& cov, const std::string& path) {
  std::map<std::string, names> result;
  for (const auto& f : cov.find(path)->functions) result[f.name] = test_names(cov, f.tests);
  return result;
}

file_change modified(const std::string& path, std::vector<hunk> hunks) {
  file_change change;
  change.path = path;
  change.hunks = std::move(hunks);
  return change;
}

origin somewhere() {
  return {"0123456789abcdef", 1, true, {}, {}};
}

// ---- the model

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

// ---- changes

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

// ---- text and JSON

TEST(CoverageSummary, HasARowForEachFolderAndFile) {
  evidence e = example();
  e.files[idle] = "idle.cpp";
  coverage cov = make_coverage(e);
  const std::string said = summary_as_text(cov, somewhere());
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
  const std::string said = summary_as_text(cov, somewhere());
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
  EXPECT_EQ(summary_as_text(cov, somewhere()).find("condit."), std::string::npos);
}

TEST(CoverageSummary, CallsNothingWholeThatIsNot) {
  evidence e = example();
  std::vector<element> ran;
  for (std::uint32_t i = 1; i <= 3000; ++i) e.executable_lines[plain].push_back(i);
  for (std::uint32_t i = 1; i < 3000; ++i) ran.push_back(line(plain, i));
  e.classes = fold_rows({{a, ran}});
  EXPECT_NE(summary_as_text(make_coverage(e), somewhere()).find("2999    3000   99.9"), std::string::npos);
}

TEST(CoverageJson, GivesTheTestsOfALineByIndex) {
  coverage cov = make_coverage(example());
  follow_changes(cov, std::vector{modified("src/idle.cpp", {{1, 0, 2, 4}})});
  const json said = json::parse(coverage_as_json(cov, somewhere()));
  EXPECT_EQ(said["schema"], "morph.coverage/1");
  EXPECT_EQ(said["base"]["commit"], "0123456789abcdef");
  EXPECT_EQ(said["base"]["tests"], (json{{"total", 4}, {"measured", 3}, {"doubtful", 1}}));
  EXPECT_EQ(said["totals"]["lines"], (json{{"hit", 5}, {"total", 8}}));
  EXPECT_EQ(said["notes"].size(), 3U);
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

TEST(CoverageJson, GivesTheTestsThatSawATermDecide) {
  const json said = json::parse(coverage_as_json(make_coverage(with_conditions()), somewhere()));
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
  const json without = json::parse(coverage_as_json(make_coverage(example()), somewhere()));
  EXPECT_EQ(without["totals"]["conditions"], (json{{"hit", 0}, {"total", 0}}));
}

// ---- tracefiles

std::string written(const std::function<void(const text_sink&)>& write) {
  std::string all;
  write([&](std::string_view part) { all += part; });
  return all;
}

struct section {
  std::string test, file;
  std::map<std::string, int> functions, function_lines, lines;
  std::map<std::string, std::string> branches;  // by line, block and branch
  std::map<std::string, int> sums;              // LF, LH, BRF, BRH, FNF, FNH
};

/// The records of geninfo(1).
std::vector<section> read_lcov(const std::string& tracefile) {
  std::vector<section> sections;
  section now;
  std::istringstream in(tracefile);
  for (std::string record; std::getline(in, record);) {
    const std::string key = record.substr(0, record.find(':'));
    const std::string value = record.substr(std::min(record.size(), key.size() + 1));
    const auto comma = value.find(',');
    if (key == "TN") {
      now = {};
      now.test = value;
    } else if (key == "SF") {
      now.file = value;
    } else if (key == "FN") {
      now.function_lines[value.substr(comma + 1)] = std::stoi(value);
    } else if (key == "FNDA") {
      now.functions[value.substr(comma + 1)] = std::stoi(value);
    } else if (key == "DA") {
      now.lines[value.substr(0, comma)] = std::stoi(value.substr(comma + 1));
    } else if (key == "BRDA") {
      now.branches[value.substr(0, value.rfind(','))] = value.substr(value.rfind(',') + 1);
    } else if (key == "end_of_record") {
      sections.push_back(now);
    } else {
      now.sums[key] = std::stoi(value);
    }
  }
  return sections;
}

TEST(Lcov, HasASectionForEachTestAndFile) {
  const auto sections =
      read_lcov(written([](const text_sink& out) { write_lcov(make_coverage(example()), "/top", out); }));
  names heads;
  for (const auto& s : sections) heads.push_back(s.test + " " + s.file);
  EXPECT_EQ(heads, (names{"pre_S_A /top/src/lib.cpp", "pre_S_A /top/src/lib.hpp", "pre_S_B /top/src/lib.cpp",
                          "pre_S_B /top/src/lib.hpp", "pre_S_A_2 /top/src/lib.hpp", "pre_S_A_2 /top/src/text.inc",
                          " /top/src/idle.cpp"}));
  const section& first = sections.front();
  EXPECT_EQ(first.lines, (std::map<std::string, int>{{"2", 1}, {"3", 1}, {"4", 0}, {"6", 0}, {"7", 0}}));
  EXPECT_EQ(first.functions, (std::map<std::string, int>{{"_Z1fi", 1}, {"_Z1gv", 0}}));
  EXPECT_EQ(first.function_lines, (std::map<std::string, int>{{"_Z1fi", 2}, {"_Z1gv", 6}}));
  EXPECT_EQ(first.branches,
            (std::map<std::string, std::string>{{"3,0,0", "0"}, {"3,0,40", "1"}, {"7,0,0", "-"}, {"7,0,1", "-"}}));
  EXPECT_EQ(sections[2].branches.at("3,0,40"), "-");  // another test, which does not run the line
  EXPECT_EQ(first.sums,
            (std::map<std::string, int>{{"LF", 5}, {"LH", 2}, {"BRF", 4}, {"BRH", 1}, {"FNF", 2}, {"FNH", 1}}));
  EXPECT_EQ(sections.back().sums, (std::map<std::string, int>{{"LF", 1}, {"LH", 0}, {"FNF", 1}, {"FNH", 0}}));
}

TEST(Lcov, HasNoRecordsOfConditionsWhichItsReadersBefore23Refuse) {
  const auto tracefile = [](const evidence& e) {
    return written([&](const text_sink& out) { write_lcov(make_coverage(e), "/top", out); });
  };
  EXPECT_EQ(tracefile(with_conditions()), tracefile(example()));
}

TEST(Lcov, AddsUpToTheNumberOfTests) {
  const coverage cov = make_coverage(example());
  std::map<std::string, std::map<std::uint32_t, std::size_t>> sums;
  for (const auto& s : read_lcov(written([&](const text_sink& out) { write_lcov(cov, "", out); })))
    for (const auto& [number, count] : s.lines)
      sums[s.file.substr(1)][static_cast<std::uint32_t>(std::stoul(number))] += static_cast<std::size_t>(count);
  for (const auto& file : cov.files)
    for (const auto& l : file.lines) EXPECT_EQ(sums[file.path].at(l.number), cov.count(l.tests));
}

TEST(Gcovr, CountsTests) {
  const json said = json::parse(written([](const text_sink& out) { write_gcovr(make_coverage(example()), out); }));
  EXPECT_EQ(said["gcovr/format_version"], "0.3");
  names files;
  for (const auto& file : said["files"]) files.push_back(file["file"]);
  EXPECT_EQ(files, (names{"src/idle.cpp", "src/lib.cpp", "src/lib.hpp", "src/text.inc"}));
  const json& in_lib = said["files"][1];
  EXPECT_EQ(in_lib["lines"][0], (json{{"line_number", 2},
                                      {"count", 2},
                                      {"branches", json::array()},
                                      {"gcovr/noncode", false},
                                      {"gcovr/excluded", false}}));
  EXPECT_EQ(in_lib["lines"][1]["branches"], (json{{{"count", 0}, {"fallthrough", false}, {"throw", false}},
                                                  {{"count", 1}, {"fallthrough", false}, {"throw", false}}}));
  EXPECT_EQ(in_lib["functions"][1], (json{{"name", "g()"}, {"lineno", 6}, {"execution_count", 1}}));
}

TEST(Gcovr, TellsFunctionsOfOneNameApart) {
  evidence e = example();
  e.functions.push_back({"_Z1fi", lib, 6, 7, false});
  const json said = json::parse(written([&](const text_sink& out) { write_gcovr(make_coverage(e), out); }));
  EXPECT_EQ(said["files"][1]["functions"][1]["name"], "f(int) (line 6)");
}

TEST(Tracefiles, OfNothingAreWhole) {
  EXPECT_EQ(written([](const text_sink& out) { write_lcov(make_coverage({}), "/top", out); }), "");
  EXPECT_EQ(json::parse(written([](const text_sink& out) { write_gcovr(make_coverage({}), out); }))["files"],
            json::array());
}

// ---- answers

TEST(CoverageOfATest, IsItsLines) {
  const coverage cov = make_coverage(example());
  const auto tests = find_tests(cov, "S.A");
  ASSERT_EQ(tests.size(), 1U);
  EXPECT_EQ(find_tests(cov, "pre.S.A"), tests);
  const std::string said = tests_as_text(cov, somewhere(), tests);
  EXPECT_NE(said.find("pre.S.A (suite suite): 3 lines, 1 branches, 2 functions, 2 files\n"
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
  EXPECT_NE(said.find("pre.S.B (suite suite): 3 lines, 0 branches, 1 outcomes of conditions, 3 functions, 2 files"),
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
