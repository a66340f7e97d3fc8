// morph script: records, lists, shows, edits and plays scripts of commands.
#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <memory>
#include <optional>

#include "plugin/command/failed.hpp"
#include "plugin/command/options.hpp"
#include "plugin/command/seed_option.hpp"
#include "plugin/command/terminal.hpp"
#include "plugin/scripting/editing.hpp"
#include "plugin/scripting/playing.hpp"
#include "plugin/scripting/recording.hpp"
#include "plugin/scripting/scripts.hpp"

namespace morph::command {
namespace {

struct script_arguments {
  scripting::play_request asked;
  bool force = false, dry_run = false;
  std::optional<std::string> text{};  // of edit: what the script becomes, without an editor
};

std::vector<std::string> names_of_commands(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* each : app.get_subcommands([](const CLI::App* known) { return !known->get_group().empty(); }))
    names.push_back(each->get_name());
  return names;
}

/// Nothing if --build names no build tree, which is said. `needs_tree`: or if there is none.
std::optional<scripting::surroundings> open_surroundings(const common_options& common, bool needs_tree = false) {
  std::error_code ignored;
  const std::filesystem::path here = std::filesystem::current_path(ignored);
  std::optional<build::build_tree> named;
  if (!common.build.empty() && !(named = open_build_tree(common))) return std::nullopt;
  auto at = scripting::surroundings_of(here, std::move(named), common.config);
  if (!needs_tree || at.tree) return at;
  named = open_build_tree(common);  // says why there is none
  if (!named) return std::nullopt;
  return scripting::surroundings_of(here, std::move(named), common.config);
}

int record(const script_arguments& what, const common_options& common) {
  const auto at = open_surroundings(common, true);
  if (!at) return contract::environment;
  const auto begun = scripting::begin_recording(*at, what.asked.name, what.force);
  if (!begun) return failed(begun.error());
  fmt::print("{}\n", common.json ? scripting::as_json(*begun)
                                 : fmt::format("recording into {}; `morph script stop` ends it", begun->file.string()));
  return contract::fine;
}

int stop(const common_options& common) {
  const auto at = open_surroundings(common, true);
  if (!at) return contract::environment;
  const auto ended = scripting::end_recording(at->tree->binary_dir);
  if (!ended) return failed(ended.error());
  fmt::print("{}\n", common.json ? scripting::as_json(*ended)
                                 : fmt::format("{}: {}", ended->file.string(),
                                               scripting::counted_commands(ended->commands.value_or(0))));
  return contract::fine;
}

int list(const common_options& common) {
  const auto at = open_surroundings(common);
  if (!at) return contract::environment;
  const auto rows = scripting::list_scripts(*at);
  fmt::print("{}", common.json ? scripting::as_json(rows) + '\n' : scripting::as_text(rows, at->here));
  return contract::fine;
}

int show(const script_arguments& what, const common_options& common) {
  const auto at = open_surroundings(common);
  if (!at) return contract::environment;
  const auto found = scripting::read_named_script(*at, what.asked.name);
  if (!found) return failed(found.error());
  fmt::print("{}", common.json ? scripting::as_json(*found) + '\n' : found->text);
  return contract::fine;
}

int edit(const script_arguments& what, const common_options& common) {
  const auto at = open_surroundings(common);
  if (!at) return contract::environment;
  terminal told(false);
  const scripting::play_request& asked = what.asked;
  const auto edited = what.text ? scripting::replace_script(*at, asked.name, *what.text, asked.commands, told)
                                : scripting::edit_script(*at, asked.name, asked.commands, told);
  if (!edited) return failed(edited.error());
  fmt::print("{}\n", common.json
                         ? scripting::as_json(*edited)
                         : fmt::format("{}: {}", edited->file.string(),
                                       scripting::counted_commands(scripting::commands_in(edited->text).value_or(0))));
  return contract::fine;
}

int play(const script_arguments& what, const common_options& common) {
  scripting::play_request asked = what.asked;
  asked.config = common.config;
  asked.overlay = common.overlay;
  asked.keeps_output = common.json;
  auto at = open_surroundings(common);
  if (!at) return contract::environment;
  const auto prepared = scripting::prepare_play(std::move(*at), asked);
  if (!prepared) return failed(prepared.error());
  if (what.dry_run) {
    fmt::print("{}", common.json ? scripting::as_json(*prepared) + '\n' : scripting::as_text(*prepared));
    return contract::fine;
  }
  const bool tells = !common.quiet && !common.json;
  const bool shows_steps = tells && ::isatty(STDERR_FILENO) == 1;
  terminal told(false);
  std::fflush(stdout);
  const auto done = scripting::play(*prepared, asked, told, [&](std::size_t i) {
    const scripting::script_step& step = prepared->steps[i];
    if (shows_steps) fmt::print(stderr, "[{}/{}] {}: {}\n", i + 1, prepared->steps.size(), step.place(), step.text());
  });
  if (!done) return failed(done.error());
  for (const std::string& fault : scripting::faults_of(*done)) spdlog::error("{}", fault);
  if (!done->cut_off.empty())
    return failed(contract::environment, fmt::format("'{}' could not be written to its end", done->cut_off));
  if (common.json)
    fmt::print("{}\n", scripting::as_json(*done));
  else if (tells && !done->log.empty())
    fmt::print(stderr, "morph: the log is in {}\n", done->log.lexically_proximate(prepared->at.here).string());
  return done->code;
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
    each->add_option("name", what->asked.name,
                     "A name, found here, in .morph/scripts at the top of the repository or in morph_scripts beside "
                     "CMakeLists.txt; or a path")
        ->type_name("NAME")
        ->required();
  edit_->add_option("--text", what->text, "Without an editor: the script becomes this text")->type_name("TEXT");
  record_->add_flag("--force", what->force, "Over a script of that name");
  play_->add_option("--set", what->asked.set, "The value of a variable, whatever the script sets; may be repeated")
      ->type_name("NAME=VALUE")
      ->expected(1)
      ->take_all();
  add_seed(*play_, what->asked.seed, "MORPH_SEED of all steps (default: MORPH_SEED, or 1)");
  play_->add_option("--suite", what->asked.suite, "The suite of specs for steps that name none")->type_name("NAME");
  play_->add_flag("--dry-run", what->dry_run, "Only print the steps");
  play_->add_flag("--keep-going", what->asked.keeps_going, "Go on after a step that fails");
  play_
      ->add_option("--log", what->asked.log,
                   "A line for each step and how it ended (default: NAME.log in .morph/scripts); equal for equal plays")
      ->type_name("FILE");
  play_->add_flag("--times", what->asked.with_times, "In the log, how long each step took");
  play_
      ->add_option("--messages", what->asked.messages,
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
    what->asked.commands = names_of_commands(*app.get_parent());
    if (record_->parsed()) return record(*what, common);
    if (stop_->parsed()) return stop(common);
    if (list_->parsed()) return list(common);
    if (show_->parsed()) return show(*what, common);
    return edit_->parsed() ? edit(*what, common) : play(*what, common);
  };
}

}  // namespace morph::command
