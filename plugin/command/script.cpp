// morph script: records, lists, shows, edits and plays scripts of commands.
#include "plugin/command/script.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <nlohmann/json.hpp>
#include <set>

#include "plugin/command/options.hpp"
#include "plugin/command/seed_option.hpp"
#include "plugin/contract/exit_codes.hpp"
#include "plugin/contract/formats.hpp"
#include "plugin/scripting/recording.hpp"
#include "plugin/scripting/steps.hpp"
#include "plugin/scripting/text.hpp"
#include "plugin/system/files.hpp"
#include "plugin/system/foreground_process.hpp"
#include "plugin/system/json_text.hpp"

namespace morph::command {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

std::vector<std::string> names_of_commands(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* each : app.get_subcommands([](const CLI::App* known) { return !known->get_group().empty(); }))
    names.push_back(each->get_name());
  return names;
}

// ---- recording

/// A recording is of a build tree.
std::optional<script_surroundings> with_tree(const common_options& common) {
  auto at = script_surroundings_of(common);
  if (at && !at->tree) {
    at->tree = open_build_tree(common);  // says why there is none
    if (!at->tree) return std::nullopt;
    at->folders = scripting::script_folders_of(*at->tree);
  }
  return at;
}

int start(const script_arguments& what, const common_options& common) {
  const auto at = with_tree(common);
  if (!at) return contract::environment;
  const auto active = scripting::recording_of(at->tree->binary_dir);
  if (!active) return script_error_exit(contract::environment, active.error());
  if (*active)
    return script_error_exit(contract::usage,
                             fmt::format("'{}' is being recorded in this build tree; end that first: morph script stop",
                                         (*active)->string()));
  const auto file = scripting::new_script(what.name, at->here, at->folders);
  if (!file) return script_error_exit(contract::usage, file.error());
  std::error_code ignored;
  if (fs::exists(*file, ignored) && !what.force)
    return script_error_exit(contract::usage,
                             fmt::format("there is a script '{}' already; --force records over it", file->string()));
  if (const auto started = scripting::start_recording(at->tree->binary_dir, *file); !started)
    return script_error_exit(contract::environment, started.error());
  if (common.json)
    fmt::print("{}",
               script_json({{"schema", contract::recording_schema}, {"script", file->string()}, {"recording", true}}));
  else
    fmt::print("recording into {}; `morph script stop` ends it\n", file->string());
  return contract::fine;
}

/// How many commands a script has, as it is written.
std::size_t commands_in(const std::vector<scripting::script_line>& lines) {
  return static_cast<std::size_t>(std::count_if(lines.begin(), lines.end(), [](const scripting::script_line& line) {
    const std::string* const verb = scripting::literal(line.words.front());
    return verb == nullptr || (*verb != "set" && *verb != "in" && *verb != "repeat" && *verb != "end");
  }));
}

std::string counted_commands(std::size_t number) {
  return fmt::format("{} command{}", number, number == 1 ? "" : "s");
}

