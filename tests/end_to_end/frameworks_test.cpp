// Programs of Catch2, doctest and Boost.Test: what is measured is what a process a case executes, whatever the cases
// are made of.
#include "frameworks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>

namespace morph::end_to_end {
namespace {

namespace fs = std::filesystem;

const char* const functions[] = {"plain",    "first",    "second",   "fixture_begin", "fixture_end", "typed",
                                 "scenario", "crashing", "exiting",  "throwing",      "expected",    "shared_a",
                                 "shared_b", "at_start", "left_out", "stocked"};

const char* const cases = R"(
struct fixture {
  fixture() { fixture_begin(); }
  ~fixture() { fixture_end(); }
};

static const int started = at_start();

TEST_CASE("plain") {
  CHECK(plain() == 1);
}

TEST_CASE("sections, of several kinds") {
  SECTION("one") {
    CHECK(first() == 1);
  }
  SECTION("two") {
    CHECK(second() == 1);
  }
}

FIXTURE_CASE(fixture, "with a fixture") {
  CHECK(shared_a() == 1);
}

TYPED_CASE("with a type", int, char) {
  CHECK(typed() == TestType(1));
}

SCENARIO("a story") {
  GIVEN("one") {
    WHEN("it is read") {
      THEN("it is one") { CHECK(scenario() == 1); }
    }
  }
}

TEST_CASE("crashes") {
  crashing();
  abort();
}

TEST_CASE("exits") {
  exiting();
  exit(0);
}

TEST_CASE("throws") {
  throw throwing();
}

SHOULD_FAIL("fails as expected") {
  CHECK(expected() == 2);
}

LEFT_OUT("not listed") {
  CHECK(left_out() == 2);
}
)";

const char* const more_cases = R"(
TEST_CASE("plain") {
  CHECK(shared_a() == 1);
}

TEST_CASE("both") {
  if (getenv("STOCK") != nullptr) stocked();
  CHECK(shared_a() + shared_b() == 2);
}
)";

const char* const of_catch2_alone = R"(
TEST_CASE("generates") {
  const int n = GENERATE(1, 2, 3);
  if (n == 3) CHECK(shared_b() == 1);
}

static void by_hand() {
  CHECK(shared_b() == 1);
}

static void by_hand_too() {
  CHECK(shared_b() == 2);
}

static const auto unused = by_hand_too;
#if defined CATCH_VERSION_MAJOR && CATCH_VERSION_MAJOR == 2
REGISTER_TEST_CASE(by_hand, "registered by hand");
#else
static const int registered = [] {
  REGISTER_TEST_CASE(by_hand, "registered by hand");
  return 0;
}();
#endif
)";

void write_shop(const project& to, const test_framework& framework) {
  std::string header = "#pragma once\n#include <cstdlib>\n", source = "#include \"shop.hpp\"\n\n";
  for (const char* function : functions) {
    header += fmt::format("int {}();\n", function);
    source += fmt::format("int {}() {{\n  return 1;\n}}\n\n", function);
  }
  to.write("shop.hpp", header);
  to.write("shop.cpp", source);
  const std::string top = framework.preamble + "#include \"shop.hpp\"\n";
  to.write("cases.cpp", top + (framework.name == "catch2" ? of_catch2_alone : "") + cases);
  to.write("more.cpp", top + more_cases);
  to.write("CMakeLists.txt", fmt::format(R"(cmake_minimum_required(VERSION 3.25)
project(Shop CXX)
enable_testing()
find_package({} REQUIRED)
find_package(Morph REQUIRED)
add_library(shop STATIC shop.cpp)
add_executable(cases cases.cpp)
add_executable(more more.cpp)
foreach(program cases more)
  target_compile_features(${{program}} PRIVATE cxx_std_17)
  target_link_libraries(${{program}} shop {})
endforeach()
morph_add_suite(shop TARGET cases more)
morph_add_suite(again TARGET more TEST_PREFIX again. EXTRA_ARGS {} ENVIRONMENT STOCK=1)
)",
                                         framework.package, framework.with_main,
                                         framework.name == "doctest" ? "--abort-after=9"
                                         : framework.name == "boost" ? "--detect_fp_exceptions=no"
                                                                     : "--abort"));
}

/// One measured project a framework.
class framework_evidence : public each_framework {
 protected:
  void SetUp() override {
    each_framework::SetUp();
    if (IsSkipped()) return;
    auto& kept = workspaces()[GetParam()];
    if (!kept) {
      kept = std::make_unique<workspace>();
      project& p = kept->here();
      write_shop(p, framework);
      p.start_repository();
      p.configure(framework.configuring);
      p.build();
      p.measure();
      kept->save();
    }
    kept->restore();
  }
  static void TearDownTestSuite() { workspaces().clear(); }
  project& p() { return workspaces()[GetParam()]->here(); }

