// Shapes that projects have: one old-fashioned project with all of them, and one with every obstacle in its way.
#include <algorithm>
#include <cstdlib>
#include <map>

#include "shapes.hpp"

namespace morph::end_to_end {
namespace {

namespace fs = std::filesystem;

// ---- many shapes in one project

std::string test_source(const std::string& suite, const std::vector<std::pair<std::string, std::string>>& functions) {
  std::string text = "#include <gtest/gtest.h>\n";
  for (const auto& [test, function] : functions) text += "int " + function + "(int);\n";
  for (const auto& [test, function] : functions)
    text += "TEST(" + suite + ", " + test + ") {\n  EXPECT_EQ(" + function + "(1), 2);\n}\n";
  return text;
}

std::string function_source(const std::string& name) {
  return "int " + name + "(int x);\n\nint " + name + "(int x) {\n  return x + 1;\n}\n";
}

void write_collection(const project& to) {
  to.write("CMakeLists.txt", R"(cmake_minimum_required(VERSION 3.0)
project(Collection CXX)
enable_testing()
set(CMAKE_CXX_STANDARD 14)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin)
find_package(GTest REQUIRED)
find_package(Morph REQUIRED)

# a program that is made after the call, under another name
morph_add_suite(late TARGET late_tests)
add_library(plain plain.cpp)
add_executable(late_tests late_test.cpp)
set_target_properties(late_tests PROPERTIES OUTPUT_NAME late-program)
target_link_libraries(late_tests plain GTest::gtest_main)

# production that is headers only: a library of its own, and none at all
add_library(header INTERFACE)
target_include_directories(header INTERFACE headers)
add_executable(header_tests header_test.cpp)
target_link_libraries(header_tests header GTest::gtest_main)
target_include_directories(header_tests PRIVATE ${CMAKE_SOURCE_DIR}/bare)
morph_add_suite(header TARGET header_tests)

# production among the sources of the test program
add_executable(inside_tests inside.cpp inside_test.cpp)
target_link_libraries(inside_tests GTest::gtest_main)
morph_add_suite(inside TARGET inside_tests)

# libraries of several kinds
add_library(objects OBJECT objects.cpp)
add_library(dynamic SHARED dynamic.cpp dynamic_test.cpp)
target_link_libraries(dynamic GTest::gtest)
add_library(facade INTERFACE)
target_link_libraries(facade INTERFACE dynamic)
add_executable(kinds_tests kinds_test.cpp $<TARGET_OBJECTS:objects>)
target_link_libraries(kinds_tests facade GTest::gtest_main)
set_target_properties(kinds_tests PROPERTIES LINK_DEPENDS_NO_SHARED ON)
morph_add_suite(kinds TARGET kinds_tests)

# unity builds
add_library(together first.cpp second.cpp)
set_target_properties(together PROPERTIES UNITY_BUILD ON)
add_executable(unity_tests first_test.cpp second_test.cpp)
set_target_properties(unity_tests PROPERTIES UNITY_BUILD ON)
target_link_libraries(unity_tests together GTest::gtest_main)
morph_add_suite(unity TARGET unity_tests)

# a generated source
add_custom_command(OUTPUT ${CMAKE_BINARY_DIR}/made.cpp
  COMMAND ${CMAKE_COMMAND} -DFROM=${CMAKE_SOURCE_DIR}/made.in -DTO=${CMAKE_BINARY_DIR}/made.cpp -P ${CMAKE_SOURCE_DIR}/make.cmake
  DEPENDS made.in make.cmake)
add_library(made ${CMAKE_BINARY_DIR}/made.cpp)
add_executable(made_tests made_test.cpp)
target_link_libraries(made_tests made GTest::gtest_main)
morph_add_suite(made TARGET made_tests)

# old C++, strict
add_library(strict strict.cpp)
add_executable(strict_tests strict_test.cpp)
target_link_libraries(strict_tests strict GTest::gtest_main)
set_target_properties(strict strict_tests PROPERTIES CXX_STANDARD 11 CXX_EXTENSIONS OFF
  COMPILE_FLAGS "-fno-rtti -fno-exceptions -Wall -Wextra -pedantic -Werror -Wconversion -Wshadow -Wold-style-cast -Wuseless-cast -Wmissing-declarations -Wundef -Wsuggest-override")
morph_add_suite(strict TARGET strict_tests)

add_subdirectory(east)
add_subdirectory(west)
add_subdirectory(inner)
)");
  for (const char* name : {"plain", "inside", "objects", "dynamic", "first", "second", "strict", "inner/inner"})
    to.write(name + std::string(".cpp"), function_source(fs::path(name).filename().string()));
  to.write("headers/header.hpp", "#pragma once\n\ninline int in_library(int x) {\n  return x + 1;\n}\n");
  to.write("bare/bare.hpp", "#pragma once\n\ntemplate <typename T>\nT bare(T x) {\n  return x + 1;\n}\n");
  to.write("made.in", "x + 1\n");
  to.write("make.cmake",
           "file(READ \"${FROM}\" text)\nfile(WRITE \"${TO}\" \"int made(int x) {\\n  return ${text};\\n}\\n\")\n");
  to.write("late_test.cpp", test_source("Late", {{"Plain", "plain"}}));
  to.write("header_test.cpp", R"(#include <gtest/gtest.h>
#include "bare.hpp"
#include "header.hpp"
TEST(Header, InLibrary) {
  EXPECT_EQ(in_library(1), 2);
}
TEST(Header, Bare) {
  EXPECT_EQ(bare(1), 2);
}
)");
  to.write("inside_test.cpp", test_source("Inside", {{"Uses", "inside"}}) + "TEST(Inside, Other) {\n}\n");
  to.write("kinds_test.cpp", test_source("Kinds", {{"Objects", "objects"}, {"Dynamic", "dynamic"}}));
  to.write("dynamic_test.cpp", test_source("Kinds", {{"InLibrary", "dynamic"}}));
  to.write("first_test.cpp", test_source("Unity", {{"First", "first"}}));
  to.write("second_test.cpp", test_source("Unity", {{"Second", "second"}}));
  to.write("made_test.cpp", test_source("Made", {{"Uses", "made"}}));
  to.write("strict_test.cpp", R"(#include <gtest/gtest.h>
int strict(int);
TEST(Strict, Uses) {
  EXPECT_EQ(strict(1), 2);
}
)");
  for (const char* side : {"east", "west"}) {
    const std::string name = side;
    to.write(name + "/CMakeLists.txt", "add_executable(" + name + "_tests test.cpp)\ntarget_link_libraries(" + name +
                                           "_tests plain GTest::gtest_main)\nmorph_add_suite(" + name + " TARGET " +
                                           name + "_tests)\n");
  }
  to.write("east/test.cpp", test_source("East", {{"Plain", "plain"}}));
  to.write("west/test.cpp", "#include <gtest/gtest.h>\nTEST(West, Nothing) {\n}\n");
  // A project of its own, here a part of a larger one.
  to.write("inner/CMakeLists.txt", R"(cmake_minimum_required(VERSION 3.15)
project(Inner CXX)
find_package(GTest REQUIRED)
find_package(Morph REQUIRED)
add_library(inner inner.cpp)
add_executable(inner_tests inner_test.cpp)
target_link_libraries(inner_tests PRIVATE inner GTest::gtest_main)
morph_add_suite(inner TARGET inner_tests)
)");
  to.write("inner/inner_test.cpp", test_source("Inner", {{"Uses", "inner"}}));
}

const names whole_collection{"East.Plain",  "Header.Bare",   "Header.InLibrary", "Inner.Uses",    "Inside.Other",
                             "Inside.Uses", "Kinds.Dynamic", "Kinds.InLibrary",  "Kinds.Objects", "Late.Plain",
                             "Made.Uses",   "Strict.Uses",   "Unity.First",      "Unity.Second",  "West.Nothing"};

class collection : public testing::Test {
 protected:
  collection() : p(measured().here()) { measured().restore(); }
  static workspace& measured() {
    static workspace shared(write_collection);
    return shared;
  }
  void change_selects(const std::string& path, const names& expected) const {
    p.replace(path, "x + 1", "1 + x");
    EXPECT_EQ(p.plan().selected(), expected) << path;
    p.git({"checkout", "--", path});
  }
  project& p;
};

TEST_F(collection, every_test_is_registered_and_measured) {
  const plan_view plan = p.plan();
  EXPECT_EQ(plan.state(), "unchanged-proven");
  EXPECT_EQ(plan.deferred(), whole_collection);
  const finished end = p.ctest();
  EXPECT_EQ(end.exit, 0) << end.both();
}

TEST_F(collection, a_case_that_comes_into_a_shared_library_is_listed) {
  const auto linked = fs::last_write_time(p.build_dir() / "bin" / "kinds_tests");
  p.replace("dynamic_test.cpp", "TEST(Kinds, InLibrary)", "TEST(Kinds, Added) {\n}\nTEST(Kinds, InLibrary)");
  p.must_run({"cmake", "--build", p.build_dir().string(), "--target", "dynamic", "kinds_tests"});
  ASSERT_EQ(fs::last_write_time(p.build_dir() / "bin" / "kinds_tests"), linked);
  names kinds = listed(p.ctest({"-N", "-R", "^Kinds"}).out);  // in the order in which objects are initialized
  std::sort(kinds.begin(), kinds.end());
  EXPECT_EQ(kinds, (names{"Kinds.Added", "Kinds.Dynamic", "Kinds.InLibrary", "Kinds.Objects"}));
}

TEST_F(collection, a_change_selects_the_tests_that_ran_it_whatever_the_shape) {
  change_selects("plain.cpp", {"East.Plain", "Late.Plain"});
  change_selects("headers/header.hpp", {"Header.InLibrary"});
  change_selects("bare/bare.hpp", {"Header.Bare"});
  change_selects("inside.cpp", {"Inside.Uses"});
  change_selects("objects.cpp", {"Kinds.Objects"});
  change_selects("dynamic.cpp", {"Kinds.Dynamic", "Kinds.InLibrary"});
  change_selects("first.cpp", {"Unity.First"});
  change_selects("second.cpp", {"Unity.Second"});
  change_selects("strict.cpp", {"Strict.Uses"});
  change_selects("inner/inner.cpp", {"Inner.Uses"});
  EXPECT_EQ(p.plan().state(), "unchanged-proven");
}

TEST_F(collection, a_change_of_what_a_source_is_generated_from_selects_its_tests) {
  for (const char* path : {"made.in", "make.cmake"}) {
    p.write(path, p.read(path) + "\n");
    const names selected = p.plan().selected();
    EXPECT_NE(std::find(selected.begin(), selected.end(), "Made.Uses"), selected.end()) << path;
    p.git({"checkout", "--", path});
  }
}

TEST_F(collection, another_line_of_one_source_of_a_unity_build_selects_the_tests_of_the_unit) {
  p.replace("first.cpp", "int first(int x);\n", "int first(int y);\n");
  EXPECT_EQ(p.plan().selected(), (names{"Unity.First", "Unity.Second"}));
  p.git({"checkout", "--", "first.cpp"});
  p.replace("second_test.cpp", "EXPECT_EQ(second(1), 2)", "EXPECT_EQ(2, second(1))");
  EXPECT_EQ(p.plan().selected(), names{"Unity.Second"});
}

// ---- obstacles

TEST(obstacles, sanitizers_launchers_unity_builds_and_links_do_not_keep_a_project_from_being_measured) {
  workspace w;
  project p(w.folder() / "a project", w.folder() / "home");
  write_shapes(p);
  p.start_repository();
  fs::create_directories(w.folder() / "somewhere else");
  fs::create_directory_symlink(w.folder() / "somewhere else", p.build_dir());
  p.configure({"-DCMAKE_CXX_COMPILER_LAUNCHER=env", "-DCMAKE_UNITY_BUILD=ON", "-DCMAKE_BUILD_TYPE=RelWithDebInfo",
               "-DCMAKE_CXX_FLAGS=-fsanitize=address,undefined -fno-sanitize-recover=all -Wall -Wextra -Werror",
               "-DCMAKE_RUNTIME_OUTPUT_DIRECTORY=" + (w.folder() / "programs").string()});
  p.build();
  p.measure();
  EXPECT_TRUE(fs::exists(w.folder() / "programs" / "shapes_tests"));
  EXPECT_EQ(p.plan().state(), "unchanged-proven");
  EXPECT_EQ(p.plan().selected(), names());
  p.replace("src/area.cpp", "width * height", "height * width");
  EXPECT_EQ(p.plan().selected(), area_tests);
  const finished end = p.ctest({"-L", "morph"});
  EXPECT_EQ(end.exit, 0) << end.both();
  EXPECT_EQ(sorted(started(end.out)), (names{"Area.OfSquare", "Area.OfStrip", "geometry.plan"}));
}

// ---- tests in libraries

// One library is linked as a whole, another because the program names something in it.
void write_test_libraries(const project& to) {
  to.write("CMakeLists.txt", R"(cmake_minimum_required(VERSION 3.25)
project(Libraries CXX)
enable_testing()
set(CMAKE_CXX_STANDARD 17)
find_package(GTest REQUIRED)
find_package(Morph REQUIRED)
add_library(left left.cpp)
add_library(right right.cpp)
add_library(whole STATIC whole_test.cpp)
target_link_libraries(whole left GTest::gtest)
add_library(named STATIC named_test.cpp unnamed_test.cpp)
target_link_libraries(named right GTest::gtest)
add_executable(all_tests main.cpp)
target_link_libraries(all_tests -Wl,--whole-archive whole -Wl,--no-whole-archive named GTest::gtest)
morph_add_suite(all TARGET all_tests)
)");
  to.write("left.cpp", function_source("left"));
  to.write("right.cpp", function_source("right"));
  to.write("whole_test.cpp", test_source("Whole", {{"Left", "left"}}) + "TEST(Whole, Nothing) {\n}\n");
  to.write("named_test.cpp", test_source("Named", {{"Right", "right"}}) + "int has_tests() {\n  return 1;\n}\n");
  to.write("unnamed_test.cpp", test_source("Unnamed", {{"Right", "right"}}));
  to.write("main.cpp", R"(#include <gtest/gtest.h>
int has_tests();
int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  return has_tests() == 1 ? RUN_ALL_TESTS() : 1;
}
)");
}

