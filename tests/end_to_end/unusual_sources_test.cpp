// Production code in a test program, sources whose lines #line calls otherwise, programs of tests that nothing
// registers.
#include <gtest/gtest.h>

#include <cstdlib>
#include <set>

#include "project.hpp"
#include "shop.hpp"

namespace morph::end_to_end {
namespace {

using nlohmann::json;

/// "src/area.cpp:5" for each line that has a mutant.
std::set<std::string> mutated_lines(const json& found) {
  std::set<std::string> lines;
  for (const auto& m : found.at("mutants"))
    lines.insert(m.at("file").get<std::string>() + ":" + std::to_string(m.at("line").get<int>()));
  return lines;
}

// ---- production code in the test program

void write_tests_beside_production(const project& to) {
  to.write("CMakeLists.txt", R"(cmake_minimum_required(VERSION 3.25)
project(App CXX)
set(CMAKE_CXX_STANDARD 17)
enable_testing()
find_package(Morph REQUIRED)
add_executable(app main.cpp factorial.cpp grade.cpp)
morph_add_suite(s TARGET app FRAMEWORK doctest)
)");
  to.write("main.cpp", R"(#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>
int factorial(int n);
static int three() { return 1 + 2; }
TEST_CASE("factorial of three") { CHECK(factorial(three()) == 6); }
)");
  to.write("factorial.cpp", R"(int factorial(int n) {
  return n <= 1 ? 1 : factorial(n - 1) * n;
}
)");
  to.write("grade.cpp", R"(#include <doctest/doctest.h>
static int rounded(int points) {
  return points / 10 * 10;
}
int grade(int points) {
  return rounded(points) + 1;
}
TEST_CASE("grade") {
  int points = 20 + 7;
  CHECK(grade(points) == 21);
}
)");
}

class tests_beside_production : public testing::Test {
 protected:
  tests_beside_production() : p(measured().here()) {}
  ~tests_beside_production() override { measured().restore(); }
  static workspace& measured() {
    static workspace shared(write_tests_beside_production);
    return shared;
  }
  project& p;
};

TEST_F(tests_beside_production, have_no_mutants_and_the_rest_of_the_program_has) {
  const found_mutants found = mutate(p);
  EXPECT_EQ(mutated_lines(found.json), (std::set<std::string>{"factorial.cpp:1", "factorial.cpp:2", "grade.cpp:2",
                                                              "grade.cpp:3", "grade.cpp:5", "grade.cpp:6"}));
  EXPECT_EQ(found.states().at("factorial.cpp:2 aor factorial(n - 1) - n"), "killed");
  EXPECT_EQ(found.states().at("grade.cpp:6 aor rounded(points) - 1"), "killed");
  EXPECT_GT(found.json.at("left_out").at("test code"), 2);
  EXPECT_GT(found.json.at("score"), 0.5);
}

TEST_F(tests_beside_production, are_judged_again_when_they_change) {
  const std::string mutant = "grade.cpp:6 aor rounded(points) - 1";
  EXPECT_EQ(mutate(p).states().at(mutant), "killed");
  p.replace("grade.cpp", "CHECK(grade(points) == 21)", "CHECK(grade(points) > 0)");
  EXPECT_EQ(mutate(p).states().at(mutant), "survived");
}

TEST_F(tests_beside_production, are_told_from_it_in_reasons) {
  p.replace("grade.cpp", "rounded(points) + 1", "1 + rounded(points)");
  EXPECT_EQ(p.plan().reasons("grade"), names{"changed-code:grade.cpp:6"});
  p.replace("grade.cpp", "1 + rounded(points)", "rounded(points) + 1");
  p.replace("grade.cpp", "20 + 7", "20 + 8");
  EXPECT_EQ(p.plan().reasons("grade"), names{"changed-test"});
}

TEST_F(tests_beside_production, are_no_score_where_nothing_is_judged) {
  const finished none = p.morph({"mutate", "--only", "nothing.cpp", "--fail-under", "99"});
  EXPECT_EQ(none.exit, 3) << none.both();
  EXPECT_NE(none.out.find("mutation score none: no mutant is left by --only nothing.cpp"), std::string::npos)
      << none.out;
  EXPECT_NE(none.err.find("there is no mutation score: no mutant is left by --only nothing.cpp; "), std::string::npos)
      << none.err;
  EXPECT_EQ(p.morph({"mutate", "--only", "nothing.cpp"}).exit, 0);
  const finished as_json = p.morph({"report", "mutation", "--json"});
  EXPECT_EQ(json::parse(as_json.out).at("score"), nullptr);
  p.write("part.json", as_json.out);
  EXPECT_EQ(p.morph({"report", "mutation", "--from", "part.json", "part.json", "--fail-under", "1"}).exit, 3);
  for (const char* form : {"text", "mte", "html", "sarif", "github", "junit", "csv", "kills"}) {
    const finished report = p.morph({"report", "mutation", "--format", form});
    EXPECT_EQ(report.exit, 0) << report.both();
    EXPECT_EQ(report.out.find("100.0"), std::string::npos) << report.out.substr(0, 300);
  }
}

// ---- #line

const names directed_tests{"Kept.IsDoubled", "Parser.Numbers", "Parser.Skips", "Parser.Words",
                           "Short.IsHalved", "Wrong.First",    "Wrong.Second"};

void write_directed(const project& to) {
  const std::string root = to.root().string();
  to.write("CMakeLists.txt", R"(cmake_minimum_required(VERSION 3.25)
project(Directed CXX)
set(CMAKE_CXX_STANDARD 17)
enable_testing()
find_package(GTest REQUIRED)
find_package(Morph REQUIRED)
add_library(parser src/parser.cpp src/kept.cpp src/wrong.cpp)
add_executable(parser_tests tests/parser_test.cpp)
target_link_libraries(parser_tests parser GTest::gtest_main)
morph_add_suite(parser TARGET parser_tests)
)");
  to.write("src/parser.cpp", R"(int skip(int c) {
  return c + 1;
}
#line 100 "grammar.y"
int number(int c) {
  if (c > 5) {
    return c - 5;
  }
  return c;
}
#line 40 "/home/of/others/grammar.y"
int word(int c) {
  return c * 2;
}
)");
  to.write("src/kept.y", "%%\nint kept(int c) {\n  return 2 * c;\n}\n%%\n");
  to.write("src/kept.cpp", "// made of kept.y\n\n\n#line 2 \"" + root + "/src/kept.y\"\n" +
                               "int kept(int c) {\n  return 2 * c;\n}\n" + "#line 90 \"" + root + "/src/kept.cpp\"\n" +
                               "int halved(int c) {\n  return c / 2;\n}\n");
  const std::string own = "\"" + root + "/src/wrong.cpp\"\n";
  to.write("src/wrong.cpp", "#line 5 " + own + "int first(int a) {\n  return a + 1;\n}\n" + "#line 20 " + own +
                                "int second(int a) {\n  return a + 2;\n}\n");
  to.write("tests/parser_test.cpp", R"(#include <gtest/gtest.h>
int skip(int);
int number(int);
int word(int);
int kept(int);
int halved(int);
int first(int);
int second(int);
TEST(Parser, Skips) { EXPECT_EQ(skip(1), 2); }
TEST(Parser, Numbers) { EXPECT_EQ(number(1), 1); }
TEST(Parser, Words) { EXPECT_EQ(word(1), 2); }
TEST(Kept, IsDoubled) { EXPECT_EQ(kept(1), 2); }
TEST(Short, IsHalved) { EXPECT_EQ(halved(2), 1); }
TEST(Wrong, First) { EXPECT_EQ(first(1), 2); }
TEST(Wrong, Second) { EXPECT_EQ(second(1), 3); }
)");
}

