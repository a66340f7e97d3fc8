// A project of functions whose symptom is known when they do nothing, or return a constant.
#pragma once

#include "project.hpp"

namespace morph::end_to_end {

/// Every function's name begins with its symptom: weak, lost, same.
inline constexpr const char* planted_header = R"(#pragma once
#include <map>
#include <stdexcept>
#include <string>
#include <vector>
namespace plant {
class counter {
 public:
  void weak_bump(int by);
  int value() const { return 1; }
  void run(int by) { weak_inside(by); same_inside(by); }
  static int weak_rate(int amount);
  static int same_rate(int amount);
  static int lost_rate(int amount);
  static bool is_rate(int amount) { return lost_rate(amount) >= 0; }
 private:
  void weak_inside(int by);
  void same_inside(int by);
  int bumped_ = 0;
  std::map<std::string, int> inside_;
};
struct shape {
  virtual ~shape() = default;
  virtual int weak_corners() const { return 0; }
  virtual int lost_corners() const { return 0; }
  virtual void same_hook() {}
  bool has_corners() const { return lost_corners() >= 0; }
};
struct square : shape {
  int weak_corners() const override;
  int lost_corners() const override;
  void same_hook() override;
  bool is_hooked = false;
};
template <typename T>
struct stack {
  void push(T value) { values_.push_back(value); }
  void weak_note() { ++notes_; }
  void same_clear(bool really) {
    if (really) values_.clear();
  }
  int lost_notes() const { return notes_ + 3; }
  bool is_noted() const { return lost_notes() >= 0; }
 private:
  std::vector<T> values_;
  int notes_ = 0;
};
void weak_fill(std::vector<int>& to);
void weak_throw(int amount);
void lost_throw(int amount);
void same_throw(int amount);
bool is_safe(int amount);
class cache {
 public:
  void lost_remember(int key, int value) { known_[key] = value; }
 private:
  std::map<int, int> known_;
};
int computed(int amount);
std::string lost_name(int number);
bool is_named(int number);
std::string same_text(bool has_any);
int lost_often(int n);
bool is_often(int n);
}
)";
inline constexpr const char* planted_source = R"(#include "planted.hpp"
namespace plant {
void counter::weak_bump(int by) { bumped_ += by; }
void counter::weak_inside(int by) { inside_["by"] = by; }
void counter::same_inside(int by) {
  if (by > 100) inside_.clear();
}
int counter::weak_rate(int amount) { return amount * 3; }
int counter::same_rate(int amount) { return amount > 100 ? 10 : 0; }
int counter::lost_rate(int amount) { return amount * 3; }
int square::weak_corners() const { return 4; }
int square::lost_corners() const { return 4; }
void square::same_hook() {
  if (is_hooked) throw std::logic_error("hooked");
}
void weak_fill(std::vector<int>& to) { to.push_back(7); }
void weak_throw(int amount) {
  if (amount < 0) throw std::invalid_argument("weak");
}
void lost_throw(int amount) {
  if (amount < 0) throw std::invalid_argument("lost");
}
void same_throw(int amount) {
  if (amount < 0) throw std::invalid_argument("same");
}
bool is_safe(int amount) {
  try {
    lost_throw(amount);
  } catch (const std::exception&) {
  }
  return true;
}
int computed(int amount) {
  cache known;
  known.lost_remember(amount, amount * 2);
  return amount * 2;
}
std::string lost_name(int number) { return "n" + std::to_string(number); }
bool is_named(int number) { return lost_name(number) != "x"; }
std::string same_text(bool has_any) { return has_any ? "any" : ""; }
int lost_often(int n) { return n + 5; }
bool is_often(int n) {
  bool all = true;
  for (int i = 0; i < n; ++i) all = all && lost_often(i) > -1;
  return all;
}
}
)";
inline constexpr const char* planted_test = R"(#include <gtest/gtest.h>
#include <thread>
#include "planted.hpp"
using namespace plant;
TEST(Counter, Bumps) {
  counter c;
  c.weak_bump(3);
  c.run(2);
  EXPECT_EQ(c.value(), 1);
}
TEST(Counter, Rates) {
  EXPECT_GE(counter::weak_rate(5), 0);
  EXPECT_EQ(counter::same_rate(5), 0);
  EXPECT_TRUE(counter::is_rate(5));
}
TEST(Shape, HasCorners) {
  square s;
  shape& base = s;
  EXPECT_LT(base.weak_corners(), 100);
  EXPECT_TRUE(base.has_corners());
  base.same_hook();
}
TEST(Stack, Holds) {
  stack<int> s;
  s.push(7);
  s.weak_note();
  s.same_clear(false);
  EXPECT_TRUE(s.is_noted());
}
TEST(Free, Functions) {
  std::vector<int> v;
  weak_fill(v);
  EXPECT_GE(v.size() + 1, 1u);
  bool caught = false;
  try {
    weak_throw(-1);
  } catch (const std::exception&) {
    caught = true;
  }
  EXPECT_TRUE(caught || !caught);
  same_throw(1);
  EXPECT_TRUE(is_safe(-1));
  EXPECT_EQ(computed(2), 4);
  EXPECT_TRUE(is_named(3));
  EXPECT_EQ(same_text(false), "");
}
TEST(Free, IsOften) {
  EXPECT_TRUE(is_often(100000));
}
TEST(Free, InAnotherThread) {
  bool is_named_there = false;
  std::thread([&] { is_named_there = is_named(4); }).join();
  EXPECT_TRUE(is_named_there);
}
)";

