// Explanations as findings, with proposed assertions as fixes.
#include "plugin/report/sarif.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "coverage/observation/observed_json.hpp"
#include "plugin/explain/forms.hpp"
#include "plugin/explain/words.hpp"

namespace morph::explain {
namespace {

using nlohmann::json;

json fix_of(const source_fix& of, const std::string& root) {
  json replacements = json::array();
  for (const auto& each : of.replacements)
    replacements.push_back({{"deletedRegion",
                             {{"startLine", each.line},
                              {"startColumn", each.column},
                              {"endLine", each.end_line},
                              {"endColumn", each.end_column}}},
                            {"insertedContent", {{"text", each.text}}}});
  return {{"description", {{"text", "Assert what was observed; it is not known to be right."}}},
          {"artifactChanges", json::array({{{"artifactLocation", report::sarif_artifact(root + of.file)},
                                            {"replacements", std::move(replacements)}}})}};
}

std::string message_of(const explanation& of) {
  std::string text = fmt::format("{}: {}.", observation::name_of(of.seen.means), meaning_of(of.seen.means));
  if (const auto* differs = shown_difference(of)) text += fmt::format(" {}.", text_of(*differs));
  if (!of.seen.not_read.empty()) text += fmt::format(" Not read: {}.", not_read_of(of.seen));
  return fmt::format("{} {}", text, fmt::join(of.advice.lines, " "));
}

}  // namespace

std::string as_sarif(const explain_report& of, const std::vector<source_fix>& fixes, const std::string& root,
                     const std::string& version) {
  json rules = json::array(), results = json::array();
  using observation::symptom;
  for (const symptom each : {symptom::weak_oracle, symptom::no_propagation, symptom::no_infection})
    rules.push_back(report::sarif_rule(std::string(observation::name_of(each)), meaning_of(each),
                                       "A change of the code that no test notices (docs/how-to/explain.md)."));
  for (const explanation& each : of.explanations) {
    const explained_change& change = each.change;
    json one = report::sarif_result(std::string(observation::name_of(each.seen.means)),
                                    each.seen.means == symptom::no_infection ? "note" : "warning", message_of(each),
                                    root + change.file,
                                    {{"startLine", change.shown_from.line},
                                     {"startColumn", change.shown_from.column},
                                     {"endLine", change.shown_to.line},
                                     {"endColumn", change.shown_to.column}});
    for (const source_fix& fix : fixes)
      if (std::ranges::find(fix.mutants, change.id) != fix.mutants.end()) one["fixes"].push_back(fix_of(fix, root));
    results.push_back(std::move(one));
  }
  return report::sarif_log(std::move(rules), std::move(results), version);
}

}  // namespace morph::explain
