// A mutation result as a page: the data that the script in mutation_page.html shows.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "plugin/report/mutant_ids.hpp"
#include "plugin/report/mutation_forms.hpp"
#include "plugin/report/mutation_json.hpp"
#include "plugin/report/mutation_parts.hpp"
#include "plugin/report/mutation_tests.hpp"
#include "plugin/system/counted.hpp"
#include "plugin/system/json_text.hpp"
#include "plugin/writing/markup.hpp"

namespace morph::report {

extern const std::string_view mutation_page;  // templates/mutation_page.html

namespace {

using nlohmann::json;

json pair(text_place place) {
  return json::array({place.line, place.column});
}

json as_json(const mutation_tally& tally) {
  return {{"mutants", tally.all()},
          {"covered", tally.covered()},
          {"killed", tally.killed()},
          {"survived", tally.of(mutant_state::survived)}};
}

json as_json(const mutated_source& file, const mutation_tally& tally, const explanations& explained) {
  const source_lines lines(file.text);
  json mutants = json::array(), functions = json::array();
  const auto ids = mutant_ids(file);
  for (const mutant_result& m : file.mutants) {
    mutants.push_back({{"from", pair(in_utf16(lines, m.from))},
                       {"to", pair(in_utf16(lines, m.to))},
                       {"kind", name_of(m.kind)},
                       {"op", m.op},
                       {"replacement", m.replacement},
                       {"state", name_of(m.state)},
                       {"recalled", m.is_recalled},
                       {"why", why(m)}});
    if (const auto known = explained.find(ids[mutants.size() - 1]); known != explained.end())
      mutants.back()["explanation"] = known->second.lines;
  }
  for (const function_result& f : file.functions)
    if (f.how) functions.push_back({{"line", f.line}, {"name", f.name}, {"tested", name_of(*f.how)}});
  return {{"path", as_utf8(file.path)},
          {"source", as_utf8(file.text)},
          {"tally", as_json(tally)},
          {"mutants", mutants},
          {"functions", functions}};
}

std::vector<std::string> notes_on(const mutation_result& result) {
  std::vector<std::string> notes;
  if (result.run)
    for (const std::string& line : missing_of(result)) notes.push_back("not whole: " + line);
  if (const std::string why = why_no_score(result); !why.empty()) notes.push_back("no mutation score: " + why);
  for (const unread_unit& unit : result.rejected_units)
    notes.push_back(fmt::format("not read whole: {} ({}, first: {})", unit.unit, system::counted(unit.errors, "error"),
                                unit.first_error));
  for (const rejected_part& part : result.rejected_parts) notes.push_back("not compiled: " + describe(part));
  for (const std::string& line : result.not_run) notes.push_back("not run: " + line);
  for (const judging_test& test : result.tests)
    if (const std::string how = about_difference(test); !how.empty())
      notes.push_back(fmt::format("test differs: {}: {}", test.name, how));
  for (const auto& [path, count] : result.compile_time_only)
    notes.push_back(fmt::format("compile-time only, and counted nowhere else: {} in {}", count, path));
  return notes;
}

/// In a script element: nothing in it can end that.
std::string in_script(const json& root) {
  std::string text;
  for (const char c : json_text(root))
    if (c == '<')
      text += "\\u003c";  // a `<` of JSON is part of a string
    else
      text += c;
  return text;
}

}  // namespace

std::string mutation_as_page(const mutation_result& result, const std::string& version, const explanations& explained) {
  const mutation_figures figures = figures_of(result);
  json states = json::array(), files = json::array(), operators = json::array(), tests = json::array();
  for (const mutant_state state :
       {mutant_state::survived, mutant_state::not_covered, mutant_state::killed, mutant_state::crashed,
        mutant_state::timed_out, mutant_state::equivalent, mutant_state::not_judged})
    states.push_back({{"name", name_of(state)}, {"count", figures.all.of(state)}});
  for (const mutated_source& file : result.files)
    files.push_back(as_json(file, figures.by_file.at(file.path), explained));
  for (const auto& [name, tally] : figures.by_operator) {
    const auto known = result.operators.find(name);
    operators.push_back({{"name", name},
                         {"summary", known == result.operators.end() ? std::string() : known->second},
                         {"tally", as_json(tally)}});
  }
  const std::vector<kill_row> kills = kills_of_tests(result);
  auto next = kills.begin();
  for (const judging_test& test : result.tests) {
    const kill_row row = test.why_left_out.empty() ? *next++ : kill_row{};
    tests.push_back({{"name", test.name},
                     {"suite", test.suite},
                     {"kills", row.kills},
                     {"alone", row.alone},
                     {"redundant", row.is_redundant},
                     {"leftOut", test.why_left_out}});
  }
  json functions = json::object();
  for (const auto& [how, count] : figures.functions) functions[std::string(name_of(how))] = count;
  const std::string text = in_script({{"version", version},
                                      {"at", result.at},
                                      {"score", or_null(figures.all.score())},
                                      {"scoreOfCovered", or_null(figures.all.score_of_covered())},
                                      {"states", states},
                                      {"functions", functions},
                                      {"files", files},
                                      {"operators", operators},
                                      {"tests", tests},
                                      {"everyKiller", result.has_all_killers},
                                      {"scope", about_scope(result)},
                                      {"notes", notes_on(result)}});
  return writing::filled(mutation_page, {{"data", text}});
}

}  // namespace morph::report
