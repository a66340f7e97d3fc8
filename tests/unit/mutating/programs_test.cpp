// Which suites judge mutants, and what the others say.
#include "plugin/mutating/programs.hpp"

#include <gtest/gtest.h>

namespace morph::mutating {
namespace {

build::suite suite_of(const std::string& name, const std::string& framework,
                      std::vector<std::pair<std::string, std::string>> properties = {}) {
  build::suite made;
  made.name = name;
  made.framework = framework;
  made.properties = std::move(properties);
  made.programs = {{name + "_one", {}}, {name + "_two", {}}};
  return made;
}

TEST(JudgingPrograms, OfAdoptedTestsAreNone) {
  EXPECT_EQ(why_not(suite_of("a", "ctest")), "adopted tests cannot judge mutants yet");
  EXPECT_EQ(why_not(suite_of("a", "gtest")), "");
}

TEST(JudgingPrograms, SayByTheirStatusAloneWhetherATestFails) {
  for (const char* property : {"WILL_FAIL", "PASS_REGULAR_EXPRESSION", "FAIL_REGULAR_EXPRESSION"})
    EXPECT_EQ(why_not(suite_of("a", "gtest", {{property, "x"}})),
              std::string("tests with the property ") + property + " cannot judge mutants yet");
  EXPECT_EQ(why_not(suite_of("a", "gtest", {{"LABELS", "x"}})), "");
}

TEST(JudgingPrograms, SkipInOneWayEach) {
  EXPECT_NE(why_not(suite_of("a", "gtest", {{"SKIP_RETURN_CODE", "77"}})), "");
  EXPECT_EQ(why_not(suite_of("a", "none", {{"SKIP_RETURN_CODE", "77"}})), "");
  EXPECT_EQ(why_not(suite_of("a", "gtest", {{"SKIP_REGULAR_EXPRESSION", "no"}})), "");
  EXPECT_NE(why_not(suite_of("a", "none", {{"SKIP_REGULAR_EXPRESSION", "no"}})), "");
}

TEST(JudgingPrograms, AreThoseOfAbleSuites) {
  build::build_tree twin;
  twin.suites = {suite_of("a", "ctest"), suite_of("b", "gtest")};
  const judging_programs found = judging_programs_of(twin);
  ASSERT_EQ(found.able.size(), 2U);
  EXPECT_EQ(found.able[0].name(), "b/b_one");
  EXPECT_EQ(found.able[1].name(), "b/b_two");
  EXPECT_EQ(found.not_run, std::vector<std::string>{"suite 'a': adopted tests cannot judge mutants yet"});
  EXPECT_TRUE(some_can_judge(found));
}

TEST(JudgingPrograms, AreMissedWithAReason) {
  build::build_tree twin;
  const auto nothing = some_can_judge(judging_programs_of(twin));
  ASSERT_FALSE(nothing);
  EXPECT_EQ(nothing.error(), "no suite of this build has a test program");
  twin.suites = {suite_of("a", "ctest"), suite_of("b", "none", {{"WILL_FAIL", "TRUE"}})};
  const auto unable = some_can_judge(judging_programs_of(twin));
  ASSERT_FALSE(unable);
  EXPECT_EQ(unable.error(),
            "no suite can judge mutants: suite 'a': adopted tests cannot judge mutants yet; suite 'b': tests with the "
            "property WILL_FAIL cannot judge mutants yet");
}

}  // namespace
}  // namespace morph::mutating
