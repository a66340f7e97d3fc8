// What relations add to the tests of a project, by kills and by lines.
#include "plugin/scout/value.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace morph::scout {
namespace {

std::vector<spec_source> two_specs() {
  spec_source source{.file = "tests/a_test.cc", .stem = "a_test"};
  source.specs = {{.name = "One", .of = {.file = "tests/a_test.cc", .line = 3}},
                  {.name = "Other", .of = {.file = "tests/a_test.cc", .line = 9}}};
  return {source};
}

report::mutant_result mutant(const std::vector<std::string>& killers) {
  report::mutant_result made;
  made.state = killers.empty() ? report::mutant_state::survived : report::mutant_state::killed;
  made.killers = killers;
  return made;
}

report::mutation_result result_of(std::vector<report::mutant_result> mutants) {
  report::mutation_result made;
  made.has_all_killers = true;
  made.tests = {{.name = "A.one", .suite = "a", .own_name = "A.one"},
                {.name = "One.holds", .suite = "a_test_relations", .own_name = "One.holds"},
                {.name = "Other.holds", .suite = "a_test_relations", .own_name = "Other.holds"}};
  made.files.push_back({.path = "src/a.cc", .text = "", .mutants = std::move(mutants)});
  return made;
}

TEST(Value, WhatNoTestOfTheProjectKillsIsAdded) {
  report::mutant_result equivalent = mutant({});
  equivalent.state = report::mutant_state::equivalent;
  const auto values = values_of(two_specs(),
                                result_of({mutant({"A.one"}), mutant({"A.one", "One.holds"}), mutant({"Other.holds"}),
                                           mutant({"One.holds", "Other.holds"}), mutant({}), equivalent}),
                                nullptr);
  EXPECT_EQ(values.mutants.all, 5U);
  EXPECT_EQ(values.mutants.own, 2U);
  EXPECT_EQ(values.mutants.added, 2U);
  EXPECT_EQ(values.mutants.relative(), 1.0);
  ASSERT_EQ(values.specs.size(), 2U);
  EXPECT_EQ(values.specs[0].of.name, "Other");
  EXPECT_EQ(values.specs[0].added, 2U);
  EXPECT_EQ(values.specs[1].added, 1U);
  EXPECT_EQ(values.specs[1].kills, 2U);
  EXPECT_FALSE(values.lines);
  EXPECT_NE(as_text(values, false)
                .find("2 of 5 are killed by the project's own tests, 2 more by relations "
                      "(40.0 % -> 80.0 %, +100.00 % relative)"),
            std::string::npos)
      << as_text(values, false);
}

TEST(Value, LinesOfSourcesCount) {
  report::coverage covered;
  const auto add_test = [&](const char* suite, const char* name) {
    report::reported_test& made = covered.tests.emplace_back();
    made.suite = suite;
    made.facts.case_name = name;
  };
  add_test("a", "A.one");
  add_test("a_test_relations", "One.holds");
  covered.test_sets = {{}, {0}, {1}, {0, 1}};
  const auto add_file = [&](const char* path, const std::vector<report::set_id>& sets) {
    report::reported_file& made = covered.files.emplace_back();
    made.path = path;
    for (const report::set_id each : sets) {
      report::reported_line& line = made.lines.emplace_back();
      line.number = static_cast<std::uint32_t>(made.lines.size());
      line.tests = each;
    }
  };
  add_file("src/a.cc", {1, 2, 3, 0});
  add_file("tests/a_test.cc", {2});
  const auto values = values_of(two_specs(), result_of({mutant({"One.holds"})}), &covered);
  ASSERT_TRUE(values.lines);
  EXPECT_EQ(values.lines->all, 4U);
  EXPECT_EQ(values.lines->own, 2U);
  EXPECT_EQ(values.lines->added, 1U);
  EXPECT_EQ(values.specs[0].lines, 1U);
  const auto told = nlohmann::json::parse(as_json(values));
  EXPECT_EQ(told.at("schema"), "morph.scout-rank/1");
  EXPECT_EQ(told.at("specs").at(0).at("lines_added"), 1);
  EXPECT_EQ(told.at("mutants").at("relative"), nullptr) << "no test of the project kills anything";
}

TEST(Value, SpecsOfRelationsThatAreGoneAreNoTestsOfTheProject) {
  report::mutation_result of = result_of({mutant({"Old.holds"}), mutant({"Old.holds", "One.holds"})});
  of.tests.push_back({.name = "Old.holds", .suite = "a_test_relations", .own_name = "Old.holds"});
  const auto values = values_of(two_specs(), of, nullptr);
  EXPECT_EQ(values.mutants.own, 0U);
  EXPECT_EQ(values.mutants.added, 2U);
  EXPECT_EQ(values.specs[0].added, 1U);
}

TEST(Value, AResultWithoutRelationsHasNone) {
  report::mutation_result of = result_of({mutant({"A.one"})});
  of.tests.resize(1);
  EXPECT_TRUE(values_of(two_specs(), of, nullptr).specs.empty());
}

}  // namespace
}  // namespace morph::scout
