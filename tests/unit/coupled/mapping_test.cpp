// Lines of decisions, written by hand, against sites: what is matched, and what is left alone.
#include "plugin/coupled/mapping.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

namespace morph::coupled {
namespace {

using nlohmann::json;
using outcomes = std::vector<std::optional<std::uint32_t>>;
const outcomes nothing{std::nullopt, std::nullopt};

json site_at(std::uint32_t line, std::uint32_t byte, json code = json::object()) {
  json made{{"kind", "truth"}, {"line", line}, {"begin", byte}, {"text", "c"}};
  code.emplace("part_of", "if");
  code.emplace("statement", byte);
  code.emplace("end_line", line);
  made["code"] = std::move(code);
  return made;
}

json function_with(const std::vector<json>& sites) {
  return {{"line", 1}, {"sites", sites}};
}

/// Decisions of the function at line 1, each with the numbers of its ways by rank.
std::vector<store::packed_way> decided(std::uint32_t line, const std::vector<std::vector<std::uint32_t>>& decisions,
                                       bool by_clang = false) {
  std::vector<store::packed_way> made;
  for (std::uint32_t d = 0; d < decisions.size(); ++d)
    for (std::uint32_t rank = 0; rank < decisions[d].size(); ++rank)
      made.push_back(*store::pack({1, line, d, rank, true, decisions[d][rank], d + 1 == decisions.size(), by_clang}));
  return made;
}

std::vector<store::packed_way> together(std::vector<store::packed_way> all,
                                        const std::vector<store::packed_way>& more) {
  all.insert(all.end(), more.begin(), more.end());
  std::ranges::sort(all);
  all.erase(std::ranges::unique(all).begin(), all.end());
  return all;
}

std::vector<outcomes> mapped(const json& function, const std::vector<store::packed_way>& ways) {
  std::vector<outcomes> made;
  for (const site_numbers& each : map_sites(function, file_decisions(ways))) made.push_back(each.of_outcome);
  return made;
}

using all = std::vector<outcomes>;

TEST(Mapping, the_first_way_of_gcc_is_that_of_true) {
  EXPECT_EQ(mapped(function_with({site_at(5, 50)}), decided(5, {{1, 0}})), (all{{0, 1}}));
  EXPECT_EQ(mapped(function_with({site_at(5, 50, {{"negated", true}})}), decided(5, {{1, 0}})), (all{{1, 0}}));
}

TEST(Mapping, conditions_of_a_line_are_matched_in_their_order) {
  const json both =
      function_with({site_at(5, 50, {{"statement", 1}, {"goes_on", true}}), site_at(5, 60, {{"statement", 1}})});
  EXPECT_EQ(mapped(both, decided(5, {{0, 1}, {2, 3}})), (all{{1, 0}, {3, 2}}));
}

TEST(Mapping, a_line_that_decides_more_or_less_often_is_left_alone) {
  const json one = function_with({site_at(5, 50)});
  EXPECT_EQ(mapped(one, decided(5, {{0, 1}, {2, 3}})), (all{nothing}));
  EXPECT_EQ(mapped(one, decided(6, {{0, 1}})), (all{nothing}));
  EXPECT_EQ(mapped(one, decided(5, {{0, 1, 2}})), (all{nothing}));
}

TEST(Mapping, instances_that_decide_differently_are_left_alone) {
  const json one = function_with({site_at(5, 50)});
  EXPECT_EQ(mapped(one, together(decided(5, {{0, 1}}), decided(5, {{0, 1}}))), (all{{1, 0}}));
  EXPECT_EQ(mapped(one, together(decided(5, {{0, 1}}), decided(5, {{0, 1}, {2, 3}}))), (all{nothing}));
  EXPECT_EQ(mapped(one, together(decided(5, {{0, 1}}), decided(5, {{1, 0}}))), (all{nothing}));
}

TEST(Mapping, numbers_that_another_function_has_on_the_line_are_left_alone) {
  const std::vector<store::packed_way> other{*store::pack({5, 5, 0, 0, true, 1, true, false})};
  EXPECT_EQ(mapped(function_with({site_at(5, 50)}), together(decided(5, {{0, 1}}), other)), (all{nothing}));
}

TEST(Mapping, what_no_rule_is_known_for_is_left_alone_with_its_line) {
  json unknown = site_at(5, 50);
  unknown.erase("code");
  EXPECT_EQ(mapped(function_with({unknown, site_at(5, 60)}), decided(5, {{0, 1}, {2, 3}})), (all{nothing, nothing}));
  json hidden = function_with({site_at(5, 50)});
  hidden["hidden"] = {5};
  EXPECT_EQ(mapped(hidden, decided(5, {{0, 1}})), (all{nothing}));
  EXPECT_EQ(mapped(function_with({site_at(5, 50, {{"end_line", 6}})}), decided(5, {{0, 1}})), (all{nothing}));
}

TEST(Mapping, a_condition_over_several_lines_needs_all_of_them) {
  const json two =
      function_with({site_at(5, 50, {{"statement", 1}, {"goes_on", true}}), site_at(6, 60, {{"statement", 1}})});
  EXPECT_EQ(mapped(two, together(decided(5, {{0, 1}}), decided(6, {{0, 1}}))), (all{{1, 0}, {1, 0}}));
  EXPECT_EQ(mapped(two, decided(5, {{0, 1}})), (all{nothing, nothing}));
}

TEST(Mapping, a_loop_beside_another_condition_is_left_alone) {
  const json loop = site_at(5, 50, {{"part_of", "loop"}});
  EXPECT_EQ(mapped(function_with({loop}), decided(5, {{0, 1}})), (all{{1, 0}}));
  EXPECT_EQ(mapped(function_with({loop, site_at(5, 60)}), decided(5, {{0, 1}, {2, 3}})), (all{nothing, nothing}));
}

TEST(Mapping, gcc_decides_once_more_by_the_value_of_parts_with_side_effects) {
  const auto parts = [](const char* how) {
    return function_with({site_at(5, 50, {{"statement", 1}, {"goes_on", true}, {"value_first", how}}),
                          site_at(5, 60, {{"statement", 1}, {"value_first", how}})});
  };
  const auto three = decided(5, {{0, 1}, {2, 3}, {4, 5}});
  EXPECT_EQ(mapped(parts("by calls"), three), (all{{1, 0}, {3, 2}}));
  EXPECT_EQ(mapped(parts("perhaps"), three), (all{{1, 0}, {3, 2}}));
  EXPECT_EQ(mapped(parts("perhaps"), decided(5, {{0, 1}, {2, 3}})), (all{{1, 0}, {3, 2}}));
  EXPECT_EQ(mapped(parts("by calls"), decided(5, {{0, 1}, {2, 3}})), (all{nothing, nothing}));
}

TEST(Mapping, gcc_turns_some_conditions_of_arms_around) {
  const auto either = [](json code) {
    code["part_of"] = "either";
    return function_with({site_at(5, 50, std::move(code))});
  };
  EXPECT_EQ(mapped(either({{"turned", false}}), decided(5, {{0, 1}})), (all{{1, 0}}));
  EXPECT_EQ(mapped(either({{"turned", true}}), decided(5, {{0, 1}})), (all{{0, 1}}));
  EXPECT_EQ(mapped(either(json::object()), decided(5, {{0, 1}})), (all{nothing}));
  EXPECT_EQ(mapped(either(json::object()), decided(5, {{0, 1}}, true)), (all{{1, 0}}));
}

json choice(std::vector<std::string> values, bool has_default, const json& labels) {
  json made = site_at(5, 50, {{"part_of", "switch"}, {"labels", labels}});
  made["kind"] = "switch";
  made["default"] = has_default;
  made["cases"] = json::array();
  for (const std::string& each : values) made["cases"].push_back(json::array({each, each}));
  return function_with({made});
}

TEST(Mapping, gcc_orders_cases_by_value_behind_default) {
  const json four = choice({"5", "-3", "10"}, true, {{0}, {1}, {2}, {3}});
  EXPECT_EQ(mapped(four, decided(5, {{7, 1, 2, 3}})), (all{{2, 1, 3, 7}}));
  EXPECT_EQ(mapped(choice({"5", "-3"}, false, {{0}, {1}}), decided(5, {{7, 1, 2}})), (all{{2, 1, 7}}));
  EXPECT_EQ(mapped(four, decided(5, {{7, 1, 2}})), (all{{std::nullopt, std::nullopt, std::nullopt, std::nullopt}}));
}

TEST(Mapping, cases_of_one_statement_cannot_be_told_apart) {
  const json shared = choice({"1", "2", "3"}, true, {{0, 1}, {2}, {3}});
  EXPECT_EQ(mapped(shared, decided(5, {{0, 1, 2}})), (all{{std::nullopt, std::nullopt, 2, 0}}));
}

TEST(Mapping, clang_goes_on_first) {
  const json parts =
      function_with({site_at(5, 50, {{"statement", 1}, {"goes_on", false}}), site_at(5, 60, {{"statement", 1}})});
  EXPECT_EQ(mapped(parts, decided(5, {{0, 1}, {2, 3}}, true)), (all{{0, 1}, {3, 2}}));
}

TEST(Mapping, what_clang_does_not_count_is_not_mapped) {
  auto ways = decided(5, {{0, 1}}, true);
  auto second = store::unpack(ways[1]);
  second.is_counted = false;
  ways[1] = *store::pack(second);
  EXPECT_EQ(mapped(function_with({site_at(5, 50)}), ways), (all{{std::nullopt, 0}}));
}

TEST(Mapping, ways_are_packed_and_unpacked) {
  const store::decision_way way{1048575, 1048574, 15, 31, true, 4095, true, false};
  EXPECT_EQ(store::unpack(*store::pack(way)), way);
  store::decision_way one{1, 2, 3, 4, false, 5, false, true};
  EXPECT_EQ(store::unpack(*store::pack(one)), one);
  one.rank = 32;
  EXPECT_FALSE(store::pack(one));
}

}  // namespace
}  // namespace morph::coupled
