// Branches as JSON, the form in which `morph-source` hands them over.
#include <array>
#include <nlohmann/json.hpp>

#include "coverage/source/branches/branches.hpp"

namespace morph::source {
namespace {

using nlohmann::json;

const char* name_of(site_kind kind) {
  constexpr std::array names{"compare", "text", "truth", "switch", "loop", "declared", "unseen"};
  return names.at(static_cast<std::size_t>(kind));
}

const char* name_of(operand_kind kind) {
  constexpr std::array names{"number", "string", "view", "pointer"};
  return names.at(static_cast<std::size_t>(kind));
}

const char* name_of(code_kind kind) {
  constexpr std::array names{"unknown", "if", "either", "loop", "do", "range", "switch", "value"};
  return names.at(static_cast<std::size_t>(kind));
}

const char* name_of(value_first how) {
  constexpr std::array names{"no", "perhaps", "by calls", "by temporaries"};
  return names.at(static_cast<std::size_t>(how));
}

json to_json(const site_code& of) {
  json one{{"part_of", name_of(of.kind)}, {"statement", of.statement}, {"end_line", of.last_line}};
  if (of.goes_on) one["goes_on"] = *of.goes_on;
  if (of.is_negated) one["negated"] = true;
  if (of.cleans_up) one["cleans_up"] = true;
  if (of.around != turned::unknown) one["turned"] = of.around == turned::yes;
  if (of.value != value_first::no) one["value_first"] = name_of(of.value);
  if (of.kind == code_kind::choice) one["labels"] = of.labels;
  return one;
}

json pair_of(byte_range of) {
  return json::array({of.begin, of.end});
}

json list_of(const std::vector<branch>& branches) {
  json list = json::array();
  for (const branch& each : branches) list.push_back(json::array({each.site, each.outcome}));
  return list;
}

json to_json(const branch_site& of) {
  json one{{"kind", name_of(of.kind)}, {"line", of.line}, {"begin", of.range.begin},
           {"end", of.range.end},      {"text", of.text}, {"under", list_of(of.under)}};
  if (!of.never.empty()) one["never"] = of.never;
  if (of.code.kind != code_kind::unknown) one["code"] = to_json(of.code);
  switch (of.kind) {
    case site_kind::text:
      one["left_kind"] = name_of(of.left_kind);
      one["right_kind"] = name_of(of.right_kind);
      [[fallthrough]];
    case site_kind::compare:
      one["op"] = of.op;
      one["left"] = pair_of(of.left);
      one["right"] = pair_of(of.right);
      one["operator"] = pair_of(of.op_range);
      break;
    case site_kind::choice:
      one["cases"] = json::array();
      for (const auto& [value, label] : of.cases) one["cases"].push_back(json::array({value, label}));
      one["default"] = of.has_default;
      break;
    case site_kind::loop:
      one["body"] = of.body;
      break;
    case site_kind::declared:
      one["then"] = of.then;
      one["else"] = of.otherwise;
      break;
    case site_kind::unseen:
      one["why"] = of.why;
      break;
    case site_kind::truth:
      break;
  }
  return one;
}

json to_json(const branch_call& of) {
  json one{{"begin", of.begin},
           {"line", of.line},
           {"callee", of.callee},
           {"callee_class", of.callee_class},
           {"callee_file", of.callee_file},
           {"under", list_of(of.under)},
           {"follows", list_of(of.follows)}};
  if (!of.receiver.empty()) one["receiver"] = of.receiver;
  if (of.is_virtual) one["virtual"] = true;
  if (of.is_always) one["always"] = true;
  return one;
}

json to_json(const function_branches& of) {
  json one{{"name", of.name},         {"class", of.in_class},         {"line", of.line},
           {"end_line", of.end_line}, {"begin", of.range.begin},      {"end", of.range.end},
           {"body", of.body},         {"constexpr", of.is_constexpr}, {"template", of.is_template},
           {"sites", json::array()},  {"calls", json::array()},       {"entry", list_of(of.entry)}};
  if (of.is_rejected) one["rejected"] = true;
  if (!of.hidden.empty()) one["hidden"] = of.hidden;
  for (const auto& [byte, line] : of.operands) one["operands"].push_back(json::array({byte, line}));
  for (const branch_site& each : of.sites) one["sites"].push_back(to_json(each));
  for (const branch_call& each : of.calls) one["calls"].push_back(to_json(each));
  return one;
}

}  // namespace

json to_json(const file_branches& files) {
  json list = json::array();
  for (const auto& [path, functions] : files) {
    json file{{"path", path}, {"functions", json::array()}};
    for (const function_branches& each : functions) file["functions"].push_back(to_json(each));
    list.push_back(std::move(file));
  }
  return list;
}

json to_json(const std::vector<branch_class>& classes) {
  json list = json::array();
  for (const branch_class& each : classes)
    list.push_back({{"name", each.name}, {"bases", each.bases}, {"overrides", each.overrides}});
  return list;
}

}  // namespace morph::source
