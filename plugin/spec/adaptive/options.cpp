// The options of adaptive execution, and how a run of it begins, is logged and told.
#include "plugin/spec/adaptive/options.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "plugin/spec/adaptive/log.hpp"
#include "plugin/spec/adaptive/report.hpp"
#include "plugin/spec/report/saved_page.hpp"

namespace morph::engine {
namespace {

struct named_source {
  source_choice value;
  const char* name;
};
constexpr named_source source_names[] = {{source_choice::random, "random"},   {source_choice::art, "art"},
                                         {source_choice::uniform, "uniform"}, {source_choice::drt, "drt"},
                                         {source_choice::mdrt, "mdrt"},       {source_choice::mapt, "mapt"},
                                         {source_choice::rapt, "rapt"}};
struct named_relation {
  relation_choice value;
  const char* name;
};
constexpr named_relation relation_names[] = {
    {relation_choice::uniform, "uniform"}, {relation_choice::m_amt, "m-amt"}, {relation_choice::pbmr, "pbmr"}};

template <typename Names, typename Enum>
std::string choose(const Names& names, const std::string& text, Enum& to) {
  std::string all;
  for (const auto& each : names) {
    if (text == each.name) return to = each.value, std::string();
    all += (all.empty() ? "" : ", ") + std::string(each.name);
  }
  return "'" + text + "' is unknown; there are: " + all;
}

bool read_real(const std::string& text, double& to) {
  char* end = nullptr;
  to = std::strtod(text.c_str(), &end);
  return !text.empty() && *end == 0;
}

bool is_folder(const std::string& path) {
  std::error_code none;
  return std::filesystem::is_directory(path, none);
}

/// The checks of a spec by name, as a session numbers them.
std::vector<std::string> check_names(const spec_base& spec) {
  std::vector<std::string> names;
  for (const check_of_spec& each : checks_of(spec, true)) names.push_back(each.name);
  return names;
}

/// `0.5,0.3,0.2`, a file of such numbers, or a log.
std::string read_profile(const spec_base& spec, const std::string& from, probabilities& to) {
  const std::vector<std::string> names = partitioning(spec).names();
  std::string numbers = from;
  if (from.find_first_not_of("0123456789.,eE+- \t") != from.npos) {
    if (is_folder(from)) return "--profile: '" + from + "' is a folder; a file of numbers or a log is wanted";
    std::ifstream file(from);
    if (!file) return "--profile: '" + from + "' is no list of numbers, and no file that can be read";
    numbers.assign(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
    if (numbers.compare(0, 9, "{\"morph\":") == 0) {
      const read_log log = read_adaptive_log(from, nullptr, {});
      if (!log.error.empty()) return "--profile: " + log.error;
      const std::string error = profile_of_log(log, names, to);
      return error.empty() ? error : "--profile: " + error;
    }
  }
  to.clear();
  for (std::size_t at = 0; at < numbers.size();) {
    const std::size_t end = std::min(numbers.find_first_of(", \t\r\n", at), numbers.size());
    if (double number = 0; end > at) {
      const std::string word = numbers.substr(at, end - at);
      if (!read_real(word, number)) return "--profile: '" + word + "' is not a number";
      to.push_back(number);
    }
    at = end + 1;
  }
  const std::string error = problem_of(to, names);
  return error.empty() ? error : "--profile: " + error;
}

struct log_file {
  std::FILE* file = nullptr;
  log_file() = default;
  log_file(const log_file&) = delete;
  log_file& operator=(const log_file&) = delete;
  ~log_file() {
    if (file != nullptr) std::fclose(file);
  }
};

/// Opens the log behind what stays of it.
std::string open_log(const spec_base& spec, const adaptive_request& asked, const options& how,
                     const adaptive_options& by, log_file& log, std::vector<adaptive_row>& before) {
  if (is_folder(asked.log)) return "--log: '" + asked.log + "' is a folder; a file is wanted";
  const log_head head = head_of(spec, how, by);
  if (asked.resume) {
    read_log found = read_adaptive_log(asked.log, &spec, check_names(spec));
    if (!found.error.empty()) return found.error;
    if (const std::string error = difference_of(found.head, head); !error.empty())
      return asked.log + ": " + error + "; --resume goes on with what the log says";
    before = std::move(found.rows);
    if (truncate(asked.log.c_str(), static_cast<off_t>(found.whole_bytes)) != 0)
      return "'" + asked.log + "' cannot be written";
  }
  log.file = std::fopen(asked.log.c_str(), asked.resume ? "ae" : "we");
  if (log.file == nullptr) return "'" + asked.log + "' cannot be written";
  if (!asked.resume) std::fputs(head_line(head).c_str(), log.file);
  return {};
}

adaptive_options options_of(const adaptive_request& asked) {
  adaptive_options by;
  by.sources = asked.sources;
  by.relations = asked.relations;
  by.with.epsilon = asked.epsilon.value_or(by.with.epsilon);
  by.with.delta = asked.delta.value_or(asked.paper ? by.with.epsilon : by.with.epsilon / 20);
  by.with.gamma = asked.gamma.value_or(by.with.gamma);
  by.with.tau = asked.tau.value_or(by.with.tau);
  by.with.floor = asked.floor.value_or(asked.paper ? 0 : by.with.floor);
  by.most_violations = asked.first_violation ? 1 : asked.violations.value_or(0);
  return by;
}

/// With the executer that `by` names.
int run_one_executer(const made_spec& of, const adaptive_request& asked, const options& how, isolation isolated,
                     bool json, const report_style& style, const adaptive_options& by) {
  spec_base& spec = *of.spec;
  const std::vector<std::string> checks = check_names(spec);
  const auto work = [&](activity* shown, bool apart) {
    session at_work(spec, how, shown, apart ? run_isolated : run_here);
    log_file log;
    std::vector<adaptive_row> before;
    const auto fail = [&](exit_code code, const std::string& why) {
      if (json) std::fputs(error_json(spec, why).c_str(), stdout);
      return static_cast<int>(complain(code, spec.name() + ": " + why));
    };
    if (is_folder(asked.plot)) return fail(environment, "--plot: '" + asked.plot + "' is a folder; a file is wanted");
    if (!asked.log.empty())
      if (const std::string error = open_log(spec, asked, how, by, log, before); !error.empty())
        return fail(environment, error);
    adaptive_summary found;
    // The profile of each step is made for who sees it alone.
    step_seen write;
    if (log.file != nullptr)
      write = [&](const adaptive_row& row, const probabilities& profile) {
        std::fputs(row_line(spec, found.partitions, checks, row, profile).c_str(), log.file);
        // What was found is not to be lost with the process.
        if (row.found == verdict::fail || row.step % 256 == 0) std::fflush(log.file);
      };
    const std::string error = run_adaptively(at_work, how, by, before, write, found);
    if (log.file != nullptr && (std::fflush(log.file) != 0 || std::ferror(log.file) != 0))
      return fail(environment, "'" + asked.log + "' cannot be written");
    if (!error.empty() && found.steps == 0) return fail(usage, error);
    if (!asked.plot.empty()) {
      std::ofstream plot(asked.plot);
      plot << (is_page(asked.plot) ? result_page("adaptive", {"spec", "run", "--adaptive", "--spec", spec.name()},
                                                 adaptive_json(at_work, how, by, found))
                                   : profile_svg(spec, found));
      if (!plot.flush()) return fail(environment, "'" + asked.plot + "' cannot be written");
    }
    const std::string text =
        json ? adaptive_json(at_work, how, by, found) : adaptive_text(at_work, how, by, found, style);
    std::fputs(text.c_str(), stdout);
    std::fflush(stdout);
    if (!error.empty()) return static_cast<int>(complain(usage, spec.name() + ": " + error));
    if (found.interrupted)
      return static_cast<int>(
          complain(environment, spec.name() + ": interrupted after " + std::to_string(found.steps) +
                                    (found.steps == 1 ? " step" : " steps") +
                                    (asked.log.empty() ? "" : "; --resume --log '" + asked.log + "' goes on")));
    return static_cast<int>(at_work.report().failed() || found.violations > 0 ? finding : fine);
  };
  return supervised(isolated, spec.timeout(), spec.outputs_have_text(), work, [&](const accident& what) {
    const std::string why = stopped_at(spec, what);
    if (json) std::fputs(error_json(spec, why).c_str(), stdout);
    return static_cast<int>(complain(finding, why));
  });
}

}  // namespace

const char* name_of(source_choice how) {
  for (const named_source& each : source_names)
    if (each.value == how) return each.name;
  return "";
}
const char* name_of(relation_choice how) {
  for (const named_relation& each : relation_names)
    if (each.value == how) return each.name;
  return "";
}

std::vector<option> adaptive_option_list(adaptive_request& to) {
  const auto of_adaptive = [&to](const char* name, const char* value, const char* help, auto set) {
    return option{name, value, help, [&to, name, set](const std::string& text) {
                    if (to.asked.empty()) to.asked = name;
                    return std::string(set(text));
                  }};
  };
  const auto real = [](std::optional<double>& into) {
    return [&into](const std::string& text) {
      double number = 0;
      if (!read_real(text, number)) return "'" + text + "' is not a number";
      return into = number, std::string();
    };
  };
  const auto number = [](std::optional<std::uint64_t>& into, std::uint64_t least) {
    return [&into, least](const std::string& text) {
      std::uint64_t made = 0;
      const std::string error = into_number(made, least)(text);
      if (error.empty()) into = made;
      return error;
    };
  };
  return {
      {"--adaptive", "[=HOW]",
       "a test at a time, source and relation chosen by what came of those before. HOW sources are\n"
       "chosen: mdrt (default), drt, mapt, rapt (a partition by a profile that learns), uniform (by one\n"
       "that does not), random (from all), art (far from those before)",
       [&to](const std::string& text) {
         to.on = true;
         return text.empty() ? std::string() : choose(source_names, text, to.sources);
       }},
      of_adaptive("--relations", "HOW",
                  "pbmr (default): the relation whose follow-up differs from its source in most categories;\n"
                  "uniform: any; m-amt: any, the first one before its source",
                  [&to](const std::string& text) { return choose(relation_names, text, to.relations); }),
      of_adaptive("--profile", "P1,P2,...|FILE",
                  "how likely the partitions are at first (default: equally): numbers that sum to 1, a file of\n"
                  "such, or a --log, whose violations decide",
                  into_text(to.profile)),
      of_adaptive("--steps", "N", "stop after N tests (default 1000, unless there is another limit; 0: none)",
                  number(to.steps, 0)),
      of_adaptive("--stop-at-violations", "N", "stop at N violations", number(to.violations, 1)),
      of_adaptive("--first-violation", "", "as --stop-at-violations 1", into_flag(to.first_violation)),
      of_adaptive("--epsilon", "E", "reward of a violation (default 0.05)", real(to.epsilon)),
      of_adaptive("--delta", "D", "punishment where relations hold (default: a twentieth of epsilon)", real(to.delta)),
      of_adaptive("--gamma", "G", "of mapt: what a violation takes from other partitions (default 0.1)",
                  real(to.gamma)),
      of_adaptive("--tau", "T", "of mapt: what other partitions get where relations hold (default 0.1)", real(to.tau)),
      of_adaptive("--floor", "F", "this part of the draws is uniform (default 0.2)", real(to.floor)),
      of_adaptive("--paper", "", "as published: delta is epsilon, no floor", into_flag(to.paper)),
      of_adaptive("--log", "FILE", "write each step to FILE, a line of JSON each", into_text(to.log)),
      of_adaptive("--resume", "", "go on from the last step of --log FILE", into_flag(to.resume)),
      of_adaptive("--plot", "FILE",
                  "draw the profile over time into FILE (SVG), or write a page of the run into FILE.html",
                  into_text(to.plot)),
  };
}

std::string problem_of(const adaptive_request& asked) {
  if (!asked.on)
    return asked.asked.empty() ? std::string() : "'" + asked.asked + "' is about adaptive execution; add --adaptive";
  if (asked.resume && asked.log.empty()) return "'--resume' goes on from a log: --log FILE";
  if (asked.first_violation && asked.violations) return "'--first-violation' is --stop-at-violations 1; leave one out";
  return problem_of(options_of(asked).with);
}

int run_adaptive(const made_spec& of, const adaptive_request& asked, const options& how, isolation isolated, bool json,
                 const report_style& style) {
  const spec_base& spec = *of.spec;
  adaptive_options by = options_of(asked);
  const bool limited = by.most_violations != 0 || how.most_seconds > 0;
  by.most_steps = asked.steps.value_or(limited ? 0 : by.most_steps);
  const auto refuse = [&](const std::string& why) {
    if (json) std::fputs(error_json(spec, why).c_str(), stdout);
    return static_cast<int>(complain(usage, spec.name() + ": " + why));
  };
  const bool by_partition = by.sources != source_choice::random && by.sources != source_choice::art;
  if (by_partition && spec.categories().empty())
    return refuse("it has no partitions, by which --adaptive=" + std::string(name_of(by.sources)) +
                  " chooses sources; declare some: s.partitions({{\"name\", predicate}, ...}) or s.category(...), or "
                  "say --adaptive=random or art");
  if (!asked.profile.empty())
    if (const std::string error = read_profile(spec, asked.profile, by.start); !error.empty()) return refuse(error);
  if (spec.executers().size() > 1 && (!asked.log.empty() || !asked.plot.empty()))
    return refuse("it has several executers, each with a run of its own, and one file for --log or --plot");
  read_standard_input(spec, how);
  int worst = fine;
  const interrupts_noted noted;
  for (std::uint16_t e = 0; e < spec.executers().size() && !interrupts_noted::any(); ++e) {
    by.executer = e;
    if (e > 0) std::fputs(json ? "," : "\n", stdout);
    worst = std::max(worst, run_one_executer(of, asked, how, isolated, json, style, by));
  }
  return worst;
}

}  // namespace morph::engine
