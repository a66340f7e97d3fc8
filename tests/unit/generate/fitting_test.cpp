// Whether calls fit, and what a call needs of those before it.
#include "plugin/generate/fitting.hpp"

#include <gtest/gtest.h>

#include "toy_api.hpp"

namespace morph::generate {
namespace {

argument value(std::uint32_t call) {
  return {morph_argument_value, call};
}

class Fitting : public testing::Test {
 protected:
  argument number(std::int64_t of) { return {morph_argument_literal, literals.add({.kind = 'i', .number = of})}; }
  argument text(const std::string& of) { return {morph_argument_literal, literals.add({.kind = 's', .text = of})}; }
  call circle() { return {toy::make_circle, {number(1), text("a")}}; }
  bool does(const call& one, const sequence& before = {}) { return fits(one, before, offered, literals); }

  literal_table literals{};
  api offered = toy::made(literals);
};

TEST_F(Fitting, ALiteralIsOfTheRoleOfItsSlot) {
  EXPECT_TRUE(does({toy::make_token, {number(100)}}));
  EXPECT_FALSE(does({toy::make_token, {number(101)}}));
  EXPECT_FALSE(does({toy::make_token, {text("1")}}));
  EXPECT_FALSE(does({toy::make_token, {}}));
  EXPECT_FALSE(does({toy::make_token, {{morph_argument_nothing, 0}}}));
}

TEST_F(Fitting, OnlyEnumeratorsAreOfARoleOfValues) {
  const auto role = literals.add_role({.kind = 'i', .least = 1, .most = 5, .values = {1, 5}});
  EXPECT_TRUE(is_of_role(number(5).number, role, literals));
  EXPECT_FALSE(is_of_role(number(3).number, role, literals));
}

TEST_F(Fitting, TheElementsOfAListAreOfItsRoles) {
  const auto small = literals.add_role(toy::small_numbers()), texts = literals.add_role({.kind = 's'});
  const auto list = literals.add_role({.kind = 'l', .elements = {small}});
  const auto pair = literals.add_role({.kind = 'l', .elements = {small, texts}, .is_tuple = true});
  const auto of = [&](std::vector<std::uint32_t> elements) {
    return literals.add({.kind = 'l', .elements = std::move(elements)});
  };
  EXPECT_TRUE(is_of_role(of({number(1).number, number(2).number}), list, literals));
  EXPECT_FALSE(is_of_role(of({number(1).number, text("a").number}), list, literals));
  EXPECT_TRUE(is_of_role(of({number(1).number, text("a").number}), pair, literals));
  EXPECT_FALSE(is_of_role(of({number(1).number}), pair, literals));
}

TEST_F(Fitting, AnObjectIsOfItsClassAndStandsBefore) {
  EXPECT_TRUE(does({toy::area, {value(0)}}, {circle()}));
  EXPECT_FALSE(does({toy::grow, {value(0), number(1)}}, {{toy::make_shape, {}}}));
  EXPECT_FALSE(does({toy::area, {value(1)}}, {circle()}));
  EXPECT_FALSE(does({toy::area, {value(1)}}, {circle(), {toy::grow, {value(0), number(1)}}}));
}

TEST_F(Fitting, AConstantObjectIsNotChanged) {
  const sequence before{circle(), {toy::as_shape, {value(0)}}};
  EXPECT_TRUE(does({toy::area, {value(1)}}, before));
  EXPECT_FALSE(does({toy::adopt, {value(1), value(0)}}, before));
}

TEST_F(Fitting, WhatWasMovedFromIsNotUsed) {
  const sequence before{{toy::make_token, {number(1)}}, {toy::consume, {value(0)}}};
  EXPECT_FALSE(does({toy::consume, {value(0)}}, before));
  EXPECT_FALSE(does({toy::join, {value(0), value(0)}}, {{toy::make_token, {number(1)}}}));
}

using kept = std::vector<bool>;

TEST_F(Fitting, ACallNeedsItsObjectsAndWhatChangedThem) {
  const sequence of{circle(),                            // 0
                    circle(),                            // 1
                    {toy::grow, {value(0), number(1)}},  // 2
                    {toy::grow, {value(1), number(2)}},  // 3
                    {toy::area, {value(0)}},             // 4: changes nothing
                    {toy::as_shape, {value(0)}},         // 5: a part of 0
                    {toy::grow, {value(0), number(3)}},  // 6
                    {toy::area, {value(5)}}};            // 7
  EXPECT_EQ(needed_by(7, of, offered, 40), (kept{true, false, true, false, false, true, true, true}));
  EXPECT_EQ(needed_by(2, of, offered, 40), (kept{true, false, true, false, false, false, false, false}));
}

TEST_F(Fitting, AChangeOfAPartIsAChangeOfTheWhole) {
  const auto inner = static_cast<std::uint32_t>(offered.callables.size());
  offered.callables.push_back(
      {.signature = "circle::inner()", .slots = {toy::object(toy::circle, true)}, .gives = produced{toy::circle}});
  const sequence of{circle(), {inner, {value(0)}}, {toy::grow, {value(1), number(1)}}, {toy::area, {value(0)}}};
  EXPECT_EQ(needed_by(3, of, offered, 40), (kept{true, true, true, true}));
}

TEST_F(Fitting, ManyChangesAreCutToTheLatestOnes) {
  sequence of{circle()};
  for (int i = 0; i < 10; ++i) of.push_back({toy::grow, {value(0), number(i)}});
  EXPECT_EQ(needed_by(10, of, offered, 4),
            (kept{true, false, false, false, false, false, false, false, true, true, true}));
}

TEST_F(Fitting, ChangesThatAreAvoidedAreNotNeeded) {
  const sequence of{circle(), {toy::grow, {value(0), number(1)}}, {toy::area, {value(0)}}};
  EXPECT_EQ(needed_by(2, of, offered, 40, {false, true, false}), (kept{true, false, true}));
  EXPECT_EQ(needed_by(1, of, offered, 40, {false, true, false}), (kept{true, true, false}));
}

}  // namespace
}  // namespace morph::generate
