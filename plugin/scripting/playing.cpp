// Prepares a script, plays its steps, and says how they ended.
#include "plugin/scripting/playing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <nlohmann/json.hpp>

#include "plugin/contract/formats.hpp"
#include "plugin/scripting/recording.hpp"
#include "plugin/scripting/state.hpp"
#include "plugin/system/counted.hpp"
#include "plugin/system/json_text.hpp"
#include "plugin/system/seed.hpp"

namespace morph::scripting {
namespace {

namespace fs = std::filesystem;
using contract::not_done;
using nlohmann::json;

json step_json(const script_step& step) {
  return {{"script", step.script},          {"line", step.line},         {"words", step.words},
          {"folder", step.folder.string()}, {"may_fail", step.may_fail}, {"seed", step.seed}};
}

/// A file that is written while steps run.
result<void> open_for_writing(std::ofstream& to, const fs::path& file) {
  std::error_code ignored;
  if (!file.parent_path().empty()) fs::create_directories(file.parent_path(), ignored);
  to.open(file, std::ios::binary | std::ios::trunc);
  if (to) return {};
  return tl::unexpected(fmt::format("'{}' cannot be written: {}", file.string(), std::strerror(errno)));
}

/// Of the scripts that play this one, a line each; empty if none does.
std::string chain_above() {
  const char* const chain = std::getenv(script_variable);
  return chain == nullptr ? std::string() : std::string(chain) + "\n";
}

result<std::uint64_t> seed_of(const play_request& asked, const surroundings& at) {
  if (asked.seed) return *asked.seed;
  const auto set = system::seed_of_environment();
  if (!set) return tl::unexpected(set.error());
  if (*set) return **set;
  return at.tree ? kept_seed(*at.tree).value_or(1) : 1;
}

play_options options_of(const prepared_play& what, const play_request& asked) {
  play_options options;
  options.program = {system::own_executable().string()};
  if (what.at.tree) options.common = {"--build", what.at.tree->binary_dir.string()};
  if (!asked.config.empty()) options.common.insert(options.common.end(), {"--config", asked.config});
  std::error_code ignored;
  if (!asked.overlay.empty())
    options.common.insert(options.common.end(), {"--overlay", fs::absolute(asked.overlay, ignored).string()});
  if (!asked.suite.empty()) options.for_specs = {"--suite", asked.suite};
  options.keeps_going = asked.keeps_going;
  options.chain = chain_above() + what.file.string();
  options.wants_output = asked.keeps_output || !asked.messages.empty();
  options.passes_output = !asked.keeps_output;
  return options;
}

}  // namespace

contract::outcome<prepared_play> prepare_play(surroundings at, const play_request& asked) {
  const auto file = find_script(asked.name, at.here, at.folders);
  if (!file) return not_done(contract::usage, file.error());
  if (!at.tree) {
    surroundings beside = surroundings_of(file->parent_path(), {}, asked.config);
    at.tree = std::move(beside.tree);
    at.folders = std::move(beside.folders);
  }
  const auto active = at.tree ? recording_of(at.tree->binary_dir) : result<std::optional<fs::path>>();
  if (active && *active && **active == *file)
    return not_done(contract::usage,
                    fmt::format("'{}' is still being recorded; end that first: morph script stop", file->string()));
  if (("\n" + chain_above()).find("\n" + file->string() + "\n") != std::string::npos)
    return not_done(contract::usage,
                    fmt::format("the script '{}' plays itself, by a command of one of its steps", file->string()));
  for (const std::string& each : {asked.log, asked.messages})
    if (each.ends_with(script_extension))
      return not_done(contract::usage,
                      fmt::format("'{}' is the name of a script; a log or messages go elsewhere", each));
  script_variables given;
  for (const std::string& each : asked.set) {
    const auto setting = read_setting(each);
    if (!setting) return not_done(contract::usage, setting.error());
    given[setting->first] = setting->second;
  }
  const auto seed = seed_of(asked, at);
  if (!seed) return not_done(contract::usage, seed.error());
  const script_world world{
      read_script_file,
      [&](const std::string& name, const fs::path& folder) { return find_script(name, folder, at.folders); },
      asked.commands};
  auto steps = script_steps(*file, given, *seed, world);
  if (!steps) return not_done(contract::usage, steps.error());
  return prepared_play{*file, std::move(at), std::move(given), *seed, std::move(*steps)};
}

std::string as_json(const prepared_play& of) {
  json rows = json::array();
  for (const script_step& each : of.steps) rows.push_back(step_json(each));
  return json_text({{"schema", contract::script_steps_schema},
                    {"script", of.file.filename().string()},
                    {"seed", of.seed},
                    {"steps", std::move(rows)}});
}

std::string as_text(const prepared_play& of) {
  std::string text;
  for (const script_step& each : of.steps) {
    const std::string folder = each.folder.lexically_relative(of.file.parent_path()).string();
    text += fmt::format("{}: {}{}{}{}\n", each.place(), each.may_fail ? "try " : "", each.text(),
                        folder == "." ? "" : "  # in " + folder,
                        each.seed == of.seed ? "" : fmt::format("  # seed {}", each.seed));
  }
  return text;
}

contract::outcome<finished_play> play(const prepared_play& what, const play_request& asked, system::observer& told,
                                      const std::function<void(std::size_t)>& before) {
  finished_play done{what.file.filename().string(), what.seed, {}};
  std::ofstream log, messages;
  const bool wants_log = !asked.log.empty(), wants_messages = !asked.messages.empty();
  if (wants_log)
    done.log = asked.log;
  else if (!what.at.folders.recorded.empty())
    done.log = what.at.folders.recorded / (what.file.stem().string() + ".log");
  if (!done.log.empty())
    if (const auto opened = open_for_writing(log, done.log); !opened) {
      if (wants_log) return not_done(contract::environment, opened.error());
      told.warn("there is no log: " + opened.error());
    }
  if (wants_messages)
    if (const auto opened = open_for_writing(messages, asked.messages); !opened)
      return not_done(contract::environment, opened.error());
  log << log_head(done.script, what.given, what.seed) << std::flush;
  messages << message_head << std::flush;
  play_options options = options_of(what, asked);
  options.before = before;
  options.after = [&](std::size_t i, const played_step& each) {
    log << log_line(each, asked.with_times) << std::flush;
    if (wants_messages) messages << message_rows(each, i + 1) << std::flush;
  };
  done.steps = play_steps(what.steps, options);
  done.code = play_status(done.steps);
  for (const played_step& each : done.steps)
    if (!each.end) log << log_line(each, false);
  log.close();
  messages.close();
  if (wants_log && !log)
    done.cut_off = asked.log;
  else if (wants_messages && !messages)
    done.cut_off = asked.messages;
  return done;
}

std::vector<std::string> faults_of(const finished_play& of) {
  const auto last = std::find_if(of.steps.rbegin(), of.steps.rend(), [](const played_step& each) { return each.end; });
  if (last == of.steps.rend()) return {};
  const auto not_run = static_cast<std::size_t>(last - of.steps.rbegin());
  const auto named = [](const played_step& each) {
    return fmt::format("{}: `{}`", each.step.place(), each.step.text());
  };
  const std::string left = system::counted(not_run, "step after it was", "steps after it were");
  if (last->was_interrupted()) return {fmt::format("{} was interrupted; {} not run", named(*last), left)};
  if (!last->succeeded() && !last->step.may_fail && not_run > 0)
    return {
        fmt::format("{} ended with {}, expected was exit 0; {} not run. With --keep-going, or `try` before the "
                    "command, they are",
                    named(*last), last->end->err.empty() ? last->status() : last->end->err, left)};
  std::vector<std::string> faults;
  for (const played_step& each : of.steps)
    if (!each.succeeded() && !each.step.may_fail)
      faults.push_back(fmt::format("{} ended with {}, expected was exit 0", named(each), each.status()));
  return faults;
}

std::string as_json(const finished_play& of) {
  json rows = json::array();
  for (const played_step& each : of.steps) {
    json& row = rows.emplace_back(step_json(each.step));
    row.update({{"status", each.status()}, {"output", each.output}, {"seconds", each.seconds}});
  }
  return json_text({{"schema", contract::script_play_schema},
                    {"script", of.script},
                    {"seed", of.seed},
                    {"exit", of.code},
                    {"steps", std::move(rows)}});
}

}  // namespace morph::scripting
