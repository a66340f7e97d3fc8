// morph script: records, lists, shows, edits and plays scripts of commands.
#include "plugin/command/script.hpp"

#include <fmt/format.h>
#include <spdlog/spdlog.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <nlohmann/json.hpp>

#include "plugin/command/script_files.hpp"
#include "plugin/command/script_play.hpp"
#include "plugin/command/script_record.hpp"
#include "plugin/command/spec_state.hpp"
#include "plugin/command/workspace.hpp"
#include "plugin/project/files.hpp"
#include "plugin/project/foreground.hpp"
#include "plugin/project/formats.hpp"

namespace morph::command {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

struct script_arguments {
  std::string name, suite, log, messages;
  std::vector<std::string> set;
  std::optional<std::uint64_t> seed;
  bool force = false, dry_run = false, keeps_going = false, with_times = false;
};

/// Where scripts are looked for; without a build tree only where one stands.
struct surrounding {
  fs::path here;
  std::optional<project::build_tree> tree;
  script_folders folders;
};

std::string dumped(const json& value) {
  return value.dump(-1, ' ', false, json::error_handler_t::replace) + "\n";
}

int complain(int code, const std::string& what) {
  spdlog::error("{}", what);
  return code;
}

/// Nothing if --build names none, which is said.
std::optional<surrounding> surrounding_of(const common_options& common) {
  std::error_code ignored;
  surrounding found{fs::current_path(ignored), std::nullopt, {}};
  if (!common.build.empty()) {
    found.tree = open_build_tree(common);
    if (!found.tree) return std::nullopt;
  } else if (const auto folder = project::find_build_tree(found.here)) {
    if (auto tree = project::read_build_tree(*folder, common.config)) found.tree = std::move(*tree);
  }
  if (found.tree) found.folders = script_folders_of(*found.tree);
  return found;
}

std::vector<std::string> names_of_commands(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* each : app.get_subcommands([](const CLI::App* known) { return !known->get_group().empty(); }))
    names.push_back(each->get_name());
  return names;
}

// ---- recording

/// A recording is of a build tree.
std::optional<surrounding> with_tree(const common_options& common) {
  auto at = surrounding_of(common);
  if (at && !at->tree) {
    at->tree = open_build_tree(common);  // says why there is none
    if (!at->tree) return std::nullopt;
    at->folders = script_folders_of(*at->tree);
  }
  return at;
}

int start(const script_arguments& what, const common_options& common) {
  const auto at = with_tree(common);
  if (!at) return environment;
  const auto active = recording_of(at->tree->binary_dir);
  if (!active) return complain(environment, active.error());
  if (*active)
    return complain(usage, fmt::format("'{}' is being recorded in this build tree; end that first: morph script stop",
                                       (*active)->string()));
  const auto file = new_script(what.name, at->here, at->folders);
  if (!file) return complain(usage, file.error());
  std::error_code ignored;
  if (fs::exists(*file, ignored) && !what.force)
    return complain(usage, fmt::format("there is a script '{}' already; --force records over it", file->string()));
  if (const auto started = start_recording(at->tree->binary_dir, *file); !started)
    return complain(environment, started.error());
  if (common.json)
    fmt::print("{}", dumped({{"schema", project::recording_schema}, {"script", file->string()}, {"recording", true}}));
  else
    fmt::print("recording into {}; `morph script stop` ends it\n", file->string());
  return fine;
}

/// How many commands a script has, as it is written.
std::size_t commands_in(const std::vector<script_line>& lines) {
  return static_cast<std::size_t>(std::count_if(lines.begin(), lines.end(), [](const script_line& line) {
    const std::string* const verb = literal(line.words.front());
    return verb == nullptr || (*verb != "set" && *verb != "in" && *verb != "repeat" && *verb != "end");
  }));
}

std::string counted_commands(std::size_t number) {
  return fmt::format("{} command{}", number, number == 1 ? "" : "s");
}

