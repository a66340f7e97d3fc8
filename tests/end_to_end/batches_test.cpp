// GRANULARITY tier, suite and auto: few ctest entries that run many cases, whatever the cases do.
#include <gtest/gtest.h>
#include <tinyxml2.h>

#include "project.hpp"

namespace morph::end_to_end {
namespace {

/// Two suites of one library; what the cases of `rough` do is up to the variable ROUGH: "<doing>:<case>".
void write_rough(const project& to) {
  to.write("CMakeLists.txt", R"(cmake_minimum_required(VERSION 3.25)
project(Rough CXX)
enable_testing()
find_package(GTest REQUIRED)
find_package(Morph REQUIRED)
add_library(calc src/calc.cpp src/other.cpp)
target_include_directories(calc PUBLIC src)
add_executable(calm_tests tests/calm_test.cpp)
target_link_libraries(calm_tests calc GTest::gtest_main)
add_executable(rough_tests tests/rough_test.cpp)
target_link_libraries(rough_tests calc GTest::gtest)
morph_add_suite(calm TARGET calm_tests GRANULARITY tier TEST_PREFIX c. ENVIRONMENT GTEST_TOTAL_SHARDS=2 GTEST_SHARD_INDEX=1)  # which divide nothing
morph_add_suite(rough TARGET rough_tests GRANULARITY suite TIMEOUT 4 ENVIRONMENT "GREETING=a;b c"
  WORKING_DIRECTORY ${CMAKE_SOURCE_DIR}/tests EXTRA_ARGS --given "two words" LABELS wild)
)");
  to.write("src/calc.hpp", "#pragma once\nint add(int a, int b);\nint multiply(int a, int b);\nint other();\n");
  to.write("src/calc.cpp", R"(#include "calc.hpp"
int add(int a, int b) {
  return a + b;
}

int multiply(int a, int b) {
  return a * b;
}
)");
  to.write("src/other.cpp", "#include \"calc.hpp\"\nint other() {\n  return 1;\n}\n");
  to.write("tests/calm_test.cpp", R"(#include <gtest/gtest.h>
#include "calc.hpp"
TEST(Add, One) { EXPECT_EQ(add(1, 1), 2); }
TEST(Add, Two) { EXPECT_EQ(add(2, 1), 3); }
TEST(Add, Three) { EXPECT_EQ(add(3, 1), 4); }
TEST(Multiply, One) { EXPECT_EQ(multiply(1, 3), 3); }
TEST(Other, One) { EXPECT_EQ(other(), 1); }
TEST(Other, DISABLED_Two) { FAIL(); }
class Values : public testing::TestWithParam<int> {};
TEST_P(Values, AreAdded) { EXPECT_EQ(add(GetParam(), 0), GetParam()); }
INSTANTIATE_TEST_SUITE_P(Some, Values, testing::Values(7, 8));
)");
  to.write("tests/rough_test.cpp", R"(#include <gtest/gtest.h>
#include <unistd.h>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <string>
#include "calc.hpp"

static std::string given;
// Not by getenv(): then each of its values would be a change that selects every test.
static bool has_variable(const std::string& setting) {
  for (char** entry = environ; *entry != nullptr; ++entry)
    if (*entry == setting) return true;
  return false;
}
static bool asked(const std::string& what) { return has_variable("ROUGH=" + what); }
static void act(const std::string& who) {
  std::printf("this is %s\n", who.c_str());
  std::fflush(stdout);
  if (asked("fail:" + who)) FAIL() << "as \"asked\" <&> \x01\xff";
  if (asked("skip:" + who)) GTEST_SKIP() << "no need";
  if (asked("throw:" + who)) throw std::runtime_error("thrown");
  if (asked("crash:" + who)) std::abort();
  if (asked("exit:" + who)) std::exit(0);
  if (asked("hang:" + who)) ::sleep(600);
  if (asked("imitate:" + who)) std::printf("[       OK ] First.B (0 ms)\n[  FAILED  ] First.B (0 ms)\n");
  if (asked("slow")) ::usleep(800'000);
  if (asked("await the end") && who == "First.A") FAIL();
  if (asked("await the end")) {
    const pid_t runner = ::getppid();
    while (::getppid() == runner) ::usleep(10'000);
    ::_exit(0);
  }
  if (asked("leave:" + who) && ::fork() == 0) { ::sleep(600); ::_exit(0); }
}
TEST(First, A) { act("First.A"); EXPECT_EQ(add(1, 1), 2); }
TEST(First, B) { act("First.B"); EXPECT_EQ(multiply(1, 1), 1); }
TEST(First, C) { act("First.C"); }
class Shared : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    if (asked("crash:SetUp")) std::abort();
    if (asked("fail:SetUp")) FAIL();
  }
  static void TearDownTestSuite() { if (asked("crash:TearDown")) std::abort(); }
};
TEST_F(Shared, A) { act("Shared.A"); }
TEST_F(Shared, B) { act("Shared.B"); }
TEST(Last, A) { act("Last.A"); }
TEST(Last, Surroundings) {
  char here[4096];
  EXPECT_STREQ(std::strrchr(::getcwd(here, sizeof here), '/'), "/tests");
  EXPECT_STREQ(std::getenv("GREETING"), "a;b c");
  EXPECT_EQ(given, "two words");
}

int main(int argc, char** argv) {
  if (asked("crash:start")) std::abort();
  if (asked("hang:start")) ::sleep(600);
  testing::InitGoogleTest(&argc, argv);
  given = argc > 2 ? argv[2] : "";
  if (has_variable("SILENT=1")) delete testing::UnitTest::GetInstance()->listeners().Release(
      testing::UnitTest::GetInstance()->listeners().default_result_printer());
  const int code = RUN_ALL_TESTS();
  if (asked("crash:end")) std::abort();
  if (asked("hang:end")) ::sleep(600);
  return asked("status:end") ? 3 : code;
}
)");
}

workspace& measured_rough() {
  static workspace shared(write_rough);
  static const bool listed = (shared.here().plan(), shared.save(), true);  // some cannot list their tests later
  (void)listed;
  return shared;
}

const names every_rough{"First.A", "First.B", "First.C", "Last.A", "Last.Surroundings", "Shared.A", "Shared.B"};

class batches : public testing::Test {
 protected:
  batches() : p(measured_rough().here()) { measured_rough().restore(); }