  /// The framework's own name of a typed case.
  std::string typed(const std::string& type) const {
    if (framework.name == "boost") return "with_a_type<" + type + ">";
    return framework.name == "doctest" ? "with a type<" + type + ">" : "with a type - " + type;
  }
  names always() const {
    names all{"crashes", "exits", "plain", "plain", "throws"};  // `plain` occurs twice
    return all;
  }
  names with_always(names others) const {
    const names forced = always();
    others.insert(others.end(), forced.begin(), forced.end());
    return sorted(others);
  }

 private:
  static std::map<std::string, std::unique_ptr<workspace>>& workspaces() {
    static std::map<std::string, std::unique_ptr<workspace>> all;
    return all;
  }
};
MORPH_FOR_EACH_FRAMEWORK(framework_evidence);

TEST_P(framework_evidence, counts_what_was_measured_and_how_it_ended) {
  const bool catch2 = framework.name == "catch2";
  const finished end = p().try_measure({"--fresh", "--json"});
  ASSERT_EQ(end.exit, 0) << end.err;
  const auto said = nlohmann::json::parse(end.out);
  EXPECT_EQ(said["tests"], catch2 ? 16 : 14);
  EXPECT_EQ(said["measured"], said["tests"]);
  EXPECT_EQ(said["failed"], 3);      // crashes, exits, throws
  EXPECT_EQ(said["incomplete"], 3);  // they may have ended too early
  // Boost.Test catches signals, and the program goes on.
  EXPECT_EQ(p().plan().marks("crashes"), framework.name == "boost" ? names() : names{"crashed"});
}

TEST_P(framework_evidence, rows_are_those_of_a_process_a_case) {
  // The twin's program without Morph's pipe is an ordinary instrumented one: gcov says what a single case executed.
  const fs::path twin = p().build_dir() / "morph-twin" / "coverage", counters = p().root() / "build-gcda";
  const fs::path object = fs::path("CMakeFiles") / "shop.dir" / "shop.cpp";
  std::string gcov = "gcov-" + p().run({MORPH_CXX_COMPILER, "-dumpversion"}).out;
  gcov.pop_back();
  std::map<int, names> tests_of_line;
  const auto listing = nlohmann::json::parse(p().ctest({"--show-only=json-v1", "-L", "^shop$"}).out);
  std::size_t compared = 0;
  for (const auto& test : listing.at("tests")) {
    const std::string name = test.at("name");
    names command = test.at("command");
    if (name == "crashes" || name == "shop.plan") continue;
    command[0] = (twin / fs::path(command[0]).filename()).string();
    fs::remove_all(counters);
    p().set_variable("GCOV_PREFIX", counters.string());
    p().run(command);
    p().unset_variable("GCOV_PREFIX");
    const fs::path data = counters / twin.relative_path() / object;
    ASSERT_TRUE(fs::exists(data.string() + ".gcda")) << name;
    fs::copy_file((twin / object).string() + ".gcno", data.string() + ".gcno");
    const auto said = nlohmann::json::parse(p().run({gcov, "--json-format", "--stdout", data.string() + ".gcda"}).out);
    for (const auto& line : said.at("files").at(0).at("lines"))
      if (names& tests = tests_of_line[line.at("line_number")]; line.at("count") != 0) tests.push_back(name);
    ++compared;
  }
  EXPECT_EQ(compared, framework.name == "catch2" ? 13U : 11U);
  ASSERT_EQ(tests_of_line.size(), 2 * std::size(functions));

  const names forced = p().plan({"--suite", "shop"}).selected();
  EXPECT_EQ(forced, always());
  const std::string text = p().read("shop.cpp");
  for (const auto& [line, tests] : tests_of_line) {
    std::size_t end = 0;
    for (int i = 0; i < line; ++i) end = text.find('\n', end) + 1;
    p().write("shop.cpp", std::string(text).insert(end - 1, "  "));
    names expected = forced;
    for (const std::string& test : tests)
      if (std::find(forced.begin(), forced.end(), test) == forced.end()) expected.push_back(test);
    EXPECT_EQ(p().plan({"--suite", "shop"}).selected(), sorted(expected)) << "line " << line;
  }
}

TEST_P(framework_evidence, a_case_that_is_added_is_new_and_affects_no_other) {
  p().write("cases.cpp", p().read("cases.cpp") + "\nTEST_CASE(\"a new one\") {\n  CHECK(plain() == 1);\n}\n");
  p().build();
  const plan_view plan = p().plan({"--suite", "shop"});
  EXPECT_EQ(plan.reasons("a new one"), names{"new"});
  // What registers a case of Boost.Test is not told from other initializers: the test of the other program alone is
  // left out.
  if (framework.name == "boost") {
    EXPECT_EQ(plan.selected().size() + 1, plan.json.at("totals").at("total").get<std::size_t>());
    EXPECT_EQ(plan.reasons("both"), names{"unaffected"});
  } else {
    EXPECT_EQ(plan.selected(), with_always({"a new one"}));
  }
}

TEST_P(framework_evidence, a_changed_section_affects_its_case) {
  p().replace("cases.cpp", "CHECK(second() == 1);", "CHECK(1 == second());");
  EXPECT_EQ(p().plan({"--suite", "shop"}).selected(), with_always({name_in(framework, "sections, of several kinds")}));
}

