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
  return rewrite(source, {std::move(places), {}}, dropped, 10).text;
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
      "int f() { if(MORPH_ON(10)){if(MORPH_V(1)){return 0;}if(MORPH_V(2)){return 1;}} return 3; }");
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

TEST(Schemata, LinesAreCalledAsTheyStand) {
  EXPECT_EQ(
      rewritten("#line 9 \"a.y\"\r\nx = a + b;\n# 3 \"b.y\" 2\n#if 1\n", {expression(19, 24, {{"aor", "a - b"}})}),
      "             \r\nx = (MORPH_ON(10)?(a - b):(a + b));\n           \n#if 1\n");
  const std::string raw = "auto t = R\"(\n#line 3\n)\";\n";
  EXPECT_EQ(rewritten(raw, {}), raw);
}

TEST(Schemata, WhatIsDroppedIsLeftOutAndNumbersStay) {
  const place both = expression(0, 5, {{"aor", "a - b"}, {"aor", "a * b"}});
  EXPECT_EQ(rewritten("a + b;", {both}, {{0, 0}}), "(MORPH_ON(10)?(a * b):(a + b));");
  EXPECT_EQ(rewritten("a + b;", {both}, {{0, 0}, {0, 1}}), "a + b;");
  const place three = expression(0, 5, {{"aor", "a - b"}, {"aor", "a * b"}, {"aor", "a / b"}});
  EXPECT_EQ(rewritten("a + b;", {three}, {{0, 0}}), "(MORPH_ON(10)?MORPH_V(2)?(a * b):(a / b):(a + b));");
}

mutated_file doubled(std::string source) {
  const auto body = static_cast<std::uint32_t>(source.find('{'));
  const auto place = static_cast<std::uint32_t>(source.find("a + b"));
  const auto size = static_cast<std::uint32_t>(source.size());
  return {"f.cpp",
          std::move(source),
          {{expression(place, place + 5, {{"aor", "a - b"}})}, {{0, size, 1, 3, "f()", "", body}}},
          {},
          10};
}

TEST(Schemata, AFunctionStandsTwiceInItself) {
  const mutated_file file = doubled("int f(int a)\n{\n  return a + b;\n}");
  EXPECT_EQ(file.rewritten().text,
            "int f(int a)\n{if(!MORPH_IN(11)){\n  return a + b;\n}\n#line 2\nelse {\n"
            "  return (MORPH_ON(10)?(a - b):(a + b));\n}}");
  EXPECT_EQ(file.node_of(0), 10U);
  EXPECT_EQ(file.switch_of(0), 11U);
}

TEST(Schemata, AFunctionWithoutMutantsInItsBodyStandsOnce) {
  mutated_file file = doubled("f(int a = a + b) { return a; }");
  EXPECT_EQ(file.rewritten().text, "f(int a = (MORPH_ON(10)?(a - b):(a + b))) { return a; }");
  EXPECT_EQ(file.switch_of(0), 10U);
  file = doubled("int f() { return a + b; }");
  file.places.functions[0].body = 0;
  EXPECT_EQ(file.rewritten().text, "int f() { return (MORPH_ON(10)?(a - b):(a + b)); }");
  EXPECT_EQ(file.switch_of(0), 10U);
}

TEST(Schemata, AFunctionOfWhichAllMutantsAreDroppedStaysAsItIs) {
  mutated_file file = doubled("int f(int a)\n{\n  return a + b;\n}");
  file.dropped = {{0, 0}};
  EXPECT_EQ(file.rewritten().text, file.source);
  EXPECT_EQ(file.switch_of(0), 10U);
}

TEST(Schemata, BytesOfTheOriginalAreFoundAgain) {
  mutated_file file = doubled("int f(int a)\n{\n  return a + b;\n}");
  const rewritten_source text = file.rewritten();
  for (const char* const word : {"int f", "return a"}) {
    const auto at = static_cast<std::uint32_t>(text.text.rfind(word));
    EXPECT_EQ(original_of(text, at), file.source.rfind(word)) << word;
  }
  EXPECT_EQ(original_of(text, static_cast<std::uint32_t>(text.text.find("MORPH_ON"))), file.source.find("a + b"));
}

TEST(Statements, EndWhereTokensSaySo) {
  const std::string source = "f(';', \"; } {\"); /* ; */ g([](int a) { return a; }, 1'000);\nfor (;;) { h(); }";
  const auto around = [&](const char* word) {
    const auto [begin, end] = statement_around(source, static_cast<std::uint32_t>(source.find(word)));
    return source.substr(begin, end - begin);
  };
  EXPECT_EQ(around("f("), "f(';', \"; } {\");");
  EXPECT_EQ(around("return a"), " /* ; */ g([](int a) { return a; }, 1'000);");
  EXPECT_EQ(around("for"), "\nfor (;;) {");
  EXPECT_EQ(around("h()"), " h();");
}

