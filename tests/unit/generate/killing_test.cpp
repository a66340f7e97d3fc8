// Which functions are searched for some mutants, and which tests are left.
#include "plugin/generate/killing.hpp"

#include <gtest/gtest.h>

#include <fstream>

namespace morph::generate {
namespace {

namespace fs = std::filesystem;

class narrowed : public testing::Test {
 protected:
  narrowed() {
    std::ofstream(root_ / "a.cpp") << "int f() {\n  return 1;\n}\nint g() {\n  return 2;\n}\n";
    for (const std::uint32_t line : {1U, 4U}) {
      tested_function function;
      function.file = "a.cpp";
      function.line = line;
      function.end_line = line + 2;
      function.goals = {line == 1 ? 0U : 1U};
      of_.goals.functions.push_back(function);
    }
    of_.unit = "a.cpp";
    of_.goals.goals.resize(2);
    of_.goals.objectives.resize(2);
  }
  ~narrowed() override { fs::remove_all(root_); }

  static fs::path folder() {
    fs::path made = fs::path(testing::TempDir()) / "narrowed";
    fs::create_directories(made);
    return made;
  }

  fs::path root_ = folder();
  subject of_;
};

TEST_F(narrowed, OnlyFunctionsWithMutantsAreWanted) {
  ASSERT_TRUE(narrow(of_, {{"a.cpp", 44, 45, "crp", "0"}}, root_));
  EXPECT_FALSE(of_.goals.functions[0].is_wanted);
  EXPECT_TRUE(of_.goals.functions[1].is_wanted);
  EXPECT_FALSE(of_.goals.goals[0].is_wanted);
  EXPECT_FALSE(of_.goals.objectives[0].is_wanted);
  EXPECT_TRUE(of_.goals.objectives[1].is_wanted);
}

TEST_F(narrowed, WithoutMutantsNothingChanges) {
  ASSERT_TRUE(narrow(of_, {}, root_));
  EXPECT_TRUE(of_.goals.functions[0].is_wanted);
}

TEST_F(narrowed, AMutantOutsideOfFunctionsIsAnError) {
  const auto done = narrow(of_, {{"a.cpp", 9999, 9999, "crp", "0"}}, root_);
  ASSERT_FALSE(done);
  EXPECT_NE(done.error().find("no function of 'a.cpp'"), std::string::npos) << done.error();
  EXPECT_FALSE(narrow(of_, {{"b.cpp", 1, 2, "crp", "0"}}, root_));
}

TEST_F(narrowed, ConstantsAreThoseOfTheLineAndOfTheMutant) {
  std::ofstream(root_ / "c.cpp") << "int n = 7;\nbool f(int c) { return c == 'a' || c > 0x20; }\n";
  std::vector<std::int64_t> numbers;
  for (const literal& each : constants_of({{"c.cpp", 35, 43, "crp", "c == 500"}}, root_))
    numbers.push_back(each.number);
  EXPECT_EQ(numbers, (std::vector<std::int64_t>{31, 32, 33, 96, 97, 98, 499, 500, 501}));
  EXPECT_TRUE(constants_of({{"c.cpp", 35, 9999, "crp", "5"}}, root_).empty());
}

std::vector<unit_mutant> mutants_wanted(std::vector<std::size_t> wanted) {
  std::vector<unit_mutant> made;
  for (const std::size_t each : wanted) {
    made.emplace_back();
    made.back().wanted = each;
  }
  return made;
}

test_case killing(const std::string& name, std::vector<std::uint32_t> kills) {
  test_case made;
  made.name = name;
  made.kills = std::move(kills);
  return made;
}

TEST(KeepKillers, AsFewTestsAsKillAll) {
  std::vector<test_case> tests{killing("One", {0}), killing("Both", {0, 1}), killing("Other", {2}),
                               killing("None", {})};
  const auto killers = keep_killers(tests, mutants_wanted({3, 1, 0}), 4);
  ASSERT_EQ(tests.size(), 2U);
  EXPECT_EQ(tests[0].name, "Both");
  EXPECT_EQ(tests[1].name, "Other");
  EXPECT_EQ(killers, (std::vector<std::string>{"Other", "Both", "", "Both"}));
}

TEST(KeepKillers, NoTestsKillNothing) {
  std::vector<test_case> tests;
  EXPECT_EQ(keep_killers(tests, {}, 2), (std::vector<std::string>{"", ""}));
}

}  // namespace
}  // namespace morph::generate
