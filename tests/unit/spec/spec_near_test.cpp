// Comparisons with a tolerance: absolute, relative, in units of the last place, structural.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <variant>
#include <vector>

#include "morph/near.hpp"

namespace {

using morph::absolute;
using morph::near;
using morph::relative;
using morph::ulps;
using morph::within;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double infinite = std::numeric_limits<double>::infinity();

TEST(SpecNear, Absolute) {
  EXPECT_TRUE(near(1000.0, 1000.5, absolute{0.5}));
  EXPECT_FALSE(near(1000.0, 1000.625, absolute{0.5}));
  EXPECT_TRUE(near(-0.25, 0.25, absolute{0.5}));
  EXPECT_FALSE(near(0.0, 1e-300, absolute{0}));
}

TEST(SpecNear, Relative) {
  EXPECT_TRUE(near(1e20, 1.001e20, relative{1e-3}));
  EXPECT_FALSE(near(1e20, 1.002e20, relative{1e-3}));
  EXPECT_TRUE(near(1e-20, 1.001e-20, relative{1e-3}));
  EXPECT_FALSE(near(0.0, 1e-20, relative{1e-3})) << "nothing else is near 0";
  EXPECT_FALSE(near(-1.0, 1.0, relative{1.5}));
}

TEST(SpecNear, AbsoluteBelowOneAndRelativeAbove) {
  EXPECT_TRUE(near(0.0, 1e-10, within{1e-9}));
  EXPECT_TRUE(near(1e20, 1e20 + 1e10, within{1e-9}));
  EXPECT_FALSE(near(1.0, 1.00001, within{1e-9}));
  EXPECT_TRUE(near(1.0, 1.0 + 1e-10)) << "1e-9 if nothing is said";
  EXPECT_FALSE(near(1.0, 1.0 + 1e-8));
}

TEST(SpecNear, UnitsInTheLastPlace) {
  const double next = std::nextafter(1.0, 2.0);
  EXPECT_TRUE(near(1.0, next, ulps{1}));
  EXPECT_FALSE(near(1.0, std::nextafter(next, 2.0), ulps{1}));
  EXPECT_TRUE(near(1.0, std::nextafter(1.0, 0.0), ulps{1}));
  EXPECT_TRUE(near(0.0, -0.0, ulps{0}));
  const double least = std::numeric_limits<double>::denorm_min();
  EXPECT_TRUE(near(-least, least, ulps{2})) << "across zero";
  EXPECT_FALSE(near(-least, least, ulps{1}));
  EXPECT_FALSE(near(-1.0, 1.0, ulps{1'000'000}));
  EXPECT_TRUE(near(1.0F, std::nextafter(1.0F, 2.0F), ulps{1}));
  EXPECT_FALSE(near(1.0F, 1.0001F, ulps{100}));
  EXPECT_FALSE(near(std::numeric_limits<double>::max(), infinite, ulps{10})) << "infinity is near itself alone";
}

TEST(SpecNear, WhatIsNoNumberAndInfinity) {
  for (const double bound : {0.0, 1e-9, infinite}) {
    EXPECT_TRUE(near(nan, nan, bound));
    EXPECT_FALSE(near(nan, 1.0, bound));
    EXPECT_FALSE(near(1.0, nan, bound));
    EXPECT_TRUE(near(infinite, infinite, bound));
    EXPECT_FALSE(near(infinite, -infinite, bound));
    EXPECT_FALSE(near(infinite, 1e308, bound));
  }
}

TEST(SpecNear, ANumberIsABoundForAllKinds) {
  EXPECT_TRUE(near(1.0, 1.01, 0.1));
  EXPECT_TRUE(near(1.0F, 1.01F, 0.1));
  EXPECT_FALSE(near(1.0F, 1.01F, 0.001F));
  EXPECT_TRUE(near(std::vector<double>{1}, std::vector<double>{1.01}, 0.1));
}

struct inner {
  double value;
  int count;
};
struct outer {
  std::string name;
  std::vector<inner> parts;
  double raw[2];
};

TEST(SpecNear, MembersElementsAndHeldValues) {
  const outer a{"x", {{1.0, 2}}, {0.5, 0.25}};
  EXPECT_TRUE(near(a, outer{"x", {{1.0 + 1e-12, 2}}, {0.5, 0.25 + 1e-12}}));
  EXPECT_FALSE(near(a, outer{"y", {{1.0, 2}}, {0.5, 0.25}}));
  EXPECT_FALSE(near(a, outer{"x", {{1.0, 3}}, {0.5, 0.25}}));
  EXPECT_FALSE(near(a, outer{"x", {{1.1, 2}}, {0.5, 0.25}}));
  EXPECT_FALSE(near(a, outer{"x", {}, {0.5, 0.25}}));
  EXPECT_FALSE(near(a, outer{"x", {{1.0, 2}, {1.0, 2}}, {0.5, 0.25}}));
  EXPECT_FALSE(near(a, outer{"x", {{1.0, 2}}, {0.5, 0.5}}));
  using maybe = std::optional<double>;
  EXPECT_TRUE(near(maybe(1.0), maybe(1.0 + 1e-12)));
  EXPECT_FALSE(near(maybe(1.0), maybe()));
  EXPECT_TRUE(near(maybe(), maybe()));
  EXPECT_TRUE(near(std::pair(1, 2.0), std::pair(1, 2.0 + 1e-12)));
  using either = std::variant<int, double>;
  EXPECT_TRUE(near(either(1.0), either(1.0 + 1e-12)));
  EXPECT_FALSE(near(either(1.0), either(1)));
  EXPECT_FALSE(near(either(1), either(2)));
}

TEST(SpecNear, MapsByTheirKeys) {
  using ordered = std::map<std::string, double>;
  EXPECT_TRUE(near(ordered{{"a", 1.0}}, ordered{{"a", 1.0 + 1e-12}}));
  EXPECT_FALSE(near(ordered{{"a", 1.0}}, ordered{{"b", 1.0}}));
  using hashed = std::unordered_map<int, double>;
  hashed a, b;
  for (int i = 0; i < 100; ++i) {
    a[i] = i;
    b[99 - i] = 99 - i + 1e-12;
  }
  EXPECT_TRUE(near(a, b));
  b[50] = 0;
  EXPECT_FALSE(near(a, b));
  EXPECT_TRUE(near(std::unordered_set<int>{1, 2, 3}, std::unordered_set<int>{3, 2, 1}));
}

struct tag {
  char letters[2];
  double value;
};

TEST(SpecNear, CharactersThatEndNowhere) {
  EXPECT_TRUE(near(tag{{'a', 'b'}, 1.0}, tag{{'a', 'b'}, 1.0 + 1e-12}));
  EXPECT_FALSE(near(tag{{'a', 'b'}, 1.0}, tag{{'a', 'c'}, 1.0}));
}

}  // namespace