TEST(Statements, HaveCallsWithArguments) {
  const std::string source = "return n + a::f (g(1), ')') + h;";
  const auto arguments = [&](const char* word) {
    const auto [begin, end] = arguments_at(source, static_cast<std::uint32_t>(source.find(word)));
    return source.substr(begin, end - begin);
  };
  EXPECT_EQ(arguments("a::f"), "(g(1), ')'");
  EXPECT_EQ(arguments("(g"), "(g(1), ')'");
  EXPECT_EQ(arguments("g("), "(1");
  EXPECT_EQ(arguments("h;"), "");
  EXPECT_EQ(arguments(") + h"), "(g(1), ')'");
}

TEST(Schemata, WhatNamesSomethingUndefinedGoesAlone) {
  mutated_file file{"f.cpp", "m.min() + max", {}};
  file.places.places = {expression(0, 7, {{"swm", "m.max()"}, {"crr", "m.maximum()"}}),
                        expression(10, 13, {{"uoi", "-max"}})};
  EXPECT_EQ(drop_naming(file, "max"), std::vector<std::uint32_t>{0});
  EXPECT_EQ(file.dropped, (std::vector<alternative_id>{{0, 0}}));
  EXPECT_TRUE(drop_naming(file, "").empty());
}

TEST(Statements, AreOfTheFunctionAroundThem) {
  mutated_file file{"f.cpp", "#if X\nint g(\n#else\nint g(\n#endif\nint);\nint f() {\n  a = 1;\n  b = 2;\n}\n", {}};
  const auto begin = static_cast<std::uint32_t>(file.source.find("int f"));
  file.places.functions = {{begin, static_cast<std::uint32_t>(file.source.size() - 1), 7, 10, "f()", ""}};
  for (const char* const digit : {"1", "2"}) {
    const auto at = static_cast<std::uint32_t>(file.source.rfind(digit));
    file.places.places.push_back(expression(at, at + 1, {{"crp", "0"}}));
  }
  EXPECT_EQ(drop_between(file, statement_at(file, static_cast<std::uint32_t>(file.source.find("b =")))), 1U);
  EXPECT_EQ(file.dropped, (std::vector<alternative_id>{{1, 0}}));
  EXPECT_EQ(drop_between(file, statements_at_line(file, 8)), 1U);
  EXPECT_EQ(file.mutants(), 0U);
}

TEST(Schemata, OfAFunctionThatALinkerNamesAllGo) {
  for (const char* const said :
       {"int shop::price(int) [with T = int]", "shop::price(int)", "(anonymous namespace)::shop::price<int>(int)"}) {
    mutated_file file{"f.cpp", "12", {}};
    file.places.places = {expression(0, 1, {{"crp", "0"}}), expression(1, 2, {{"crp", "0"}})};
    file.places.functions = {{0, 1, 1, 1, "shop::price(int)", ""}, {1, 2, 1, 1, "price(int)", ""}};
    EXPECT_EQ(drop_functions(file, std::string_view(said)), 1U) << said;
    EXPECT_EQ(file.dropped, (std::vector<alternative_id>{{0, 0}})) << said;
    EXPECT_EQ(drop_all(file), 1U);
  }
}

TEST(Schemata, OfFunctionsInFunctionsTheOuterOneStandsTwice) {
  mutated_file file = doubled("f() { struct s { int g() { return a + b; } }; }");
  file.places.functions.push_back({17, 43, 1, 1, "g()", "", 25});
  const std::string text = file.rewritten().text;
  EXPECT_NE(text.find("{if(!MORPH_IN(11)){ struct s { int g() { return a + b; } }; }"), std::string::npos) << text;
  EXPECT_EQ(text.find("MORPH_IN(12)"), std::string::npos) << text;
  EXPECT_EQ(file.switch_of(0), 11U);
  file.places.functions[0].body = 0;
  EXPECT_NE(file.rewritten().text.find("f() { struct s { int g() {if(!MORPH_IN(12)){ return a + b; }"),
            std::string::npos)
      << file.rewritten().text;
  EXPECT_EQ(file.switch_of(0), 12U);
}

TEST(Schemata, CompilersCountLinesAsInTheOriginal) {
  mutated_file file = doubled("\nint f() {\n  return a + b;\n}");
  file.source += "\nint g;\n";
  const rewritten_source text = file.rewritten();
  const auto at = [&](std::uint32_t line, std::uint32_t column) {
    const auto offset = offset_of(text, line, column);
    return offset ? text.text.substr(*offset) : "nothing";
  };
  EXPECT_TRUE(at(3, 3).starts_with("return (MORPH_ON")) << "the rewritten one: " << at(3, 3);
  EXPECT_TRUE(at(2, 6).starts_with("{\n  return (MORPH_ON")) << at(2, 6);
  EXPECT_EQ(at(5, 1), "int g;\n");
  EXPECT_EQ(at(1, 1).substr(0, 6), "\nint f");
  EXPECT_EQ(at(7, 1), "nothing");
  EXPECT_EQ(at(5, 100), "nothing");
}