int stop(const common_options& common) {
  const auto at = with_tree(common);
  if (!at) return environment;
  const auto active = recording_of(at->tree->binary_dir);
  if (active && !*active)
    return complain(usage, "nothing is being recorded in this build tree; `morph script record NAME` starts it");
  if (const auto stopped = stop_recording(at->tree->binary_dir); !stopped)
    return complain(environment, stopped.error());
  if (!active) return complain(environment, active.error());
  const auto text = read_script_file(**active);
  if (!text) return complain(environment, text.error() + "; the recording has ended, and what it had is not there");
  const auto lines = read_script(*text);
  if (common.json)
    fmt::print("{}", dumped({{"schema", project::recording_schema},
                             {"script", (*active)->string()},
                             {"recording", false},
                             {"commands", lines ? commands_in(*lines) : 0}}));
  else
    fmt::print("{}: {}\n", (*active)->string(), counted_commands(lines ? commands_in(*lines) : 0));
  return fine;
}

// ---- looking at scripts

/// The first remark says what a script is for.
std::string first_remark(const std::string& text) {
  if (!text.starts_with('#')) return {};
  std::string line = text.substr(0, text.find('\n'));
  line.erase(0, line.find_first_not_of("# "));
  if (line.ends_with('\r')) line.pop_back();
  return line;
}

int list(const common_options& common) {
  const auto at = surrounding_of(common);
  if (!at) return environment;
  const auto active = at->tree ? recording_of(at->tree->binary_dir) : project::result<std::optional<fs::path>>();
  json rows = json::array();
  std::string text;
  for (const fs::path& file : all_scripts(at->here, at->folders)) {
    const auto content = read_script_file(file);
    const auto lines = content ? read_script(*content) : tl::unexpected(script_error{0, content.error()});
    const bool is_recording = active && *active && **active == file;
    const std::string wrong = lines ? ""
                              : lines.error().line == 0
                                  ? lines.error().what
                                  : fmt::format("line {}: {}", lines.error().line, lines.error().what);
    json row{{"name", file.stem().string()}, {"path", file.string()}, {"recording", is_recording}};
    if (lines) {
      row["commands"] = commands_in(*lines);
      row["about"] = first_remark(*content);
    } else {
      row["error"] = wrong;
    }
    rows.push_back(row);
    text += fmt::format("{}  {}{}\n    {}\n", file.stem().string(),
                        lines ? counted_commands(commands_in(*lines)) : "cannot be played: " + wrong,
                        is_recording ? ", being recorded" : "", file.lexically_proximate(at->here).string());
    if (lines && !first_remark(*content).empty()) text += fmt::format("    {}\n", first_remark(*content));
  }
  if (common.json)
    fmt::print("{}", dumped({{"schema", project::scripts_schema}, {"scripts", rows}}));
  else
    fmt::print("{}", rows.empty() ? "no scripts here; `morph script record NAME` makes one\n" : text);
  return fine;
}

int show(const script_arguments& what, const common_options& common) {
  const auto at = surrounding_of(common);
  if (!at) return environment;
  const auto file = find_script(what.name, at->here, at->folders);
  if (!file) return complain(usage, file.error());
  const auto text = read_script_file(*file);
  if (!text) return complain(environment, text.error());
  if (common.json)
    fmt::print("{}", dumped({{"schema", project::script_schema}, {"path", file->string()}, {"text", *text}}));
  else
    fmt::print("{}", *text);
  return fine;
}