int stop(const common_options& common) {
  const auto at = with_tree(common);
  if (!at) return contract::environment;
  const auto active = scripting::recording_of(at->tree->binary_dir);
  if (active && !*active)
    return script_error_exit(contract::usage,
                             "nothing is being recorded in this build tree; `morph script record NAME` starts it");
  if (const auto stopped = scripting::stop_recording(at->tree->binary_dir); !stopped)
    return script_error_exit(contract::environment, stopped.error());
  if (!active) return script_error_exit(contract::environment, active.error());
  const auto text = scripting::read_script_file(**active);
  if (!text)
    return script_error_exit(contract::environment,
                             text.error() + "; the recording has ended, and what it had is not there");
  const auto lines = scripting::read_script(*text);
  if (common.json)
    fmt::print("{}", script_json({{"schema", contract::recording_schema},
                                  {"script", (*active)->string()},
                                  {"recording", false},
                                  {"commands", lines ? commands_in(*lines) : 0}}));
  else
    fmt::print("{}: {}\n", (*active)->string(), counted_commands(lines ? commands_in(*lines) : 0));
  return contract::fine;
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
  const auto at = script_surroundings_of(common);
  if (!at) return contract::environment;
  const auto active = at->tree ? scripting::recording_of(at->tree->binary_dir) : result<std::optional<fs::path>>();
  json rows = json::array();
  std::string text;
  for (const fs::path& file : scripting::all_scripts(at->here, at->folders)) {
    const auto content = scripting::read_script_file(file);
    const auto lines =
        content ? scripting::read_script(*content) : tl::unexpected(scripting::script_error{0, content.error()});
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
    fmt::print("{}", script_json({{"schema", contract::scripts_schema}, {"scripts", rows}}));
  else
    fmt::print("{}", rows.empty() ? "no scripts here; `morph script record NAME` makes one\n" : text);
  return contract::fine;
}

int show(const script_arguments& what, const common_options& common) {
  const auto at = script_surroundings_of(common);
  if (!at) return contract::environment;
  const auto file = scripting::find_script(what.name, at->here, at->folders);
  if (!file) return script_error_exit(contract::usage, file.error());
  const auto text = scripting::read_script_file(*file);
  if (!text) return script_error_exit(contract::environment, text.error());
  if (common.json)
    fmt::print("{}", script_json({{"schema", contract::script_schema}, {"path", file->string()}, {"text", *text}}));
  else
    fmt::print("{}", *text);
  return contract::fine;
}

/// Variables that have their values from `--set` alone.
std::vector<std::string> open_variables(const std::vector<scripting::script_line>& lines) {
  std::set<std::string> used, known{"seed"};
  for (const scripting::script_line& line : lines) {
    for (const scripting::script_word& word : line.words)
      for (const scripting::word_piece& piece : word)
        if (piece.is_variable) used.insert(piece.text);
    const auto text = [&](std::size_t at) {
      return at < line.words.size() ? scripting::literal(line.words[at]) : nullptr;
    };
    const std::string* const verb = text(0);
    const std::string* const name = verb == nullptr ? nullptr : text(*verb == "set" ? 1 : *verb == "repeat" ? 3 : 99);
    if (name != nullptr) known.insert(name->substr(0, name->find('=')));
    // `set a=${b}`
    if (verb != nullptr && *verb == "set" && name == nullptr && line.words.size() > 1 && !line.words[1].empty())
      known.insert(line.words[1].front().text.substr(0, line.words[1].front().text.find('=')));
  }
  std::vector<std::string> open;
  std::set_difference(used.begin(), used.end(), known.begin(), known.end(), std::back_inserter(open));
  return open;
}

/// Why the text cannot be played as that file; empty if it can. Where variables are open, only a warning says so.
std::string why_not_played(const fs::path& file, const std::string& text, const script_surroundings& at,
                           const std::vector<std::string>& commands) {
  const auto lines = scripting::read_script(text);
  if (!lines) return fmt::format("{}:{}: {}", file.filename().string(), lines.error().line, lines.error().what);
  const scripting::script_world world{
      [&](const fs::path& asked) {
        return asked == file ? result<std::string>(text) : scripting::read_script_file(asked);
      },
      [&](const std::string& name, const fs::path& folder) { return scripting::find_script(name, folder, at.folders); },
      commands};
  const std::vector<std::string> open = open_variables(*lines);
  scripting::script_variables given;
  for (const std::string& name : open) given[name] = "1";
  const auto steps = scripting::script_steps(file, given, 1, world);
  if (steps) return {};
  if (open.empty()) return steps.error();
  spdlog::warn("{}; that may be as it has to be: {} {} only by --set", steps.error(), fmt::join(open, ", "),
               open.size() == 1 ? "has a value" : "have values");
  return {};
}

int edit(const script_arguments& what, const common_options& common, const std::vector<std::string>& commands) {
  const auto at = script_surroundings_of(common);
  if (!at) return contract::environment;
  auto file = scripting::find_script(what.name, at->here, at->folders);
  std::error_code ignored;
  if (!file) {
    const auto made = scripting::new_script(what.name, at->here, at->folders);
    if (!made || fs::exists(*made, ignored)) return script_error_exit(contract::usage, file.error());
    file = *made;
  }
  const char* editor = std::getenv("VISUAL");
  if (editor == nullptr || *editor == 0) editor = std::getenv("EDITOR");
  if (editor == nullptr || *editor == 0)
    return script_error_exit(contract::environment, "no editor is known; set EDITOR, such as EDITOR=vi");
  const std::string copy = file->string() + ".edit";
  const auto before =
      fs::exists(*file, ignored) ? scripting::read_script_file(*file) : result<std::string>("# What it is for.\n");
  if (!before) return script_error_exit(contract::environment, before.error());
  if (const auto written = system::write_file_atomically(copy, *before); !written)
    return script_error_exit(contract::environment, written.error());
  const system::process_end end =
      system::run_in_foreground({.arguments = {"/bin/sh", "-c", fmt::format("{} \"$1\"", editor), "sh", copy}});
  if (!end.succeeded())
    return script_error_exit(contract::environment,
                             fmt::format("the editor ended with an error ({}); the script is as it was, what was "
                                         "edited is in '{}'",
                                         system::describe(end, {}), copy));
  const auto after = scripting::read_script_file(copy);
  if (!after) return script_error_exit(contract::environment, after.error());
  if (const std::string why = why_not_played(*file, *after, *at, commands); !why.empty())
    return script_error_exit(contract::usage,
                             fmt::format("{}\nthe script is as it was; what was edited is in '{}'", why, copy));
  if (const auto written = system::write_file_atomically(*file, *after); !written)
    return script_error_exit(contract::environment, written.error());
  fs::remove(copy, ignored);
  if (common.json)
    fmt::print("{}", script_json({{"schema", contract::script_schema}, {"path", file->string()}, {"text", *after}}));
  else
    fmt::print("{}: {}\n", file->string(), counted_commands(commands_in(*scripting::read_script(*after))));
  return contract::fine;
}

}  // namespace

