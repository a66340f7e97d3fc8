// Pairs of goals, and their distances.
#include "plugin/generate/pairs.hpp"

#include <fmt/format.h>

#include <cctype>
#include <map>
#include <optional>
#include <tuple>

namespace morph::generate {
namespace {

constexpr float untouched = 1.0F;  // a goal whose condition was not evaluated

std::string short_name(const std::string& name) {
  const auto at = name.rfind(':');
  return at == std::string::npos ? name : name.substr(at + 1);
}

}  // namespace

result<class_pair> class_pair_of(const std::string& text) {
  for (std::size_t i = 1; i + 1 < text.size(); ++i)
    if (text[i] == ':' && text[i - 1] != ':' && text[i + 1] != ':')
      return class_pair{text.substr(0, i), text.substr(i + 1)};
  return tl::unexpected(
      fmt::format("'{}' is not two classes; write CALLER:CALLEE, as in shop::Cart:shop::Price", text));
}

std::string name_of(const class_pair& of) {
  std::string callee = short_name(of.callee);
  if (!callee.empty()) callee[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(callee[0])));
  return short_name(of.caller) + "With" + callee;
}

void couple(goal_set& to, const coupling::branch_graph& graph, const std::vector<coupling::coupled_pair>& pairs) {
  std::map<std::tuple<std::string, std::uint32_t, std::string, std::uint32_t>, const tested_function*> tested;
  for (const tested_function& each : to.functions) tested[{each.file, each.line, each.name, each.body}] = &each;
  const auto goal_of = [&](const coupling::branch_id& branch) -> std::optional<std::uint32_t> {
    const coupling::function& in = graph.functions[branch.function];
    const auto function = tested.find({in.file, in.line, in.name, in.body});
    if (function == tested.end()) return std::nullopt;
    const auto at = function->second->branches.find({branch.site, branch.outcome});
    if (at == function->second->branches.end()) return std::nullopt;
    return at->second;
  };
  for (objective& each : to.objectives) each.is_wanted = false;
  for (const coupling::coupled_pair& each : pairs) {
    const auto caller = goal_of(each.caller), callee = goal_of(each.callee);
    if (!caller || !callee) {
      ++to.unseen_pairs;
      continue;
    }
    to.objectives[*caller].is_wanted = true;
    to.pairs.push_back({*caller, *callee});
    to.objectives.push_back({.after = {*caller}});
  }
}

pair_distances::pair_distances(const goal_set& of)
    : goals_(of.goals.size()), pairs_(of.pairs), of_caller_(of.goals.size()) {
  for (std::uint32_t p = 0; p < pairs_.size(); ++p) of_caller_[pairs_[p].caller].push_back(p);
}

void pair_distances::add(outcome& to) const {
  if (pairs_.empty()) return;
  std::vector<float> distance(goals_, untouched);
  for (const auto& [goal, now] : to.goals) distance[goal] = now;
  const std::size_t touched = to.goals.size();
  for (std::size_t i = 0; i < touched; ++i) {
    const auto [caller, to_caller] = to.goals[i];
    for (const std::uint32_t p : of_caller_[caller])
      to.goals.emplace_back(static_cast<std::uint32_t>(goals_ + p),
                            (to_caller > 0 ? to_caller + 1 : distance[pairs_[p].callee]) / 2);
  }
}

}  // namespace morph::generate
