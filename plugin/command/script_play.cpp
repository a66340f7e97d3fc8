// morph script play: finds a script, and runs or prints its steps; log, messages, JSON.
#include <fmt/format.h>
#include <spdlog/spdlog.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <nlohmann/json.hpp>

#include "plugin/command/script.hpp"
#include "plugin/command/seed_option.hpp"
#include "plugin/command/spec_state.hpp"
#include "plugin/contract/formats.hpp"
#include "plugin/scripting/play.hpp"
#include "plugin/scripting/recording.hpp"

namespace morph::command {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

json as_json(const scripting::script_step& step) {
  return {{"script", step.script},          {"line", step.line},         {"words", step.words},
          {"folder", step.folder.string()}, {"may_fail", step.may_fail}, {"seed", step.seed}};
}

int print_steps(const std::vector<scripting::script_step>& steps, const fs::path& file, const script_arguments& what,
                const common_options& common) {
  json rows = json::array();
  for (const scripting::script_step& each : steps) {
    rows.push_back(as_json(each));
    if (common.json) continue;
    const std::string folder = each.folder.lexically_relative(file.parent_path()).string();
    fmt::print("{}: {}{}{}{}\n", each.place(), each.may_fail ? "try " : "", each.text(),
               folder == "." ? "" : fmt::format("  # in {}", folder),
               each.seed == what.seed ? "" : fmt::format("  # seed {}", each.seed));
  }
  if (common.json)
    fmt::print("{}", script_json({{"schema", contract::script_steps_schema},
                                  {"script", file.filename().string()},
                                  {"seed", *what.seed},
                                  {"steps", rows}}));
  return contract::fine;
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
void explain_end(const std::vector<scripting::played_step>& played, int code) {
  const auto last =
      std::find_if(played.rbegin(), played.rend(), [](const scripting::played_step& each) { return each.end; });
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
  } else if (code != contract::fine) {
    for (const scripting::played_step& each : played)
      if (!each.succeeded() && !each.step.may_fail)
        spdlog::error("{}: `{}` ended with {}, expected was exit 0", each.step.place(), each.step.text(),
                      each.status());
  }
}

int run_steps(const std::vector<scripting::script_step>& steps, const fs::path& file,
              const scripting::script_variables& given, const script_arguments& what, const script_surroundings& at,
              const common_options& common) {
  scripting::play_options options;
  options.program = {system::own_executable().string()};
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
  if (!log_file.empty() && !open_for_writing(log, log_file, !what.log.empty()) && !what.log.empty())
    return contract::environment;
  if (!what.messages.empty() && !open_for_writing(messages, what.messages, true)) return contract::environment;
  log << scripting::log_head(file.filename().string(), given, *what.seed) << std::flush;
  messages << scripting::message_head << std::flush;
  const bool tells = !common.quiet && !common.json;
  const bool shows_progress = tells && ::isatty(STDERR_FILENO) == 1;
  options.before = [&](std::size_t i) {
    if (shows_progress) fmt::print(stderr, "[{}/{}] {}: {}\n", i + 1, steps.size(), steps[i].place(), steps[i].text());
  };
  options.after = [&](std::size_t i, const scripting::played_step& each) {
    log << scripting::log_line(each, what.with_times) << std::flush;
    if (!what.messages.empty()) messages << scripting::message_rows(each, i + 1) << std::flush;
  };
  std::fflush(stdout);
  const std::vector<scripting::played_step> played = scripting::play_steps(steps, options);
  const int code = scripting::play_status(played);
  for (const scripting::played_step& each : played)
    if (!each.end) log << scripting::log_line(each, false);
  log.close();
  messages.close();
  explain_end(played, code);
  if ((!what.log.empty() && !log) || (!what.messages.empty() && !messages))
    return script_error_exit(contract::environment, fmt::format("'{}' could not be written to its end",
                                                                !what.log.empty() && !log ? what.log : what.messages));
  if (common.json) {
    json rows = json::array();
    for (const scripting::played_step& each : played) {
      rows.push_back(as_json(each.step));
      rows.back().update({{"status", each.status()}, {"output", each.output}, {"seconds", each.seconds}});
    }
    fmt::print("{}", script_json({{"schema", contract::script_play_schema},
                                  {"script", file.filename().string()},
                                  {"seed", *what.seed},
                                  {"exit", code},
                                  {"steps", rows}}));
  } else if (tells && !log_file.empty()) {
    fmt::print(stderr, "morph: the log is in {}\n", log_file.lexically_proximate(at.here).string());
  }
  return code;
}

}  // namespace

int play_script(script_arguments what, const common_options& common, const std::vector<std::string>& commands) {
  auto at = script_surroundings_of(common);
  if (!at) return contract::environment;
  const auto file = scripting::find_script(what.name, at->here, at->folders);
  if (!file) return script_error_exit(contract::usage, file.error());
  if (!at->tree)
    if (const auto folder = build::find_build_tree(file->parent_path()))
      if (auto tree = build::read_build_tree(*folder, common.config)) {
        at->tree = std::move(*tree);
        at->folders = scripting::script_folders_of(*at->tree);
      }
  const auto active = at->tree ? scripting::recording_of(at->tree->binary_dir) : result<std::optional<fs::path>>();
  if (active && *active && **active == *file)
    return script_error_exit(
        contract::usage,
        fmt::format("'{}' is still being recorded; end that first: morph script stop", file->string()));
  if (const char* const chain = std::getenv("MORPH_SCRIPT"))
    if (fmt::format("\n{}\n", chain).find("\n" + file->string() + "\n") != std::string::npos)
      return script_error_exit(
          contract::usage,
          fmt::format("the script '{}' plays itself, by a command of one of its steps", file->string()));
  for (const std::string& each : {what.log, what.messages})
    if (each.ends_with(scripting::script_extension))
      return script_error_exit(contract::usage,
                               fmt::format("'{}' is the name of a script; a log or messages go elsewhere", each));
  scripting::script_variables given;
  for (const std::string& each : what.set) {
    const auto setting = scripting::read_setting(each);
    if (!setting) return script_error_exit(contract::usage, setting.error());
    given[setting->first] = setting->second;
  }
  if (!what.seed) {
    what.seed = 1;
    if (const char* const text = std::getenv("MORPH_SEED")) {
      const auto seed = system::seed_in(text);
      if (!seed) return script_error_exit(contract::usage, "MORPH_SEED: " + seed.error());
      what.seed = *seed;
    } else if (at->tree) {
      what.seed = kept_seed(*at->tree).value_or(1);
    }
  }
  const scripting::script_world world{scripting::read_script_file,
                                      [&](const std::string& name, const fs::path& folder) {
                                        return scripting::find_script(name, folder, at->folders);
                                      },
                                      commands};
  const auto steps = scripting::script_steps(*file, given, *what.seed, world);
  if (!steps) return script_error_exit(contract::usage, steps.error());
  if (what.dry_run) return print_steps(*steps, *file, what, common);
  return run_steps(*steps, *file, given, what, *at, common);
}

}  // namespace morph::command
