// morph report coverage: on a measured project, after changes, in the formats of other tools, read by the real gcovr.
#include <fmt/format.h>

#include <cstdlib>
#include <set>
#include <sstream>

#include "shapes.hpp"

namespace morph::end_to_end {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

/// The shapes, and code that nobody runs, is written by the compiler, or is not linked.
void write_reported_shapes(const project& to) {
  write_shapes(to);
  to.replace("CMakeLists.txt", "src/scale.cpp)", "src/scale.cpp src/idle.cpp)");
  to.write("src/idle.cpp", "int idle() {\n  return 1;\n}\n");
  to.write("src/area.cpp", to.read("src/area.cpp") + R"(
struct box {
  box(int side) : sides(2, side) {}
  std::vector<int> sides;
};
box unit(1);

int volume(int side) {
  if (side < 0) {
    return 0;
  }
  return area(unit.sides[0], side) * side;
}
)");
  to.replace("src/area.cpp", "#include \"shapes.hpp\"", "#include \"shapes.hpp\"\n#include <vector>");
}

class coverage_report : public testing::Test {
 protected:
  coverage_report() : shared_(measured()), p(shared_.here()) { shared_.restore(); }

  static workspace& measured() {
    static workspace made(write_reported_shapes);
    return made;
  }

  finished report(names arguments = {}) const {
    arguments.insert(arguments.begin(), {"report", "coverage"});
    return p.morph(arguments);
  }
  json as_json(names arguments = {}) const {
    arguments.emplace_back("--json");
    const finished end = report(arguments);
    return json::parse(end.out);
  }
  static names tests_of(const json& answer) {
    names result;
    for (const auto& test : answer.at("tests")) result.push_back(test.at("name"));
    return result;
  }
  static std::map<std::uint32_t, bool> lines_of(const json& whole, const std::string& path) {
    std::map<std::uint32_t, bool> lines;
    for (const auto& file : whole.at("files"))
      if (file.at("path") == path)
        for (const auto& line : file.at("lines")) lines[line[0]] = line[1] != 0;
    return lines;
  }

