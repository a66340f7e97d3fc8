// Change area() in geo.cpp and run `ctest -L morph`: the first two tests run, the last one is deselected.
#include "geo.hpp"

#include <gtest/gtest.h>

TEST(Area, OfASquare) {
  EXPECT_EQ(area(3, 3), 9);
}

TEST(Area, OfAStrip) {
  EXPECT_EQ(area(1, 5), 5);
}

TEST(Perimeter, OfASquare) {
  EXPECT_EQ(perimeter(3, 3), 12);
}
