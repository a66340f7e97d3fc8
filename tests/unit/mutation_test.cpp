// Places of program mutants put together, rewritten sources, numbers of nodes.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "coverage/mutation/merge.hpp"
#include "coverage/mutation/operator_table.hpp"
#include "coverage/mutation/overlay.hpp"
#include "coverage/mutation/places_json.hpp"

namespace morph::mutation {
namespace {

place expression(std::uint32_t begin, std::uint32_t end, std::vector<alternative> alternatives, std::string type = {}) {
  return {begin, end, place_kind::expression, std::move(type), std::move(alternatives)};
}

std::string rewritten(std::string_view source, std::vector<place> places, std::vector<alternative_id> dropped = {}) {
  return rewrite(source, places, dropped, 10).text;
}

TEST(Schemata, AnExpressionIsChosenWhenItsNodeIsOn) {
  EXPECT_EQ(rewritten("x = a + b;", {expression(4, 9, {{"aor", "a - b"}, {"aor", "a * b"}})}),
            "x = (MORPH_ON(10)?MORPH_V(1)?(a - b):(a * b):(a + b));");
}

TEST(Schemata, BothSidesAreConvertedToThePlacesType) {
  EXPECT_EQ(rewritten("if (p) f();", {expression(4, 5, {{"neg", "!(p)"}}, "bool")}),
            "if ((MORPH_ON(10)?static_cast<bool>(!(p)):static_cast<bool>(p))) f();");
}

TEST(Schemata, PureAlternativesAreComparedWithTheOriginal) {
  place p = expression(4, 9, {{"aor", "a - b", true}, {"aor", "a / b"}, {"aor", "a * b", true}});
  p.original = "a + b";
  EXPECT_EQ(
      rewritten("x = a + b;", {p}),
      "x = (MORPH_SEE(10,5u,((a + b)),((a - b)),((a * b)))?MORPH_V(1)?(a - b):MORPH_V(2)?(a / b):(a * b):(a + b));");
  EXPECT_TRUE(is_compared(p, 0));
  EXPECT_FALSE(is_compared(p, 1));
  EXPECT_EQ(rewritten("x = a + b;", {p}, {{0, 0}, {0, 2}}), "x = (MORPH_ON(10)?(a / b):(a + b));");
}

TEST(Schemata, AStatementIsDeletedWithItsSemicolon) {
  EXPECT_EQ(rewritten("a = 1; b = 2;", {{0, 6, place_kind::statement, {}, {{"sdl", ""}}}}),
            "{if(!MORPH_ON(10)){a = 1;}} b = 2;");
}

TEST(Schemata, ABodyReturnsFirst) {
  EXPECT_EQ(
      rewritten("int f() { return 3; }", {{8, 9, place_kind::body, {}, {{"xt", "return 0;"}, {"xt", "return 1;"}}}}),
      "int f() { if(MORPH_ON(10)){if(MORPH_V(1))return 0;if(MORPH_V(2))return 1;} return 3; }");
}

TEST(Schemata, PlacesWithinPlacesAreRewrittenInTheOriginalAlone) {
  EXPECT_EQ(rewritten("a + 1;", {expression(0, 5, {{"aor", "a - 1"}}), expression(4, 5, {{"crp", "0"}})}),
            "(MORPH_ON(10)?(a - 1):(a + (MORPH_ON(11)?(0):(1))));");
}

TEST(Schemata, LinesStayWhereTheyAre) {
  const std::string source = "x = a +\n    b;\ny = 1;\n";
  const std::string text =
      rewritten(source, {expression(4, 13, {{"aor", "a - b"}}), expression(19, 20, {{"crp", "0"}})});
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 3);
  EXPECT_NE(text.find("\ny = (MORPH_ON(11)?(0):(1));\n"), std::string::npos) << text;
}

TEST(Schemata, WhatIsDroppedIsLeftOutAndNumbersStay) {
  const place both = expression(0, 5, {{"aor", "a - b"}, {"aor", "a * b"}});
  EXPECT_EQ(rewritten("a + b;", {both}, {{0, 0}}), "(MORPH_ON(10)?(a * b):(a + b));");
  EXPECT_EQ(rewritten("a + b;", {both}, {{0, 0}, {0, 1}}), "a + b;");
  const place three = expression(0, 5, {{"aor", "a - b"}, {"aor", "a * b"}, {"aor", "a / b"}});
  EXPECT_EQ(rewritten("a + b;", {three}, {{0, 0}}), "(MORPH_ON(10)?MORPH_V(2)?(a * b):(a / b):(a + b));");
}

TEST(Schemata, AByteBelongsToTheInnermostAlternative) {
  mutated_file file{"f.cpp", "a + b;", {{expression(0, 5, {{"aor", "a - b"}, {"aor", "a * b"}})}, {}}};
  const rewritten_source text = file.rewritten();
  const auto at = static_cast<std::uint32_t>(text.text.find("a * b"));
  ASSERT_NE(innermost(text, at), nullptr);
  EXPECT_EQ(innermost(text, at)->alternative, 1U);
  EXPECT_TRUE(drop_at(file, text, at));
  EXPECT_EQ(file.dropped, (std::vector<alternative_id>{{0, 1}}));
  EXPECT_FALSE(drop_at(file, text, at)) << "it is left out already";
  EXPECT_TRUE(drop_at(file, text, static_cast<std::uint32_t>(text.text.find("a + b"))));
  EXPECT_EQ(file.dropped, (std::vector<alternative_id>{{0, 0}, {0, 1}}));
  EXPECT_FALSE(drop_at(file, text, static_cast<std::uint32_t>(text.text.size() - 1)));
}

TEST(Places, OfSeveralUnitsAreOne) {
  file_places file{{expression(4, 5, {{"crp", "0"}}), expression(0, 9, {{"aor", "a"}}),
                    expression(4, 5, {{"crp", "0"}, {"crp", "1"}})},
                   {{0, 20, 1, 3, "f()", "a reason"}, {0, 20, 1, 3, "f()", ""}}};
  put_in_order(file);
  ASSERT_EQ(file.places.size(), 2U);
  EXPECT_EQ(file.places[0].end, 9U);
  EXPECT_EQ(file.places[1].alternatives, (std::vector<alternative>{{"crp", "0"}, {"crp", "1"}}));
  ASSERT_EQ(file.functions.size(), 1U);
  EXPECT_EQ(file.functions[0].untouched, "");
}

TEST(Places, ArePureWhereAllUnitsSaySo) {
  file_places file{
      {expression(0, 5, {{"ror", "a <= b", true}, {"ror", "false", true}}), expression(0, 5, {{"ror", "a <= b"}})}, {}};
  file.places[0].original = "a < b";
  put_in_order(file);
  ASSERT_EQ(file.places.size(), 1U);
  EXPECT_FALSE(file.places[0].alternatives[0].pure);
  EXPECT_TRUE(file.places[0].alternatives[1].pure);
  EXPECT_EQ(file.places[0].original, "a < b");
}

TEST(Places, OfTheSameBytesBecomeOneIfTheirTypesAllowIt) {
  file_places file{{expression(0, 5, {{"ror", "a <= b"}}), expression(0, 5, {{"neg", "!(a < b)"}}, "bool"),
                    expression(0, 5, {{"ret", "0"}}, "int")},
                   {}};
  put_in_order(file);
  EXPECT_EQ(settle_places(file), 0U);
  ASSERT_EQ(file.places.size(), 2U);
  EXPECT_EQ(file.places[0].type, "bool");
  EXPECT_EQ(file.places[0].alternatives, (std::vector<alternative>{{"neg", "!(a < b)"}, {"ror", "a <= b"}}));
  EXPECT_EQ(file.places[1].type, "int");
}

TEST(Places, ThatCrossAnothersEndGo) {
  file_places file{{expression(0, 5, {{"a", "x"}}), expression(3, 8, {{"b", "y"}})}, {}};
  put_in_order(file);
  EXPECT_EQ(settle_places(file), 1U);
  ASSERT_EQ(file.places.size(), 1U);
  EXPECT_EQ(file.places[0].begin, 0U);
}

TEST(Places, AreReadBackAsTheyWereWritten) {
  const file_places file{
      {expression(1, 2, {{"crp", "\"\"", true}}, "T<int>"), {3, 4, place_kind::body, {}, {{"xt", "return;"}}}},
      {{0, 9, 1, 2, "a::f(int)", "getter"}}};
  const auto back = from_json(to_json(file));
  ASSERT_TRUE(back) << back.error();
  EXPECT_EQ(*back, file);
  auto broken = to_json(file);
  broken["places"][0][2] = 7;
  EXPECT_FALSE(from_json(broken));
  EXPECT_FALSE(from_json(nlohmann::json::object()));
}

mutated_file file_of(std::string path, std::uint32_t places) {
  mutated_file file{std::move(path), {}, {}};
  for (std::uint32_t i = 0; i < places; ++i) file.places.places.push_back(expression(i, i + 1, {{"crp", "0"}}));
  return file;
}

TEST(Nodes, StayWithTheirFileWhileItFits) {
  std::map<std::string, node_block> blocks;
  std::vector<mutated_file> files{file_of("a", 3), file_of("b", 2), file_of("c", 4)};
  EXPECT_EQ(assign_nodes(files, blocks), 9U);
  EXPECT_EQ(files[0].first_node, 0U);
  EXPECT_EQ(files[1].first_node, 3U);
  EXPECT_EQ(files[2].first_node, 5U);

  files = {file_of("a", 5), file_of("b", 1), file_of("c", 4)};
  EXPECT_EQ(assign_nodes(files, blocks), 14U);
  EXPECT_EQ(files[0].first_node, 9U);
  EXPECT_EQ(files[1].first_node, 3U);
  EXPECT_EQ(files[2].first_node, 5U);

  files = {file_of("c", 4), file_of("d", 3)};  // into the room that a and b have left
  EXPECT_EQ(assign_nodes(files, blocks), 9U);
  EXPECT_EQ(files[0].first_node, 5U);
  EXPECT_EQ(files[1].first_node, 0U);
}

TEST(Operators, HaveNamesSummariesAndExamples) {
  EXPECT_GE(operator_facts().size(), 18U);
  for (const operator_fact& each : operator_facts()) {
    EXPECT_EQ(find_operator_fact(each.name), &each);
    EXPECT_FALSE(each.summary.empty());
    EXPECT_NE(each.example.find("->"), std::string_view::npos) << each.name;
  }
  EXPECT_EQ(find_operator_fact("none"), nullptr);
}

}  // namespace
}  // namespace morph::mutation
