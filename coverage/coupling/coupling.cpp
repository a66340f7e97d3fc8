// Definitions 3.1 to 3.4, and the rules of section 3.1.5.
#include "coverage/coupling/coupling.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "coverage/coupling/class_graph.hpp"

namespace morph::coupling {
namespace {

class coupler {
 public:
  coupler(const branch_graph& graph, const unit& caller, const unit& callee)
      : graph_(graph),
        caller_(caller),
        callee_(callee),
        classes_(graph),
        from_(graph, caller, callee),
        to_(graph, callee, caller),
        caller_is_super_(!caller.is_file && !callee.is_file && classes_.is_below(callee.name, caller.name)),
        caller_is_sub_(!caller.is_file && !callee.is_file && classes_.is_below(caller.name, callee.name)) {}

  coupled_branches all(const options& by) {
    coupled_branches made;
    std::set<coupled_pair> pairs;
    for (const std::uint32_t f : from_.functions()) {
      const auto& calls = graph_.functions[f].calls;
      for (std::uint32_t c = 0; c < calls.size(); ++c) {
        if (!calls[c].is_from_entry || !is_site(f, calls[c])) continue;
        call_site site{f, c, leading_to(f, calls[c]), reached_by(f, calls[c])};
        made.sites_without_branch += site.caller.empty() ? 1U : 0U;
        if (site.caller.empty() && by.has_entry_branch) site.caller.push_back({f, entry_site, 1});
        for (const branch_id& r : site.caller)
          for (const branch_id& e : site.callee) pairs.insert({r, e});
        made.sites.push_back(std::move(site));
      }
    }
    made.pairs.assign(pairs.begin(), pairs.end());
    return made;
  }

 private:
  bool is_site(std::uint32_t from, const call& of) const {
    if (callee_.is_file) return to_.target(from, of).has_value() && !from_.target(from, of);
    const bool is_named = of.callee_class == callee_.name || of.receiver == callee_.name;
    if (caller_is_super_) {
      const auto target = to_.target(from, of);
      return target && redefines(graph_.functions[*target].name);
    }
    if (caller_is_sub_)
      return (is_named || to_.target(from, of)) && classes_.final_one(caller_.name, of.callee) == of.callee;
    return is_named;
  }

  bool redefines(const std::string& function) const {
    const auto at = graph_.classes.find(callee_.name);
    return at != graph_.classes.end() && at->second.overrides.contains(function);
  }

  /// B_R(s): of callers of its function too, where s runs whenever the function does.
  std::vector<branch_id> leading_to(std::uint32_t function, const call& of) const {
    std::set<branch_id> made;
    std::set<std::uint32_t> seen;
    std::vector<std::pair<std::uint32_t, const call*>> open{{function, &of}};
    while (!open.empty()) {
      const auto [f, c] = open.back();
      open.pop_back();
      for (const branch& each : c->leads) made.insert({f, each.site, each.outcome});
      if (!c->is_always || !seen.insert(f).second) continue;
      for (const auto& further : from_.calls_of(f)) open.push_back(further);
    }
    return {made.begin(), made.end()};
  }

  /// B_E(s): of what the called function calls in the callee too.
  std::vector<branch_id> reached_by(std::uint32_t from, const call& of) {
    const auto first = to_.target(from, of);
    if (!first) return {};
    if (const auto known = reached_.find(*first); known != reached_.end()) return known->second;
    std::set<branch_id> made;
    std::set<std::uint32_t> seen{*first};
    std::vector<std::uint32_t> open{*first};
    const auto enter = [&](std::uint32_t next) {
      if (seen.insert(next).second) open.push_back(next);
    };
    while (!open.empty()) {
      const std::uint32_t f = open.back();
      open.pop_back();
      for (const branch& each : graph_.functions[f].entry) made.insert({f, each.site, each.outcome});
      for (const call& each : graph_.functions[f].calls)
        if (const auto next = each.is_from_entry ? to_.target(f, each) : std::nullopt) enter(*next);
      for (const std::uint32_t next : to_.lambdas_in(f)) enter(next);
    }
    return reached_[*first] = {made.begin(), made.end()};
  }

  const branch_graph& graph_;
  const unit &caller_, &callee_;
  hierarchy classes_;
  class_graph from_, to_;
  bool caller_is_super_, caller_is_sub_;
  std::map<std::uint32_t, std::vector<branch_id>> reached_;
};

std::size_t decisions_of(const branch_graph& graph, const std::string& name) {
  const class_graph all(graph, {name}, {});
  std::size_t made = 0;
  for (const std::uint32_t f : all.functions())
    for (const site& each : graph.functions[f].sites) made += each.outcomes.empty() ? 0 : each.outcomes.size() - 1;
  return made;
}

}  // namespace

coupled_branches coupled(const branch_graph& graph, const unit& caller, const unit& callee, const options& by) {
  if (caller.name == callee.name) return {};
  return coupler(graph, caller, callee).all(by);
}

std::vector<std::uint32_t> covering_functions(const branch_graph& graph, const unit& caller,
                                              const coupled_branches& of) {
  const class_graph all(graph, caller, {});
  std::set<std::uint32_t> made;
  std::vector<std::uint32_t> open;
  for (const call_site& each : of.sites) open.push_back(each.function);
  while (!open.empty()) {
    const std::uint32_t f = open.back();
    open.pop_back();
    if (!made.insert(f).second) continue;
    if (const auto around = graph.functions[f].within) open.push_back(*around);
    for (const auto& [from, call] : all.calls_of(f)) open.push_back(from);
  }
  return {made.begin(), made.end()};
}

std::vector<std::string> called_classes(const branch_graph& graph, const unit& caller) {
  const class_graph all(graph, caller, {});
  std::set<std::string> made;
  for (const std::uint32_t f : all.functions())
    for (const call& each : graph.functions[f].calls)
      for (const std::string& name : {each.callee_class, each.receiver})
        if (!name.empty() && name != caller.name) made.insert(name);
  return {made.begin(), made.end()};
}

std::vector<candidate> candidates(const branch_graph& graph, const options& by) {
  std::map<std::string, std::size_t> decisions;
  for (const auto& [name, facts] : graph.classes) decisions[name] = decisions_of(graph, name);
  std::vector<candidate> made;
  const hierarchy classes(graph);
  for (const auto& [caller, caller_decisions] : decisions) {
    if (caller_decisions == 0 && !by.has_entry_branch) continue;
    std::vector<std::string> callees = called_classes(graph, {caller});
    for (const auto& [name, facts] : graph.classes)  // a virtual call does not name them
      if (classes.is_below(name, caller) && std::ranges::find(callees, name) == callees.end()) callees.push_back(name);
    for (const std::string& callee : callees) {
      const auto at = decisions.find(callee);
      if (at == decisions.end() || at->second == 0) continue;
      const coupled_branches found = coupled(graph, {caller}, {callee}, by);
      if (found.pairs.empty()) continue;
      made.push_back({caller, callee, found.sites.size(), found.pairs.size(), caller_decisions + at->second});
    }
  }
  std::ranges::stable_sort(made, std::greater(), [](const candidate& each) { return each.complexity * each.sites; });
  return made;
}

}  // namespace morph::coupling