  /// Runs the entry that holds all cases of `rough` (nothing is affected: they wait), and keeps its report.
  finished run_rough(const std::string& rough = "") {
    p.set_variable("ROUGH", rough);
    p.set_variable("MORPH_JUNIT_DIR", "reports");
    return p.ctest({"-R", "^rough.deferred$", "-V"});
  }
  /// "name run", "name notrun" or "name fail: message" of every case in the report of an entry, alphabetically.
  names reported(const std::string& entry = "rough.deferred") const {
    return reported_in(p.build_dir() / "reports", entry);
  }
  static names reported_in(const std::filesystem::path& folder, const std::string& entry) {
    tinyxml2::XMLDocument report;
    names lines;
    if (report.LoadFile((folder / (entry + ".xml")).c_str()) != tinyxml2::XML_SUCCESS) return {report.ErrorStr()};
    const auto* suite = report.RootElement()->FirstChildElement("testsuite");
    for (const auto* c = suite->FirstChildElement(); c != nullptr; c = c->NextSiblingElement()) {
      std::string line = c->Attribute("name");
      if (const auto* failure = c->FirstChildElement("failure"))
        line += std::string(" fail: ") + failure->Attribute("message");
      else
        line += c->FirstChildElement("skipped") != nullptr ? " notrun" : " run";
      lines.push_back(line.substr(0, line.find('\n')));
    }
    return sorted(lines);
  }
  /// All cases of `rough` ran, but for these.
  static names all_run_but(const std::map<std::string, std::string>& others) {
    names expected;
    for (const std::string& name : every_rough)
      expected.push_back(name + " " + (others.count(name) != 0 ? others.at(name) : "run"));
    for (const auto& [name, what] : others)
      if (std::find(every_rough.begin(), every_rough.end(), name) == every_rough.end())
        expected.push_back(name + " " + what);
    return sorted(expected);
  }
  std::string rough_program() const { return "'" + (p.build_dir() / "rough_tests").string() + "'"; }