std::optional<script_surroundings> script_surroundings_of(const common_options& common) {
  std::error_code ignored;
  script_surroundings found{fs::current_path(ignored), std::nullopt, {}};
  if (!common.build.empty()) {
    found.tree = open_build_tree(common);
    if (!found.tree) return std::nullopt;
  } else if (const auto folder = build::find_build_tree(found.here)) {
    if (auto tree = build::read_build_tree(*folder, common.config)) found.tree = std::move(*tree);
  }
  if (found.tree) found.folders = scripting::script_folders_of(*found.tree);
  return found;
}

std::string script_json(const json& value) {
  return json_text(value) + "\n";
}

int script_error_exit(int code, const std::string& what) {
  spdlog::error("{}", what);
  return code;
}

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
  add_seed(*play_, what->seed, "MORPH_SEED of all steps (default: MORPH_SEED, or 1)");
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
  record_->footer(
      "Each command is written when it has ended: with `try` before it if it had findings, as a remark if it failed.\n"
      "Not written: what only looks (--help), what ctest starts, `morph script` but for `play`.");
  stop_->footer("");
  list_->footer("");
  show_->footer("");
  edit_->footer("");
  play_->footer(
      "The whole script is read before its first command starts. Exit code: that of the command that ended it, with\n"
      "--keep-going the highest. Examples:\n"
      "  morph script play compare --dry-run\n"
      "  morph script play compare --seed 7 --set pool=small.jsonl --messages messages.csv");
  app.require_subcommand(1);
  for (CLI::App* each : {record_, stop_, list_, show_, edit_, play_}) each->fallthrough();
  return [=, &app, &common]() -> int {
    if (record_->parsed()) return start(*what, common);
    if (stop_->parsed()) return stop(common);
    if (list_->parsed()) return list(common);
    if (show_->parsed()) return show(*what, common);
    if (edit_->parsed()) return edit(*what, common, names_of_commands(*app.get_parent()));
    return play_script(*what, common, names_of_commands(*app.get_parent()));
  };
}

}  // namespace morph::command
