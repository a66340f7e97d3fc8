// Code that compilers, build descriptions and git like to hide from a measurement: one project that has it all.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "project.hpp"

namespace morph::end_to_end {
namespace {

// A Release build with -O3 behind everything, a precompiled header, a library outside PRODUCTION, a header behind a
// symbolic link, a source beside git, a table made by a program of the build, a main() that goes on after its tests.
void write_project(const project& to) {
  to.write("CMakeLists.txt", R"(cmake_minimum_required(VERSION 3.25)
project(Hidden CXX)
enable_testing()
find_package(GTest REQUIRED)
find_package(Morph REQUIRED)
set(CHOSEN "" CACHE PATH "")
add_library(options INTERFACE)
target_compile_options(options INTERFACE -O3)
add_library(core src/core.cpp)
add_library(codec src/codec.cpp)
add_executable(tabulate src/tabulate.cpp)
target_link_libraries(tabulate codec)
add_custom_command(OUTPUT table.cpp COMMAND tabulate table.cpp)
add_library(geo src/geo.cpp src/scaled.cpp table.cpp)
target_include_directories(geo PUBLIC src include)
target_precompile_headers(geo PRIVATE src/common.hpp)
target_link_libraries(geo PRIVATE options core codec)
add_executable(geo_tests tests/geo_test.cpp tests/main.cpp)
target_link_libraries(geo_tests geo options GTest::gtest)
morph_add_suite(geo TARGET geo_tests PRODUCTION geo codec)
)");
  to.write("src/common.hpp", "#pragma once\nconstexpr int limit_of_all = 10;\ninline int unused() {\n  return 1;\n}\n");
  to.write("src/shared.hpp", "#pragma once\nconstexpr int step = 1;\n");
  to.write("src/real.hpp", "#pragma once\nconstexpr int corners = 4;\n");
  to.write("src/core.cpp", "#include \"shared.hpp\"\nint core_step() {\n  return step;\n}\n");
  to.write("src/geo.cpp", R"(#include "shared.hpp"
#include "local.hpp"
int core_step();
static int limit() {
  return 10;
}
int clamp(int x) {
  return x < limit() ? x : limit();
}
int capped(int x) {
  return x < limit_of_all ? x : limit_of_all;
}
int via_core() {
  return core_step() + step;
}
int local() {
  return local_value;
}
)");
  to.write(
      "src/scaled.cpp",
      "extern int base_value;\nint plain() {\n  return 7;\n}\nint base_value = 3;\nint scaled = base_value * 2;\n");
  to.write("src/codec.cpp", R"(int encode(int x) {
  return x * 2;
}
int decode(int x) {
  return x / 2;
}
)");
  to.write("src/tabulate.cpp", R"(#include <fstream>
int encode(int x);
int main(int, char** words) {
  std::ofstream(words[1]) << "int table() { return " << encode(4) << "; }\n";
}
)");
  to.write("tests/geo_test.cpp", R"(#include <gtest/gtest.h>
#include "linked.hpp"
int clamp(int);
int capped(int);
int via_core();
int plain();
int local();
int table();
int decode(int);
TEST(Geo, Clamp) {
  EXPECT_EQ(clamp(50), 10);
}
TEST(Geo, Capped) {
  EXPECT_EQ(capped(50), 10);
}
TEST(Geo, ViaCore) {
  EXPECT_EQ(via_core(), 2);
}
TEST(Geo, Plain) {
  EXPECT_EQ(plain() + corners, 11);
}
TEST(Geo, Local) {
  EXPECT_EQ(local(), 1);
}
TEST(Geo, Table) {
  EXPECT_EQ(table(), 8);
}
TEST(Geo, Decode) {
  EXPECT_EQ(decode(8), 4);
}
)");
  to.write("tests/main.cpp", R"(#include <gtest/gtest.h>
static int farewell() {
  return 0;
}
int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  const int result = RUN_ALL_TESTS();
  return result + farewell();
}
)");
  to.write("src/docs/CMakeLists.txt", "# Nothing yet.\n");
  std::filesystem::create_directories(to.root() / "include");
  std::filesystem::create_symlink("../src/real.hpp", to.root() / "include/linked.hpp");
  to.write("src/.gitignore", "local.hpp\n");
  to.write("src/local.hpp", "constexpr int local_value = 1;\n");
}

class compiled : public testing::Test {
 protected:
  compiled() : p(measured().here()) {}
  ~compiled() override { measured().restore(); }

