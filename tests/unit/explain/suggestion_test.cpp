// What is suggested for each symptom, in words.
#include "plugin/explain/suggestion.hpp"

#include <gtest/gtest.h>

#include "handmade.hpp"

namespace morph::explain {
namespace {

using observation::observed_mutant;
using observation::symptom;

const explained_change ror{.id = "src/shop.cpp:3:5:ror",
                           .file = "src/shop.cpp",
                           .op = "ror",
                           .original = "n > 9",
                           .replacement = "n >= 9",
                           .value = report::difference::none,
                           .function = "shop::basket::sum() const"};

suggestion of(observed_mutant seen, const explained_change& change = ror) {
  seen.tests = {{"Shop.Buys", 3, 2}, {"Shop.Sells", 1, 3}};
  return suggestion_for(change, seen, shop(), {{"tests/shop_test.cpp", "gtest"}});
}

using lines = std::vector<std::string>;

TEST(Suggestion, NamesStateThatCouldNotBeRead) {
  const suggestion made =
      of({.means = symptom::no_infection, .not_read = {"3 more tests that reach it", "this->emitter: a reference"}});
  ASSERT_GE(made.lines.size(), 2U);
  EXPECT_EQ(made.lines[1], "Or it changed what is not read: `this->emitter: a reference`.");
}

TEST(Suggestion, OfNoInfectionNamesTheValueAndTheTests) {
  const suggestion made = of({.means = symptom::no_infection, .operands = {"n: 1, 2"}});
  EXPECT_EQ(made.how, remedy::vary_inputs);
  EXPECT_EQ(made.lines,
            (lines{"No call had `n` equal to `9` (`n` was 1 and 2 in all 4 calls); a test with such a call is missing.",
                   "Begin with a copy of Shop.Buys, Shop.Sells, and change what leads to the call."}));
}

observation::difference at_call(const std::vector<std::string>& path) {
  observation::difference made;
  made.expression = path.back();
  made.property = "result";
  made.original = "3";
  made.mutated = "4";
  made.call_path = path;
  return made;
}

TEST(Suggestion, OfNoPropagationIsTheNearestFunction) {
  const suggestion made =
      of({.means = symptom::no_propagation,
          .differences = {at_call({"Shop.Buys", "shop::report(const basket &)", "shop::basket::sum() const"})}});
  EXPECT_EQ(made.how, remedy::call_function);
  EXPECT_EQ(made.targets.front(), "shop::report(const basket &)");
  EXPECT_EQ(
      made.lines,
      (lines{
          "No test can call `shop::basket::sum() const`. The nearest function that leads to it is `shop::report(const "
          "basket &)` (include/shop.hpp), 1 call away, which these tests go through.",
          "Or test shop::basket::price() const, shop::day().", "Begin with Shop.Buys, Shop.Sells."}));
}

TEST(Suggestion, OfNoPropagationIsTheFunctionItselfIfItCanBeCalled) {
  explained_change change = ror;
  change.function = "shop::basket::price()";
  const suggestion made =
      of({.means = symptom::no_propagation, .differences = {at_call({"Shop.Buys", "shop::basket::price()"})}}, change);
  EXPECT_EQ(made.lines.front(),
            "Test `shop::basket::price() const` (include/shop.hpp) by itself: there `result` was 3, and is 4 "
            "with the change.");
}

TEST(Suggestion, OfNoPropagationNamesWhatShowsAPrivateField) {
  explained_change change = ror;
  change.function = "shop::basket::price()";
  auto total = at_call({"Shop.Buys", "shop::basket::price()"});
  total.property = "this->total_";
  total.is_private = true;
  EXPECT_EQ(of({.means = symptom::no_propagation, .differences = {total}}, change).lines.at(1),
            "`shop::basket::total() const` shows `total_`.");
  total.property = "this->secret_";
  EXPECT_EQ(of({.means = symptom::no_propagation, .differences = {total}}, change).lines.at(1),
            "No public constant function reads `secret_`: add an accessor.");
}

TEST(Suggestion, IsToRefactorWhereNothingLeadsThere) {
  explained_change change = ror;
  change.function = "shop::hidden()";
  const suggestion made = of({.means = symptom::no_propagation}, change);
  EXPECT_EQ(made.how, remedy::refactor);
  EXPECT_EQ(made.lines.front(),
            "Tests cannot observe it: 'shop::hidden()' lies in an anonymous namespace, and no test can "
            "call the function that leads to it.");
}

TEST(Suggestion, OfAWeakOracleIsAnAssertion) {
  const suggestion made =
      of({.means = symptom::weak_oracle, .differences = {at_test("b.price()", "int", "", "30", "27")}});
  EXPECT_EQ(made.how, remedy::assert_value);
  EXPECT_EQ(made.lines, (lines{"Assert in Shop.Buys, at tests/shop_test.cpp:14: `EXPECT_EQ(b.price(), 30);`",
                               "The value was observed; it is not known to be right."}));
  ASSERT_EQ(made.assertions.size(), 1U);
  EXPECT_EQ(made.assertions.front().expected, "30");
}

TEST(Suggestion, OfAPrivateFieldNamesItsAccessor) {
  auto total = at_test("b", "const shop::basket &", ".total_", "30", "27");
  total.is_private = true;
  const suggestion made = of({.means = symptom::weak_oracle, .differences = {total}});
  EXPECT_EQ(made.lines.at(0), "`shop::basket::total() const` shows the private `total_`.");
  EXPECT_EQ(made.lines.at(1), "Assert in Shop.Buys, at tests/shop_test.cpp:14: `EXPECT_EQ(b.total(), 30);`");
  total.type = "shop::basket *";
  EXPECT_EQ(of({.means = symptom::weak_oracle, .differences = {total}}).assertions.at(0).text,
            "EXPECT_EQ(b->total(), 30);");
}

TEST(Suggestion, OfAPrivateFieldThatNothingGivesIsWhatDependsOnIt) {
  auto items = at_test("b", "shop::basket", ".items_.size()", "2", "3");
  items.is_private = true;
  const suggestion made = of({.means = symptom::weak_oracle, .differences = {items}});
  EXPECT_TRUE(made.assertions.empty());
  EXPECT_EQ(made.lines, (lines{"`shop::basket::empty() const` depends on the private `items_`.",
                               "Assert in Shop.Buys, at tests/shop_test.cpp:14, what `b.empty()` gives."}));
}

TEST(Suggestion, IsAnAccessorWhereNothingReadsTheField) {
  auto secret = at_test("b", "shop::basket", ".secret_", "2", "3");
  secret.is_private = true;
  const suggestion made = of({.means = symptom::weak_oracle, .differences = {secret}});
  EXPECT_EQ(made.how, remedy::add_accessor);
  EXPECT_EQ(made.lines, lines{"The private field `secret_` of `shop::basket` differs at tests/shop_test.cpp:14, and no "
                              "public constant function of it reads that: add an accessor."});
}

TEST(Suggestion, OfAnExceptionIsThatItIsThrown) {
  const auto thrown = at_test("pay(-1)", "void", "exception", "std::invalid_argument(\"less\")", "");
  EXPECT_EQ(of({.means = symptom::weak_oracle, .differences = {thrown}}).lines.front(),
            "Assert in Shop.Buys, at tests/shop_test.cpp:14: `EXPECT_THROW(pay(-1), std::invalid_argument);`");
  const auto hidden = at_test("pay(-1)", "void", "exception", "", "std::bad_alloc");
  EXPECT_EQ(of({.means = symptom::weak_oracle, .differences = {hidden}}).lines.front(),
            "In Shop.Buys, at tests/shop_test.cpp:14, `pay(-1)` differs in the exception: nothing, and std::bad_alloc "
            "with the "
            "change. Assert what shows it.");
}

TEST(Suggestion, OfElementsAndOfCountsSaysWhatDiffers) {
  EXPECT_EQ(
      of({.means = symptom::weak_oracle,
          .differences = {at_test("list()", "std::vector<int>", "[elements]", "{1}", "{2}")}})
          .lines.front(),
      "In Shop.Buys, at tests/shop_test.cpp:14, `list()` differs in its elements: {1}, and {2} with the change. Assert "
      "what shows it.");
  EXPECT_EQ(of({.means = symptom::weak_oracle, .differences = {at_test("next()", "int", "invocations", "2", "1")}})
                .lines.front(),
            "In Shop.Buys, at tests/shop_test.cpp:14, `next()` differs in how often it is evaluated: 2, and 1 with the "
            "change. "
            "Assert what shows it.");
}

TEST(Suggestion, OfWhatAPointerOwnsReadsIt) {
  const auto owned = at_test("owner", "std::unique_ptr<int>", "->", "5", "6");
  EXPECT_EQ(of({.means = symptom::weak_oracle, .differences = {owned}}).assertions.at(0).text, "EXPECT_EQ(*owner, 5);");
}

TEST(Suggestion, PrefersWhatCanBeAssertedAndIsShort) {
  auto secret = at_test("b", "shop::basket", ".secret_", "2", "3");
  secret.is_private = true;
  const suggestion made = of({.means = symptom::weak_oracle,
                              .differences = {secret, at_test("b.list()", "std::vector<int>", "", "{1, 2}", "{1}"),
                                              at_test("b.list()", "std::vector<int>", ".size()", "2", "1")}});
  ASSERT_FALSE(made.assertions.empty());
  EXPECT_EQ(made.assertions.front().text, "EXPECT_EQ(b.list().size(), 2U);");
}

}  // namespace
}  // namespace morph::explain