class line_directives : public testing::Test {
 protected:
  line_directives() : p(measured().here()) {}
  ~line_directives() override { measured().restore(); }
  static workspace& measured() {
    static workspace shared(write_directed);
    return shared;
  }
  /// How many tests run each executable line of a file.
  std::map<int, std::size_t> runs_of(const std::string& path) const {
    const json whole = json::parse(p.morph({"report", "coverage", "--json"}).out);
    std::map<int, std::size_t> runs;
    for (const auto& file : whole.at("files"))
      if (file.at("path") == path)
        for (const auto& line : file.at("lines"))
          runs[line[0].get<int>()] = whole.at("test_sets")[line[1].get<std::size_t>()].size();
    return runs;
  }
  project& p;
};

using runs = std::map<int, std::size_t>;

TEST_F(line_directives, to_files_that_are_not_there_leave_lines_where_they_stand) {
  EXPECT_EQ(runs_of("src/parser.cpp"), (runs{{1, 1}, {2, 1}, {5, 1}, {6, 1}, {7, 0}, {9, 1}, {12, 1}, {13, 1}}));
  const json line = json::parse(p.morph({"report", "coverage", "--line", "src/parser.cpp:7", "--json"}).out);
  EXPECT_EQ(line.at("state"), "not-run");
}

