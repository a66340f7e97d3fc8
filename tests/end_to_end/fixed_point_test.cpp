// Builds that are not up to date after one run of the build tool, tests that do not behave alike twice, and what ctest
// sets up: what measuring makes of them.
#include <gtest/gtest.h>

#include <algorithm>

#include "project.hpp"

namespace morph::end_to_end {
namespace {

nlohmann::json measured(const project& p, std::vector<std::string> arguments = {}) {
  arguments.emplace_back("--json");
  const finished end = p.try_measure(arguments);
  EXPECT_EQ(end.exit, 0) << end.err;
  return nlohmann::json::parse(end.out);
}

// ---- libraries that the build does not link: one that another build makes and installs behind the step that declares
// it, one that is there

/// With the time of the one that was there, as a copy may have it.
void make_rates(const project& to, const std::string& body) {
  to.write("build_rates/rates.cpp", "int rate(int x) {\n  " + body + "\n}\n");
  to.must_run({"sh", "-ec",
               "cd build_rates; " + tested_compiler() +
                   " -c rates.cpp -o rates.o; test -e kept || touch kept; rm -f librates.a; ar rcs librates.a rates.o; "
                   "touch -r kept librates.a"});
}

void write_taxes(const project& to) {
  to.write("CMakeLists.txt", R"(cmake_minimum_required(VERSION 3.25)
project(Outer CXX)
enable_testing()
include(ExternalProject)
function(outer_library name kind folder file)
  ExternalProject_Add(${name}_build SOURCE_DIR ${CMAKE_SOURCE_DIR}/${folder} BINARY_DIR ${name} BUILD_ALWAYS TRUE
    CMAKE_ARGS -DCMAKE_CXX_COMPILER=${CMAKE_CXX_COMPILER} -DCMAKE_INSTALL_PREFIX=${CMAKE_BINARY_DIR}/installed
    BUILD_BYPRODUCTS ${CMAKE_BINARY_DIR}/installed/lib/${file})
  add_library(${name} ${kind} IMPORTED)
  set_target_properties(${name} PROPERTIES IMPORTED_LOCATION ${CMAKE_BINARY_DIR}/installed/lib/${file})
  add_dependencies(${name} ${name}_build)
endfunction()
outer_library(taxes STATIC taxes libtaxes.a)
outer_library(fees SHARED build_fees libfees.so)
add_library(rates STATIC IMPORTED)
set_target_properties(rates PROPERTIES IMPORTED_LOCATION ${CMAKE_SOURCE_DIR}/build_rates/librates.a)
find_package(GTest REQUIRED)
find_package(Morph REQUIRED)
add_library(totals totals.cpp)
add_executable(tests test.cpp)
target_link_libraries(tests totals taxes fees rates GTest::gtest_main)
add_custom_command(TARGET tests POST_BUILD COMMAND sh ${CMAKE_SOURCE_DIR}/stamp.sh $<TARGET_FILE:tests>)
morph_add_suite(sums TARGET tests)
)");
  to.write("taxes/CMakeLists.txt", R"(cmake_minimum_required(VERSION 3.25)
project(Taxes CXX)
add_library(taxes STATIC taxes.cpp)
install(TARGETS taxes DESTINATION lib)
)");
  to.write("taxes/taxes.cpp", "int tax(int x) {\n  return x / 5;\n}\n");
  to.write("build_fees/CMakeLists.txt", R"(cmake_minimum_required(VERSION 3.25)
project(Fees CXX)
add_library(fees SHARED fees.cpp)
install(TARGETS fees DESTINATION lib)
)");
  to.write("build_fees/fees.cpp", "int fee(int x) {\n  return x / 10;\n}\n");
  make_rates(to, "return x / 2;");
  to.write("build_stamp", "1");
  to.write("stamp.sh", "cat \"$(dirname \"$0\")/build_stamp\" >>\"$1\"\n");
  to.write("totals.cpp", "int total(int x, int tax) {\n  return x + tax;\n}\n");
  to.write("test.cpp", R"(#include <gtest/gtest.h>
int total(int x, int tax);
int tax(int x);
int fee(int x);
int rate(int x);
TEST(Sums, Tax) {
  EXPECT_EQ(total(10, tax(10)), 12);
}
TEST(Sums, Rate) {
  EXPECT_EQ(total(10, rate(10)), 15);
  EXPECT_EQ(fee(10), 1);
}
)");
}

class lagging_builds : public testing::Test {
 protected:
  lagging_builds() : p(built().here()) { built().restore(); }
  static workspace& built() {
    static workspace shared(write_taxes);
    return shared;
  }
  project& p;
};

TEST_F(lagging_builds, WhatIsMeasuredIsWhatTheNextBuildWouldMake) {
  EXPECT_EQ(p.plan().selected(), names{});
  p.replace("taxes/taxes.cpp", "x / 5", "x / 5 + 1");
  p.commit();
  p.build();
  EXPECT_EQ(measured(p).at("failed"), 1);  // by the library of this content
  p.build();
  EXPECT_EQ(p.plan().selected(), names{"Sums.Tax"});
  EXPECT_EQ(p.plan().reasons("Sums.Tax"), names{"incomplete-evidence"});  // and not that it failed under ctest
  EXPECT_NE(p.ctest({"-L", "^morph$"}).exit, 0);
}

TEST_F(lagging_builds, ATwinIsLinkedAgainOfALibraryWhoseTimeDoesNotTell) {
  make_rates(p, "return x / 2 + 1;");
  EXPECT_EQ(measured(p, {"--fresh"}).at("failed"), 1);
}

TEST_F(lagging_builds, AProgramThatBecomesWhatWasMeasuredIsUnaffected) {
  make_rates(p, "return (x + x) / 4;");
  EXPECT_EQ(measured(p, {"--fresh"}).at("failed"), 0);  // with the new library, which the ordinary program lacks
  p.remove("build/tests");
  p.build();
  EXPECT_EQ(p.plan().selected(), names{});
  make_rates(p, "return x / 2 + 1;");
  p.remove("build/tests");
  p.build();
  EXPECT_EQ(p.plan().selected(), names{"Sums.Rate"});
}

TEST_F(lagging_builds, AProgramThatTheBuildMadeOtherwiseOfTheSameIsAnother) {
  p.remove("build/tests");
  p.build();
  EXPECT_EQ(p.plan().selected(), names{});
  p.write("build_stamp", "2");
  p.remove("build/tests");
  p.build();
  EXPECT_EQ(p.plan().selected(), (names{"Sums.Rate", "Sums.Tax"}));
  EXPECT_NE(p.morph({"plan", "--why", "Sums.Tax"}).out.find("is not what was measured, though its objects are"),
            std::string::npos);
}

TEST_F(lagging_builds, ASharedLibraryThatAnotherBuildMakesIsComparedItself) {
  p.write("build_fees/fees.cpp", "int fee(int x) {\n  return x / 10 + 1;\n}\n");  // of which git knows nothing
  p.build();
  EXPECT_EQ(p.plan().selected(), (names{"Sums.Rate", "Sums.Tax"}));
  EXPECT_EQ(p.plan().reasons("Sums.Tax"), names{"changed-code:tests"});
}

TEST_F(lagging_builds, AProgramOfAnotherSourceIsComparedThoughTheBuildIsOld) {
  p.replace("test.cpp", "tax(10)), 12", "tax(10)), 13");
  p.build();
  p.replace("test.cpp", "tax(10)), 13", "tax(10)), 12");
  EXPECT_EQ(p.plan().selected(), names{"Sums.Tax"});  // what is there is not what git has
  p.build();
  EXPECT_EQ(p.plan().selected(), names{});
}

// ---- tests that do not behave alike twice

void write_turns(const project& to) {
  to.write("CMakeLists.txt", R"(cmake_minimum_required(VERSION 3.25)
project(Turns CXX)
enable_testing()
find_package(GTest REQUIRED)
find_package(Morph REQUIRED)
add_library(sides sides.cpp)
add_executable(tests test.cpp)
target_link_libraries(tests sides GTest::gtest_main)
morph_add_suite(turns TARGET tests)
)");
  to.write("sides.cpp",
           "int left() {\n  return 1;\n}\nint right() {\n  return 1;\n}\nint middle() {\n  return 1;\n}\n");
  to.write("test.cpp", R"(#include <gtest/gtest.h>
#include <cstdio>
#include <fstream>
int left();
int right();
int middle();
TEST(Turns, Alternate) {
  if (std::remove("turn") == 0) {
    EXPECT_GT(left(), 0);
  } else {
    std::ofstream("turn") << "x";
    EXPECT_GT(right(), 0);
  }
}
TEST(Turns, Steady) {
  EXPECT_GT(middle(), 0);
}
)");
}

class unsteady_tests : public testing::Test {
 protected:
  unsteady_tests() : p(built().here()) { built().restore(); }
  static workspace& built() {
    static workspace shared(write_turns);
    return shared;
  }
  names selected_after(const std::string& function) {
    built().restore();
    p.replace("sides.cpp", "int " + function + "() {\n  return 1;", "int " + function + "() {\n  return 3;");
    p.build();
    return p.plan().selected();
  }
  project& p;
};

TEST_F(unsteady_tests, HaveTheRowsOfBothRunsAndAreMarked) {
  const plan_view plan = p.plan();
  EXPECT_EQ(plan.selected(), names{});
  EXPECT_EQ(plan.marks("Turns.Alternate"), names{"unsteady"});
  EXPECT_EQ(plan.marks("Turns.Steady"), names{});
  ASSERT_EQ(plan.notes().size(), 1U);
  EXPECT_NE(plan.notes()[0].find("'Turns.Alternate' did not execute the same in each run (unsteady)"),
            std::string::npos)
      << plan.notes()[0];
  EXPECT_NE(p.morph({"plan", "--why", "Turns.Alternate"}).out.find("unsteady: "), std::string::npos);
  EXPECT_NE(p.morph({"doctor"}).out.find("(unsteady)"), std::string::npos);
  EXPECT_EQ(selected_after("left"), names{"Turns.Alternate"});
  EXPECT_EQ(selected_after("right"), names{"Turns.Alternate"});
}

TEST_F(unsteady_tests, AreNamedByTheMeasurementAndStayMarkedWhereRowsAreCarriedOver) {
  EXPECT_EQ(measured(p, {"--fresh"}).at("unsteady"), nlohmann::json::array({"Turns.Alternate"}));
  p.replace("sides.cpp", "int middle() {\n  return 1;", "int middle() {\n  return 3;");
  p.commit();
  p.build();
  EXPECT_EQ(measured(p).at("carried"), 1);
  EXPECT_EQ(p.plan().marks("Turns.Alternate"), names{"unsteady"});
}

// Each waits for ever in its second run.
void write_waiting(const project& to) {
  to.write("CMakeLists.txt", R"(cmake_minimum_required(VERSION 3.25)
project(Waiting CXX)
enable_testing()
find_package(GTest REQUIRED)
find_package(Morph REQUIRED)
add_executable(waiting waiting.cpp)
target_link_libraries(waiting GTest::gtest_main)
add_test(NAME alone COMMAND waiting --gtest_filter=Waiting.ForTheSecond)
set_tests_properties(alone PROPERTIES ENVIRONMENT FIRST=alone)
morph_adopt_tests()
morph_add_suite(waiting TARGET waiting)
)");
  to.write("waiting.cpp", R"(#include <gtest/gtest.h>
#include <unistd.h>
#include <cstdlib>
#include <fstream>
#include <string>
TEST(Waiting, ForTheSecond) {
  const char* const name = std::getenv("FIRST");
  const std::string first = name != nullptr ? name : "first";
  if (std::ifstream(first)) pause();
  std::ofstream(first) << "x";
}
)");
}

using tests_that_wait = testing::Test;

TEST_F(tests_that_wait, DoNotHoldUpTheMeasurementThatTriesThemAgain) {
  static workspace shared;
  const project& p = shared.here();
  write_waiting(p);
  p.start_repository();
  p.configure();
  p.build();
  const nlohmann::json all = measured(p);
  EXPECT_EQ(all.at("failed"), 0);
  EXPECT_EQ(all.at("unsteady"), nlohmann::json::array({"alone", "Waiting.ForTheSecond"}));
}

// ---- what ctest sets up

void write_server(const project& to) {
  to.write("CMakeLists.txt", R"(cmake_minimum_required(VERSION 3.25)
project(Server CXX)
enable_testing()
find_package(GTest REQUIRED)
find_package(Morph REQUIRED)
set(pid ${CMAKE_CURRENT_BINARY_DIR}/pid)
add_test(NAME start COMMAND sh ${CMAKE_SOURCE_DIR}/start.sh ${pid})
add_test(NAME stop COMMAND sh ${CMAKE_SOURCE_DIR}/stop.sh ${pid})
set_tests_properties(start PROPERTIES FIXTURES_SETUP server)
set_tests_properties(stop PROPERTIES FIXTURES_CLEANUP server)
add_library(words words.cpp)
foreach(name IN ITEMS clients users preparation)
  add_executable(${name} ${name}.cpp)
  target_compile_definitions(${name} PRIVATE PID="${pid}" PREPARED="${CMAKE_CURRENT_BINARY_DIR}/prepared")
  target_link_libraries(${name} words GTest::gtest_main)
endforeach()
morph_add_suite(clients TARGET clients PROPERTIES FIXTURES_REQUIRED server)
morph_add_suite(users TARGET users PROPERTIES FIXTURES_REQUIRED data)
morph_add_suite(preparation TARGET preparation PROPERTIES FIXTURES_SETUP data)
)");
  to.write("words.cpp", "const char* word() {\n  return \"x\";\n}\n");
  to.write("start.sh", "sleep 100 >/dev/null 2>&1 &\necho $! > \"$1\"\n");
  to.write("stop.sh", "kill $(cat \"$1\")\nrm \"$1\"\n");
  to.write("clients.cpp", R"(#include <gtest/gtest.h>
#include <csignal>
#include <fstream>
const char* word();
TEST(Clients, Connect) {
  EXPECT_STREQ(word(), "x");
  int server = 0;
  std::ifstream(PID) >> server;
  ASSERT_GT(server, 0);
  EXPECT_EQ(kill(server, 0), 0);
}
)");
  to.write("users.cpp", R"(#include <gtest/gtest.h>
#include <fstream>
const char* word();
TEST(Users, Read) {
  EXPECT_STREQ(word(), "x");
  EXPECT_TRUE(std::ifstream(PREPARED).good());
}
)");
  to.write("preparation.cpp", R"(#include <gtest/gtest.h>
#include <fstream>
const char* word();
TEST(Preparation, Write) {
  EXPECT_TRUE((std::ofstream(PREPARED) << word()).good());
}
)");
}

class fixtures_of_ctest : public testing::Test {
 protected:
  fixtures_of_ctest() : p(built().here()) { built().restore(); }
  static workspace& built() {
    static workspace shared(write_server);
    return shared;
  }
  project& p;
};

TEST_F(fixtures_of_ctest, AreSetUpWhileTestsAreMeasured) {
  EXPECT_EQ(measured(p, {"--fresh"}).at("failed"), 0);
  EXPECT_FALSE(std::filesystem::exists(p.build_dir() / "morph-twin/coverage/pid"));  // it is cleaned up
  const plan_view plan = p.plan();
  EXPECT_EQ(plan.selected(), names{"Clients.Connect"});  // nobody counts what a script does
  EXPECT_EQ(plan.reasons("Clients.Connect"), names{"incomplete-evidence"});
  EXPECT_NE(p.morph({"plan", "--why", "Clients.Connect"}).out.find("FIXTURES_REQUIRED"), std::string::npos);
  EXPECT_EQ(p.ctest().exit, 0);
}

TEST_F(fixtures_of_ctest, ThatFailAreNamedAndNoVerdictIsMadeOfThem) {
  EXPECT_EQ(p.ctest().exit, 0);
  p.write("start.sh", "exit 3\n");
  p.commit();
  const finished end = p.try_measure();
  EXPECT_EQ(end.exit, 0) << end.err;
  EXPECT_NE((end.out + end.err)
                .find("suite 'clients': its tests are not measured and always run: fixture 'server': "
                      "'start' failed (exit status 3)"),
            std::string::npos)
      << end.out << end.err;
  EXPECT_EQ(p.plan().reasons("Clients.Connect"), names{"incomplete-evidence"});
  EXPECT_NE(p.morph({"plan", "--why", "Clients.Connect"}).out.find("it was not measured; it did not run"),
            std::string::npos);
}

}  // namespace
}  // namespace morph::end_to_end
