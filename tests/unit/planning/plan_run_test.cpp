// What a plan is asked for: defaults from the environment, and what does not go together.
#include <gtest/gtest.h>

#include <map>
#include <string>

#include "plugin/planning/run.hpp"

namespace morph::planning {
namespace {

/// A made-up environment.
class Defaults : public testing::Test {
 protected:
  plan_options taken(plan_options options) const {
    take_defaults(options, [this](const char* name) {
      const auto found = variables.find(name);
      return found == variables.end() ? nullptr : found->second.c_str();
    });
    return options;
  }
  std::map<std::string, std::string> variables{{"MORPH_POLICY", "safe"},
                                               {"MORPH_BASE", "main"},
                                               {"MORPH_BUDGET", "30"},
                                               {"MORPH_K_COVERAGE", "2"},
                                               {"MORPH_FAILED_WITHIN", "5"}};
};

TEST_F(Defaults, OfPlansAreVariables) {
  const plan_options options = taken({});
  EXPECT_EQ(options.policy, "safe");
  EXPECT_EQ(options.base_revision, "main");
  EXPECT_EQ(options.budget_seconds, "30");
  EXPECT_EQ(options.times, "2");
  EXPECT_EQ(options.failed_within, "5");
  EXPECT_FALSE(options.approximate);
}

TEST_F(Defaults, OfPlansStandBehindOptions) {
  plan_options given;
  given.policy = "all";
  given.budget_seconds = "7";
  EXPECT_EQ(taken(given).policy, "all");
  EXPECT_EQ(taken(given).budget_seconds, "7");
}

TEST_F(Defaults, OfPlansBeforeTheBuildHaveNoBudget) {
  plan_options given;
  given.before_build = true;
  given.budget_seconds = "7";
  EXPECT_EQ(taken(given).budget_seconds, "");
  EXPECT_EQ(taken(given).policy, "safe");
}

TEST_F(Defaults, OfPlansMayBeApproximateByAnEmptyVariable) {
  variables["MORPH_APPROXIMATE"] = "";
  EXPECT_TRUE(taken({}).approximate);
}

plan_request in(const std::string& format) {
  plan_request asked;
  asked.format = format;
  return asked;
}

TEST(PlanForm, OfAPlanAfterTheBuildIsAnyButTargets) {
  for (const char* format : {"text", "json", "cmake", "names", "gtest-filter"}) EXPECT_EQ(wrong_form(in(format)), "");
  EXPECT_NE(wrong_form(in("targets")), "");
}

TEST(PlanForm, OfAPlanBeforeTheBuildIsOfNoTestsThatAreBuilt) {
  for (const char* format : {"text", "json", "names", "targets", "cmake", "gtest-filter"}) {
    plan_request asked = in(format);
    asked.options.before_build = true;
    const bool is_wrong = std::string(format) == "cmake" || std::string(format) == "gtest-filter";
    EXPECT_EQ(wrong_form(asked).empty(), !is_wrong) << format;
  }
}

TEST(PlanForm, OfWhatIsLeftIsNotForCtest) {
  plan_request asked = in("cmake");
  asked.nightly = true;
  EXPECT_EQ(wrong_form(asked), "--format cmake is what ctest gets of a plan; `ctest -L deferred` runs what is left");
  asked.format = "names";
  EXPECT_EQ(wrong_form(asked), "");
}

TEST(PlanForm, OfThingsAboutTheWholePlanIsTextOrJson) {
  for (bool plan_request::*what : {&plan_request::deferred, &plan_request::front}) {
    plan_request asked = in("text");
    asked.*what = true;
    EXPECT_EQ(wrong_form(asked), "");
    asked.format = "json";
    EXPECT_EQ(wrong_form(asked), "");
    asked.format = "names";
    EXPECT_NE(wrong_form(asked), "");
    asked.format = "text";
    asked.suite = "s";
    EXPECT_NE(wrong_form(asked), "");
    asked.suite.clear();
    asked.why = "t";
    EXPECT_NE(wrong_form(asked), "");
  }
}

TEST(PlanForm, OfAPictureIsKnownByItsName) {
  plan_request asked;
  asked.front = true;
  asked.picture = "a.png";
  EXPECT_EQ(wrong_form(asked), "--picture FILE is an .svg or an .html");
  asked.picture = "a.svg";
  EXPECT_EQ(wrong_form(asked), "");
}

TEST(PlanForm, HasTheNotesOrLeavesThemToOthers) {
  EXPECT_TRUE(has_notes(in("text")));
  EXPECT_TRUE(has_notes(in("json")));
  EXPECT_FALSE(has_notes(in("names")));
  plan_request asked = in("text");
  asked.why = "t";
  EXPECT_FALSE(has_notes(asked));
}

TEST(PlanForm, IsOfSuitesThatThereAre) {
  build::build_tree tree;
  tree.suites.resize(2);
  tree.suites[0].name = "a";
  tree.suites[1].name = "b";
  EXPECT_TRUE(has_suite(tree, ""));
  EXPECT_TRUE(has_suite(tree, "b"));
  const auto unknown = has_suite(tree, "c");
  ASSERT_FALSE(unknown);
  EXPECT_EQ(unknown.error(), "there is no suite 'c'; this build tree has: a, b");
}

made_plan empty_plan() {
  return {std::make_unique<full_plan>(), {}, {}};
}

TEST(PlanForm, OfATestNeedsTheTest) {
  plan_request asked;
  asked.why = "t";
  system::observer nobody;
  const auto text = in_form(empty_plan(), asked, false, nobody);
  ASSERT_FALSE(text);
  EXPECT_EQ(text.error().code, contract::usage);
  EXPECT_EQ(text.error().message, "there is no test 't'; `morph plan --format names` and `ctest -N` list them");
}

}  // namespace
}  // namespace morph::planning
