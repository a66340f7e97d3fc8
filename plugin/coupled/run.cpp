// From names of units to an answer.
#include "plugin/coupled/run.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include "plugin/coupled/forms.hpp"
#include "plugin/coupled/pairs.hpp"
#include "plugin/coupled/subject.hpp"
#include "plugin/source_reader/scoped_names.hpp"

namespace morph::coupled {
namespace {

/// At the colon that is not part of a `::`.
result<std::pair<std::string, std::string>> names_in(const std::string& pair) {
  for (std::size_t at = 0; at < pair.size(); ++at) {
    if (pair[at] != ':') continue;
    if (at + 1 < pair.size() && pair[at + 1] == ':') {
      ++at;
      continue;
    }
    if (at == 0 || at + 1 == pair.size()) break;
    return std::pair(pair.substr(0, at), pair.substr(at + 1));
  }
  return tl::unexpected(fmt::format("'{}' is no CALLER:CALLEE, two classes or two files", pair));
}

result<coupling::unit> unit_named(const coupling::branch_graph& graph, const std::string& name) {
  std::set<std::string> files;
  for (const coupling::function& each : graph.functions) files.insert(each.file);
  if (files.contains(name)) return coupling::unit{name, true};
  const auto found = coupling::classes_named(graph, name);
  if (found.size() == 1) return coupling::unit{found.front(), false};
  if (found.size() > 1)
    return tl::unexpected(fmt::format("'{}' may be {}; name one with its namespaces", name, fmt::join(found, " or ")));
  std::vector<std::string> classes;
  for (const auto& [each, facts] : graph.classes) classes.push_back(each);
  const std::string text = source_reader::no_class(name, classes);
  return tl::unexpected(text.ends_with('?') ? text
                                            : text + "; name two classes, or two files as the report names them");
}

result<std::string> answer_pair(const subject& of, const request& asked) {
  const auto names = names_in(asked.pair);
  if (!names) return tl::unexpected(names.error());
  const auto caller = unit_named(of.sources.graph, names->first), callee = unit_named(of.sources.graph, names->second);
  if (!caller) return tl::unexpected(caller.error());
  if (!callee) return tl::unexpected(callee.error());
  const auto found = coupling::coupled(of.sources.graph, *caller, *callee, {asked.has_entry_branch});
  if (found.sites.empty()) {
    const auto others = coupling::called_classes(of.sources.graph, *caller);
    return tl::unexpected(
        fmt::format("'{}' never calls '{}'; it calls {}", caller->name, callee->name,
                    others.empty() ? "no class of the project" : fmt::format("{}", fmt::join(others, ", "))));
  }
  const auto branches = judge(found, *of.evidence);
  const unit_pair pair{*caller, *callee, found.sites.size(), found.sites_without_branch, tally(branches)};
  return asked.as_json ? pair_as_json(of, pair, branches) : pair_as_text(of, pair, branches);
}

}  // namespace

contract::outcome<std::string> run(const build::build_tree& tree, const request& asked, system::observer& told) {
  const auto read = read_subject(tree, asked.approximate, told);
  if (!read) return contract::not_done(contract::environment, read.error());
  if (!asked.pair.empty()) {
    auto answer = answer_pair(*read, asked);
    if (!answer) return contract::not_done(contract::usage, answer.error());
    return std::move(*answer);
  }
  const auto pairs = all_pairs(read->sources.graph, *read->evidence, {asked.has_entry_branch});
  return asked.as_json ? list_as_json(*read, pairs) : list_as_text(*read, pairs);
}

}  // namespace morph::coupled
