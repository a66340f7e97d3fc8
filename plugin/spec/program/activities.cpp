// Activities on saved pools: their command lines, and those that make, run and check cases.
#include "plugin/spec/program/activities.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include "morph/text.hpp"
#include "plugin/spec/engine/activity.hpp"
#include "plugin/spec/engine/isolate.hpp"
#include "plugin/spec/program/explore_activity.hpp"
#include "plugin/spec/report/analysers.hpp"
#include "plugin/spec/report/report.hpp"

namespace morph::engine {
namespace {

namespace fs = std::filesystem;

/// Of its datamorphisms: "1,2".
std::string arities_of(const spec_base& spec) {
  std::string text;
  for (const declared_datamorphism& each : spec.datamorphisms())
    text += (text.empty() ? "" : ",") + std::to_string(each.arity);
  return text;
}

/// Makes the text our standard input; an error if that cannot be.
std::string type_in(const std::string& text) {
  std::FILE* const file = std::tmpfile();
  const bool is_there = file != nullptr && std::fputs((text + "\n").c_str(), file) >= 0 && std::fflush(file) == 0 &&
                        std::fseek(file, 0, SEEK_SET) == 0 && ::dup2(::fileno(file), STDIN_FILENO) >= 0;
  if (file != nullptr) std::fclose(file);
  return is_there ? std::string() : "--input cannot be kept in a file of its own";
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
    if (what.json) text += ",\"arities\":[" + arities_of(spec) + "]}";
  }
  if (what.json) text += "],\"schema\":\"morph.spec-list/1\"}\n";
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
    tell(what, "%s added, %s in the pool\n", counted(at.cases.cases().size() - before, "seed").c_str(),
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
  tell(what, "%s added, %s in the pool\n", counted(at.cases.cases().size() - sources, "mutant").c_str(),
       counted(at.cases.cases().size(), "case").c_str());
  const left_out& omitted = at.cases.report().omitted;
  if (!omitted.why.empty()) tell(what, "left out: what is beyond %s\n", omitted.why.c_str());
  return at.cases.report().broken.empty() ? fine : finding;
}

int execute(opened& at, const asked& what) {
  at.cases.execute(0, static_cast<case_index>(at.cases.cases().size()));
  const int result = save(at, what);
  if (result == fine) tell(what, "%s\n", counted(at.cases.report().runs, "run").c_str());
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
  if (result == fine) tell(what, "%s in the pool\n", counted(edited.cases.cases().size(), "case").c_str());
  return result;
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
    {"serve", "answers questions about the pool on its standard input; `morph spec breed` asks them", serve, false,
     false},
};

std::vector<option> options_of(asked& to) {
  return {
      {"--spec", "NAME", "the spec; needed where the program has several", into_text(to.spec)},
      {"--pool", "FILE", "the pool", into_text(to.pool)},
      {"--out", "FILE", "write there instead", into_text(to.out)},
      {"--seeds", "NAME", "seed: this list of seeds alone; may be repeated", into_list(to.seeds)},
      {"--input", "JSON", "seed: what a list that reads standard input gets; a seed a line", into_text(to.input)},
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
       "filter, show: a filter of the spec, or seeds, mutants, failed, distinct; analyse: an analyser;\n"
       "serve: a metric of sets. May be repeated",
       into_list(to.by)},
      {"--id", "ID", "filter, show: the case with this id; may be repeated", into_list(to.ids)},
      {"--ids", "FILE", "filter, show: the cases with the ids of a file, one a line", into_text(to.ids_file)},
      {"--remove", "", "filter: take away what is named, and what was made of it", into_flag(to.remove)},
      {"--sort", "METRIC", "show: by a case metric, or by order, type; serve: what makes a case strong",
       into_text(to.sort)},
      {"--descending", "", "show: the largest first", into_flag(to.descending)},
      {"--rows", "N", "show: so many rows (default 50)", into_number(to.rows, 1)},
      {"--tree", "ID", "show: how that case was made", into_text(to.tree)},
      {"--new", "", "seed: into an empty pool, whatever the file holds", into_flag(to.is_new)},
      {"--any-spec", "", "the pool may be another spec's that declares the same morphisms", into_flag(to.any_spec)},
      {"--append", "", "analyse --format csv: add the rows to those of --out", into_flag(to.append)},
      {"--label", "TEXT", "analyse --format csv: the first field of each row", into_text(to.label)},
      {"--format", "F", "analyse: text (default), json, html, csv",
       [&to](const std::string& text) {
         to.format = text;
         return text == "text" || text == "json" || text == "html" || text == "csv"
                    ? std::string()
                    : "'" + text + "' is unknown; there are: text, json, html, csv";
       }},
      {"--json", "", "JSON instead of text", into_flag(to.json)},
      {"--quiet", "", "or -q: seed, mutate, execute, filter, edit: nothing but errors", into_flag(to.quiet)},
      {"--help", "", "this text", into_flag(to.help)},
  };
}

}  // namespace

bool is_activity(const std::string& word) {
  return word == "list" || word == "explore" ||
         std::any_of(std::begin(activities), std::end(activities),
                     [&](const activity_of& each) { return word == each.name; });
}

std::string activities_help() {
  std::string text = "  list      the specs and what they declare\n";
  for (const activity_of& each : activities) {
    std::string name = each.name;
    name.resize(8, ' ');
    text += "  " + name + "  " + each.help + "\n";
  }
  text += "  explore   borders of a classifier: neighbouring inputs of which the outputs differ\n";
  return text;
}

int run_activity(const std::vector<std::string>& arguments, const char* program) {
  if (arguments[0] == "explore") return run_explore(arguments, program);
  asked what;
  std::vector<std::string> others;
  const std::string& name = arguments[0];
  say_errors_as_json(std::find(arguments.begin(), arguments.end(), "--json") != arguments.end());
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
  if (what.is_new && chosen->run != seed) return complain(usage, "--new is for seed, which begins a pool");
  if ((fs::exists(what.pool) && !what.is_new) || !chosen->makes_pool) {
    const loaded_pool found = load_pool(at.cases, at.verdicts, what.pool, what.any_spec);
    if (!found.error.empty()) return complain(environment, found.error);
    for (const std::string& each : found.warnings) std::fprintf(stderr, "warning: %s\n", each.c_str());
  }
  const auto work = [&](activity* shown, bool isolated) {
    at.cases.work_in(shown, isolated ? run_isolated : run_here);
    return chosen->run(at, what);
  };
  if (!chosen->is_supervised) return work(nullptr, false);
  if (!what.input.empty()) {
    if (chosen->run != seed) return complain(usage, "--input is for seed");
    if (const std::string error = type_in(what.input); !error.empty()) return complain(environment, error);
  }
  if (chosen->run == seed) read_standard_input(*of->spec, what.how);
  return supervised(what.isolate ? isolation::batches : isolation::automatic, of->spec->timeout(),
                    of->spec->outputs_have_text(), work,
                    [&](const accident& found) { return complain(finding, stopped_at(*of->spec, found)); });
}

}  // namespace morph::engine