/// Results of classes, templates, statics, private and virtual functions.
inline constexpr const char* more_header = R"(#pragma once
#include <stack>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>
namespace plant {
enum class kind { plain, square, round };
class figure {
 public:
  virtual ~figure() = default;
  virtual double weak_area() const { return 0; }
  virtual int lost_edges() const { return 0; }
  virtual void same_scale(double) {}
  bool has_edges() const { return lost_edges() >= 0; }
};
class circle : public figure {
 public:
  double weak_area() const override;
  int lost_edges() const override;
  void same_scale(double by) override;
 private:
  double radius_ = 2;
};
template <typename T>
int weak_distance(T a, T b) {
  return static_cast<int>(b - a) + 4;
}
template <typename T>
int lost_sum_of(T a, T b) {
  return static_cast<int>(a + b) + 4;
}
template <typename T>
void same_clamp(T& value) {
  if (value > 1000) value = 1000;
}
template <typename T>
bool has_sum(T a, T b) {
  return lost_sum_of(a, b) >= 0;
}
template <typename T>
struct ledger {
  static int weak_total(T amount) { return static_cast<int>(amount) * 2; }
  static int lost_fee(T amount) { return static_cast<int>(amount) + 3; }
  static int same_bonus(T amount) { return amount > 100 ? 5 : 0; }
  static bool is_charged(T amount) { return lost_fee(amount) >= 0; }
};
class account {
 public:
  void touch() { weak_hidden(2); same_close(false); }
  void audit() { lost_audit(4); }
  bool is_open() const { return is_open_; }
  static int weak_next();
  static void same_tick(int by);
  static bool is_ticking() { return lost_ticks() >= 0; }
 private:
  static int lost_ticks();
  void weak_hidden(int by);
  void lost_audit(int by);
  void same_close(bool really);
  bool is_open_ = true;
  int touched_ = 0;
};
class pile {
 public:
  static bool is_piled() { pile one; one.lost_push(3); return true; }
 private:
  void lost_push(int n);
  std::stack<int> kept_;
};
bool is_audited();
void weak_parse(const std::string& text);
void same_check(int amount);
int lost_code(int amount);
bool is_coded(int amount);
std::pair<int, int> weak_pair(int n);
std::pair<int, int> lost_pair(int n);
std::pair<int, int> same_pair(int n);
bool is_paired(int n);
std::string weak_text(int n);
std::optional<int> weak_optional(int n);
std::optional<int> lost_optional(int n);
std::optional<int> same_optional(int n);
bool is_optional(int n);
kind weak_kind(int n);
kind lost_kind(int n);
kind same_kind(int n);
bool is_kind(int n);
void weak_swap(int& a, int& b);
void lost_reset(int& value);
void same_reset(int& value);
bool is_reset();
struct reading {
  int low = 0, high = 0;
};
void weak_read(reading* to);
void lost_read(reading* to);
void same_read(reading* to, int limit);
bool is_read();
void lost_words(std::string* to, int n);
void lost_series(int* to, int n);
std::unique_ptr<int> weak_owner(int n);
std::unique_ptr<int> same_owner(int n);
std::vector<int> weak_list(int n);
std::vector<int> lost_list(int n);
std::vector<int> same_list(int n);
bool is_listed(int n);
struct weak_sum {
  int operator()(int a) const;
};
struct lost_sum {
  int operator()(int a) const;
};
struct same_sum {
  int operator()(int a) const;
};
bool is_summed(int a);
int lost_deep(int n);
bool is_deep(int n);
void count_up(int* to, int n);
// Not a range of its value_type.
class tree {
 public:
  typedef std::string value_type;
  typedef const tree* const_iterator;
  const_iterator begin() const { return this; }
  const_iterator end() const { return this; }
  std::size_t size() const { return 0; }
  void weak_grow(int by);
 private:
  int height_ = 3;
};
class walker {
 public:
  virtual ~walker() = default;
  void walk(int by) { weak_step(by); same_step(by); }
  bool is_steady(int by) const { return lost_step(by) >= 0; }
 private:
  virtual void weak_step(int by) = 0;
  virtual int lost_step(int by) const = 0;
  virtual void same_step(int by) = 0;
};
class hiker : public walker {
  void weak_step(int by) override;
  int lost_step(int by) const override;
  void same_step(int by) override;
  int steps_ = 3;
};
}
)";
inline constexpr const char* more_source = R"(#include "more.hpp"
#include <stdexcept>
namespace plant {
double circle::weak_area() const { return 3 * radius_ * radius_; }
int circle::lost_edges() const { return 9; }
void circle::same_scale(double by) {
  if (by > 100) radius_ *= by;
}
int account::weak_next() {
  static int last = 4;
  return ++last;
}
int account::lost_ticks() {
  static int last = 4;
  return ++last;
}
void account::same_tick(int by) {
  static int last = 0;
  if (by > 100) last += by;
}
void account::weak_hidden(int by) { touched_ += by; }
void account::lost_audit(int by) { touched_ += by; }
void pile::lost_push(int n) { kept_.push(n + 1); }
void account::same_close(bool really) {
  if (really) is_open_ = false;
}
bool is_audited() {
  account one;
  one.audit();
  return one.is_open();
}
void weak_parse(const std::string& text) {
  if (text.empty()) throw std::out_of_range("weak");
}
void same_check(int amount) {
  if (amount < 0) throw std::out_of_range("same");
}
int lost_code(int amount) {
  try {
    if (amount < 0) throw std::out_of_range("lost");
  } catch (const std::exception&) {
    return 7;
  }
  return 8;
}
bool is_coded(int amount) { return lost_code(amount) < 100; }
std::pair<int, int> weak_pair(int n) { return {n, n + 4}; }
std::pair<int, int> lost_pair(int n) { return {n, n + 4}; }
std::pair<int, int> same_pair(int n) { return n > 100 ? std::pair<int, int>{n, n} : std::pair<int, int>{0, 0}; }
bool is_paired(int n) { return lost_pair(n).first >= 0; }
std::string weak_text(int n) { return "w" + std::to_string(n); }
std::optional<int> weak_optional(int n) { return n + 4; }
std::optional<int> lost_optional(int n) { return n + 4; }
std::optional<int> same_optional(int n) { return n > 100 ? std::optional<int>(n) : std::nullopt; }
bool is_optional(int n) { return lost_optional(n).value_or(0) < 100; }
kind weak_kind(int n) { return n > 2 ? kind::square : kind::round; }
kind lost_kind(int n) { return n > 2 ? kind::square : kind::round; }
kind same_kind(int n) { return n > 100 ? kind::square : kind::plain; }
bool is_kind(int n) { return lost_kind(n) != kind::round; }
void weak_swap(int& a, int& b) {
  const int kept = a;
  a = b;
  b = kept;
}
void lost_reset(int& value) { value = 9; }
void same_reset(int& value) {
  if (value > 100) value = 0;
}
void weak_read(reading* to) { to->high = 8; }
void lost_read(reading* to) { *to = reading{2, 8}; }
void same_read(reading* to, int limit) {
  if (limit > 100) to->high = limit;
}
static void append(std::string* to, int n) { to->append(static_cast<std::size_t>(n), 'w'); }
void lost_words(std::string* to, int n) {
  if (n > 0) append(to, n);
}
void lost_series(int* to, int n) {
  for (int i = 2; i < n; ++i) to[i] = i;
}
bool is_read() {
  reading here;
  std::string words;
  int series[6] = {0, 0, 0, 0, 0, 0};
  lost_read(&here);
  lost_words(&words, 3);
  lost_series(series, 6);
  return here.low + series[5] >= 0 && words != "x";
}
bool is_reset() {
  int value = 3;
  lost_reset(value);
  return value > 0;
}
std::unique_ptr<int> weak_owner(int n) {
  auto made = std::make_unique<int>(n);
  ++*made;
  return made;
}
std::unique_ptr<int> same_owner(int n) { return n > 100 ? std::make_unique<int>(n) : nullptr; }
std::vector<int> weak_list(int n) { return {n, n}; }
std::vector<int> lost_list(int n) { return {n, n}; }
std::vector<int> same_list(int n) { return n > 100 ? std::vector<int>{n} : std::vector<int>{}; }
bool is_listed(int n) { return lost_list(n).size() < 100; }
int weak_sum::operator()(int a) const { return a + 4; }
int lost_sum::operator()(int a) const { return a + 4; }
int same_sum::operator()(int a) const { return a > 100 ? a : 0; }
bool is_summed(int a) { return lost_sum()(a) >= 0; }
int lost_deep(int n) {
  volatile int levels[512];
  for (int i = 0; i < 512; ++i) levels[i] = n + i;
  return levels[n];
}
bool is_deep(int n) { return lost_deep(n) >= 0; }
void count_up(int* to, int n) {
  for (int i = 0; i < n; ++i) to[i] = i;
}
void tree::weak_grow(int by) { height_ += by; }
void hiker::weak_step(int by) { steps_ += by; }
int hiker::lost_step(int by) const { return steps_ + by; }
void hiker::same_step(int by) {
  if (by > 100) steps_ = 0;
}
}
)";
inline constexpr const char* more_test = R"(#include <gtest/gtest.h>
#include <stdexcept>
#include "more.hpp"
using namespace plant;
TEST(Figure, IsACircle) {
  circle c;
  figure& base = c;
  EXPECT_GT(base.weak_area(), -1.0);
  EXPECT_TRUE(base.has_edges());
  base.same_scale(2);
}
TEST(Templates, AreCalled) {
  EXPECT_GE(weak_distance(3, 9), 0);
  EXPECT_TRUE(has_sum(3L, 9L));
  double value = 2.5;
  same_clamp(value);
  EXPECT_GE(ledger<int>::weak_total(5), 0);
  EXPECT_TRUE(ledger<long>::is_charged(5));
  EXPECT_EQ(ledger<int>::same_bonus(5), 0);
}
TEST(Account, IsTouched) {
  account a;
  a.touch();
  EXPECT_TRUE(a.is_open());
  EXPECT_TRUE(is_audited());
  EXPECT_TRUE(pile::is_piled());
}
TEST(Account, Ticks) {
  EXPECT_GE(account::weak_next(), 0);
  EXPECT_TRUE(account::is_ticking());
  account::same_tick(3);
}
TEST(Exceptions, AreThrown) {
  std::string what;
  try {
    weak_parse("");
  } catch (const std::exception& e) {
    what = e.what();
  }
  EXPECT_LT(what.size(), 100u);
  EXPECT_TRUE(is_coded(-1));
  same_check(1);
}
TEST(Results, OfClasses) {
  const auto both = weak_pair(2);
  EXPECT_GE(both.first, 0);
  EXPECT_TRUE(is_paired(2));
  EXPECT_EQ(same_pair(2).first, 0);
  EXPECT_GE(weak_text(3).size() + 1, 1u);
  EXPECT_LE(weak_optional(3).value_or(0), 100);
  EXPECT_TRUE(is_optional(3));
  EXPECT_FALSE(same_optional(3).has_value());
  const auto owned = weak_owner(4);
  EXPECT_TRUE(owned == nullptr || *owned == 5);
  EXPECT_TRUE(same_owner(4) == nullptr);
  EXPECT_LE(weak_list(3).size(), 100u);
  EXPECT_TRUE(is_listed(3));
  EXPECT_TRUE(same_list(3).empty());
}
TEST(Results, OfEnumerations) {
  EXPECT_NE(weak_kind(3), kind::round);
  EXPECT_TRUE(is_kind(3));
  EXPECT_EQ(same_kind(3), kind::plain);
}
TEST(Arguments, AreWritten) {
  int a = 1, b = 2;
  weak_swap(a, b);
  EXPECT_EQ(a + b, 3);
  EXPECT_TRUE(is_reset());
  EXPECT_TRUE(is_read());
  reading r;
  weak_read(&r);
  same_read(&r, 5);
  EXPECT_EQ(r.low, 0);
  same_reset(a);
}
struct Deep : testing::Test {
  void SetUp() override { EXPECT_TRUE(is_deep(3)); }
};
TEST_F(Deep, LeavesNothingInWhatIsNotWrittenYet) {
  int to[512];
  count_up(to, 512);
  EXPECT_EQ(to[511], 511);
}
TEST(Objects, AreCalled) {
  EXPECT_GE(weak_sum()(3), 0);
  EXPECT_TRUE(is_summed(3));
  EXPECT_EQ(same_sum()(3), 0);
  hiker h;
  h.walk(5);
  EXPECT_TRUE(h.is_steady(5));
  tree t;
  t.weak_grow(5);
  EXPECT_EQ(t.size(), 0u);
}
)";

inline void write_planted(const project& to) {
  to.write("CMakeLists.txt", R"(cmake_minimum_required(VERSION 3.25)
project(Planted CXX)
set(CMAKE_CXX_STANDARD 17)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
enable_testing()
find_package(GTest REQUIRED)
find_package(Morph REQUIRED)
add_library(planted src/planted.cpp src/more.cpp)
target_include_directories(planted PUBLIC include)
add_executable(planted_tests tests/planted_test.cpp tests/more_test.cpp)
target_link_libraries(planted_tests planted GTest::gtest_main)
morph_add_suite(planted TARGET planted_tests PRODUCTION planted)
)");
  to.write("include/planted.hpp", planted_header);
  to.write("src/planted.cpp", planted_source);
  to.write("tests/planted_test.cpp", planted_test);
  to.write("include/more.hpp", more_header);
  to.write("src/more.cpp", more_source);
  to.write("tests/more_test.cpp", more_test);
}

}  // namespace morph::end_to_end
