// A mutation result as text and as comma-separated values.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <iterator>

#include "plugin/report/mutation_forms.hpp"
#include "plugin/report/mutation_parts.hpp"
#include "plugin/report/mutation_tests.hpp"
#include "plugin/report/tables.hpp"
#include "plugin/system/counted.hpp"

namespace morph::report {
namespace {

using tallies = std::vector<std::pair<std::string, mutation_tally>>;

template <class Rows>
void append_table(std::string& text, const char* title, const Rows& rows) {
  auto to = std::back_inserter(text);
  fmt::format_to(to, "\n{:<48} {:>8} {:>8} {:>8} {:>7}\n", title, "mutants", "covered", "killed", "");
  for (const auto& [name, tally] : rows)
    if (tally.all() > 0)
      fmt::format_to(to, "{:<48} {:>8} {:>8} {:>8} {:>6.1f}%\n", on_one_line(name), tally.all(), tally.covered(),
                     tally.killed(), 100 * tally.score_of_covered().value_or(0));
}

std::string percent_or_none(std::optional<double> share) {
  return share ? fmt::format("{:.1f} %", 100 * *share) : "none";
}

std::string about_value(const mutant_result& m) {
  switch (difference_of(m)) {
    case difference::none:
      return ", its value never differs";
    case difference::seen:
      return fmt::format(", its value differs in {}", system::counted(m.infected, "test"));
    case difference::unknown:
      break;
  }
  return {};
}

void append_survivors(std::string& text, const mutated_source& file) {
  const source_lines lines(file.text);
  for (const mutant_result& m : file.mutants) {
    if (m.state != mutant_state::survived) continue;
    const changed_line change = change_of(file, lines, m);
    fmt::format_to(std::back_inserter(text), "{}:{}:{}: survived{} [{}] {} -> {}\n  - {}{}\n  + {}\n",
                   on_one_line(file.path), m.from.line, m.from.column, about_value(m), m.op,
                   on_one_line(original_of(file, m)), on_one_line(m.replacement), on_one_line(change.before),
                   change.is_first_of_several ? " ..." : "", on_one_line(change.after));
  }
}

void append_sum(std::string& text, const mutation_figures& figures, const mutation_result& result) {
  auto to = std::back_inserter(text);
  const auto of = [&](mutant_state state) { return figures.all.of(state); };
  const auto functions = [&](tested how) {
    const auto found = figures.functions.find(how);
    return found == figures.functions.end() ? 0 : found->second;
  };
  fmt::format_to(to, "{}: {} killed, {} crashed, {} timed out, {} survived, {} not covered",
                 system::counted(figures.all.all(), "mutant"), of(mutant_state::killed), of(mutant_state::crashed),
                 of(mutant_state::timed_out), of(mutant_state::survived), of(mutant_state::not_covered));
  if (of(mutant_state::equivalent) > 0) fmt::format_to(to, ", {} equivalent", of(mutant_state::equivalent));
  text += '\n';
  if (of(mutant_state::not_judged) > 0)
    fmt::format_to(to, "not judged, and counted nowhere else: {}\n", of(mutant_state::not_judged));
  std::size_t compile_time_only = 0;
  for (const auto& [path, count] : result.compile_time_only) compile_time_only += count;
  if (compile_time_only > 0) fmt::format_to(to, "compile-time only, and counted nowhere else: {}\n", compile_time_only);
  if (figures.recalled > 0) fmt::format_to(to, "verdicts of an earlier run: {}\n", figures.recalled);
  const auto score = figures.all.score(), of_covered = figures.all.score_of_covered();
  const std::string reached =
      of_covered ? percent_or_none(of_covered) + " of those that tests reach" : "tests reach none";
  fmt::format_to(to,
                 "mutation score {}{}; functions: {} tested, {} partly, {} "
                 "pseudo-tested, {} not covered\n",
                 percent_or_none(score), score ? ", " + reached : ": " + why_no_score(result),
                 functions(tested::tested), functions(tested::partly_tested), functions(tested::pseudo_tested),
                 functions(tested::not_covered));
  if (!score) return;
  if (result.sample_of == 0) return;
  const score_interval interval = interval_of(figures.all);
  fmt::format_to(to, "drawn from {} mutants: the score of all is between {:.1f} and {:.1f} % (95 % confidence)\n",
                 result.sample_of, 100 * interval.low, 100 * interval.high);
}

tallies by_function(const mutation_result& result) {
  tallies rows;
  for (const mutated_source& file : result.files) {
    const std::vector<mutation_tally> of_file = tallies_of_functions(file);
    for (std::size_t f = 0; f < of_file.size(); ++f)
      rows.emplace_back(fmt::format("{}:{} {}", file.path, file.functions[f].line, file.functions[f].name), of_file[f]);
  }
  return rows;
}

void append_table_by(std::string& text, const std::string& what, const mutation_result& result,
                     const mutation_figures& figures, const std::string& suite) {
  if (what == "file") append_table(text, "file", figures.by_file);
  if (what == "operator") append_table(text, "operator", figures.by_operator);
  if (what == "function") append_table(text, "function", by_function(result));
  if (what == "suite") text += '\n' + kills_as_text(result, kills_of_suites(result), "suite");
  if (what == "test") text += '\n' + kills_as_text(result, kills_of_tests(result, suite), "test");
}

}  // namespace

std::string mutation_as_text(const mutation_result& result, const text_form& form) {
  const mutation_figures figures = figures_of(result);
  std::string text;
  auto to = std::back_inserter(text);
  if (form.verbose)
    for (const mutated_source& file : result.files) append_survivors(text, file);
  for (const mutated_source& file : result.files)
    for (const function_result& f : file.functions)
      if (f.how == tested::pseudo_tested)
        fmt::format_to(to, "{}:{}: pseudo-tested: {}\n", on_one_line(file.path), f.line, on_one_line(f.name));
  for (const std::string& what : form.by) append_table_by(text, what, result, figures, form.suite);
  text += '\n';
  for (const unread_unit& unit : result.rejected_units)
    fmt::format_to(to, "not read whole: {} ({}, first: {})\n", on_one_line(unit.unit),
                   system::counted(unit.errors, "error"), on_one_line(unit.first_error));
  for (const rejected_part& part : result.rejected_parts) fmt::format_to(to, "not compiled: {}\n", describe(part));
  for (const judging_test& test : result.tests)
    if (!test.why_left_out.empty())
      fmt::format_to(to, "test left out: {} {}\n", on_one_line(test.name), on_one_line(test.why_left_out));
  for (const judging_test& test : result.tests)
    if (const std::string how = about_difference(test); !how.empty())
      fmt::format_to(to, "test differs: {}: {}\n", on_one_line(test.name), how);
  for (const std::string& line : result.not_run) fmt::format_to(to, "not run: {}\n", line);
  if (!result.scope.empty()) fmt::format_to(to, "{}\n", on_one_line(about_scope(result)));
  if (const auto missing = missing_of(result); result.run && !missing.empty())
    fmt::format_to(to, "not whole: {}\n", fmt::join(missing, "; "));
  append_sum(text, figures, result);
  return text;
}

std::string mutation_as_csv(const mutation_result& result) {
  const auto line = [](std::initializer_list<std::string> fields) {
    std::vector<std::string> clean;
    for (const std::string& field : fields) clean.push_back(as_utf8(field));
    return csv_line(clean);
  };
  std::string text =
      line({"file", "line", "column", "end_line", "end_column", "operator", "original", "replacement", "state",
            "killers", "covering", "infected", "unobserved", "ran", "cpu_us", "recalled", "reason"});
  for (const mutated_source& file : result.files)
    for (const mutant_result& m : file.mutants)
      text += line({file.path, std::to_string(m.from.line), std::to_string(m.from.column), std::to_string(m.to.line),
                    std::to_string(m.to.column), m.op, std::string(original_of(file, m)), m.replacement,
                    std::string(name_of(m.state)), fmt::format("{}", fmt::join(m.killers, "\n")),
                    std::to_string(m.covering), std::to_string(m.infected), std::to_string(m.unobserved),
                    std::to_string(m.ran), std::to_string(m.cpu_us), m.is_recalled ? "true" : "false", m.reason});
  return text;
}

}  // namespace morph::report
