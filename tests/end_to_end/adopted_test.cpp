// morph_adopt_tests(): tests that a project registers itself.
#include <gtest/gtest.h>

#include "measurements.hpp"

namespace morph::end_to_end {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

void write_adopting(const project& p) {
  p.write("CMakeLists.txt", R"cmake(cmake_minimum_required(VERSION 3.25)
project(Adopting CXX)
enable_testing()
add_library(parts left.cpp right.cpp)
add_library(table SHARED table.cpp)
add_subdirectory(programs)
add_subdirectory(cases)
find_package(Morph REQUIRED)
morph_adopt_tests(DATA data/*)
)cmake");
  p.write("programs/CMakeLists.txt", R"cmake(set_directory_properties(PROPERTIES LABELS programs)
add_executable(tool tool.cpp)
target_link_libraries(tool parts table)
add_test(NAME left COMMAND tool left)
add_test(NAME right COMMAND tool right)
add_test(NAME "right; [again]" COMMAND tool right "a;b")
add_test(NAME nothing COMMAND tool nothing)
add_test(NAME env COMMAND ${CMAKE_COMMAND} -E env WHICH=left $<TARGET_FILE:tool> by_variable)
add_test(NAME modified COMMAND tool by_variable)
add_test(NAME script COMMAND sh -c "$<TARGET_FILE:tool> left")
add_test(NAME exec COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/run.sh $<TARGET_FILE:tool>)
add_test(NAME aside COMMAND sh -c "echo nothing of the build runs here")
add_test(NAME to_fail COMMAND tool fail)
add_test(NAME says COMMAND tool nothing)
add_test(NAME off COMMAND tool left)
add_test(NAME never_built COMMAND ${CMAKE_CURRENT_BINARY_DIR}/gone)
set_tests_properties(left PROPERTIES LABELS "quick;own" TIMEOUT 30 COST 3 WORKING_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}")
set_tests_properties(modified PROPERTIES ENVIRONMENT WHICH=le ENVIRONMENT_MODIFICATION WHICH=string_append:ft)
set_tests_properties(to_fail PROPERTIES WILL_FAIL TRUE)
set_tests_properties(says PROPERTIES PASS_REGULAR_EXPRESSION "it is well")
set_tests_properties(off PROPERTIES DISABLED TRUE)

add_test(NAME make_file COMMAND tool write_right)
add_test(NAME waits COMMAND tool wait)
add_test(NAME read_file COMMAND tool read)
add_test(NAME clean_file COMMAND ${CMAKE_COMMAND} -E rm file.txt)
set_tests_properties(make_file PROPERTIES FIXTURES_SETUP file)
set_tests_properties(read_file PROPERTIES FIXTURES_REQUIRED file)
set_tests_properties(clean_file PROPERTIES FIXTURES_CLEANUP file)
add_test(NAME second COMMAND tool nothing)
add_test(NAME first COMMAND tool table)
set_tests_properties(second PROPERTIES DEPENDS first)
)cmake");
  p.write("programs/run.sh", "#!/bin/sh\nexec \"$1\" left\n");
  fs::permissions(p.root() / "programs/run.sh", fs::perms::owner_all);
  p.write("programs/tool.cpp", R"code(#include <unistd.h>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <string>

int left();
int right();
int table();

int main(int, char** words) {
  std::string what = words[1];
  if (what == "by_variable") what = std::getenv("WHICH") ? std::getenv("WHICH") : "fail";
  if (what == "left") return left() - 1;
  if (what == "right") return right() - 2;
  if (what == "table") return table() - 3;
  if (what == "write_right") return (std::ofstream("file.txt") << right()) ? 0 : 1;
  if (what == "read") {
    std::string text;
    std::ifstream("file.txt") >> text;
    return text == "2" ? 0 : 1;
  }
  // Not by getenv(): the variable would be an input of the test, whose value selects it.
  const char* bell = nullptr;
  for (char** entry = environ; *entry != nullptr; ++entry)
    if (std::string(*entry).rfind("BELL=", 0) == 0) bell = *entry + 5;
  if (what == "wait" && bell != nullptr) {
    std::ofstream(bell) << "here";
    while (access(bell, F_OK) == 0) usleep(20'000);
  }
  if (what == "nothing") std::cout << "it is well";
  return what == "nothing" || what == "wait" ? 0 : 1;
}
    )code");
  p.write("cases/CMakeLists.txt", R"cmake(find_package(GTest REQUIRED)
include(GoogleTest)
add_executable(unit unit.cpp)
target_link_libraries(unit parts GTest::gtest_main)
gtest_discover_tests(unit TEST_PREFIX unit. PROPERTIES LABELS discovered)
)cmake");
  p.write("cases/unit.cpp", R"code(#include <gtest/gtest.h>
int left();
int right();
TEST(Parts, Left) {
  EXPECT_EQ(left(), 1);
}
TEST(Parts, Right) {
  EXPECT_EQ(right(), 2);
}
)code");
  p.write("left.cpp", "int left() {\n  return 1;\n}\n");
  p.write("right.cpp", "int right() {\n  return 2;\n}\n");
  p.write("table.cpp", "static int values = 3;\nint table() {\n  return values;\n}\n");
  p.write("data/list.txt", "1\n");
}

workspace& adopting_project() {
  static workspace shared(write_adopting);
  return shared;
}

/// Name -> property -> value, as ctest lists them.
std::map<std::string, json> properties(const project& p, const names& arguments = {}) {
  names all{"--show-only=json-v1"};
  all.insert(all.end(), arguments.begin(), arguments.end());
  const json listing = json::parse(p.ctest(all).out);
  std::map<std::string, json> found;
  for (const json& test : listing["tests"]) {
    json& of_test = found[test["name"]];
    of_test["command"] = test.value("command", json());
    for (const json& property : test["properties"]) of_test[property["name"].get<std::string>()] = property["value"];
  }
  return found;
}

const names always{"aside", "exec", "never_built", "script"};

names with_always(names more) {
  more.insert(more.end(), always.begin(), always.end());
  return sorted(more);
}

class adopted : public testing::Test {
 protected:
  adopted() : p(adopting_project().here()) { adopting_project().restore(); }
  project& p;
};

TEST_F(adopted, nothing_runs_without_a_change_but_what_cannot_be_measured) {
  const plan_view plan = p.plan();
  EXPECT_EQ(plan.state(), "affected");
  EXPECT_EQ(plan.selected(), always);
  EXPECT_EQ(plan.reasons("aside"), names{"incomplete-evidence"});
  EXPECT_EQ(plan.json["tests"].size(), 20U);  // the disabled one is not in it
}

TEST_F(adopted, a_change_selects_the_tests_that_executed_it) {
  p.replace("left.cpp", "return 1;", "return 3 - 2;");
  const plan_view plan = p.plan();
  EXPECT_EQ(plan.selected(), with_always({"env", "left", "modified", "unit.Parts.Left"}));
  EXPECT_EQ(plan.reasons("left"), names{"changed-code:left.cpp:2"});
}

TEST_F(adopted, what_a_set_up_executed_counts_for_those_who_need_it) {
  p.replace("right.cpp", "return 2;", "return 1 + 1;");
  EXPECT_EQ(p.plan().selected(),
            with_always({"make_file", "read_file", "right", "right; [again]", "unit.Parts.Right"}));
}

TEST_F(adopted, a_refresh_is_equal_to_a_full_measurement) {
  p.replace("left.cpp", "1", "2 - 1");
  p.commit();
  const finished end = p.try_measure({"--json"});
  ASSERT_EQ(end.exit, 0) << end.both();
  EXPECT_GT(json::parse(end.out)["carried"], 0) << end.out;
  EXPECT_EQ(facts_of_head(p), facts_of_full_measurement(p));
}

TEST_F(adopted, a_static_initializer_counts_for_every_test_of_its_program) {
  p.replace("table.cpp", "static int values = 3;",
            "#include <string>\nstatic const std::string loaded(3, 'y');\nstatic int values = 3;");
  p.write("programs/tool.cpp", p.read("programs/tool.cpp") + "static const std::string made_before_main(3, 'x');\n");
  p.commit();
  p.build();
  p.measure();
  p.replace("programs/tool.cpp", "made_before_main(3", "made_before_main(4");
  EXPECT_EQ(p.plan().reasons("nothing"), names{"changed-code:programs/tool.cpp:34"});
  EXPECT_EQ(p.plan().reasons("unit.Parts.Left"), names{"unaffected"});
  p.replace("programs/tool.cpp", "made_before_main(4", "made_before_main(3");
  p.replace("table.cpp", "loaded(3", "loaded(4");
  EXPECT_EQ(p.plan().reasons("nothing"), names{"changed-code:table.cpp:2"});
  EXPECT_EQ(p.plan().reasons("unit.Parts.Left"), names{"unaffected"});
}

TEST_F(adopted, the_line_of_one_case_is_not_executed_by_another) {
  p.replace("cases/unit.cpp", "TEST(Parts, Left) {", "TEST(Parts, Left)  {");
  EXPECT_EQ(p.plan().selected(), with_always({"unit.Parts.Left"}));
}

TEST_F(adopted, a_test_that_a_selected_one_depends_on_runs_too) {
  p.ctest();
  p.replace("programs/tool.cpp", "return what == \"nothing\" || what == \"wait\" ? 0 : 1;", "return what == \"fail\";");
  const plan_view plan = p.plan();  // by lines: every test executes main()
  EXPECT_EQ(plan.reasons("first"), names{"required"});
  const names ran = started(p.ctest({"-L", "^morph$"}).out);
  const auto first = std::find(ran.begin(), ran.end(), "first"), second = std::find(ran.begin(), ran.end(), "second");
  ASSERT_NE(second, ran.end());
  EXPECT_LT(first, second);
}

TEST_F(adopted, names_properties_and_order_are_those_without_morph) {
  std::map<std::string, json> with = properties(p);
  const names order = listed(p.ctest({"-N"}).out);
  p.configure({"-DMORPH_ENABLED=OFF"});
  const std::map<std::string, json> without = properties(p);
  names expected = listed(p.ctest({"-N"}).out);
  expected.push_back("adopted.plan");
  EXPECT_EQ(order, expected);
  ASSERT_EQ(with.size(), without.size() + 1);
  for (const auto& [name, properties] : without) {
    json labels = properties.value("LABELS", json::array());
    if (name != "off") {
      labels.push_back("adopted");
      labels.push_back(name == "aside" || name == "exec" || name == "never_built" || name == "script" ? "morph"
                                                                                                      : "deferred");
      std::sort(labels.begin(), labels.end());
    }
    EXPECT_EQ(with[name].value("LABELS", json::array()), labels) << name;
    for (const char* changed : {"LABELS", "COST"}) with[name].erase(changed);
    json rest = properties;
    for (const char* changed : {"LABELS", "COST"}) rest.erase(changed);
    EXPECT_EQ(with[name], rest) << name;
  }
}

TEST_F(adopted, the_whole_way_through_ctest_selects_them) {
  EXPECT_EQ(failed(p.ctest().out), names{"never_built"});
  p.replace("left.cpp", "return 1;", "return 2;");
  p.build();
  const finished end = p.ctest({"-L", "^morph$", "-j2", "--no-tests=error"});
  EXPECT_EQ(sorted(started(end.out)),
            sorted(with_always({"adopted.plan", "env", "left", "modified", "unit.Parts.Left"})));
  EXPECT_EQ(sorted(failed(end.out)),
            (names{"env", "exec", "left", "modified", "never_built", "script", "unit.Parts.Left"}));
  p.replace("left.cpp", "return 2;", "return 1;");
  p.build();
  const names again = p.plan().reasons("left");
  EXPECT_EQ(again, names{"failed-recently"});
  EXPECT_EQ(sorted(started(p.ctest({"--rerun-failed"}).out)),
            (names{"env", "exec", "left", "modified", "never_built", "script", "unit.Parts.Left"}));
}

TEST_F(adopted, a_fixture_comes_with_the_test_that_requires_it) {
  p.ctest();
  p.replace("programs/tool.cpp", "return text == \"2\" ? 0 : 1;", "return text != \"2\";");
  p.build();
  const finished end = p.ctest({"-L", "^morph$", "-R", "read_file"});
  EXPECT_EQ(started(end.out), (names{"make_file", "read_file", "clean_file"}));
  EXPECT_EQ(end.exit, 0) << end.out;
}

TEST_F(adopted, a_new_case_runs_and_a_removed_one_is_gone) {
  p.write("cases/unit.cpp", p.read("cases/unit.cpp") + "TEST(Parts, New) {\n  EXPECT_EQ(left(), 1);\n}\n");
  p.replace("cases/unit.cpp", "TEST(Parts, Right) {\n  EXPECT_EQ(right(), 2);\n}\n", "");
  p.build();
  const plan_view plan = p.plan();
  EXPECT_EQ(plan.reasons("unit.Parts.New"), names{"new"});
  EXPECT_THROW(plan.test("unit.Parts.Right"), std::runtime_error);
  const names found = listed(p.ctest({"-N", "-L", "^morph$", "-R", "^unit"}).out);
  EXPECT_NE(std::find(found.begin(), found.end(), "unit.Parts.New"), found.end());
}

TEST_F(adopted, a_new_registration_runs_everything) {
  p.write("programs/CMakeLists.txt", p.read("programs/CMakeLists.txt") + "add_test(NAME more COMMAND tool left)\n");
  p.build();
  const plan_view plan = p.plan();
  EXPECT_EQ(plan.state(), "stale-widened");
  EXPECT_TRUE(plan.deferred().empty());
  EXPECT_EQ(plan.reasons("more"), (names{"new", "changed-build:programs/CMakeLists.txt"}));
}

TEST_F(adopted, a_header_that_nobody_includes_selects_who_opened_it) {
  p.write("samples/parts.hpp", "left\n");
  p.write("samples/others.hpp", "left\n");
  p.replace("programs/tool.cpp", "  if (what == \"read\") {",
            "  if (what == \"sample\") {\n    std::string text;\n"
            "    std::ifstream(std::string(SAMPLES) + \"parts.hpp\") >> text;\n    return text.empty();\n  }\n"
            "  if (what == \"read\") {");
  p.replace("programs/CMakeLists.txt", "add_executable(tool tool.cpp)",
            "add_executable(tool tool.cpp)\nadd_test(NAME sample COMMAND tool sample)\n"
            "target_compile_definitions(tool PRIVATE SAMPLES=\"${PROJECT_SOURCE_DIR}/samples/\")");
  p.commit("samples");
  p.configure();
  p.build();
  p.measure();
  p.replace("samples/others.hpp", "left", "right");
  EXPECT_EQ(p.plan().selected(), always);
  p.replace("samples/parts.hpp", "left", "right");
  EXPECT_EQ(p.plan().selected(), with_always({"sample"}));
  EXPECT_EQ(p.plan().reasons("sample"), names{"changed-data:samples/parts.hpp"});
  ASSERT_EQ(p.try_measure({"--fresh", "--ignore-files"}).exit, 0);
  p.replace("samples/others.hpp", "right", "left");
  EXPECT_GT(p.plan().selected().size(), 15U) << "nobody was told who opened it";
}

TEST_F(adopted, data_of_the_suite_and_an_unknown_file_run_everything) {
  p.write("data/list.txt", "2\n");
  EXPECT_EQ(p.plan().reasons("nothing"), names{"changed-data:data/list.txt"});
}

TEST_F(adopted, without_morph_all_of_them_are_labelled) {
  p.configure({"-DMORPH_EXECUTABLE=/bin/false"});
  const finished end = p.ctest({"-N", "-L", "^morph$"});
  EXPECT_NE(end.err.find("Morph has no plan"), std::string::npos) << end.err;
  EXPECT_EQ(listed(end.out).size(), 20U) << end.out;
}

TEST_F(adopted, an_interrupted_measurement_continues_with_the_fixtures_of_what_is_left) {
  p.replace("left.cpp", "return 1;", "return 1 + 0;");
  p.commit();
  p.set_variable("BELL", (p.root() / "build/bell").string());
  const finished end =
      p.run({"sh", "-c",
             "\"$@\" & measuring=$!; until [ -e build/bell ]; do sleep 0.02; done; kill -INT $measuring; "
             "wait $measuring",
             "sh", p.morph_command({})[0], "measure", "--fresh", "--build", p.build_dir().string()});
  EXPECT_EQ(end.exit, 3) << end.err;
  p.unset_variable("BELL");
  p.remove("build/morph-twin/coverage/programs/file.txt");
  const finished again = p.try_measure({"--fresh"});
  EXPECT_EQ(again.exit, 0) << again.err;
  EXPECT_NE(again.out.find("measured 7 of 20 tests"), std::string::npos) << again.out;
  EXPECT_NE(again.out.find("0 failed, 0 incomplete"), std::string::npos) << again.out;
  EXPECT_EQ(p.plan().reasons("read_file"), names{"unaffected"});
}

TEST_F(adopted, a_suite_of_its_own_may_stand_beside_them) {
  p.replace("cases/CMakeLists.txt", "gtest_discover_tests(unit TEST_PREFIX unit. PROPERTIES LABELS discovered)",
            "find_package(Morph REQUIRED)\nmorph_add_suite(cases TARGET unit)\nadd_test(NAME whole COMMAND unit "
            "--gtest_brief=1)");
  p.commit();
  p.build();
  p.measure();
  p.replace("right.cpp", "return 2;", "return 1 + 1;");
  const plan_view plan = p.plan();
  EXPECT_EQ(plan.reasons("Parts.Right"), names{"changed-code:right.cpp:2"});
  EXPECT_EQ(plan.reasons("Parts.Left"), names{"unaffected"});
  EXPECT_EQ(plan.reasons("whole"), names{"changed-code:right.cpp:2"});
  EXPECT_EQ(plan.reasons("left"), names{"unaffected"});
}

TEST_F(adopted, a_failure_of_a_ctest_in_a_sub_directory_counts) {
  p.replace("left.cpp", "return 1;", "return 2;");
  p.build();
  EXPECT_EQ(failed(p.ctest({"-R", "^left$"}, "build/programs").out), names{"left"});
  p.replace("left.cpp", "return 2;", "return 1;");
  p.build();
  EXPECT_EQ(p.plan().reasons("left"), names{"failed-recently"});
  EXPECT_EQ(failed(p.ctest({"-R", "^left$"}, "build/programs").out), names());
  EXPECT_EQ(p.plan().selected(), always);
}

TEST_F(adopted, a_failure_before_ctest_was_cut_off_counts) {
  p.replace("left.cpp", "return 1;", "return 2;");
  p.build();
  p.set_variable("BELL", (p.root() / "build/bell").string());
  p.run({"sh", "-c",
         "ctest --test-dir build -R '^(left|waits)$' & ctest=$!; until [ -e build/bell ]; do sleep 0.02; done; "
         "kill -INT $ctest; wait $ctest"});
  p.unset_variable("BELL");
  p.replace("left.cpp", "return 2;", "return 1;");
  p.build();
  EXPECT_EQ(p.plan().reasons("left"), names{"failed-recently"});
}

TEST_F(adopted, a_test_of_another_configuration_runs_there) {
  p.write("programs/CMakeLists.txt",
          p.read("programs/CMakeLists.txt") + "add_test(NAME strict COMMAND tool left CONFIGURATIONS Strict)\n");
  p.commit();
  p.build();
  p.measure();
  EXPECT_EQ(listed(p.ctest({"-N", "-L", "^morph$", "-R", "strict"}).out), names());
  EXPECT_EQ(listed(p.ctest({"-N", "-L", "^morph$", "-R", "strict", "-C", "Strict"}).out), names{"strict"});
}

TEST_F(adopted, a_suite_of_its_own_needs_what_an_adopted_set_up_executed) {
  p.replace("cases/CMakeLists.txt", "gtest_discover_tests(unit TEST_PREFIX unit. PROPERTIES LABELS discovered)",
            "find_package(Morph REQUIRED)\nmorph_add_suite(cases TARGET unit PROPERTIES FIXTURES_REQUIRED file)");
  p.commit();
  p.build();
  p.measure();
  EXPECT_EQ(p.plan().reasons("Parts.Left"), names{"unaffected"});
  p.replace("right.cpp", "return 2;", "return 1 + 1;");
  EXPECT_EQ(p.plan().reasons("make_file"), names{"changed-code:right.cpp:2"});
  EXPECT_EQ(p.plan().reasons("Parts.Left"), names{"required"});
}

}  // namespace
}  // namespace morph::end_to_end
