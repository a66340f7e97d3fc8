// Runs the specs of a program: which ones, how, and what is told of them.
#include "plugin/spec/program/program.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <fstream>
#include <map>
#include <set>

#include "morph/text.hpp"
#include "plugin/spec/adaptive/options.hpp"
#include "plugin/spec/engine/arguments.hpp"
#include "plugin/spec/engine/isolate.hpp"
#include "plugin/spec/engine/pool_file.hpp"
#include "plugin/spec/engine/specs.hpp"
#include "plugin/spec/program/activities.hpp"
#include "plugin/spec/program/measured.h"
#include "plugin/spec/report/report.hpp"

namespace morph {
namespace {

using namespace engine;

struct settings {
  options how;
  adaptive_request adaptive;
  engine::isolation isolated = isolation::automatic;
  std::vector<std::string> tests, specs;
  std::string tests_file, events, replay, case_id, tree, pool, save_pool;
  bool list = false, json = false, quiet = false, help = false, cases_of_pool = false, is_pool_of_environment = false;
  std::optional<morph::strategy> strategy;  // else the spec's own
  std::string pool_of;                      // the spec that the pool names
  unsigned order = 0;
  bool permutation = false;
};

struct test_name {
  std::size_t spec;
  std::size_t check;
  std::string name;
};

template <typename Enum>
std::function<std::string(const std::string&)> into_choice(Enum& to, std::vector<std::pair<std::string, Enum>> known) {
  return [&to, known](const std::string& text) {
    std::string all;
    for (const auto& [name, value] : known) {
      if (text == name) return to = value, std::string();
      all += (all.empty() ? "" : ", ") + name;
    }
    return "'" + text + "' is unknown; there are: " + all;
  };
}

std::vector<option> options_of(settings& to) {
  return {
      {"--test", "NAME", "the test NAME alone, `spec.relation`; may be repeated. See --list", into_list(to.tests)},
      {"--tests-file", "FILE", "the tests whose names stand in FILE, one a line", into_text(to.tests_file)},
      {"--events", "FILE", "write to FILE what becomes of each test, a line of JSON each", into_text(to.events)},
      {"--spec", "NAME", "the spec NAME alone; may be repeated", into_list(to.specs)},
      {"--strategy", "S",
       "order: all mutants up to --order; combinatorial: of each set of datamorphisms a\n"
       "combination (Algorithm 2); minimal: the fewest cases for that; permutation: --order the number\n"
       "of datamorphisms; seeds: no mutants",
       [&to](const std::string& text) {
         to.permutation = text == "permutation";
         to.strategy = strategy::order;
         if (to.permutation) return std::string();
         return into_choice<strategy>(*to.strategy, {{"order", strategy::order},
                                                     {"combinatorial", strategy::combinatorial},
                                                     {"minimal", strategy::minimal_combinatorial},
                                                     {"seeds", strategy::seeds}})(text);
       }},
      {"--order", "K|HOW",
       "a number: mutants of mutants, up to K datamorphisms deep (default 1, or what the spec says);\n"
       "seeds-first (default), diverse (spread evenly), random: which cases come first, and so what a limit\n"
       "leaves out; combinatorial and minimal know seeds-first alone",
       [&to](const std::string& text) {
         if (!text.empty() && text[0] >= '0' && text[0] <= '9') return into_number(to.order, 1)(text);
         return into_choice<case_order>(to.how.cases, {{"seeds-first", case_order::seeds_first},
                                                       {"diverse", case_order::diverse},
                                                       {"random", case_order::random}})(text);
       }},
      {"--minimal", "", "as --strategy minimal",
       [&to](const std::string&) { return to.strategy = strategy::minimal_combinatorial, std::string(); }},
      {"--tuples", "WHICH", "sources of a datamorphism with several arguments: all, distinct (default), unordered",
       into_choice<tuples>(to.how.which,
                           {{"all", tuples::all}, {"distinct", tuples::distinct}, {"unordered", tuples::unordered}})},
      {"--distinct-inputs", "", "of mutants with equal inputs, only the first", into_flag(to.how.distinct_inputs)},
      {"--datamorphism", "NAME", "this datamorphism alone; may be repeated", into_list(to.how.datamorphisms)},
      {"--seeds", "NAME", "this list of seeds alone; may be repeated", into_list(to.how.makers)},
      {"--pool", "FILE", "the cases of a saved pool, in place of a strategy; other specs than the pool's run as always",
       into_text(to.pool)},
      {"--pool-cases", "FILE",
       "as --pool, and each of its cases is a test, named by its id; every line has to be as it was written",
       [&to](const std::string& file) { return to.pool = file, to.cases_of_pool = true, std::string(); }},
      {"--save-pool", "FILE", "write all cases, outputs and verdicts to FILE; needs --spec where there are several",
       into_text(to.save_pool)},
      {"--seed", "N", "of all random numbers (default 1, or MORPH_SEED)", into_number(to.how.seed)},
      {"--max-cases", "N", "stop at N cases", into_number(to.how.most_cases, 1)},
      {"--max-time", "SECONDS", "stop when this time is over", into_seconds(to.how.most_seconds)},
      {"--max-memory", "MIB", "stop at this much memory (default 4096)",
       [&to](const std::string& text) {
         std::uint64_t mib = 0;
         const std::string error = into_number(mib, 1)(text);
         to.how.most_bytes = mib << 20;
         return error;
       }},
      {"--isolation", "HOW",
       "auto (default): in a process of its own, and where a run crashes or hangs, once more with\n"
       "each in batches; batches: from the start; none: in this process, for debuggers",
       into_choice<isolation>(
           to.isolated, {{"auto", isolation::automatic}, {"batches", isolation::batches}, {"none", isolation::none}})},
      {"--violations", "N", "show N violations of each relation (default 1)", into_number(to.how.violations_shown, 1)},
      {"--no-shrink", "", "show violations as they were found",
       [&to](const std::string&) { return to.how.shrink = false, std::string(); }},
      {"--replay", "JSON", "that derivation alone, of one --test, as violations print it", into_text(to.replay)},
      {"--case", "ID", "draw the derivation of the case with this id, as --tree", into_text(to.case_id)},
      {"--tree", "JSON", "draw a derivation: inputs, outputs, ids", into_text(to.tree)},
      {"--list", "", "the tests of this program, and nothing else", into_flag(to.list)},
      {"--json", "", "JSON instead of text", into_flag(to.json)},
      {"--quiet", "", "or -q: violations and warnings alone", into_flag(to.quiet)},
      {"--help", "", "this text", into_flag(to.help)},
  };
}

std::vector<option> all_options(settings& to) {
  std::vector<option> all = options_of(to);
  const std::vector<option> adaptive = adaptive_option_list(to.adaptive);
  all.insert(all.end(), adaptive.begin(), adaptive.end());
  return all;
}

options options_for(const spec_base& spec, const settings& set) {
  options how = set.how;
  how.strategy = set.strategy.value_or(set.order != 0 ? strategy::order : spec.default_strategy());
  how.order = set.order != 0 ? set.order : spec.default_order();
  if (set.permutation) how.order = static_cast<unsigned>(std::max<std::size_t>(1, spec.datamorphisms().size()));
  return how;
}

/// What goes with --adaptive, and what does not.
std::string adaptive_problem(const settings& set) {
  if (!set.adaptive.on) return problem_of(set.adaptive);
  const std::pair<bool, const char*> others[] = {{!set.tests.empty() || !set.tests_file.empty(), "--test"},
                                                 {!set.pool.empty(), "--pool"},
                                                 {!set.save_pool.empty(), "--save-pool"},
                                                 {!set.replay.empty(), "--replay"},
                                                 {!set.case_id.empty(), "--case"},
                                                 {!set.tree.empty(), "--tree"},
                                                 {set.strategy.has_value(), "--strategy"},
                                                 {set.order != 0, "--order"}};
  for (const auto& [is_there, name] : others)
    if (is_there) return std::string("'--adaptive' chooses its cases itself; leave out ") + name;
  return problem_of(set.adaptive);
}

/// Where each case is made of those before it, there is one order alone.
std::string order_problem(const spec_base& spec, const settings& set) {
  const strategy chosen = options_for(spec, set).strategy;
  const bool has_order = chosen != strategy::combinatorial && chosen != strategy::minimal_combinatorial;
  if (has_order || set.how.cases == case_order::seeds_first) return {};
  return std::string("--order ") + (set.how.cases == case_order::diverse ? "diverse" : "random") + ": the spec '" +
         spec.name() + "' is made by the strategy " +
         (chosen == strategy::combinatorial ? "combinatorial" : "minimal") +
         ", of which only --order seeds-first is known; leave it out, or say --strategy order";
}

/// The pool whose cases are the tests, alone.
std::string pool_of_cases() {
  const char* const asked = std::getenv("MORPH_SPEC_CASES");
  const std::string text = asked == nullptr ? "" : asked;
  return text.find_first_not_of("0123456789") == std::string::npos ? std::string() : text;
}

/// Instead of relations, the cases may be the tests, so that each has a row of its own where they are measured.
bool all_cases_are_tests() {
  const char* const asked = std::getenv("MORPH_SPEC_CASES");
  return asked != nullptr && *asked != 0 && std::string_view(asked) != "0" && pool_of_cases().empty();
}
/// A number beyond 1 says how many they may be.
std::size_t most_case_tests() {
  const char* const asked = std::getenv("MORPH_SPEC_CASES");
  std::size_t most = 0;
  return asked != nullptr && into_number(most)(asked).empty() && most > 1 ? most : 20000;
}
bool is_of_pool(const spec_base& spec, const settings& set) {
  return !set.pool.empty() && (set.pool_of.empty() || set.pool_of == spec.name());
}
bool cases_are_tests(const spec_base& spec, const settings& set) {
  return all_cases_are_tests() || (set.cases_of_pool && is_of_pool(spec, set));
}

/// Each test runs its own case, whatever ran to make them.
void forget_runs(spec_base& of) {
  for (std::uint16_t e = 0; e < of.executers().size(); ++e)
    for (std::uint16_t o = 0; o < of.operations().size(); ++o)
      for (input_index in = 0; in < of.number_of_inputs(); ++in)
        if (of.how(e, o, in) != ended::not_run) of.forget_run(e, o, in);
}

/// Those of the pool, as they stand there.
std::unique_ptr<session> cases_of_pool(const made_spec& of, const settings& set, const options& how, int& status) {
  auto loaded = std::make_unique<session>(*of.spec, how);
  verdict_table verdicts;
  const loaded_pool found = load_pool(*loaded, verdicts, set.pool, false, set.cases_of_pool);
  std::string error = found.error;
  const std::string anew = "make it anew with `morph spec refresh`";
  if (error.empty() && loaded->cases().size() == 0)
    error = "'" + set.pool + "' has no case, so nothing would be tested; " + anew;
  if (error.empty() && !set.is_pool_of_environment && loaded->cases().size() > most_case_tests())
    error = "'" + set.pool + "' has " + std::to_string(loaded->cases().size()) + " cases; at most " +
            std::to_string(most_case_tests()) + " can be tests of their own. " + anew;
  if (!error.empty()) return status = complain(environment, error), nullptr;
  for (const std::string& each : found.warnings) std::fprintf(stderr, "warning: %s\n", each.c_str());
  forget_runs(*of.spec);
  return loaded;
}

/// Of those, the ones that a file names, an id a line; all if none does.
std::optional<std::set<std::string>> wanted_cases() {
  const char* const file = std::getenv("MORPH_SPEC_CASE_IDS");
  if (file == nullptr || *file == 0) return std::nullopt;
  std::set<std::string> ids;
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);) ids.insert(line);
  return ids;
}

