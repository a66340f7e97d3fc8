// FRAMEWORK none: programs that are one test each.
#include <gtest/gtest.h>

#include "measurements.hpp"

namespace morph::end_to_end {
namespace {

namespace fs = std::filesystem;

void write_plain_programs(const project& p) {
  p.write("CMakeLists.txt", R"cmake(cmake_minimum_required(VERSION 3.25)
project(Plain CXX)
enable_testing()
find_package(Morph REQUIRED)
add_library(parts left.cpp right.cpp)
function(plain name)
  add_executable(${name} ${name}.cpp)
  target_link_libraries(${name} parts)
  morph_add_suite(s_${name} TARGET ${name} FRAMEWORK none ${ARGN})
endfunction()
plain(uses_left)
plain(uses_right TEST_PREFIX "unit." TEST_SUFFIX ".once")
plain(says_nothing PROPERTIES PASS_REGULAR_EXPRESSION "all is well")
plain(complains PROPERTIES FAIL_REGULAR_EXPRESSION "[Ww]arning")
plain(is_to_fail PROPERTIES WILL_FAIL TRUE)
plain(fails_to_fail PROPERTIES WILL_FAIL TRUE)
plain(skips PROPERTIES SKIP_RETURN_CODE 77)
plain(fails)
plain(aborts)
add_executable(says_so says_so.cpp)
morph_add_suite(s_says_so TARGET says_so FRAMEWORK none PRODUCTION parts
                PROPERTIES PASS_REGULAR_EXPRESSION "also good;all (is )?well")
)cmake");
  p.write("left.cpp", "int left() {\n  return 1;\n}\n");
  p.write("right.cpp", "int right() {\n  return 2;\n}\n");
  p.write("uses_left.cpp", "int left();\nint main() {\n  return left() - 1;\n}\n");
  p.write("uses_right.cpp", "int right();\nint main() {\n  return right() - 2;\n}\n");
  p.write("says_so.cpp", "#include <cstdio>\nint main() {\n  std::puts(\"all is well\");\n  return 1;\n}\n");
  p.write("says_nothing.cpp", "int main() {\n  return 0;\n}\n");
  p.write("complains.cpp",
          "#include <cstdio>\nint main() {\n  std::fputs(\"warning: old\", stderr);\n  return 0;\n}\n");
  p.write("is_to_fail.cpp", "int main() {\n  return 3;\n}\n");
  p.write("fails_to_fail.cpp", "int main() {\n  return 0;\n}\n");
  p.write("skips.cpp", "int main() {\n  return 77;\n}\n");
  p.write("fails.cpp", "int main() {\n  return 1;\n}\n");
  p.write("aborts.cpp", "#include <cstdlib>\nint main() {\n  std::abort();\n}\n");
}

workspace& plain_project() {
  static workspace shared(write_plain_programs);
  return shared;
}

class plain_programs : public testing::Test {
 protected:
  plain_programs() : p(plain_project().here()) { plain_project().restore(); }
  project& p;
};

const names failing{"aborts", "complains", "fails", "fails_to_fail", "says_nothing"};

TEST_F(plain_programs, ctest_and_the_measurement_agree_on_every_verdict) {
  names by_measurement;
  const plan_view plan = p.plan();
  for (const auto& t : plan.json["tests"])
    if (failed_when_measured(p, t["name"])) by_measurement.push_back(t["name"]);
  EXPECT_EQ(sorted(by_measurement), failing);
  EXPECT_EQ(plan.reasons("skips"), names{"incomplete-evidence"});
  EXPECT_EQ(plan.reasons("says_so"), names{"unaffected"});

  const finished end = p.ctest();
  EXPECT_EQ(sorted(failed(end.out)), failing);
  EXPECT_NE(end.out.find("***Skipped"), std::string::npos) << end.out;
}

TEST_F(plain_programs, a_refresh_runs_those_that_a_change_affects_and_those_that_always_run) {
  p.replace("left.cpp", "return 1;", "return 2 - 1;");
  p.commit();
  const finished end = p.try_measure({"--json"});
  ASSERT_EQ(end.exit, 0) << end.both();
  const auto said = nlohmann::json::parse(end.out);
  EXPECT_EQ(said["carried"], 3) << end.out;  // uses_right, says_so, is_to_fail
  EXPECT_EQ(said["measured"], 7) << end.out;
  EXPECT_EQ(facts_of_head(p), facts_of_full_measurement(p));
}

TEST_F(plain_programs, a_program_that_aborts_is_incomplete) {
  EXPECT_EQ(p.plan().reasons("aborts"), names{"incomplete-evidence"});
  EXPECT_EQ(p.plan().marks("aborts"), names{"crashed"});
}

TEST_F(plain_programs, a_change_selects_the_program_that_ran_it) {
  p.replace("right.cpp", "return 2;", "return 1 + 1;");
  p.commit();
  const plan_view plan = p.plan();
  EXPECT_EQ(plan.reasons("unit.uses_right.once"), names{"changed-code:right.cpp:2"});
  EXPECT_EQ(plan.test("unit.uses_right.once")["case"], "uses_right");
  EXPECT_EQ(plan.reasons("uses_left"), names{"unaffected"});
}

TEST_F(plain_programs, the_whole_way_through_ctest_selects_them) {
  p.ctest();  // whose verdicts are the same as before
  p.replace("left.cpp", "return 1;", "volatile int two = 2;\n  return 3 - two;");
  p.build();
  const names found = listed(p.ctest({"-N", "-L", "^morph$", "-E", "plan$"}).out);
  EXPECT_EQ(sorted(found),
            sorted({"aborts", "complains", "fails", "fails_to_fail", "says_nothing", "skips", "uses_left"}));
}

TEST_F(plain_programs, a_program_that_stops_failing_leaves) {
  p.replace("fails.cpp", "return 1;", "return 0;");
  p.commit();
  p.build();
  EXPECT_EQ(p.ctest({"-L", "^s_fails$", "-L", "^morph$"}).exit, 0);
  EXPECT_EQ(p.plan().reasons("fails"), (names{"incomplete-evidence", "changed-code:main"}));
}

}  // namespace
}  // namespace morph::end_to_end