TEST(Nodes, OfFunctionsFollowThoseOfPlaces) {
  std::vector<mutated_file> files{doubled("int f() { return a + b; }"), doubled("int g() { return a + b; }")};
  std::map<std::string, node_block> blocks;
  files[1].path = "g.cpp";
  EXPECT_EQ(assign_nodes(files, blocks), 4U);
  EXPECT_EQ(files[1].switch_of(0), 3U);
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

TEST(Schemata, TheCallThatInstantiatesIsAtFaultBeforeOriginalText) {
  mutated_file callee{"c.hpp", "x = 1;", {{{0, 6, place_kind::statement, {}, {{"sdl", ""}}}}, {}}};
  mutated_file caller{"f.hpp", "f(a, b);", {{expression(0, 7, {{"swa", "f(b, a)"}, {"arg", "a"}})}, {}}};
  const rewritten_source called = callee.rewritten(), calling = caller.rewritten();
  const auto in_callee = static_cast<std::uint32_t>(called.text.find("x = 1"));
  const auto in_alternative = static_cast<std::uint32_t>(calling.text.find("f(b, a)"));
  const std::vector<rewritten_byte> at{{&callee, &called, in_callee}, {&caller, &calling, in_alternative}};
  EXPECT_TRUE(drop_cause(at));
  EXPECT_EQ(caller.dropped, (std::vector<alternative_id>{{0, 0}}));
  EXPECT_TRUE(callee.dropped.empty());
  EXPECT_FALSE(drop_cause(at)) << "another unit says the same";
  EXPECT_TRUE(callee.dropped.empty());

  // Nothing but original text is there.
  const std::vector<rewritten_byte> originals{
      {&callee, &called, in_callee}, {&caller, &calling, static_cast<std::uint32_t>(calling.text.find("f(a, b)"))}};
  EXPECT_TRUE(drop_cause(originals));
  EXPECT_EQ(callee.dropped, (std::vector<alternative_id>{{0, 0}}));
  EXPECT_FALSE(drop_cause({}));
}

TEST(Schemata, OfAFunctionThatCrashesTheCompilerAllGo) {
  mutated_file file{
      "a.cpp",
      "int f() {\n  return 1;\n}\nint g() {\n  struct s { int h() {\n    return 2; } };\n  return 3;\n}\n",
      {}};
  for (const char digit : {'1', '2', '3'}) {
    const auto at = static_cast<std::uint32_t>(file.source.find(digit));
    file.places.places.push_back({at, at + 1, place_kind::expression, "", {{"crp", "0"}, {"crp", "9"}}});
  }
  const auto begins = [&](const char* name) { return static_cast<std::uint32_t>(file.source.find(name)); };
  const auto ends = [&](const char* with) { return static_cast<std::uint32_t>(file.source.find(with) + 1); };
  file.places.functions = {{begins("int f"), ends("}"), 1, 3, "f()", ""},
                           {begins("int g"), static_cast<std::uint32_t>(file.source.size() - 1), 4, 8, "g()", ""},
                           {begins("int h"), ends("} }"), 5, 6, "h()", ""}};
  EXPECT_EQ(drop_functions(file, 9), 0U);
  EXPECT_EQ(drop_functions(file, 6), 2U);
  EXPECT_EQ(file.dropped, (std::vector<alternative_id>{{1, 0}, {1, 1}}));
  EXPECT_EQ(drop_functions(file, 8), 2U) << "what is in h() is left out already";
  EXPECT_EQ(file.dropped, (std::vector<alternative_id>{{1, 0}, {1, 1}, {2, 0}, {2, 1}}));
  EXPECT_EQ(drop_functions(file, 8), 0U);
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

TEST(Places, ThatRunInAnotherUnitAreNotOfCompileTimeAlone) {
  file_places file{{expression(0, 5, {{"ror", "a <= b"}})}, {}};
  file.compile_time = {expression(0, 5, {{"ror", "a <= b"}, {"ror", "a != b"}}), expression(0, 5, {{"ror", "a != b"}}),
                       expression(9, 10, {{"crp", "0"}})};
  put_in_order(file);
  EXPECT_EQ(file.compile_time.size(), 2U);
  EXPECT_EQ(mutants_at_compile_time(file), 2U);
  file.places.clear();
  EXPECT_EQ(mutants_at_compile_time(file), 3U);
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
      {{0, 9, 1, 2, "a::f(int)", "getter", 5, true}},
      {expression(7, 8, {{"aor", "a - b"}})}};
  const auto back = from_json(to_json(file));
  ASSERT_TRUE(back) << back.error();
  EXPECT_EQ(*back, file);
  auto broken = to_json(file);
  broken["places"][0][2] = 7;
  EXPECT_FALSE(from_json(broken));
  broken = to_json(file);
  broken["compile_time"][0][2] = 7;
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
