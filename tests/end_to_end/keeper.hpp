// A project whose calls a debugger can show.
#pragma once

#include "project.hpp"

namespace morph::end_to_end {

/// Each function ends in a line of its own, where its result has a name.
inline void write_kept(const project& to) {
  to.write("CMakeLists.txt", R"(cmake_minimum_required(VERSION 3.25)
project(Kept CXX)
set(CMAKE_CXX_STANDARD 17)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
add_compile_options(-g -O0)
enable_testing()
find_package(GTest REQUIRED)
find_package(Morph REQUIRED)
add_library(kept src/keeper.cpp)
target_include_directories(kept PUBLIC include)
add_executable(kept_tests tests/keeper_test.cpp)
target_link_libraries(kept_tests kept GTest::gtest_main)
morph_add_suite(kept TARGET kept_tests PRODUCTION kept)
)");
  to.write("include/keeper.hpp", R"(#pragma once
#include <string>
namespace kept {
enum class colour { red, green, blue };
struct corner {
  int x = 0;
  double y = 0;
};
struct basis {
  unsigned long total = 0;
};
class keeper : public basis {
 public:
  virtual ~keeper() = default;
  int count(int by);
  double weigh(double by);
  bool paint(int number);
  std::string name(const std::string& with);
  corner place(int x, double y);
  void swap(int& a, int& b);
  virtual char mark(int number);
  static unsigned rate(unsigned amount, unsigned& rest);
  float narrow(float by);
  long sum(const corner& from, corner& to);
 private:
  int count_ = 1;
  short small_ = 2;
  double weight_ = 0.5;
  bool is_painted_ = false;
  colour colour_ = colour::red;
  std::string name_ = "none";
  corner corner_;
  char mark_ = '-';
  float narrow_ = 0.25f;
  long long large_ = -1;
};
bool drive(int seed);
}
)");
  to.write("src/keeper.cpp", R"(#include "keeper.hpp"
namespace kept {
int keeper::count(int by) {
  count_ += by;
  small_ = static_cast<short>(small_ - by);
  total += 7;
  const int made = count_ * 2;
  return made;
}
double keeper::weigh(double by) {
  weight_ *= by;
  corner_.y -= by;
  const double made = weight_ / 3;
  return made;
}
bool keeper::paint(int number) {
  colour_ = static_cast<colour>(1 + number % 2);
  is_painted_ = true;
  const bool made = number >= 0;
  return made;
}
std::string keeper::name(const std::string& with) {
  name_ = "a\"b\\" + with;
  std::string made = name_ + '!';
  return made;
}
corner keeper::place(int x, double y) {
  corner_.x = x;
  corner_.y = y;
  corner made{x + 3, y / 7};
  return made;
}
void keeper::swap(int& a, int& b) {
  const int kept = a;
  a = b;
  b = kept;
  large_ = -9000000000LL * a;
}
char keeper::mark(int number) {
  mark_ = static_cast<char>('b' + number);
  const char made = static_cast<char>(mark_ + 1);
  return made;
}
unsigned keeper::rate(unsigned amount, unsigned& rest) {
  const unsigned made = amount * 4000000000U;
  rest = amount % 1000U;
  return made;
}
float keeper::narrow(float by) {
  narrow_ = by / 3;
  const float made = narrow_ * 1e20f;
  return made;
}
long keeper::sum(const corner& from, corner& to) {
  to.x = from.x + 5;
  to.y = from.y / 9;
  total += 11;
  const long made = -from.x - 6L;
  return made;
}
bool drive(int seed) {
  keeper one;
  int a = seed, b = seed + 1;
  unsigned rest = 1000;
  corner to;
  one.count(seed + 3);
  one.weigh(seed + 1.1);
  one.paint(seed);
  one.name(std::to_string(seed));
  one.place(seed, seed * 0.3);
  one.swap(a, b);
  one.mark(seed);
  keeper::rate(static_cast<unsigned>(seed) + 1, rest);
  one.narrow(static_cast<float>(seed));
  one.sum({seed, 2.5}, to);
  return true;
}
}
)");
  to.write("tests/keeper_test.cpp", R"(#include <gtest/gtest.h>
#include "keeper.hpp"
TEST(Driven, By1) { EXPECT_TRUE(kept::drive(1)); }
TEST(Driven, By2) { EXPECT_TRUE(kept::drive(2)); }
TEST(Driven, By3) { EXPECT_TRUE(kept::drive(3)); }
TEST(Driven, By4) { EXPECT_TRUE(kept::drive(4)); }
TEST(Driven, By5) { EXPECT_TRUE(kept::drive(5)); }
)");
}

}  // namespace morph::end_to_end
