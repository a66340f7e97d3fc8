// What one test covers of both members.
#include "plugin/coupled/pairs.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

namespace morph::coupled {
namespace {

/// For some of the tests.
pair_state state_of(const coupling::coupled_pair& pair, const branch_evidence& evidence, const test_bits& by) {
  if (evidence.is_changed(pair.caller.function) || evidence.is_changed(pair.callee.function))
    return pair_state::changed;
  const branch_tests &caller = evidence.of(pair.caller), &callee = evidence.of(pair.callee);
  const auto have_common = [&](const test_bits& a, const test_bits& b) {
    for (std::size_t i = 0; i < by.size(); ++i)
      if ((a[i] & b[i] & by[i]) != 0) return true;
    return false;
  };
  if (have_common(caller.surely, callee.surely)) return pair_state::covered;
  return have_common(caller.perhaps, callee.perhaps) ? pair_state::unknown : pair_state::uncovered;
}

void add(pair_tally& to, pair_state state) {
  to.covered += state == pair_state::covered ? 1 : 0;
  to.uncovered += state == pair_state::uncovered ? 1 : 0;
  to.unknown += state == pair_state::unknown ? 1 : 0;
  to.changed += state == pair_state::changed ? 1 : 0;
}

test_bits all_tests(const branch_evidence& evidence) {
  return test_bits(evidence.tests() / 64 + 1, ~std::uint64_t{0});
}

bool is_in(const coupling::coupled_pair& pair, const coupling::branch_graph& graph, const file_filter& wanted) {
  return wanted(graph.functions[pair.caller.function].file) && wanted(graph.functions[pair.callee.function].file);
}

}  // namespace

std::vector<judged_pair> judge(const coupling::coupled_branches& of, const branch_evidence& evidence) {
  std::vector<judged_pair> made;
  const test_bits all = all_tests(evidence);
  for (const coupling::coupled_pair& each : of.pairs) made.push_back({each, state_of(each, evidence, all)});
  return made;
}

pair_tally tally(const std::vector<judged_pair>& pairs) {
  pair_tally made;
  for (const judged_pair& each : pairs) add(made, each.state);
  return made;
}

std::vector<unit_pair> all_pairs(const coupling::branch_graph& graph, const branch_evidence& evidence,
                                 const coupling::options& by) {
  std::vector<unit_pair> made;
  for (const coupling::candidate& each : coupling::candidates(graph, by)) {
    const auto found = coupling::coupled(graph, {each.caller}, {each.callee}, by);
    made.push_back(
        {{each.caller}, {each.callee}, found.sites.size(), found.sites_without_branch, tally(judge(found, evidence))});
  }
  std::ranges::sort(made, [](const unit_pair& a, const unit_pair& b) {
    // Shares as products: a / b < c / d.
    const std::size_t left = a.pairs.covered * b.pairs.known(), right = b.pairs.covered * a.pairs.known();
    const bool has_left = a.pairs.known() > 0, has_right = b.pairs.known() > 0;
    if (has_left != has_right) return has_left;
    if (left != right) return left < right;
    return std::tuple(b.pairs.known(), a.caller.name, a.callee.name) <
           std::tuple(a.pairs.known(), b.caller.name, b.callee.name);
  });
  return made;
}

pair_tally total_of(const coupling::branch_graph& graph, const branch_evidence& evidence, const file_filter& wanted) {
  pair_tally made;
  for (const coupling::candidate& each : coupling::candidates(graph)) {
    auto found = coupling::coupled(graph, {each.caller}, {each.callee});
    std::erase_if(found.pairs, [&](const auto& pair) { return !is_in(pair, graph, wanted); });
    made += tally(judge(found, evidence));
  }
  return made;
}

std::vector<coupling::coupled_pair> distinct_pairs(const coupling::branch_graph& graph, const file_filter& wanted) {
  std::set<coupling::coupled_pair> all;
  for (const coupling::candidate& each : coupling::candidates(graph)) {
    const auto found = coupling::coupled(graph, {each.caller}, {each.callee});
    for (const coupling::coupled_pair& pair : found.pairs)
      if (is_in(pair, graph, wanted)) all.insert(pair);
  }
  return {all.begin(), all.end()};
}

std::vector<std::uint32_t> tests_of(const coupling::coupled_pair& pair, const branch_evidence& evidence) {
  if (evidence.is_changed(pair.caller.function) || evidence.is_changed(pair.callee.function)) return {};
  return common(evidence.of(pair.caller).surely, evidence.of(pair.callee).surely);
}

pair_tally tally_of(const std::vector<coupling::coupled_pair>& pairs, const branch_evidence& evidence,
                    const std::vector<std::uint32_t>& tests) {
  test_bits by(evidence.tests() / 64 + 1);
  for (const std::uint32_t test : tests) by[test / 64] |= std::uint64_t{1} << (test % 64);
  pair_tally made;
  for (const coupling::coupled_pair& each : pairs) add(made, state_of(each, evidence, by));
  return made;
}

std::vector<covered_set> covered_sets(const std::vector<coupling::coupled_pair>& pairs,
                                      const branch_evidence& evidence) {
  std::map<std::vector<std::uint32_t>, std::vector<coupling::coupled_pair>> sets;
  for (const coupling::coupled_pair& each : pairs)
    if (auto tests = tests_of(each, evidence); !tests.empty()) sets[std::move(tests)].push_back(each);
  std::vector<covered_set> made;
  for (auto& [tests, of_tests] : sets) made.push_back({tests, std::move(of_tests)});
  return made;
}

}  // namespace morph::coupled
