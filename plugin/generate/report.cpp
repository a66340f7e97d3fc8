// The result of a search as text and as JSON.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "plugin/contract/formats.hpp"
#include "plugin/generate/run.hpp"
#include "plugin/system/counted.hpp"

namespace morph::generate {
namespace {

using nlohmann::json;

std::pair<std::size_t, std::size_t> branches_of(const report& of) {
  std::size_t all = 0, reached = 0;
  for (std::size_t i = 0; i < of.goals.size(); ++i) {
    if (of.goals[i].condition.empty() || !of.goals[i].is_possible || !of.goals[i].is_wanted) continue;
    ++all;
    reached += of.reached[i] ? 1U : 0U;
  }
  return {reached, all};
}

std::string percent(std::size_t part, std::size_t all) {
  return all == 0 ? "n/a" : fmt::format("{:.1f} %", 100.0 * static_cast<double>(part) / static_cast<double>(all));
}

/// Texts of sources may be of any encoding.
std::string written(const json& of) {
  return of.dump(-1, ' ', false, json::error_handler_t::replace) + '\n';
}

std::size_t covered_pairs(const report& of) {
  return static_cast<std::size_t>(
      std::ranges::count_if(of.pairs, [](const reported_pair& each) { return !each.test.empty(); }));
}

std::string pair_lines(const report& of) {
  const auto covered = covered_pairs(of);
  std::string text = fmt::format("{}:{}: {} of {} coupled branches ({})\n", of.pair->caller, of.pair->callee, covered,
                                 of.pairs.size(), percent(covered, of.pairs.size()));
  if (of.unseen_pairs > 0) text += fmt::format("  {} more have a branch that cannot report\n", of.unseen_pairs);
  return text;
}

json pairs_json(const report& of) {
  const auto branch = [](const goal& each) {
    return json{{"file", each.file},
                {"line", each.line},
                {"function", each.function},
                {"condition", each.condition},
                {"outcome", each.outcome}};
  };
  json made = json::array();
  for (const reported_pair& each : of.pairs)
    made.push_back({{"caller", branch(each.caller)},
                    {"callee", branch(each.callee)},
                    {"covered", !each.test.empty()},
                    {"test", each.test}});
  return made;
}

std::string described(const recipe_counts& of, std::size_t resumed) {
  std::string text = fmt::format("{} recipes of {} tests", of.recipes, of.tests);
  if (of.calls > of.calls_used) text += fmt::format("; {} of {} calls left out", of.calls - of.calls_used, of.calls);
  if (!of.files.empty()) text += fmt::format("; {}", system::counted(of.files.size(), "file"));
  if (!of.unread.empty())
    text += fmt::format("; {} of {} sources not read: {}", of.unread.size(), of.sources, of.unread.front());
  if (resumed > 0) text += fmt::format("; {} sequences of the last run", resumed);
  return text;
}

json as_json(const recipe_counts& of) {
  return {{"sources", of.sources}, {"tests", of.tests},       {"recipes", of.recipes}, {"calls", of.calls},
          {"used", of.calls_used}, {"left_out", of.left_out}, {"unread", of.unread},   {"files", of.files}};
}

std::string text_of(const mutation_summary& of) {
  if (!of.is_done) return fmt::format("  assertions are not chosen by mutants: {}\n", of.why);
  std::string text = fmt::format("  the tests kill {} of {} mutants of the unit ({}): {} by assertions alone",
                                 of.killed, of.mutants, percent(of.killed, of.mutants), of.by_assertions);
  if (of.not_judged > 0) text += fmt::format("; {} were not judged in time", of.not_judged);
  return text + '\n';
}

json json_of(const mutation_summary& of) {
  return {{"done", of.is_done},
          {"why", of.why},
          {"mutants", of.mutants},
          {"reached", of.reached},
          {"killed", of.killed},
          {"by_assertions", of.by_assertions},
          {"not_judged", of.not_judged},
          {"runs", of.runs},
          {"cpu_seconds", {{"build", of.cpu_build}, {"runs", of.cpu_runs}}}};
}

}  // namespace

std::size_t likely_faults(const report& of) {
  return static_cast<std::size_t>(
      std::ranges::count_if(of.findings, [](const reported_finding& each) { return each.misuse.empty(); }));
}

std::string as_text(const report& of) {
  if (of.compared) return as_text(*of.compared, *of.pair);
  const auto [reached, all] = branches_of(of);
  std::size_t functions = 0, entered = 0;
  for (std::size_t i = 0; i < of.goals.size(); ++i) {
    if (!of.goals[i].is_wanted) continue;
    functions += of.goals[i].condition.empty() ? 1U : 0U;
    entered += of.goals[i].condition.empty() && of.reached[i] ? 1U : 0U;
  }
  std::string text = of.pair ? pair_lines(of) : "";
  text += fmt::format("{}: {} of {} branches ({}), {} of {} functions\n", of.pair ? "  both classes" : of.unit, reached,
                      all, percent(reached, all), entered, functions);
  text += fmt::format("  {} tests; {} sequences of calls in {:.1f} s of CPU time: {} threw, {} crashed, {} hung\n",
                      of.tests.size(), of.sequences, of.cpu_search, of.threw, of.crashed, of.hung);
  if (!of.tests.empty()) text += text_of(of.mutation);
  if (!of.verified.is_done)
    text += fmt::format("  the tests were not compiled: {}\n", of.verified.why);
  else if (of.verified.uncompilable + of.verified.failed + of.verified.unsanitary > 0)
    text += fmt::format(
        "  left out: {} tests that do not compile, {} that do not pass in each of five runs, {} that "
        "AddressSanitizer stops\n",
        of.verified.uncompilable, of.verified.failed, of.verified.unsanitary);
  if (of.refused_calls > 0)
    text += fmt::format("  {} sequences tried to write a file, to start a process or the like, and were stopped\n",
                        of.refused_calls);
  if (of.inputs.sources > 0 || of.resumed > 0) text += fmt::format("  inputs: {}\n", described(of.inputs, of.resumed));
  if (of.given.functions > 0)
    text += fmt::format("  values of your own: {}, {}\n", system::counted(of.given.functions, "function"),
                        system::counted(of.given.literals, "literal"));
  text += fmt::format("  callables: {} of {} can be called\n", of.callable_now, of.callables);
  if (!of.why_nothing.empty()) text += fmt::format("  {}\n", of.why_nothing);
  constexpr std::size_t shown = 3;
  for (std::size_t i = 0; i < std::min(shown, of.refused_of_unit.size()); ++i)
    text += fmt::format("  not called: {}: {}\n", of.refused_of_unit[i].name, of.refused_of_unit[i].reason);
  if (of.refused_of_unit.size() > shown)
    text += fmt::format("  not called: {} more of the unit; --json lists them\n", of.refused_of_unit.size() - shown);
  for (const std::string& each : of.proposed.notes) text += fmt::format("  {}\n", each);
  if (of.unseen > 0) text += fmt::format("  {} conditions cannot report how near they are\n", of.unseen);
  const auto faults = likely_faults(of);
  if (of.findings.size() > faults)
    text += fmt::format("  {} more crashes, hangs and ends are likely misuse; --json lists them\n",
                        of.findings.size() - faults);
  for (const reported_finding& each : of.findings)
    if (each.misuse.empty())
      text +=
          fmt::format("\nlikely fault: {}: {}\n  {}:{}\n{}", each.callable, each.what, each.file, each.line, each.test);
  return text;
}

namespace {

json json_of(const search_row& of) {
  return {{"generation", of.generation},
          {"sequences", of.sequences},
          {"reached", of.reached},
          {"objectives", of.objectives}};
}

json json_of(const comparison& of) {
  json made{{"branches", of.branches}, {"searches", json::array()}};
  for (const compared_search& each : of.searches) {
    json rows = json::array();
    for (const search_row& row : each.rows) rows.push_back(json_of(row));
    made["searches"].push_back({{"search", each.name},
                                {"covered", each.covered},
                                {"selected", each.selected},
                                {"executed", each.executed},
                                {"branches", each.branches},
                                {"tests", each.tests},
                                {"sequences", each.sequences},
                                {"cpu_seconds", each.cpu_seconds},
                                {"generations", std::move(rows)}});
  }
  return made;
}

json json_of(const report& of) {
  const auto [reached, all] = branches_of(of);
  json made{{"schema", contract::generate_schema},
            {"unit", of.unit},
            {"branches", {{"reached", reached}, {"all", all}, {"unseen", of.unseen}}},
            {"callables", {{"all", of.callables}, {"now", of.callable_now}}},
            {"sequences",
             {{"all", of.sequences},
              {"threw", of.threw},
              {"crashed", of.crashed},
              {"hung", of.hung},
              {"ended", of.ended},
              {"refused", of.refused_calls},
              {"without_value", of.without_value}}},
            {"cpu_seconds", {{"build", of.cpu_build}, {"search", of.cpu_search}}},
            {"inputs", as_json(of.inputs)},
            {"values", {{"functions", of.given.functions}, {"literals", of.given.literals}}},
            {"resumed", of.resumed},
            {"mutation", json_of(of.mutation)},
            {"unstable", of.unstable},
            {"verified",
             {{"done", of.verified.is_done},
              {"why", of.verified.why},
              {"uncompilable", of.verified.uncompilable},
              {"failed", of.verified.failed},
              {"sanitized", of.verified.is_sanitized},
              {"other_times", of.verified.has_other_times},
              {"unsanitary", of.verified.unsanitary}}},
            {"goals", json::array()},
            {"refused", json::array()},
            {"generations", json::array()},
            {"tests", json::array()},
            {"findings", json::array()},
            {"files", json::array()},
            {"notes", of.proposed.notes},
            {"source", of.source}};
  for (const changed_file& each : of.proposed.files) made["files"].push_back(each.path.string());
  for (std::size_t i = 0; i < of.goals.size(); ++i) {
    if (!of.goals[i].is_possible || !of.goals[i].is_wanted) continue;
    made["goals"].push_back({{"file", of.goals[i].file},
                             {"line", of.goals[i].line},
                             {"function", of.goals[i].function},
                             {"condition", of.goals[i].condition},
                             {"outcome", of.goals[i].outcome},
                             {"reached", static_cast<bool>(of.reached[i])}});
  }
  for (const refusal& each : of.refused)
    made["refused"].push_back({{"callable", each.name},
                               {"file", each.file},
                               {"line", each.line},
                               {"reason", each.reason},
                               {"remedy", each.remedy}});
  for (const search_row& each : of.rows) made["generations"].push_back(json_of(each));
  for (const test_case& each : of.tests)
    made["tests"].push_back({{"name", each.name}, {"purpose", each.purpose}, {"kills", each.kills.size()}});
  for (const reported_finding& each : of.findings)
    made["findings"].push_back({{"callable", each.callable},
                                {"what", each.what},
                                {"file", each.file},
                                {"line", each.line},
                                {"class", each.misuse.empty() ? "likely fault" : "likely misuse"},
                                {"why", each.misuse},
                                {"test", each.test}});
  if (of.pair) {
    made["pair"] = {{"caller", of.pair->caller}, {"callee", of.pair->callee}};
    made["coupled"] = {{"covered", covered_pairs(of)}, {"all", of.pairs.size()}, {"unseen", of.unseen_pairs}};
    made["pairs"] = pairs_json(of);
  }
  return made;
}

}  // namespace

std::string as_json(const report& of) {
  if (of.compared) {
    json made = json_of(*of.compared);
    made["schema"] = contract::generate_schema;
    made["pair"] = {{"caller", of.pair->caller}, {"callee", of.pair->callee}};
    made["unseen"] = of.unseen_pairs;
    made["interrupted"] = of.is_interrupted;
    made["pairs"] = pairs_json(of);
    return written(made);
  }
  return written(json_of(of));
}

std::size_t likely_faults(const pairs_report& of) {
  std::size_t made = 0;
  for (const report& each : of.reports) made += likely_faults(each);
  return made;
}

std::string as_text(const pairs_report& of) {
  std::string text;
  std::size_t covered = 0, all = 0;
  for (const report& each : of.reports) {
    text += as_text(each) + '\n';
    covered += covered_pairs(each);
    all += each.pairs.size();
  }
  for (const std::string& each : of.failed) text += fmt::format("not searched: {}\n", each);
  return text + fmt::format("{} pair{} of classes: {} of {} coupled branches ({})\n", of.reports.size(),
                            of.reports.size() == 1 ? "" : "s", covered, all, percent(covered, all));
}

std::string as_json(const pairs_report& of) {
  json made{{"schema", contract::generate_schema}, {"class_pairs", json::array()}, {"failed", of.failed}};
  for (const report& each : of.reports) made["class_pairs"].push_back(json_of(each));
  return written(made);
}

proposal proposed(const pairs_report& of) {
  std::vector<proposal> all;
  for (const report& each : of.reports)
    if (!each.tests.empty()) all.push_back(each.proposed);
  return merged(all);
}

}  // namespace morph::generate
