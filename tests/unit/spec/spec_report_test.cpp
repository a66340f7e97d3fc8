// What is told of a run: the text of a violation, reports, JSON, and derivations that are read back.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "morph/spec.hpp"
#include "plugin/spec/report/report.hpp"

namespace {

using morph::case_index;
using morph::engine::derivation_text;
using morph::engine::options;
using morph::engine::read_derivation;
using morph::engine::report_style;
using morph::engine::session;
using number_spec = morph::spec<int, int>;

/// Squares, but for numbers above 20.
void declare_squares(number_spec& s) {
  s.execute([](int in) { return in > 20 ? 0 : in * in; });
  s.seeds("literal", {1, 30, {5, 26}});
  auto negate = s.datamorph("negate", [](int x) { return -x; });
  auto sum = s.datamorph("sum of two", [](int x, int y) { return x + y; });
  s.relation("even", negate, [](auto& m, auto& o) { return m.output == o.output; }).expect("the output of the source");
  s.relation(
      "never", sum, [](auto&, auto&, auto&) { return false; }, [](auto&, auto&, auto&) { return true; });
}

std::string lines(const std::vector<std::string>& all) {
  std::string made;
  for (const std::string& each : all) made += each + "\n";
  return made;
}
std::string place_of(const number_spec& s, std::size_t relation) {
  return std::string(__FILE__) + ":" + std::to_string(s.relations()[relation].line);
}

TEST(SpecReport, AViolation) {
  number_spec s("squares");
  declare_squares(s);
  session at_work(s, {});
  at_work.run();
  ASSERT_EQ(at_work.report().violations.size(), 2U);
  report_style style;
  style.program = "./my program";
  EXPECT_EQ(
      violation_text(at_work, at_work.report().violations[1], style),
      lines({"squares: \"even\" is violated by negate", "  declared at " + place_of(s, 0), "  source  21 -> 0",
             "  mutant  -21 -> 441   (by negate)   expected: the output of the source", "  shrunk from -30 in 2 steps",
             "  1 of 3 applicable checks fails",
             "  replay: './my program' --test squares.even --replay '{\"by\":\"negate\",\"from\":[{\"in\":21}]}'"}));
}

TEST(SpecReport, AViolatedLabel) {
  number_spec s("squares");
  declare_squares(s);
  session at_work(s, {});
  at_work.run();
  EXPECT_EQ(violation_text(at_work, at_work.report().violations[0], {}),
            lines({"squares: \"expected output\" is violated", "  source  5 -> 25   (seed \"literal\")   expected: 26",
                   "  1 of 1 applicable check fails"}));
}

TEST(SpecReport, ADisagreement) {
  number_spec s("squares");
  s.execute("one", [](int in) { return in * in; });
  s.execute("two", [](int in) { return in == 3 ? throw std::runtime_error("three") : in * in; });
  s.may_throw().executers_agree();
  s.seeds("literal", {3});
  options how;
  for (const bool shrink : {true, false}) {
    how.shrink = shrink;
    session at_work(s, how);
    at_work.run();
    EXPECT_EQ(violation_text(at_work, at_work.report().violations[0], {}),
              lines({"squares: \"executers agree\" is violated, executer two",
                     "  source  3 -> threw: three   (seed \"literal\")   but one gives 9",
                     "  1 of 1 applicable check fails"}));
  }
}

TEST(SpecReport, ADisagreementOnAMutantThatWasShrunk) {
  number_spec s("squares");
  s.execute("one", [](int in) { return in; });
  s.execute("two", [](int in) { return in > 20 ? 0 : in; });
  s.executers_agree();
  s.seeds("literal", {15});
  s.valid([](int x) { return x <= 15; });
  s.datamorph("tens", [](int x) { return 10 * x; });
  session at_work(s, {});
  at_work.run();
  EXPECT_EQ(violation_text(at_work, at_work.report().violations[0], {}),
            lines({"squares: \"executers agree\" is violated by tens, executer two", "  source  3 -> 3",
                   "  mutant  30 -> 0   (by tens)   but one gives 30", "  shrunk from 150 in 3 steps",
                   "  1 of 2 applicable checks fails"}));
}

TEST(SpecReport, ADeepDerivation) {
  number_spec s("squares");
  s.execute([](int in) { return in; });
  s.seeds("literal", {3});
  s.datamorph("next", [](int x) { return x + 1; });
  auto odd = s.datamorph("odd", [](int x) { return x % 2 != 0 ? std::optional<int>(x * 10) : std::nullopt; });
  s.relation("of even ones", odd, [](auto&, auto& o) { return o.order() < 2; });
  options how;
  how.order = 3;
  session at_work(s, how);
  at_work.run();
  ASSERT_EQ(at_work.report().violations.size(), 1U);
  EXPECT_EQ(
      violation_text(at_work, at_work.report().violations[0], {}),
      lines({"squares: \"of even ones\" is violated by odd", "  declared at " + place_of(s, 0),
             "  source  3 -> 3   (seed \"literal\")", "  between 4 -> 4   (by next)", "  between 5 -> 5   (by next)",
             "  mutant  50 -> 50   (by odd)", "  2 of 3 applicable checks fail"}));
}

TEST(SpecReport, AnUnsteadyViolation) {
  number_spec s("squares");
  int runs = 0;
  s.execute([&runs](int in) { return runs++ == 0 ? -1 : in; });
  s.seeds("literal", {7});
  s.relation("same", morph::seeds, [](auto& c) { return c.output == c.input; });
  session at_work(s, {});
  at_work.run();
  const std::string text = violation_text(at_work, at_work.report().violations[0], {});
  EXPECT_EQ(
      text.substr(0, text.find('\n')),
      "squares: \"same\" is violated (not when it was run again: the program or the spec depends on more than the "
      "input)");
}

TEST(SpecReport, ARelationThatThrew) {
  number_spec s("squares");
  s.execute([](int in) { return in; });
  s.seeds("literal", {0});
  s.relation("fragile", morph::seeds, [](auto&) -> bool { throw std::runtime_error("no such key"); });
  session at_work(s, {});
  at_work.run();
  EXPECT_NE(violation_text(at_work, at_work.report().violations[0], {}).find("  the relation threw: no such key\n"),
            std::string::npos);
}

TEST(SpecReport, LongValuesAreShortened) {
  morph::spec<std::string, int> s("long");
  s.execute([](const std::string&) { return 0; });
  s.seeds("literal", std::vector<std::string>{std::string(100'000, 'x')});
  s.relation("never", morph::seeds, [](auto&) { return false; });
  options how;
  how.shrink = false;
  session at_work(s, how);
  at_work.run();
  const std::string text = violation_text(at_work, at_work.report().violations[0], {});
  EXPECT_LT(text.size(), 3'000U);
  EXPECT_NE(text.find("xx... (100002 bytes) -> 0"), text.npos);
}

// ---- the whole

/// Without the time that it took.
std::string without_duration(std::string text) {
  const std::size_t begin = text.find(", seed 1, ");
  if (begin == text.npos) return text;
  const std::size_t end = text.find('\n', begin);
  return text.replace(begin + 10, end - begin - 10, "TIME");
}

TEST(SpecReport, OfARun) {
  number_spec s("squares");
  declare_squares(s);
  options how;
  how.shrink = false;
  session at_work(s, how);
  at_work.run();
  const std::string text = without_duration(report_text(at_work, how, {}));
  const std::string head = lines(
      {"squares: 3 seeds, 9 mutants (6 distinct new inputs), 9 runs; first order, seed 1, TIME",
       "  relation             checked       fail        n/a", "  even                       3          1          0",
       "  never                      0          0          6 100.0 %",
       "  expected output            1          1          0", "  every run ends            12          0          0",
       "warning: squares: \"never\" never applied to any of 6 cases: its guard or itself says "
       "that it is not applicable, or runs gave no output"});
  EXPECT_EQ(text.substr(0, head.size()), head);
}

TEST(SpecReport, WarningsAreToldQuietlyToo) {
  number_spec s("squares");
  declare_squares(s);
  s.relation("unused", s.datamorph("nothing", [](int) { return std::optional<int>(); }),
             [](auto&, auto&) { return true; });
  options how;
  how.shrink = false;
  how.most_cases = 4;
  session at_work(s, how);
  at_work.run();
  report_style quiet;
  quiet.quiet = true;
  const std::string text = report_text(at_work, how, quiet);
  EXPECT_EQ(text.find("seeds,"), text.npos);
  EXPECT_NE(text.find("warning: squares: \"unused\" never applied: no case was made for it\n"), text.npos) << text;
  EXPECT_NE(text.find("left out: squares: 11 seeds or applications of datamorphisms, by the limit of 4 cases\n"),
            text.npos)
      << text;
}

TEST(SpecReport, Colours) {
  number_spec s("squares");
  declare_squares(s);
  session at_work(s, {});
  at_work.run();
  report_style style;
  EXPECT_EQ(report_text(at_work, {}, style).find('\x1b'), std::string::npos);
  style.colours = true;
  EXPECT_NE(report_text(at_work, {}, style).find("\x1b[1msquares\x1b[0m"), std::string::npos);
}

TEST(SpecReport, AsJson) {
  number_spec s("squares \"quoted\"");
  declare_squares(s);
  options how;
  how.most_cases = 7;
  session at_work(s, how);
  at_work.run();
  const auto json = nlohmann::json::parse(report_json(at_work, how));
  EXPECT_EQ(json["spec"], "squares \"quoted\"");
  EXPECT_EQ(json["strategy"], "first order");
  EXPECT_EQ(json["seed"], 1);
  EXPECT_EQ(json["seeds"], 3);
  EXPECT_EQ(json["mutants"], 4);
  EXPECT_EQ(json["relations"][0]["name"], "even");
  EXPECT_EQ(json["relations"][0]["executer"], "executer");
  EXPECT_EQ(json["relations"][0]["pass"], 2);
  EXPECT_EQ(json["relations"][0]["fail"], 1);
  EXPECT_EQ(json["relations"][1]["not_applicable"], 1);
  EXPECT_EQ(json["relations"][0]["vacuity"], 0);
  EXPECT_EQ(json["relations"][1]["vacuity"], 1);
  EXPECT_EQ(json["types"][0]["name"], "literal");
  EXPECT_EQ(json["types"][0]["cases"], 3);
  ASSERT_EQ(json["violations"].size(), 2U);
  EXPECT_EQ(json["violations"][0]["relation"], "expected output");
  EXPECT_EQ(json["violations"][0]["derivation"], nlohmann::json::parse(R"({"in":5,"expected":26})"));
  EXPECT_EQ(json["violations"][1]["relation"], "even");
  EXPECT_EQ(json["violations"][1]["steady"], true);
  EXPECT_EQ(json["violations"][1]["shrunk_in"], 2);
  EXPECT_EQ(json["violations"][1]["derivation"], nlohmann::json::parse(R"({"by":"negate","from":[{"in":21}]})"));
  EXPECT_EQ(json["violations"][1]["case"].get<std::string>().size(), 16U);
  EXPECT_EQ(json["left_out"]["applications"], 5);
  EXPECT_EQ(json["left_out"]["by"], "the limit of 7 cases");
}

TEST(SpecReport, AsJsonOfHostileTexts) {
  morph::spec<std::string, std::string> s("s");
  s.execute("a\n", [](const std::string& in) { return in; });
  s.execute("b", [](const std::string&) { return std::string(); });
  s.seeds("new\nline", {{"\"\\\x01\xff", "x"}});
  s.relation("\"", morph::seeds, [](auto&) { return false; });
  options how;
  how.shrink = false;
  session at_work(s, how);
  at_work.run();
  const auto json = nlohmann::json::parse(report_json(at_work, how));
  EXPECT_EQ(json["relations"][0]["name"], "\"");
  EXPECT_EQ(json["disagreements"][0]["executers"][0], "a\n");
  EXPECT_EQ(json["disagreements"][0]["cases"], 1);
  EXPECT_EQ(json["violations"][0]["derivation"]["in"]["base64"], "IlwB/w==");
}

TEST(SpecReport, StrategiesByName) {
  options how;
  EXPECT_EQ(strategy_text(how), "first order");
  how.order = 3;
  EXPECT_EQ(strategy_text(how), "order 3");
  how.strategy = morph::strategy::seeds;
  EXPECT_EQ(strategy_text(how), "seeds alone");
  how.strategy = morph::strategy::combinatorial;
  EXPECT_EQ(strategy_text(how), "combinatorial complete");
  how.strategy = morph::strategy::minimal_combinatorial;
  EXPECT_EQ(strategy_text(how), "combinatorial complete, minimal");
}

TEST(SpecReport, WordsForAShell) {
  EXPECT_EQ(morph::engine::quoted("plain-1.0/x"), "plain-1.0/x");
  EXPECT_EQ(morph::engine::quoted("two words"), "'two words'");
  EXPECT_EQ(morph::engine::quoted("it's $HOME"), "'it'\\''s $HOME'");
  EXPECT_EQ(morph::engine::quoted(""), "''");
}

// ---- derivations

TEST(SpecReport, DerivationsAreReadBack) {
  number_spec s("squares");
  declare_squares(s);
  options how;
  how.order = 2;
  how.keep = true;
  how.shrink = false;
  session at_work(s, how);
  at_work.run();
  ASSERT_GT(at_work.cases().size(), 100U);
  for (case_index c = 0; c < at_work.cases().size(); ++c) {
    const std::string text = derivation_text(at_work, at_work.derivation_of(c));
    std::string error;
    const auto read = read_derivation(at_work, text, error);
    ASSERT_TRUE(read) << text << ": " << error;
    EXPECT_EQ(derivation_text(at_work, *read), text);
    EXPECT_EQ(at_work.rebuild(*read, 0), c) << text;
  }
}

TEST(SpecReport, DerivationsOfAnotherProcess) {
  number_spec s("squares"), t("squares");
  declare_squares(s);
  declare_squares(t);
  session first(s, {}), second(t, {});
  first.run();
  std::string error;
  const auto read = read_derivation(second, R"({ "from" : [ {"in": 30}, {"in": 5} ], "by": "sum of two" })", error);
  ASSERT_TRUE(read) << error;
  const case_index at = second.rebuild(*read, 0);
  EXPECT_EQ(second.spec().text_of_input(second.cases().input(at)), "35");
  EXPECT_EQ(second.spec().text_of_output(0, 0, second.cases().input(at)), "0");
}

std::string error_of(const std::string& text) {
  number_spec s("squares");
  declare_squares(s);
  session at_work(s, {});
  std::string error;
  EXPECT_FALSE(read_derivation(at_work, text, error)) << text;
  return error;
}

TEST(SpecReport, DerivationsThatAreNone) {
  EXPECT_EQ(error_of(""), "at 0: '{' is wanted, but the text ends");
  EXPECT_EQ(error_of("[5]"), "at 0: '{' is wanted, not '['");
  EXPECT_EQ(error_of(R"({"in":5)"), "at 7: '}' is wanted, but the text ends");
  EXPECT_EQ(error_of(R"({"in":5} x)"), "at 9: the value has ended, but more text comes");
  EXPECT_EQ(error_of(R"({"in":"five"})"), "the input \"five\": at 0: a number is wanted, not '\"'");
  EXPECT_EQ(error_of(R"({"in":5,"expected":[]})"), "the expected output []: at 0: a number is wanted, not '['");
  EXPECT_EQ(error_of(R"({"out":5})"), "'out' is not known; there are in, expected, by, from, which");
  EXPECT_EQ(error_of(R"({"by":"negate"})"), "a seed needs its input: {\"in\": ...}");
  EXPECT_EQ(error_of(R"({"by":"negated","from":[{"in":5}]})"), "the spec has no datamorphism 'negated'");
  EXPECT_EQ(error_of(R"({"from":[{"in":5}]})"), "'from' needs 'by': the name of a datamorphism");
  EXPECT_EQ(error_of(R"({"by":"negate","from":[{"in":5},{"in":6}]})"),
            "the datamorphism 'negate' takes 1 source, not 2");
  std::string deep = R"({"in":5})";
  for (int i = 0; i < 300; ++i) deep = R"({"by":"negate","from":[)" + deep + "]}";
  EXPECT_NE(error_of(deep).find("values are nested deeper than 200 levels"), std::string::npos);
}

TEST(SpecReport, ATree) {
  number_spec s("squares");
  declare_squares(s);
  session at_work(s, {});
  std::string error;
  const auto read =
      read_derivation(at_work, R"({"by":"sum of two","from":[{"by":"negate","from":[{"in":5}]},{"in":30}]})", error);
  ASSERT_TRUE(read) << error;
  std::string tree = draw_tree(at_work, *read, 0);
  for (std::size_t at = tree.find('['); at != tree.npos; at = tree.find('[', at + 1)) tree.replace(at + 1, 16, "ID");
  EXPECT_EQ(tree, lines({"sum of two  25 -> 0  [ID]", "|- negate  -5 -> 25  [ID]", "|  `- literal  5 -> 25  [ID]",
                         "`- literal  30 -> 0  [ID]"}));
}

}  // namespace