TEST_F(line_directives, to_a_file_that_is_there_and_long_enough_are_followed) {
  EXPECT_EQ(runs_of("src/kept.y"), (runs{{2, 1}, {3, 1}}));
  EXPECT_EQ(runs_of("src/kept.cpp"), (runs{{9, 1}, {10, 1}}));
  EXPECT_EQ(runs_of("src/wrong.cpp"), (runs{{2, 1}, {3, 1}, {6, 1}, {7, 1}}));
}

TEST_F(line_directives, hide_no_changed_line_from_its_tests) {
  const auto selected_after = [&](const char* file, const char* from, const char* to) {
    p.replace(file, from, to);
    const names by_lines = p.plan().selected();
    p.build();
    const names by_code = p.plan().selected();
    p.replace(file, to, from);
    p.build();  // a program that is left as it was counts, too
    return std::pair(by_lines, by_code);
  };
  const auto only = [](const char* test) { return std::pair(names{test}, names{test}); };
  EXPECT_EQ(selected_after("src/parser.cpp", "c * 2", "c * 3"), only("Parser.Words"));
  EXPECT_EQ(selected_after("src/parser.cpp", "return c;", "return c + 0 * c + 1;"), only("Parser.Numbers"));
  EXPECT_EQ(selected_after("src/wrong.cpp", "a + 2", "a + 3"), only("Wrong.Second"));
  EXPECT_EQ(selected_after("src/kept.cpp", "c / 2", "c / 4"), only("Short.IsHalved"));
  // By lines, what directives give to another file concerns who runs anything that is compiled here.
  const auto [by_lines, by_code] = selected_after("src/kept.cpp", "2 * c", "3 * c");
  EXPECT_EQ(by_lines, (names{"Kept.IsDoubled", "Short.IsHalved"}));
  EXPECT_EQ(by_code, names{"Kept.IsDoubled"});
}

TEST_F(line_directives, do_not_move_mutants) {
  const found_mutants found = mutate(p, {"--operators", "aor"});
  EXPECT_EQ(found.states().at("src/parser.cpp:13 aor c + 2"), "killed");
  EXPECT_EQ(found.states().at("src/wrong.cpp:7 aor a - 2"), "killed");
}

// ---- programs that nothing registers

TEST(unregistered, programs_of_tests_become_suites_that_ctest_lists) {
  scratch_folder folder;
  const project p(folder.path() / "project", folder.path() / "home");
  p.write("CMakeLists.txt",
          "cmake_minimum_required(VERSION 3.14)\nproject(parse CXX)\noption(BUILD_TESTS \"\" ON)\n"
          "add_library(parse INTERFACE)\nif(BUILD_TESTS)\n  add_subdirectory(test)\nendif()\n");
  p.write("test/CMakeLists.txt",
          "file(GLOB sources main.cpp test_*.cpp)\nadd_executable(tests ${sources})\n"
          "target_link_libraries(tests PRIVATE parse)\n");
  p.write("test/main.cpp", "#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN\n#include <doctest/doctest.h>\n");
  p.write("test/test_words.cpp", "#include <doctest/doctest.h>\nTEST_CASE(\"words\") { CHECK(1 + 1 == 2); }\n");
  p.start_repository();
  const finished offered = p.run({MORPH_PREFIX "/bin/morph", "init", "--write"});
  EXPECT_EQ(offered.exit, 0) << offered.both();
  EXPECT_NE(offered.out.find("nothing registers the doctest cases of 'tests'"), std::string::npos) << offered.out;
  p.commit("suites");
  p.configure();
  p.build();
  EXPECT_EQ(listed(p.ctest({"-N"}).out), (names{"tests.plan", "words"}));
}

}  // namespace
}  // namespace morph::end_to_end