int edit(const script_arguments& what, const common_options& common) {
  const auto at = surrounding_of(common);
  if (!at) return environment;
  auto file = find_script(what.name, at->here, at->folders);
  std::error_code ignored;
  if (!file) {
    const auto made = new_script(what.name, at->here, at->folders);
    if (!made || fs::exists(*made, ignored)) return complain(usage, file.error());
    file = *made;
  }
  const char* editor = std::getenv("VISUAL");
  if (editor == nullptr || *editor == 0) editor = std::getenv("EDITOR");
  if (editor == nullptr || *editor == 0)
    return complain(environment, "no editor is known; set EDITOR, such as EDITOR=vi");
  const std::string copy = file->string() + ".edit";
  const auto before =
      fs::exists(*file, ignored) ? read_script_file(*file) : project::result<std::string>("# What it is for.\n");
  if (!before) return complain(environment, before.error());
  if (const auto written = project::write_file_atomically(copy, *before); !written)
    return complain(environment, written.error());
  const project::process_end end =
      project::run_in_foreground({.arguments = {"/bin/sh", "-c", fmt::format("{} \"$1\"", editor), "sh", copy}});
  if (!end.succeeded())
    return complain(environment, fmt::format("the editor ended with an error ({}); the script is as it was, what was "
                                             "edited is in '{}'",
                                             project::describe(end, {}), copy));
  const auto after = read_script_file(copy);
  if (!after) return complain(environment, after.error());
  if (const auto lines = read_script(*after); !lines)
    return complain(usage, fmt::format("{}:{}: {}\nthe script is as it was; what was edited is in '{}'",
                                       file->filename().string(), lines.error().line, lines.error().what, copy));
  if (const auto written = project::write_file_atomically(*file, *after); !written)
    return complain(environment, written.error());
  fs::remove(copy, ignored);
  if (common.json)
    fmt::print("{}", dumped({{"schema", project::script_schema}, {"path", file->string()}, {"text", *after}}));
  else
    fmt::print("{}: {}\n", file->string(), counted_commands(commands_in(*read_script(*after))));
  return fine;
}

// ---- playing

json as_json(const script_step& step) {
  return {{"script", step.script},          {"line", step.line},         {"words", step.words},
          {"folder", step.folder.string()}, {"may_fail", step.may_fail}, {"seed", step.seed}};
}

int print_steps(const std::vector<script_step>& steps, const fs::path& file, const script_arguments& what,
                const common_options& common) {
  json rows = json::array();
  for (const script_step& each : steps) {
    rows.push_back(as_json(each));
    if (common.json) continue;
    const std::string folder = each.folder.lexically_relative(file.parent_path()).string();
    fmt::print("{}: {}{}{}{}\n", each.place(), each.may_fail ? "try " : "", each.text(),
               folder == "." ? "" : fmt::format("  # in {}", folder),
               each.seed == what.seed ? "" : fmt::format("  # seed {}", each.seed));
  }
  if (common.json)
    fmt::print("{}", dumped({{"schema", project::script_steps_schema},
                             {"script", file.filename().string()},
                             {"seed", *what.seed},
                             {"steps", rows}}));
  return fine;
}

/// A file that is written while steps run. `wanted`: it was named.
bool open_for_writing(std::ofstream& to, const fs::path& file, bool wanted) {
  std::error_code ignored;
  if (!file.parent_path().empty()) fs::create_directories(file.parent_path(), ignored);
  to.open(file, std::ios::binary | std::ios::trunc);
  if (to) return true;
  if (wanted)
    spdlog::error("'{}' cannot be written: {}", file.string(), std::strerror(errno));
  else
    spdlog::warn("there is no log: '{}' cannot be written: {}", file.string(), std::strerror(errno));
  return false;
}

/// What becomes of the rest after a step that failed.
void explain_end(const std::vector<played_step>& played, int code) {
  const auto last = std::find_if(played.rbegin(), played.rend(), [](const played_step& each) { return each.end; });
  const auto not_run = static_cast<std::size_t>(last - played.rbegin());
  if (last == played.rend()) return;
  const std::string place = fmt::format("{}: `{}`", last->step.place(), last->step.text());
  if (last->was_interrupted()) {
    spdlog::error("{} was interrupted; {} steps after it were not run", place, not_run);
  } else if (!last->succeeded() && !last->step.may_fail && not_run > 0) {
    spdlog::error(
        "{} ended with {}, expected was exit 0; {} steps after it were not run. With --keep-going, or `try` before the "
        "command, they are",
        place, last->end->err.empty() ? last->status() : last->end->err, not_run);
  } else if (code != fine) {
    for (const played_step& each : played)
      if (!each.succeeded() && !each.step.may_fail)
        spdlog::error("{}: `{}` ended with {}, expected was exit 0", each.step.place(), each.step.text(),
                      each.status());
  }
}

