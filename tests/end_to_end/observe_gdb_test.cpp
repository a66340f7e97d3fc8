// What is observed of calls is what gdb shows where they return.
#include <gtest/gtest.h>

#include <cstdlib>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "project.hpp"

namespace morph::end_to_end {
namespace {

/// Each function ends in a line of its own, where its result has a name.
void write_kept(const project& to) {
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

struct watched_function {
  std::string name;
  std::vector<std::pair<std::string, std::string>> properties;  // as Morph names them, and as gdb does
};

const std::vector<watched_function>& watched() {
  static const std::string text = "._M_dataplus._M_p";
  static const std::vector<watched_function> all{
      {"count", {{"result", "made"}, {"this->total", "total"}, {"this->count_", "count_"}, {"this->small_", "small_"}}},
      {"weigh", {{"result", "made"}, {"this->weight_", "weight_"}, {"this->corner_.y", "corner_.y"}}},
      {"paint", {{"result", "made"}, {"this->is_painted_", "is_painted_"}, {"this->colour_", "colour_"}}},
      {"name", {{"result", "made" + text}, {"this->name_", "name_" + text}}},
      {"place",
       {{"result.x", "made.x"},
        {"result.y", "made.y"},
        {"this->corner_.x", "corner_.x"},
        {"this->corner_.y", "corner_.y"}}},
      {"swap", {{"argument a", "a"}, {"argument b", "b"}, {"this->large_", "large_"}}},
      {"mark", {{"result", "made"}, {"this->mark_", "mark_"}}},
      {"rate", {{"result", "made"}, {"argument rest", "rest"}}},
      {"narrow", {{"result", "made"}, {"this->narrow_", "narrow_"}}},
      {"sum", {{"result", "made"}, {"argument to.x", "to.x"}, {"argument to.y", "to.y"}, {"this->total", "total"}}},
  };
  return all;
}

/// By function, property and the number of the call in the whole program.
using seen_values = std::map<std::string, std::map<std::string, std::vector<std::string>>>;

int last_line_of(const std::string& source, const std::string& function) {
  std::istringstream lines(source);
  std::string line;
  bool is_inside = false;
  for (int number = 1; std::getline(lines, line); ++number) {
    is_inside = is_inside || line.find(" keeper::" + function + "(") != std::string::npos;
    if (is_inside && line == "}") return number;
  }
  return 0;
}

std::string gdb_script(const std::string& source) {
  std::string script = "set pagination off\nset width 0\nset print elements 0\nset confirm off\n";
  for (const auto& each : watched()) {
    script += "break keeper.cpp:" + std::to_string(last_line_of(source, each.name)) + "\ncommands\nsilent\n";
    for (const auto& [property, expression] : each.properties)
      script += "echo \\n@" + each.name + "|" + property + "|\noutput " + expression + "\n";
    script += "echo \\n\ncontinue\nend\n";
  }
  return script + "run\n";
}

/// gdb's `97 'a'`, `0x5555 "text"` and `(int &) @0x5555: 7` as literals alone.
std::string literal(const std::string& shown) {
  if (shown.find("&) @") != std::string::npos) return shown.substr(shown.find(": ") + 2);
  const auto at = shown.find_first_of("'\"");
  return at == std::string::npos || at == 0 || shown[at - 1] != ' ' ? shown : shown.substr(at);
}

seen_values shown_by_gdb(const std::string& output) {
  seen_values made;
  std::istringstream lines(output);
  for (std::string line; std::getline(lines, line);) {
    if (line.empty() || line[0] != '@') continue;
    const auto first = line.find('|'), second = line.find('|', first + 1);
    made[line.substr(1, first - 1)][line.substr(first + 1, second - first - 1)].push_back(
        literal(line.substr(second + 1)));
  }
  return made;
}

bool is_number(const std::string& text) {
  char* end = nullptr;
  std::strtod(text.c_str(), &end);
  return !text.empty() && *end == '\0';
}

/// Both write as many digits as are needed, in different ways.
bool is_same(const std::string& function, const std::string& one, const std::string& other) {
  if (one == other || !is_number(one) || !is_number(other)) return one == other;
  if (function == "narrow") return std::strtof(one.c_str(), nullptr) == std::strtof(other.c_str(), nullptr);
  return std::strtod(one.c_str(), nullptr) == std::strtod(other.c_str(), nullptr);
}

TEST(observed_calls, are_as_gdb_shows_them) {
  workspace here(write_kept);
  project& p = here.here();
  p.write("gdb.txt", gdb_script(p.read("src/keeper.cpp")));
  const finished gdb = p.run({"gdb", "-nx", "-batch", "-x", "gdb.txt", (p.build_dir() / "kept_tests").string()});
  const seen_values shown = shown_by_gdb(gdb.out);
  if (shown.empty()) GTEST_SKIP() << "not run: gdb, which does not stop in programs here\n" << gdb.both();

  ASSERT_EQ(p.morph({"mutate", "--operators", "xt"}).exit, 0);
  const finished observed = p.run({MORPH_SYMPTOMS, p.build_dir().string(), "--most", "1000", "--runs", "3"});
  ASSERT_EQ(observed.exit, 0) << observed.both();
  std::set<std::pair<std::string, std::string>> calls;  // function and test
  int fields = 0;
  for (const auto& mutant : nlohmann::json::parse(observed.out))
    for (const auto& each : mutant.at("differences")) {
      const std::string whole = each.at("expression"), property = each.at("property"), test = each.at("test");
      const std::string begin = "kept::keeper::";
      ASSERT_EQ(whole.substr(0, begin.size()), begin) << each.dump(1);
      const std::string function = whole.substr(begin.size(), whole.find('(') - begin.size());
      const auto& values = shown.at(function).at(property);
      ASSERT_EQ(values.size(), 5U) << function << ' ' << property;
      const std::string& value = values.at(static_cast<std::size_t>(test.back() - '1'));
      EXPECT_TRUE(is_same(function, each.at("original"), value)) << value << '\n' << each.dump(1);
      calls.emplace(function, test);
      ++fields;
    }
  EXPECT_EQ(calls.size(), 50U);
  EXPECT_GE(fields, 150);
}

}  // namespace
}  // namespace morph::end_to_end
