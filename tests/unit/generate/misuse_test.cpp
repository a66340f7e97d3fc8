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
    in_.classes = {{.name = "list", .bases = {0}},
                   {.name = "item", .bases = {1}},
                   {.name = "place", .bases = {2}},
                   {.name = "range", .bases = {3}}};
    returned pointer{.how = returned::kind::pointer, .type = "item", .class_number = 1};
    in_.callables = {constructor(0, "list"),
                     method(0, "begin", {}, pointer),
                     method(0, "grow", {}),
                     method(1, "use", {}),
                     method(2, "operator*", {}, pointer),
                     method(0, "join", {}),
                     method(0, "first", {}, returns(returned::kind::object, "place", 2)),
                     method(2, "key", {}),
                     method(0, "all", {}, returns(returned::kind::object, "range", 3)),
                     method(3, "size", {}),
                     constructor(3, "range", {object_of(0, "list")}),
                     method(0, "self", {}, returns(returned::kind::reference, "list", 0)),
                     constructor(0, "list", {object_of(0, "list")})};
    const slot list{.from = slot::source::value, .type = 0, .changes = true};
    const slot item{.from = slot::source::value, .type = 1, .changes = true};
    const slot text{.from = slot::source::literal, .may_be_null = true};
    const slot place{.from = slot::source::value, .type = 2};
    const slot range{.from = slot::source::value, .type = 3};
    as_.bases = {{0}, {1}, {2}, {3}};
    as_.callables = {{.slots = {text}, .gives = produced{0}},
                     {.slots = {list}, .gives = produced{1}},
                     {.slots = {list}},
                     {.slots = {item}},
                     {.slots = {place}, .gives = produced{1}},
                     {.slots = {list, list}},
                     {.slots = {list}, .gives = produced{2}},
                     {.slots = {place}},
                     {.slots = {list}, .gives = produced{3}},
                     {.slots = {range}},
                     {.slots = {list}, .gives = produced{3}},
                     {.slots = {list}, .gives = produced{0}},
                     {.slots = {list}, .gives = produced{0}}};
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
  EXPECT_EQ(misuse({{0, {text("a")}}, {6, {value(0)}}, {4, {value(1)}}, {3, {value(2)}}}),
            "an iterator may lead nowhere");
}

TEST_F(Misuse, IsWhatElseAnIteratorIsAskedFor) {
  EXPECT_EQ(misuse({{0, {text("a")}}, {6, {value(0)}}, {7, {value(1)}}}), "an iterator may lead nowhere");
}

TEST_F(Misuse, IsAViewOfAnObjectThatHasChanged) {
  const sequence given{{0, {text("a")}}, {8, {value(0)}}, {2, {value(0)}}, {9, {value(1)}}};
  const sequence made{{0, {text("a")}}, {10, {value(0)}}, {2, {value(0)}}, {9, {value(1)}}};
  for (const sequence& each : {given, made}) {
    in_.classes[3].is_view = true;
    EXPECT_EQ(misuse(each), "an object behind a pointer or reference may be gone");
    in_.classes[3].is_view = false;
    EXPECT_EQ(misuse(each), "");
  }
}

TEST_F(Misuse, IsNoViewOfAnObjectAsItWas) {
  in_.classes[3].is_view = true;
  EXPECT_EQ(misuse({{0, {text("a")}}, {2, {value(0)}}, {8, {value(0)}}, {9, {value(1)}}}), "");
}

TEST_F(Misuse, IsAPointerThatAnyoneSetsInAnObject) {
  in_.classes[0].has_public_pointers = true;
  EXPECT_EQ(misuse({{0, {text("a")}}, {2, {value(0)}}}), "a pointer in an object may be null");
  EXPECT_EQ(misuse({{0, {text("a")}}, {2, {value(0)}}}, morph_outcome_hung, 0), "");
}

TEST_F(Misuse, IsANullPointerOfAStub) {
  in_.stubs = {{.name = "list_stub", .base = "list", .functions = {{.head = "item* begin()", .otherwise = "nullptr"}}}};
  in_.callables[0].how = modelled_callable::kind::stub;
  EXPECT_EQ(misuse({{0, {text("a")}}, {2, {value(0)}}}), "a stub gives a null pointer");
  in_.stubs[0].functions[0].otherwise = "0";
  EXPECT_EQ(misuse({{0, {text("a")}}, {2, {value(0)}}}, morph_outcome_crashed, SIGFPE), "");
}

TEST_F(Misuse, IsWhatTheBaseOfAStubHolds) {
  in_.stubs = {{.name = "list_stub", .base = "list"}};
  in_.callables[0].how = modelled_callable::kind::stub;
  EXPECT_EQ(misuse({{0, {text("a")}}, {1, {value(0)}}, {3, {value(1)}}}), "an object of a stub may not have been made");
  EXPECT_EQ(misuse({{0, {text("a")}}, {2, {value(0)}}}), "the base of a stub may not have been set up");
  EXPECT_EQ(misuse({{0, {text("a")}}, {2, {value(0)}}}, morph_outcome_crashed, SIGFPE), "");
}

TEST_F(Misuse, IsAFieldThatIsRead) {
  in_.callables[9].how = modelled_callable::kind::member;
  EXPECT_EQ(misuse({{0, {text("a")}}, {8, {value(0)}}, {9, {value(1)}}}), "only a field is read or written");
  EXPECT_EQ(misuse({{0, {text("a")}}, {8, {value(0)}}, {9, {value(1)}}, {2, {value(0)}}}), "");
}

