// The activity `explore`: its command line, the pool that it grows, and what it leaves behind.
#include "plugin/spec/program/explore_activity.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "plugin/spec/engine/activity.hpp"
#include "plugin/spec/engine/interrupt.hpp"
#include "plugin/spec/engine/isolate.hpp"
#include "plugin/spec/engine/progress.hpp"
#include "plugin/spec/explore/report.hpp"
#include "plugin/spec/report/saved_page.hpp"

namespace morph::engine {
namespace {

namespace fs = std::filesystem;

struct explore_asked {
  asked common;
  explore_options how;
  std::string mid, log, plot;
  std::vector<std::string> steps;
  std::uint64_t pairs = 0, walks = 0, most_mebibytes = 4096, rows = 20;
  bool says_tolerance = false, trusts = false;
};

std::function<std::string(const std::string&)> into_distance(double& to, std::function<void()> also) {
  return [&to, also](const std::string& text) {
    char* end = nullptr;
    to = std::strtod(text.c_str(), &end);
    if (text.empty() || *end != 0 || !(to >= 0) || std::isinf(to)) return "'" + text + "' is not a number from 0 on";
    also();
    return std::string();
  };
}

std::vector<option> options_of(explore_asked& to) {
  asked& common = to.common;
  return {
      {"--strategy", "S",
       "random-target (default): pairs of cases of different classes; random-walk: steps by random\n"
       "datamorphisms until the class changes; directed-walk: from each case, steps by one datamorphism,\n"
       "each of them in turn",
       [&to](const std::string& text) {
         for (const exploration each :
              {exploration::random_target, exploration::random_walk, exploration::directed_walk})
           if (text == exploration_name(each)) return to.how.method = each, std::string();
         return "'" + text + "' is unknown; there are: random-target, random-walk, directed-walk";
       }},
      {"--mid", "NAME", "the datamorphism of two inputs that gives what lies between them (default: the only one)",
       into_text(to.mid)},
      {"--step", "NAME", "walks: this datamorphism of one input alone; may be repeated", into_list(to.steps)},
      {"--pairs", "N", "random-target: so many pairs (default 100)", into_number(to.pairs, 1)},
      {"--walks", "N", "walks: so many (default 100; directed-walk: all)", into_number(to.walks, 1)},
      {"--steps", "N", "walks: give up after N steps (default 20)", into_number(to.how.most_steps, 1)},
      {"--tolerance", "PART",
       "halve until both ends are so near, as a part of the box: of the greatest distance of two\n"
       "cases (default 1e-6)",
       into_distance(to.how.tolerance,
                     [&to] {
                       to.says_tolerance = true;
                       to.how.is_absolute = false;
                     })},
      {"--absolute-tolerance", "D", "the same as a distance",
       into_distance(to.how.tolerance, [&to] { to.how.is_absolute = true; })},
      {"--halvings", "N", "halve N times at most (default 64)", into_number(to.how.most_halvings)},
      {"--no-confirm", "", "do not run both ends of a border once more", into_flag(to.trusts)},
      {"--spec", "NAME", "the spec; needed where the program has several", into_text(common.spec)},
      {"--executer", "NAME", "the classifier (default: the first)", into_text(common.executer)},
      {"--pool", "FILE", "begin with its cases, and add the borders; without it, or if it is not there, with seeds",
       into_text(common.pool)},
      {"--out", "FILE", "write the pool there instead", into_text(common.out)},
      {"--seeds", "NAME", "where seeds are made: this list alone; may be repeated", into_list(common.seeds)},
      {"--by", "NAME", "begin with the cases of this filter alone, such as seeds; may be repeated",
       into_list(common.by)},
      {"--seed", "N", "of all random numbers (default 1, or MORPH_SEED)", into_number(common.how.seed)},
      {"--max-runs", "N", "stop before the executer has run more than N inputs", into_number(to.how.most_runs, 1)},
      {"--max-time", "SECONDS", "stop when this time is over", into_seconds(to.how.most_seconds)},
      {"--max-memory", "MIB", "stop at this much memory (default 4096)", into_number(to.most_mebibytes, 1)},
      {"--isolate", "", "runs in processes of their own, as after a crash", into_flag(common.isolate)},
      {"--rows", "N", "show N border pairs (default 20)", into_number(to.rows)},
      {"--log", "FILE", "write what happens to FILE, a line of JSON each", into_text(to.log)},
      {"--plot", "FILE", "write a page into FILE.html, or draw an SVG, where inputs are two numbers",
       into_text(to.plot)},
      {"--json", "", "JSON instead of text", into_flag(common.json)},
      {"--quiet", "", "or -q: errors alone", into_flag(common.quiet)},
      {"--help", "", "this text", into_flag(common.help)},
  };
}

/// To people who wait, from the third second on.
class progress {
 public:
  ~progress() {
    if (shown_) std::fputs("\r\x1b[K", stderr);
  }
  void tell(const explore_row& row) {
    static const bool is_seen = isatty(STDERR_FILENO) != 0;
    ++rows_;
    borders_ += row.what == explore_row::end && is_border(row.how) ? 1 : 0;
    write_progress("searches", row.search);
    if (!is_seen || rows_ % 16 != 0) return;
    const auto now = std::chrono::steady_clock::now();
    if (now - begin_ < std::chrono::seconds(2) || now - shown_at_ < std::chrono::milliseconds(200)) return;
    shown_ = true;
    shown_at_ = now;
    std::fprintf(stderr, "\rsearch %llu, %llu border pairs\x1b[K", static_cast<unsigned long long>(row.search),
                 static_cast<unsigned long long>(borders_));
  }