/// All cases, made and not executed; nothing, and the status, if that does not end. Another process makes them first,
/// and so stands for this one, which keeps them.
std::unique_ptr<session> made_cases(const made_spec& of, const settings& set, int& status) {
  options how = options_for(*of.spec, set);
  how.keep = true;
  how.only_make = true;
  how.shrink = false;
  how.most_cases = most_case_tests();
  if (is_of_pool(*of.spec, set)) return cases_of_pool(of, set, how, status);
  read_standard_input(*of.spec, how);
  const auto make = [&](activity* shown, bool isolated) {
    auto made = std::make_unique<session>(*of.spec, how, shown, isolated ? run_isolated : run_here);
    made->run();
    forget_runs(*of.spec);
    return made;
  };
  if (set.isolated == isolation::none) return make(nullptr, false);
  bool stopped = false;
  const int in_batches = supervised(
      set.isolated, of.spec->timeout(), of.spec->outputs_have_text(),
      [&](activity* shown, bool isolated) {
        make(shown, isolated);
        return isolated ? 1 : 0;
      },
      [&](const accident& what) {
        stopped = true;
        return complain(finding, stopped_at(*of.spec, what));
      });
  if (stopped) return status = in_batches, nullptr;
  return make(nullptr, in_batches == 1);
}

