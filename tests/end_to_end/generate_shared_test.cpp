// morph generate in a project of shared libraries: the program of calls finds them wherever they lie.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "project.hpp"

namespace morph::end_to_end {
namespace {

void write_shared_libraries(const project& to) {
  to.write("CMakeLists.txt", R"(cmake_minimum_required(VERSION 3.25)
project(Post CXX)
enable_testing()
find_package(Morph REQUIRED)
find_package(GTest REQUIRED)
add_library(weights SHARED src/weights.cpp)
target_include_directories(weights PUBLIC src)
set_target_properties(weights PROPERTIES LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/elsewhere)
add_library(letters SHARED src/letter.cpp)
target_link_libraries(letters weights)
add_executable(post_tests tests/letter_test.cpp)
target_link_libraries(post_tests letters GTest::gtest_main)
morph_add_suite(post TARGET post_tests PRODUCTION letters weights)
)");
  to.write("src/weights.hpp", "#pragma once\nint limit_of(int zone);\n");
  to.write("src/weights.cpp",
           "#include \"weights.hpp\"\nint limit_of(int zone) {\n  if (zone > 3) return 50;\n  return 20;\n}\n");
  to.write("src/letter.hpp", R"(#pragma once
class letter {
 public:
  explicit letter(int grams) : grams_(grams) {}
  int price(int zone) const;

 private:
  int grams_;
};
)");
  to.write("src/letter.cpp", R"(#include "letter.hpp"
#include "weights.hpp"
int letter::price(int zone) const {
  if (grams_ > limit_of(zone)) return 9;
  return 1;
}
)");
  to.write("tests/letter_test.cpp",
           "#include <gtest/gtest.h>\n#include \"letter.hpp\"\n"
           "TEST(Letter, IsCheap) { EXPECT_EQ(letter(1).price(1), 1); }\n");
}

TEST(generated_of_shared_libraries, tests_of_a_class_are_found) {
  workspace shared(write_shared_libraries);
  project& p = shared.here();
  const finished done = p.morph({"generate", "--unit", "letter", "--sequences", "500", "--without-mutants", "--json"});
  ASSERT_EQ(done.exit, 0) << done.both();
  const nlohmann::json found = nlohmann::json::parse(done.out);
  EXPECT_GT(found.at("branches").at("all"), 0) << done.out;
  EXPECT_EQ(found.at("branches").at("reached"), found.at("branches").at("all")) << done.out;
}

}  // namespace
}  // namespace morph::end_to_end
