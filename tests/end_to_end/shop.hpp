// A small project with mutants, and `morph mutate` on it.
#pragma once

#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "project.hpp"

namespace morph::end_to_end {

inline void write_shop(const project& to) {
  to.write("CMakeLists.txt", R"(cmake_minimum_required(VERSION 3.25)
project(Shop CXX)
set(CMAKE_CXX_STANDARD 17)
enable_testing()
find_package(GTest REQUIRED)
find_package(Morph REQUIRED)
add_library(shop src/price.cpp src/count.cpp)
target_include_directories(shop PUBLIC include)
target_compile_options(shop PRIVATE -Wall -Werror)
add_executable(shop_tests tests/shop_test.cpp)
target_link_libraries(shop_tests shop GTest::gtest_main)
morph_add_suite(shop TARGET shop_tests)
)");
  to.write("include/shop.hpp", R"(#pragma once
int price(int pieces, int each);
int discount(int price);
int unused(int n);
int count_down(int n);
template <typename T>
T larger(T a, T b) {
  return a < b ? b : a;
}
)");
  to.write("src/price.cpp", R"(#include "shop.hpp"
constexpr int many = 10 * 10;
int price(int pieces, int each) {
  int all = pieces * each;
  if (all > many) {
    all = all - 1;
  }
  return all;
}
int discount(int price) {
  return price / 2;
}
int unused(int n) {
  return n + 7;
}
)");
  to.write("src/count.cpp", R"(#include "shop.hpp"
int count_down(int n) {
  int steps = 0;
  while (n > 0) {
    --n;
    ++steps;
  }
  return steps;
}
)");
  to.write("tests/shop_test.cpp", R"(#include <gtest/gtest.h>
#include "shop.hpp"
TEST(Price, OfFew) { EXPECT_EQ(price(3, 4), 12); }
TEST(Price, OfMany) { EXPECT_EQ(price(30, 4), 119); }
TEST(Discount, IsCalled) { discount(8); }
TEST(Larger, OfTwo) { EXPECT_EQ(larger(2, 3), 3); }
TEST(Count, Down) { EXPECT_EQ(count_down(4), 4); }
)");
}

struct found_mutants {
  nlohmann::json json;

  /// By `file:line operator replacement`.
  std::map<std::string, std::string> states() const {
    std::map<std::string, std::string> all;
    for (const auto& m : json.at("mutants"))
      all[m.at("file").get<std::string>() + ":" + std::to_string(m.at("line").get<int>()) + " " +
          m.at("operator").get<std::string>() + " " + m.at("replacement").get<std::string>()] = m.at("state");
    return all;
  }
  /// How many of them a test had to run for.
  int ran() const {
    int count = 0;
    for (const auto& m : json.at("mutants")) count += m.at("ran") > 0 ? 1 : 0;
    return count;
  }
  std::string killer(const std::string& file, int line, const std::string& replacement) const {
    for (const auto& m : json.at("mutants"))
      if (m.at("file") == file && m.at("line") == line && m.at("replacement") == replacement) return m.at("test");
    return "no such mutant";
  }
  std::string tested(const std::string& function) const {
    for (const auto& f : json.at("functions"))
      if (f.at("name") == function) return f.at("tested");
    return "no such function";
  }
};

inline found_mutants mutate(const project& p, const std::vector<std::string>& more = {}) {
  std::vector<std::string> words{"mutate", "--json"};
  words.insert(words.end(), more.begin(), more.end());
  const finished run = p.morph(words);
  EXPECT_EQ(run.exit, 0) << run.both();
  return {nlohmann::json::parse(run.out, nullptr, false)};
}

inline finished mutation_report(const project& p, const names& more) {
  names words{"report", "mutation"};
  words.insert(words.end(), more.begin(), more.end());
  return p.morph(words);
}

}  // namespace morph::end_to_end