TEST_P(framework_evidence, a_changed_typed_case_affects_all_its_types) {
  p().replace("cases.cpp", "CHECK(typed() == TestType(1));", "CHECK(TestType(1) == typed());");
  EXPECT_EQ(p().plan({"--suite", "shop"}).selected(), with_always({typed("char"), typed("int")}));
}

TEST_P(framework_evidence, a_case_that_is_registered_by_hand_depends_on_the_line_that_does_it) {
  if (framework.name != "catch2") GTEST_SKIP() << "not run: only Catch2 has such a macro";
  std::string source = p().read("cases.cpp");
  const auto line = is("catch2_2") ? source.find("TEST_CASE(by_hand,") : source.rfind("TEST_CASE(by_hand,");
  source.insert(source.find(',', line), "_too");
  p().write("cases.cpp", source);
  const plan_view plan = p().plan({"--suite", "shop"});
  EXPECT_EQ(plan.reasons("registered by hand"), names{"changed-test"});
}

TEST_P(framework_evidence, code_that_ran_before_the_first_case_affects_all_of_the_program) {
  p().replace("cases.cpp", "started = at_start();", "started = 1 * at_start();");
  const plan_view plan = p().plan({"--suite", "shop"});
  EXPECT_EQ(plan.selected().size(), framework.name == "catch2" ? 13U : 11U);
  EXPECT_EQ(plan.reasons("both"), names{"unaffected"});
}

TEST_P(framework_evidence, ctest_runs_the_selected_cases_and_takes_one_that_exits_with_status_zero_for_passed) {
  p().replace("shop.cpp", "int second() {\n  return 1;", "int second() {\n  int two = 2;\n  return two - 1;");
  p().build();
  const finished run = p().ctest({"-L", "^morph$"});
  EXPECT_EQ(sorted(failed(run.out)), (names{"crashes", "throws"})) << run.both();
  names expected = with_always({name_in(framework, "sections, of several kinds"), "shop.plan", "again.plan"});
  EXPECT_EQ(sorted(started(run.out)), sorted(expected)) << run.both();
}

TEST_P(framework_evidence, with_a_process_for_each_case_from_its_start_is_the_same) {
  const finished end = p().try_measure({"--fresh", "--isolation", "process", "--json"});
  ASSERT_EQ(end.exit, 0) << end.err;
  const auto said = nlohmann::json::parse(end.out);
  EXPECT_EQ(said["measured"], said["tests"]);
  EXPECT_EQ(said["failed"], 3);
  EXPECT_EQ(said["incomplete"], 3);
  EXPECT_EQ(p().plan({"--suite", "shop"}).selected(), always());
}

TEST_P(framework_evidence, shards_that_somebody_has_set_divide_no_measurement) {
  for (const auto& [name, value] :
       std::map<std::string, std::string>{{"BAZEL_TEST", "1"}, {"TEST_TOTAL_SHARDS", "2"}, {"TEST_SHARD_INDEX", "1"}})
    p().set_variable(name, value);
  const finished end = p().try_measure({"--fresh", "--json"});
  ASSERT_EQ(end.exit, 0) << end.err;
  const auto said = nlohmann::json::parse(end.out);
  EXPECT_EQ(said["measured"], said["tests"]);
  EXPECT_EQ(said["failed"], 3);
}

TEST_P(framework_evidence, without_isolation_is_for_those_who_ask_for_it) {
  p().remove(".morph/evidence.db");
  const finished end = p().try_measure({"--isolation", "none", "--json"});
  ASSERT_EQ(end.exit, 0) << end.err;
  const auto said = nlohmann::json::parse(end.out);
  EXPECT_EQ(said["measured"], said["tests"]);
  EXPECT_EQ(said["failed"], 3);
  EXPECT_EQ(said["incomplete"], 3);
  p().replace("shop.cpp", "int second() {\n  return 1;", "int second() {\n  int two = 2;\n  return two - 1;");
  EXPECT_EQ(p().plan().state(), "unmeasured-ran-all");
  EXPECT_NE(p().plan().notes()[0].find("isolation: 'none' -> '(unset)'"), std::string::npos) << p().plan().notes()[0];
  const plan_view plan = p().plan({"--suite", "shop", "--approximate"});
  EXPECT_EQ(plan.selected(), with_always({name_in(framework, "sections, of several kinds")}));
  EXPECT_NE(plan.notes().back().find("measured with isolation none"), std::string::npos) << plan.notes().back();
}

TEST_P(framework_evidence, a_program_may_be_registered_twice_with_other_arguments) {
  p().replace("shop.cpp", "int stocked() {\n  return 1;", "int stocked() {\n  return 2 - 1;");
  const plan_view plan = p().plan();
  EXPECT_EQ(plan.reasons("again.both"), names{"changed-code:shop.cpp:64"});
  EXPECT_EQ(plan.reasons("both"), names{"unaffected"});
  EXPECT_EQ(plan.reasons("again.plain"), names{"unaffected"});
}

}  // namespace
}  // namespace morph::end_to_end
