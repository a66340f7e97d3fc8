// What runs before main() counts, however much it looks like what registers tests and starts streams.
#include <fmt/format.h>

#include "object_programs.hpp"

namespace morph::object_tests {
namespace {

class ObjectStartup : public ::testing::TestWithParam<way> {
 protected:
  void SetUp() override {
    if (!is_present(GetParam().compiler)) GTEST_SKIP() << GetParam().compiler << " is not installed";
  }
  /// Whichever comes first.
  void expect_change(const sources& one, const sources& other, const std::string& what) {
    const object::link_unit first = lab_.unit(GetParam(), one), second = lab_.unit(GetParam(), other);
    const difference there = difference_of(compare(first, second)), back = difference_of(compare(second, first));
    EXPECT_TRUE(there.everything || !there.functions.empty()) << what << "\n" << there.text;
    EXPECT_TRUE(back.everything || !back.functions.empty()) << what << ", back\n" << back.text;
  }

 private:
  laboratory lab_;
};

const std::string streams = "#include <iostream>\n", f = "int f() { return 1; }\n";
// Starts streams in both builds.
const std::pair<const std::string, std::string> other{"z.cpp", streams + "int other() { return 3; }\n"};

// Before libstdc++ 13 a program that uses std::cout earlier ends there.
TEST_P(ObjectStartup, WhoUsesStreamsBeforeTheyAreStarted) {
  const std::string user = "#include <ostream>\nstd::ostream& log();\nstruct S { S() { log() << 1; } } s;\n";
  const std::string log = streams + "std::ostream& log() { return std::cout; }\n";
  expect_change({{"b.cpp", user}, {"c.cpp", log}, other}, {{"b.cpp", streams + user}, {"c.cpp", log}, other}, "itself");
  expect_change({{"a.cpp", f}, {"b.cpp", user}, {"c.cpp", log}, other},
                {{"a.cpp", streams + f}, {"b.cpp", user}, {"c.cpp", log}, other}, "another");
}

TEST_P(ObjectStartup, WhatCannotBeTakenApart) {
  const std::string with = streams + f + "int load(); void take(int);\n";
  const std::string catches = "static int set = [] { try { take(load()); } catch (...) { take(3); } return 0; }();\n";
  const std::string switches =
      "static int set = [] { switch (load()) { case 0: take(7); break; case 1: take(3); break; case 2: take(9); break;"
      " case 3: take(1); break; case 4: take(33); break; case 5: take(11); } return 0; }();\n";
  for (const std::string& more : {catches, switches})
    expect_change({{"a.cpp", with}, other}, {{"a.cpp", with + more}, other}, more);
  const std::string constructs = "void take(int);\n__attribute__((constructor)) static void set() { take(3); }\n";
  expect_change({{"a.cpp", f}, other}, {{"a.cpp", streams + f + constructs}, other}, "a constructor");
  expect_change({{"a.cpp", f}, other}, {{"a.cpp", f}, {"b.cpp", streams + constructs}, other}, "a new object");
}

// How numbers are rounded: no name is referred to.
TEST_P(ObjectStartup, WhatRefersToNothing) {
  const auto set = [](int to) {
    return fmt::format("#include <xmmintrin.h>\nstatic const int set = (_mm_setcsr(_mm_getcsr() | {}), 0);\n", to);
  };
  expect_change({{"a.cpp", streams + f}, other}, {{"a.cpp", set(0x8040) + streams + f}, other}, "before streams");
  expect_change({{"a.cpp", f}, other}, {{"a.cpp", set(0x8040) + streams + f}, other}, "and streams");
  expect_change({{"a.cpp", f}, other}, {{"a.cpp", set(0x8040) + f}, other}, "alone");
  expect_change({{"a.cpp", set(0x8000) + streams}, other}, {{"a.cpp", set(0x8040) + streams}, other}, "otherwise");
}

// GCC leaves out the variable.
TEST_P(ObjectStartup, ProjectsWithNamesOfFrameworks) {
  for (const std::string calls :
       {"#include <string>\nbool add(const std::string&);\nstatic const bool added = add(\"x\");\n",
        "bool load_TestData(int);\nstatic const bool loaded = load_TestData(3);\n",
        "namespace app::testing { bool start(int); }\nstatic const bool started = app::testing::start(3);\n"}) {
    const std::pair<const std::string, std::string> known{"a.cpp", calls};
    expect_change({{"b.cpp", f}, other}, {{"b.cpp", f + calls}, other}, "in an object: " + calls);
    expect_change({other}, {{"b.cpp", calls}, other}, "in a new one: " + calls);
    expect_change({known, other}, {known, {"b.cpp", calls}, other}, "once more: " + calls);
    expect_change({known, {"b.cpp", f}, other}, {known, {"b.cpp", streams + f + calls}, other},
                  "and streams: " + calls);
  }
}

INSTANTIATE_TEST_SUITE_P(All, ObjectStartup,
                         ::testing::Values(way{"g++", " -O0"}, way{"g++", " -O1"}, way{"g++", " -O2"},
                                           way{"clang++-19", " -O0"}, way{"clang++-19", " -O2"}),
                         [](const auto& i) { return name_of(i.param); });

}  // namespace
}  // namespace morph::object_tests
