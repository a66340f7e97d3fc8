// The `morph` program: common options, logging, exit codes.
#include <fmt/format.h>
#include <spdlog/sinks/ringbuffer_sink.h>
#include <spdlog/sinks/stdout_color_sinks.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>

#include "plugin/command/description.hpp"
#include "plugin/command/options.hpp"
#include "plugin/command/subcommands.hpp"
#include "plugin/command/terminal.hpp"
#include "plugin/contract/formats.hpp"
#include "plugin/scripting/recording.hpp"
#include "plugin/system/json_text.hpp"
#include "plugin/system/memory.hpp"
#include "plugin/system/progress.hpp"

namespace {

using namespace morph;
using namespace morph::command;

using error_messages = spdlog::sinks::ringbuffer_sink_mt;

/// Returns what keeps the errors.
std::shared_ptr<error_messages> set_up_logging(const common_options& common) {
  auto logger = spdlog::stderr_color_mt(
      "morph", std::getenv("NO_COLOR") ? spdlog::color_mode::never : spdlog::color_mode::automatic);
  logger->set_pattern("morph: %^%v%$");
  logger->set_level(common.quiet ? spdlog::level::err : common.verbose ? spdlog::level::debug : spdlog::level::info);
  auto errors = std::make_shared<error_messages>(16);
  errors->set_pattern("%v");
  errors->set_level(spdlog::level::err);
  logger->sinks().push_back(errors);
  spdlog::set_default_logger(logger);
  return errors;
}

/// For scripts that read standard output. An error is logged only where nothing is printed.
void print_errors_as_json(int code, std::vector<std::string> messages) {
  for (std::string& message : messages)
    if (message.ends_with('\n')) message.pop_back();
  const nlohmann::json root{{"schema", morph::contract::error_schema}, {"exit", code}, {"errors", messages}};
  fmt::print("{}\n", json_text(root));
}

std::string exit_codes_text() {
  std::string text;
  for (const contract::exit_row& row : contract::exit_codes)
    text += fmt::format("{}{} {}", text.empty() ? "Exit codes: " : ", ", static_cast<int>(row.code), row.name);
  return text + ".\n";
}

/// The first word where a subcommand was due: CLI11 says only that one is required.
std::string unknown_command(const CLI::App& app, const std::vector<std::string>& words) {
  reference::described_command program = description_of(app, nullptr);
  program.name = "morph";
  return reference::unknown_command(program, words);
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app{"Morph runs the tests that a change can affect, likely failures first."};
  app.set_version_flag("--version", "morph " MORPH_VERSION);
  app.footer(exit_codes_text() +
             "Start: add morph_add_suite(NAME TARGET tests) to CMakeLists.txt, build, then `ctest -L morph`.");
  app.require_subcommand(1);

  common_options common;
  std::map<CLI::App*, action> actions;
  for (const subcommand& s : subcommands()) {
    CLI::App* sub = app.add_subcommand(s.name, s.summary);
    sub->footer(s.footer);
    sub->add_option("--build", common.build, "The build tree (default: the nearest one)")->type_name("DIR");
    sub->add_option("--config", common.config,
                    "The configuration, if the build tree has several (default: the one built last)")
        ->type_name("CFG");
    sub->add_option("--overlay", common.overlay,
                    "A private store over that of the build tree: everything is written there, and what it says only "
                    "adds tests to plans (default: MORPH_STORE_OVERLAY)")
        ->type_name("FILE");
    sub->add_option(
           "--progress-fd", common.progress,
           R"(Write to this open file descriptor how far it is, ten lines a second at most: {"done":5,"total":90,"unit":"tests"})")
        ->type_name("N");
    sub->add_flag("--json", common.json, "Print JSON for scripts");
    sub->add_flag("-q,--quiet", common.quiet, "Print errors only on stderr");
    sub->add_flag("-v,--verbose", common.verbose, "Print more");
    actions[sub] = s.add(*sub, common);
  }

  const std::vector<std::string> words(argv + std::min(argc, 1), argv + argc);
  // What `morph spec` passes on takes --json, too.
  const bool as_json = std::find(words.begin(), words.end(), "--json") != words.end();
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    const bool incomplete = dynamic_cast<const CLI::RequiredError*>(&error) != nullptr;
    const std::string missing = incomplete ? unknown_command(app, words) : std::string();
    if (missing.empty() && app.exit(error) == 0) return contract::fine;
    if (!missing.empty()) fmt::print(stderr, "morph: {}\n", missing);
    if (as_json) print_errors_as_json(contract::usage, {missing.empty() ? error.what() : missing});
    return contract::usage;
  }
  const auto errors = set_up_logging(common);
  if (common.progress != -1 && !system::write_progress_to(common.progress)) {
    spdlog::error("--progress-fd: no file is open as {}", common.progress);
    if (as_json) print_errors_as_json(contract::usage, errors->last_formatted());
    return contract::usage;
  }
  system::use_large_pages();
  int code = contract::fine;
  try {
    code = actions.at(app.get_subcommands().front())();
  } catch (const std::exception& error) {
    spdlog::error("internal error: {}; please report it with the command line", error.what());
    code = contract::internal;
  }
  terminal told(false);
  scripting::record_command(words, code, told);
  const auto messages = errors->last_formatted();
  if (as_json && code >= contract::usage && !messages.empty()) print_errors_as_json(code, messages);
  return code;
}
