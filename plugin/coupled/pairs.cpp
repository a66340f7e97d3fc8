// What one test covers of both members.
#include "plugin/coupled/pairs.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

namespace morph::coupled {
namespace {

pair_state state_of(const coupling::coupled_pair& pair, const branch_evidence& evidence) {
  if (evidence.is_changed(pair.caller.function) || evidence.is_changed(pair.callee.function))
    return pair_state::changed;
  const branch_tests &caller = evidence.of(pair.caller), &callee = evidence.of(pair.callee);
  if (have_common(caller.surely, callee.surely)) return pair_state::covered;
  return have_common(caller.perhaps, callee.perhaps) ? pair_state::unknown : pair_state::uncovered;
}

}  // namespace

pair_tally& pair_tally::operator+=(const pair_tally& other) {
  covered += other.covered;
  uncovered += other.uncovered;
  unknown += other.unknown;
  changed += other.changed;
  return *this;
}

std::vector<judged_pair> judge(const coupling::coupled_branches& of, const branch_evidence& evidence) {
  std::vector<judged_pair> made;
  for (const coupling::coupled_pair& each : of.pairs) made.push_back({each, state_of(each, evidence)});
  return made;
}

pair_tally tally(const std::vector<judged_pair>& pairs) {
  pair_tally made;
  for (const judged_pair& each : pairs) {
    made.covered += each.state == pair_state::covered ? 1 : 0;
    made.uncovered += each.state == pair_state::uncovered ? 1 : 0;
    made.unknown += each.state == pair_state::unknown ? 1 : 0;
    made.changed += each.state == pair_state::changed ? 1 : 0;
  }
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

std::vector<covered_set> covered_sets(const coupling::branch_graph& graph, const branch_evidence& evidence,
                                      const std::function<bool(const std::string&)>& wanted) {
  std::set<coupling::coupled_pair> all;
  for (const coupling::candidate& each : coupling::candidates(graph)) {
    const auto found = coupling::coupled(graph, {each.caller}, {each.callee});
    all.insert(found.pairs.begin(), found.pairs.end());
  }
  std::map<std::vector<std::uint32_t>, std::size_t> sets;
  for (const coupling::coupled_pair& each : all)
    if (wanted(graph.functions[each.caller.function].file) && wanted(graph.functions[each.callee.function].file) &&
        state_of(each, evidence) == pair_state::covered)
      ++sets[common(evidence.of(each.caller).surely, evidence.of(each.callee).surely)];
  std::vector<covered_set> made;
  for (const auto& [tests, pairs] : sets) made.push_back({tests, pairs});
  return made;
}

}  // namespace morph::coupled