  project& p;
};

const names every_entry{"calm.plan",     "calm.tier1", "calm.tier2",     "calm.tier3",    "calm.tier4",
                        "calm.deferred", "rough.plan", "rough.selected", "rough.deferred"};
#define CONTAINS(text, part) EXPECT_NE((text).find(part), std::string::npos) << text
#define LACKS(text, part) EXPECT_EQ((text).find(part), std::string::npos) << text

// ---- what is registered

TEST_F(batches, the_entries_are_always_the_same_in_the_same_order) {
  EXPECT_EQ(listed(p.ctest({"-N"}).out), every_entry);
  EXPECT_EQ(listed(p.ctest({"-N", "-L", "^morph$"}).out), (names{"calm.plan", "rough.plan"}));
  EXPECT_EQ(listed(p.ctest({"-N", "-L", "^wild$"}).out), (names{"rough.selected", "rough.deferred"}));
  p.replace("src/calc.cpp", "a + b", "b + a");
  EXPECT_EQ(listed(p.ctest({"-N"}).out), every_entry);
  EXPECT_EQ(listed(p.ctest({"-N", "-L", "^morph$"}).out),
            (names{"calm.plan", "calm.tier2", "calm.tier3", "calm.tier4", "rough.plan", "rough.selected"}));
}

TEST_F(batches, ctest_without_a_label_runs_every_case_once) {
  p.replace("src/calc.cpp", "a + b", "b + a");
  p.build();
  p.set_variable("MORPH_JUNIT_DIR", (p.root() / "all reports").string());
  const finished end = p.ctest();
  EXPECT_EQ(end.exit, 0) << end.both();
  EXPECT_EQ(sorted(started(end.out)), sorted(every_entry));
  names cases;
  for (const auto& report : std::filesystem::directory_iterator(p.root() / "all reports"))
    for (const std::string& c : reported_in(p.root() / "all reports", report.path().stem().string()))
      cases.push_back(c);
  EXPECT_EQ(sorted(cases),
            (names{"First.A run", "First.B run", "First.C run", "Last.A run", "Last.Surroundings run", "Shared.A run",
                   "Shared.B run", "c.Add.One run", "c.Add.Three run", "c.Add.Two run", "c.Multiply.One run",
                   "c.Other.One run", "c.Some/Values.AreAdded/7 run", "c.Some/Values.AreAdded/8 run"}));
}

TEST_F(batches, properties_are_those_of_the_entries) {
  p.replace("CMakeLists.txt", "LABELS wild",
            "LABELS wild PROPERTIES FIXTURES_REQUIRED table RESOURCE_LOCK port RUN_SERIAL TRUE");
  p.replace("CMakeLists.txt", "morph_add_suite(calm",
            "add_test(NAME lay_the_table COMMAND ${CMAKE_COMMAND} -E true)\n"
            "set_tests_properties(lay_the_table PROPERTIES FIXTURES_SETUP table)\nmorph_add_suite(calm");
  p.configure();
  p.plan();
  const auto listing = nlohmann::json::parse(p.ctest({"--show-only=json-v1"}).out);
  std::map<std::string, nlohmann::json> found;
  for (const auto& test : listing.at("tests"))
    if (test.at("name") == "rough.selected")  // the build description has changed: everything runs
      for (const auto& property : test.at("properties")) found[property.at("name")] = property.at("value");
  EXPECT_EQ(found["FIXTURES_REQUIRED"], nlohmann::json{"table"});
  EXPECT_EQ(found["RESOURCE_LOCK"], nlohmann::json{"port"});
  EXPECT_EQ(found["RUN_SERIAL"], true);
  EXPECT_GE(found["TIMEOUT"], 4 * 7);
  EXPECT_EQ(sorted(started(p.ctest({"-R", "^rough.selected$"}).out)), (names{"lay_the_table", "rough.selected"}));
  EXPECT_EQ(started(p.ctest({"-R", "^rough.deferred$"}).out), names{"rough.deferred"});  // it is empty
}

TEST_F(batches, a_report_that_cannot_be_written_is_no_success) {
  p.write("build/in the way", "");
  p.set_variable("MORPH_JUNIT_DIR", "in the way/reports");
  const finished end = p.ctest({"-R", "^rough.deferred$", "-V"});
  EXPECT_EQ(end.exit, 8);
  CONTAINS(end.out, "MORPH_JUNIT_DIR: cannot write '");
}

TEST_F(batches, a_plan_lists_cases_whatever_the_granularity) {
  p.replace("src/other.cpp", "return 1", "return 0 + 1");
  EXPECT_EQ(p.plan().selected(), names{"c.Other.One"});
  EXPECT_EQ(p.plan().json["totals"]["total"], 14);
}

TEST_F(batches, tiers_run_in_the_order_of_the_plan) {
  p.replace("src/calc.cpp", "a + b", "b + a");
  p.replace("tests/calm_test.cpp", "TEST(Other, One)", "TEST(New, One) {}\nTEST(Other, One)");
  p.build();
  const names order = p.plan({"--suite", "calm"}).in_order();
  p.set_variable("MORPH_JUNIT_DIR", "reports");
  const finished end = p.ctest({"-L", "^morph$", "-L", "^calm$"});
  EXPECT_EQ(end.exit, 0) << end.both();
  EXPECT_EQ(started(end.out), (names{"calm.plan", "calm.tier1", "calm.tier2", "calm.tier3", "calm.tier4"}));
  std::size_t next = 0;
  for (const char* tier : {"calm.tier1", "calm.tier2", "calm.tier3", "calm.tier4"}) {
    names expected;
    const std::size_t number = reported(tier).size();
    EXPECT_GT(number, 0U) << tier;
    for (std::size_t i = 0; i < number; ++i) expected.push_back(order.at(next++) + " run");
    EXPECT_EQ(reported(tier), sorted(expected)) << tier;
  }
  EXPECT_EQ(next, order.size());
  const names first = reported("calm.tier1");
  EXPECT_EQ(std::count(first.begin(), first.end(), "c.New.One run"), 1);
}

TEST_F(batches, a_failed_case_is_in_the_first_tier_until_it_passes) {
  p.replace("src/other.cpp", "return 1", "return 2");
  p.build();
  const finished first = p.ctest({"-L", "^morph$"});
  EXPECT_EQ(failed(first.out), names{"calm.tier4"}) << first.both();
  p.git({"checkout", "--", "src/other.cpp"});
  p.build();
  EXPECT_EQ(p.plan().selected(), names{"c.Other.One"});
  EXPECT_EQ(p.plan().reasons("c.Other.One"), names{"failed-recently"});
  const finished second = p.ctest({"-L", "^morph$"});
  EXPECT_EQ(second.exit, 0) << second.both();
  EXPECT_EQ(started(second.out), (names{"calm.plan", "rough.plan", "calm.tier1"}));
  EXPECT_EQ(p.plan().selected(), names());
}

TEST_F(batches, entries_are_not_taken_for_tests) {
  run_rough("fail:First.A");
  const finished end = p.morph({"record", "--json"});
  EXPECT_EQ(nlohmann::json::parse(end.out)["recorded"], 7) << end.both();
}

TEST_F(batches, their_reports_can_be_recorded) {
  run_rough("crash:First.B");
  p.must_run({"rm", "-rf", (p.build_dir() / ".morph/runs").string()});
  EXPECT_EQ(p.plan().selected(), names());
  const finished end = p.morph({"record", "build/reports/rough.deferred.xml"});
  EXPECT_EQ(end.out, "recorded 7 verdicts, 1 of them failures\n") << end.err;
  EXPECT_EQ(p.plan().reasons("First.B"), names{"failed-recently"});
}

TEST_F(batches, a_batch_stays_for_a_ctest_that_has_listed_it) {
  const std::string code = p.morph({"plan", "--format", "cmake"}).out;
  const auto at = code.find("run --batch [=[") + 15;
  const std::string batch = code.substr(at, code.find("]=]", at) - at);
  p.replace("src/calc.cpp", "a + b", "b + a");
  p.ctest({"-N"});
  const finished end = p.morph({"run", "--batch", batch});
  EXPECT_EQ(end.exit, 0) << end.both();
  CONTAINS(end.out, "cases ran: ");
}

TEST_F(batches, by_hand_the_cases_have_their_surroundings_too) {
  const std::string code = p.morph({"plan", "--format", "cmake"}).out;
  const auto at = code.rfind("run --batch [=[") + 15;
  p.set_variable("GTEST_FILTER", "Nothing.*");
  const finished end = p.morph({"run", "--batch", code.substr(at, code.find("]=]", at) - at)});
  EXPECT_EQ(end.exit, 0) << end.both();
  CONTAINS(end.out, "rough.deferred: 7 of 7 cases ran: 7 passed, 0 failed, 0 skipped\n");
}

TEST_F(batches, that_cannot_be_written_become_entries_of_one_case) {
  p.must_run({"rm", "-rf", (p.build_dir() / ".morph" / "batches").string()});
  p.write("build/.morph/batches", "in the way\n");
  const finished end = p.ctest({"-N"});
  CONTAINS(end.err, "morph: suite 'rough': its batches cannot be kept: cannot write '");
  CONTAINS(end.out, "c.Other.One");
  EXPECT_EQ(listed(end.out).size(), 17U) << end.out;  // two plans, 15 cases of which one is disabled
}

TEST_F(batches, without_a_plan_the_first_entry_runs_everything) {
  p.ctest({"-N"});
  p.set_variable("MORPH_POLICY", "nonsense");
  p.set_variable("MORPH_JUNIT_DIR", "reports");
  const finished end = p.ctest({"-L", "^morph$"});
  EXPECT_EQ(end.exit, 0) << end.both();
  EXPECT_EQ(started(end.out), (names{"calm.tier1", "rough.selected"}));
  EXPECT_EQ(reported("calm.tier1").size(), 7U);
  EXPECT_EQ(reported("rough.selected").size(), 7U);
}

TEST_F(batches, an_unknown_batch_is_named) {
  const finished end = p.morph({"run", "--batch", "/nowhere/batch.json"});
  EXPECT_EQ(end.exit, 3);
  CONTAINS(end.err, "there is no batch of tests: cannot read '/nowhere/batch.json'");
  EXPECT_EQ(p.morph({"run"}).exit, 2);
}

// ---- what cases do

TEST_F(batches, run_in_one_process_and_say_how_many) {
  const finished end = run_rough();
  EXPECT_EQ(end.exit, 0) << end.both();
  CONTAINS(end.out, "[==========] Running 7 tests from 3 test suites.");
  CONTAINS(end.out, "this is First.C");
  CONTAINS(end.out, "<CTestMeasurement type=\"numeric/double\" name=\"tests\">7</CTestMeasurement>");
  CONTAINS(end.out, "<CTestDetails>7 of 7 cases ran: 7 passed, 0 failed, 0 skipped</CTestDetails>");
  EXPECT_EQ(reported(), all_run_but({}));
}

TEST_F(batches, a_failure_is_named_at_the_end) {
  const finished end = run_rough("fail:First.B");
  EXPECT_EQ(end.exit, 8);
  CONTAINS(end.out, "rough.deferred: 7 of 7 cases ran: 6 passed, 1 failed, 0 skipped\n");
  CONTAINS(end.out, "  failed First.B: ");
  const std::string xml = read_bytes(p.build_dir() / "reports/rough.deferred.xml");
  CONTAINS(xml, "as &quot;asked&quot; &lt;&amp;&gt; ");
  CONTAINS(xml, "this is First.B");
  LACKS(xml, "this is First.C");
  ASSERT_EQ(reported().size(), 7U);  // another parser takes it for well-formed
  EXPECT_TRUE(reported()[1].starts_with("First.B fail: ")) << reported()[1];
}

TEST_F(batches, a_skipped_case_is_no_failure) {
  const finished end = run_rough("skip:First.B");
  EXPECT_EQ(end.exit, 0) << end.both();
  CONTAINS(end.out, "7 of 7 cases ran: 6 passed, 0 failed, 1 skipped\n");
  EXPECT_EQ(reported(), all_run_but({{"First.B", "notrun"}}));
}

TEST_F(batches, an_exception_is_a_failure_and_the_rest_runs) {
  run_rough("throw:First.B");
  ASSERT_EQ(reported().size(), 7U);
  EXPECT_TRUE(reported()[1].starts_with("First.B fail: ")) << reported()[1];
}

TEST_F(batches, the_rest_goes_on_after_a_crash) {
  const finished end = run_rough("crash:First.B");
  EXPECT_EQ(end.exit, 8);
  CONTAINS(end.out, "  crashed First.B: killed by signal 6 (Aborted)\n");
  EXPECT_EQ(reported(), all_run_but({{"First.B", "fail: crashed: killed by signal 6 (Aborted)"}}));
  CONTAINS(read_bytes(p.build_dir() / "reports/rough.deferred.xml"), "this is First.B");
}

TEST_F(batches, the_rest_goes_on_after_a_case_that_ends_the_program) {
  run_rough("exit:First.A");
  EXPECT_EQ(reported(), all_run_but({{"First.A", "fail: crashed: exit status 0"}}));
}

TEST_F(batches, the_rest_goes_on_after_a_time_out) {
  const finished end = run_rough("hang:Last.A");
  EXPECT_EQ(end.exit, 8);
  CONTAINS(end.out, "  timed out Last.A: timed out after 4 s\n");
  EXPECT_EQ(reported(), all_run_but({{"Last.A", "fail: timed out: timed out after 4 s"}}));
}

TEST_F(batches, the_time_limit_is_each_cases_and_not_the_batchs) {
  const finished end = run_rough("slow");
  EXPECT_EQ(end.exit, 0) << end.both();
}

TEST_F(batches, a_crash_in_what_is_set_up_for_a_suite_is_its_cases) {
  run_rough("crash:SetUp");
  const std::string why = "fail: crashed: killed by signal 6 (Aborted) before it began, in what is set up for 'Shared'";
  EXPECT_EQ(reported(), all_run_but({{"Shared.A", why}, {"Shared.B", why}}));
}

TEST_F(batches, a_crash_between_two_cases_is_said_and_the_rest_goes_on) {
  const finished end = run_rough("crash:TearDown");
  EXPECT_EQ(end.exit, 8);
  const std::string why = rough_program() + ": killed by signal 6 (Aborted) between two cases";
  CONTAINS(end.out, "  " + why + "\n");
  EXPECT_EQ(reported(), all_run_but({{"rough.deferred", "fail: " + why}}));
}

TEST_F(batches, a_bad_end_after_the_last_case_is_said_aloud) {
  for (const auto& [rough, why] :
       std::map<std::string, std::string>{{"crash:end", ": killed by signal 6 (Aborted) after its last case"},
                                          {"status:end", ": exit status 3, though no case failed"},
                                          {"hang:end", ": timed out after 4 s after its last case"}}) {
    const finished end = run_rough(rough);
    EXPECT_EQ(end.exit, 8);
    CONTAINS(end.out, "  " + rough_program() + why + "\n");
    EXPECT_EQ(reported(), all_run_but({{"rough.deferred", "fail: " + rough_program() + why}}));
  }
}

TEST_F(batches, a_program_that_cannot_start_is_given_up_and_no_case_is_forgotten) {
  const finished end = run_rough("crash:start");
  EXPECT_EQ(end.exit, 8);
  CONTAINS(end.out, "  " + rough_program() + ": killed by signal 6 (Aborted) before its first case\n");
  ASSERT_EQ(reported().size(), 8U);
  for (const std::string& line : reported()) CONTAINS(line, " fail: ");
  EXPECT_EQ(p.plan({"--suite", "rough"}).selected(), every_rough);
}

TEST_F(batches, a_program_that_is_gone_is_named) {
  p.plan();
  p.ctest({"-N"});
  const std::string code = p.morph({"plan", "--format", "cmake"}).out;
  std::filesystem::remove(p.build_dir() / "rough_tests");
  const auto at = code.rfind("run --batch [=[") + 15;
  const finished end = p.morph({"run", "--batch", code.substr(at, code.find("]=]", at) - at)});
  EXPECT_EQ(end.exit, 1);
  CONTAINS(end.out, "could not be started: No such file or directory");
  CONTAINS(end.out, "  not run First.A: ");
}

TEST_F(batches, a_case_that_the_program_does_not_have_is_not_run) {
  const std::string code = p.morph({"plan", "--format", "cmake"}).out;
  p.replace("tests/rough_test.cpp", "TEST(First, C)", "TEST(First, D)");
  p.build();
  const auto at = code.rfind("run --batch [=[") + 15;
  p.set_variable("MORPH_JUNIT_DIR", "reports");
  const finished end = p.morph({"run", "--batch", code.substr(at, code.find("]=]", at) - at)});
  EXPECT_EQ(end.exit, 1);
  CONTAINS(end.out, "  not run First.C: the program did not run it\n");
  EXPECT_EQ(reported(), all_run_but({{"First.C", "fail: not run: the program did not run it"}}));
}

TEST_F(batches, output_that_imitates_another_cases_end_deceives_nobody) {
  const finished end = run_rough("imitate:First.A");
  EXPECT_EQ(end.exit, 0) << end.both();
  EXPECT_EQ(run_rough("imitate:First.B").exit, 0);
}

TEST_F(batches, a_program_with_a_printer_of_its_own_is_read_by_its_report) {
  p.set_variable("SILENT", "1");
  EXPECT_EQ(run_rough().exit, 0);
  EXPECT_EQ(reported(), all_run_but({}));
  run_rough("fail:First.A");
  EXPECT_TRUE(reported()[0].starts_with("First.A fail: ")) << reported()[0];
}

TEST_F(batches, a_crash_under_a_printer_of_its_own_is_found_by_running_cases_alone) {
  p.set_variable("SILENT", "1");
  run_rough("crash:First.B");
  EXPECT_EQ(reported(),
            all_run_but({{"First.B", "fail: crashed: killed by signal 6 (Aborted), without a word on the case"}}));
}

TEST_F(batches, what_a_case_leaves_running_does_not_hold_up_the_batch) {
  EXPECT_EQ(run_rough("leave:First.A").exit, 0);
}

TEST_F(batches, an_interrupt_ends_the_programs_and_keeps_what_is_known) {
  p.set_variable("ROUGH", "hang:Last.A");
  p.replace("CMakeLists.txt", "TIMEOUT 4 ", "TIMEOUT 300 ");
  p.configure();
  const std::string code = p.morph({"plan", "--format", "cmake"}).out;
  const auto at = code.rfind("run --batch [=[") + 15;
  running runner(p.morph_command({"run", "--batch", code.substr(at, code.find("]=]", at) - at)}), p.root(),
                 p.environment());
  const std::string id = std::to_string(runner.id());
  const auto child = [&] { return read_bytes("/proc/" + id + "/task/" + id + "/children"); };
  std::string of_runner;
  const auto waits_in_the_case = [&] {
    of_runner = child();
    return !of_runner.empty() &&
           p.run({"grep", "-q", "nanosleep", "/proc/" + of_runner.substr(0, of_runner.find(' ')) + "/wchan"}).exit == 0;
  };
  for (int i = 0; i < 1000 && !waits_in_the_case(); ++i) p.run({"sleep", "0.01"});
  ASSERT_FALSE(of_runner.empty());
  runner.send(SIGTERM);
  const finished end = runner.wait();
  EXPECT_EQ(end.exit, 3);
  CONTAINS(end.out, "; interrupted\n");
  EXPECT_FALSE(std::filesystem::exists("/proc/" + of_runner.substr(0, of_runner.find(' '))));
}

// ---- what is remembered

TEST_F(batches, a_failure_that_is_no_cases_own_is_seen_again) {
  for (const std::string rough : {"fail:SetUp", "status:end", "crash:end", "crash:TearDown"}) {
    EXPECT_EQ(run_rough(rough).exit, 8) << rough;
    const finished again = p.ctest({"-L", "^morph$"});
    EXPECT_EQ(failed(again.out), names{"rough.selected"}) << rough << again.both();
    p.set_variable("ROUGH", "skip:Shared.A");
    EXPECT_EQ(p.ctest().exit, 0) << rough;
    EXPECT_EQ(p.plan().selected(), names()) << rough;
  }
}

TEST_F(batches, a_failure_that_is_no_cases_own_can_be_recorded) {
  run_rough("status:end");
  p.must_run({"rm", "-rf", (p.build_dir() / ".morph/runs").string()});
  EXPECT_EQ(p.morph({"record", "build/reports/rough.deferred.xml"}).out, "recorded 7 verdicts, 7 of them failures\n");
  EXPECT_EQ(p.plan().selected(), every_rough);
}

TEST_F(batches, rerun_failed_runs_what_failed) {
  EXPECT_EQ(run_rough("fail:First.B").exit, 8);
  for (int round = 0; round < 2; ++round) {
    const finished again = p.ctest({"--rerun-failed"});
    EXPECT_EQ(failed(again.out), names{"rough.deferred"}) << again.both();
  }
  EXPECT_EQ(failed(p.ctest().out), (names{"rough.selected", "rough.deferred"}));
  p.set_variable("ROUGH", "");
  EXPECT_EQ(p.ctest({"--rerun-failed"}).exit, 0);
  EXPECT_EQ(p.plan().selected(), names());
}

TEST_F(batches, a_failure_outlives_a_batch_that_is_killed) {
  const std::string code = p.morph({"plan", "--format", "cmake"}).out;
  const auto at = code.rfind("run --batch [=[") + 15;
  p.set_variable("ROUGH", "await the end");
  running runner(p.morph_command({"run", "--batch", code.substr(at, code.find("]=]", at) - at)}), p.root(),
                 p.environment());
  const auto runs = p.build_dir() / ".morph/runs";
  const auto has_left_some = [&] { return std::filesystem::exists(runs) && !std::filesystem::is_empty(runs); };
  for (int i = 0; i < 1000 && !has_left_some(); ++i) p.run({"sleep", "0.01"});
  runner.send(SIGKILL);
  runner.wait();
  EXPECT_EQ(p.plan().reasons("First.A"), names{"failed-recently"});
}

// ---- auto

TEST_F(batches, auto_takes_case_entries_for_a_small_suite) {
  p.replace("CMakeLists.txt", "GRANULARITY tier", "GRANULARITY auto");
  p.configure();
  const names entries = listed(p.ctest({"-N"}).out);
  EXPECT_EQ(std::count(entries.begin(), entries.end(), "c.Other.One"), 1) << p.ctest({"-N"}).both();
}

TEST_F(batches, auto_takes_tiers_for_many_cases) {
  p.replace("tests/calm_test.cpp", "testing::Values(7, 8)", "testing::Range(0, 120)");
  p.replace("CMakeLists.txt", "GRANULARITY tier", "GRANULARITY auto");
  p.commit();
  p.build();
  EXPECT_EQ(listed(p.ctest({"-N"}).out).size(), 130U);    // not measured yet: nobody knows how long they take
  p.replace("tests/calm_test.cpp", "0, 120", "0, 2001");  // however long they take
  p.build();
  EXPECT_EQ(listed(p.ctest({"-N"}).out), every_entry);
}

}  // namespace
}  // namespace morph::end_to_end
