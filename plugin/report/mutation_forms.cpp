// A mutation result for CI services and for the viewers of other tools.
#include "plugin/report/mutation_forms.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "plugin/frameworks/junit.hpp"
#include "plugin/report/sarif.hpp"
#include "plugin/report/summary.hpp"
#include "plugin/system/json_text.hpp"

namespace morph::report {
namespace {

using nlohmann::json;

constexpr const char* pseudo_tested_rule = "pseudo-tested";

std::string about_pseudo_tested(const function_result& f) {
  return fmt::format("tests run {}, and all of them pass when its body is gone", on_one_line(f.name));
}

std::string about_survivor(const mutated_source& file, const mutant_result& m) {
  return fmt::format("{}, and no test fails: {}", what_changed(file, m), why(m));
}

/// What these two call for every finding, in the order of reports.
template <class OfFunction, class OfSurvivor>
void for_findings(const mutation_result& result, const OfFunction& of_function, const OfSurvivor& of_survivor) {
  for (const mutated_source& file : result.files)
    for (const function_result& f : file.functions)
      if (f.how == tested::pseudo_tested) of_function(file, f);
  for (const mutated_source& file : result.files) {
    const source_lines lines(file.text);
    for (const mutant_result& m : file.mutants)
      if (m.state == mutant_state::survived) of_survivor(file, lines, m);
  }
}

// ---- GitHub

std::string in_message(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (c == '%')
      result += "%25";
    else if (c == '\r')
      result += "%0D";
    else if (c == '\n')
      result += "%0A";
    else
      result += c;
  }
  return result;
}

std::string in_property(std::string_view text) {
  std::string result;
  for (const char c : in_message(frameworks::as_xml_text(text))) {
    if (c == ':')
      result += "%3A";
    else if (c == ',')
      result += "%2C";
    else
      result += c;
  }
  return result;
}

// ---- mutation testing elements

const char* elements_status(mutant_state state) {
  switch (state) {
    case mutant_state::not_covered:
      return "NoCoverage";
    case mutant_state::survived:
      return "Survived";
    case mutant_state::killed:
    case mutant_state::crashed:  // "RuntimeError" would count for no score
      return "Killed";
    case mutant_state::timed_out:
      return "Timeout";
    case mutant_state::equivalent:
      return "Ignored";
    case mutant_state::not_judged:
      break;
  }
  return "Pending";
}

json elements_place(const source_lines& lines, text_place place) {
  const text_place there = in_utf16(lines, place);
  return {{"line", there.line}, {"column", there.column}};
}

}  // namespace

std::string mutation_as_github(const mutation_result& result, const std::string& root) {
  std::string text;
  for_findings(
      result,
      [&](const mutated_source& file, const function_result& f) {
        text += fmt::format("::warning file={},line={},title=pseudo-tested::{}\n", in_property(root + file.path),
                            f.line, in_message(about_pseudo_tested(f)));
      },
      [&](const mutated_source& file, const source_lines& lines, const mutant_result& m) {
        const text_place from = in_utf16(lines, m.from), to = in_utf16(lines, m.to);
        const std::string end = from.line == to.line ? fmt::format(",endColumn={}", to.column) : "";
        text += fmt::format("::warning file={},line={},endLine={},col={}{},title={}::{}\n",
                            in_property(root + file.path), from.line, to.line, from.column, end,
                            in_property(fmt::format("survived [{}]", m.op)), in_message(about_survivor(file, m)));
      });
  return text;
}