void tests_in_libraries_are_like_others(const project& p) {
  EXPECT_EQ(p.plan().deferred(), (names{"Named.Right", "Whole.Left", "Whole.Nothing"}));
  for (const auto& [path, tests] :
       std::map<std::string, names>{{"left.cpp", {"Whole.Left"}}, {"right.cpp", {"Named.Right"}}}) {
    p.replace(path, "x + 1", "1 + x");
    EXPECT_EQ(p.plan().selected(), tests) << path;
    p.replace(path, "1 + x", "x + 1");
  }
  p.replace("whole_test.cpp", "EXPECT_EQ(left(1), 2)", "EXPECT_EQ(2, left(1))");
  EXPECT_EQ(p.plan().selected(), names{"Whole.Left"});
  p.write("named_test.cpp", p.read("named_test.cpp") + "TEST(Named, New) {\n}\n");
  p.build();
  EXPECT_EQ(p.plan().selected(), (names{"Named.New", "Whole.Left"}));
  EXPECT_EQ(sorted(started(p.ctest({"-L", "morph"}).out)), (names{"Named.New", "Whole.Left", "all.plan"}));
}

TEST(test_libraries, that_are_static_have_tests_like_others) {
  workspace w(write_test_libraries);
  tests_in_libraries_are_like_others(w.here());
}

