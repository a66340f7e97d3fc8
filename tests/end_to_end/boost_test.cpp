// What is Boost.Test's own: nested suites and rows of data, dependencies, fixtures of suites, mutants, and a program
// that holds all of the framework.
#include <gtest/gtest.h>

#include <filesystem>

#include "project.hpp"
#include "shop.hpp"

namespace morph::end_to_end {
namespace {

void write_sums(const project& to) {
  to.write("CMakeLists.txt", R"(cmake_minimum_required(VERSION 3.25)
project(Sums CXX)
set(CMAKE_CXX_STANDARD 17)
enable_testing()
find_package(Boost REQUIRED COMPONENTS unit_test_framework)
find_package(Morph REQUIRED)
add_library(sums STATIC sums.cpp)
target_include_directories(sums PUBLIC .)
add_executable(linked tests/linked.cpp)
target_link_libraries(linked PRIVATE sums Boost::unit_test_framework)
morph_add_suite(linked TARGET linked EXTRA_ARGS -- data)
add_executable(header_only tests/header_only.cpp)
target_link_libraries(header_only PRIVATE sums Boost::headers)
morph_add_suite(header_only TARGET header_only FRAMEWORK boost TEST_PREFIX h.)
)");
  to.write("sums.hpp", "#pragma once\nint sum(int a, int b);\nint twice(int a);\nint ready();\nint in_suite();\n");
  to.write(
      "sums.cpp",
      "#include \"sums.hpp\"\nint sum(int a, int b) {\n  return a + b;\n}\nint twice(int a) {\n  return a * 2;\n}\n"
      "int ready() {\n  return 1;\n}\nint in_suite() {\n  return 2;\n}\n");
  to.write("tests/linked.cpp", R"(#define BOOST_TEST_MODULE sums
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include "sums.hpp"
namespace utf = boost::unit_test;
struct of_all {
  void setup() {
    BOOST_REQUIRE(utf::framework::master_test_suite().argc == 2);
    BOOST_REQUIRE(ready() == 1);
  }
};
BOOST_TEST_GLOBAL_FIXTURE(of_all);
struct of_suite {
  void setup() { BOOST_TEST(in_suite() == 2); }
};
BOOST_AUTO_TEST_SUITE(outer, *utf::fixture<of_suite>() * utf::label("slow"))
BOOST_AUTO_TEST_SUITE(inner)
BOOST_AUTO_TEST_CASE(adds) { BOOST_TEST(sum(1, 2) == 3); }
BOOST_DATA_TEST_CASE(rows, boost::unit_test::data::make({1, 2}), n) { BOOST_TEST(twice(n) == 2 * n); }
BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_CASE(needs, *utf::depends_on("outer/inner/adds")) { BOOST_TEST(true); }
BOOST_AUTO_TEST_CASE(off, *utf::disabled()) { BOOST_TEST(false); }
BOOST_AUTO_TEST_CASE(skips, *utf::precondition([](utf::test_unit_id) { return false; })) { BOOST_TEST(false); }
BOOST_AUTO_TEST_CASE(fails_as_expected, *utf::expected_failures(1)) { BOOST_TEST(sum(2, 2) == 5); }
)");
  to.write("tests/header_only.cpp", R"(#define BOOST_TEST_MODULE sums
#include <boost/test/included/unit_test.hpp>

#include "sums.hpp"
BOOST_AUTO_TEST_CASE(doubles) { BOOST_TEST(twice(2) == 4); }
BOOST_AUTO_TEST_CASE(nothing) { BOOST_TEST(true); }
)");
}

class boost_programs : public testing::Test {
 protected:
  void SetUp() override {
    if (!std::filesystem::exists("/usr/include/boost/test/unit_test.hpp"))
      GTEST_SKIP() << "not run: Boost.Test is not installed here";
  }
};

TEST_F(boost_programs, are_measured_and_judge_mutants) {
  workspace w;
  project& p = w.here();
  write_sums(p);
  p.start_repository();
  p.configure();
  p.build();
  const finished all = p.ctest();
  EXPECT_EQ(all.exit, 0) << all.both();
  p.measure();
  EXPECT_EQ(p.plan().selected(), names{"skips"});  // nobody knows what it would execute
  EXPECT_EQ(p.plan().deferred(), sorted({"fails_as_expected", "h.doubles", "h.nothing", "needs", "outer/inner/adds",
                                         "outer/inner/rows/_0", "outer/inner/rows/_1"}));

  const auto selected_by = [&](const std::string& before, const std::string& after) {
    p.replace("sums.cpp", before, after);
    names selected = p.plan().selected();
    std::erase(selected, "skips");
    p.replace("sums.cpp", after, before);
    return selected;
  };
  EXPECT_EQ(selected_by("return a * 2", "return 2 * a + 0"),
            (names{"h.doubles", "outer/inner/rows/_0", "outer/inner/rows/_1"}));
  // A case runs with what it depends on.
  EXPECT_EQ(selected_by("return a + b", "return b + a + 0"), (names{"fails_as_expected", "needs", "outer/inner/adds"}));
  // The fixture of a suite belongs to its cases, that of all to each.
  EXPECT_EQ(selected_by("return 2;", "return 1 + 1;"),
            (names{"needs", "outer/inner/adds", "outer/inner/rows/_0", "outer/inner/rows/_1"}));
  EXPECT_EQ(selected_by("return 1;", "return 2 - 1;").size(), 5U);

  const found_mutants found = mutate(p, {"--operators", "aor"});
  EXPECT_EQ(found.json.at("not_run"), nlohmann::json::array());
  EXPECT_EQ(found.killer("sums.cpp", 3, "a - b"), "outer/inner/adds");
  const auto states = found.states();
  EXPECT_EQ(states.at("sums.cpp:6 aor a + 2"), "killed");
}

}  // namespace
}  // namespace morph::end_to_end
