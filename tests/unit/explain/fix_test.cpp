// Which assertions are chosen, and what is only suggested.
#include "plugin/explain/fix.hpp"

#include <gtest/gtest.h>

#include "handmade.hpp"

namespace morph::explain {
namespace {

using placing = placed_expression::placing;
using strings = std::vector<std::string>;

explanation seen(const std::string& id, std::vector<observation::difference> differences) {
  explanation made{.change = {.id = id}, .seen = {.id = id, .means = observation::symptom::weak_oracle}};
  made.seen.differences = std::move(differences);
  return made;
}

struct found {
  strings assertions{}, refused{};
};

/// Every expression can be asserted where it stands, but for those in loops.
found fixes(const std::vector<explanation>& of) {
  const auto asked = places_asked(of);
  std::vector<placed_expression> placed;
  for (const asked_place& each : asked) {
    placed_expression one{.how = placing::before, .expression = each.expression, .begin = each.line * 10};
    if (each.expression == "in_a_loop") one = {.how = placing::none, .why_not = "it stands in a loop"};
    placed.push_back(one);
  }
  const auto all = candidates_for(of, shop(), asked, placed, strings(asked.size(), "gtest"));
  found made{{}, all.refused};
  for (const fix_candidate& each : fewest(all.candidates)) made.assertions.push_back(each.assertion);
  return made;
}

TEST(Fix, ChoosesTheFewestAssertionsOverAllSurvivors) {
  const auto price = at_test("b.price()", "int", "", "30", "27"), other = at_test("b.price()", "int", "", "30", "0");
  const found made = fixes({seen("m1", {at_test("b.count()", "int", "", "3", "4"), price}), seen("m2", {other}),
                            seen("m3", {at_test("b.name()", "std::string", "", "\"x\"", "\"\"")})});
  EXPECT_EQ(made.assertions, (strings{"EXPECT_EQ(b.name(), \"x\");", "EXPECT_EQ(b.price(), 30);"}));
  EXPECT_TRUE(made.refused.empty());
}

TEST(Fix, SaysOnceForAMutantWhyNothingIsAsserted) {
  auto late = at_test("b.price()", "int", "", "30", "27");
  late.invocation = 2;
  auto secret = at_test("b", "shop::basket", ".secret_", "3", "4");
  secret.is_private = true;
  const found made = fixes({seen("m1", {at_test("in_a_loop", "int", "", "3", "4"), late}), seen("m2", {late}),
                            seen("m3", {at_test("b.list()", "list", "", "{1}", "{}")}), seen("m4", {secret})});
  EXPECT_TRUE(made.assertions.empty());
  EXPECT_EQ(
      made.refused,
      (strings{
          "m1: no assertion on `in_a_loop` at tests/shop_test.cpp:14: it stands in a loop",
          "m2: no assertion on `b.price()` at tests/shop_test.cpp:14: its value is that of one of several "
          "evaluations",
          "m3: no assertion on `b.list()` at tests/shop_test.cpp:14: its value, {1}, cannot be written as a literal",
          "m4: no assertion on `b.secret_` at tests/shop_test.cpp:14: nothing shows the private field "
          "'secret_' of shop::basket"}));
}

TEST(Fix, LeavesOutCallsAndExceptions) {
  auto call = at_test("shop::price()", "int", "result", "3", "4");
  call.where = observation::level::call;
  EXPECT_TRUE(
      places_asked({seen("m1", {call, at_test("b.f()", "int", "exception", "none", "std::bad_alloc")})}).empty());
}

}  // namespace
}  // namespace morph::explain
