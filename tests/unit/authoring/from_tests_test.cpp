// Seeds out of recipes: which arguments of which calls become values of fields.
#include "plugin/authoring/from_tests.hpp"

#include <gtest/gtest.h>

namespace morph::authoring {
namespace {

using nlohmann::json;
using rows = std::vector<std::vector<std::string>>;

const json described = {
    {"int", {{"kind", "integer"}, {"spelled", "int"}, {"signed", true}, {"bits", 32}}},
    {"unsigned", {{"kind", "integer"}, {"spelled", "unsigned long"}, {"signed", false}, {"bits", 64}}},
    {"double", {{"kind", "floating"}, {"spelled", "double"}}},
    {"char", {{"kind", "character"}, {"spelled", "char"}}},
    {"bool", {{"kind", "bool"}, {"spelled", "bool"}}},
    {"text", {{"kind", "string"}, {"spelled", "std::string"}}},
    {"color",
     {{"kind", "enumeration"}, {"spelled", "color"}, {"values", {"color::red", "color::blue"}}, {"numbers", {0, 7}}}},
    {"list",
     {{"kind", "sequence"},
      {"spelled", "std::vector<int>"},
      {"of", json::array({json{{"type", "int"}, {"spelled", "int"}}})}}},
    {"point",
     {{"kind", "record"},
      {"spelled", "point"},
      {"aggregate", true},
      {"fields", {{{"type", "int"}, {"spelled", "int"}}, {{"type", "text"}, {"spelled", "std::string"}}}}}}};

json field(const char* type, std::vector<std::size_t> from) {
  return {{"name", "x"}, {"type", type}, {"spelled", described[type]["spelled"]}, {"from", from}};
}

json call(std::size_t callee, const std::vector<json>& arguments) {
  const std::size_t written = arguments.size();
  return {{"callee", callee}, {"line", 1}, {"throws", false}, {"written", written}, {"arguments", json(arguments)}};
}

/// Calls of f() (0), of a constructor (1), of a method that changes its object (2) and of another function (3).
json line_of(const std::vector<json>& calls) {
  const auto callee = [](unsigned line, json changes) {
    return json{{"signature", "s"},
                {"file", "include/f.hpp"},
                {"line", line},
                {"constructor", line == 8},
                {"changes", std::move(changes)}};
  };
  return {{"callees", {callee(3, json::array()), callee(8, json::array()), callee(9, {0}), callee(10, json::array())}},
          {"recipes", json::array({json{{"file", "t.cpp"}, {"line", 1}, {"test", "T"}, {"calls", json(calls)}}})}};
}

rows inputs_of(const std::vector<json>& fields, const std::vector<json>& calls, std::size_t most = 10) {
  const described_types types(described);
  return inputs_of_tests(types, json(fields), {"/p/include/f.hpp", 3, "/p"}, {line_of(calls)}, most);
}

json number_json(std::int64_t value) {
  return {{"number", value}};
}
json text(const std::string& value) {
  return {{"text", value}};
}

TEST(SeedsFromTests, AreArgumentsAsTheirTypesAreWritten) {
  const std::vector<json> fields = {field("int", {0}),  field("double", {1}), field("char", {2}),
                                    field("bool", {3}), field("text", {4}),   field("color", {5})};
  EXPECT_EQ(inputs_of(fields, {call(0, {number_json(-3), number_json(2), number_json('\''), number_json(1),
                                        text("a\n\"\x01"), number_json(7)})}),
            (rows{{"-3", "2.0", "'\\''", "true", "\"a\\n\\\"\\001\"", "color::blue"}}));
  EXPECT_EQ(inputs_of({field("unsigned", {0})}, {call(0, {number_json(-1)})}), (rows{{"18446744073709551615U"}}));
}

TEST(SeedsFromTests, AreListsAndRecordsOfWhatIsKnown) {
  const json list = {{"list", {number_json(1), number_json(2)}}}, point = {{"list", {number_json(1), text("b")}}};
  EXPECT_EQ(inputs_of({field("list", {0}), field("point", {1})}, {call(0, {list, point})}),
            (rows{{"std::vector<int>{1, 2}", "point{1, \"b\"}"}}));
}

TEST(SeedsFromTests, LeaveOutWhatIsNotKnownAndWhatNobodyReads) {
  EXPECT_TRUE(inputs_of({field("int", {0})}, {call(0, {nullptr})}).empty());
  EXPECT_TRUE(inputs_of({field("int", {0})}, {call(0, {number_json(std::int64_t{1} << 40)})}).empty());
  EXPECT_TRUE(inputs_of({field("text", {0})}, {call(0, {text(std::string(201, 'x'))})}).empty());
  EXPECT_TRUE(inputs_of({field("point", {0})}, {call(0, {json{{"list", json::array({number_json(1)})}}})}).empty());
}

TEST(SeedsFromTests, AreOfCallsOfThatFunctionAlone) {
  EXPECT_EQ(inputs_of({field("int", {0})}, {call(3, {number_json(1)}), call(0, {number_json(2)})}), (rows{{"2"}}));
}

TEST(SeedsFromTests, AreOfTheConstructorThatMadeTheObject) {
  const json object = {{"call", 0}};
  EXPECT_EQ(inputs_of({field("int", {0, 0, 1}), field("text", {1})},
                      {call(1, {number_json(5)}), call(3, {object}), call(0, {object, text("a")})}),
            (rows{{"5", "\"a\""}}));
  // Changed, or made by a constructor with other parameters.
  EXPECT_TRUE(
      inputs_of({field("int", {0, 0, 1})}, {call(1, {number_json(5)}), call(2, {object}), call(0, {object})}).empty());
  EXPECT_TRUE(
      inputs_of({field("int", {0, 0, 1})}, {call(1, {number_json(5), number_json(6)}), call(0, {object})}).empty());
  // Made by a function with as many.
  EXPECT_TRUE(inputs_of({field("int", {0, 0, 1})}, {call(3, {number_json(5)}), call(0, {object})}).empty());
}

TEST(SeedsFromTests, AreEachThereOnceAndEvenlyOfAll) {
  std::vector<json> calls;
  for (int i = 0; i < 6; ++i) calls.insert(calls.end(), 2, call(0, {number_json(i)}));
  EXPECT_EQ(inputs_of({field("int", {0})}, calls, 3), (rows{{"0"}, {"2"}, {"4"}}));
}

}  // namespace
}  // namespace morph::authoring
