// What datamorphisms may take and give: inputs, whole cases, nothing, several; their filters, operations and arity.
#include <gtest/gtest.h>

#include <algorithm>
#include <list>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "morph/spec.hpp"
#include "plugin/spec/engine/engine.hpp"

namespace {

using morph::case_index;
using morph::engine::options;
using morph::engine::session;
using number_spec = morph::spec<int, int>;
using number_case = number_spec::test_case;
using text_spec = morph::spec<std::string, std::string>;
using texts = std::vector<std::string>;

void declare_tens(number_spec& s) {
  s.execute([](int in) { return 10 * in; });
  s.seeds("literal", {1, 2, 3});
}

options kept() {
  options how;
  how.keep = true;
  how.shrink = false;
  return how;
}

/// `how` has to keep them.
texts inputs_of(session& at_work) {
  texts made;
  for (case_index c = 0; c < at_work.cases().size(); ++c)
    made.push_back(at_work.spec().text_of_input(at_work.cases().input(c)));
  std::sort(made.begin(), made.end());
  return made;
}

TEST(SpecDatamorphisms, MayGiveNothing) {
  number_spec s("s");
  declare_tens(s);
  s.datamorph("halve", [](int x) { return x % 2 == 0 ? std::optional<int>(x / 2 + 100) : std::nullopt; });
  session at_work(s, kept());
  at_work.run();
  EXPECT_EQ(inputs_of(at_work), (texts{"1", "101", "2", "3"}));
  EXPECT_EQ(at_work.report().inapplicable, 2U);
}

TEST(SpecDatamorphisms, MayGiveSeveral) {
  number_spec s("s");
  declare_tens(s);
  s.datamorph("both", [](int x) { return std::vector<int>{x + 10, x + 20}; });
  s.datamorph("list", [](int x) { return x == 1 ? std::list<int>{77} : std::list<int>{}; });
  session at_work(s, kept());
  at_work.run();
  EXPECT_EQ(inputs_of(at_work), (texts{"1", "11", "12", "13", "2", "21", "22", "23", "3", "77"}));
  EXPECT_EQ(at_work.report().inapplicable, 2U);
}

TEST(SpecDatamorphisms, EqualOnesOfOneApplicationAreOneCase) {
  number_spec s("s");
  declare_tens(s);
  s.datamorph("twice", [](int x) { return std::vector<int>{x + 10, x + 10}; });
  session at_work(s, kept());
  at_work.run();
  EXPECT_EQ(at_work.report().mutants, 3U);
  EXPECT_EQ(at_work.report().equal_mutants, 3U);
}

TEST(SpecDatamorphisms, ARangeMayLookIntoItsArgument) {
  text_spec s("s");
  s.execute([](const std::string& in) { return in; });
  s.seeds("literal", {"a long text that is kept on the heap and another, long as well"});
  s.datamorph("parts", [](const std::string& in) {
    std::vector<std::string_view> parts;
    for (std::size_t i = 0; i < in.size(); i += 3) parts.push_back(std::string_view(in).substr(i, 3));
    return parts;
  });
  session at_work(s, kept());
  at_work.run();
  EXPECT_EQ(inputs_of(at_work)[0], "\" an\"");
  EXPECT_EQ(at_work.report().mutants, 20U);
}

TEST(SpecDatamorphisms, MayGiveWhatBecomesAnInput) {
  text_spec s("s");
  s.execute([](const std::string& in) { return in; });
  s.seeds("literal", {"abc"});
  s.datamorph("tail", [](const std::string& in) { return std::string_view(in).substr(1); });
  s.datamorph("literal", [](const std::string&) { return "literal"; });
  session at_work(s, kept());
  at_work.run();
  EXPECT_EQ(inputs_of(at_work), (texts{"\"abc\"", "\"bc\"", "\"literal\""}));
}

TEST(SpecDatamorphisms, ArityIsDeducedOrSaid) {
  number_spec s("s");
  declare_tens(s);
  s.datamorph("one", [](int x) { return x; });
  s.datamorph("two", [](int x, int y) { return x + y; });
  s.datamorph("six", [](int a, int b, int c, int d, int e, int f) { return a + b + c + d + e + f; });
  s.datamorph<3>("three", [](auto... x) { return (x + ...); });
  s.datamorph("cases", [](const number_case& a, const number_case& b) { return a.output + b.output; });
  std::vector<int> arities;
  for (const auto& each : s.datamorphisms()) arities.push_back(each.arity);
  EXPECT_EQ(arities, (std::vector<int>{1, 2, 6, 3, 2}));
  EXPECT_FALSE(s.datamorphisms()[3].uses_runs);
  EXPECT_TRUE(s.datamorphisms()[4].uses_runs);
}

TEST(SpecDatamorphisms, ThreeOfThree) {
  number_spec s("s");
  declare_tens(s);
  s.datamorph<3>("digits", [](auto... x) {
    int made = 0;
    ((made = made * 10 + x), ...);
    return made;
  });
  session at_work(s, kept());
  at_work.run();
  EXPECT_EQ(inputs_of(at_work), (texts{"1", "123", "132", "2", "213", "231", "3", "312", "321"}));
}

TEST(SpecDatamorphisms, MayTakeWholeCases) {
  number_spec s("s");
  declare_tens(s);
  s.datamorph("feed back", [](const number_case& source) {
    return source.type() == "literal" && source.order() == 0 ? source.output + source.input : -1;
  });
  session at_work(s, kept());
  at_work.run();
  EXPECT_EQ(inputs_of(at_work), (texts{"1", "11", "2", "22", "3", "33"}));
}

TEST(SpecDatamorphisms, OfWholeCasesEachExecuterHasItsOwn) {
  number_spec s("s");
  s.execute("tens", [](int in) { return 10 * in; });
  s.execute("hundreds", [](int in) { return 100 * in; });
  s.seeds("literal", {1, 2});
  auto feed = s.datamorph("feed back", [](const number_case& source) { return source.output; });
  std::multiset<int> seen;
  s.relation("seen", feed, [&seen](auto& m, auto& o) {
    seen.insert(m.input);
    return m.output == o.output * o.output / o.input;
  });
  session at_work(s, kept());
  at_work.run();
  EXPECT_EQ(seen, (std::multiset<int>{10, 20, 100, 200}));
  EXPECT_EQ(at_work.report().tallies[0][0].passed, 2U);
  EXPECT_EQ(at_work.report().tallies[0][1].passed, 2U);
  EXPECT_EQ(at_work.report().mutants, 4U);
}

TEST(SpecDatamorphisms, OfWholeCasesWithoutAnOutputGiveNothing) {
  number_spec s("s");
  s.execute([](int in) { return in == 2 ? throw std::runtime_error("two") : in; });
  s.may_throw();
  s.seeds("literal", {1, 2});
  s.datamorph("feed back", [](const number_case& source) { return source.output + 10; });
  session at_work(s, kept());
  at_work.run();
  EXPECT_EQ(inputs_of(at_work), (texts{"1", "11", "2"}));
  EXPECT_EQ(at_work.report().inapplicable, 1U);
}

TEST(SpecDatamorphisms, FiltersRejectMutants) {
  number_spec s("s");
  declare_tens(s);
  s.datamorph("next", [](int x) { return x + 10; }).filter([](int made) { return made != 12; });
  s.datamorph("sum", [](int x, int y) { return 100 * x + y; }).filter([](int, int x, int y) { return x < y; });
  session at_work(s, kept());
  at_work.run();
  EXPECT_EQ(inputs_of(at_work), (texts{"1", "102", "103", "11", "13", "2", "203", "3"}));
  EXPECT_EQ(at_work.report().rejected, 4U);
}

TEST(SpecDatamorphisms, MayRunAnotherOperation) {
  using stack = std::vector<int>;
  morph::spec<stack, stack> s("stack");
  s.execute([](stack in) {  // push
    in.push_back(9);
    return in;
  });
  auto pop = s.operation("pop", [](stack in) {
    if (!in.empty()) in.pop_back();
    return in;
  });
  s.seeds("literal", {{}, {1}, {1, 2}});
  auto then_pop = s.datamorph("then pop", [](const morph::test_case<stack, stack>& pushed) { return pushed.output; });
  then_pop.runs(pop);
  s.relation("undone", then_pop, [](auto& popped, auto& pushed) { return popped.output == pushed.input; });
  session at_work(s, kept());
  at_work.run();
  EXPECT_EQ(at_work.report().tallies[0][0].passed, 3U);
  EXPECT_EQ(at_work.report().tallies[0][0].checked(), 3U);
}

TEST(SpecDatamorphisms, OperationsOfOneInputAreRunApart) {
  number_spec s("s");
  declare_tens(s);
  auto negative = s.operation("negative", [](int in) { return -in; });
  auto same = s.datamorph("same", [](int x) { return x; });
  auto flipped = s.datamorph("flipped", [](int x) { return x; });
  flipped.runs(negative);
  s.relation("ten times", same, [](auto& m, auto& o) { return m.output == 10 * m.input && o.output == m.output; });
  s.relation("negative", flipped, [](auto& m, auto& o) { return m.output == -o.input && o.output == 10 * o.input; });
  session at_work(s, kept());
  at_work.run();
  EXPECT_EQ(at_work.report().tallies[0][0].passed, 3U);
  EXPECT_EQ(at_work.report().tallies[1][0].passed, 3U);
  EXPECT_EQ(at_work.report().runs, 6U);
}

TEST(SpecDatamorphisms, OneThatThrowsIsNamedAndTheRestGoesOn) {
  number_spec s("s");
  declare_tens(s);
  s.datamorph("fragile", [](int x) { return x == 2 ? throw std::runtime_error("not two") : x + 10; });
  session at_work(s, kept());
  at_work.run();
  EXPECT_EQ(inputs_of(at_work), (texts{"1", "11", "13", "2", "3"}));
  EXPECT_TRUE(at_work.report().failed());
  EXPECT_EQ(at_work.report().broken, (texts{"the datamorphism 'fragile' threw: not two"}));
}

TEST(SpecDatamorphisms, SeedsThatThrowAreNamed) {
  number_spec s("s");
  s.execute([](int in) { return in; });
  s.seeds("fragile", []() -> std::vector<int> { throw std::runtime_error("no disk"); });
  session at_work(s, kept());
  at_work.run();
  EXPECT_EQ(at_work.report().error, "the seeds 'fragile' cannot be made: no disk");
}

// ---- what is wrong with declarations

TEST(SpecDatamorphisms, DeclarationsAreChecked) {
  number_spec s("s");
  EXPECT_EQ(s.problem(),
            "it has no executer; bind the program under test: s.execute([](const input& in) { return ...; })");
  s.execute([](int in) { return in; });
  EXPECT_EQ(s.problem(), "it has no seeds; give it some: s.seeds(\"literal\", {...})");
  s.seeds("literal", {1});
  EXPECT_EQ(s.problem(), "");
  s.datamorph("a", [](int x) { return x; });
  s.datamorph("a", [](int x) { return x; });
  EXPECT_EQ(s.problem(),
            "two datamorphisms are named 'a'; cases are told apart by the name of what made them: rename one");
  number_spec t("t");
  declare_tens(t);
  t.execute([](int in) { return in; });
  EXPECT_EQ(t.problem(), "two executers are named 'executer'; name them: s.execute(\"name\", ...)");
  number_spec u("u");
  declare_tens(u);
  u.seeds("literal", {1});
  EXPECT_EQ(u.problem(), "two lists of seeds are named 'literal'; rename one");
  number_spec v("v");
  declare_tens(v);
  v.relation("every run ends", morph::seeds, [](auto&) { return true; });
  EXPECT_EQ(v.problem(), "the relation 'every run ends' has the name of a built-in one; rename it");
}

}  // namespace
