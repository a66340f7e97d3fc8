// The sources of the shapes project. Tests count its lines: change both.
#include "shapes.hpp"

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

}  // namespace morph::end_to_end
