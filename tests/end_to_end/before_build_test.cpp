// Plans before the build: what they leave out is not needed by the plan after it, and CI may build the rest alone.
#include <gtest/gtest.h>

#include <algorithm>

#include "project.hpp"

namespace morph::end_to_end {
namespace {

void write_figures(const project& to) {
  to.write("CMakeLists.txt", R"(cmake_minimum_required(VERSION 3.25)
project(Figures CXX)
enable_testing()
find_package(GTest REQUIRED)
find_package(Morph REQUIRED)
add_library(figures area.cpp length.cpp table.cpp)
add_library(text text.cpp)
add_executable(area area_test.cpp)
target_link_libraries(area figures)
add_executable(length length_test.cpp)
target_link_libraries(length figures)
add_executable(text_tests text_test.cpp)
target_link_libraries(text_tests text GTest::gtest_main)
morph_add_suite(area TARGET area FRAMEWORK none)
morph_add_suite(length TARGET length FRAMEWORK none DATA data/*)
morph_add_suite(text TARGET text_tests)
)");
  to.write("figures.hpp", R"(#pragma once
#define SIDES 4
extern const int table[3];
int area(int width, int height);
int length(int side);
inline int twice(int x) {
  return x + x;
}
)");
  to.write("area.cpp", R"(#include "figures.hpp"

int area(int width, int height) {
  if (width < 0) {
    return 0;
  }
  return width * height;
}
)");
  to.write("length.cpp", R"(#include "figures.hpp"

int length(int side) {
  return twice(side) + twice(side) + table[0];
}
)");
  to.write("table.cpp", "#include \"figures.hpp\"\nconst int table[3] = {0, 1, 2};\nint unused() {\n  return 1;\n}\n");
  to.write("text.cpp", "const char* text(int x) {\n  return x == 0 ? \"none\" : \"some\";\n}\n");
  to.write("area_test.cpp", "int area(int, int);\nint main() {\n  return area(2, 3) == 6 ? 0 : 1;\n}\n");
  to.write("length_test.cpp", "int length(int);\nint main() {\n  return length(2) == 8 ? 0 : 1;\n}\n");
  to.write("text_test.cpp", R"(#include <gtest/gtest.h>
#include <string>
const char* text(int x);

TEST(Text, OfNothing) {
  EXPECT_EQ(text(0), std::string("none"));
}
TEST(Text, OfSomething) {
  EXPECT_EQ(text(1), std::string("some"));
}
)");
  to.write("data/sizes", "1 2 3\n");
  to.write("notes.md", "Notes.\n");
}

workspace& measured_figures() {
  static workspace shared(write_figures);
  return shared;
}

workspace& figures_of_probes() {
  static workspace shared(write_figures, {"-DMORPH_EVIDENCE=probes"});
  return shared;
}

workspace& optimized_figures() {
  static workspace shared(write_figures, {"-DMORPH_EVIDENCE=probes", "-DCMAKE_BUILD_TYPE=RelWithDebInfo"});
  return shared;
}

class before_build : public testing::Test {
 protected:
  explicit before_build(workspace& of = measured_figures()) : p(of.here()) { of.restore(); }

  plan_view before() const { return p.plan({"--before-build"}); }
  names targets() const { return sorted(before().json.at("targets").get<names>()); }

  /// The targets listed before the build. Every test that the plan after it selects belongs to one of them, and was
  /// selected before.
  names targets_that_suffice() const {
    const plan_view early = before();
    const names listed = early.json.at("targets");
    EXPECT_EQ(p.try_build().exit, 0);
    const plan_view late = p.plan();
    for (const auto& test : late.json.at("tests")) {
      if (!test.at("selected").get<bool>()) continue;
      const std::string suite = test.at("suite");
      const std::string target = suite == "text" ? "text_tests" : suite;
      EXPECT_TRUE(std::count(listed.begin(), listed.end(), target) != 0) << test.dump();
    }
    return sorted(listed);
  }

  finished build_what_is_needed() const {
    return p.run({"sh", "-c",
                  "cmake --build build --target $(" MORPH_PREFIX
                  "/bin/morph plan --build build --before-build --format targets)"});
  }
  bool is_built(const std::string& program) const { return std::filesystem::exists(p.build_dir() / program); }

  project& p;
  const names all_{"area", "length", "text_tests"};
};

TEST_F(before_build, nothing_changed_needs_nothing) {
  EXPECT_EQ(targets(), names());
  EXPECT_EQ(before().state(), "unchanged-proven");
  p.write("notes.md", "More notes.\n");
  EXPECT_EQ(targets(), names());
  EXPECT_EQ(p.morph({"plan", "--before-build", "--format", "targets"}).out, "morph-nothing\n");
  EXPECT_EQ(build_what_is_needed().exit, 0);
  EXPECT_NE(p.morph({"plan", "--before-build"}).out.find("to build: nothing"), std::string::npos);
}

TEST_F(before_build, a_changed_body_needs_who_executed_its_source_and_all_are_told_why) {
  p.replace("area.cpp", "width * height", "height * width");
  EXPECT_EQ(targets(), names{"area"});
  EXPECT_EQ(before().json["suites"][0]["build"], true);
  EXPECT_EQ(before().json["suites"][1]["build"], false);
  EXPECT_NE(p.morph({"plan", "--before-build"}).out.find("to build: area\n"), std::string::npos);
  EXPECT_NE(p.morph({"plan", "--before-build", "--why", "area"})
                .out.find("area(int, int) may stand in lines of 'area.cpp' that changed; the test executed it"),
            std::string::npos);
  EXPECT_EQ(targets_that_suffice(), names{"area"});
}

TEST_F(before_build, a_call_of_something_new_needs_every_program_of_the_library) {
  p.replace("area.cpp", "return width * height;", "return width * twice(height) / 2;");
  EXPECT_EQ(targets_that_suffice(), (names{"area", "length"}));
}

TEST_F(before_build, a_table_needs_who_links_it_whoever_executes_its_source) {
  p.replace("table.cpp", "{0, 1, 2}", "{0 + 0, 1, 3}");
  EXPECT_EQ(targets_that_suffice(), (names{"area", "length"}));
}

TEST_F(before_build, an_initializer_needs_every_program_of_the_library) {
  p.write("text.cpp", p.read("text.cpp") + "int count(int x) {\n  return x;\n}\nint counted = count(1);\n");
  EXPECT_EQ(targets_that_suffice(), names{"text_tests"});
  p.replace("area.cpp", "\n  return width * height;\n}\n",
            "\n  return width * height;\n}\nint at_start = area(1, 2);\n");
  EXPECT_EQ(targets_that_suffice(), all_);
}

TEST_F(before_build, comments_need_nothing) {
  p.replace("area.cpp", "int area", "// An area.\n\nint area");
  p.replace("figures.hpp", "#define", "// Numbers.\n#define");
  EXPECT_EQ(before().state(), "affected");
  EXPECT_EQ(targets_that_suffice(), names());
}

TEST_F(before_build, a_line_number_that_moves_needs_who_executed_its_function) {
  p.replace("length.cpp", "table[0]", "table[0] + CHECKED(side)");
  p.replace("figures.hpp", "#define", "#define CHECKED(x) (x < 0 ? __LINE__ : 0)\n#define");
  p.commit();
  p.build();
  p.measure();
  p.replace("length.cpp", "int length", "// A length.\nint length");
  EXPECT_EQ(targets_that_suffice(), names{"length"});
}

TEST_F(before_build, bodies_in_headers_need_who_executed_them_and_the_rest_every_program_with_an_object_of_them) {
  p.replace("figures.hpp", "return x + x", "return x * 2");
  EXPECT_EQ(targets_that_suffice(), names{"length"});
  p.replace("figures.hpp", "SIDES 4", "SIDES 5");
  EXPECT_EQ(targets_that_suffice(), (names{"area", "length"}));
}

class before_build_by_probes : public before_build {
 protected:
  explicit before_build_by_probes(workspace& of = figures_of_probes()) : before_build(of) {}
};

TEST_F(before_build_by_probes, comments_need_nothing_and_what_was_not_built_is_not_run) {
  p.replace("figures.hpp", "#define", "// Numbers.\n#define");
  p.replace("text_test.cpp", "#include <string>", "#include <string>  // names");
  EXPECT_EQ(p.plan().selected(), names());
  EXPECT_EQ(targets(), names());
  EXPECT_EQ(build_what_is_needed().exit, 0);
  EXPECT_EQ(p.plan().selected(), names());
  EXPECT_EQ(targets_that_suffice(), names());
}

TEST_F(before_build_by_probes, bodies_need_who_executed_them) {
  p.replace("figures.hpp", "return x + x", "return x * 2");
  EXPECT_EQ(targets_that_suffice(), names{"length"});
  p.replace("area.cpp", "width * height", "height * width");
  EXPECT_EQ(targets_that_suffice(), (names{"area", "length"}));
  p.replace("figures.hpp", "SIDES 4", "SIDES 5");
  EXPECT_EQ(targets_that_suffice(), (names{"area", "length"}));
}

TEST_F(before_build_by_probes, a_body_that_a_tool_of_the_build_executes_needs_every_program) {
  p.write("make_table.cpp",
          "#include <cstdio>\nint entry(int x) {\n  return x + 1;\n}\n"
          "int main() {\n  std::printf(\"int made() { return %d; }\\n\", entry(1));\n}\n");
  p.write("CMakeLists.txt", p.read("CMakeLists.txt") + R"(
add_executable(make_table make_table.cpp)
add_custom_command(OUTPUT made.cpp COMMAND make_table > made.cpp DEPENDS make_table)
target_sources(text PRIVATE ${CMAKE_CURRENT_BINARY_DIR}/made.cpp)
)");
  p.replace("text_test.cpp", "TEST(Text, OfNothing) {",
            "int made();\nTEST(Text, OfNothing) {\n  EXPECT_EQ(made(), 2);");
  p.configure();
  p.commit();
  p.build();
  p.measure();
  EXPECT_EQ(targets(), names());
  p.replace("make_table.cpp", "return x + 1", "return x + 1 + 1");
  EXPECT_EQ(targets_that_suffice(), all_);
  EXPECT_EQ(p.plan().selected(), names{"Text.OfNothing"});
}

TEST_F(before_build_by_probes, a_body_of_a_test_needs_its_program) {
  p.replace("text_test.cpp", "EXPECT_EQ(text(1)", "EXPECT_EQ(text(3)");
  EXPECT_EQ(targets_that_suffice(), names{"text_tests"});
}

class before_build_of_optimized_code : public before_build {
 protected:
  before_build_of_optimized_code() : before_build(optimized_figures()) {}
};

TEST_F(before_build_of_optimized_code, bodies_need_every_program_of_the_library_and_comments_nothing) {
  p.replace("figures.hpp", "#define", "// Numbers.\n#define");
  EXPECT_EQ(targets_that_suffice(), names());
  p.replace("figures.hpp", "return x + x", "return x * 2");
  EXPECT_EQ(targets_that_suffice(), (names{"area", "length"}));
}

TEST_F(before_build, sources_of_tests_need_their_program_where_new_tests_may_be) {
  p.write("text_test.cpp", p.read("text_test.cpp") + "TEST(Text, OfMore) {\n  EXPECT_NE(text(2), nullptr);\n}\n");
  EXPECT_EQ(targets_that_suffice(), names{"text_tests"});
  EXPECT_EQ(p.plan().reasons("Text.OfMore"), names{"new"});
}

TEST_F(before_build, data_needs_the_suite_that_declares_it) {
  p.write("data/sizes", "4\n");
  EXPECT_EQ(targets_that_suffice(), names{"length"});
}

TEST_F(before_build, what_was_not_understood_needs_everything) {
  p.write("more.cpp", "int more() { return 1; }\n");
  EXPECT_EQ(targets(), all_);
  p.remove("more.cpp");
  p.write("CMakeLists.txt", p.read("CMakeLists.txt") + "# The end.\n");
  p.configure();
  EXPECT_EQ(targets_that_suffice(), all_);
}

TEST_F(before_build, a_new_suite_needs_its_program_even_if_nobody_knows_its_tests) {
  p.write("CMakeLists.txt",
          p.read("CMakeLists.txt") +
              "add_executable(more text_test.cpp)\n"
              "target_link_libraries(more text GTest::gtest_main)\nmorph_add_suite(more TARGET more)\n");
  p.set_variable("MORPH_BASE", "");
  p.configure();
  const names needed = targets();
  EXPECT_TRUE(std::count(needed.begin(), needed.end(), "more") == 1);
}

TEST_F(before_build, failures_and_policies_need_their_programs) {
  p.replace("length_test.cpp", "== 8", "== 9");
  p.build();
  EXPECT_EQ(failed(p.ctest({"-L", "morph"}).out), names{"length"});
  p.git({"checkout", "--", "length_test.cpp"});
  EXPECT_EQ(targets(), names{"length"});
  p.set_variable("MORPH_POLICY", "all");
  EXPECT_EQ(targets(), all_);
  p.set_variable("MORPH_BUDGET", "0");
  EXPECT_EQ(targets(), all_);
}

TEST_F(before_build, a_tree_without_a_baseline_needs_everything) {
  p.remove(".morph/evidence.db");
  EXPECT_EQ(targets(), all_);
}

TEST_F(before_build, a_tree_that_was_never_built_is_built_in_part_and_the_rest_waits) {
  p.remove("build");
  p.configure();
  p.replace("area.cpp", "width * height", "height * width");
  const finished built = build_what_is_needed();
  EXPECT_EQ(built.exit, 0) << built.both();
  EXPECT_TRUE(is_built("area"));
  EXPECT_FALSE(is_built("length"));
  EXPECT_FALSE(is_built("text_tests"));

  const plan_view plan = p.plan();
  EXPECT_EQ(plan.json["rules"]["by"], "object-code") << plan.json["rules"].dump();
  EXPECT_EQ(plan.selected(), names{"area"});
  EXPECT_EQ(plan.deferred(), (names{"Text.OfNothing", "Text.OfSomething", "length"}));
  const finished end = p.ctest({"-L", "^morph$"});
  EXPECT_EQ(end.exit, 0) << end.both();
  EXPECT_EQ(sorted(started(end.out)), (names{"area", "area.plan", "length.plan", "text.plan"}));

  // Whoever asks for what is not there gets no green.
  EXPECT_NE(p.ctest().exit, 0);
  p.set_variable("MORPH_POLICY", "all");
  const finished all = p.ctest({"-L", "^morph$"});
  EXPECT_NE(all.exit, 0);
  const names red = failed(all.out);
  EXPECT_TRUE(std::count(red.begin(), red.end(), "length_NOT_BUILT") == 1) << all.both();
  p.unset_variable("MORPH_POLICY");

  // Another content: what was left out may be needed.
  p.replace("area.cpp", "height * width", "width * height * 1");
  EXPECT_EQ(p.ctest({"-L", "^morph$"}).exit, 8);
}

TEST_F(before_build, a_tree_that_is_older_than_its_sources_is_built_in_part) {
  p.replace("area.cpp", "width * height", "height * width");
  const auto built_at = std::filesystem::last_write_time(p.build_dir() / "length");
  EXPECT_EQ(build_what_is_needed().exit, 0);
  EXPECT_EQ(std::filesystem::last_write_time(p.build_dir() / "length"), built_at);
  const plan_view plan = p.plan();
  EXPECT_EQ(plan.json["rules"]["by"], "object-code") << plan.json["rules"].dump();
  EXPECT_EQ(plan.selected(), names{"area"});
  p.set_variable("MORPH_POLICY", "all");
  const names red = failed(p.ctest({"-L", "^morph$"}).out);
  EXPECT_TRUE(std::count(red.begin(), red.end(), "length_NOT_BUILT") == 1);
  p.build();
  EXPECT_EQ(p.ctest({"-L", "^morph$"}).exit, 0);
}

TEST_F(before_build, formats_that_need_a_build_are_refused) {
  const finished end = p.morph({"plan", "--before-build", "--format", "cmake"});
  EXPECT_EQ(end.exit, 2);
  EXPECT_NE(end.err.find("with --before-build there are: text, json, names, targets"), std::string::npos) << end.err;
  EXPECT_EQ(p.morph({"plan", "--format", "targets"}).exit, 2);
}

}  // namespace
}  // namespace morph::end_to_end
