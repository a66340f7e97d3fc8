// morph mutate: mutants of a small project, what becomes of them, and what is made anew after a change.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "project.hpp"
#include "shop.hpp"

namespace morph::end_to_end {
namespace {

class mutants : public testing::Test {
 protected:
  mutants() : p(measured().here()) {}
  ~mutants() override { measured().restore(); }
  static workspace& measured() {
    static workspace shared(write_shop);
    return shared;
  }
  project& p;
};

TEST_F(mutants, are_killed_by_the_tests_that_notice_them) {
  const std::string status = p.git({"status", "--porcelain"});
  const found_mutants found = mutate(p);
  const auto states = found.states();
  EXPECT_EQ(found.killer("src/price.cpp", 6, "all + 1"), "Price.OfMany");
  EXPECT_EQ(states.at("src/price.cpp:4 aor pieces + each"), "killed");
  for (const auto& m : found.json.at("mutants")) {
    // `all` and `many` are the same in no test, so that none has to run.
    if (m.at("replacement") == "all >= many") {
      EXPECT_EQ(m.at("covering"), 2);
      EXPECT_EQ(m.at("infected"), 0);
      EXPECT_EQ(m.at("ran"), 0);
    }
    if (m.at("replacement") == "pieces + each") {
      EXPECT_EQ(m.at("infected"), 2);
    }
  }
  EXPECT_EQ(states.at("src/price.cpp:5 ror all >= many"), "survived");  // no test has exactly 100
  EXPECT_EQ(states.at("src/price.cpp:11 aor price * 2"), "survived");   // nobody looks at the result
  EXPECT_EQ(states.at("src/price.cpp:14 aor n - 7"), "not covered");
  EXPECT_EQ(states.at("include/shop.hpp:8 neg !(a < b)"), "killed");
  EXPECT_EQ(states.at("src/count.cpp:5 inc ++n"), "timed out");
  EXPECT_EQ(states.at("src/count.cpp:5 sdl "), "timed out");
  EXPECT_EQ(found.tested("price(int, int)"), "tested");
  EXPECT_EQ(found.tested("discount(int)"), "pseudo-tested");
  EXPECT_EQ(found.tested("unused(int)"), "not covered");
  for (const auto& [mutant, state] : states) EXPECT_EQ(mutant.rfind("tests/", 0), std::string::npos) << mutant;
  // What has to be constant is.
  for (const auto& [mutant, state] : states)
    EXPECT_EQ(mutant.rfind("src/price.cpp:2 ", 0), std::string::npos) << mutant;
  EXPECT_EQ(found.json.at("rejected_by_compiler"), 0);
  EXPECT_EQ(found.json.at("tests"), 5);
  EXPECT_EQ(p.git({"status", "--porcelain"}), status);
}

TEST_F(mutants, are_read_again_where_a_source_has_changed) {
  mutate(p);
  const found_mutants again = mutate(p);
  EXPECT_EQ(again.json.at("units_read"), 0);
  p.replace("src/price.cpp", "pieces * each", "each * pieces");
  const found_mutants changed = mutate(p);
  EXPECT_EQ(changed.json.at("units_read"), 1);
  EXPECT_EQ(changed.states().at("src/price.cpp:4 aor each + pieces"), "killed");
  EXPECT_EQ(changed.states().count("src/price.cpp:4 aor pieces + each"), 0U);
}

TEST_F(mutants, of_chosen_operators_alone) {
  const found_mutants found = mutate(p, {"--operators", "neg,xt"});
  for (const auto& m : found.json.at("mutants"))
    EXPECT_TRUE(m.at("operator") == "neg" || m.at("operator") == "xt") << m.dump();
  EXPECT_GT(found.json.at("mutants").size(), 6U);
  const finished unknown = p.morph({"mutate", "--operators", "none"});
  EXPECT_EQ(unknown.exit, 2);
  EXPECT_NE(unknown.err.find("there is no mutation operator 'none'"), std::string::npos) << unknown.both();
}

TEST_F(mutants, a_test_that_fails_without_them_is_left_out) {
  p.replace("tests/shop_test.cpp", "EXPECT_EQ(count_down(4), 4)", "EXPECT_EQ(count_down(4), 5)");
  const found_mutants found = mutate(p);
  ASSERT_EQ(found.json.at("left_out_tests").size(), 1U);
  EXPECT_EQ(found.json.at("left_out_tests")[0].at("name"), "Count.Down");
  EXPECT_EQ(found.json.at("left_out_tests")[0].at("why"), "fails without a mutant");
  EXPECT_EQ(found.states().at("src/count.cpp:5 inc ++n"), "not covered");
}

TEST_F(mutants, a_source_that_does_not_compile_says_so_and_loses_nothing) {
  p.replace("src/count.cpp", "int steps = 0;", "int steps = none;");
  const finished run = p.morph({"mutate"});
  EXPECT_EQ(run.exit, 3) << run.both();
  EXPECT_NE(run.err.find("'none' was not declared"), std::string::npos) << run.both();
  p.replace("src/count.cpp", "int steps = none;", "int steps = 0;");
  EXPECT_EQ(mutate(p).states().at("src/count.cpp:5 inc ++n"), "timed out");
}

TEST_F(mutants, a_score_below_the_wanted_one_is_a_finding) {
  EXPECT_EQ(p.morph({"mutate", "--fail-under", "1", "-q"}).exit, 0);
  const finished below = p.morph({"mutate", "--fail-under", "99", "-q"});
  EXPECT_EQ(below.exit, 1);
  EXPECT_NE(below.out.find("pseudo-tested: discount(int)"), std::string::npos) << below.both();
}

// ---- other frameworks

void write_frameworks(const project& to) {
  to.write("CMakeLists.txt", R"(cmake_minimum_required(VERSION 3.25)
project(Frameworks CXX)
set(CMAKE_CXX_STANDARD 20)
enable_testing()
find_package(Catch2 REQUIRED)
find_package(doctest REQUIRED)
find_package(Morph REQUIRED)
add_library(sums SHARED sums.cpp)
target_include_directories(sums PUBLIC .)
foreach(kind IN ITEMS catch doctest plain)
  add_executable(of_${kind} tests/${kind}_test.cpp)
  target_link_libraries(of_${kind} sums)
endforeach()
target_link_libraries(of_catch Catch2::Catch2)
target_link_libraries(of_doctest doctest::doctest)
morph_add_suite(catch TARGET of_catch PRODUCTION sums)
morph_add_suite(doctest TARGET of_doctest PRODUCTION sums)
morph_add_suite(plain TARGET of_plain FRAMEWORK none PRODUCTION sums)
morph_add_spec(spec SOURCES tests/sums.spec.cpp LINK sums)
)");
  to.write("sums.hpp", R"(#pragma once
int by_catch(int a, int b);
int by_doctest(int a, int b);
int by_plain(int a, int b);
int by_spec(int a);
int at_start();
)");
  to.write("sums.cpp", R"(#include "sums.hpp"
int by_catch(int a, int b) {
  return a + b;
}
int by_doctest(int a, int b) {
  return a + b;
}
int by_plain(int a, int b) {
  return a + b;
}
int by_spec(int a) {
  return a * a;
}
int at_start() {
  return 6 + 1;
}
)");
  to.write("tests/catch_test.cpp", R"(#define CATCH_CONFIG_MAIN
#if __has_include(<catch2/catch.hpp>)
#include <catch2/catch.hpp>
#else
#include <catch2/catch_test_macros.hpp>
#endif
#include "sums.hpp"
static const int seven = at_start();
TEST_CASE("sum, with sections") {
  SECTION("of two") { CHECK(by_catch(1, 2) == 3); }
  SECTION("of four") { CHECK(by_catch(2, 2) == 4); }
}
TEST_CASE("made at start") { CHECK(seven == 7); }
TEST_CASE("may fail", "[!mayfail]") { CHECK(by_catch(1, 2) == 4); }
)");
  to.write("tests/doctest_test.cpp", R"(#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>
#include "sums.hpp"
TEST_CASE("sum, with subcases") {
  SUBCASE("of two") { CHECK(by_doctest(1, 2) == 3); }
  SUBCASE("of four") { CHECK(by_doctest(2, 2) == 4); }
}
TEST_CASE("another") { WARN(by_doctest(1, 2) == 4); }
)");
  to.write("tests/plain_test.cpp", R"(#include "sums.hpp"
int main() { return by_plain(1, 2) == 3 && by_plain(2, 2) == 4 ? 0 : 1; }
)");
  to.write("tests/sums.spec.cpp", R"(#include <morph/morph.hpp>
#include "sums.hpp"
MORPH_SPEC(squares, int, int, s) {
  s.execute(by_spec);
  s.seeds("labelled", {{3, 9}});
  auto negate = s.datamorph("negate", [](int x) { return -x; });
  s.relation("even", negate, [](auto& m, auto& o) { return m.output == o.output; });
}
)");
}

class mutants_of_frameworks : public testing::Test {
 protected:
  mutants_of_frameworks() : p(measured().here()) {}
  ~mutants_of_frameworks() override { measured().restore(); }
  static workspace& measured() {
    static workspace shared(write_frameworks);
    return shared;
  }
  project& p;
};

TEST_F(mutants_of_frameworks, are_judged_by_their_tests) {
  const found_mutants found = mutate(p, {"--operators", "aor,xt"});
  EXPECT_EQ(found.json.at("not_run"), nlohmann::json::array());
  EXPECT_EQ(found.json.at("left_out_tests"), nlohmann::json::array()) << found.json.at("left_out_tests");
  EXPECT_EQ(found.killer("sums.cpp", 3, "a - b"), "sum, with sections");
  EXPECT_EQ(found.killer("sums.cpp", 6, "a - b"), "sum, with subcases");
  EXPECT_EQ(found.killer("sums.cpp", 9, "a - b"), "of_plain");
  // 2 * 2 and 2 + 2 are the same, 1 * 2 and 1 + 2 are not.
  EXPECT_EQ(found.killer("sums.cpp", 3, "a * b"), "sum, with sections");
  const auto states = found.states();
  EXPECT_EQ(states.at("sums.cpp:12 aor a + a"), "killed");
  EXPECT_EQ(states.at("sums.cpp:11 xt return 0;"), "killed");
}

TEST_F(mutants_of_frameworks, that_run_before_the_first_test_have_programs_of_their_own) {
  const found_mutants found = mutate(p, {"--operators", "aor,xt"});
  EXPECT_EQ(found.killer("sums.cpp", 15, "6 - 1"), "made at start");
  EXPECT_EQ(found.killer("sums.cpp", 14, "return 0;"), "made at start");
}

}  // namespace
}  // namespace morph::end_to_end
