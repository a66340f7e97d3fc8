// The printers.
#include "plugin/coupled/forms.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "plugin/contract/formats.hpp"
#include "plugin/system/counted.hpp"

namespace morph::coupled {
namespace {

using nlohmann::json;

/// 100 only if nothing is missing.
std::string percent(const pair_tally& of) {
  if (of.known() == 0) return "n/a";
  const std::size_t thousandths = of.covered * 1000 / of.known();
  return fmt::format("{}.{}", thousandths / 10, thousandths % 10);
}

pair_tally total_of(const std::vector<unit_pair>& pairs) {
  pair_tally total;
  for (const unit_pair& each : pairs) total += each.pairs;
  return total;
}

std::string outcome_of(const source_branches& of, coupling::branch_id branch) {
  const std::string& kind = of.graph.functions[branch.function].sites[branch.site].kind;
  if (kind == "loop") return branch.outcome == 1 ? "is entered" : "ends";
  if (kind != "switch") return branch.outcome == 1 ? "is true" : "is false";
  const json* const read = of.read[branch.function];
  if (read == nullptr) return fmt::format("is case {}", branch.outcome);
  const json& cases = read->at("sites").at(branch.site).at("cases");
  if (branch.outcome < cases.size()) return fmt::format("is {}", cases[branch.outcome].at(1).get<std::string>());
  return read->at("sites").at(branch.site).at("default").get<bool>() ? "is default" : "is no case";
}

std::string text_of(const source_branches& of, coupling::branch_id branch) {
  const coupling::function& function = of.graph.functions[branch.function];
  if (branch.is_entry()) return fmt::format("{}:{} {} is entered", function.file, function.line, function.name);
  const coupling::site& site = function.sites[branch.site];
  return fmt::format("{}:{} {} {}", function.file, site.line, site.text, outcome_of(of, branch));
}

json json_of(const subject& of, coupling::branch_id branch) {
  const coupling::function& function = of.sources.graph.functions[branch.function];
  json one{{"file", function.file}, {"function", function.name}, {"class", function.in_class}};
  if (branch.is_entry()) {
    one["line"] = function.line;
    one["outcome"] = "is entered";
    return one;
  }
  one["line"] = function.sites[branch.site].line;
  one["condition"] = function.sites[branch.site].text;
  one["outcome"] = outcome_of(of.sources, branch);
  return one;
}

const char* name_of(pair_state state) {
  switch (state) {
    case pair_state::covered:
      return "covered";
    case pair_state::uncovered:
      return "not covered";
    case pair_state::unknown:
      return "not mapped";
    case pair_state::changed:
      return "changed";
  }
  return "";
}

json json_of(const pair_tally& of) {
  return {{"covered", of.covered}, {"not_covered", of.uncovered}, {"not_mapped", of.unknown}, {"changed", of.changed}};
}

json json_of(const unit_pair& of) {
  json one{{"caller", of.caller.name},
           {"callee", of.callee.name},
           {"calls", of.sites},
           {"unconditional_calls", of.sites_without_branch}};
  one["pairs"] = json_of(of.pairs);
  return one;
}

std::vector<std::string> notes_of(const subject& of, const pair_tally& pairs) {
  std::vector<std::string> notes = report::notes_on(of.covered, of.from);
  if (pairs.unknown > 0)
    notes.push_back(fmt::format("{} cannot be told from gcov's evidence, and {} left out of the share",
                                system::counted(pairs.unknown, "pair"), pairs.unknown == 1 ? "is" : "are"));
  if (pairs.changed > 0)
    notes.push_back(fmt::format("{} of functions that changed since the measurement {} left out",
                                system::counted(pairs.changed, "pair"), pairs.changed == 1 ? "is" : "are"));
  return notes;
}

std::string head(const subject& of, const pair_tally& pairs) {
  std::string text = report::base_text(of.from.commit, of.from.distance) + '\n';
  for (const std::string& note : notes_of(of, pairs)) text += fmt::format("note: {}\n", note);
  return text;
}

json head_as_json(const subject& of, const pair_tally& pairs) {
  json root = report::json_head(contract::coupled_coverage_schema, of.covered, of.from);
  root["notes"] = notes_of(of, pairs);
  root["totals"] = json_of(pairs);
  return root;
}

}  // namespace

std::string name_of(const source_branches& of, const coupling::coupled_pair& pair) {
  return fmt::format("{} -> {}", text_of(of, pair.caller), text_of(of, pair.callee));
}

std::string list_as_text(const subject& of, const std::vector<unit_pair>& pairs) {
  const pair_tally total = total_of(pairs);
  std::string text = head(of, total);
  std::size_t caller = std::string("caller").size(), callee = std::string("callee").size();
  for (const unit_pair& each : pairs) {
    caller = std::max(caller, each.caller.name.size());
    callee = std::max(callee, each.callee.name.size());
  }
  const auto row = [&](const std::string& a, const std::string& b, const auto& calls, const auto& all,
                       const auto& covered, const auto& left_out, const std::string& share) {
    text += fmt::format("{:<{}}  {:<{}}  {:>5}  {:>7}  {:>7}  {:>8}  {:>5}\n", a, caller, b, callee, calls, all,
                        covered, left_out, share);
  };
  row("caller", "callee", "calls", "pairs", "covered", "left out", "%");
  const auto add = [&](const std::string& a, const std::string& b, std::size_t calls, const pair_tally& each) {
    row(a, b, calls, each.known(), each.covered, each.unknown + each.changed, percent(each));
  };
  std::size_t calls = 0;
  for (const unit_pair& each : pairs) {
    add(each.caller.name, each.callee.name, each.sites, each.pairs);
    calls += each.sites;
  }
  add("total", "", calls, total);
  return text;
}

std::string list_as_json(const subject& of, const std::vector<unit_pair>& pairs) {
  json root = head_as_json(of, total_of(pairs));
  root["pairs"] = json::array();
  for (const unit_pair& each : pairs) root["pairs"].push_back(json_of(each));
  return report::dump(root);
}

std::string pair_as_text(const subject& of, const unit_pair& pair, const std::vector<judged_pair>& branches) {
  std::string text = head(of, pair.pairs);
  text += fmt::format("{} calls {} {}", pair.caller.name, pair.callee.name, system::counted(pair.sites, "time"));
  if (pair.sites_without_branch > 0) text += fmt::format(", {} of these unconditionally", pair.sites_without_branch);
  if (branches.empty()) return text + ": no branches are coupled (n/a)\n";
  text += fmt::format("; {} of {} are covered ({} %)\n", pair.pairs.covered,
                      system::counted(pair.pairs.known(), "coupled pair"), percent(pair.pairs));
  for (const pair_state state : {pair_state::uncovered, pair_state::unknown}) {
    if (std::ranges::find(branches, state, &judged_pair::state) == branches.end()) continue;
    text += fmt::format("{}:\n", name_of(state));
    for (const judged_pair& each : branches)
      if (each.state == state) text += fmt::format("  {}\n", name_of(of.sources, each.pair));
  }
  return text;
}

std::string pair_as_json(const subject& of, const unit_pair& pair, const std::vector<judged_pair>& branches) {
  json root = head_as_json(of, pair.pairs);
  root["pairs"] = json::array({json_of(pair)});
  root["branches"] = json::array();
  for (const judged_pair& each : branches) {
    json one{{"caller", json_of(of, each.pair.caller)},
             {"callee", json_of(of, each.pair.callee)},
             {"state", name_of(each.state)},
             {"tests", json::array()}};
    if (each.state == pair_state::covered)
      for (const std::uint32_t test :
           common(of.evidence->of(each.pair.caller).surely, of.evidence->of(each.pair.callee).surely))
        one["tests"].push_back(of.covered.tests[test].facts.name);
    root["branches"].push_back(std::move(one));
  }
  return report::dump(root);
}

}  // namespace morph::coupled