int run_steps(const std::vector<script_step>& steps, const fs::path& file, const script_variables& given,
              const script_arguments& what, const surrounding& at, const common_options& common) {
  play_options options;
  options.program = {project::own_executable().string()};
  if (at.tree) options.common = {"--build", at.tree->binary_dir.string()};
  if (!common.config.empty()) options.common.insert(options.common.end(), {"--config", common.config});
  std::error_code ignored;
  if (!common.overlay.empty())
    options.common.insert(options.common.end(), {"--overlay", fs::absolute(common.overlay, ignored).string()});
  if (!what.suite.empty()) options.for_specs = {"--suite", what.suite};
  options.keeps_going = what.keeps_going;
  const char* chain = std::getenv("MORPH_SCRIPT");
  options.chain = (chain == nullptr ? "" : std::string(chain) + "\n") + file.string();
  options.wants_output = common.json || !what.messages.empty();
  options.passes_output = !common.json;

  std::ofstream log, messages;
  const fs::path log_file = !what.log.empty()             ? fs::path(what.log)
                            : at.folders.recorded.empty() ? fs::path()
                                                          : at.folders.recorded / (file.stem().string() + ".log");
  if (!log_file.empty() && !open_for_writing(log, log_file, !what.log.empty()) && !what.log.empty()) return environment;
  if (!what.messages.empty() && !open_for_writing(messages, what.messages, true)) return environment;
  log << log_head(file.filename().string(), given, *what.seed) << std::flush;
  messages << message_head << std::flush;
  const bool tells = !common.quiet && !common.json;
  options.before = [&](std::size_t i) {
    if (tells) fmt::print(stderr, "[{}/{}] {}: {}\n", i + 1, steps.size(), steps[i].place(), steps[i].text());
  };
  options.after = [&](std::size_t i, const played_step& each) {
    log << log_line(each, what.with_times) << std::flush;
    if (!what.messages.empty()) messages << message_rows(each, i + 1) << std::flush;
  };
  std::fflush(stdout);
  const std::vector<played_step> played = play_steps(steps, options);
  const int code = play_status(played);
  for (const played_step& each : played)
    if (!each.end) log << log_line(each, false);
  log.close();
  messages.close();
  explain_end(played, code);
  if ((!what.log.empty() && !log) || (!what.messages.empty() && !messages))
    return complain(environment, fmt::format("'{}' could not be written to its end",
                                             !what.log.empty() && !log ? what.log : what.messages));
  if (common.json) {
    json rows = json::array();
    for (const played_step& each : played) {
      rows.push_back(as_json(each.step));
      rows.back().update({{"status", each.status()}, {"output", each.output}, {"seconds", each.seconds}});
    }
    fmt::print("{}", dumped({{"schema", project::script_play_schema},
                             {"script", file.filename().string()},
                             {"seed", *what.seed},
                             {"exit", code},
                             {"steps", rows}}));
  } else if (tells && !log_file.empty()) {
    fmt::print(stderr, "morph: the log is in {}\n", log_file.lexically_proximate(at.here).string());
  }
  return code;
}

