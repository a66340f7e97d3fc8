// From what was read of tests to sequences and literals, and how recipes are chosen.
#include "plugin/generate/recipes.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "plugin/generate/fitting.hpp"
#include "plugin/generate/sequence_text.hpp"
#include "plugin/generate/variation.hpp"
#include "toy_api.hpp"

namespace morph::generate {
namespace {

using nlohmann::json;

/// The toy's callables, as declared in /project/toy.hpp, one a line.
class Recipes : public testing::Test {
 protected:
  Recipes() {
    for (std::size_t i = 0; i < offered.callables.size(); ++i) {
      modelled_callable one;
      one.signature = offered.callables[i].signature;
      one.file = "/project/toy.hpp";
      one.line = static_cast<std::uint32_t>(i + 1);
      modelled.callables.push_back(std::move(one));
    }
  }

  static json of_call(std::uint32_t callee, json arguments, bool throws = false) {
    const std::size_t written = arguments.size();
    return {{"callee", callee}, {"line", 1}, {"throws", throws}, {"written", written}, {"arguments", arguments}};
  }
  static json number(int of) { return {{"number", of}}; }
  static json text(const std::string& of) { return {{"text", of}}; }
  static json object(int call) { return {{"call", call}}; }

  json line_of(const std::vector<json>& calls) const {
    json callees = json::array();
    for (std::size_t i = 0; i < offered.callables.size(); ++i)
      callees.push_back({{"signature", offered.callables[i].signature},
                         {"file", "toy.hpp"},
                         {"line", i + 1},
                         {"changes", changes_of(i)}});
    callees.push_back({{"signature", "elsewhere(circle&)"}, {"file", "other.hpp"}, {"line", 1}, {"changes", {0}}});
    return {{"unit", 0},
            {"errors", json::array()},
            {"callees", callees},
            {"recipes", {{{"file", "test.cpp"}, {"line", 1}, {"test", "test"}, {"calls", calls}}}}};
  }

  std::vector<std::size_t> changes_of(std::size_t callee) const {
    std::vector<std::size_t> made;
    for (std::size_t s = 0; s < offered.callables[callee].slots.size(); ++s)
      if (offered.callables[callee].slots[s].changes) made.push_back(s);
    return made;
  }

  known_inputs inputs(const std::vector<json>& lines) {
    counts = {};
    return inputs_of(lines, "/project", modelled, offered, literals, counts);
  }

  /// The sequences, without the format's line.
  std::string sequences(const std::vector<json>& calls) {
    const std::string made = printed(inputs({line_of(calls)}).first, offered, literals);
    return made.substr(made.find('\n') + 1);
  }

