// Activities that only look at a pool, or take cases away.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <functional>

#include "morph/text.hpp"
#include "plugin/spec/engine/activity.hpp"
#include "plugin/spec/report/analysers.hpp"
#include "plugin/spec/report/analysis_csv.hpp"
#include "plugin/spec/report/report.hpp"
#include "plugin/spec/report/saved_page.hpp"

namespace morph::engine {

namespace {

std::string no_number(double value) {
  return std::isnan(value) ? "not a number" : value > 0 ? "infinite" : "minus infinity";
}

/// Where the distance of two cases is none, so is what is made of it.
std::string bad_distance(opened& at) {
  spec_base& spec = *at.of->spec;
  const pool& cases = at.cases.cases();
  for (case_index a = 0; a < cases.size(); ++a)
    for (case_index b = 0; b < cases.size(); ++b)
      if (const double apart = a == b ? 0 : spec.distance(cases.input(a), cases.input(b)); !std::isfinite(apart))
        return ": the distance of the cases " + id_text(cases.id(a)) + " and " + id_text(cases.id(b)) + " is " +
               no_number(apart) + "; mend distance_by()";
  return {};
}

}  // namespace

int measure(opened& at, const asked& what) {
  std::string error;
  const std::uint16_t executer = executer_of(at, what, error);
  if (!error.empty()) return complain(usage, error);
  std::vector<named_number> all = measure_pool(at.cases, at.verdicts, executer);
  for (std::size_t m = 0; m < at.of->spec->set_metrics().size(); ++m)
    all.push_back({at.of->spec->set_metrics()[m].name, at.of->spec->set_metric(m, executer, at.cases.cases())});
  for (const named_number& each : all)
    if (!std::isfinite(each.value))
      return complain(usage, "the metric '" + each.name + "' of the pool of " +
                                 counted(at.cases.cases().size(), "case") + " is " + no_number(each.value) +
                                 (each.name == "diversity" ? bad_distance(at)
                                                           : ": does it divide by 0, or have nothing to say of few "
                                                             "cases?"));
  std::string text = what.json ? "{\"cases\":" + std::to_string(at.cases.cases().size()) : "";
  for (const named_number& each : all) {
    if (what.json) {
      text += ',';
      text::write_string(text, each.name);
      text += ':';
      text::write_floating(text, each.value);
    } else {
      char line[256];
      std::snprintf(line, sizeof line, "%12.6g  %s\n", each.value, each.name.c_str());
      text += line;
    }
  }
  if (what.json) text += ",\"schema\":\"morph.spec-metrics/1\"}\n";
  std::fputs(text.c_str(), stdout);
  return fine;
}

int filter(opened& at, const asked& what) {
  if (what.by.empty() && what.ids.empty() && what.ids_file.empty())
    return complain(
        usage,
        "say which cases: --by FILTER, --id ID or --ids FILE (--remove takes them away, else they are what stays)");
  std::string error;
  const std::uint16_t executer = executer_of(at, what, error);
  std::vector<case_index> chosen;
  if (error.empty()) error = chosen_cases(at, what, executer, chosen);
  if (!error.empty()) return complain(usage, error);
  const std::size_t all = at.cases.cases().size();
  if (what.remove) {
    std::vector<bool> gone(all, false);
    for (const case_index c : chosen) gone[c] = true;
    // What was made of a removed case goes with it: its relations could not be checked.
    for (case_index c = 0; c < all; ++c)
      for (const case_index origin : at.cases.cases().origins(c))
        if (gone[origin]) gone[c] = true;
    chosen.clear();
    for (case_index c = 0; c < all; ++c)
      if (!gone[c]) chosen.push_back(c);
  }
  std::vector<bool> kept(all, false);
  for (const case_index c : chosen) kept[c] = true;
  std::size_t origins = 0;
  for (std::size_t c = all; c-- > 0;)
    if (kept[c])
      for (const case_index origin : at.cases.cases().origins(static_cast<case_index>(c)))
        if (!kept[origin]) kept[origin] = true, ++origins;
  const int result = save(at, what, &chosen);
  if (result != fine) return result;
  tell(what, "%s of %zu stay", counted(chosen.size() + origins, "case").c_str(), all);
  if (origins > 0) tell(what, "; %zu of them because others were made of them", origins);
  tell(what, "%s", "\n");
  return fine;
}

int analyse(opened& at, const asked& what) {
  std::string error;
  const std::uint16_t executer = executer_of(at, what, error);
  if (!error.empty()) return complain(usage, error);
  std::vector<analysis> all;
  const auto is_wanted = [&](const std::string& name) {
    return what.by.empty() || std::find(what.by.begin(), what.by.end(), name) != what.by.end();
  };
  std::vector<std::string> known{"counts", "averages"};
  if (is_wanted("counts")) all = count_verdicts(at.cases, at.verdicts, executer);
  if (is_wanted("averages"))
    for (analysis& each : average_outputs(at.cases, executer)) all.push_back(std::move(each));
  for (std::size_t a = 0; a < at.of->spec->analysers().size(); ++a) {
    known.push_back(at.of->spec->analysers()[a].name);
    if (is_wanted(known.back())) all.push_back(at.of->spec->analyse(a, executer, at.cases.cases()));
  }
  for (const std::string& name : what.by)
    if (std::find(known.begin(), known.end(), name) == known.end()) {
      const std::string alike = most_alike(name, known);
      return complain(usage,
                      "the spec has no analyser '" + name + "'" +
                          (alike.empty() ? "; built in are counts, averages" : "; did you mean '" + alike + "'?"));
    }
  if (what.append || !what.label.empty()) {
    if (what.format != "csv") return complain(usage, "--append and --label are for --format csv");
    if (what.append && what.out.empty()) return complain(usage, "--append needs --out, the file that gets the rows");
  }
  const std::string& ran_by = at.of->spec->executers()[executer].name;
  const std::string rows = what.format == "csv" ? as_csv(what.label, at.of->spec->name(), ran_by, all) : std::string();
  if (what.append) {
    error = append_csv(what.out, rows);
    return error.empty() ? static_cast<int>(fine) : complain(environment, error);
  }
  const std::string text =
      what.format == "csv"                 ? analysis_csv_head + rows
      : what.format == "json" || what.json ? as_json(all)
      : what.format == "html"
          ? result_page("analysis", {"spec", "analyse", "--spec", at.of->spec->name(), "--executer", ran_by},
                        as_json(all))
          : as_text(all);
  if (what.out.empty()) {
    std::fputs(text.c_str(), stdout);
    return fine;
  }
  std::ofstream file(what.out, std::ios::binary | std::ios::trunc);
  file << text;
  file.close();
  return file ? static_cast<int>(fine) : complain(environment, "'" + what.out + "' cannot be written");
}

int show(opened& at, const asked& what) {
  std::string error;
  const std::uint16_t executer = executer_of(at, what, error);
  if (!error.empty()) return complain(usage, error);
  spec_base& spec = *at.of->spec;
  const pool& cases = at.cases.cases();
  if (!what.tree.empty()) {
    std::uint64_t id = 0;
    const case_index found = read_id(what.tree, id) ? cases.find(id) : nowhere;
    if (found == nowhere) return complain(usage, "the pool has no case '" + what.tree + "'");
    std::fputs(draw_tree(at.cases, at.cases.derivation_of(found), executer).c_str(), stdout);
    return fine;
  }
  std::vector<case_index> chosen;
  error = chosen_cases(at, what, executer, chosen);
  if (!error.empty()) return complain(usage, error);
  std::vector<std::vector<double>> metrics(spec.case_metrics().size());
  for (std::size_t m = 0; m < metrics.size(); ++m)
    for (case_index c = 0; c < cases.size(); ++c) metrics[m].push_back(spec.case_metric(m, executer, cases, c));
  if (!what.sort.empty()) {
    const auto& names = spec.case_metrics();
    const auto metric = static_cast<std::size_t>(
        std::find_if(names.begin(), names.end(), [&](const auto& m) { return m.name == what.sort; }) - names.begin());
    std::function<double(case_index)> key;
    if (metric < names.size())
      key = [&, metric](case_index c) { return metrics[metric][c]; };
    else if (what.sort == "order")
      key = [&](case_index c) { return static_cast<double>(cases.order(c)); };
    else if (what.sort == "type")
      key = [&](case_index c) { return static_cast<double>(cases.type(c)); };
    else
      return complain(usage, "--sort: the spec has no case metric '" + what.sort + "'; built in are order, type");
    // What is infinite has a place in an order; what is no number has none.
    for (const case_index c : chosen)
      if (std::isnan(key(c)))
        return complain(usage, "--sort: the metric '" + what.sort + "' of the case " + id_text(cases.id(c)) +
                                   " is not a number, so that it has no place in an order; mend the metric, or leave "
                                   "such cases out by a filter: --by NAME");
    std::stable_sort(chosen.begin(), chosen.end(),
                     [&](case_index a, case_index b) { return what.descending ? key(a) > key(b) : key(a) < key(b); });
  }
  if (what.json) {
    for (const case_index c : chosen) {
      std::string line = pool_line(at.cases, at.verdicts, c);
      line.pop_back();
      for (std::size_t m = 0; m < metrics.size(); ++m) {
        line += m == 0 ? ",\"metrics\":{" : ",";
        text::write_string(line, spec.case_metrics()[m].name);
        line += ':';
        text::write_floating(line, metrics[m][c]);
        if (m + 1 == metrics.size()) line += '}';
      }
      std::printf("%s}\n", line.c_str());
    }
    return fine;
  }
  analysis table{"", {"id", "made by", "input", "output", "verdicts"}, {}, ""};
  for (const auto& metric : spec.case_metrics()) table.columns.push_back(metric.name);
  const auto cut = [](std::string text) { return text.size() <= 40 ? text : text.substr(0, 37) + "..."; };
  for (std::size_t i = 0; i < chosen.size() && i < what.rows; ++i) {
    const case_index c = chosen[i];
    const std::uint16_t operation = spec.operation_of(cases.type(c));
    const ended how = spec.how(executer, operation, cases.input(c));
    tally said;
    for (const auto& [check, found] : at.verdicts.of(c, executer)) said.add(found);
    std::vector<std::string> row{
        id_text(cases.id(c)), spec.type_name(cases.type(c)), cut(spec.show_input(cases.input(c))),
        how == ended::output ? cut(spec.show_output(executer, operation, cases.input(c))) : ended_name(how),
        std::to_string(said.passed) + " pass, " + std::to_string(said.failed) + " fail, " +
            std::to_string(said.not_applicable) + " n/a"};
    for (const auto& metric : metrics) {
      char number[32];
      std::snprintf(number, sizeof number, "%.6g", metric[c]);
      row.emplace_back(number);
    }
    table.rows.push_back(std::move(row));
  }
  std::fputs(as_text({table}).substr(1).c_str(), stdout);
  if (chosen.size() > what.rows)
    std::printf("... and %s more (--rows N)\n", std::to_string(chosen.size() - what.rows).c_str());
  return fine;
}

}  // namespace morph::engine