/// `status` is not 0 where they cannot be known.
std::vector<test_name> tests_of(const std::vector<made_spec>& specs, const settings& set,
                                std::vector<std::unique_ptr<session>>& cases, int& status) {
  std::vector<test_name> made;
  const auto wanted = wanted_cases();
  for (std::size_t s = 0; s < specs.size() && status == 0; ++s) {
    cases.emplace_back();
    if (cases_are_tests(*specs[s].spec, set)) {
      cases[s] = made_cases(specs[s], set, status);
      if (cases[s] == nullptr) break;
      for (case_index c = 0; c < cases[s]->cases().size(); ++c)
        if (const std::string id = id_text(cases[s]->cases().id(c)); !wanted || wanted->count(id) != 0)
          made.push_back({s, c, specs[s].spec->name() + "." + id});
      continue;
    }
    if (set.is_pool_of_environment) continue;
    const auto checks = checks_of(*specs[s].spec, true);
    for (std::size_t k = 0; k < checks.size(); ++k)
      if (checks[k].what != check_of_spec::kind::label || specs[s].spec->may_have_labels())
        made.push_back({s, k, specs[s].spec->name() + "." + checks[k].name});
  }
  return made;
}

int list_tests(const std::vector<made_spec>& specs, const std::vector<test_name>& tests,
               const std::vector<std::unique_ptr<session>>& cases, bool json) {
  std::string text = json ? "{\"tests\":[" : "";
  bool first = true;
  for (const test_name& each : tests) {
    const spec_base& spec = *specs[each.spec].spec;
    const bool is_relation = cases[each.spec] == nullptr && each.check < spec.relations().size();
    if (!json) {
      text += each.name + "\n";
      continue;
    }
    text += first ? "{\"name\":" : ",{\"name\":";
    first = false;
    text::write_string(text, each.name);
    text += ",\"file\":";
    text::write_string(text,
                       is_relation ? spec.relations()[each.check].file : std::string(specs[each.spec].from->file));
    text +=
        ",\"line\":" + std::to_string(is_relation ? spec.relations()[each.check].line : specs[each.spec].from->line) +
        "}";
  }
  if (json) text += "],\"schema\":\"morph.spec-tests/1\"}\n";
  std::fputs(text.c_str(), stdout);
  return fine;
}

