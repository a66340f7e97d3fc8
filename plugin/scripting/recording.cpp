// The file that says a recording is on, and the lines added to it.
#include "plugin/scripting/recording.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "plugin/contract/exit_codes.hpp"
#include "plugin/contract/formats.hpp"
#include "plugin/scripting/scripts.hpp"
#include "plugin/scripting/text.hpp"
#include "plugin/system/files.hpp"
#include "plugin/system/json_text.hpp"

namespace morph::scripting {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

fs::path marker_in(const fs::path& build) {
  return build / ".morph" / "recording.json";
}

bool has(const std::vector<std::string>& words, const std::string& word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

/// The words without `--name VALUE` and `--name=VALUE`; the value goes to `value`.
std::vector<std::string> without_option(const std::vector<std::string>& words, const std::string& name,
                                        std::string& value) {
  std::vector<std::string> others;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i] == name && i + 1 < words.size())
      value = words[++i];
    else if (words[i].starts_with(name + "="))
      value = words[i].substr(name.size() + 1);
    else
      others.push_back(words[i]);
  }
  return others;
}

}  // namespace

result<std::optional<fs::path>> recording_of(const fs::path& build) {
  std::error_code ignored;
  if (!fs::exists(marker_in(build), ignored)) return std::nullopt;
  const auto text = system::read_file(marker_in(build));
  if (!text) return tl::unexpected(text.error());
  const json marker = json::parse(*text, nullptr, false);
  if (!marker.is_object() || marker.value("schema", json()) != contract::recording_schema ||
      !marker.value("script", json()).is_string())
    return tl::unexpected(fmt::format("'{}' does not say what is being recorded; `morph script stop` removes it",
                                      marker_in(build).string()));
  return fs::path(marker["script"].get<std::string>());
}

result<void> start_recording(const fs::path& build, const fs::path& script) {
  if (const auto written = system::write_file_atomically(
          script, fmt::format("# Recorded by `morph script record {}`.\n", script.stem().string()));
      !written)
    return written;
  return system::write_file_atomically(
      marker_in(build), json{{"schema", contract::recording_schema}, {"script", script.string()}}.dump() + "\n");
}

result<void> stop_recording(const fs::path& build) {
  std::error_code error;
  fs::remove(marker_in(build), error);
  if (error)
    return tl::unexpected(fmt::format("'{}' cannot be removed: {}", marker_in(build).string(), error.message()));
  return {};
}

contract::outcome<recorded_script> begin_recording(const surroundings& at, const std::string& name, bool force) {
  using contract::not_done;
  const fs::path& build = at.tree->binary_dir;
  const auto active = recording_of(build);
  if (!active) return not_done(contract::environment, active.error());
  if (*active)
    return not_done(contract::usage,
                    fmt::format("'{}' is being recorded in this build tree; end that first: morph script stop",
                                (*active)->string()));
  const auto file = new_script(name, at.here, at.folders);
  if (!file) return not_done(contract::usage, file.error());
  std::error_code ignored;
  if (fs::exists(*file, ignored) && !force)
    return not_done(contract::usage,
                    fmt::format("there is a script '{}' already; --force records over it", file->string()));
  if (const auto started = start_recording(build, *file); !started)
    return not_done(contract::environment, started.error());
  return recorded_script{*file};
}

contract::outcome<recorded_script> end_recording(const fs::path& build) {
  using contract::not_done;
  const auto active = recording_of(build);
  if (active && !*active)
    return not_done(contract::usage,
                    "nothing is being recorded in this build tree; `morph script record NAME` starts it");
  if (const auto stopped = stop_recording(build); !stopped) return not_done(contract::environment, stopped.error());
  if (!active) return not_done(contract::environment, active.error());
  const auto text = read_script_file(**active);
  if (!text)
    return not_done(contract::environment, text.error() + "; the recording has ended, and what it had is not there");
  return recorded_script{**active, commands_in(*text).value_or(0)};
}