  workspace& shared_;
  project& p;
};

TEST_F(coverage_report, counts_the_lines_of_each_file) {
  const finished end = report({"--only", "src/*.cpp", "--only", "src/*.hpp"});
  EXPECT_EQ(end.exit, 0) << end.err;
  EXPECT_EQ(end.out, "baseline " + p.git({"rev-parse", "HEAD"}).substr(0, 10) +
                         ", this commit: 5 of 5 tests measured\n"
                         "note: 1 source file of the repository in no measured program, missing here: src/idle.cpp\n"
                         "\n"
                         "  lines      of      %  branch.      of      %   funct.      of      %\n"
                         "      9      13   69.2        0       2    0.0        5       6   83.3  src/\n"
                         "      5       9   55.5        0       2    0.0        3       4   75.0    area.cpp\n"
                         "      2       2  100.0        0       0      -        1       1  100.0    scale.cpp\n"
                         "      2       2  100.0        0       0      -        1       1  100.0    shapes.hpp\n"
                         "      9      13   69.2        0       2    0.0        5       6   83.3  total\n");
}

TEST_F(coverage_report, has_the_lines_that_gcov_has) {
  std::map<std::string, std::set<std::uint32_t>> of_gcov;
  for (const auto& entry : fs::recursive_directory_iterator(p.build_dir() / "morph-twin" / "coverage")) {
    if (entry.path().extension() != ".gcno" || entry.path().filename() == "idle.cpp.gcno") continue;
    const finished gcov = p.run({"gcov", "--json-format", "--stdout", entry.path().string()});
    ASSERT_EQ(gcov.exit, 0) << gcov.err;
    const json said = json::parse(gcov.out);
    for (const auto& file : said.at("files")) {
      const std::string path = fs::path(file.at("file")).lexically_relative(p.root()).string();
      for (const auto& line : file.at("lines"))
        if (!path.starts_with("..")) of_gcov[path].insert(line.at("line_number").get<std::uint32_t>());
    }
  }
  ASSERT_TRUE(of_gcov.count("src/area.cpp") != 0 && of_gcov.count("tests/shapes_test.cpp") != 0);
  const json ours = as_json();
  EXPECT_EQ(ours.at("files").size(), of_gcov.size());
  for (const auto& [path, expected] : of_gcov) {
    std::set<std::uint32_t> lines;
    for (const auto& [line, is_run] : lines_of(ours, path)) lines.insert(line);
    EXPECT_EQ(lines, expected) << path;
  }
}

// gcov calls the last line of the condition not executed, though it reads it first; selection takes it for executed.
// In rows of Clang an instance has lines that only others have: its notes may leave out some of its own.
TEST(instances, are_shown_with_their_own_lines) {
  workspace w;
  project& p = w.here();
  write_shapes(p);
  p.write("src/part.hpp", R"(#pragma once
template <class T>
int part(T x) {
  int n = x;
  if constexpr (sizeof(T) == 1)
    n = 23;
  return n;
}
)");
  p.replace("CMakeLists.txt", "project(Shapes CXX)", "project(Shapes CXX)\nset(CMAKE_CXX_STANDARD 17)");
  p.replace("src/scale.cpp", "int scale(", "#include \"part.hpp\"\nint of_byte() { return part(true); }\nint scale(");
  p.write("tests/shapes_test.cpp", p.read("tests/shapes_test.cpp") + R"(
#include "part.hpp"
int of_byte();
TEST(Part, OfInt) {
  EXPECT_EQ(part(3), 3);
}
TEST(Part, OfByteNever) {
  if (part(4) == 5) of_byte();
}
)");
  p.start_repository();
  p.configure();
  p.build();
  p.measure();
  const auto said_of = [&](const std::string& line) { return p.morph({"report", "coverage", "--line", line}).out; };
  EXPECT_EQ(said_of("src/part.hpp:6"), "src/part.hpp:6 can run, but no test runs it\n");
  EXPECT_NE(said_of("src/part.hpp:7").find("src/part.hpp:7 is run by 2 tests:"), std::string::npos);
}

TEST(gcov_rule, is_that_of_reports_and_not_of_plans) {
  workspace w;
  project& p = w.here();
  write_shapes(p);
  p.write("src/wrapped.cpp", R"(#include <vector>
bool needs(const std::vector<int>& stack, const std::vector<int>& keys, unsigned depth) {
  const bool needed =
      (!stack.empty() && stack.back() == 1 &&
       keys.size() < depth);
  return needed;
}
)");
  p.replace("CMakeLists.txt", "src/scale.cpp)", "src/scale.cpp src/wrapped.cpp)");
  p.write("tests/shapes_test.cpp", p.read("tests/shapes_test.cpp") + R"(
#include <vector>
bool needs(const std::vector<int>& stack, const std::vector<int>& keys, unsigned depth);
TEST(Wrapped, Line) {
  EXPECT_FALSE(needs({}, {}, 1));
}
)");
  p.start_repository();
  p.configure();
  p.build();
  p.measure();

  const fs::path twin = p.build_dir() / "morph-twin" / "coverage", counters = p.root() / "build-gcda";
  const fs::path object = fs::path("CMakeFiles") / "shapes.dir" / "src" / "wrapped.cpp";
  p.set_variable("GCOV_PREFIX", counters.string());
  p.must_run({(twin / "shapes_tests").string()});
  p.unset_variable("GCOV_PREFIX");
  const fs::path data = counters / twin.relative_path() / object;
  fs::copy_file((twin / object).string() + ".gcno", data.string() + ".gcno");
  const finished gcov = p.run({"gcov", "--json-format", "--stdout", data.string() + ".gcda"});
  std::map<std::uint32_t, bool> of_gcov;
  const json said = json::parse(gcov.out);
  for (const auto& file : said.at("files"))
    if (fs::path(file.at("file")).filename() == "wrapped.cpp")
      for (const auto& line : file.at("lines")) of_gcov[line.at("line_number")] = line.at("count") != 0;
  ASSERT_EQ(of_gcov.count(5), 1U) << gcov.both();
  EXPECT_FALSE(of_gcov[5]);

  const json whole = json::parse(p.morph({"report", "coverage", "--json"}).out);
  std::map<std::uint32_t, bool> ours;
  for (const auto& file : whole.at("files"))
    if (file.at("path") == "src/wrapped.cpp")
      for (const auto& line : file.at("lines")) ours[line[0]] = line[1] != 0;
  EXPECT_EQ(ours, of_gcov);
  p.replace("src/wrapped.cpp", "keys.size() < depth", "depth > keys.size()");
  EXPECT_EQ(p.plan().selected(), names{"Wrapped.Line"});
}

TEST_F(coverage_report, says_who_runs_a_line) {
  const json run = as_json({"--line", "src/area.cpp:6"});
  EXPECT_EQ(run["state"], "run");
  EXPECT_EQ(tests_of(run), area_tests);
  EXPECT_EQ(as_json({"--line", "src/area.cpp:1"})["state"], "not-executable");
  EXPECT_EQ(as_json({"--line", "src/idle.cpp:2"})["state"], "in-no-program");
  const finished nobody = report({"--line", (p.root() / "src/area.cpp:21").string()});
  EXPECT_EQ(nobody.exit, 0);
  EXPECT_NE(nobody.out.find("src/area.cpp:21 can run, but no test runs it\n"), std::string::npos) << nobody.out;
  // What static initialization calls belongs to every test.
  EXPECT_EQ(sorted(tests_of(as_json({"--line", "src/area.cpp:14"}))), all_shapes);
}

TEST_F(coverage_report, agrees_with_the_plan) {
  for (const std::uint32_t line : {6U, 10U}) {
    const std::string place = fmt::format("src/area.cpp:{}", line);
    const names said = tests_of(as_json({"--line", place}));
    std::string text = p.read("src/area.cpp");
    const auto at = text.find(line == 6 ? " * " : "width + height)");
    p.write("src/area.cpp", text.replace(at, 0, " "));
    EXPECT_EQ(p.plan().selected(), sorted(said)) << place;
    shared_.restore();
  }
}

TEST_F(coverage_report, says_what_a_test_runs) {
  const json said = as_json({"--per-test", "Perimeter.OfSquare"});
  std::map<std::string, json> lines;
  for (const auto& file : said["tests"][0]["files"]) lines[file["path"]] = file["lines"];
  EXPECT_EQ(lines["src/area.cpp"], (json{9, 10, 14}));
  EXPECT_EQ(lines["src/shapes.hpp"], (json{7, 8}));
  EXPECT_EQ(lines.count("src/scale.cpp"), 0U);
}

TEST_F(coverage_report, stands_where_the_lines_are_now) {
  p.replace("src/area.cpp", "// Areas.\n", "// Areas.\n// Of shapes.\n\n");
  p.replace("src/area.cpp", "width * height", "height * width");
  EXPECT_EQ(tests_of(as_json({"--line", "src/area.cpp:12"})), names{"Perimeter.OfSquare"});
  EXPECT_EQ(as_json({"--line", "src/area.cpp:8"})["state"], "unknown");
  const finished end = report();
  EXPECT_EQ(end.exit, 0);
  EXPECT_NE(end.out.find("note: 1 file changed since the measurement (src/area.cpp): nothing is known of 3 new or "
                         "changed lines;"),
            std::string::npos)
      << end.out;
  const json whole = as_json();
  EXPECT_EQ(whole["base"]["changed"], json{"src/area.cpp"});
  EXPECT_EQ(lines_of(whole, "src/area.cpp").count(8), 0U);
}

TEST_F(coverage_report, finds_changed_lines_that_nobody_runs) {
  const finished none = report({"--diff", "HEAD"});
  EXPECT_EQ(none.exit, 0);
  EXPECT_NE(none.out.find("since HEAD: 0 of 0 changed lines"), std::string::npos) << none.out;

  p.replace("src/area.cpp", "int perimeter(int width, int height) {",
            "int perimeter(int width, int height) {\n  if (width > 99) {\n    return 0;\n  }\n\n  // Twice.");
  p.write("src/new.cpp", "int made() {\n  return 1;\n}\n");
  const finished unmeasured = report({"--diff", "HEAD"});
  EXPECT_EQ(unmeasured.exit, 1);
  EXPECT_NE(unmeasured.out.find("src/area.cpp:11: not known: return 0;\n"), std::string::npos) << unmeasured.out;
  EXPECT_NE(unmeasured.out.find("src/new.cpp: not known, it is part of no measured program\n"), std::string::npos);

  p.replace("CMakeLists.txt", "add_library(shapes", "add_library(shapes src/new.cpp");
  p.commit("a special case");
  p.build();
  p.measure();
  const finished measured = report({"--diff", "HEAD~1"});
  EXPECT_EQ(measured.exit, 1);
  EXPECT_NE(measured.out.find("src/area.cpp:11: not run: return 0;\n"), std::string::npos) << measured.out;
  EXPECT_NE(measured.out.find("since HEAD~1: 1 of 2 changed lines that can run are run by a test; 1 of 2 branches are "
                              "taken; nothing is known of "
                              "1 file\n"),
            std::string::npos)
      << measured.out;
  const json said = as_json({"--diff", "HEAD~1"});
  EXPECT_EQ(said["files"][0]["not_run"], json{11});
  EXPECT_EQ(said["since"]["commit"], p.git({"rev-parse", "HEAD~1"}));
  EXPECT_EQ(report({"--diff", "HEAD~1", "--only", "tests/"}).exit, 0);
}

TEST_F(coverage_report, counts_tests_that_may_have_run_more) {
  p.replace("tests/shapes_test.cpp", "EXPECT_EQ(area(1, 3), 3);", "EXPECT_EQ(area(1, 3), 4);");
  p.commit("a failure");
  p.build();
  p.measure();
  const json said = as_json();
  EXPECT_EQ(said["base"]["tests"], (json{{"total", 5}, {"measured", 5}, {"doubtful", 1}}));
  EXPECT_EQ(said["notes"][0], "1 of 5 tests may run more than is known: Area.OfStrip (failed)");
}

TEST_F(coverage_report, is_written_for_lcov) {
  const fs::path file = p.root() / "build" / "reports" / "coverage.info";
  const finished end = report({"--format", "lcov", "-o", file.string()});
  ASSERT_EQ(end.exit, 0) << end.err;
  EXPECT_EQ(end.out, "");
  EXPECT_NE(end.err.find("morph: 1 source file of the repository in no measured program"), std::string::npos);
  const std::string text = read_bytes(file);
  EXPECT_NE(text.find("TN:Scale_ByTwo\nSF:" + (p.root() / "src/scale.cpp").string() +
                      "\nFN:4,_Z5scalei\nFNDA:1,_Z5scalei\nFNF:1\nFNH:1\nDA:4,1\nDA:5,1\nLF:2\nLH:2\nend_of_record\n"),
            std::string::npos)
      << text;
}

TEST_F(coverage_report, is_read_by_lcov_and_genhtml) {
  const bool is_there = p.run({"sh", "-c", "command -v lcov && command -v genhtml"}).exit == 0;
  if (!is_there) GTEST_SKIP() << "not run: there is no lcov here (Debian: apt install lcov)";
  const std::string file = (p.build_dir() / "coverage.info").string(), pages = (p.build_dir() / "pages").string();
  ASSERT_EQ(report({"--format", "lcov", "-o", file, "-q"}).exit, 0);
  const finished summary = p.run({"lcov", "--rc", "lcov_branch_coverage=1", "--summary", file});
  ASSERT_EQ(summary.exit, 0) << summary.both();
  const json totals = as_json()["totals"];
  for (const char* what : {"lines", "functions", "branches"}) {
    const std::string count =
        "(" + totals[what]["hit"].dump() + " of " + totals[what]["total"].dump() + " " + what + ")";
    EXPECT_NE(summary.both().find(count), std::string::npos) << count << '\n' << summary.both();
  }
  const finished html = p.run({"genhtml", "--show-details", "-o", pages, file});
  ASSERT_EQ(html.exit, 0) << html.both();
  EXPECT_EQ(p.run({"grep", "-rq", "Scale_ByTwo", pages}).exit, 0) << html.both();
}

TEST_F(coverage_report, is_read_by_gcovr) {
  const bool is_there = p.run({"sh", "-c", "command -v gcovr"}).exit == 0;
  if (!is_there) GTEST_SKIP() << "not run: there is no gcovr here (Debian: apt install gcovr)";
  const fs::path file = p.build_dir() / "coverage.json";
  ASSERT_EQ(report({"--format", "gcovr", "-o", file.string(), "-q"}).exit, 0);
  const finished gcovr =
      p.run({"gcovr", "-r", p.root().string(), "-a", file.string(), "--xml", (p.build_dir() / "c.xml").string(),
             "--html-details", (p.build_dir() / "c.html").string(), "--json", (p.build_dir() / "again.json").string(),
             "--json-summary", (p.build_dir() / "summary.json").string(), "--sonarqube",
             (p.build_dir() / "sonarqube.xml").string(), "--coveralls", (p.build_dir() / "coveralls.json").string()});
  ASSERT_EQ(gcovr.exit, 0) << gcovr.both();

  const json ours = as_json(), summary = json::parse(read_bytes(p.build_dir() / "summary.json"));
  EXPECT_EQ(summary["line_total"], ours["totals"]["lines"]["total"]);
  EXPECT_EQ(summary["line_covered"], ours["totals"]["lines"]["hit"]);
  EXPECT_EQ(summary["branch_total"], ours["totals"]["branches"]["total"]);
  EXPECT_EQ(summary["branch_covered"], ours["totals"]["branches"]["hit"]);
  EXPECT_EQ(summary["function_total"], ours["totals"]["functions"]["total"]);
  EXPECT_EQ(summary["function_covered"], ours["totals"]["functions"]["hit"]);
  const json again = json::parse(read_bytes(p.build_dir() / "again.json"));
  const json written = json::parse(read_bytes(file));
  EXPECT_EQ(again["files"].size(), written["files"].size());
  for (std::size_t i = 0; i < written["files"].size(); ++i) {
    EXPECT_EQ(again["files"][i]["file"], written["files"][i]["file"]);
    EXPECT_EQ(again["files"][i]["lines"], written["files"][i]["lines"]);
  }
  // Two of five tests compute an area.
  EXPECT_NE(read_bytes(p.build_dir() / "c.xml").find("<line number=\"6\" hits=\"2\" branch=\"false\"/>"),
            std::string::npos);
  EXPECT_NE(read_bytes(p.build_dir() / "c.html").find("area.cpp"), std::string::npos);
  // Nobody comes to the `if`.
  EXPECT_NE(read_bytes(p.build_dir() / "c.xml")
                .find("<line number=\"20\" hits=\"0\" branch=\"true\" condition-coverage=\"0% (0/2)\">"),
            std::string::npos);
  const std::string sonarqube = read_bytes(p.build_dir() / "sonarqube.xml");
  EXPECT_NE(sonarqube.find("<lineToCover lineNumber=\"6\" covered=\"true\"/>"), std::string::npos) << sonarqube;
  EXPECT_NE(sonarqube.find("<lineToCover lineNumber=\"20\" covered=\"false\" branchesToCover=\"2\" "
                           "coveredBranches=\"0\"/>"),
            std::string::npos)
      << sonarqube;
  const json coveralls = json::parse(read_bytes(p.build_dir() / "coveralls.json"));
  EXPECT_EQ(coveralls.at("source_files")[0].at("name"), "src/area.cpp");
  EXPECT_EQ(coveralls.at("source_files")[0].at("coverage")[5], 2);
}

TEST_F(coverage_report, is_a_target_of_the_build_as_the_how_to_has_it) {
  const bool is_there = p.run({"sh", "-c", "command -v gcovr"}).exit == 0;
  if (!is_there) GTEST_SKIP() << "not run: there is no gcovr here (Debian: apt install gcovr)";
  const std::string how_to = read_bytes(MORPH_SOURCE_DIR "/docs/how-to/coverage.md");
  const auto begin = how_to.find("```cmake\n") + 9, end = how_to.find("```", begin);
  p.write("CMakeLists.txt", p.read("CMakeLists.txt") + how_to.substr(begin, end - begin));
  p.commit("a target");
  p.configure();
  const finished built = p.run({"cmake", "--build", p.build_dir().string(), "--target", "coverage"});
  ASSERT_EQ(built.exit, 0) << built.both();
  for (const char* file : {"coverage.html", "coverage.xml", "sonarqube.xml", "coveralls.json"})
    EXPECT_NE(read_bytes(p.build_dir() / file).find("area.cpp"), std::string::npos) << file;
}

TEST_F(coverage_report, says_what_is_wrong_with_a_question) {
  const auto refused = [&](names arguments, int exit, const std::string& message) {
    const finished end = report(std::move(arguments));
    EXPECT_EQ(end.exit, exit) << end.both();
    EXPECT_NE(end.err.find(message), std::string::npos) << end.err;
  };
  refused({"--per-test", "Area.OfCircle"}, 2, "the measurement has no test 'Area.OfCircle'; `ctest -N` lists");
  refused({"--line", "src/area.cpp"}, 2, "'src/area.cpp' does not name a line; write FILE:LINE");
  refused({"--line", "src/area.cpp:0"}, 2, "does not name a line");
  refused({"--line", "src/round.cpp:3"}, 2, "there is no file 'src/round.cpp'");
  refused({"--line", "src/scale.cpp:70"}, 2, "'src/scale.cpp' has 6 lines, there is no line 70");
  refused({"--diff", "nowhere"}, 2, "revision 'nowhere'");
  refused({"--format", "lcov", "--diff", "HEAD"}, 2, "--format lcov is a form of the whole report");
  refused({"--format", "gcovr", "--json"}, 2, "leave out --json");
  refused({"--without", "src/", "--without", "tests/"}, 2, "no measured file is left by --only and --without");
  refused({"-o", "/proc/none/report"}, 3, "cannot write '/proc/none/report'");
  p.remove(".morph/evidence.db");
  refused({}, 3, "nothing was measured yet; run `cmake --build");
}

}  // namespace
}  // namespace morph::end_to_end