report_style style_of(const settings& set, const char* program) {
  report_style style;
  const char* const no_color = std::getenv("NO_COLOR");
  style.colours = isatty(1) != 0 && (no_color == nullptr || *no_color == 0);
  style.quiet = set.quiet;
  style.program = program;
  return style;
}

bool is_observed() {
  return morph_spec_is_observed != nullptr && morph_spec_is_observed() != 0;
}

/// What the first runs gave, for who observes this program.
void show_outputs(const spec_base& spec) {
  constexpr std::size_t most = 200;
  std::vector<std::string> texts;  // words and outputs in turn
  for (std::uint16_t e = 0; e < spec.executers().size(); ++e)
    for (std::uint16_t o = 0; o < spec.operations().size(); ++o)
      for (input_index i = 0; i < spec.number_of_inputs() && texts.size() < 2 * most; ++i) {
        if (spec.how(e, o, i) != ended::output) continue;
        texts.push_back("for " + spec.show_input(i));
        if (spec.executers().size() > 1) texts.back() += " by " + spec.executers()[e].name;
        if (spec.operations().size() > 1) texts.back() += " by " + spec.operations()[o].name;
        texts.push_back(spec.show_output(e, o, i));
      }
  std::vector<const char*> words, outputs;
  for (std::size_t i = 0; i < texts.size(); i += 2) {
    words.push_back(texts[i].c_str());
    outputs.push_back(texts[i + 1].c_str());
  }
  morph_spec_saw(words.data(), outputs.data(), words.size());
}

