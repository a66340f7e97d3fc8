// All rows.
#include <nlohmann/json.hpp>

#include "plugin/contract/formats.hpp"
#include "plugin/summary/forms.hpp"
#include "plugin/system/json_text.hpp"

namespace morph::summary {
namespace {

using nlohmann::json;
using report::mutant_state;

json to_json(const planned_tests& of) {
  json groups = json::array();
  for (const reason_group& each : of.groups)
    groups.push_back({{"reason", each.reason}, {"tests", each.tests}, {"details", each.details}});
  const planning::plan_sums& s = of.sums;
  return {{"state", of.state},
          {"base", of.base},
          {"selected", s.selected},
          {"deferred", s.deferred},
          {"total", s.total},
          {"selected_seconds", s.selected_seconds},
          {"total_seconds", s.total_seconds},
          {"without_time", s.untimed},
          {"reasons", std::move(groups)},
          {"notes", of.notes}};
}

json to_json(const covered_changes& of) {
  json not_run = json::array();
  for (const unrun_lines& each : of.not_run)
    not_run.push_back(
        {{"path", each.path}, {"first", each.lines.first}, {"last", each.lines.last}, {"text", each.text}});
  return {{"run", of.totals.run},
          {"not_run", std::move(not_run)},
          {"unknown", of.totals.unknown},
          {"unknown_files", of.totals.unknown_files}};
}

json to_json(const std::vector<survivor>& of) {
  json all = json::array();
  for (const survivor& each : of)
    all.push_back({{"id", each.change.id},
                   {"file", each.change.file},
                   {"line", each.change.from.line},
                   {"function", each.change.function},
                   {"original", each.change.original},
                   {"replacement", each.change.replacement},
                   {"advice", each.advice}});
  return all;
}

json to_json(const judged_changes& of) {
  return {{"mutants", of.mutants.all()},
          {"killed", of.mutants.killed()},
          {"not_covered", of.mutants.of(mutant_state::not_covered)},
          {"not_judged", of.mutants.of(mutant_state::not_judged)},
          {"survivors", to_json(of.survivors)},
          {"pseudo_tested", to_json(of.pseudo_tested)},
          {"outdated", of.outdated}};
}

}  // namespace

std::string as_json(const facts& of) {
  json violated = json::array();
  for (const violated_relation& each : of.violated)
    violated.push_back(
        {{"test", each.test}, {"spec", each.spec}, {"relation", each.relation}, {"replay", each.replay}});
  json gaps = json::array();
  for (const gap& each : of.gaps) gaps.push_back({{"what", each.what}, {"commands", each.commands}});
  return json_text({{"schema", contract::summary_schema},
                    {"since", of.since},
                    {"plan", to_json(of.planned)},
                    {"ran", of.ran},
                    {"failed", of.failed},
                    {"violated", std::move(violated)},
                    {"changed_lines", of.covered ? to_json(*of.covered) : json(nullptr)},
                    {"mutants", of.judged ? to_json(*of.judged) : json(nullptr)},
                    {"flaky", of.flaky},
                    {"gaps", std::move(gaps)}}) +
         '\n';
}

}  // namespace morph::summary