int play(script_arguments what, const common_options& common, const std::vector<std::string>& commands) {
  auto at = surrounding_of(common);
  if (!at) return environment;
  const auto file = find_script(what.name, at->here, at->folders);
  if (!file) return complain(usage, file.error());
  if (!at->tree)
    if (const auto folder = project::find_build_tree(file->parent_path()))
      if (auto tree = project::read_build_tree(*folder, common.config)) {
        at->tree = std::move(*tree);
        at->folders = script_folders_of(*at->tree);
      }
  const auto active = at->tree ? recording_of(at->tree->binary_dir) : project::result<std::optional<fs::path>>();
  if (active && *active && **active == *file)
    return complain(usage,
                    fmt::format("'{}' is still being recorded; end that first: morph script stop", file->string()));
  if (const char* const chain = std::getenv("MORPH_SCRIPT"))
    if (fmt::format("\n{}\n", chain).find("\n" + file->string() + "\n") != std::string::npos)
      return complain(usage,
                      fmt::format("the script '{}' plays itself, by a command of one of its steps", file->string()));
  for (const std::string& each : {what.log, what.messages})
    if (each.ends_with(script_extension))
      return complain(usage, fmt::format("'{}' is the name of a script; a log or messages go elsewhere", each));
  script_variables given;
  for (const std::string& each : what.set) {
    const auto setting = read_setting(each);
    if (!setting) return complain(usage, setting.error());
    given[setting->first] = setting->second;
  }
  if (!what.seed) {
    what.seed = 1;
    if (const char* const text = std::getenv("MORPH_SEED")) {
      const std::string_view digits = text;
      std::uint64_t seed = 0;
      const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), seed);
      if (read.ec != std::errc() || read.ptr != digits.data() + digits.size())
        return complain(usage, fmt::format("MORPH_SEED: '{}' is no number", digits));
      what.seed = seed;
    } else if (at->tree) {
      what.seed = kept_seed(*at->tree).value_or(1);
    }
  }
  const script_world world{
      read_script_file,
      [&](const std::string& name, const fs::path& folder) { return find_script(name, folder, at->folders); },
      commands};
  const auto steps = script_steps(*file, given, *what.seed, world);
  if (!steps) return complain(usage, steps.error());
  if (what.dry_run) return print_steps(*steps, *file, what, common);
  return run_steps(*steps, *file, given, what, *at, common);
}

}  // namespace

action add_script(CLI::App& app, const common_options& common) {
  auto what = std::make_shared<script_arguments>();
  CLI::App* const record_ = app.add_subcommand(
      "record", "Write the morph commands that are typed from now on in this build tree into a script");
  CLI::App* const stop_ = app.add_subcommand("stop", "End the recording");
  CLI::App* const list_ = app.add_subcommand("list", "The scripts that are found by their names");
  CLI::App* const show_ = app.add_subcommand("show", "Print a script");
  CLI::App* const edit_ = app.add_subcommand(
      "edit", "Open a script, or a new one, in $EDITOR; what comes back is checked before it is kept");
  CLI::App* const play_ = app.add_subcommand("play", "Run the commands of a script; the first that fails ends it");
  for (CLI::App* each : {record_, show_, edit_, play_})
    each->add_option("name", what->name,
                     "A name, found here, in .morph/scripts at the top of the repository or in morph_scripts beside "
                     "CMakeLists.txt; or a path")
        ->type_name("NAME")
        ->required();
  record_->add_flag("--force", what->force, "Over a script of that name");
  play_->add_option("--set", what->set, "The value of a variable, whatever the script sets; may be repeated")
      ->type_name("NAME=VALUE")
      ->expected(1)
      ->take_all();
  play_->add_option("--seed", what->seed, "MORPH_SEED of all steps (default: MORPH_SEED, or 1)")->type_name("N");
  play_->add_option("--suite", what->suite, "The suite of specs for steps that name none")->type_name("NAME");
  play_->add_flag("--dry-run", what->dry_run, "Only print the steps");
  play_->add_flag("--keep-going", what->keeps_going, "Go on after a step that fails");
  play_
      ->add_option("--log", what->log,
                   "A line for each step and how it ended (default: NAME.log in .morph/scripts); equal for equal plays")
      ->type_name("FILE");
  play_->add_flag("--times", what->with_times, "In the log, how long each step took");
  play_
      ->add_option("--messages", what->messages,
                   "What the steps write, as CSV: script, line, step, command, status, message")
      ->type_name("FILE");
  app.require_subcommand(1);
  for (CLI::App* each : {record_, stop_, list_, show_, edit_, play_}) each->fallthrough();
  return [=, &app, &common]() -> int {
    if (record_->parsed()) return start(*what, common);
    if (stop_->parsed()) return stop(common);
    if (list_->parsed()) return list(common);
    if (show_->parsed()) return show(*what, common);
    if (edit_->parsed()) return edit(*what, common);
    return play(*what, common, names_of_commands(*app.get_parent()));
  };
}

}  // namespace morph::command
