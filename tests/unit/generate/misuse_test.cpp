// Which crashes are likely the code's fault.
#include "plugin/generate/misuse.hpp"

#include <gtest/gtest.h>

#include <csignal>

#include "handmade.hpp"

namespace morph::generate {
namespace {

using namespace handmade;

/// `begin` gives a pointer into the object, `grow` changes the object, `use` takes what there is.
class Misuse : public testing::Test {
 protected:
  Misuse() {
    in_.classes = {{.name = "list", .bases = {0}}, {.name = "item", .bases = {1}}};
    returned pointer{.how = returned::kind::pointer, .type = "item", .class_number = 1};
    in_.callables = {constructor(0, "list"), method(0, "begin", {}, pointer),     method(0, "grow", {}),
                     method(1, "use", {}),   method(0, "operator*", {}, pointer), method(0, "join", {})};
    const slot list{.from = slot::source::value, .type = 0, .changes = true};
    const slot item{.from = slot::source::value, .type = 1, .changes = true};
    const slot text{.from = slot::source::literal, .may_be_null = true};
    as_.bases = {{0}, {1}};
    as_.callables = {{.slots = {text}, .gives = produced{0}},
                     {.slots = {list}, .gives = produced{1}},
                     {.slots = {list}},
                     {.slots = {item}},
                     {.slots = {list}, .gives = produced{1}},
                     {.slots = {list, list}}};
  }

  argument text(std::string of) {
    return {morph_argument_literal, literals_.add({.kind = 's', .text = std::move(of)})};
  }
  argument number(std::int64_t of) { return {morph_argument_literal, literals_.add({.kind = 'i', .number = of})}; }
  static argument value(std::uint32_t of) { return {morph_argument_value, of}; }

  std::string misuse(sequence calls, morph_outcome how = morph_outcome_crashed, std::int32_t code = SIGSEGV) {
    const auto last = static_cast<std::uint32_t>(calls.size() - 1);
    return misuse_in({std::move(calls), {.how = how, .code = code, .call = last}}, in_, as_, literals_);
  }

  model in_;
  api as_;
  literal_table literals_;
};

TEST_F(Misuse, IsNotACrashOfValidCalls) {
  EXPECT_EQ(misuse({{0, {text("a")}}, {1, {value(0)}}, {3, {value(1)}}}), "");
  EXPECT_EQ(misuse({{0, {text("a")}}, {2, {value(0)}}}, morph_outcome_hung, 0), "");
}

TEST_F(Misuse, IsANullPointerForAParameter) {
  EXPECT_EQ(misuse({{0, {{morph_argument_nothing, 0}}}, {2, {value(0)}}}), "a null pointer is passed");
}

TEST_F(Misuse, IsAnAssertionOrAnEndOfTheProgram) {
  EXPECT_NE(misuse({{0, {text("a")}}}, morph_outcome_crashed, SIGABRT), "");
  EXPECT_NE(misuse({{0, {text("a")}}}, morph_outcome_ended, 1), "");
}

TEST_F(Misuse, IsAnObjectThatAnEarlierCallMayHaveMadeInvalid) {
  EXPECT_EQ(misuse({{0, {text("a")}}, {1, {value(0)}}, {2, {value(0)}}, {3, {value(1)}}}),
            "an object behind a pointer or reference may be gone");
}

TEST_F(Misuse, IsWhatAnIteratorLeadsTo) {
  EXPECT_EQ(misuse({{0, {text("a")}}, {4, {value(0)}}, {3, {value(1)}}}), "an iterator may lead nowhere");
}

TEST_F(Misuse, IsAnObjectThatIsPassedToItself) {
  EXPECT_EQ(misuse({{0, {text("a")}}, {5, {value(0), value(0)}}}), "an object is passed to itself");
  EXPECT_EQ(misuse({{0, {text("a")}}, {0, {text("b")}}, {5, {value(0), value(1)}}}), "");
}

TEST_F(Misuse, IsNoObjectThatIsComparedWithItself) {
  as_.callables[5].slots[1].changes = false;
  EXPECT_EQ(misuse({{0, {text("a")}}, {5, {value(0), value(0)}}}), "");
}

TEST_F(Misuse, IsAHugeNumber) {
  EXPECT_EQ(misuse({{0, {number(-100000)}}, {2, {value(0)}}}), "a huge number is passed");
}

}  // namespace
}  // namespace morph::generate
