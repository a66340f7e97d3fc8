// Goals and edits, from branches as `morph-source` writes them.
#include "plugin/generate/goals.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>

namespace morph::generate {
namespace {

using nlohmann::json;

/// A source and the sites in it, which tests name by their text.
class written_source {
 public:
  explicit written_source(std::string text, const std::string& name = "f(int)") : text_(std::move(text)) {
    const auto lines = static_cast<std::uint32_t>(std::ranges::count(text_, '\n'));
    function_ = {{"name", name},          {"class", ""},         {"line", 1},
                 {"end_line", lines + 1}, {"body", behind("{")}, {"constexpr", false},
                 {"sites", json::array()}};
  }

  std::uint32_t at(const std::string& part) const {
    const std::size_t found = text_.find(part);
    EXPECT_NE(found, std::string::npos) << part;
    return static_cast<std::uint32_t>(found);
  }
  std::uint32_t behind(const std::string& part) const { return at(part) + static_cast<std::uint32_t>(part.size()); }

  written_source& site(const std::string& kind, const std::string& text, json under = json::array()) {
    function_["sites"].push_back({{"kind", kind},
                                  {"line", 1 + std::count(text_.begin(), text_.begin() + at(text), '\n')},
                                  {"begin", at(text)},
                                  {"end", behind(text)},
                                  {"text", text},
                                  {"under", std::move(under)}});
    return *this;
  }
  json& last() { return function_["sites"].back(); }
  /// `left` and `right`: within the text.
  written_source& compare(const std::string& kind, const std::string& text, const std::string& left,
                          const std::string& op, const std::string& right, const json& under = json::array()) {
    site(kind, text, under);
    const std::uint32_t begin = at(text), end = behind(text);
    last()["op"] = op;
    last()["left"] = {begin, begin + left.size()};
    last()["right"] = {end - right.size(), end};
    return *this;
  }
  written_source& with(const char* member, json value) {
    function_[member] = std::move(value);
    return *this;
  }

  goal_set goals() const { return goals_of({{"a.cpp", {function_}}}); }
  std::string rewritten_text() const { return rewritten(text_, "a.cpp", goals()); }
  const std::string& text() const { return text_; }
  const json& function() const { return function_; }