/// One spec, or one check of it.
int run_spec(const made_spec& of, const settings& set, std::optional<std::size_t> check, const char* program) {
  options how = options_for(*of.spec, set);
  if (set.adaptive.on) return run_adaptive(of, set.adaptive, how, set.isolated, set.json, style_of(set, program));
  how.only_check = check;
  how.keep = !set.save_pool.empty();
  const bool from_pool = is_of_pool(*of.spec, set);
  const auto work = [&](activity* shown, bool isolated) {
    session at_work(*of.spec, how, shown, isolated ? run_isolated : run_here);
    verdict_table verdicts;
    if (!set.save_pool.empty())
      at_work.on_verdict([&](case_index which, std::uint16_t executer, std::size_t about, verdict found) {
        verdicts.set(which, executer, about, found);
      });
    if (from_pool) {
      verdict_table of_pool;
      const loaded_pool found = load_pool(at_work, of_pool, set.pool, false, set.cases_of_pool);
      if (!found.error.empty()) {
        if (set.json) std::fputs(error_json(*of.spec, found.error).c_str(), stdout);
        return complain(environment, found.error);
      }
      for (const std::string& each : found.warnings) std::fprintf(stderr, "warning: %s\n", each.c_str());
      at_work.run_pool();
    } else {
      at_work.run();
    }
    if (is_observed()) show_outputs(*of.spec);
    if (!set.save_pool.empty() && at_work.report().error.empty())
      if (const std::string error = save_pool(at_work, verdicts, set.save_pool); !error.empty())
        return complain(environment, error);
    const std::string text = set.json ? report_json(at_work, how) : report_text(at_work, how, style_of(set, program));
    std::fputs(text.c_str(), stdout);
    std::fflush(stdout);
    if (!at_work.report().error.empty()) return static_cast<int>(environment);
    return static_cast<int>(at_work.report().failed() ? finding : fine);
  };
  if (!from_pool) read_standard_input(*of.spec, how);
  return supervised(set.isolated, of.spec->timeout(), of.spec->outputs_have_text(), work, [&](const accident& what) {
    const std::string why = stopped_at(*of.spec, what);
    std::fprintf(stderr, "error: %s\n", why.c_str());
    if (set.json) std::fputs(error_json(*of.spec, why).c_str(), stdout);
    return static_cast<int>(finding);
  });
}

int replay(const made_spec& of, const settings& set, std::size_t check, const char* program) {
  options how = set.how;
  how.only_check = check;
  how.shrink = false;
  const auto work = [&](activity* shown, bool isolated) {
    session at_work(*of.spec, how, shown, isolated ? run_isolated : run_here);
    std::string error;
    const auto derived = read_derivation(at_work, set.replay, error);
    if (!derived) return complain(usage, "--replay: " + error);
    int result = fine;
    for (std::uint16_t e = 0; e < of.spec->executers().size(); ++e) {
      const case_index at = at_work.rebuild(*derived, e);
      if (at == nowhere) {
        std::printf("%s: the datamorphism does not apply to these sources\n", of.spec->name().c_str());
        continue;
      }
      std::vector<std::size_t> rules{0};
      if (at_work.checks()[check].what == check_of_spec::kind::relation) {
        rules.clear();
        for (std::size_t r = 0; r < of.spec->rules().size(); ++r) {
          const declared_rule& rule = of.spec->rules()[r];
          const bool is_seed = at_work.cases().order(at) == 0;
          const bool about =
              rule.about == scope::all || (rule.about == scope::seeds && is_seed) ||
              (rule.about == scope::mutants && !is_seed) ||
              (rule.about == scope::datamorphism && at_work.cases().type(at) == of.spec->type_of(rule.datamorphism));
          if (rule.relation == at_work.checks()[check].relation && about) rules.push_back(r);
        }
      }
      for (const std::size_t rule : rules) {
        const std::uint16_t other = 0;
        const verdict found = at_work.check_one(check, rule, e, other, at);
        if (found == verdict::fail) {
          violation again;
          again.check = check;
          again.rule = rule;
          again.executer = e;
          again.how = *derived;
          std::fputs(violation_text(at_work, again, style_of(set, program)).c_str(), stdout);
          result = finding;
        } else {
          std::printf("%s: \"%s\" %s\n%s", of.spec->name().c_str(), at_work.checks()[check].name.c_str(),
                      found == verdict::pass ? "holds" : "does not apply", draw_tree(at_work, *derived, e).c_str());
        }
      }
      if (rules.empty())
        std::printf("%s: \"%s\" is not about this case\n", of.spec->name().c_str(),
                    at_work.checks()[check].name.c_str());
    }
    return result;
  };
  return supervised(set.isolated, of.spec->timeout(), of.spec->outputs_have_text(), work,
                    [&](const accident& what) { return complain(finding, stopped_at(*of.spec, what)); });
}

/// An exit status that is none of exit_code's.
constexpr int no_such_case = 100;