  literal_table literals{};
  api offered = toy::made(literals);
  model modelled{};
  recipe_counts counts{};
  static constexpr std::uint32_t elsewhere = 10;
};

TEST_F(Recipes, EachCallOfATestIsInASequenceThatNeedsNothingElse) {
  EXPECT_EQ(sequences({of_call(toy::make_circle, {number(1), text("a")}), of_call(toy::make_token, {number(2)}),
                       of_call(toy::grow, {object(0), number(3)}), of_call(toy::consume, {object(1)}),
                       of_call(toy::area, {object(0)})}),
            "v0 = circle(int, string) <- 1, \"a\"\n"
            "circle::grow(int) <- v0, 3\n"
            "shape::area() const <- v0\n"
            "\n"
            "v0 = token(int) <- 2\n"
            "consume(token&&) <- v0\n");
  EXPECT_EQ(counts.tests, 1U);
  EXPECT_EQ(counts.recipes, 2U);
  EXPECT_EQ(counts.calls, 5U);
  EXPECT_EQ(counts.calls_used, 5U);
}

TEST_F(Recipes, ACallThatTheTestExpectsToThrowIsTheLastOne) {
  EXPECT_EQ(sequences({of_call(toy::make_circle, {number(1), text("a")}),
                       of_call(toy::grow, {object(0), number(3)}, true), of_call(toy::area, {object(0)})}),
            "v0 = circle(int, string) <- 1, \"a\"\nshape::area() const <- v0\n\n"
            "v0 = circle(int, string) <- 1, \"a\"\ncircle::grow(int) <- v0, 3\n");
}

TEST_F(Recipes, WhatIsNotKnownIsCutOffTogetherWithTheObjectsThatItChanges) {
  EXPECT_EQ(sequences({of_call(toy::make_circle, {number(1), text("a")}), of_call(toy::area, {object(0)}),
                       of_call(toy::grow, {object(0), nullptr}), of_call(toy::area, {object(0)})}),
            "v0 = circle(int, string) <- 1, \"a\"\nshape::area() const <- v0\n");
  EXPECT_EQ(counts.left_out, (std::map<std::string, std::size_t>{{"an argument is not known", 2}}));
  EXPECT_EQ(sequences({of_call(toy::make_circle, {number(1), text("a")}), of_call(elsewhere, {object(0)}),
                       of_call(toy::area, {object(0)})}),
            "v0 = circle(int, string) <- 1, \"a\"\n");
  EXPECT_EQ(counts.left_out,
            (std::map<std::string, std::size_t>{{"an argument is not known", 1},
                                                {"nothing that the headers offer to the unit's source", 1}}));
  EXPECT_EQ(sequences({of_call(toy::make_token, {number(1000)})}), "");
  EXPECT_EQ(counts.left_out, (std::map<std::string, std::size_t>{{"an argument is not what the callable takes", 1}}));
}

TEST_F(Recipes, ACallableOfAnotherPlaceIsAnother) {
  modelled.callables[toy::make_token].line = 99;
  EXPECT_EQ(sequences({of_call(toy::make_token, {number(1)})}), "");
}

TEST_F(Recipes, DefaultsAreWrittenWhereNoCallableHasFewerArguments) {
  json call = of_call(toy::make_circle, {number(1), text("default")});
  call["written"] = 0;
  EXPECT_EQ(sequences({call}), "v0 = circle(int, string) <- 1, \"default\"\n");
  // Another one with a single argument.
  modelled.callables.push_back(modelled.callables[toy::make_circle]);
  offered.callables.push_back(offered.callables[toy::make_circle]);
  offered.callables.back().slots.resize(1);
  offered.settle();
  EXPECT_EQ(sequences({call}), "v0 = circle(int, string) <- 1\n");
  call["written"] = 2;
  EXPECT_EQ(sequences({call}), "v0 = circle(int, string) <- 1, \"default\"\n");
}

TEST_F(Recipes, LiteralsGetIntoThePoolsEvenOfCallsThatAreLeftOut) {
  inputs({line_of({of_call(elsewhere, {nullptr, text("only here"), json{{"hex", "ff00"}}, number(77)})})});
  const auto has = [&](std::uint32_t role, const literal& wanted) {
    for (const std::uint32_t each : literals.role_at(role).pool)
      if (literals[each].key() == wanted.key()) return true;
    return false;
  };
  EXPECT_TRUE(has(literals.add_role({.kind = 's'}), {.kind = 's', .text = "only here"}));
  EXPECT_TRUE(has(literals.add_role({.kind = 's'}), {.kind = 's', .text = std::string("\xff\0", 2)}));
  EXPECT_TRUE(has(literals.add_role(toy::small_numbers()), {.kind = 'i', .number = 77}));
}

TEST_F(Recipes, ASourceThatIsNotReadIsNamed) {
  json line = line_of({});
  line["errors"] = {{{"file", "a.cpp"}, {"line", 7}, {"text", "no"}, {"offset", 0}}};
  inputs({line});
  EXPECT_EQ(counts.unread, std::vector<std::string>{"a.cpp:7: no"});
  EXPECT_EQ(counts.sources, 1U);
  EXPECT_EQ(counts.tests, 0U);
}

TEST_F(Recipes, ABookHasTheStatesOfObjects) {
  const known_inputs made =
      inputs({line_of({of_call(toy::make_circle, {number(1), text("a")}), of_call(toy::grow, {object(0), number(3)}),
                       of_call(toy::as_shape, {object(0)})})});
  ASSERT_EQ(made.book.size(), 2U);
  EXPECT_EQ(made.book[0].calls.size(), 2U);
  EXPECT_EQ(made.book[0].gives, 0U);
  EXPECT_EQ(made.book[1].calls.size(), 3U);
  EXPECT_EQ(made.book[1].gives, 2U);
  optimizer::random_source random(1);
  for (int i = 0; i < 20; ++i) {
    EXPECT_EQ(made.book.any_for(toy::object(toy::circle), random), 0U);
    EXPECT_EQ(made.book.any_for(toy::object(toy::shape, true), random), 0U);
    EXPECT_EQ(made.book.any_for(toy::object(toy::token), random), std::nullopt);
  }
}

TEST_F(Recipes, WhatFailsIsTriedLessButNeverNot) {
  recipe_book book;
  const auto circle = [&](int number) {
    return sequence{{toy::make_circle,
                     {{morph_argument_literal, literals.add({.kind = 'i', .number = number})},
                      {morph_argument_literal, literals.add({.kind = 's', .text = "a"})}}}};
  };
  book.add(circle(1), offered);
  book.add(circle(2), offered);
  book.add(circle(2), offered);
  ASSERT_EQ(book.size(), 2U);
  const auto first = std::vector<std::size_t>{0};
  for (int i = 0; i < 100; ++i) book.learn(first, false, false);
  EXPECT_DOUBLE_EQ(book[0].weight, 0.05);
  optimizer::random_source random(1);
  int failing = 0;
  for (int i = 0; i < 2000; ++i) failing += book.any_for(toy::object(toy::circle), random) == 0U ? 1 : 0;
  EXPECT_GT(failing, 20);
  EXPECT_LT(failing, 300);
  book.learn(first, true, false);
  EXPECT_GT(book[0].weight, 0.05);
  book.learn(first, true, true);
  EXPECT_DOUBLE_EQ(book[0].weight, 1);
}

TEST_F(Recipes, VariationMakesObjectsByThem) {
  known_inputs made = inputs({line_of(
      {of_call(toy::make_circle, {number(42), text("recipe")}), of_call(toy::grow, {object(0), number(43)})})});
  optimizer::random_source random(1);
  variation vary(offered, literals, random, &made.book);
  int used = 0;
  for (int i = 0; i < 500; ++i) {
    const sequence one = vary.random();
    used += vary.take_used().empty() ? 0 : 1;
    EXPECT_LE(one.size(), most_calls);
    for (std::size_t c = 0; c < one.size(); ++c)
      EXPECT_TRUE(fits(one[c], sequence(one.begin(), one.begin() + static_cast<std::ptrdiff_t>(c)), offered, literals));
  }
  EXPECT_GT(used, 50);
}

}  // namespace
}  // namespace morph::generate
