// Whose verdict a JUnit case is.
#include "plugin/frameworks/junit_names.hpp"

#include <gtest/gtest.h>

namespace morph::frameworks {
namespace {
using how = morph::frameworks::junit_case::verdict;

const std::vector<known_test> tests{{"Area.OfSquare", "geo.Area.OfSquare"},
                                    {"Some/Values.Are/0", "geo.Some/Values.Are/7"},
                                    {"Twice.One", "a.Twice.One"},
                                    {"Twice.One", "b.Twice.One"},
                                    {"adds numbers", "c.adds numbers"}};

/// "name-" for a failure, "name+" for a success; then what is unknown and what is ambiguous.
std::string matched(const std::vector<morph::frameworks::junit_case>& report) {
  const auto found = match_names(report, tests);
  std::string text;
  for (const auto& v : found.verdicts) text += v.name + (v.failed ? "- " : "+ ");
  for (const auto& name : found.unknown) text += "?" + name + " ";
  for (const auto& name : found.ambiguous) text += "*" + name + " ";
  return text;
}

morph::frameworks::junit_case a_case(std::string classname, std::string name, how verdict) {
  return {std::move(name), std::move(classname), verdict, 0, "", ""};
}

TEST(ReportNames, AreThoseOfCTest) {
  EXPECT_EQ(matched({a_case("geo.Area.OfSquare", "geo.Area.OfSquare", how::failed)}), "geo.Area.OfSquare- ");
  EXPECT_EQ(matched({a_case("geometry", "geo.Area.OfSquare", how::passed)}), "geo.Area.OfSquare+ ");
}

TEST(ReportNames, AreThoseOfThePrograms) {
  EXPECT_EQ(matched({a_case("Area", "OfSquare", how::passed), a_case("Some/Values", "Are/0", how::failed)}),
            "geo.Area.OfSquare+ geo.Some/Values.Are/7- ");
  EXPECT_EQ(matched({a_case("", "adds numbers", how::failed)}), "c.adds numbers- ");
}

TEST(ReportNames, OfSectionsAreOneVerdict) {
  EXPECT_EQ(matched({a_case("unit.global", "adds numbers/small/odd", how::passed),
                     a_case("unit.global", "adds numbers/large", how::failed),
                     a_case("unit.global", "adds numbers", how::passed)}),
            "c.adds numbers- ");
  EXPECT_EQ(matched({a_case("unit.global", "adds numbers/small", how::passed)}), "c.adds numbers+ ");
}

TEST(ReportNames, OfATestThatWasTriedAgainKeepBothVerdicts) {
  EXPECT_EQ(matched({a_case("Area", "OfSquare", how::failed), a_case("Area", "OfSquare", how::passed)}),
            "geo.Area.OfSquare- geo.Area.OfSquare+ ");
}

TEST(ReportNames, ThatAreNotUniqueFailForAll) {
  EXPECT_EQ(matched({a_case("Twice", "One", how::failed)}), "a.Twice.One- b.Twice.One- *Twice.One ");
  EXPECT_EQ(matched({a_case("Twice", "One", how::passed)}), "*Twice.One ");
}

TEST(ReportNames, ThatNobodyHasAreKeptInBothSpellings) {
  EXPECT_EQ(matched({a_case("tests.test_a", "test_b", how::failed)}),
            "test_b- tests.test_a.test_b- ?tests.test_a.test_b ");
  EXPECT_EQ(matched({a_case("", "test_b", how::passed)}), "test_b+ ?test_b ");
}

TEST(ReportNames, OfSkippedCasesSayNothing) {
  EXPECT_EQ(matched({a_case("Area", "OfSquare", how::skipped)}), "");
}

}  // namespace
}  // namespace morph::frameworks