  static workspace& measured() {
    static workspace shared(write_project, {"-DCMAKE_BUILD_TYPE=Release"});
    return shared;
  }

  static inline const names all{"Geo.Capped", "Geo.Clamp", "Geo.Decode", "Geo.Local",
                                "Geo.Plain",  "Geo.Table", "Geo.ViaCore"};
  project& p;
};

TEST_F(compiled, nothing_is_selected_when_nothing_changed) {
  const plan_view plan = p.plan();
  EXPECT_EQ(plan.state(), "unchanged-proven");
  EXPECT_EQ(plan.selected(), names());
}

TEST_F(compiled, a_function_that_an_optimizer_folds_away_selects_its_tests) {
  p.replace("src/geo.cpp", "return 10;", "return 11;");
  EXPECT_EQ(p.plan().selected(), names{"Geo.Clamp"});
}

TEST_F(compiled, a_constant_in_a_precompiled_header_selects_the_tests_of_its_users) {
  p.replace("src/common.hpp", "limit_of_all = 10", "limit_of_all = 12");
  const plan_view plan = p.plan();
  const names selected = plan.selected();
  EXPECT_NE(std::find(selected.begin(), selected.end(), "Geo.Capped"), selected.end());
  EXPECT_EQ(plan.state(), "affected");  // its users are known; else everything would run, as not understood
}

TEST_F(compiled, a_header_of_an_object_without_counters_selects_everything) {
  p.replace("src/shared.hpp", "step = 1", "step = 2");
  EXPECT_EQ(p.plan().selected(), all);
  EXPECT_EQ(p.plan().state(), "stale-widened");
}

TEST_F(compiled, the_last_initializer_of_a_unit_belongs_to_every_test) {
  p.replace("src/scaled.cpp", "base_value * 2", "base_value * 3");
  EXPECT_EQ(p.plan().selected(), all);
}

TEST_F(compiled, what_main_does_after_its_tests_belongs_to_every_test) {
  p.replace("tests/main.cpp", "return 0;", "return 1;");
  EXPECT_EQ(p.plan().selected(), all);
}

TEST_F(compiled, the_target_of_a_symbolic_link_counts_for_those_who_include_the_link) {
  p.replace("src/real.hpp", "corners = 4", "corners = 5");
  EXPECT_EQ(p.plan().selected(), all);
  EXPECT_EQ(p.plan().state(), "affected");  // as a file that the tests' unit reads, not as one that nobody knows
}

TEST_F(compiled, a_header_that_git_ignores_counts_if_it_was_compiled) {
  p.write("src/local.hpp", "constexpr int local_value = 2;\n");
  const names selected = p.plan().selected();
  EXPECT_NE(std::find(selected.begin(), selected.end(), "Geo.Local"), selected.end());
}

TEST_F(compiled, a_change_that_git_was_told_to_overlook_counts) {
  p.git({"update-index", "--skip-worktree", "src/geo.cpp"});
  p.replace("src/geo.cpp", "return 10;", "return 11;");
  EXPECT_EQ(p.plan().selected(), names{"Geo.Clamp"});
}

TEST_F(compiled, a_build_description_below_docs_counts) {
  p.write("src/docs/CMakeLists.txt", "# Something.\n");
  EXPECT_EQ(p.plan().reasons("Geo.Plain"), names{"changed-build:src/docs/CMakeLists.txt"});
}

TEST_F(compiled, what_a_program_of_the_build_may_run_counts_for_everything) {
  p.replace("src/codec.cpp", "x * 2", "x * 3");
  EXPECT_EQ(p.plan().selected(), all);
  EXPECT_EQ(p.plan().state(), "stale-widened");
}

TEST_F(compiled, another_path_in_the_cache_is_another_configuration) {
  p.configure({"-DCHOSEN=/elsewhere"});
  const plan_view plan = p.plan();
  EXPECT_EQ(plan.state(), "unmeasured-ran-all");
  EXPECT_NE(plan.notes().front().find("CHOSEN"), std::string::npos) << plan.notes().front();
}

TEST_F(compiled, a_stray_cache_file_does_not_hide_tracked_sources) {
  p.write("tests/CMakeCache.txt", "");
  p.replace("tests/geo_test.cpp", "plain() + corners, 11", "corners + plain(), 11");
  EXPECT_EQ(p.plan().selected(), names{"Geo.Plain"});
}

}  // namespace
}  // namespace morph::end_to_end