std::string mutation_as_junit(const mutation_result& result) {
  using verdict = frameworks::junit_case::verdict;
  std::vector<frameworks::junit_suite> suites;
  for (const mutated_source& file : result.files) {
    frameworks::junit_suite suite{file.path, {}};
    const source_lines lines(file.text);
    for (const mutant_result& m : file.mutants) {
      if (m.state == mutant_state::not_covered) continue;
      frameworks::junit_case row;
      row.name = fmt::format("{}:{} [{}] {} -> {}", m.from.line, m.from.column, m.op, on_one_line(original_of(file, m)),
                             on_one_line(m.replacement));
      row.classname = file.path;
      row.seconds = static_cast<double>(m.cpu_us) * 1e-6;
      if (m.state == mutant_state::survived) {
        const changed_line change = change_of(file, lines, m);
        row.how = verdict::failed;
        row.message = about_survivor(file, m);
        row.output =
            fmt::format("{}:{}:{}\n- {}\n+ {}\n", file.path, m.from.line, m.from.column, change.before, change.after);
      } else if (!is_covered(m.state)) {
        row.how = verdict::skipped;
        row.message = why(m);
      }
      suite.cases.push_back(std::move(row));
    }
    suites.push_back(std::move(suite));
  }
  return frameworks::write_junit(suites, result.at);
}

std::string mutation_as_sarif(const mutation_result& result, const std::string& root, const std::string& version) {
  json rules = json::array({sarif_rule(pseudo_tested_rule, "a function whose result no test looks at",
                                       "Every test that runs it passes when its body is gone. Check what it does.")});
  for (const auto& [name, summary] : result.operators)
    rules.push_back(sarif_rule(name, summary,
                               "The tests that reach this place pass with the change as without it. Add one that "
                               "fails, unless both mean the same."));
  json results = json::array();
  for_findings(
      result,
      [&](const mutated_source& file, const function_result& f) {
        results.push_back(sarif_result(pseudo_tested_rule, "warning", about_pseudo_tested(f), root + file.path,
                                       {{"startLine", f.line}}));
      },
      [&](const mutated_source& file, const source_lines& lines, const mutant_result& m) {
        const text_place from = in_utf16(lines, m.from), to = in_utf16(lines, m.to);
        results.push_back(sarif_result(
            m.op, difference_of(m) == difference::none ? "note" : "warning", about_survivor(file, m), root + file.path,
            {{"startLine", from.line}, {"startColumn", from.column}, {"endLine", to.line}, {"endColumn", to.column}}));
      });
  return sarif_log(std::move(rules), std::move(results), version);
}

std::string mutation_as_elements(const mutation_result& result, const std::string& version) {
  std::map<std::string, std::string> ids;
  json tests = json::array(), files = json::object();
  const auto id_of = [&](const std::string& test) {
    const auto [at, is_new] = ids.try_emplace(test, std::to_string(ids.size()));
    if (is_new) tests.push_back({{"id", at->second}, {"name", test}});
    return at->second;
  };
  for (const judging_test& test : result.tests)
    if (test.why_left_out.empty()) id_of(test.name);
  std::size_t number = 0;
  for (const mutated_source& file : result.files) {
    const source_lines lines(file.text);
    json mutants = json::array();
    for (const mutant_result& m : file.mutants) {
      json killers = json::array();
      for (const std::string& test : m.killers) killers.push_back(id_of(test));
      mutants.push_back({{"id", std::to_string(number++)},
                         {"mutatorName", m.op},
                         {"replacement", mutated_text(m)},
                         {"location", {{"start", elements_place(lines, m.from)}, {"end", elements_place(lines, m.to)}}},
                         {"status", elements_status(m.state)},
                         {"statusReason", why(m)},
                         {"killedBy", killers},
                         {"testsCompleted", m.ran},
                         {"duration", static_cast<double>(m.cpu_us) / 1000}});
    }
    files[as_utf8(file.path)] = {{"language", "cpp"}, {"source", as_utf8(file.text)}, {"mutants", mutants}};
  }
  return dump({{"schemaVersion", "2"},
               {"thresholds", {{"high", 80}, {"low", 60}}},
               {"framework", {{"name", "Morph"}, {"version", version}}},
               {"testFiles", {{"tests", {{"tests", tests}}}}},
               {"files", files}});
}

}  // namespace morph::report
