// From the states of mutants and functions to a report's mutation_result.
#include "plugin/mutating/result.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "coverage/mutation/operator_table.hpp"
#include "plugin/report/mutation_files.hpp"

namespace morph::mutating {
namespace {

report::mutant_state state_of(mutation::mutant_state state) {
  switch (state) {
    case mutation::mutant_state::not_covered:
      return report::mutant_state::not_covered;
    case mutation::mutant_state::not_judged:
      break;
    case mutation::mutant_state::survived:
      return report::mutant_state::survived;
    case mutation::mutant_state::killed:
      return report::mutant_state::killed;
    case mutation::mutant_state::crashed:
      return report::mutant_state::crashed;
    case mutation::mutant_state::timed_out:
      return report::mutant_state::timed_out;
  }
  return report::mutant_state::not_judged;
}

report::mutant_kind kind_of(mutation::place_kind kind) {
  switch (kind) {
    case mutation::place_kind::statement:
      return report::mutant_kind::statement;
    case mutation::place_kind::body:
      return report::mutant_kind::body;
    case mutation::place_kind::expression:
      break;
  }
  return report::mutant_kind::expression;
}

/// Of tests that several programs call the same, with the program in front.
std::vector<std::string> names_of(const std::vector<reported_test>& tests) {
  std::map<std::string, std::size_t> uses;
  for (const reported_test& test : tests) ++uses[test.name];
  std::vector<std::string> names;
  for (const reported_test& test : tests)
    names.push_back(uses.at(test.name) == 1 ? test.name : fmt::format("{}/{}", test.program, test.name));
  return names;
}

bool is_in_constexpr(const mutation::file_places& file, const mutation::place& place) {
  return std::ranges::any_of(file.functions, [&](const mutation::function_extent& f) {
    return f.is_constexpr && f.begin <= place.begin && place.end <= f.end;
  });
}

bool is_initial_value(const mutation::file_places& file, const mutation::place& place) {
  return std::ranges::any_of(file.initial_values, [&](const mutation::initial_value& v) {
    return v.begin <= place.begin && place.end <= v.end;
  });
}

report::mutant_result result_of(const mutation::mutated_file& file, const reported_mutant& from,
                                const std::vector<std::string>& test_names) {
  const mutation::place& place = file.places.places[from.place];
  report::mutant_result m;
  m.begin = place.begin;
  m.end = place.end;
  m.kind = kind_of(place.kind);
  m.op = place.alternatives[from.alternative].op;
  m.replacement = place.alternatives[from.alternative].text;
  m.node = file.node_of(from.place);
  m.function_node = file.switch_of(from.place);
  m.alternative = from.alternative + 1;
  m.state = from.code.is_equivalent ? report::mutant_state::equivalent : state_of(from.verdict.state);
  for (const std::uint32_t test : from.verdict.killers) m.killers.push_back(test_names[test]);
  m.covering = from.verdict.covering;
  m.infected = from.verdict.infected - from.verdict.unobserved;
  m.unobserved = from.verdict.unobserved;
  m.ran = from.verdict.ran;
  m.cpu_us = from.verdict.cpu_us;
  m.is_recalled = from.verdict.is_recalled;
  if (m.state == report::mutant_state::not_covered && is_in_constexpr(file.places, place))
    m.reason = "in a constexpr function: what compilers evaluate is not seen";
  if (m.state == report::mutant_state::survived && from.verdict.infected == 0 && is_initial_value(file.places, place))
    m.reason = "no test runs what reads the variable";
  if (from.verdict.state == mutation::mutant_state::crashed) m.reason = fmt::format("signal {}", from.verdict.detail);
  if (from.verdict.before_first) m.reason += m.reason.empty() ? "before the first test" : " before the first test";
  return m;
}

/// Those that have mutants, with what became of their extreme transformations.
std::vector<report::function_result> functions_of(const mutation::mutated_file& file,
                                                  const std::vector<report::mutant_result>& mutants) {
  struct found {
    bool has_mutants = false;
    report::mutation_tally bodies{};
  };
  std::vector<found> by_function(file.places.functions.size());
  for (const report::mutant_result& m : mutants) {
    found* innermost = nullptr;
    for (std::size_t f = 0; f < by_function.size(); ++f)
      if (file.places.functions[f].begin <= m.begin && m.end <= file.places.functions[f].end)
        innermost = &by_function[f];  // outer ones come first
    if (innermost == nullptr) continue;
    innermost->has_mutants = true;
    if (m.kind == report::mutant_kind::body) innermost->bodies.add(m.state);
  }
  std::vector<report::function_result> functions;
  for (std::size_t i = 0; i < by_function.size(); ++i) {
    const mutation::function_extent& f = file.places.functions[i];
    if (by_function[i].has_mutants)
      functions.push_back({f.line, f.name, report::tested_by(by_function[i].bodies), f.begin, f.end});
  }
  return functions;
}

/// Of mutants that the compiler makes one of, the later ones say so.
void say_same_code(const mutation_report& report, report::mutation_result& result) {
  std::vector<report::mutant_result*> by_number;
  std::vector<std::size_t> next(result.files.size(), 0);
  for (const reported_mutant& m : report.mutants) by_number.push_back(&result.files[m.file].mutants[next[m.file]++]);
  for (std::size_t i = 0; i < by_number.size(); ++i)
    if (const auto first = report.mutants[i].code.same_as)
      by_number[i]->reason = fmt::format("the same code as {} at {}:{}", by_number[*first]->op,
                                         by_number[*first]->from.line, by_number[*first]->from.column);
}

}  // namespace

report::mutation_result result_of(const mutation_report& report, std::int64_t at) {
  report::mutation_result result;
  result.run = report.run;
  for (const mutation::mutated_file& file : report.sources.files) result.files.push_back({file.path, file.source});
  const std::vector<std::string> test_names = names_of(report.tests);
  for (const reported_mutant& m : report.mutants)
    result.files[m.file].mutants.push_back(result_of(report.sources.files[m.file], m, test_names));
  for (report::mutated_source& file : result.files) report::place_mutants(file);
  say_same_code(report, result);
  for (std::size_t f = 0; f < result.files.size(); ++f) {
    report::mutated_source& file = result.files[f];
    file.functions = functions_of(report.sources.files[f], file.mutants);
    for (const report::mutant_result& m : file.mutants)
      if (const auto* fact = mutation::find_operator_fact(m.op)) result.operators[m.op] = fact->summary;
  }
  for (std::size_t t = 0; t < test_names.size(); ++t)
    result.tests.push_back({test_names[t], report.tests[t].why_left_out, report.tests[t].suite, report.tests[t].program,
                            report.tests[t].name, report.tests[t].in_build});
  result.left_out = report.sources.left_out;
  result.compile_time_only = report.compile_time_only;
  for (const rejected_unit& unit : report.sources.rejected)
    result.rejected_units.push_back({unit.unit, unit.first_error, unit.errors});
  result.rejected_parts = report.sources.rejected_parts;
  std::ranges::stable_sort(result.rejected_parts, {}, &report::rejected_part::path);  // as the next run knows them
  result.not_run = report.not_run;
  result.is_whole = report.is_whole;
  result.has_all_killers = report.has_all_killers;
  result.units = report.sources.units;
  result.units_read = report.sources.units_read;
  result.candidates = report.sources.candidates;
  result.not_compilable = report.sources.dropped;
  result.rejected_by_compiler = report.rejected_by_compiler;
  result.seconds = report.seconds;
  result.cpu_seconds = {{"prepare", report.cpu_prepare}, {"sources", report.cpu_sources},
                        {"build", report.cpu_build},     {"baseline", report.cpu_baseline},
                        {"judge", report.cpu_judge},     {"compare", report.cpu_compare}};
  result.at = at;
  result.sample_of = report.sample_of;
  result.scope = report.scope;
  return result;
}

std::vector<std::string> only_files_of(const report::mutation_result& of) {
  std::vector<std::string> paths;
  for (const report::mutated_source& each : of.files) {
    if (each.path.find_first_of("*?[]{}\\") != std::string::npos) return {};
    paths.push_back(each.path);
  }
  return paths;
}

std::filesystem::path mutation_result_path(const build::build_tree& tree) {
  return tree.own_dir() / "mutation" / "report.json";
}

result<report::mutation_result> last_result(const build::build_tree& tree) {
  const std::filesystem::path path = mutation_result_path(tree);
  if (!std::filesystem::exists(path))
    return tl::unexpected(
        fmt::format("there is no mutation result in '{}'; run `morph mutate` first", tree.binary_dir.string()));
  return report::result_in(path);
}

}  // namespace morph::mutating
