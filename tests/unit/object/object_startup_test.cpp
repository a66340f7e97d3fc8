// What runs before main() counts, however much it looks like what registers tests and starts streams.
#include <fmt/format.h>

#include "tests/unit/object/object_programs.hpp"

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

  laboratory lab_;
};

const std::string streams = "#include <iostream>\n", f = "int f() { return 1; }\n";
// Starts streams in both builds.
const std::pair<const std::string, std::string> other{"z.cpp", streams + "int other() { return 3; }\n"};

// Before libstdc++ 13 a program that uses std::cout earlier ends there.
TEST_P(ObjectStartup, WhoUsesStreamsBeforeTheyAreStarted) {
  if (!lab_.starts_streams(GetParam())) GTEST_SKIP() << "the library starts streams";
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

TEST_P(ObjectStartup, ObjectsThatRunInAnotherOrder) {
  const auto set = [](int number) {
    return fmt::format("#include <string>\nint load(int);\nint set_{0} = load({0});\nstd::string name_{0}(\"{0}\");\n",
                       number);
  };
  const auto constructs = [](int number) {
    return fmt::format("void take(int);\n__attribute__((constructor)) static void set() {{ take({}); }}\n", number);
  };
  const auto tests = [](int number) {
    return fmt::format("#include <gtest/gtest.h>\nTEST(A, B{0}) {{ FAIL(); }}\nTEST(A, C{0}) {{ FAIL(); }}\n", number);
  };
  const auto in_order = [&](const sources& files, const std::vector<std::string>& names) {
    std::vector<std::pair<std::string, std::string>> ordered;
    for (const std::string& name : names) ordered.emplace_back(name, files.at(name));
    return lab_.unit_in_order(GetParam(), ordered);
  };
  const auto differ = [&](const sources& files, const std::vector<std::string>& names,
                          const std::vector<std::string>& others) {
    return difference_of(compare(in_order(files, names), in_order(files, others)));
  };
  const sources both{{"a.cpp", set(1)}, {"b.cpp", set(2)}, {"f.cpp", f}, {"s.cpp", streams}};
  EXPECT_TRUE(differ(both, {"a.cpp", "b.cpp"}, {"b.cpp", "a.cpp"}).everything);
  EXPECT_TRUE(differ(both, {"a.cpp", "f.cpp", "b.cpp"}, {"f.cpp", "b.cpp", "a.cpp"}).everything);
  const difference beside = differ(both, {"f.cpp", "a.cpp", "b.cpp"}, {"a.cpp", "b.cpp", "f.cpp"});
  EXPECT_EQ(beside.text, "") << "f.cpp runs nothing";
  const sources functions{{"a.cpp", set(1)}, {"b.cpp", constructs(2)}};
  EXPECT_TRUE(differ(functions, {"a.cpp", "b.cpp"}, {"b.cpp", "a.cpp"}).everything);
  const sources of_tests{{"a.cpp", set(1)}, {"b.cpp", tests(2)}, {"c.cpp", tests(3)}, {"s.cpp", streams}};
  const difference registered =
      differ(of_tests, {"s.cpp", "a.cpp", "b.cpp", "c.cpp"}, {"s.cpp", "c.cpp", "b.cpp", "a.cpp"});
  EXPECT_FALSE(registered.everything) << registered.text;
  EXPECT_EQ(differ(both, {"s.cpp", "a.cpp", "b.cpp"}, {"a.cpp", "b.cpp", "s.cpp"}).everything,
            lab_.starts_streams(GetParam()))
      << "a.cpp might use streams";
}

TEST_P(ObjectStartup, TheFirstTestOfAFixtureIsNoChangeOfOthers) {
  const std::string tests =
      "#include <gtest/gtest.h>\nint make(int);\nTEST(A, One) { EXPECT_EQ(make(1), 2); }\n"
      "TEST(A, Two) { EXPECT_EQ(make(2), 4); }\n";
  const auto fixture = [](const std::string& name, const std::string& more = "") {
    return fmt::format(
        "struct {} : testing::Test {{ int x = make(3); void SetUp() override {{ x = make(x); }} {} }};\n", name, more);
  };
  const std::string of_suite = "static void SetUpTestSuite() { make(5); } static void TearDownTestSuite() { make(6); }";
  const auto test_of = [](const std::string& name) {
    return fmt::format("TEST_F({}, One) {{ EXPECT_EQ(x, 6); }}\n", name);
  };
  const auto against = [&](const std::string& one, const std::string& more) {
    return difference_of(
        compare(lab_.unit(GetParam(), {{"a.cpp", one}}), lab_.unit(GetParam(), {{"a.cpp", one + more}})));
  };
  // GCC's optimizer makes one piece of all registrations.
  const bool in_one_piece = GetParam().compiler == "g++" && GetParam().flags != " -O0";
  for (const std::string& own : {std::string(), of_suite}) {
    if (in_one_piece) break;
    const difference found = against(tests, fixture("G", own) + test_of("G"));
    EXPECT_TRUE(found.functions.empty() && !found.everything) << own << found.text;
  }
  const std::string calls = "struct Set { Set() { G::SetUpTestSuite(); } } static const set;\n";
  for (const std::string& more : {std::string("int more = make(4);\n"), calls})
    EXPECT_TRUE(against(tests, fixture("G", of_suite) + test_of("G") + more).everything) << more;
}

// Which object's copy the linker takes decides when it runs.
TEST_P(ObjectStartup, ASharedVariableThatIsSetEarlier) {
  const std::string shared =
      "int load(int);\ntemplate <class T> struct S { static int set; };\n"
      "template <class T> int S<T>::set = load(7);\nint ";
  const std::string use = "() { return S<int>::set; }\n", set = "int load(int);\nint set = load(3);\n";
  const sources before{{"a.cpp", f}, {"b.cpp", set}, {"c.cpp", shared + "c" + use}};
  const sources after{{"a.cpp", shared + "a" + use}, {"b.cpp", set}, {"c.cpp", shared + "c" + use}};
  EXPECT_TRUE(difference_of(compare(lab_.unit(GetParam(), before), lab_.unit(GetParam(), after))).everything);
  EXPECT_TRUE(difference_of(compare(lab_.unit(GetParam(), after), lab_.unit(GetParam(), before))).everything);
}

INSTANTIATE_TEST_SUITE_P(All, ObjectStartup,
                         ::testing::Values(way{"g++", " -O0"}, way{"g++", " -O1"}, way{"g++", " -O2"},
                                           way{"clang++-19", " -O0"}, way{"clang++-19", " -O2"}),
                         [](const auto& i) { return name_of(i.param); });

}  // namespace
}  // namespace morph::object_tests
