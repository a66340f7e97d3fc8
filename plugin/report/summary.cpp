// Printers of whole reports.
#include "plugin/report/summary.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>
#include <map>

#include "plugin/contract/formats.hpp"
#include "plugin/system/counted.hpp"
#include "plugin/system/json_text.hpp"

namespace morph::report {
namespace {

using nlohmann::json;

std::string some(const std::vector<std::string>& names) {
  constexpr std::size_t shown = 5;
  const auto end = names.begin() + static_cast<std::ptrdiff_t>(std::min(shown, names.size()));
  std::string text = fmt::format("{}", fmt::join(names.begin(), end, ", "));
  if (names.size() > shown) text += fmt::format(" and {} more", names.size() - shown);
  return text;
}

/// 100 only if nothing is missing.
std::string percent(const tally& t) {
  if (t.total == 0) return "-";
  const std::size_t thousandths = t.hit * 1000 / t.total;
  return fmt::format("{}.{}", thousandths / 10, thousandths % 10);
}

json as_json(const tally& t) {
  return {{"hit", t.hit}, {"total", t.total}};
}
json as_json(const file_tally& t) {
  return {{"lines", as_json(t.lines)},
          {"branches", as_json(t.branches)},
          {"conditions", as_json(t.conditions)},
          {"functions", as_json(t.functions)}};
}

file_tally total_of(const coverage& c) {
  file_tally total;
  for (const auto& file : c.files) total += tally_of(file);
  return total;
}

std::string note_on(const coupled_figure& of) {
  return fmt::format("coupled branches are not counted: {}", of.missing);
}

/// "coupled branches: 4 of 8 covered (50.0 %), 2 not mapped"
std::string as_text(const pair_tally& of) {
  std::string text = fmt::format("coupled branches: {} of {} covered", of.covered, of.known());
  if (of.known() > 0) text += fmt::format(" ({} %)", percent({of.covered, of.known()}));
  return text + others_as_text(of) + '\n';
}

json as_json(const pair_tally& of) {
  return {{"covered", of.covered}, {"not_covered", of.uncovered}, {"not_mapped", of.unknown}, {"changed", of.changed}};
}

struct test_numbers {
  std::size_t measured = 0, doubtful = 0;
};
test_numbers numbers_of(const coverage& c) {
  test_numbers numbers;
  for (const auto& test : c.tests) {
    numbers.measured += test.facts.measured ? 1 : 0;
    numbers.doubtful += test.facts.measured && test.facts.is_doubtful() ? 1 : 0;
  }
  return numbers;
}

}  // namespace

std::string others_as_text(const pair_tally& of) {
  std::string text;
  if (of.unknown > 0) text += fmt::format(", {} not mapped", of.unknown);
  if (of.changed > 0) text += fmt::format(", {} changed since the measurement", of.changed);
  return text;
}

std::string base_text(const std::string& commit, std::optional<std::uint32_t> distance) {
  const std::string where = !distance        ? "of another branch"
                            : *distance == 0 ? "this commit"
                                             : system::counted(*distance, "commit") + " back";
  return fmt::format("baseline {}, {}", commit.substr(0, 10), where);
}

std::vector<std::string> notes_on(const coverage& c, const origin& from) {
  std::vector<std::string> notes;
  if (!from.changed.empty()) {
    std::size_t lines = 0, whole = 0;
    for (const auto& file : c.files)
      for (const git::line_range& range : file.unknown)
        if (range.last == std::numeric_limits<std::uint32_t>::max())
          ++whole;
        else
          lines += range.last - range.first + 1;
    std::string unknown;
    if (lines > 0) unknown = " nothing is known of " + system::counted(lines, "new or changed line") + ";";
    if (whole > 0) unknown += " nothing is known of " + system::counted(whole, "whole file") + ";";
    notes.push_back(
        fmt::format("{} changed since the measurement ({}):{} all else is as it was measured, moved to where the lines "
                    "stand now. `morph measure` measures this content",
                    system::counted(from.changed.size(), "file"), some(from.changed), unknown));
  }
  if (c.lacks_branches)
    notes.emplace_back(
        "an older morph made the measurement, which did not list the branches that nobody took: they are left out; "
        "`morph measure --fresh` lists them");
  if (!from.complete) notes.emplace_back("the measurement was interrupted; `morph measure` goes on with it");
  std::vector<std::string> unmeasured, doubtful;
  for (const auto& test : c.tests) {
    if (!test.facts.measured) {
      unmeasured.push_back(test.facts.name);
    } else if (test.facts.is_doubtful()) {
      doubtful.push_back(fmt::format("{} ({})", test.facts.name, fmt::join(doubts(test.facts), ", ")));
    }
  }
  if (!unmeasured.empty())
    notes.push_back(fmt::format("{} of {} not measured, what only they run counts as not run: {}", unmeasured.size(),
                                system::counted(c.tests.size(), "test"), some(unmeasured)));
  if (!doubtful.empty())
    notes.push_back(fmt::format("{} of {} may run more than is known: {}", doubtful.size(),
                                system::counted(c.tests.size(), "test"), some(doubtful)));
  if (!c.without_counters.empty())
    notes.push_back(fmt::format("{} compiled without counters, or for programs that the build runs, missing here: {}",
                                system::counted(c.without_counters.size(), "source"), some(c.without_counters)));
  if (!from.in_no_program.empty())
    notes.push_back(fmt::format("{} of the repository in no measured program, missing here: {}",
                                system::counted(from.in_no_program.size(), "source file"), some(from.in_no_program)));
  return notes;
}

json as_json(const reported_test& test) {
  json result{{"suite", test.suite},
              {"name", test.facts.name},
              {"case", test.facts.case_name},
              {"measured", test.facts.measured}};
  result["doubts"] = test.facts.measured ? doubts(test.facts) : std::vector<std::string>{};
  return result;
}

json json_head(const char* schema, const coverage& c, const origin& from) {
  const test_numbers numbers = numbers_of(c);
  return {{"schema", schema},
          {"base",
           {{"commit", from.commit},
            {"distance", from.distance ? json(*from.distance) : json(nullptr)},
            {"complete", from.complete},
            {"changed", from.changed},
            {"tests", {{"total", c.tests.size()}, {"measured", numbers.measured}, {"doubtful", numbers.doubtful}}}}},
          {"notes", notes_on(c, from)}};
}

std::string dump(const json& root) {
  return json_text(root) + "\n";
}

std::string summary_as_text(const coverage& c, const origin& from, const coupled_figure& coupled) {
  std::string text = fmt::format("{}: {} of {} measured\n", base_text(from.commit, from.distance),
                                 numbers_of(c).measured, system::counted(c.tests.size(), "test"));
  for (const std::string& note : notes_on(c, from)) text += fmt::format("note: {}\n", note);
  if (!coupled.missing.empty()) text += fmt::format("note: {}\n", note_on(coupled));

  std::map<std::string, std::vector<const reported_file*>> folders;
  for (const auto& file : c.files)
    if (file.has_code()) folders[file.path.substr(0, file.path.rfind('/') + 1)].push_back(&file);
  struct column {
    const char* name;
    tally file_tally::*numbers;
  };
  const file_tally total = total_of(c);
  std::vector<column> columns{
      {"lines", &file_tally::lines}, {"branch.", &file_tally::branches}, {"funct.", &file_tally::functions}};
  if (total.conditions.total > 0) columns.insert(columns.end() - 1, {"condit.", &file_tally::conditions});
  const auto add_row = [&](const file_tally& t, const std::string& name) {
    for (const column& of : columns) {
      const tally& numbers = t.*of.numbers;
      text += fmt::format("{:>7} {:>7} {:>6}  ", numbers.hit, numbers.total, percent(numbers));
    }
    text += name + '\n';
  };
  text += '\n';
  const char* separator = "";
  for (const column& of : columns) {
    text += fmt::format("{}{:>7} {:>7} {:>6}", separator, of.name, "of", "%");
    separator = "  ";
  }
  text += '\n';
  for (const auto& [folder, files] : folders) {
    file_tally sum;
    for (const reported_file* file : files) sum += tally_of(*file);
    add_row(sum, folder.empty() ? "./" : folder);
    for (const reported_file* file : files) add_row(tally_of(*file), "  " + file->path.substr(folder.size()));
  }
  add_row(total, "total");
  if (!coupled.pairs.is_empty()) text += '\n' + as_text(coupled.pairs);
  return text;
}

std::string coverage_as_json(const coverage& c, const origin& from, const coupled_figure& coupled) {
  json root = json_head(contract::coverage_schema, c, from);
  root["totals"] = as_json(total_of(c));
  root["totals"]["coupled_branches"] = coupled.missing.empty() ? as_json(coupled.pairs) : json(nullptr);
  if (!coupled.missing.empty()) root["notes"].push_back(note_on(coupled));
  root["without_counters"] = c.without_counters;
  root["in_no_program"] = from.in_no_program;
  root["tests"] = json::array();
  for (const auto& test : c.tests) root["tests"].push_back(as_json(test));
  root["test_sets"] = c.test_sets;
  root["files"] = json::array();
  for (const auto& file : c.files) {
    if (!file.has_code() && file.unknown.empty()) continue;
    json lines = json::array(), branches = json::array(), conditions = json::array(), functions = json::array(),
         unknown = json::array();
    for (const auto& line : file.lines) {
      lines.push_back({line.number, line.tests});
      for (const auto& branch : line.branches) branches.push_back({line.number, branch.number, branch.tests});
      for (const auto& outcome : line.conditions) {
        const auto [term, value] = decision_of(outcome.number);
        conditions.push_back({line.number, term, value, outcome.tests});
      }
    }
    for (const auto& f : file.functions)
      functions.push_back({{"name", f.name}, {"symbol", f.symbol}, {"line", f.line}, {"tests", f.tests}});
    for (const auto& range : file.unknown)
      unknown.push_back(
          {range.first, range.last == std::numeric_limits<std::uint32_t>::max() ? json(nullptr) : json(range.last)});
    root["files"].push_back({{"path", file.path},
                             {"totals", as_json(tally_of(file))},
                             {"lines", std::move(lines)},
                             {"branches", std::move(branches)},
                             {"conditions", std::move(conditions)},
                             {"functions", std::move(functions)},
                             {"unknown", std::move(unknown)}});
  }
  return dump(root);
}

}  // namespace morph::report
