// MORPH_EVIDENCE=blocks: a test that executed no basic block that differs does not run.
#include "project.hpp"

namespace morph::end_to_end {
namespace {

/// grade() has a call, so that its frame stays as it is, and cleans up if that throws.
void write_grades(const project& to) {
  to.write("CMakeLists.txt", R"(cmake_minimum_required(VERSION 3.25)
project(grades CXX)
enable_testing()
find_package(GTest REQUIRED)
find_package(Morph REQUIRED)
add_library(grades src/grades.cpp)
target_include_directories(grades PUBLIC src)
add_executable(grades_tests tests/grades_test.cpp)
target_link_libraries(grades_tests grades GTest::gtest_main)
morph_add_suite(grades TARGET grades_tests)
)");
  to.write("src/grades.hpp", "int grade(int points);\nint checked(int points);\n");
  to.write("src/grades.cpp", R"(#include "grades.hpp"

#include <stdexcept>

struct counted {
  counted() { ++open; }
  ~counted() { --open; }
  static int open;
};
int counted::open = 0;

int checked(int points) {
  if (points < 0) throw std::out_of_range("points");
  return points;
}

int grade(int points) {
  counted one;
  int result = 6;
  if (checked(points) > 50) {
    result = 4;
    if (points > 70) {
      result = 2;
      if (points > 90) result = checked(1);
    }
  }
  return result;
}
)");
  to.write("tests/grades_test.cpp", R"(#include <gtest/gtest.h>

#include <stdexcept>

#include "grades.hpp"

TEST(Grade, Bad) { EXPECT_GT(grade(3), 3); }
TEST(Grade, Fair) { EXPECT_GT(grade(60), 2); }
TEST(Grade, Good) { EXPECT_GT(grade(80), 1); }
TEST(Grade, Best) { EXPECT_GT(grade(99), 0); }
TEST(Grade, Wrong) { EXPECT_THROW(grade(-1), std::out_of_range); }
TEST(Grade, Other) { EXPECT_EQ(checked(2), 2); }
)");
  to.write(".gitignore", "/build*/\n/.morph/\n");
}

/// Built at -O0, and run by ctest once.
class blocks : public testing::Test {
 protected:
  blocks() : p(shared().here()) { shared().restore(); }

  static workspace& shared() {
    static workspace made;
    static const bool is_made = make(made);
    EXPECT_TRUE(is_made);
    return made;
  }

  static bool make(workspace& at) {
    project& p = at.here();
    write_grades(p);
    p.start_repository();
    p.configure({"-DMORPH_EVIDENCE=blocks", "-DCMAKE_CXX_FLAGS=-O0"});
    p.build();
    const bool passed = p.ctest({"-L", "morph"}).exit == 0;
    const bool is_known = p.plan().selected().empty();
    at.save();
    return passed && is_known;
  }

  names run_after_build() const {
    p.build();
    names tests = started(p.ctest({"-L", "morph"}).out);
    std::erase_if(tests, [](const std::string& name) { return name.ends_with(".plan"); });
    return sorted(tests);
  }

  project& p;
};

// The table leads an exception to its clean-up, wherever that lies now.
TEST_F(blocks, who_executed_what_differs_or_was_thrown_out_of_it_runs) {
  p.replace("src/grades.cpp", "result = 2;", "result = checked(2);");
  EXPECT_EQ(run_after_build(), (names{"Grade.Best", "Grade.Good", "Grade.Wrong"}));
  EXPECT_EQ(run_after_build(), names());
}

// Which blocks of the new code a test executes that did not run again is not known: its row of the older code tells.
TEST_F(blocks, who_did_not_run_since_counts_by_its_older_row) {
  p.replace("src/grades.cpp", "if (points > 90) result = checked(1);",
            "if (points > 90) result = checked(points - 98);");
  EXPECT_EQ(run_after_build(), (names{"Grade.Best", "Grade.Wrong"}));
  p.replace("src/grades.cpp", "result = 2;", "result = checked(2);");
  EXPECT_EQ(run_after_build(), (names{"Grade.Best", "Grade.Good", "Grade.Wrong"}));
  p.replace("src/grades.cpp", "result = 4;", "result = checked(4);");
  EXPECT_EQ(run_after_build(), (names{"Grade.Best", "Grade.Fair", "Grade.Good", "Grade.Wrong"}));
}

TEST_F(blocks, a_change_of_the_begin_runs_who_entered_the_function) {
  p.replace("src/grades.cpp", "int result = 6;", "int result = checked(6);");
  EXPECT_EQ(run_after_build(), (names{"Grade.Bad", "Grade.Best", "Grade.Fair", "Grade.Good", "Grade.Wrong"}));
}

TEST_F(blocks, a_fault_is_found) {
  p.replace("src/grades.cpp", "result = checked(1);", "result = checked(0);");
  p.build();
  const finished run = p.ctest({"-L", "morph"});
  EXPECT_NE(run.exit, 0);
  EXPECT_EQ(failed(run.out), names{"Grade.Best"});
}

TEST_F(blocks, measuring_records_them_too) {
  p.remove("build/.morph/learned.db");
  p.measure();
  p.replace("src/grades.cpp", "result = 2;", "result = checked(2);");
  p.build();
  EXPECT_EQ(p.plan().selected(), (names{"Grade.Best", "Grade.Good", "Grade.Wrong"}));
}

}  // namespace
}  // namespace morph::end_to_end
