// Answers of `morph-source`, united.
#include "coverage/coupling/graph.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <tuple>

namespace morph::coupling {
namespace {

using nlohmann::json;

branch branch_of(const json& from) {
  return {from.at(0), from.at(1)};
}

std::vector<branch> branches_of(const json& from) {
  std::vector<branch> made;
  for (const json& each : from) made.push_back(branch_of(each));
  std::ranges::sort(made);
  return made;
}

site site_of(const json& from) {
  site made{from.at("line"), from.at("kind"), from.at("text"), {}};
  const auto never = from.value("never", std::vector<std::uint32_t>{});
  const auto outcomes = made.kind == "switch" ? static_cast<std::uint32_t>(from.at("cases").size()) + 1 : 2;
  for (std::uint32_t outcome = 0; outcome < outcomes; ++outcome)
    if (std::ranges::find(never, outcome) == never.end()) made.outcomes.push_back(outcome);
  return made;
}

bool can_occur(const function& of, branch each) {
  return each.site < of.sites.size() &&
         std::ranges::find(of.sites[each.site].outcomes, each.outcome) != of.sites[each.site].outcomes.end();
}

call call_of(const json& from, const function& caller) {
  call made{.line = from.at("line"),
            .callee = from.at("callee"),
            .callee_class = from.at("callee_class"),
            .callee_file = from.at("callee_file"),
            .receiver = from.value("receiver", ""),
            .is_virtual = from.value("virtual", false),
            .is_always = from.value("always", false)};
  const auto under = branches_of(from.at("under")), follows = branches_of(from.at("follows"));
  std::ranges::set_intersection(under, follows, std::back_inserter(made.leads));
  std::erase_if(made.leads, [&](branch each) { return !can_occur(caller, each); });
  made.is_from_entry = made.is_always || std::ranges::any_of(under, [&](branch each) {
                         return std::ranges::binary_search(caller.entry, each);
                       });
  return made;
}

function function_of(const json& from, const std::string& file) {
  function made{.name = from.at("name"), .in_class = from.at("class"), .file = file};
  made.line = from.at("line");
  made.end_line = from.at("end_line");
  made.begin = from.at("begin");
  made.body = from.at("body");
  made.end = from.at("end");
  for (const json& each : from.at("sites")) made.sites.push_back(site_of(each));
  made.entry = branches_of(from.at("entry"));
  std::erase_if(made.entry, [&](branch each) { return !can_occur(made, each); });
  for (const json& each : from.at("calls")) made.calls.push_back(call_of(each, made));
  return made;
}

/// The innermost function around each, by bytes.
void nest(std::vector<function>& functions) {
  std::vector<std::uint32_t> order(functions.size());
  for (std::uint32_t i = 0; i < order.size(); ++i) order[i] = i;
  std::ranges::stable_sort(order, {}, [&](std::uint32_t i) {
    const function& of = functions[i];
    return std::tuple(of.file, of.begin, -static_cast<std::int64_t>(of.end));
  });
  std::vector<std::uint32_t> around;
  for (const std::uint32_t i : order) {
    function& one = functions[i];
    const auto is_around = [&](const function& other) { return other.file == one.file && one.end <= other.end; };
    while (!around.empty() && !is_around(functions[around.back()])) around.pop_back();
    if (!around.empty() && one.name.find("operator()") != std::string::npos) one.within = around.back();
    around.push_back(i);
  }
}

}  // namespace

branch_graph graph_of(const std::vector<json>& units) {
  branch_graph made;
  std::set<std::tuple<std::string, std::uint32_t, std::string, std::uint32_t>> known;
  for (const json& unit : units) {
    for (const json& file : unit.at("files")) {
      const std::string path = file.at("path");
      for (const json& each : file.at("functions"))
        if (known.emplace(path, each.at("line"), each.at("name"), each.at("end")).second)
          made.functions.push_back(function_of(each, path));
    }
    for (const json& each : unit.value("classes", json::array())) {
      class_facts& facts = made.classes[each.at("name")];
      if (facts.bases.empty()) facts.bases = each.at("bases");
      for (const json& one : each.at("overrides")) facts.overrides[one.at(0)].insert(one.at(1).get<std::string>());
    }
  }
  for (const function& each : made.functions)
    if (!each.in_class.empty()) made.classes[each.in_class];
  nest(made.functions);
  return made;
}

std::vector<std::string> classes_named(const branch_graph& graph, const std::string& named) {
  std::vector<std::string> made;
  for (const auto& [name, facts] : graph.classes)
    if (name == named) return {name};
  for (const auto& [name, facts] : graph.classes)
    if (name.ends_with("::" + named)) made.push_back(name);
  return made;
}

}  // namespace morph::coupling