TEST_F(Misuse, IsAPointerOfAField) {
  in_.callables[1].how = modelled_callable::kind::member;
  EXPECT_EQ(misuse({{0, {text("a")}}, {1, {value(0)}}, {3, {value(1)}}}), "a pointer of a field may lead nowhere");
}

TEST_F(Misuse, IsAnObjectThatItsReceiverDestroysToo) {
  in_.callables[1].result.is_owned = true;
  finding while_destroying{{{0, {text("a")}}, {1, {value(0)}}}, {.how = morph_outcome_crashed, .code = SIGSEGV}};
  EXPECT_EQ(misuse_in(while_destroying, in_, as_, literals_), "who destroys an object is a guess");
  EXPECT_EQ(misuse(while_destroying.calls), "");
  in_.callables[1].result.is_owned = false;
  EXPECT_EQ(misuse_in(while_destroying, in_, as_, literals_), "");
}

TEST_F(Misuse, IsAStubThatNeverGivesAnotherAnswer) {
  in_.stubs = {{.name = "list_stub", .base = "list", .functions = {{.head = "int size()", .otherwise = "0"}}}};
  in_.callables[0].how = modelled_callable::kind::stub;
  const sequence calls{{0, {text("a")}}, {2, {value(0)}}};
  EXPECT_EQ(misuse(calls, morph_outcome_hung, 0), "a stub answers the same for ever");
  EXPECT_EQ(misuse(calls, morph_outcome_crashed, SIGFPE), "");
  in_.stubs[0].functions[0].otherwise = "";
  EXPECT_EQ(misuse(calls, morph_outcome_hung, 0), "");
}

TEST_F(Misuse, IsAVoidPointerToAText) {
  in_.callables[0].parameters = {parameter_of(parameter::kind::memory, "void")};
  EXPECT_EQ(misuse({{0, {text("a")}}, {2, {value(0)}}}), "what a void pointer leads to is not known");
  in_.callables[0].parameters = {parameter_of(parameter::kind::memory, "char")};
  EXPECT_EQ(misuse({{0, {text("a")}}, {2, {value(0)}}}), "");
}

TEST_F(Misuse, IsAnObjectThatIsPassedToItself) {
  EXPECT_EQ(misuse({{0, {text("a")}}, {5, {value(0), value(0)}}}), "an object is passed to itself");
  EXPECT_EQ(misuse({{0, {text("a")}}, {0, {text("b")}}, {5, {value(0), value(1)}}}), "");
}

TEST_F(Misuse, IsAnObjectThatMayBePassedToItself) {
  const sequence given{{0, {text("a")}}, {11, {value(0)}}, {11, {value(1)}}};
  const auto joined = [&](std::uint32_t receiver, std::uint32_t with) {
    sequence calls = given;
    calls.push_back({5, {value(receiver), value(with)}});
    return misuse(calls);
  };
  EXPECT_EQ(joined(1, 0), "an object may be passed to itself");
  EXPECT_EQ(joined(2, 0), "an object may be passed to itself");
  EXPECT_EQ(joined(0, 2), "");
  as_.callables[11].gives = produced{1};
  EXPECT_EQ(joined(1, 0), "");
}

TEST_F(Misuse, IsAnObjectThatMayLeadToItself) {
  as_.callables[5].slots[1].changes = false;
  EXPECT_EQ(misuse({{0, {text("a")}}, {5, {value(0), value(0)}}, {2, {value(0)}}}), "an object may lead to itself");
  EXPECT_EQ(misuse({{0, {text("a")}}, {5, {value(0), value(0)}}}), "");
}

TEST_F(Misuse, IsARangeOfTwoPointers) {
  parameter begin = parameter_of(parameter::kind::pointer, "list", "begin"), end = begin;
  end.name = "end_of_it";
  in_.callables[5].parameters = {begin, end};
  const sequence calls{{0, {text("a")}}, {0, {text("b")}}, {5, {value(0), value(1)}}};
  EXPECT_EQ(misuse(calls), "two pointers are no range");
  in_.callables[5].parameters[1].name = "other";
  EXPECT_EQ(misuse(calls), "");
}

TEST_F(Misuse, IsACircleThatDoesNotEnd) {
  const sequence made{{0, {text("a")}}, {12, {value(0)}}, {5, {value(1), value(0)}}};
  EXPECT_EQ(misuse(made, morph_outcome_hung, 0), "an object is passed to what was made of it, and that does not end");
  EXPECT_EQ(misuse(made), "");
}

TEST_F(Misuse, IsNoObjectThatIsComparedWithItself) {
  as_.callables[5].slots[1].changes = false;
  EXPECT_EQ(misuse({{0, {text("a")}}, {5, {value(0), value(0)}}}), "");
}

TEST_F(Misuse, IsAHugeNumber) {
  EXPECT_EQ(misuse({{0, {number(-100000)}}, {2, {value(0)}}}), "a huge number is passed");
}

TEST_F(Misuse, IsAHugeNumberAmongOthers) {
  const auto list = [&](std::int64_t last) {
    return argument{morph_argument_literal,
                    literals_.add({.kind = 'l', .elements = {number(1).number, number(last).number}})};
  };
  EXPECT_EQ(misuse({{0, {list(100000)}}, {2, {value(0)}}}), "a huge number is passed");
  EXPECT_EQ(misuse({{0, {list(4096)}}, {2, {value(0)}}}), "");
}

}  // namespace
}  // namespace morph::generate
