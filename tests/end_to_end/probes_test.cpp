// Evidence by probes: the tests of the user's own build say which functions they enter, and plans go by that.
#include <algorithm>
#include <filesystem>

#include "shapes.hpp"

namespace morph::end_to_end {
namespace {

namespace fs = std::filesystem;

void write_shapes_that_read(const project& to) {
  write_shapes(to);
  to.replace("src/shapes.hpp", "inline int twice", R"(template <typename T>
__attribute__((noinline)) T larger(T a, T b) {
  return a < b ? b : a;
}
inline int twice)");
  to.replace("src/area.cpp", "twice(width + height)", "larger(0, twice(width + height))");
  to.replace("src/scale.cpp", "length * 2", "larger(-1000, length * 2)");
  to.write("tests/reads_test.cpp", R"(#include <gtest/gtest.h>
#include <cstdlib>

TEST(Reads, Variable) {
  EXPECT_EQ(std::getenv("SHAPE_OF_NOTHING"), nullptr);
}

TEST(Reads, Nothing) {}
)");
  to.replace("CMakeLists.txt", "morph_add_suite(geometry", R"(add_executable(reads_tests tests/reads_test.cpp)
target_link_libraries(reads_tests GTest::gtest_main)
morph_add_suite(reads TARGET reads_tests)
add_test(NAME plain COMMAND shapes_tests --gtest_filter=Scale.*)
morph_adopt_tests(NAME others)
morph_add_suite(geometry)");
}

/// Measured once, by probes.
class probed : public testing::Test {
 protected:
  probed() : p(shared().here()) { shared().restore(); }

  static workspace& shared() {
    static workspace made(write_shapes_that_read, {"-DMORPH_EVIDENCE=probes", "-DCMAKE_CXX_FLAGS=-O1"});
    return made;
  }

  names selected_after_build() const {
    p.build();
    return p.plan().selected();
  }

  project& p;
};

TEST_F(probed, tests_need_no_second_build) {
  EXPECT_FALSE(fs::exists(p.build_dir() / "morph-twin"));
  const plan_view plan = p.plan();
  EXPECT_EQ(plan.state(), "unchanged-proven");
  EXPECT_EQ(plan.selected(), names());
  EXPECT_EQ(plan.json.at("totals").at("total"), 8);
}

TEST_F(probed, a_changed_function_selects_who_entered_it) {
  p.replace("src/area.cpp", "width * height", "width == 7 ? 0 : height * width");
  EXPECT_EQ(p.plan().selected().size(), 6U) << "all that loaded it, until it is built";
  EXPECT_EQ(selected_after_build(), area_tests);
  EXPECT_EQ(p.plan().reasons("Area.OfSquare"), names{"changed-code:area(int, int)"});
}

TEST_F(probed, a_test_of_ctest_that_was_adopted_is_selected_as_well) {
  p.replace("src/scale.cpp", "length * 2", "length == 7 ? 0 : length * 2");
  EXPECT_EQ(selected_after_build(), (names{"Scale.ByTwo", "Scale.ByZero", "plain"}));
}

TEST_F(probed, a_description_selects_of_adopted_tests_those_that_it_registers_otherwise) {
  const std::string before = p.read("CMakeLists.txt");
  p.write("CMakeLists.txt", before + "set(NOTHING 1)\n");
  EXPECT_EQ(selected_after_build(), names());
  p.write("CMakeLists.txt", before + "set_tests_properties(plain PROPERTIES LABELS short COST 7)\n");
  EXPECT_EQ(selected_after_build(), names());
  p.write("CMakeLists.txt", before + "set_tests_properties(plain PROPERTIES ENVIRONMENT GIVEN=1)\n");
  EXPECT_EQ(selected_after_build(), names{"plain"});
  EXPECT_EQ(p.plan().reasons("plain"), names{"changed-build:others/plain"});
  p.write("CMakeLists.txt", before);
  p.replace("CMakeLists.txt", "--gtest_filter=Scale.*", "--gtest_filter=Scale.By*");
  EXPECT_EQ(selected_after_build(), names{"plain"});
  p.replace("CMakeLists.txt", "add_test(NAME plain", "add_test(NAME more COMMAND reads_tests)\nadd_test(NAME plain");
  EXPECT_EQ(selected_after_build(), (names{"more", "plain"}));
  p.measure();
  EXPECT_EQ(p.plan().selected(), names());
}

/// Where a build tree lies does not count, but which of its folders a test runs in.
TEST_F(probed, an_adopted_test_in_the_folder_of_sources_is_another_than_in_that_of_the_build) {
  p.replace(
      "CMakeLists.txt", "add_test(NAME plain COMMAND shapes_tests --gtest_filter=Scale.*)",
      "add_test(NAME plain COMMAND shapes_tests --gtest_filter=Scale.* WORKING_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR})");
  EXPECT_EQ(selected_after_build(), names{"plain"});
}

TEST_F(probed, what_an_adopted_test_depended_on_and_what_it_asked_ctest_for_count) {
  const std::string before = p.read("CMakeLists.txt");
  const std::string more = before + R"(add_test(NAME prepare COMMAND reads_tests --gtest_filter=Reads.Nothing)
set_tests_properties(plain PROPERTIES DEPENDS prepare RESOURCE_GROUPS "1,gpus:1")
)";
  p.write("CMakeLists.txt", more);
  p.build();
  p.measure();
  p.write("CMakeLists.txt", more + "set(NOTHING 1)\n");
  const names always = selected_after_build();
  p.write("CMakeLists.txt", more);
  p.replace("CMakeLists.txt", "gpus:1", "gpus:2");
  p.build();
  const names reasons = p.plan().reasons("plain");
  EXPECT_NE(std::find(reasons.begin(), reasons.end(), "changed-build:others/plain"), reasons.end());
  p.write("CMakeLists.txt", more);
  p.replace("CMakeLists.txt", "add_test(NAME prepare COMMAND reads_tests --gtest_filter=Reads.Nothing)\n", "");
  p.build();
  const names without = p.plan().reasons("plain");
  EXPECT_NE(std::find(without.begin(), without.end(), "changed-build:others/prepare"), without.end())
      << nlohmann::json(without) << nlohmann::json(always);
}

TEST_F(probed, a_comment_selects_nothing) {
  p.replace("src/shapes.hpp", "// Shapes.", "// Shapes, and more.");
  EXPECT_EQ(selected_after_build(), names());
}

TEST_F(probed, a_new_test_is_selected_alone) {
  p.write("tests/shapes_test.cpp",
          p.read("tests/shapes_test.cpp") + "\nTEST(Scale, ByThree) {\n  EXPECT_EQ(scale(3), 6);\n}\n");
  EXPECT_EQ(selected_after_build(), names{"Scale.ByThree"});
}

TEST_F(probed, a_variable_selects_who_asked_for_it) {
  p.set_variable("SHAPE_OF_NOTHING", "1");
  EXPECT_EQ(p.plan().selected(), names{"Reads.Variable"});
}

TEST_F(probed, only_what_is_affected_is_measured_again) {
  p.replace("src/area.cpp", "larger(0, twice(width + height))", "twice(width + height)");
  p.commit();
  p.build();
  const finished run = p.try_measure();
  EXPECT_NE(run.out.find("measured 1 of 8 tests"), std::string::npos) << run.both();
  EXPECT_NE(run.out.find(": 7 of 8 tests, which the changes since do not affect"), std::string::npos) << run.both();
  EXPECT_EQ(p.plan().state(), "unchanged-proven");
}

TEST_F(probed, a_build_that_is_not_up_to_date_is_not_measured) {
  p.replace("src/area.cpp", "width * height", "height * width + 1");
  p.commit();
  const finished run = p.try_measure();
  EXPECT_EQ(run.exit, 3);
  EXPECT_NE(run.err.find("is older than"), std::string::npos) << run.err;
  EXPECT_NE(run.err.find("build '" + p.build_dir().string() + "' first"), std::string::npos) << run.err;
}

TEST_F(probed, what_has_no_symbols_always_runs) {
  p.must_run({"strip", (p.build_dir() / "shapes_tests").string()});
  fs::remove_all(p.build_dir() / ".morph" / "probes");  // what was told before the symbols were gone
  const finished run = p.try_measure({"--fresh"});
  EXPECT_EQ(run.exit, 0) << run.both();
  EXPECT_NE(run.err.find("it is stripped: it has no symbols (.symtab); tests that run it always run"),
            std::string::npos)
      << run.err;
  const plan_view plan = p.plan();
  names expected = all_shapes;
  expected.push_back("plain");
  EXPECT_EQ(plan.selected(), sorted(expected));
  EXPECT_EQ(plan.reasons("Area.OfSquare"), names{"incomplete-evidence"});
}

TEST_F(probed, tests_of_one_program_are_measured_by_one_start) {
  p.write("tests/reads_test.cpp", p.read("tests/reads_test.cpp") + R"(
#include <filesystem>
#include <fstream>
#include <unistd.h>
namespace {
int first_time() { return ::getpid() > 0 ? 1 : 0; }
int initialized() {
  static int number = first_time() - 1;
  return ++number;
}
}  // namespace
TEST(Once, First) { EXPECT_EQ(initialized(), 1); }
TEST(Once, Second) { EXPECT_EQ(initialized(), 1); }
TEST(Once, Third) {
  const std::string parent = "/proc/" + std::to_string(::getppid()) + "/exe";
  if (std::filesystem::equivalent(parent, "/proc/self/exe")) std::ofstream("was_forked") << "yes";
}
)");
  p.commit();
  p.build();
  p.measure();
  EXPECT_TRUE(fs::exists(p.build_dir() / "was_forked"));
  p.replace("tests/reads_test.cpp", "::getpid() > 0 ?", "::getpid() > 1 ?");
  p.build();
  EXPECT_EQ(p.plan().selected(), sorted({"Once.First", "Once.Second"}));
}

TEST_F(probed, a_test_that_leaves_a_process_behind_always_runs) {
  p.write("tests/reads_test.cpp", p.read("tests/reads_test.cpp") + R"(
TEST(Reads, ALittleLater) {
  EXPECT_EQ(std::system("sleep 20 >/dev/null 2>&1 &"), 0);
}
TEST(Reads, NothingMore) {}
)");
  p.commit();
  p.build();
  p.measure();
  const plan_view plan = p.plan();
  EXPECT_EQ(plan.selected(), names{"Reads.ALittleLater"});
  EXPECT_EQ(plan.reasons("Reads.ALittleLater"), names{"incomplete-evidence"});
}

TEST_F(probed, coverage_needs_the_twin) {
  const finished run = p.morph({"report", "coverage"});
  EXPECT_EQ(run.exit, 3);
  EXPECT_NE(run.err.find("configure a build tree with -DMORPH_EVIDENCE=twin"), std::string::npos) << run.err;
}

TEST_F(probed, the_doctor_counts_functions_and_asks_for_no_twin) {
  const finished run = p.morph({"doctor"});
  EXPECT_EQ(run.exit, 0) << run.both();
  EXPECT_NE(run.out.find("probes record which functions tests enter"), std::string::npos) << run.out;
  EXPECT_NE(run.out.find(" functions of 2 programs and shared libraries"), std::string::npos) << run.out;
  EXPECT_EQ(run.out.find("twin"), std::string::npos) << run.out;
}

}  // namespace
}  // namespace morph::end_to_end