TEST(test_libraries, with_a_shared_GoogleTest_have_tests_like_others) {
  if (!fs::exists("/usr/src/googletest/googletest/CMakeLists.txt"))
    GTEST_SKIP() << "not run: GoogleTest's sources are not in /usr/src/googletest";
  workspace w;
  project& p = w.here();
  write_test_libraries(p);
  p.replace("CMakeLists.txt", "find_package(GTest REQUIRED)\n", R"(include(FetchContent)
set(BUILD_GMOCK OFF CACHE BOOL "" FORCE)
set(INSTALL_GTEST OFF CACHE BOOL "" FORCE)
set(BUILD_SHARED_LIBS ON)  # GoogleTest alone
FetchContent_Declare(googletest SOURCE_DIR /usr/src/googletest)
FetchContent_MakeAvailable(googletest)
set(BUILD_SHARED_LIBS OFF)
if(NOT TARGET GTest::gtest)
  add_library(GTest::gtest ALIAS gtest)
endif()
)");
  p.start_repository();
  p.configure();
  p.build();
  p.measure();
  EXPECT_FALSE(fs::is_empty(p.build_dir() / "lib"));
  tests_in_libraries_are_like_others(p);
}

class lto : public testing::TestWithParam<const char*> {};

TEST_P(lto, of_the_build_is_none_of_the_twin) {
  workspace w;
  project& p = w.here();
  write_shapes(p);
  p.start_repository();
  p.configure({"-DCMAKE_BUILD_TYPE=Release", GetParam()});
  p.build();
  const finished end = p.try_measure();
  ASSERT_EQ(end.exit, 0) << end.both();
  EXPECT_NE(end.out.find("measured 5 of 5 tests"), std::string::npos) << end.out;
  EXPECT_EQ(p.plan().selected(), names());
  const std::string object = "build/morph-twin/coverage/CMakeFiles/shapes.dir/src/area.cpp.o";
  EXPECT_EQ(p.run({"readelf", "-SW", object}).out.find(".gnu.lto_"), std::string::npos);
  for (const auto& [path, tests] : std::map<std::string, names>{
           {"src/area.cpp", area_tests}, {"src/scale.cpp", names{"Scale.ByTwo", "Scale.ByZero"}}}) {
    const std::string text = p.read(path);
    p.replace(path, path == "src/area.cpp" ? "width * height" : "length * 2",
              path == "src/area.cpp" ? "height * width" : "2 * length");
    EXPECT_EQ(p.plan().selected(), tests) << path;
    p.write(path, text);
  }
}