std::string as_json(const recorded_script& of) {
  json all{
      {"schema", contract::recording_schema}, {"script", of.file.string()}, {"recording", !of.commands.has_value()}};
  if (of.commands) all["commands"] = *of.commands;
  return json_text(all);
}

bool is_recorded(const std::vector<std::string>& words) {
  if (words.empty() || has(words, "--help") || has(words, "-h")) return false;
  const std::string& command = words.front();
  if (command == "script") return words.size() > 2 && words[1] == "play" && !has(words, "--dry-run");
  std::string format;
  if (command == "plan") without_option(words, "--format", format);
  return command != "run" && command != "reference" && command != "studio" && format != "cmake";
}

std::string recorded_lines(const std::vector<std::string>& words, int code, const std::string& at,
                           const std::string& folder) {
  std::string ignored, progress;
  std::vector<std::string> step = without_option(without_option(words, "--build", ignored), "--progress-fd", progress);
  if (!progress.empty()) std::erase(step, "--json");  // of a program that reads it, as pages do
  if (step.front() == "script") {
    // Of how it was played the script keeps what its steps hang on.
    std::vector<std::string> kept{"play"};
    for (std::size_t i = 2; i < step.size(); ++i) {
      const bool is_pair = step[i] == "--set" || step[i] == "--seed";
      if (is_pair || step[i].starts_with("--set=") || step[i].starts_with("--seed=") || !step[i].starts_with("-"))
        kept.push_back(step[i]);
      else if (step[i] == "--log" || step[i] == "--messages" || step[i] == "--suite" || step[i] == "--config" ||
               step[i] == "--overlay")
        ++i;
      if (is_pair && i + 1 < step.size()) kept.push_back(step[++i]);
    }
    step = std::move(kept);
  } else {
    step.insert(step.begin(), "morph");
  }
  std::string lines;
  if (code <= contract::finding && folder != at) lines += script_line_of({"in", folder}) + "\n";
  if (code == contract::finding) step.insert(step.begin(), "try");
  return lines + (code > contract::finding ? fmt::format("# exit {}: ", code) : "") + script_line_of(step) + "\n";
}

std::optional<std::string> folder_at_end(const std::string& script) {
  const auto lines = read_script(script);
  if (!lines) return std::nullopt;
  std::string folder = ".";
  for (const script_line& line : *lines) {
    const std::string* const verb = literal(line.words.front());
    if (verb == nullptr || *verb == "repeat") return std::nullopt;
    if (*verb != "in" || line.words.size() != 2) continue;
    const std::string* const where = literal(line.words[1]);
    if (where == nullptr) return std::nullopt;
    folder = *where;
  }
  return folder;
}

void record_command(const std::vector<std::string>& words, int code, system::observer& told) {
  if (std::getenv(script_variable) != nullptr || !is_recorded(words)) return;
  std::string named;
  without_option(words, "--build", named);
  std::error_code error;
  const auto build =
      named.empty() ? build::find_build_tree(fs::current_path(error)) : result<fs::path>(fs::absolute(named, error));
  if (!build) return;
  const auto script = recording_of(*build);
  if (!script || !*script) {
    if (!script) told.warn("not recorded: " + script.error());
    return;
  }
  const auto lock = system::lock_file(marker_in(*build).string() + ".lock", system::if_locked::wait);
  auto text = lock ? read_script_file(**script) : tl::unexpected(lock.error());
  if (!text) {
    told.warn(fmt::format("not recorded: {}; `morph script stop` ends the recording", text.error()));
    return;
  }
  const std::string folder = fs::current_path(error).lexically_relative((*script)->parent_path()).string();
  if (!text->empty() && !text->ends_with('\n')) *text += '\n';
  *text += recorded_lines(words, code, folder_at_end(*text).value_or(""), folder);
  if (const auto written = system::write_file_atomically(**script, *text); !written)
    told.warn("not recorded: " + written.error());
}

}  // namespace morph::scripting