int show_tree(const made_spec& of, const settings& set) {
  options how = options_for(*of.spec, set);
  how.keep = true;
  how.shrink = false;
  const auto work = [&](activity* shown, bool isolated) {
    session at_work(*of.spec, how, shown, isolated ? run_isolated : run_here);
    std::optional<derivation> derived;
    std::string error;
    if (!set.tree.empty()) {
      derived = read_derivation(at_work, set.tree, error);
      if (!derived) return complain(usage, "--tree: " + error);
    } else {
      std::uint64_t id = 0;
      if (!read_id(set.case_id, id)) return complain(usage, "--case: '" + set.case_id + "' is not a case's id");
      at_work.run();
      const case_index at = at_work.cases().find(id);
      if (at == nowhere) return no_such_case;
      derived = at_work.derivation_of(at);
    }
    for (std::uint16_t e = 0; e < of.spec->executers().size(); ++e) {
      if (of.spec->executers().size() > 1) std::printf("%s\n", of.spec->executers()[e].name.c_str());
      std::fputs(draw_tree(at_work, *derived, e).c_str(), stdout);
    }
    return static_cast<int>(fine);
  };
  if (set.tree.empty()) read_standard_input(*of.spec, how);
  return supervised(set.isolated, of.spec->timeout(), of.spec->outputs_have_text(), work,
                    [&](const accident& what) { return complain(finding, stopped_at(*of.spec, what)); });
}

/// One case: it and what it was made of are executed, and all that is said of it is checked.
int run_case(session& cases, case_index which, const settings& set, const char* program) {
  const auto work = [&](activity* shown, bool) {
    cases.work_in(shown, run_here);
    const std::function<void(case_index)> execute = [&](case_index c) {
      for (const case_index origin : cases.cases().origins(c)) execute(origin);
      cases.execute(c, c + 1);
    };
    execute(which);
    cases.check(which, which + 1);
    for (const violation& each : cases.report().violations)
      std::fputs(violation_text(cases, each, style_of(set, program)).c_str(), stdout);
    std::fflush(stdout);
    return static_cast<int>(cases.report().failed() ? finding : fine);
  };
  return supervised(set.isolated, cases.spec().timeout(), false, work, [&](const accident& what) {
    std::fprintf(stderr, "error: %s: %s\n", cases.spec().show_input(cases.cases().input(which)).c_str(),
                 what.how.c_str());
    return static_cast<int>(finding);
  });
}

/// What becomes of each test, as it goes.
class event_file {
 public:
  explicit event_file(const std::string& path) : file_(path.empty() ? nullptr : std::fopen(path.c_str(), "w")) {}
  event_file(const event_file&) = delete;
  event_file& operator=(const event_file&) = delete;
  ~event_file() {
    if (file_ != nullptr) std::fclose(file_);
  }
  bool good() const { return file_ != nullptr; }
  void write(const std::string& line) {
    if (file_ == nullptr) return;
    std::fputs(line.c_str(), file_);
    std::fflush(file_);
  }
  void tell(const char* event, const std::string& test, const std::string& more = "") {
    std::string line = std::string("{\"event\":\"") + event + "\",\"test\":";
    text::write_string(line, test);
    write(line + more + "}\n");
  }

 private:
  std::FILE* file_;
};

/// The last line of several reports.
std::string sum_text(std::size_t specs, const std::vector<std::string>& not_holding) {
  std::string text = "\n" + std::to_string(specs) + " specs: " + std::to_string(specs - not_holding.size()) + " hold";
  for (std::size_t i = 0; i < not_holding.size(); ++i)
    text += (i == 0 ? ", " + std::to_string(not_holding.size()) + " not: " : ", ") + not_holding[i];
  return text + "\n";
}

/// Runs each test, measured if this program is.
constexpr const char* end_of_run = "],\"schema\":\"morph.spec-run/1\"}\n";

int run_tests(std::vector<made_spec>& specs, const std::vector<test_name>& tests, settings set,
              std::vector<std::unique_ptr<session>>& cases, const char* program, bool measured) {
  event_file events(set.events);
  if (!set.events.empty() && !events.good()) return complain(environment, "'" + set.events + "' cannot be written");
  int worst = fine;
  bool first = true;
  const bool lists = set.json && !measured &&
                     std::none_of(cases.begin(), cases.end(), [](const auto& made) { return made != nullptr; });
  if (lists) std::fputs("{\"specs\":[", stdout);
  for (const test_name& each : tests) {
    if (lists && !first) std::fputs(",", stdout);
    first = false;
    if (measured && morph_spec_begin_test(each.name.c_str()) == 0) continue;
    if (measured && is_observed()) set.isolated = isolation::none;
    // What declares a spec belongs to its own tests.
    const auto& made = cases[each.spec];
    if (measured && made == nullptr) specs[each.spec].spec = specs[each.spec].from->make(specs[each.spec].from->name);
    events.tell("started", each.name);
    const auto begin = std::chrono::steady_clock::now();
    const int result = made == nullptr ? run_spec(specs[each.spec], set, each.check, program)
                                       : run_case(*made, static_cast<case_index>(each.check), set, program);
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    events.tell(result == fine ? "passed" : "failed", each.name,
                ",\"seconds\":" + std::to_string(seconds) +
                    (result == fine ? "" : ",\"message\":\"violated; see the output\""));
    if (measured) morph_spec_end_test(each.name.c_str(), result != fine);
    worst = std::max(worst, result);
  }
  if (lists) std::fputs(end_of_run, stdout);
  events.write("{\"event\":\"end\"}\n");
  if (measured)
    morph_spec_finish();
  else if (morph_spec_ended != nullptr)
    morph_spec_ended();
  return worst;
}

