// The operators, files and mutants that a request of `morph mutate` leaves.
#include "plugin/mutating/request.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "coverage/mutation/operator_table.hpp"
#include "plugin/system/files.hpp"

namespace morph::mutating {

bool request::is_chosen(const std::string& path) const {
  const auto is_in = [&](const std::vector<std::string>& globs) {
    return std::ranges::any_of(globs, [&](const std::string& g) { return system::matches_glob(g, path); });
  };
  return (only.empty() || is_in(only)) && !is_in(without);
}

result<std::vector<std::string>> operators_named(const std::vector<std::string>& names) {
  const bool all = names == std::vector<std::string>{"all"};
  if (!names.empty() && !all) {
    for (const std::string& name : names)
      if (mutation::find_operator_fact(name) == nullptr)
        return tl::unexpected(
            fmt::format("there is no mutation operator '{}'; `morph mutate --list-operators` shows them", name));
    return names;
  }
  std::vector<std::string> chosen;
  for (const auto& op : mutation::operator_facts())
    if (all || op.by_default) chosen.emplace_back(op.name);
  return chosen;
}

std::vector<std::string> scope_of(const request& asked) {
  std::vector<std::string> scope;
  const bool has_all_operators = std::ranges::all_of(mutation::operator_facts(), [&](const auto& op) {
    return !op.by_default || std::ranges::find(asked.operators, op.name) != asked.operators.end();
  });
  if (!has_all_operators) scope.push_back(fmt::format("--operators {}", fmt::join(asked.operators, ",")));
  for (const std::string& glob : asked.only) scope.push_back("--only " + glob);
  for (const std::string& glob : asked.without) scope.push_back("--without " + glob);
  if (asked.only_changed)
    scope.push_back(asked.since.empty() ? std::string("--diff") : "--diff --since " + asked.since);
  if (asked.sample) scope.push_back(fmt::format("--sample {}", *asked.sample));
  return scope;
}

}  // namespace morph::mutating