 private:
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now(), shown_at_{};
  std::uint64_t rows_ = 0, borders_ = 0;
  bool shown_ = false;
};

/// The cases that there were, the borders, and the runs without output, with all that these were made of.
int save_explored(opened& at, const explore_asked& what, const explored& found, std::size_t before) {
  if (what.common.pool.empty() && what.common.out.empty()) return fine;
  std::vector<case_index> kept;
  for (std::size_t c = 0; c < before; ++c) kept.push_back(static_cast<case_index>(c));
  for (const border_pair& each : found.borders) kept.insert(kept.end(), {each.a, each.b});
  kept.insert(kept.end(), found.without_class.begin(), found.without_class.end());
  return save(at, what.common, &kept);
}

int explore_pool(opened& at, const explore_asked& what) {
  spec_base& spec = *at.of->spec;
  if (at.cases.cases().size() == 0) at.cases.make_seeds();
  if (!at.cases.report().error.empty()) return complain(environment, at.cases.report().error);
  explore_options how = what.how;
  std::vector<case_index> chosen;
  if (const std::string error = chosen_cases(at, what.common, how.executer, chosen); !error.empty())
    return complain(usage, error);
  for (const case_index c : chosen)
    if (spec.operation_of(at.cases.cases().type(c)) == 0) how.starts.push_back(c);
  if (how.starts.empty()) return complain(usage, "no case is left to begin with; see --by");
  double x = 0, y = 0;
  if (const std::string text = spec.text_of_input(at.cases.cases().input(how.starts[0]));
      !what.plot.empty() && !is_page(what.plot) && !read_point(text, x, y))
    return complain(usage,
                    "--plot: a picture needs inputs that are two numbers, [x, y] or {\"x\": 1, \"y\": 2} as text, and "
                    "there is " +
                        text.substr(0, 60));
  std::ofstream log;
  if (!what.log.empty()) log.open(what.log, std::ios::binary | std::ios::trunc);
  if (!what.log.empty() && !log) return complain(environment, "'" + what.log + "' cannot be written");

  const std::size_t before = at.cases.cases().size();
  explored found;
  {
    progress shown;
    found = explore(at.cases, how, [&](const explore_row& row) {
      if (log.is_open()) log << explore_line(at.cases, how, row);
      shown.tell(row);
    });
  }
  at.cases.done();
  log.close();
  if (!what.log.empty() && !log) return complain(environment, "'" + what.log + "' cannot be written");
  if (!found.error.empty()) return complain(usage, found.error);
  if (const int result = save_explored(at, what, found, before); result != fine) return result;
  if (!what.plot.empty()) {
    std::string error;
    const std::string drawn =
        is_page(what.plot) ? explore_page(at.cases, how, found) : explore_plot(at.cases, how, found, error);
    if (!error.empty()) return complain(usage, "--plot: " + error);
    std::ofstream file(what.plot, std::ios::binary | std::ios::trunc);
    file << drawn;
    file.close();
    if (!file) return complain(environment, "'" + what.plot + "' cannot be written");
  }
  const std::string text =
      what.common.json ? explore_json(at.cases, how, found) : explore_text(at.cases, how, found, what.rows);
  if (what.common.json || !what.common.quiet) std::fputs(text.c_str(), stdout);
  if (!found.broken.empty()) (void)complain(finding, found.broken);
  if (!found.without_class.empty()) {
    const input_index in = at.cases.cases().input(found.without_class[0]);
    const std::string pool = what.common.out.empty() ? what.common.pool : what.common.out;
    (void)complain(
        finding,
        counted(found.without_class.size(), "run") + " gave no output, such as that of " + spec.show_input(in) + ", " +
            ended_name(spec.how(how.executer, 0, in)) + ": " + spec.error(how.executer, 0, in) +
            (pool.empty() ? "; --pool FILE keeps them, for `check`" : "; `check --pool " + pool + "` tells more"));
  }
  if (found.interrupted) {
    const std::string pool = what.common.out.empty() ? what.common.pool : what.common.out;
    std::fflush(stdout);
    std::fprintf(stderr, "error: interrupted; what was found until then is told%s\n",
                 pool.empty() ? "" : (", and in '" + pool + "'").c_str());
    return environment;
  }
  return found.broken.empty() && found.without_class.empty() ? fine : finding;
}

std::string problem_with(const explore_asked& what) {
  const bool walks = what.how.method != exploration::random_target;
  if (walks && what.pairs > 0) return "--pairs is for random-target; a walk has --walks N";
  if (!walks && what.walks > 0) return "--walks is for walks; random-target has --pairs N";
  if (!walks && !what.steps.empty()) return "--step is for walks; random-target takes none";
  if (what.says_tolerance && what.how.is_absolute)
    return "--tolerance and --absolute-tolerance are two ways to say one thing; give one";
  return {};
}

}  // namespace

int run_explore(const std::vector<std::string>& arguments, const char* program) {
  explore_asked what;
  std::vector<std::string> others;
  say_errors_as_json(std::find(arguments.begin(), arguments.end(), "--json") != arguments.end());
  if (const char* const seed = std::getenv("MORPH_SEED"))
    if (const std::string error = into_number(what.common.how.seed)(seed); !error.empty())
      return complain(usage, "MORPH_SEED: " + error);
  if (const std::string error = read_arguments({arguments.begin() + 1, arguments.end()}, options_of(what), others);
      !error.empty())
    return complain(usage, "explore: " + error + " (explore --help tells the options)");
  if (what.common.help) {
    std::printf(
        "Finds borders: pairs of neighbouring inputs for which a classifier gives different outputs.\n"
        "A search brings two cases of different classes together; bisection makes them neighbours.\n\n"
        "usage: %s explore [options]\n\n%s\n"
        "Exit status: 0 explored, with borders or without, 1 a run gave no output or a datamorphism threw,\n"
        "2 wrong arguments or a spec that cannot be explored, 3 files, or interrupted (what was found is told and "
        "kept),\n"
        "4 an internal error.\n",
        program, option_help(options_of(what)).c_str());
    return fine;
  }
  if (!others.empty()) return complain(usage, "explore: '" + others[0] + "' is no option (--help tells them)");
  if (const std::string error = problem_with(what); !error.empty()) return complain(usage, "explore: " + error);
  std::vector<made_spec> specs;
  if (const std::string error = make_specs(specs); !error.empty()) return complain(usage, error);
  const made_spec* of = nullptr;
  if (const std::string error = find_spec(specs, what.common.spec, of); !error.empty()) return complain(usage, error);
  const spec_base& spec = *of->spec;
  const bool walks = what.how.method != exploration::random_target;
  std::string error = find_midpoint(spec, what.mid, what.how.mid);
  if (error.empty() && walks) error = find_steps(spec, what.steps, what.how.steps);
  if (error.empty()) error = check_names(what.common.seeds, spec.makers(), "list of seeds");
  if (!error.empty()) return complain(usage, "explore: " + error);

  what.common.how.keep = true;
  what.common.how.makers = what.common.seeds;
  what.how.seed = what.common.how.seed;
  what.how.confirms = !what.trusts;
  what.how.most_bytes = what.most_mebibytes << 20;
  what.how.searches = what.how.method == exploration::directed_walk ? ~std::uint64_t{0} : 100;
  if (what.pairs + what.walks > 0) what.how.searches = what.pairs + what.walks;
  opened at(*of, what.common.how);
  what.how.executer = executer_of(at, what.common, error);
  if (!error.empty()) return complain(usage, "explore: " + error);
  if (!what.common.pool.empty() && fs::exists(what.common.pool)) {
    const loaded_pool found = load_pool(at.cases, at.verdicts, what.common.pool);
    if (!found.error.empty()) return complain(environment, found.error);
    for (const std::string& each : found.warnings) std::fprintf(stderr, "warning: %s\n", each.c_str());
  }
  if (at.cases.cases().size() == 0) read_standard_input(spec, what.common.how);
  const interrupt_catcher caught;
  return supervised(
      what.common.isolate ? isolation::batches : isolation::automatic, spec.timeout(), spec.outputs_have_text(),
      [&](activity* shown, bool isolated) {
        at.cases.work_in(shown, isolated ? run_isolated : run_here);
        return explore_pool(at, what);
      },
      [&](const accident& what_happened) { return complain(finding, stopped_at(spec, what_happened)); });
}

}  // namespace morph::engine
