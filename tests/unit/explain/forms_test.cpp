// Explanations as text, Markdown, JSON and SARIF.
#include "plugin/explain/forms.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "handmade.hpp"
#include "plugin/explain/choice.hpp"

namespace morph::explain {
namespace {

using nlohmann::json;

explanation weak_oracle() {
  const auto result = survivors();
  explanation made{.change = change_of(result, {0, 0}), .seen = {.id = "src/price.cpp:2:7:ror.1"}};
  made.seen.means = observation::symptom::weak_oracle;
  made.seen.tests = {{"Price.OfMany", 1, 1}, {"Price.OfFew", 2, 3}, {"Price.A", 1, 4}, {"Price.B", 1, 5}};
  auto differs = at_test("price(9)", "int", "", "11", "1");
  differs.instruction = {"tests/shop_test.cpp", 14, 3};
  differs.call_path = {"Price.OfMany", "price(int)"};
  made.seen.differences = {differs, differs};
  made.seen.left_out = 3;
  made.seen.not_read = {"lock_: a mutex"};
  made.instruction = "const int k = price(9);";
  made.advice = {
      .how = remedy::assert_value,
      .lines = {"Assert in Price.OfMany: EXPECT_EQ(k, 11);", "The value was observed; it is not known to be right."},
      .assertions = {{"Shop.Buys", {"tests/shop_test.cpp", 14, 3}, "EXPECT_EQ(k, 11);", "11"}}};
  return made;
}

TEST(ExplainForms, TextHasTheThreeThingsThatDevelopersAskFor) {
  const std::string text = as_text({.explanations = {weak_oracle()}}, false);
  EXPECT_EQ(
      text,
      "src/price.cpp:2:7:ror.1 in price(int): no test notices it\n"
      "  - if (all > 9) return 1;\n"
      "  + if (all >= 9) return 1;\n"
      "  symptom     weak-oracle: a test sees another state, and no assertion checks it\n"
      "  run by      Price.OfMany (1 call, depth 1), Price.OfFew (2 calls, depth 3), Price.A (1 call, depth 4) and 1 "
      "more\n"
      "  difference  price(9), at tests/shop_test.cpp:14: 11 -> 1 (and 4 more)\n"
      "  led to by   tests/shop_test.cpp:14: const int k = price(9);\n"
      "  call path   Price.OfMany > price(int)\n"
      "  not read    lock_: a mutex\n"
      "  suggestion  Assert in Price.OfMany: EXPECT_EQ(k, 11);\n"
      "              The value was observed; it is not known to be right.\n"
      "\n"
      "1 survivor explained\n");
}

TEST(ExplainForms, TheWayToAChangeIsThatOfACallInTheSameTest) {
  explanation one = weak_oracle();
  one.seen.differences.front().call_path = {"Shop_Buys_Test::TestBody()"};
  EXPECT_NE(as_text({.explanations = {one}}, false).find("  call path   Shop.Buys\n"), std::string::npos);
  observation::difference other = one.seen.differences.front(), call = other;
  other.where = call.where = observation::level::call;
  other.test = "Shop.Sells";
  other.call_path = {"Shop.Sells", "price(int)"};
  call.call_path = {"Shop.Buys", "rate(int)", "price(int)"};
  call.instruction.line = 12;
  one.seen.differences.push_back(other);
  EXPECT_NE(as_text({.explanations = {one}}, false).find("Shop.Sells > price(int)"), std::string::npos);
  one.seen.differences.push_back(call);
  const std::string text = as_text({.explanations = {one}}, false);
  EXPECT_NE(text.find("  call path   Shop.Buys > rate(int) > price(int)\n"), std::string::npos) << text;
  EXPECT_NE(text.find("  led to by   tests/shop_test.cpp:12: "), std::string::npos) << text;
}

TEST(ExplainForms, NoExplanationHasMoreThanTwelveLines) {
  explanation long_one = weak_oracle();
  for (int i = 0; i < 9; ++i) long_one.advice.lines.push_back("more\nlines\x1b[31m");
  long_one.seen.differences.front().expression = "f(\n  1)";
  for (int i = 0; i < 30; ++i) long_one.seen.differences.front().call_path.push_back("deep(int)");
  const auto lines = lines_of(long_one, false);
  EXPECT_EQ(lines.size(), most_lines);
  for (const std::string& each : lines) {
    EXPECT_EQ(each.find_first_of("\n\x1b"), std::string::npos) << each;
    EXPECT_LT(each.size(), 250U) << each;
  }
  EXPECT_NE(lines_of(long_one, true).front().find("\x1b["), std::string::npos);
}

TEST(ExplainForms, TextSaysWhatIsLeftOutAndWhatCouldNotBeDone) {
  EXPECT_EQ(as_text({.explanations = {}, .left_out = 0, .notes = {"2 survivors could not be observed"}}, false),
            "note: 2 survivors could not be observed\nnothing to explain: no survivor is meant\n");
  const std::string text = as_text({.explanations = {weak_oracle()}, .left_out = 7}, false);
  EXPECT_NE(text.find("1 survivor explained; 7 more: name a function or a file, or raise --most\n"), std::string::npos);
}

TEST(ExplainForms, JsonHasAllOfIt) {
  const json all = json::parse(as_json({.explanations = {weak_oracle()}, .left_out = 2, .at = 5}));
  EXPECT_EQ(all.at("schema"), "morph.explain/1");
  EXPECT_EQ(all.at("left_out"), 2);
  const json& one = all.at("mutants").at(0);
  EXPECT_EQ(one.at("id"), "src/price.cpp:2:7:ror.1");
  EXPECT_EQ(one.at("symptom"), "weak-oracle");
  EXPECT_EQ(one.at("change").at("function"), "price(int)");
  EXPECT_EQ(one.at("suggestion").at("remedy"), "assert-value");
  EXPECT_EQ(one.at("suggestion").at("assertions").at(0).at("assertion"), "EXPECT_EQ(k, 11);");
  EXPECT_EQ(one.at("differences").size(), 2U);
  EXPECT_EQ(one.at("text").size(), 11U);
}

TEST(ExplainForms, MarkdownIsAComment) {
  explanation one = weak_oracle();
  one.seen.differences.front().expression = "a`b";
  one.advice.lines = {"Test `f<int>` and *p_q*."};
  const std::string text = as_markdown({.explanations = {one}, .left_out = 1});
  EXPECT_NE(text.find("### 1 change that no test notices\n"), std::string::npos);
  EXPECT_NE(text.find("#### `src/price.cpp:2:7:ror.1` in `price(int)`\n\n```diff\n- if (all > 9) return 1;\n+ if (all "
                      ">= 9) return 1;\n```\n"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("- difference: `` a`b, at"), std::string::npos) << text;
  EXPECT_NE(text.find("- suggestion: Test `f<int>` and \\*p\\_q\\*.\n"), std::string::npos) << text;
  EXPECT_NE(text.find("- not read: lock\\_: a mutex\n"), std::string::npos) << text;
  EXPECT_NE(text.find("1 more are not explained here.\n"), std::string::npos);
}

TEST(ExplainForms, SarifHasFixesWhereThereAreSome) {
  const explanation one = weak_oracle();
  const source_fix fix{
      {one.change.id}, "tests/shop_test.cpp", {{15, 1, 15, 1, "  EXPECT_EQ(k, 11);\n"}, {16, 7, 16, 15, "k"}}};
  const json all = json::parse(as_sarif({.explanations = {one}}, {fix}, "sub/", "1.2.3"));
  const json& result = all.at("runs").at(0).at("results").at(0);
  EXPECT_EQ(result.at("ruleId"), "weak-oracle");
  EXPECT_NE(result.at("message").at("text").get<std::string>().find(" Not read: lock_: a mutex. "), std::string::npos);
  EXPECT_EQ(result.at("locations").at(0).at("physicalLocation").at("artifactLocation").at("uri"), "sub/src/price.cpp");
  EXPECT_EQ(result.at("locations").at(0).at("physicalLocation").at("region").at("startColumn"), 7);
  const json& change = result.at("fixes").at(0).at("artifactChanges").at(0);
  EXPECT_EQ(change.at("artifactLocation").at("uri"), "sub/tests/shop_test.cpp");
  EXPECT_EQ(change.at("replacements").at(0).at("insertedContent").at("text"), "  EXPECT_EQ(k, 11);\n");
  EXPECT_FALSE(json::parse(as_sarif({.explanations = {one}}, {}, "", "1"))
                   .at("runs")
                   .at(0)
                   .at("results")
                   .at(0)
                   .contains("fixes"));
}

}  // namespace
}  // namespace morph::explain