INSTANTIATE_TEST_SUITE_P(by, lto, testing::Values("-DCMAKE_INTERPROCEDURAL_OPTIMIZATION=ON", "-DCMAKE_CXX_FLAGS=-flto"),
                         [](const testing::TestParamInfo<const char*>& by) {
                           return by.index == 0 ? std::string("property") : std::string("flag");
                         });

TEST(obstacles, a_fetched_GoogleTest_is_neither_production_nor_an_obstacle) {
  if (!fs::exists("/usr/src/googletest/googletest/CMakeLists.txt"))
    GTEST_SKIP() << "not run: GoogleTest's sources are not in /usr/src/googletest";
  workspace w;
  project& p = w.here();
  write_shapes(p);
  p.replace("CMakeLists.txt", "find_package(GTest REQUIRED)\n", R"(include(FetchContent)
set(BUILD_GMOCK OFF CACHE BOOL "" FORCE)
set(INSTALL_GTEST OFF CACHE BOOL "" FORCE)
FetchContent_Declare(googletest URL ${CMAKE_SOURCE_DIR}/../googletest)
FetchContent_MakeAvailable(googletest)
)");
  p.replace("CMakeLists.txt", "GTest::gtest_main", "gtest_main");
  fs::copy("/usr/src/googletest", w.folder() / "googletest", fs::copy_options::recursive);
  p.start_repository();
  p.configure();
  p.build();
  p.measure();
  EXPECT_EQ(p.plan().state(), "unchanged-proven");
  p.replace("src/area.cpp", "width * height", "height * width");
  EXPECT_EQ(p.plan().selected(), area_tests);
  EXPECT_EQ(sorted(started(p.ctest({"-L", "morph"}).out)), (names{"Area.OfSquare", "Area.OfStrip", "geometry.plan"}));
}

}  // namespace
}  // namespace morph::end_to_end
