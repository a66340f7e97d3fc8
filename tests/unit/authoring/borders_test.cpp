// Inputs near constants, by the types of their fields.
#include "plugin/authoring/borders.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace morph::authoring {
namespace {

using nlohmann::json;
using source_reader::constant;
using inputs = std::vector<std::vector<std::string>>;

const described_types types(json{{"int", {{"kind", "integer"}, {"signed", true}, {"bits", 32}}},
                                 {"byte", {{"kind", "integer"}, {"signed", false}, {"bits", 8}}},
                                 {"long", {{"kind", "integer"}, {"signed", true}, {"bits", 64}}},
                                 {"double", {{"kind", "floating"}}},
                                 {"char", {{"kind", "character"}}},
                                 {"string", {{"kind", "string"}}},
                                 {"handle", {{"kind", "other"}}}});

inputs near(const std::vector<const char*>& fields, const std::vector<constant>& constants, std::size_t most = 99) {
  json uses = json::array();
  for (const char* const each : fields) uses.push_back({{"type", each}, {"spelled", each}, {"passed", "value"}});
  return borders_of(types, uses, constants, most);
}

constant number(std::int64_t of) {
  return {constant::kind::number, of, {}};
}

TEST(Borders, AreAConstantAndItsNeighbours) {
  EXPECT_EQ(near({"int"}, {number(10)}), (inputs{{"10"}, {"9"}, {"11"}}));
  EXPECT_EQ(near({"double"}, {number(10)}), (inputs{{"10.0"}}));
}

TEST(Borders, StayWithinTheType) {
  EXPECT_EQ(near({"byte"}, {number(0)}), (inputs{{"0"}, {"1"}}));
  EXPECT_EQ(near({"byte"}, {number(255)}), (inputs{{"255"}, {"254"}}));
  EXPECT_TRUE(near({"byte"}, {number(256)}).empty());
  EXPECT_EQ(near({"int"}, {number(2147483647)}), (inputs{{"2147483647"}, {"2147483646"}}));
  EXPECT_TRUE(near({"long"}, {number(9223372036854775807)}).empty()) << "no literal of C++ has its neighbour";
}

TEST(Borders, AreTextsAndCharactersWhereTheseFit) {
  const std::vector<constant> all{{constant::kind::character, 'x', {}}, {constant::kind::text, 0, "abc"}, number(3)};
  EXPECT_EQ(near({"string"}, all), (inputs{{"\"x\""}, {"\"abc\""}}));
  EXPECT_EQ(near({"char"}, all), (inputs{{"'x'"}}));
}

TEST(Borders, AreLiteralsWhateverTheyContain) {
  EXPECT_EQ(near({"string"}, {{constant::kind::character, '"', {}}, {constant::kind::text, 0, "it's"}}),
            (inputs{{R"("\"")"}, {R"("it's")"}}));
  EXPECT_EQ(near({"char"}, {{constant::kind::character, '"', {}}}), (inputs{{"'\"'"}}));
}

TEST(Borders, ChangeOneFieldAtATime) {
  EXPECT_EQ(near({"int", "char"}, {number(7), {constant::kind::character, 'x', {}}}),
            (inputs{{"7", "'a'"}, {"6", "'a'"}, {"8", "'a'"}, {"1", "'x'"}}));
}

TEST(Borders, AreDifferentAndNoMoreThanAskedFor) {
  EXPECT_EQ(near({"int"}, {number(1), number(2)}), (inputs{{"1"}, {"0"}, {"2"}, {"3"}}));
  EXPECT_EQ(near({"int"}, {number(1), number(2)}, 2).size(), 2U);
}

TEST(Borders, NeedAValueOfEachField) {
  EXPECT_TRUE(near({"int", "handle"}, {number(1)}).empty());
}

}  // namespace
}  // namespace morph::authoring
