#include "plugin/command/mutate_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "plugin/project/formats.hpp"

namespace morph::command {
namespace {

using nlohmann::json;

const char* name_of(mutant_state state) {
  switch (state) {
    case mutant_state::not_covered:
      return "not covered";
    case mutant_state::not_judged:
      return "not judged";
    case mutant_state::survived:
      return "survived";
    case mutant_state::killed:
      return "killed";
    case mutant_state::crashed:
      return "crashed";
    case mutant_state::timed_out:
      return "timed out";
  }
  return "";
}

const char* name_of(tested how) {
  switch (how) {
    case tested::not_covered:
      return "not covered";
    case tested::pseudo_tested:
      return "pseudo-tested";
    case tested::partly_tested:
      return "partly tested";
    case tested::tested:
      return "tested";
  }
  return "";
}

struct line_column {
  std::size_t line;
  std::size_t column;
};

line_column at(const std::string& text, std::uint32_t offset) {
  const auto before = std::string_view(text).substr(0, offset);
  const auto last = before.rfind('\n');
  return {static_cast<std::size_t>(std::count(before.begin(), before.end(), '\n')) + 1,
          offset - (last == std::string_view::npos ? 0 : last + 1) + 1};
}

const mutation::place& place_of(const mutation_report& report, const reported_mutant& m) {
  return report.sources.files[m.file].places.places[m.place];
}

const mutation::alternative& alternative_of(const mutation_report& report, const reported_mutant& m) {
  return place_of(report, m).alternatives[m.alternative];
}

std::string original_of(const mutation_report& report, const reported_mutant& m) {
  const auto& p = place_of(report, m);
  return report.sources.files[m.file].source.substr(p.begin, p.end - p.begin);
}

json to_json(const mutation_report& report) {
  const mutation_score score = score_of(report);
  json mutants = json::array(), functions = json::array(), rejected = json::array(), tests = json::array();
  for (const reported_mutant& m : report.mutants) {
    const auto& file = report.sources.files[m.file];
    const auto& p = place_of(report, m);
    const auto where = at(file.source, p.begin);
    mutants.push_back({{"file", file.path},
                       {"line", where.line},
                       {"column", where.column},
                       {"begin", p.begin},
                       {"end", p.end},
                       {"operator", alternative_of(report, m).op},
                       {"replacement", alternative_of(report, m).text},
                       {"node", file.first_node + m.place},
                       {"alternative", m.alternative + 1},
                       {"state", name_of(m.verdict.state)},
                       {"test", m.verdict.test},
                       {"killers", m.verdict.killers},
                       {"recalled", m.verdict.is_recalled},
                       {"covering", m.verdict.covering},
                       {"infected", m.verdict.infected},
                       {"ran", m.verdict.ran},
                       {"cpu_us", m.verdict.cpu_us}});
  }
  for (const tested_function& f : tested_functions(report))
    functions.push_back({{"file", report.sources.files[f.file].path},
                         {"line", f.function->line},
                         {"name", f.function->name},
                         {"tested", name_of(f.how)}});
  for (const rejected_unit& unit : report.sources.rejected)
    rejected.push_back({{"unit", unit.unit}, {"errors", unit.errors}, {"first", unit.first_error}});
  for (const left_out_test& test : report.left_out_tests) tests.push_back({{"name", test.name}, {"why", test.why}});
  return {{"schema", project::mutation_schema},
          {"score", score.of_all},
          {"score_of_covered", score.of_covered},
          {"killed", score.killed},
          {"covered", score.covered},
          {"mutants", mutants},
          {"functions", functions},
          {"candidates", report.sources.candidates},
          {"not_compilable", report.sources.dropped},
          {"rejected_by_compiler", report.rejected_by_compiler},
          {"left_out", report.sources.left_out},
          {"rejected_units", rejected},
          {"units", report.sources.units},
          {"units_read", report.sources.units_read},
          {"tests", report.tests},
          {"left_out_tests", tests},
          {"not_run", report.not_run},
          {"seconds", report.seconds},
          {"cpu_seconds",
           {{"prepare", report.cpu_prepare},
            {"sources", report.cpu_sources},
            {"build", report.cpu_build},
            {"baseline", report.cpu_baseline},
            {"judge", report.cpu_judge}}}};
}

void print_text(const mutation_report& report, bool verbose) {
  const mutation_score score = score_of(report);
  std::map<mutant_state, std::size_t> by_state;
  struct counts {
    std::size_t all = 0, covered = 0, killed = 0;
  };
  std::map<std::string, counts> by_operator, by_file;
  for (const reported_mutant& m : report.mutants) {
    ++by_state[m.verdict.state];
    for (counts* c : {&by_operator[alternative_of(report, m).op], &by_file[report.sources.files[m.file].path]}) {
      ++c->all;
      c->covered += m.verdict.state != mutant_state::not_covered ? 1 : 0;
      c->killed += is_kill(m.verdict.state) ? 1 : 0;
    }
  }
  const auto percent = [](std::size_t part, std::size_t of) {
    return of == 0 ? 0.0 : 100.0 * static_cast<double>(part) / static_cast<double>(of);
  };
  const auto table = [&](const char* title, const std::map<std::string, counts>& rows) {
    fmt::print("\n{:<48} {:>8} {:>8} {:>8} {:>7}\n", title, "mutants", "covered", "killed", "");
    for (const auto& [name, c] : rows)
      fmt::print("{:<48} {:>8} {:>8} {:>8} {:>6.1f}%\n", name, c.all, c.covered, c.killed,
                 percent(c.killed, c.covered));
  };
  for (const reported_mutant& m : report.mutants) {
    if (m.verdict.state != mutant_state::survived) continue;
    if (!verbose) continue;
    const auto where = at(report.sources.files[m.file].source, place_of(report, m).begin);
    fmt::print("{}:{}:{}: survived{} [{}] {} -> {}\n", report.sources.files[m.file].path, where.line, where.column,
               m.verdict.infected == 0 ? ", its value never differs" : "", alternative_of(report, m).op,
               original_of(report, m), alternative_of(report, m).text);
  }
  std::map<tested, std::size_t> functions;
  for (const tested_function& f : tested_functions(report)) {
    ++functions[f.how];
    if (f.how == tested::pseudo_tested)
      fmt::print("{}:{}: pseudo-tested: {}\n", report.sources.files[f.file].path, f.function->line, f.function->name);
  }
  table("file", by_file);
  table("operator", by_operator);
  fmt::print("\n");
  for (const auto& unit : report.sources.rejected)
    fmt::print("not read whole: {} ({} errors, first: {})\n", unit.unit, unit.errors, unit.first_error);
  for (const auto& test : report.left_out_tests) fmt::print("test left out: {} {}\n", test.name, test.why);
  for (const std::string& line : report.not_run) fmt::print("not run: {}\n", line);
  fmt::print("{} mutants: {} killed, {} crashed, {} timed out, {} survived, {} not covered\n", report.mutants.size(),
             by_state[mutant_state::killed], by_state[mutant_state::crashed], by_state[mutant_state::timed_out],
             by_state[mutant_state::survived], by_state[mutant_state::not_covered]);
  fmt::print(
      "mutation score {:.1f} %, {:.1f} % of those that tests reach; functions: {} tested, {} partly, {} "
      "pseudo-tested, {} not covered\n",
      100 * score.of_all, 100 * score.of_covered, functions[tested::tested], functions[tested::partly_tested],
      functions[tested::pseudo_tested], functions[tested::not_covered]);
}

}  // namespace

mutation_score score_of(const mutation_report& report) {
  mutation_score score;
  for (const reported_mutant& m : report.mutants) {
    if (m.verdict.state == mutant_state::not_judged) continue;
    ++score.all;
    if (m.verdict.state != mutant_state::not_covered) ++score.covered;
    if (is_kill(m.verdict.state)) ++score.killed;
  }
  const auto share = [&](std::size_t of) {
    return of == 0 ? 1.0 : static_cast<double>(score.killed) / static_cast<double>(of);
  };
  score.of_all = share(score.all);
  score.of_covered = share(score.covered);
  return score;
}

std::vector<tested_function> tested_functions(const mutation_report& report) {
  struct seen {
    std::size_t all = 0, covered = 0, killed = 0;
  };
  std::map<std::pair<std::size_t, const mutation::function_extent*>, seen> functions;
  for (const reported_mutant& m : report.mutants) {
    const mutation::place& p = place_of(report, m);
    if (p.kind != mutation::place_kind::body) continue;
    const mutation::function_extent* innermost = nullptr;
    for (const auto& f : report.sources.files[m.file].places.functions)
      if (f.begin <= p.begin && p.end <= f.end) innermost = &f;  // outer ones come first
    if (innermost == nullptr) continue;
    seen& s = functions[{m.file, innermost}];
    ++s.all;
    s.covered += m.verdict.state != mutant_state::not_covered ? 1 : 0;
    s.killed += is_kill(m.verdict.state) ? 1 : 0;
  }
  std::vector<tested_function> result;
  for (const auto& [key, s] : functions)
    result.push_back({key.first, key.second,
                      s.covered == 0     ? tested::not_covered
                      : s.killed == 0    ? tested::pseudo_tested
                      : s.killed < s.all ? tested::partly_tested
                                         : tested::tested});
  std::ranges::sort(result, [](const tested_function& a, const tested_function& b) {
    return std::pair(a.file, a.function->begin) < std::pair(b.file, b.function->begin);
  });
  return result;
}

void print_report(const mutation_report& report, const common_options& common) {
  if (common.json)
    fmt::print("{}\n", to_json(report).dump(-1, ' ', false, json::error_handler_t::replace));
  else
    print_text(report, common.verbose);
}

}  // namespace morph::command
