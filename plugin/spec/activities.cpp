// Activities on saved pools.
#include "plugin/spec/activities.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <set>

#include "morph/text.hpp"
#include "plugin/spec/analysers.hpp"
#include "plugin/spec/arguments.hpp"
#include "plugin/spec/isolate.hpp"
#include "plugin/spec/pool_file.hpp"
#include "plugin/spec/report.hpp"
#include "plugin/spec/specs.hpp"

namespace morph::engine {
namespace {

namespace fs = std::filesystem;

struct asked {
  std::string spec, pool, out, sort, format = "text", tree, executer, ids_file;
  std::vector<std::string> seeds, datamorphisms, relations, by, ids;
  options how;
  std::uint64_t rows = 50;
  bool json = false, remove = false, descending = false, isolate = false, help = false, run_too = false;
};

/// A spec with its pool.
struct opened {
  const made_spec* of;
  session cases;
  verdict_table verdicts;

  opened(const made_spec& from, const options& how) : of(&from), cases(*from.spec, how) {
    cases.on_verdict([this](case_index which, std::uint16_t executer, std::size_t check, verdict found) {
      verdicts.set(which, executer, check, found);
    });
  }
};

std::string counted(std::size_t number, const std::string& what) {
  return std::to_string(number) + " " + what + (number == 1 ? "" : "s");
}

int save(opened& at, const asked& what, const std::vector<case_index>* only = nullptr) {
  at.cases.done();
  const std::string error = save_pool(at.cases, at.verdicts, what.out.empty() ? what.pool : what.out, only);
  return error.empty() ? static_cast<int>(fine) : complain(environment, error);
}

std::uint16_t executer_of(const opened& at, const asked& what, std::string& error) {
  const auto& all = at.of->spec->executers();
  if (what.executer.empty()) return 0;
  const auto found = std::find_if(all.begin(), all.end(), [&](const auto& e) { return e.name == what.executer; });
  if (found == all.end()) error = "the spec has no executer '" + what.executer + "'";
  return static_cast<std::uint16_t>(found - all.begin());
}

template <typename Named>
std::string check_names(const std::vector<std::string>& asked_for, const std::vector<Named>& known,
                        const std::string& kind) {
  for (const std::string& name : asked_for) {
    std::vector<std::string> names;
    for (const Named& each : known) names.push_back(each.name);
    if (std::find(names.begin(), names.end(), name) != names.end()) continue;
    const std::string alike = most_alike(name, names);
    return "the spec has no " + kind + " '" + name + "'" + (alike.empty() ? "" : "; did you mean '" + alike + "'?");
  }
  return {};
}

// ---- the activities

int list(const std::vector<made_spec>& specs, const asked& what) {
  std::string text = what.json ? "{\"specs\":[" : "";
  bool first = true;
  for (const made_spec& each : specs) {
    if (!what.spec.empty() && each.spec->name() != what.spec) continue;
    const spec_base& spec = *each.spec;
    const auto add = [&](const char* kind, const auto& all, const auto& more) {
      if (what.json) {
        text += std::string(",\"") + kind + "\":[";
        for (std::size_t i = 0; i < all.size(); ++i) {
          if (i > 0) text += ',';
          text::write_string(text, all[i].name);
        }
        text += ']';
      } else if (!all.empty()) {
        text += std::string("  ") + kind + "\n";
        for (const auto& one : all) text += "    " + one.name + more(one) + "\n";
      }
    };
    const auto nothing = [](const auto&) { return std::string(); };
    if (what.json) {
      text += first ? "{\"name\":" : ",{\"name\":";
      text::write_string(text, spec.name());
      text += ",\"file\":";
      text::write_string(text, each.from->file);
      text += ",\"line\":" + std::to_string(each.from->line);
    } else {
      text +=
          (first ? "" : "\n") + spec.name() + "  (" + each.from->file + ":" + std::to_string(each.from->line) + ")\n";
    }
    first = false;
    add("executers", spec.executers(), nothing);
    add("seeds", spec.makers(), nothing);
    add("datamorphisms", spec.datamorphisms(), [&](const declared_datamorphism& d) {
      return (d.arity > 1 ? "  of " + std::to_string(d.arity) : "") + (d.symmetric ? ", symmetric" : "") +
             (d.uses_runs ? ", looks at outputs" : "") +
             (d.operation != 0 ? ", runs " + spec.operations()[d.operation].name : "");
    });
    add("relations", spec.relations(), nothing);
    add("case metrics", spec.case_metrics(), nothing);
    add("case filters", spec.case_filters(), nothing);
    add("set metrics", spec.set_metrics(), nothing);
    add("set filters", spec.set_filters(), nothing);
    add("analysers", spec.analysers(), nothing);
    if (what.json) text += '}';
  }
  if (what.json) text += "]}\n";
  std::fputs(text.c_str(), stdout);
  return fine;
}

int seed(opened& at, const asked& what) {
  if (const std::string error = check_names(what.seeds, at.of->spec->makers(), "list of seeds"); !error.empty())
    return complain(usage, error);
  const std::size_t before = at.cases.cases().size();
  at.cases.make_seeds();
  if (!at.cases.report().error.empty()) return complain(environment, at.cases.report().error);
  const int result = save(at, what);
  if (result == fine)
    std::printf("%s added, %s in the pool\n", counted(at.cases.cases().size() - before, "seed").c_str(),
                counted(at.cases.cases().size(), "case").c_str());
  return result;
}

int mutate(opened& at, const asked& what) {
  if (const std::string error = check_names(what.datamorphisms, at.of->spec->datamorphisms(), "datamorphism");
      !error.empty())
    return complain(usage, error);
  const auto sources = static_cast<std::uint32_t>(at.cases.cases().size());
  if (at.of->spec->uses_runs()) at.cases.execute(0, sources);
  for (std::size_t d = 0; d < at.of->spec->datamorphisms().size(); ++d) {
    const std::string& name = at.of->spec->datamorphisms()[d].name;
    if (!what.datamorphisms.empty() &&
        std::find(what.datamorphisms.begin(), what.datamorphisms.end(), name) == what.datamorphisms.end())
      continue;
    at.cases.mutate(d, sources);
  }
  for (const std::string& each : at.cases.report().broken) std::fprintf(stderr, "error: %s\n", each.c_str());
  const int result = save(at, what);
  if (result != fine) return result;
  std::printf("%s added, %s in the pool\n", counted(at.cases.cases().size() - sources, "mutant").c_str(),
              counted(at.cases.cases().size(), "case").c_str());
  const left_out& omitted = at.cases.report().omitted;
  if (!omitted.why.empty()) std::printf("left out: what is beyond %s\n", omitted.why.c_str());
  return at.cases.report().broken.empty() ? fine : finding;
}

int execute(opened& at, const asked& what) {
  at.cases.execute(0, static_cast<case_index>(at.cases.cases().size()));
  const int result = save(at, what);
  if (result == fine) std::printf("%s\n", counted(at.cases.report().runs, "run").c_str());
  return result;
}

int check(opened& at, const asked& what) {
  if (const std::string error = check_names(what.relations, at.of->spec->relations(), "relation"); !error.empty())
    return complain(usage, error);
  const auto end = static_cast<case_index>(at.cases.cases().size());
  at.cases.execute(0, end);
  at.verdicts.clear();
  if (what.relations.empty()) {
    at.cases.check(0, end);
  } else {
    for (const std::string& name : what.relations)
      for (std::size_t k = 0; k < at.cases.checks().size(); ++k)
        if (at.cases.checks()[k].name == name) {
          at.cases.check_only(k);
          at.cases.check(0, end);
        }
  }
  const int result = save(at, what);
  if (result != fine) return result;
  report_style style;
  style.quiet = true;
  for (const violation& each : at.cases.report().violations)
    std::fputs((violation_text(at.cases, each, style) + "  case: " + id_text(each.id) + "\n\n").c_str(), stdout);
  std::fputs(as_text(count_verdicts(at.cases, at.verdicts, 0)).c_str(), stdout);
  return at.cases.report().failed() ? finding : fine;
}

int measure(opened& at, const asked& what) {
  std::string error;
  const std::uint16_t executer = executer_of(at, what, error);
  if (!error.empty()) return complain(usage, error);
  std::vector<named_number> all = measure_pool(at.cases, at.verdicts, executer);
  for (std::size_t m = 0; m < at.of->spec->set_metrics().size(); ++m)
    all.push_back({at.of->spec->set_metrics()[m].name, at.of->spec->set_metric(m, executer, at.cases.cases())});
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
  if (what.json) text += "}\n";
  std::fputs(text.c_str(), stdout);
  return fine;
}

/// The cases for which all named case filters are true; those that `--failed`, ... of verdicts name are filters, too.
std::string chosen_cases(opened& at, const asked& what, std::uint16_t executer, std::vector<case_index>& to) {
  spec_base& spec = *at.of->spec;
  std::vector<bool> stays(at.cases.cases().size(), true);
  for (const std::string& name : what.by) {
    const auto position = [&](const auto& all) {
      return static_cast<std::size_t>(
          std::find_if(all.begin(), all.end(), [&](const auto& each) { return each.name == name; }) - all.begin());
    };
    const std::size_t filter = position(spec.case_filters());
    const std::size_t set_filter = position(spec.set_filters());
    const bool built_in = name == "seeds" || name == "mutants" || name == "failed" || name == "distinct";
    if (filter < spec.case_filters().size()) {
      for (case_index c = 0; c < stays.size(); ++c)
        stays[c] = stays[c] && spec.case_filter(filter, executer, at.cases.cases(), c);
    } else if (set_filter < spec.set_filters().size()) {
      std::vector<bool> kept(stays.size(), false);
      for (const case_index c : spec.set_filter(set_filter, executer, at.cases.cases()))
        if (c < kept.size()) kept[c] = true;
      for (std::size_t c = 0; c < stays.size(); ++c) stays[c] = stays[c] && kept[c];
    } else if (built_in) {
      std::set<input_index> seen;
      for (case_index c = 0; c < stays.size(); ++c) {
        const bool is_seed = at.cases.cases().order(c) == 0;
        bool good = name == "seeds" ? is_seed : name == "mutants" ? !is_seed : false;
        if (name == "distinct") good = seen.insert(at.cases.cases().input(c)).second;
        if (name == "failed")
          for (const auto& [check, found] : at.verdicts.of(c, executer)) good = good || found == verdict::fail;
        stays[c] = stays[c] && good;
      }
    } else {
      return "the spec has no filter '" + name + "'; built in are seeds, mutants, failed, distinct";
    }
  }
  std::vector<std::string> ids = what.ids;
  if (!what.ids_file.empty()) {
    std::ifstream file(what.ids_file);
    if (!file) return "'" + what.ids_file + "' cannot be read";
    for (std::string line; std::getline(file, line);)
      if (!line.empty()) ids.push_back(line);
  }
  std::vector<bool> named(stays.size(), ids.empty() && what.ids_file.empty());
  for (const std::string& id : ids) {
    std::uint64_t number = 0;
    const case_index found = read_id(id, number) ? at.cases.cases().find(number) : nowhere;
    if (found == nowhere) return "the pool has no case '" + id + "'";
    named[found] = true;
  }
  for (case_index c = 0; c < stays.size(); ++c)
    if (stays[c] && named[c]) to.push_back(c);
  return {};
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
  std::printf("%s of %zu stay", counted(chosen.size() + origins, "case").c_str(), all);
  if (origins > 0) std::printf("; %zu of them because others were made of them", origins);
  std::printf("\n");
  return fine;
}

int edit(opened& at, const asked& what) {
  const char* editor = std::getenv("VISUAL");
  if (editor == nullptr || *editor == 0) editor = std::getenv("EDITOR");
  if (editor == nullptr || *editor == 0)
    return complain(environment, "no editor is known; set EDITOR, such as EDITOR=vi");
  const std::string copy = what.pool + ".edit.jsonl";
  if (const std::string error = save_pool(at.cases, at.verdicts, copy); !error.empty())
    return complain(environment, error);
  const std::string command = std::string(editor) + " " + quoted(copy);
  const int status = std::system(command.c_str());
  if (status != 0)
    return complain(environment,
                    "the editor ended with an error; the pool is as it was, what was edited is in '" + copy + "'");
  // Read as a pool of its own before it takes the place of the other one.
  opened edited(*at.of, what.how);
  at.of->spec->truncate_inputs(0);
  const loaded_pool found = load_pool(edited.cases, edited.verdicts, copy);
  if (!found.error.empty())
    return complain(usage, found.error + "\nthe pool is as it was; what was edited is still in '" + copy + "'");
  for (const std::string& each : found.warnings) std::fprintf(stderr, "warning: %s\n", each.c_str());
  const int result = save(edited, what);
  std::error_code ignored;
  if (result == fine) fs::remove(copy, ignored);
  if (result == fine) std::printf("%s in the pool\n", counted(edited.cases.cases().size(), "case").c_str());
  return result;
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
  const std::string text = what.format == "json" || what.json ? as_json(all)
                           : what.format == "html"
                               ? as_page(at.of->spec->name() + " - " + at.of->spec->executers()[executer].name, all)
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

// ---- their command lines

struct activity_of {
  const char* name;
  const char* help;
  int (*run)(opened&, const asked&);
  bool makes_pool;     // a pool that is not there is an empty one
  bool is_supervised;  // it makes, runs or checks cases
};

constexpr activity_of activities[] = {
    {"seed", "adds seeds to the pool", seed, true, true},
    {"mutate", "adds what datamorphisms make of all cases of the pool", mutate, false, true},
    {"execute", "runs the cases that have not run", execute, false, true},
    {"check", "checks relations on all cases; runs them where need be", check, false, true},
    {"measure", "metrics of the whole pool", measure, false, false},
    {"filter", "keeps, or with --remove takes away, the cases that filters or --id name", filter, false, false},
    {"edit", "opens the pool in $EDITOR; what comes back is checked before it is kept", edit, false, false},
    {"analyse", "reports: counts, averages, the spec's own analysers", analyse, false, false},
    {"show", "a table of the cases, or with --tree how one was made", show, false, false},
};

std::vector<option> options_of(asked& to) {
  return {
      {"--spec", "NAME", "the spec; needed where the program has several", into_text(to.spec)},
      {"--pool", "FILE", "the pool", into_text(to.pool)},
      {"--out", "FILE", "write there instead", into_text(to.out)},
      {"--seeds", "NAME", "seed: this list of seeds alone; may be repeated", into_list(to.seeds)},
      {"--seed", "N", "seed: of all random numbers (default 1, or MORPH_SEED)", into_number(to.how.seed)},
      {"--datamorphism", "NAME", "mutate: this one alone; may be repeated", into_list(to.datamorphisms)},
      {"--tuples", "WHICH", "mutate: all, distinct (default), unordered",
       [&to](const std::string& text) {
         if (text == "all") return to.how.which = tuples::all, std::string();
         if (text == "distinct") return to.how.which = tuples::distinct, std::string();
         if (text == "unordered") return to.how.which = tuples::unordered, std::string();
         return "'" + text + "' is unknown; there are: all, distinct, unordered";
       }},
      {"--max-cases", "N", "mutate: add N mutants at most", into_number(to.how.most_cases, 1)},
      {"--relation", "NAME", "check: this one alone; may be repeated", into_list(to.relations)},
      {"--isolate", "", "execute, check: runs in processes of their own, as after a crash", into_flag(to.isolate)},
      {"--executer", "NAME", "measure, filter, analyse, show: outputs and verdicts of this one (default: the first)",
       into_text(to.executer)},
      {"--by", "NAME",
       "filter, show: a filter of the spec, or seeds, mutants, failed, distinct; analyse: an analyser.\n"
       "May be repeated",
       into_list(to.by)},
      {"--id", "ID", "filter, show: the case with this id; may be repeated", into_list(to.ids)},
      {"--ids", "FILE", "filter, show: the cases with the ids of a file, one a line", into_text(to.ids_file)},
      {"--remove", "", "filter: take away what is named, and what was made of it", into_flag(to.remove)},
      {"--sort", "METRIC", "show: by a case metric, or by order, type", into_text(to.sort)},
      {"--descending", "", "show: the largest first", into_flag(to.descending)},
      {"--rows", "N", "show: so many rows (default 50)", into_number(to.rows, 1)},
      {"--tree", "ID", "show: how that case was made", into_text(to.tree)},
      {"--format", "F", "analyse: text (default), json, html",
       [&to](const std::string& text) {
         to.format = text;
         return text == "text" || text == "json" || text == "html"
                    ? std::string()
                    : "'" + text + "' is unknown; there are: text, json, html";
       }},
      {"--json", "", "JSON instead of text", into_flag(to.json)},
      {"--help", "", "this text", into_flag(to.help)},
  };
}

}  // namespace

bool is_activity(const std::string& word) {
  return word == "list" || std::any_of(std::begin(activities), std::end(activities),
                                       [&](const activity_of& each) { return word == each.name; });
}

std::string activities_help() {
  std::string text = "  list      the specs and what they declare\n";
  for (const activity_of& each : activities) {
    std::string name = each.name;
    name.resize(8, ' ');
    text += "  " + name + "  " + each.help + "\n";
  }
  return text;
}

int run_activity(const std::vector<std::string>& arguments, const char* program) {
  asked what;
  std::vector<std::string> others;
  const std::string& name = arguments[0];
  if (const char* const seed_text = std::getenv("MORPH_SEED"))
    if (const std::string error = into_number(what.how.seed)(seed_text); !error.empty())
      return complain(usage, "MORPH_SEED: " + error);
  if (const std::string error = read_arguments({arguments.begin() + 1, arguments.end()}, options_of(what), others);
      !error.empty())
    return complain(usage, name + ": " + error + " (" + name + " --help tells the options)");
  if (what.help) {
    std::printf("usage: %s %s --pool FILE [options]\n\n%s\n%s", program, name.c_str(), activities_help().c_str(),
                option_help(options_of(what)).c_str());
    return fine;
  }
  if (!others.empty()) return complain(usage, name + ": '" + others[0] + "' is no option (--help tells them)");
  std::vector<made_spec> specs;
  if (const std::string error = make_specs(specs); !error.empty()) return complain(usage, error);
  if (name == "list") return list(specs, what);
  const made_spec* of = nullptr;
  if (const std::string error = find_spec(specs, what.spec, of); !error.empty()) return complain(usage, error);
  if (what.pool.empty()) return complain(usage, name + " needs --pool FILE");
  const auto* const chosen = std::find_if(std::begin(activities), std::end(activities),
                                          [&](const activity_of& each) { return name == each.name; });
  what.how.keep = true;
  what.how.makers = what.seeds;
  what.how.violations_shown = 3;
  opened at(*of, what.how);
  if (fs::exists(what.pool) || !chosen->makes_pool) {
    const loaded_pool found = load_pool(at.cases, at.verdicts, what.pool);
    if (!found.error.empty()) return complain(environment, found.error);
    for (const std::string& each : found.warnings) std::fprintf(stderr, "warning: %s\n", each.c_str());
  }
  const auto work = [&](activity* shown, bool isolated) {
    at.cases.work_in(shown, isolated ? run_isolated : run_here);
    return chosen->run(at, what);
  };
  if (!chosen->is_supervised) return work(nullptr, false);
  if (chosen->run == seed) read_standard_input(*of->spec, what.how);
  return supervised(what.isolate ? isolation::batches : isolation::automatic, of->spec->timeout(),
                    of->spec->outputs_have_text(), work,
                    [&](const accident& found) { return complain(finding, stopped_at(*of->spec, found)); });
}

}  // namespace morph::engine
