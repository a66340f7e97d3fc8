// Points in small sources, beside mutants of the same bytes.
#include "coverage/observation/points.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "coverage/mutation/schemata.hpp"

namespace morph::observation {
namespace {

point expression(std::uint32_t begin, std::uint32_t end) {
  return {begin, end, point_kind::expression, "see(@,", ")"};
}

std::string woven(const std::string& source, std::vector<point> points, const mutation::file_places& places = {}) {
  put_in_order(points);
  std::vector<std::uint32_t> numbers;
  for (std::uint32_t i = 1; i <= points.size(); ++i) numbers.push_back(i);
  const woven_source made = weave(source, places, points, numbers);
  return mutation::rewrite(made.text, made.places, {}, 0).text;
}

TEST(Points, OuterOnesStandAroundInnerOnes) {
  EXPECT_EQ(woven("f(a+b);", {expression(2, 3), expression(2, 5), expression(4, 5)}), "f(see(1,see(2,a)+see(3,b)));");
}

TEST(Points, ThatUnitsAgreeOnAreOne) {
  EXPECT_EQ(woven("f(a);", {expression(2, 3), expression(2, 3)}), "f(see(1,a));");
}

TEST(Points, ThatCrossAnotherOneAreLeftOut) {
  EXPECT_EQ(woven("a+b+c", {expression(0, 3), expression(2, 5)}), "see(1,a+b)+c");
}

TEST(Points, AnInstructionStandsInFrontOfWhatItBegins) {
  EXPECT_EQ(woven("{f();}", {expression(1, 4), {1, 1, point_kind::instruction, "at(@);", ""}}), "{at(2);see(1,f());}");
}

TEST(Points, AVariableIsSeenBehindItsDeclaration) {
  EXPECT_EQ(woven("int a=b;c();", {expression(6, 7), {8, 8, point_kind::expression, "see(@,a);", ""}}),
            "int a=see(1,b);see(2,a);c();");
}

mutation::place place(std::uint32_t begin, std::uint32_t end, const char* text) {
  return {begin, end, mutation::place_kind::expression, "", {{"op", text, false}}};
}

TEST(Points, SeeWhatAMutantOfTheSameBytesMakes) {
  mutation::file_places places;
  places.places.push_back(place(2, 3, "0"));
  EXPECT_EQ(woven("f(a);", {expression(2, 3)}, places), "f(see(1,(MORPH_ON(0)?(0):(a))));");
}

TEST(Points, WithinAMutantsPlaceStayWithin) {
  mutation::file_places places;
  places.places.push_back(place(2, 5, "0"));
  EXPECT_EQ(woven("f(a+b);", {expression(2, 3)}, places), "f((MORPH_ON(0)?(0):(see(1,a)+b)));");
}

TEST(Points, ABodyIsOneWithBothOfItsCopies) {
  const std::string source = "int f(){return a;}";
  mutation::file_places places;
  places.places.push_back(place(15, 16, "0"));
  places.functions.push_back({0, 18, 1, 1, "f()", "", 7});
  EXPECT_EQ(woven(source, {{7, 18, point_kind::call, "{run([&]", ");}"}}, places),
            "int f(){run([&]{if(!MORPH_IN(1)){return a;}\n#line 1\nelse {return (MORPH_ON(0)?(0):(a));}});}");
}

TEST(Points, AByteOfTheWovenTextLeadsToTheInnermostOne) {
  std::vector<point> points{expression(2, 5), expression(2, 3)};
  put_in_order(points);
  const std::vector<std::uint32_t> numbers{1, 2};
  const woven_source made = weave("f(a+b);", {}, points, numbers);
  EXPECT_EQ(point_at(made, static_cast<std::uint32_t>(made.text.find("a"))), 1U);
  EXPECT_EQ(point_at(made, static_cast<std::uint32_t>(made.text.find("+b"))), 0U);
  EXPECT_EQ(point_at(made, 0), std::nullopt);
}

}  // namespace
}  // namespace morph::observation
