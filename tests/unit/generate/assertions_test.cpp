// What a test asks behind its own calls, and which of these calls it keeps.
#include "plugin/generate/assertions.hpp"

#include <gtest/gtest.h>

#include "handmade.hpp"

namespace morph::generate {
namespace {

using namespace handmade;

enum asked : std::uint32_t { make_body, move, mass, position, x_of_point, make_world, count, push, sink };

class Asking : public testing::Test {
 protected:
  Asking() {
    in_.classes = {class_of("body", {0}), class_of("point", {1}), class_of("world", {2})};
    const returned number = returns(returned::kind::number);
    in_.callables = {constructor(0, "body"),
                     method(0, "move", {}),
                     constant(method(0, "mass", {}, number)),
                     constant(method(0, "position", {}, returns(returned::kind::object, "point", 1))),
                     constant(method(1, "x", {}, number)),
                     constructor(2, "world"),
                     constant(method(2, "count", {}, number)),
                     function("push", {object_of(0, "body"), object_of(2, "world")}),
                     function("sink", {object_of(0, "body", true)})};
    const slot body{.from = slot::source::value, .type = 0}, point{.from = slot::source::value, .type = 1},
        world{.from = slot::source::value, .type = 2};
    slot moved = body;
    moved.takes = true;
    as_.bases = {{0}, {1}, {2}};
    as_.callables = {
        {.gives = produced{0}}, {.slots = {body}},      {.slots = {body}},  {.slots = {body}, .gives = produced{1}},
        {.slots = {point}},     {.gives = produced{2}}, {.slots = {world}}, {.slots = {body, world}},
        {.slots = {moved}}};
  }

  static modelled_callable constant(modelled_callable of) {
    of.is_constant = true;
    return of;
  }
  static argument value(std::uint32_t of) { return {morph_argument_value, of}; }
  observed_test asked_of(const sequence& calls) const { return asking(calls, {}, in_, as_); }
  sequence behind(const sequence& calls) const {
    const sequence all = asked_of(calls).asking;
    return {all.begin() + static_cast<std::ptrdiff_t>(calls.size()), all.end()};
  }

  model in_;
  api as_;
};

TEST_F(Asking, AsksTheObjectAndWhatItsMethodsGive) {
  EXPECT_EQ(behind({{make_body}, {move, {value(0)}}}),
            (sequence{{mass, {value(0)}}, {position, {value(0)}}, {x_of_point, {value(3)}}}));
}

TEST_F(Asking, AsksOtherObjectsOfTheLastCallsToo) {
  EXPECT_EQ(behind({{make_body}, {make_world}, {push, {value(0), value(1)}}}),
            (sequence{{mass, {value(0)}}, {count, {value(1)}}, {position, {value(0)}}, {x_of_point, {value(5)}}}));
}

TEST_F(Asking, LeavesAloneWhatWasMovedFrom) {
  EXPECT_EQ(behind({{make_body}, {sink, {value(0)}}}), sequence{});
}

TEST_F(Asking, GoesOnWithoutTheCallThatEndsIt) {
  observed_test of = asked_of({{make_body}, {move, {value(0)}}});
  EXPECT_FALSE(leave_out_ask(of, {.how = morph_outcome_crashed, .call = 1}));
  ASSERT_TRUE(leave_out_ask(of, {.how = morph_outcome_crashed, .call = 3}));
  EXPECT_EQ(of.asking, (sequence{{make_body}, {move, {value(0)}}, {mass, {value(0)}}}));
}

TEST_F(Asking, KeepsTheCallThatGivesWhatIsAsserted) {
  observed_test of = asked_of({{make_body}, {move, {value(0)}}});
  of.stable = {{4, 0, "i7"}};
  const test_case made = with_assertions(of, {0});
  EXPECT_EQ(made.calls, (sequence{{make_body}, {move, {value(0)}}, {position, {value(0)}}, {x_of_point, {value(2)}}}));
  EXPECT_EQ(made.asserted, (std::vector<observation>{{3, 0, "i7"}}));
}

}  // namespace
}  // namespace morph::generate
