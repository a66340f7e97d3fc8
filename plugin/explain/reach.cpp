// The search, the order, and why nothing was found.
#include "plugin/explain/reach.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <deque>
#include <optional>
#include <set>
#include <tuple>

namespace morph::explain {
namespace {

/// Of a name with parameters: what calls of tests and reports agree on.
std::string_view without_parameters(std::string_view name) {
  const auto at = name.find('(', name.starts_with("(anonymous") ? 1 : 0);
  return name.substr(0, at);
}

bool is_same(std::string_view name, std::string_view named) {
  if (name == named) return true;
  // Reports leave out that a method is constant.
  constexpr std::string_view constant = " const";
  return name.ends_with(constant) && name.substr(0, name.size() - constant.size()) == named;
}

/// Who may be entered by a call of a function, by its name: itself, and all that override it.
class entered_functions {
 public:
  explicit entered_functions(const coupling::branch_graph& graph) {
    for (std::uint32_t i = 0; i < graph.functions.size(); ++i) by_name_[graph.functions[i].name].push_back(i);
    for (const auto& [name, facts] : graph.classes)
      for (const auto& [own, overridden] : facts.overrides)
        for (const std::string& base : overridden) overriders_[base].insert(own);
  }

  std::vector<std::uint32_t> of(const coupling::call& call) const {
    std::set<std::string> names{call.callee};
    std::deque<std::string> open{call.callee};
    while (call.is_virtual && !open.empty()) {
      const auto at = overriders_.find(open.front());
      open.pop_front();
      if (at == overriders_.end()) continue;
      for (const std::string& each : at->second)
        if (names.insert(each).second) open.push_back(each);
    }
    std::vector<std::uint32_t> made;
    for (const std::string& each : names)
      if (const auto at = by_name_.find(each); at != by_name_.end())
        made.insert(made.end(), at->second.begin(), at->second.end());
    return made;
  }

 private:
  std::map<std::string, std::vector<std::uint32_t>> by_name_;
  std::map<std::string, std::set<std::string>> overriders_;
};

bool is_on_some_path(const std::string& name, const std::vector<std::vector<std::string>>& paths) {
  return std::ranges::any_of(paths, [&](const std::vector<std::string>& path) {
    return std::ranges::any_of(
        path, [&](const std::string& each) { return is_same(name, each) || without_parameters(name) == each; });
  });
}

// A test that goes through a function is a pattern to begin with, worth as much as being one call nearer.
auto order_of(const test_point& of) {
  return std::tuple(of.is_getter, of.distance + (of.is_on_path ? 0 : 1), !of.is_on_path, of.objects, of.parameters,
                    std::string_view(of.function));
}

/// Containers and algorithms call them, and headers of the system are not read for calls.
bool is_operator(std::string_view name) {
  const auto at = without_parameters(name).rfind("operator");
  if (at == std::string_view::npos || (at > 0 && name[at - 1] != ':')) return false;
  const char next = name[at + std::string_view("operator").size()];
  return std::isalnum(static_cast<unsigned char>(next)) == 0 && next != '_';
}

}  // namespace

std::vector<caller_level> callers_of(const coupling::branch_graph& graph, const std::string& named) {
  const entered_functions entered(graph);
  std::vector<std::vector<std::uint32_t>> callers(graph.functions.size());
  for (std::uint32_t i = 0; i < graph.functions.size(); ++i) {
    if (const auto within = graph.functions[i].within) callers[i].push_back(*within);
    for (const coupling::call& each : graph.functions[i].calls)
      for (const std::uint32_t to : entered.of(each)) callers[to].push_back(i);
  }
  std::vector<caller_level> made;
  std::vector<bool> seen(graph.functions.size(), false);
  for (std::uint32_t i = 0; i < graph.functions.size(); ++i)
    if (is_same(graph.functions[i].name, named)) {
      seen[i] = true;
      made.push_back({i, 0});
    }
  for (std::size_t next = 0; next < made.size(); ++next)
    for (const std::uint32_t each : callers[made[next].function])
      if (!seen[each]) {
        seen[each] = true;
        made.push_back({each, made[next].distance + 1});
      }
  return made;
}

test_points nearest_test_points(const project_functions& of, const std::string& named,
                                const std::vector<std::vector<std::string>>& paths) {
  const auto levels = callers_of(of.graph, named);
  test_points made;
  std::optional<std::string> own_reason;
  for (const caller_level& level : levels) {
    const std::string& name = of.graph.functions[level.function].name;
    const auto at = of.access.find(name);
    if (level.distance == 0 && !own_reason) own_reason = at == of.access.end() ? "was not read" : at->second.why_not;
    if (at == of.access.end() || !at->second.why_not.empty()) continue;
    const function_access& access = at->second;
    made.points.push_back({name, access.header, level.distance, is_on_some_path(name, paths), access.parameters,
                           access.objects, access.is_getter});
    if (level.distance == 0) return made;
  }
  std::ranges::sort(made.points, {}, [](const test_point& each) { return order_of(each); });
  const auto gone = std::ranges::unique(made.points, {}, &test_point::function);
  made.points.erase(gone.begin(), gone.end());
  if (!made.points.empty()) return made;
  if (levels.empty())
    made.why_none = fmt::format("Clang has not read '{}' in the sources of the project's production code", named);
  else if (levels.size() == 1)
    made.why_none = fmt::format("'{}' {}, and nothing in the project's production code calls it{}", named,
                                own_reason.value_or("cannot be called"),
                                is_operator(named) ? " by name (a standard container or algorithm may)" : "");
  else
    made.why_none = fmt::format(
        "'{}' {}, and no test can call the {} to it", named, own_reason.value_or("cannot be called"),
        levels.size() == 2 ? "function that leads" : fmt::format("{} functions that lead", levels.size() - 1));
  return made;
}

}  // namespace morph::explain