 private:
  std::string text_;
  json function_;
};

/// Of a switch: values and texts.
json labels(const std::vector<std::pair<std::string, std::string>>& of) {
  json made = json::array();
  for (const auto& [value, text] : of) made.push_back(json::array({value, text}));
  return made;
}

std::string outcomes(const goal_set& of) {
  std::string made;
  for (const goal& each : of.goals)
    made += (made.empty() ? "" : ", ") + (each.condition.empty() ? "enter" : each.condition + " " + each.outcome);
  return made;
}

using numbers = std::vector<std::uint32_t>;

TEST(Goals, OfAFunctionAreItsEntryAndTheOutcomesOfItsConditions) {
  const goal_set made = written_source("int f(int a) { if (a > 1) return 1; return 2; }")
                            .compare("compare", "a > 1", "a", ">", "1")
                            .goals();
  EXPECT_EQ(outcomes(made), "enter, a > 1 false, a > 1 true");
  EXPECT_EQ(made.functions.at(0).goals, (numbers{0, 1, 2}));
  EXPECT_EQ(made.files(), std::set<std::string>{"a.cpp"});
}

TEST(Goals, OfASwitchAreItsLabelsAndThatNoneFits) {
  written_source of("int f(int a) { switch (a) { case 1: return 1; case two: return 2; } return 3; }");
  of.site("switch", "a)")
      .last()
      .update({{"end", of.at("a)") + 1}, {"cases", labels({{"1", "1"}, {"2", "two"}})}, {"default", false}});
  EXPECT_EQ(outcomes(of.goals()), "enter, a) case 1, a) case two, a) no case");
  of.last()["default"] = true;
  EXPECT_EQ(of.goals().goals.back().outcome, "default");
}

TEST(Goals, OfALoopAreThatItsBodyIsEntered) {
  written_source of("int f(int a) { for (int i : v) { g(i); } return 0; }");
  of.site("loop", "for (int i : v)").last()["body"] = of.behind("v) {");
  EXPECT_EQ(outcomes(of.goals()), "enter, for (int i : v) entered");
  EXPECT_EQ(of.rewritten_text(),
            "int f(int a) {::morph_goals::enter(0); for (int i : v) {::morph_goals::enter(1); g(i); } return 0; }");
}

TEST(Goals, OfADeclaredConditionAreThoseOfItsBlocks) {
  written_source of("int f(int a) { if (int b = g()) { return b; } else { return 2; } }");
  of.site("declared", "int b = g()").last().update({{"then", of.behind("g()) {")}, {"else", of.behind("else {")}});
  EXPECT_EQ(outcomes(of.goals()), "enter, int b = g() true, int b = g() false");
  EXPECT_EQ(of.rewritten_text(),
            "int f(int a) {::morph_goals::enter(0); if (int b = g()) {::morph_goals::enter(1); return b; } else "
            "{::morph_goals::enter(2); return 2; } }");
}

TEST(Goals, OfADeclaredConditionWithoutAnElseHaveOneOutcome) {
  written_source of("int f(int a) { if (int b = g()) { return b; } }");
  of.site("declared", "int b = g()").last().update({{"then", of.behind("g()) {")}, {"else", 0}});
  EXPECT_EQ(outcomes(of.goals()), "enter, int b = g() true");
}

TEST(Goals, OfUnseenConditionsAreCounted) {
  const goal_set made = written_source("int f(int a) { IF(a) return 1; }").site("unseen", "IF(a)").goals();
  EXPECT_EQ(made.unseen, 1U);
  EXPECT_EQ(outcomes(made), "enter");
}

TEST(Goals, OfSeveralFunctionsAreNumberedOnOn) {
  const written_source first("int f(int a) { return 1; }"), second("int g(int a) { return 1; }", "g(int)");
  const goal_set made = goals_of({{"b.cpp", {second.function()}}, {"a.cpp", {first.function()}}});
  EXPECT_EQ(made.functions.at(0).goals, numbers{0});
  EXPECT_EQ(made.functions.at(1).goals, numbers{1});
  EXPECT_EQ(made.goals.at(1).function, "g(int)");
  EXPECT_EQ(made.goals.at(1).file, "b.cpp");
}

TEST(Goals, OfConstantFunctionsHaveNoEntry) {
  written_source of("constexpr int f(int a) { return a > 1 ? 1 : 2; }");
  const goal_set made = of.compare("compare", "a > 1", "a", ">", "1").with("constexpr", true).goals();
  EXPECT_EQ(outcomes(made), "a > 1 false, a > 1 true");
  EXPECT_EQ(made.objectives.at(0).after, numbers{});
}

TEST(Goals, ComeAfterTheEntry) {
  const goal_set made = written_source("int f(int a) { return a ? 1 : 2; }").site("truth", "a ?").goals();
  EXPECT_EQ(made.objectives.at(0).after, numbers{});
  EXPECT_EQ(made.objectives.at(1).after, numbers{0});
  EXPECT_EQ(made.objectives.at(2).after, numbers{0});
}

TEST(Goals, ComeAfterTheBranchesAroundThem) {
  const goal_set made = written_source("int f(int a) { if (a) { if (b) g(); } }")
                            .site("truth", "a) {")
                            .site("truth", "b", {{0, 1}})
                            .goals();
  EXPECT_EQ(made.objectives.at(3).after, numbers{2});
  EXPECT_EQ(made.objectives.at(4).after, numbers{2});
}

TEST(Goals, ComeAfterTheBranchesAroundAnUnseenCondition) {
  const goal_set made = written_source("int f(int a) { if (a) { IF(b) { if (c) g(); } } }")
                            .site("truth", "a) {")
                            .site("unseen", "IF(b)", {{0, 1}})
                            .site("truth", "c", {{1, 1}})
                            .goals();
  EXPECT_EQ(outcomes(made), "enter, a) { false, a) { true, c false, c true");
  EXPECT_EQ(made.objectives.at(4).after, numbers{2});
}

TEST(Goals, OfALoopDoNotComeAfterThemselves) {
  const goal_set made = written_source("int f(int a) { while (a) g(); }").site("truth", "a) g", {{0, 1}}).goals();
  EXPECT_EQ(made.objectives.at(1).after, numbers{0});
}

TEST(Goals, ThatClangRulesOutAreNotPossible) {
  written_source of("int f(int a) { return a ? 1 : 2; }");
  of.site("truth", "a ?").last()["never"] = {0};
  const goal_set made = of.goals();
  EXPECT_FALSE(made.goals.at(1).is_possible);
  EXPECT_FALSE(made.objectives.at(1).is_possible);
  EXPECT_TRUE(made.objectives.at(2).is_possible);
}

TEST(RewrittenSources, ReportComparisonsByTheirOperands) {
  EXPECT_EQ(written_source("int f(int a) { return a >= 3 ? 1 : 2; }")
                .compare("compare", "a >= 3", "a", ">=", "3")
                .rewritten_text(),
            "int f(int a) {::morph_goals::enter(0); return ::morph_goals::greater_equal(1,(a),(3)) ? 1 : 2; }");
}

TEST(RewrittenSources, ReportComparisonsOfTexts) {
  EXPECT_EQ(written_source("int f(int a) { return s != \"x\"; }")
                .compare("text", "s != \"x\"", "s", "!=", "\"x\"")
                .rewritten_text(),
            "int f(int a) {::morph_goals::enter(0); return ::morph_goals::text_not_equal(1,(s),(\"x\")); }");
}

TEST(RewrittenSources, ReportSitesWithinSites) {
  written_source of("int f(int a) { return (a < 3 ? a : 4) == 4; }");
  of.compare("compare", "a < 3", "a", "<", "3")
      .compare("compare", "(a < 3 ? a : 4) == 4", "(a < 3 ? a : 4)", "==", "4");
  EXPECT_EQ(of.rewritten_text(),
            "int f(int a) {::morph_goals::enter(0); return ::morph_goals::equal(3,((::morph_goals::less(1,(a),(3)) ? a "
            ": 4)),(4)); }");
}

TEST(RewrittenSources, ReportSitesOfOnePlaceFromTheOuterOne) {
  written_source of("int f(int a) { return (a < 3) < 1; }");
  of.compare("compare", "(a < 3) < 1", "(a < 3)", "<", "1").compare("compare", "a < 3", "a", "<", "3");
  EXPECT_EQ(
      of.rewritten_text(),
      "int f(int a) {::morph_goals::enter(0); return ::morph_goals::less(1,((::morph_goals::less(3,(a),(3)))),(1)); }");
  written_source chain("int f(int a) { return a < 3 == 1; }");
  chain.compare("compare", "a < 3 == 1", "a < 3", "==", "1").compare("compare", "a < 3", "a", "<", "3");
  EXPECT_EQ(
      chain.rewritten_text(),
      "int f(int a) {::morph_goals::enter(0); return ::morph_goals::equal(1,(::morph_goals::less(3,(a),(3))),(1)); }");
}

TEST(RewrittenSources, ReportConditionsWithinASwitch) {
  written_source of("int f(int a) { switch (a && b) { case 0: return 1; } return 2; }");
  of.site("truth", "a").last().update({{"begin", of.at("a &&")}, {"end", of.at("a &&") + 1}});
  of.site("truth", "b", {{0, 1}})
      .site("switch", "a && b")
      .last()
      .update({{"cases", labels({{"0", "0"}})}, {"default", false}});
  EXPECT_EQ(
      of.rewritten_text(),
      "int f(int a) {::morph_goals::enter(0); switch (::morph_goals::choice<0>(5,(::morph_goals::is_true(1,static_"
      "cast<bool>(a)) && ::morph_goals::is_true(3,static_cast<bool>(b))))) { case 0: return 1; } return 2; }");
}

TEST(RewrittenSources, WriteTheSmallestLabelAsAnExpression) {
  written_source of("int f(int a) { switch (a) {} }");
  of.site("switch", "a)")
      .last()
      .update({{"end", of.at("a)") + 1}, {"cases", labels({{"-9223372036854775808", "least"}})}, {"default", false}});
  EXPECT_NE(of.rewritten_text().find("choice<(-9223372036854775807-1)>("), std::string::npos);
}

TEST(RewrittenSources, KeepTheNumbersOfLines) {
  written_source of("int f(int a) {\n  return a\n      > // more\n    3 ? 1 : 2;\n}\n");
  const std::string made = of.compare("compare", "a\n      > // more\n    3", "a", ">", "3").rewritten_text();
  EXPECT_EQ(std::ranges::count(made, '\n'), std::ranges::count(of.text(), '\n'));
  EXPECT_NE(made.find("3)) ? 1 : 2;\n}\n"), std::string::npos);
  EXPECT_EQ(made.find("more"), std::string::npos);
}

TEST(RewrittenSources, KeepFunctionsThatWereDropped) {
  const written_source of("int f(int a) { return 1; }");
  goal_set goals = of.goals();
  EXPECT_TRUE(drop_functions_at(goals, "a.cpp", 1));
  EXPECT_EQ(rewritten(of.text(), "a.cpp", goals), of.text());
}

TEST(RewrittenSources, KeepOtherFiles) {
  const written_source of("int f(int a) { return 1; }");
  EXPECT_EQ(rewritten(of.text(), "b.cpp", of.goals()), of.text());
}

TEST(RewrittenSources, DropTheFunctionsAroundALineOnce) {
  goal_set goals = written_source("int f(int a) {\n return 1;\n}").goals();
  EXPECT_FALSE(drop_functions_at(goals, "a.cpp", 4));
  EXPECT_FALSE(drop_functions_at(goals, "b.cpp", 2));
  EXPECT_TRUE(drop_functions_at(goals, "a.cpp", 3));
  EXPECT_FALSE(drop_functions_at(goals, "a.cpp", 2));
}

TEST(RewrittenSources, IgnoreEditsBehindTheirEnd) {
  const written_source of("int f(int a) { return a > 12345; }");
  EXPECT_EQ(rewritten("int f(", "a.cpp", of.goals()), "int f(");
}

}  // namespace
}  // namespace morph::generate
