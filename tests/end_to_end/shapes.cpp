// The shapes project: its sources (tests count their lines: change both), and what tests do to it.
#include "shapes.hpp"

#include <algorithm>

#include "plugin/store/store.hpp"

namespace morph::end_to_end {

void write_shapes(const project& to) {
  to.write("CMakeLists.txt", R"(cmake_minimum_required(VERSION 3.25)
project(Shapes CXX)
enable_testing()
find_package(GTest REQUIRED)
find_package(Morph REQUIRED)
add_library(shapes src/area.cpp src/scale.cpp)
target_include_directories(shapes PUBLIC src)
add_executable(shapes_tests tests/shapes_test.cpp)
target_link_libraries(shapes_tests shapes GTest::gtest_main)
morph_add_suite(geometry TARGET shapes_tests DATA data/*.txt)
)");
  to.write("src/shapes.hpp", R"(// Shapes.
#pragma once
#define CORNERS 4
int area(int width, int height);
int perimeter(int width, int height);
int scale(int length);
inline int twice(int length) {
  return length + length;
}
)");
  to.write("src/area.cpp", R"(// Areas.
#include "shapes.hpp"

int area(int width, int height) {
  return width * height;
}

int perimeter(int width, int height) {
  return twice(width + height);
}
)");
  to.write("src/scale.cpp", R"(// Scaling.
#include "shapes.hpp"

int scale(int length) {
  return length * 2;
}
)");
  to.write("tests/shapes_test.cpp", R"(#include <gtest/gtest.h>
#include "shapes.hpp"

TEST(Area, OfSquare) {
  EXPECT_EQ(area(2, 2), 4);
}

TEST(Area, OfStrip) {
  EXPECT_EQ(area(1, 3), 3);
}

TEST(Perimeter, OfSquare) {
  EXPECT_EQ(perimeter(1, 1), 4);
}

TEST(Scale, ByTwo) {
  EXPECT_EQ(scale(2), 4);
}

TEST(Scale, ByZero) {
  EXPECT_EQ(scale(0), 0);
}
)");
  to.write("data/sizes.txt", "1 2 3\n");
  to.write("notes.md", "Notes.\n");
}

workspace& measured_shapes() {
  static workspace shared(write_shapes);
  return shared;
}

shapes_test::shapes_test() : p(measured_shapes().here()) {
  measured_shapes().restore();
}

void shapes_test::redeclare(const std::string& old_text, const std::string& new_text) const {
  p.replace("CMakeLists.txt", old_text, new_text);
  p.commit("another declaration");
  p.configure();
  p.measure();
}

void shapes_test::add_kills(const std::map<std::uint32_t, names>& killers_of) const {
  const std::string path = p.store().string();
  store::evidence e = store::evidence_store::open_for_reading(path).value()->load(1).value();
  const auto area = std::find(e.files.begin(), e.files.end(), "src/area.cpp");
  ASSERT_NE(area, e.files.end());
  const auto owner = static_cast<std::uint32_t>(area - e.files.begin());
  for (const auto& [mutant, killers] : killers_of) {
    store::element_class& made = e.classes.emplace_back();
    for (std::uint32_t i = 0; i < e.tests.size(); ++i)
      if (std::count(killers.begin(), killers.end(), e.tests[i].name) != 0) made.tests.push_back(i);
    ASSERT_EQ(made.tests.size(), killers.size());
    made.elements = {store::make_element(optimizer::requirement_kind::kill, owner, mutant)};
  }
  std::filesystem::remove(path);
  ASSERT_TRUE(store::evidence_store::open_for_writing(path).value().add(e, {}));
}

}  // namespace morph::end_to_end
