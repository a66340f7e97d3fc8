// Inheritance and internal calls.
#include "coverage/coupling/class_graph.hpp"

#include <algorithm>

namespace morph::coupling {

std::vector<std::string> hierarchy::above(const std::string& name) const {
  std::vector<std::string> made{name};
  for (std::size_t i = 0; i < made.size(); ++i) {
    const auto at = graph_.classes.find(made[i]);
    if (at == graph_.classes.end()) continue;
    for (const std::string& base : at->second.bases)
      if (std::ranges::find(made, base) == made.end()) made.push_back(base);
  }
  made.erase(made.begin());
  return made;
}

bool hierarchy::is_below(const std::string& derived, const std::string& base) const {
  const auto all = above(derived);
  return std::ranges::find(all, base) != all.end();
}

bool hierarchy::does_override(const std::string& of_class, const std::string& own, const std::string& function) const {
  const auto at = graph_.classes.find(of_class);
  if (at == graph_.classes.end()) return false;
  const auto overridden = at->second.overrides.find(own);
  if (overridden == at->second.overrides.end()) return false;
  if (overridden->second.contains(function)) return true;
  for (const std::string& base : above(of_class))
    for (const std::string& between : overridden->second)
      if (does_override(base, between, function)) return true;
  return false;
}

std::string hierarchy::final_one(const std::string& of_class, const std::string& function) const {
  std::vector<std::string> all = above(of_class);
  all.insert(all.begin(), of_class);
  for (const std::string& each : all) {
    const auto at = graph_.classes.find(each);
    if (at == graph_.classes.end()) continue;
    for (const auto& [own, overridden] : at->second.overrides)
      if (own == function || does_override(each, own, function)) return own;
  }
  return function;
}

class_graph::class_graph(const branch_graph& graph, const unit& of, const unit& other)
    : graph_(graph), of_(of), other_(other), classes_(graph) {
  const auto above = of.is_file ? std::vector<std::string>{} : classes_.above(of.name);
  for (std::uint32_t i = 0; i < graph.functions.size(); ++i) {
    if (!belongs(graph.functions[i], above)) continue;
    functions_.insert(i);
    by_name_.emplace(graph.functions[i].name, i);
  }
  for (const std::uint32_t i : functions_)
    for (const call& each : graph.functions[i].calls)
      if (const auto to = target(i, each)) calls_of_.emplace(*to, std::pair(i, &each));
}

bool class_graph::belongs(const function& each, const std::vector<std::string>& above) const {
  if (of_.is_file) return each.file == of_.name && (other_.is_file || each.in_class != other_.name);
  const function* method = &each;
  while (method->within) method = &graph_.functions[*method->within];
  const bool is_own = each.in_class == of_.name;
  if (!is_own && std::ranges::find(above, each.in_class) == above.end()) return false;
  if (!other_.is_file && classes_.is_below(of_.name, other_.name)) return is_own;
  const bool is_super = !other_.is_file && classes_.is_below(other_.name, of_.name);
  return classes_.final_one(is_super ? other_.name : of_.name, method->name) == method->name;
}

std::optional<std::uint32_t> class_graph::target(std::uint32_t from, const call& of) const {
  const std::string name = of.is_virtual && !of_.is_file ? classes_.final_one(of_.name, of.callee) : of.callee;
  const auto [begin, end] = by_name_.equal_range(name);
  std::optional<std::uint32_t> found;
  std::size_t near = 0, all = 0;
  const std::string& file = graph_.functions[from].file;
  for (auto at = begin; at != end; ++at, ++all) {
    const bool is_near = graph_.functions[at->second].file == file;
    if (is_near || !found) found = at->second;
    near += is_near ? 1U : 0U;
  }
  // Static functions of several files, and lambdas of one function, share a name.
  return near == 1 || (near == 0 && all == 1) ? found : std::nullopt;
}

std::vector<std::pair<std::uint32_t, const call*>> class_graph::calls_of(std::uint32_t function) const {
  std::vector<std::pair<std::uint32_t, const call*>> made;
  const auto [begin, end] = calls_of_.equal_range(function);
  for (auto at = begin; at != end; ++at) made.push_back(at->second);
  return made;
}

std::vector<std::uint32_t> class_graph::lambdas_in(std::uint32_t function) const {
  std::vector<std::uint32_t> made;
  for (const std::uint32_t i : functions_)
    if (graph_.functions[i].within == function) made.push_back(i);
  return made;
}

}  // namespace morph::coupling