std::string help_text(settings& set) {
  return "Makes, executes and checks the cases of the specs of this program.\n\n"
         "usage: program [run] [options]\n"
         "       program ACTIVITY --pool FILE [options]\n\n"
         "Activities on saved pools (ACTIVITY --help tells more):\n" +
         activities_help() + "\nOptions:\n" + option_help(options_of(set)) + "\nAdaptive execution:\n" +
         option_help(adaptive_option_list(set.adaptive)) +
         "\nExit status: 0 every relation holds, 1 one is violated, 2 wrong arguments, 3 seeds that cannot be made,\n"
         "4 an internal error.\n";
}

int run_program(const std::vector<std::string>& all_words, const char* program) {
  if (!all_words.empty() && is_activity(all_words[0])) return run_activity(all_words, program);
  const bool says_run = !all_words.empty() && all_words[0] == "run";
  const std::vector<std::string> arguments(all_words.begin() + (says_run ? 1 : 0), all_words.end());
  settings set;
  if (const char* const seed = std::getenv("MORPH_SEED"))
    if (const std::string error = into_number(set.how.seed)(seed); !error.empty())
      return complain(usage, "MORPH_SEED: " + error);
  std::vector<std::string> others;
  if (const std::string error = read_arguments(arguments, all_options(set), others); !error.empty())
    return complain(usage, error + " (--help tells the options)");
  if (set.help) {
    std::fputs(help_text(set).c_str(), stdout);
    return fine;
  }
  if (!others.empty()) return complain(usage, "'" + others[0] + "' is no option (--help tells them)");
  if (const std::string error = adaptive_problem(set); !error.empty()) return complain(usage, error);
  const bool measured = morph_spec_requested != nullptr && morph_spec_requested() != 0;
  // What makes the cases runs before all of them.
  if (const std::string pool = pool_of_cases(); !pool.empty()) {
    set.pool = pool;
    set.cases_of_pool = set.is_pool_of_environment = true;
  }
  const bool makes_cases = all_cases_are_tests() || set.cases_of_pool;
  if (measured && !makes_cases) morph_spec_start();
  std::vector<made_spec> specs;
  if (const std::string error = make_specs(specs); !error.empty()) return complain(usage, error);
  std::vector<std::unique_ptr<session>> cases;
  const auto is_chosen = [&](const made_spec& s) {
    return set.specs.empty() || std::find(set.specs.begin(), set.specs.end(), s.spec->name()) != set.specs.end();
  };
  for (const made_spec& each : specs)
    if (const std::string error = order_problem(*each.spec, set); !error.empty() && is_chosen(each))
      return complain(usage, error);
  if (!set.pool.empty())
    if (const std::string error = spec_of_pool(set.pool, set.pool_of); !error.empty())
      return complain(environment, set.is_pool_of_environment ? "MORPH_SPEC_CASES: " + error
                                   : set.cases_of_pool        ? error + "; `morph spec refresh` makes it"
                                                              : error);
  if (!set.pool_of.empty() &&
      std::none_of(specs.begin(), specs.end(), [&](const made_spec& s) { return s.spec->name() == set.pool_of; }))
    return complain(environment,
                    set.pool + ":1: the pool is of the spec '" + set.pool_of + "', which this program does not have");
  int status = fine;
  settings making = set;
  if (measured) making.isolated = isolation::none;  // processes outside of tests are none of theirs
  const std::vector<test_name> all = tests_of(specs, making, cases, status);
  if (status != fine) return status;
  if (measured && makes_cases) morph_spec_start();
  if (set.list) return list_tests(specs, all, cases, set.json);
  if (!set.tests_file.empty()) {
    std::FILE* const file = std::fopen(set.tests_file.c_str(), "r");
    if (file == nullptr) return complain(environment, "'" + set.tests_file + "' cannot be read");
    std::string line;
    for (int c = std::fgetc(file); c != EOF; c = std::fgetc(file)) {
      if (c != '\n') {
        line += static_cast<char>(c);
        continue;
      }
      if (!line.empty()) set.tests.push_back(line);
      line.clear();
    }
    if (!line.empty()) set.tests.push_back(line);
    std::fclose(file);
  }

  for (const std::string& name : set.specs)
    if (std::none_of(specs.begin(), specs.end(), [&](const made_spec& s) { return s.spec->name() == name; })) {
      std::vector<std::string> names;
      for (const made_spec& each : specs) names.push_back(each.spec->name());
      const std::string alike = most_alike(name, names);
      return complain(usage,
                      "there is no spec '" + name + "'" + (alike.empty() ? "" : "; did you mean '" + alike + "'?"));
    }
  const auto unknown = [&](const std::vector<std::string>& asked, const auto& names_of, const char* kind) {
    std::vector<std::string> names;
    for (const made_spec& each : specs)
      for (const auto& named : names_of(*each.spec)) names.push_back(named.name);
    for (const std::string& name : asked) {
      if (std::find(names.begin(), names.end(), name) != names.end()) continue;
      const std::string alike = most_alike(name, names);
      return std::string("there is no ") + kind + " '" + name + "'" +
             (alike.empty() ? "; `list` names them" : "; did you mean '" + alike + "'?");
    }
    return std::string();
  };
  const auto datamorphisms = [](const spec_base& s) -> const auto& {
    return s.datamorphisms();
  };
  const auto makers = [](const spec_base& s) -> const auto& {
    return s.makers();
  };
  if (const std::string error = unknown(set.how.datamorphisms, datamorphisms, "datamorphism"); !error.empty())
    return complain(usage, error);
  if (const std::string error = unknown(set.how.makers, makers, "list of seeds"); !error.empty())
    return complain(usage, error);
  std::vector<test_name> chosen;
  const std::set<std::string> wanted(set.tests.begin(), set.tests.end());
  for (const std::string& name : set.tests)
    if (std::none_of(all.begin(), all.end(), [&](const test_name& t) { return t.name == name; })) {
      std::vector<std::string> names;
      for (const test_name& each : all) names.push_back(each.name);
      const std::string alike = most_alike(name, names);
      return complain(usage, "there is no test '" + name + "'" +
                                 (alike.empty() ? "; --list names them" : "; did you mean '" + alike + "'?"));
    }
  for (const test_name& each : all)
    if (wanted.count(each.name) != 0) chosen.push_back(each);
  if (!set.save_pool.empty() && (!set.tests.empty() || !set.tests_file.empty()))
    return complain(usage, "--save-pool writes all cases of a spec; leave out --test");
  if (!set.replay.empty()) {
    if (chosen.size() != 1) return complain(usage, "--replay needs the one test that it is about: --test NAME");
    return replay(specs[chosen[0].spec], set, chosen[0].check, program);
  }
  if (!set.tree.empty() || !set.case_id.empty()) {
    int found = no_such_case;
    for (const made_spec& each : specs)
      if (is_chosen(each) && found == no_such_case) found = show_tree(each, set);
    return found != no_such_case
               ? found
               : complain(usage, "there is no case '" + set.case_id + "' with this strategy and seed");
  }
  if (measured && set.tests.empty()) chosen = all;
  if (!chosen.empty() || !set.tests_file.empty()) return run_tests(specs, chosen, set, cases, program, measured);

  if (!set.save_pool.empty() && set.specs.size() != 1 && specs.size() > 1)
    return complain(usage, "--save-pool writes the cases of one spec; say which: --spec NAME");
  int worst = fine;
  if (set.json) std::fputs("{\"specs\":[", stdout);
  std::size_t ran = 0;
  std::vector<std::string> not_holding;
  for (const made_spec& each : specs) {
    if (!is_chosen(each) || interrupts_noted::any()) continue;
    if (ran++ > 0) std::fputs(set.json ? "," : set.quiet ? "" : "\n", stdout);
    const int result = run_spec(each, set, std::nullopt, program);
    if (result != fine) not_holding.push_back(each.spec->name());
    worst = std::max(worst, result);
  }
  if (set.json) std::fputs(end_of_run, stdout);
  if (!set.json && !set.quiet && ran > 1) std::fputs(sum_text(ran, not_holding).c_str(), stdout);
  return worst;
}

}  // namespace

int spec_main(int count, char** arguments) {
  try {
    return run_program(std::vector<std::string>(arguments + 1, arguments + count), arguments[0]);
  } catch (const std::exception& error) {
    return complain(internal, std::string("internal error: ") + error.what());
  }
}

}  // namespace morph
