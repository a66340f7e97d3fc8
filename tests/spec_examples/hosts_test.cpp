// Specs inside programs of GoogleTest, Catch2 and doctest: assertions of the host count, and violations are told.
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdio>
#include <string>

namespace {

struct run_of {
  int status = -1;
  std::string text;
};

run_of run(const std::string& command) {
  run_of made;
  std::FILE* const pipe = ::popen((command + " 2>&1").c_str(), "r");
  char buffer[4096];
  for (std::size_t got; (got = std::fread(buffer, 1, sizeof buffer, pipe)) > 0;) made.text.append(buffer, got);
  made.status = WEXITSTATUS(::pclose(pipe));
  return made;
}

std::size_t number_of(const std::string& part, const std::string& text) {
  std::size_t number = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++number;
  return number;
}

TEST(SpecHosts, GoogleTestTellsOfEachViolationOnce) {
  const run_of all = run(MORPH_HOST_GTEST);
  EXPECT_EQ(all.status, 1);
  EXPECT_NE(all.text.find("[  PASSED  ] 3 tests."), std::string::npos) << all.text;  // fine, idle, every run ends
  EXPECT_NE(all.text.find("[  FAILED  ] squares.required\n"), std::string::npos) << all.text;
  EXPECT_NE(all.text.find("[  FAILED  ] squares.told\n"), std::string::npos) << all.text;
  EXPECT_EQ(number_of("Value of: m.output == o.output", all.text), 1U) << all.text;
  // Assertions are kept back, so that both are shrunk.
  EXPECT_EQ(number_of("source  51 -> 0", all.text), 2U) << all.text;
}

TEST(SpecHosts, GoogleTestRunsOneRelation) {
  EXPECT_EQ(run(MORPH_HOST_GTEST " --gtest_filter=squares.fine").status, 0);
}

TEST(SpecHosts, Catch2CountsAssertions) {
  const run_of all = run(MORPH_HOST_CATCH2);
  EXPECT_NE(all.status, 0);
  EXPECT_EQ(number_of("REQUIRE( m.output == o.output )", all.text), 1U) << all.text;
  EXPECT_EQ(number_of("\"required\" is violated by negate", all.text), 1U) << all.text;
  EXPECT_EQ(number_of("\"told\" is violated by negate", all.text), 1U) << all.text;
  EXPECT_EQ(number_of("\"fine\" is violated", all.text), 0U) << all.text;
  EXPECT_EQ(number_of("source  51 -> 0", all.text), 1U) << all.text;  // what needs no assertion is shrunk
  EXPECT_EQ(run(MORPH_HOST_CATCH2 " '[spec]' -c fine").status, 0);
}

TEST(SpecHosts, DoctestCountsAssertions) {
  const run_of all = run(MORPH_HOST_DOCTEST);
  EXPECT_NE(all.status, 0);
  EXPECT_EQ(number_of("REQUIRE( m.output == o.output ) is NOT correct", all.text), 1U) << all.text;
  EXPECT_EQ(number_of("\"required\" is violated by negate", all.text), 1U) << all.text;
  EXPECT_EQ(number_of("\"told\" is violated by negate", all.text), 1U) << all.text;
  EXPECT_EQ(number_of("\"fine\" is violated", all.text), 0U) << all.text;
  EXPECT_EQ(run(MORPH_HOST_DOCTEST " --subcase=fine").status, 0);
}

TEST(SpecHosts, WarningsAreToldWhereAllHolds) {
  const std::string warning = "warning: squares: \"idle\" never applied to any of 27 cases";
  for (const std::string command : {MORPH_HOST_GTEST " --gtest_filter=squares.idle",
                                    MORPH_HOST_CATCH2 " '[spec]' -c idle", MORPH_HOST_DOCTEST " --subcase=idle"}) {
    const run_of idle = run(command);
    EXPECT_EQ(idle.status, 0) << command;
    EXPECT_EQ(number_of(warning, idle.text), 1U) << command << "\n" << idle.text;
    EXPECT_EQ(number_of("idle\" never", run(command.substr(0, command.find(' '))).text), 1U) << command;
  }
}

// ---- two specs of one name

TEST(SpecHosts, GoogleTestRefusesTwoSpecsOfOneName) {
  const run_of all = run(MORPH_HOST_GTEST_TWICE);
  EXPECT_EQ(all.status, 1);
  EXPECT_NE(all.text.find("[  FAILED  ] squares.declaration\n"), std::string::npos) << all.text;
  EXPECT_EQ(number_of("two specs are named 'squares': ", all.text), 1U) << all.text;
  EXPECT_NE(all.text.find("squares.hpp:"), std::string::npos) << all.text;
  EXPECT_NE(all.text.find("second_squares.hpp:"), std::string::npos) << all.text;
  EXPECT_NE(all.text.find("; rename one"), std::string::npos) << all.text;
}

/// Catch2 does so itself, before any test runs.
TEST(SpecHosts, Catch2RefusesTwoSpecsOfOneName) {
  const run_of all = run(MORPH_HOST_CATCH2_TWICE);
  EXPECT_NE(all.status, 0);
  EXPECT_NE(all.text.find("\"squares\""), std::string::npos) << all.text;
  EXPECT_NE(all.text.find("already defined"), std::string::npos) << all.text;
  EXPECT_NE(all.text.find("second_squares.hpp:"), std::string::npos) << all.text;
}

TEST(SpecHosts, DoctestRefusesTwoSpecsOfOneName) {
  const run_of all = run(MORPH_HOST_DOCTEST_TWICE);
  EXPECT_NE(all.status, 0);
  EXPECT_EQ(number_of("two specs are named 'squares': ", all.text), 1U) << all.text;
  EXPECT_NE(all.text.find("second_squares.hpp:"), std::string::npos) << all.text;
  EXPECT_NE(all.text.find("; rename one"), std::string::npos) << all.text;
}

}  // namespace
