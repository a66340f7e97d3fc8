// Which pairs of branches one test covers, of a graph and a coverage that are written by hand.
#include "plugin/coupled/pairs.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace morph::coupled {
namespace {

using nlohmann::json;

/// R::r() at line 1 of r.cpp calls E::e() at line 1 of e.cpp if its condition at line 3 is true; that has one, too.
json unit_of_both(bool has_code = true) {
  json site{{"kind", "truth"}, {"line", 3}, {"begin", 30}, {"text", "c"}};
  if (has_code) site["code"] = {{"part_of", "if"}, {"statement", 0}, {"end_line", 3}};
  const auto function = [&](const char* name, const char* in, const json& calls) {
    return json{{"name", name},  {"class", in},     {"line", 1},
                {"end_line", 9}, {"begin", 10},     {"body", 20},
                {"end", 90},     {"sites", {site}}, {"entry", {{0, 0}, {0, 1}}},
                {"calls", calls}};
  };
  const json call{{"line", 4},         {"callee", "E::e()"}, {"callee_class", "E"}, {"callee_file", "e.cpp"},
                  {"under", {{0, 1}}}, {"follows", {{0, 1}}}};
  return {{"files",
           {{{"path", "r.cpp"}, {"functions", {function("R::r()", "R", json::array({call}))}}},
            {{"path", "e.cpp"}, {"functions", {function("E::e()", "E", json::array())}}}}},
          {"classes", json::array()}};
}

/// Tests 0..2; by set: nobody, {0}, {1}, {0, 1}, {2}.
report::coverage covered_by(report::set_id caller_true, report::set_id callee_false, report::set_id callee_true) {
  report::coverage made;
  made.tests.resize(3);
  made.test_sets = {{}, {0}, {1}, {0, 1}, {2}};
  const auto file = [&](const char* path, report::set_id no, report::set_id yes) {
    report::reported_file one{path, {}, {}, {}};
    one.lines.push_back({3, 3, {{0, yes}, {1, no}}, {}});
    made.files.push_back(std::move(one));
  };
  file("e.cpp", callee_false, callee_true);
  file("r.cpp", 3, caller_true);
  return made;
}

std::map<std::string, std::vector<store::packed_way>> ways() {
  const std::vector<store::packed_way> one{*store::pack({1, 3, 0, 0, true, 0, true, false}),
                                           *store::pack({1, 3, 0, 1, true, 1, true, false})};
  return {{"r.cpp", one}, {"e.cpp", one}};
}

/// Of the outcomes of the callee's condition, false first.
std::vector<pair_state> states(const report::coverage& covered, const json& unit = unit_of_both(),
                               const std::vector<git::file_change>& changes = {}) {
  const std::vector<json> units{unit};
  const auto graph = coupling::graph_of(units);
  const branch_evidence evidence(graph, functions_read(graph, units), covered, ways(), changes);
  std::vector<pair_state> made;
  for (const judged_pair& each : judge(coupling::coupled(graph, {"R"}, {"E"}), evidence)) made.push_back(each.state);
  return made;
}

using expected = std::vector<pair_state>;

TEST(Pairs, one_test_has_to_take_both_branches) {
  EXPECT_EQ(states(covered_by(1, 1, 2)), (expected{pair_state::covered, pair_state::uncovered}));
  EXPECT_EQ(states(covered_by(3, 1, 2)), (expected{pair_state::covered, pair_state::covered}));
  EXPECT_EQ(states(covered_by(0, 3, 3)), (expected{pair_state::uncovered, pair_state::uncovered}));
}

TEST(Pairs, what_is_not_mapped_may_be_covered_by_who_ran_the_function) {
  EXPECT_EQ(states(covered_by(1, 1, 1), unit_of_both(false)), (expected{pair_state::unknown, pair_state::unknown}));
}

TEST(Pairs, of_what_no_test_ran_nothing_is_covered_mapped_or_not) {
  report::coverage covered = covered_by(1, 1, 1);
  covered.files[0].lines.front().tests = report::nobody;
  EXPECT_EQ(states(covered, unit_of_both(false)), (expected{pair_state::uncovered, pair_state::uncovered}));
  covered.files.erase(covered.files.begin());
  EXPECT_EQ(states(covered), (expected{pair_state::uncovered, pair_state::uncovered}));
}

TEST(Pairs, functions_that_changed_are_left_out) {
  git::file_change change;
  change.path = "e.cpp";
  change.hunks = {{5, 1, 5, 1}};
  EXPECT_EQ(states(covered_by(1, 1, 2), unit_of_both(), {change}),
            (expected{pair_state::changed, pair_state::changed}));
  change.hunks = {{5, 1, 4, 0}};  // a line went
  EXPECT_EQ(states(covered_by(1, 1, 2), unit_of_both(), {change}),
            (expected{pair_state::changed, pair_state::changed}));
  change.hunks = {{12, 1, 12, 3}};
  EXPECT_EQ(states(covered_by(1, 1, 2), unit_of_both(), {change}),
            (expected{pair_state::covered, pair_state::uncovered}));
}

TEST(Pairs, are_listed_with_the_least_covered_first) {
  const std::vector<json> units{unit_of_both()};
  const auto graph = coupling::graph_of(units);
  const branch_evidence evidence(graph, functions_read(graph, units), covered_by(1, 1, 2), ways(), {});
  const auto listed = all_pairs(graph, evidence, {});
  ASSERT_EQ(listed.size(), 1U);
  EXPECT_EQ(listed[0].caller.name + ":" + listed[0].callee.name, "R:E");
  EXPECT_EQ(listed[0].sites, 1U);
  EXPECT_EQ(listed[0].pairs.covered, 1U);
  EXPECT_EQ(listed[0].pairs.uncovered, 1U);
}

TEST(Pairs, of_filtered_files_and_of_some_tests_are_counted) {
  const std::vector<json> units{unit_of_both()};
  const auto graph = coupling::graph_of(units);
  const branch_evidence evidence(graph, functions_read(graph, units), covered_by(3, 1, 2), ways(), {});
  const auto all = [](const std::string&) { return true; };
  const auto not_callee = [](const std::string& path) { return path != "e.cpp"; };
  EXPECT_EQ(total_of(graph, evidence, all), (pair_tally{2, 0, 0, 0}));
  EXPECT_EQ(total_of(graph, evidence, not_callee), pair_tally{});
  EXPECT_TRUE(distinct_pairs(graph, not_callee).empty());
  const auto pairs = distinct_pairs(graph, all);
  EXPECT_EQ(tally_of(pairs, evidence, {0}), (pair_tally{1, 1, 0, 0}));
  EXPECT_EQ(tally_of(pairs, evidence, {2}), (pair_tally{0, 2, 0, 0}));
  const auto sets = covered_sets(pairs, evidence);
  ASSERT_EQ(sets.size(), 2U);
  EXPECT_EQ(sets[0].tests, (std::vector<std::uint32_t>{0}));
  EXPECT_EQ(sets[0].pairs, (std::vector<coupling::coupled_pair>{pairs[0]}));
  EXPECT_EQ(sets[1].tests, (std::vector<std::uint32_t>{1}));
}

}  // namespace
}  // namespace morph::coupled
