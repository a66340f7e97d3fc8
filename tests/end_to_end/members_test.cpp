// Lines of members, which functions that the compiler writes execute, and which others use without executing any.
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>

#include "project.hpp"

namespace morph::end_to_end {
namespace {

void write_members(const project& to) {
  to.write("CMakeLists.txt", R"(cmake_minimum_required(VERSION 3.25)
project(Members CXX)
set(CMAKE_CXX_STANDARD 20)
enable_testing()
find_package(GTest REQUIRED)
find_package(Morph REQUIRED)
add_library(members members.cpp)
add_executable(members_tests members_test.cpp)
target_link_libraries(members_tests members GTest::gtest_main)
morph_add_suite(members TARGET members_tests)
)");
  to.write("members.hpp", R"(#pragma once
struct options {
  int width = 1;
  int height = 2;
};
int sum(const options& of);
struct place {
  int x = 1;
  int y = 2;
  bool operator==(const place&) const = default;
};
)");
  to.write("members.cpp",
           "#include \"members.hpp\"\nint sum(const options& of) {\n  return of.width + of.height;\n}\n");
  to.write("members_test.cpp", R"(#include <gtest/gtest.h>
#include "members.hpp"
TEST(Options, Constructed) { options o; EXPECT_GT(sum(o), 0); }
TEST(Options, Aggregate) { EXPECT_GT(sum({}), 0); }
TEST(Place, Constructed) { place p; EXPECT_GT(p.x + p.y, 0); }
TEST(Place, Compared) { EXPECT_TRUE((place{1, 2} == place{1, 2})); }
)");
}

class members : public testing::Test {
 protected:
  static void SetUpTestSuite() { shared = std::make_unique<workspace>(write_members); }
  static void TearDownTestSuite() { shared.reset(); }
  void TearDown() override { shared->restore(); }
  static std::unique_ptr<workspace> shared;
  project& p = shared->here();
};
std::unique_ptr<workspace> members::shared;

TEST_F(members, an_initializer_selects_who_uses_the_aggregate_too) {
  p.replace("members.hpp", "int width = 1;", "int width = 7;");
  const names selected = p.plan().selected();
  for (const char* test : {"Options.Aggregate", "Options.Constructed"})
    EXPECT_NE(std::find(selected.begin(), selected.end(), test), selected.end()) << test;
}

TEST_F(members, a_member_that_is_compared_selects_who_does_not_compare_too) {
  p.replace("members.hpp", "int x = 1;", "int x = 7;");
  const names selected = p.plan().selected();
  for (const char* test : {"Place.Compared", "Place.Constructed"})
    EXPECT_NE(std::find(selected.begin(), selected.end(), test), selected.end()) << test;
}

}  // namespace
}  // namespace morph::end_to_end
