// What is said of a chosen set.
#include "plugin/optimize/chosen.hpp"

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>

#include "plugin/optimize/instance_json.hpp"
#include "plugin/optimize/run.hpp"

namespace morph::optimize {
namespace {

/// b covers all that a does, and more; c alone covers the last line.
optimize_instance of_three() {
  auto file = read_instance_json(R"({"schema": "morph.instance/1", "groups": [{"name": "lines", "requirements": 4}],
      "tests": [{"name": "a", "microseconds": 1000000, "covers": {"lines": [0]}},
                {"name": "b", "microseconds": 2000000, "covers": {"lines": [0, 1]}},
                {"name": "c", "microseconds": 3000000, "covers": {"lines": [2, 3]}}]})");
  if (!file) throw std::runtime_error(file.error());
  return {std::move(*file)};
}

TEST(Chosen, WithoutABudgetEverythingIsKeptAndProven) {
  const optimize_instance of = of_three();
  const auto problem = problem_of(of);
  ASSERT_TRUE(problem) << problem.error();
  system::observer told;
  const auto chosen = run(*problem, {}, told);
  ASSERT_TRUE(chosen) << chosen.error();
  EXPECT_EQ(as_names(of, *chosen), "c\nb\n");  // c has two lines of its own
  EXPECT_NE(as_text(of, *chosen)
                .find("2 of 3 tests cover everything that all of them cover (4 lines), in 5.00 of 6.00 s: "
                      "no cheaper set does (proven)\n"),
            std::string::npos);
  const auto json = as_json(of, *chosen);
  EXPECT_EQ(json.at("tests").at(0).at("kept"), false);
  EXPECT_EQ(json.at("least_seconds"), 5.0);
  EXPECT_FALSE(json.contains("budget_seconds"));
}

TEST(Chosen, ABudgetLimitsTheSecondsAndTestsInDoubtRunBesideIt) {
  optimize_instance of = of_three();
  of.doubtful = {"d"};
  const auto problem = problem_of(of);
  ASSERT_TRUE(problem);
  request asked;
  asked.budget_seconds = 2.5;
  system::observer told;
  const auto chosen = run(*problem, asked, told);
  ASSERT_TRUE(chosen);
  EXPECT_EQ(as_names(of, *chosen), "d\nb\n");
  EXPECT_EQ(as_json(of, *chosen).at("budget_seconds"), 2.5);
}

TEST(Chosen, NothingToKeepIsAnError) {
  optimize_instance of = of_three();
  of.file.group_weights = {0};
  const auto problem = problem_of(of);
  ASSERT_FALSE(problem);
  EXPECT_EQ(problem.error(), "there is nothing to keep: the tests cover nothing that counts");
  of.without = {"t.cpp"};
  EXPECT_NE(problem_of(of).error().find("--with-tests"), std::string::npos);
}

}  // namespace
}  // namespace morph::optimize
