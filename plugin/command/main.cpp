// The `morph` program: subcommands, common options, logging, exit codes.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <spdlog/sinks/ringbuffer_sink.h>
#include <spdlog/sinks/stdout_color_sinks.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>

#include "plugin/command/options.hpp"
#include "plugin/command/terminal.hpp"
#include "plugin/contract/formats.hpp"
#include "plugin/scripting/recording.hpp"
#include "plugin/system/json_text.hpp"

namespace {

using namespace morph;
using namespace morph::command;

struct subcommand {
  const char* name;
  const char* summary;
  action (*add)(CLI::App&, const common_options&);
  const char* footer;
};

constexpr std::array subcommands{
    subcommand{
        "measure", "Build the instrumented twin and record what every test executes", add_measure,
        "Writes the evidence store (.morph/evidence.db at the top of the git repository). A second run continues an\n"
        "interrupted one. Examples:\n  morph measure\n  morph measure --build build -j 8"},
    subcommand{
        "plan", "Show which tests the current change can affect, in which order, and why", add_plan,
        "States: unchanged-proven, affected, stale-widened, unmeasured-ran-all (docs/quickstart.md). Examples:\n"
        "  morph plan\n  morph plan --why Suite.Test\n  morph plan --json | jq .totals\n"
        "  ./tests $(morph plan --format gtest-filter)\n"
        "  morph plan --format gtest-filter > filter; ./tests --gtest_flagfile=filter\n"
        "Before the build (configure first): only what can be affected needs to be built. Plans of the same content\n"
        "deselect what was not built:\n"
        "  cmake --build build --target $(morph plan --before-build --format targets)\n"
        "  morph plan --before-build --json | jq .targets"},
    subcommand{
        "record", "Store the verdicts of the last ctest run, or of a JUnit report", add_record,
        "A test that failed stays selected until it passes. One that passes and fails on the same content is flaky.\n"
        "Examples:\n  morph record\n  morph record results.xml\n  morph record build/reports/*.xml --json"},
    subcommand{
        "run", "Used by ctest: the entries <suite>.plan, .tier1 to .tier4, .selected, .deferred", add_run,
        "A batch is a file in <build>/.morph/batches, written when ctest lists the tests of a suite with GRANULARITY\n"
        "tier or suite. Its cases run in one process; after a crash or a time-out the rest goes on in another one.\n"
        "The suite's TIMEOUT (default 1500 s) is each case's. Exit code 1: a case failed, crashed, timed out or was\n"
        "not run, or a program ended badly outside its cases; the last lines name them.\n"
        "MORPH_JUNIT_DIR=DIR: the cases of each entry are reported in DIR/<entry>.xml (relative to the build tree).\n"
        "Examples:\n  ctest -L morph -V\n  ctest -N -V | grep batch          # the command of each entry\n"
        "  MORPH_JUNIT_DIR=reports ctest     # then: morph record build/reports/*.xml"},
    subcommand{"report", "Report what the measured tests execute, and which program mutants they notice", add_report,
               "What there is to report: coverage and mutation. Options: morph report coverage --help, morph report "
               "mutation --help"},
    subcommand{
        "diff", "Show which functions differ between two builds, and why, by their object code", add_diff,
        "For each program and shared library of both build trees (Ninja or make): functions whose code differs, or\n"
        "the data that they refer to, or their table of exceptions; initializers; and which differences mean\n"
        "nothing. The build tree is compared with what was measured of the nearest commit, or two build trees with "
        "each\n"
        "other: these are built; their objects are read, not their sources, and without a list of moved lines a moved\n"
        "assert() is a change. x86-64 and AArch64, no LTO. Examples:\n"
        "  morph diff\n"
        "  morph diff --before ../main/build --after build\n"
        "  morph diff --before old --after new --json | jq '.files[].changes[].name'"},
    subcommand{
        "optimize", "Find the fewest seconds of tests that cover everything, or the most in a budget", add_optimize,
        "Reads the measurement that `morph plan` starts from, or a file (docs/how-to/minimize.md); nothing is run. A "
        "set\n"
        "that covers everything may miss faults all the same. Examples:\n"
        "  morph optimize                            # which tests are redundant, and what only one test covers\n"
        "  morph optimize --why Area.OfSquare        # what only this test covers, or who covers the same\n"
        "  morph optimize --budget 30 --names        # the best half a minute\n"
        "  morph optimize --keep lines,branches,functions --only 'src/*' --json\n"
        "  morph optimize --write-instance all.txt && morph optimize --instance all.txt\n"
        "  morph optimize --export tables/all        # for spreadsheets, pandas, NumPy"},
    subcommand{
        "mutate", "Find out which small faults the tests would notice", add_mutate,
        "Changes the code in many small ways, all in one build, and runs the tests that reach each change. A change\n"
        "that no test notices shows what is not checked. The sources are read by Clang and compiled by the\n"
        "project's own compiler, in a copy: the user's tree stays as it is. Examples:\n"
        "  morph mutate\n  morph mutate --operators ror,lcr\n  morph mutate --json | jq .score"},
    subcommand{
        "spec", "Make, run, check, measure and look at the cases of metamorphic specs", add_spec,
        "Runs the program of a suite that morph_add_spec() declares, with all that follows. `morph spec --help` ends\n"
        "here; `morph spec new` writes a spec of a function (docs/specs/new.md); `morph spec run --help` and\n"
        "`morph spec show --help` tell what the program takes. Activities: list, run, seed, mutate, execute, check,\n"
        "measure, filter, edit, analyse, show, explore, refresh (docs/specs/reference.md); breed "
        "(docs/specs/breed.md);\n"
        "state save, load, clear: all pools, scripts and messages as one file (docs/specs/scripts.md). Examples:\n"
        "  morph spec list\n"
        "  morph spec run --order 2 --max-time 10\n"
        "  morph spec seed --pool cases.jsonl && morph spec mutate --pool cases.jsonl\n"
        "  morph spec check --pool cases.jsonl && morph spec show --pool cases.jsonl --by failed\n"
        "  morph spec explore --strategy random-target --plot borders.svg\n"
        "  morph spec refresh --order 2         # the pools of morph_add_spec(... POOL), explored and reduced"},
    subcommand{
        "script", "Record, edit and play scripts of these commands", add_script,
        "A script is a text file NAME.morph with one command a line, as it is typed; `set NAME = VALUE`, `${NAME}`,\n"
        "`repeat N as i` ... `end`, `in FOLDER`, `play OTHER`, `try` before a command that may fail, # before a "
        "remark\n"
        "(docs/specs/scripts.md). Examples:\n"
        "  morph script record compare               # then work as always\n"
        "  morph script stop && morph script edit compare\n"
        "  morph script play compare --dry-run\n"
        "  morph script play compare --seed 7 --set pool=small.jsonl --messages messages.csv"},
    subcommand{
        "store", "Look at the evidence store", add_store,
        "Examples:\n  morph store info\n  morph store verify\n  morph store merge shard1.db shard2.db --into all.db\n"
        "  morph store gc --ref main --dry-run"},
    subcommand{"init", "Prepare a project: git-ignore the evidence store, offer the CMake lines and a CI recipe",
               add_init,
               "Reads CMakeLists.txt and, if there is one, a build tree; changes nothing but .gitignore without "
               "--write.\nExamples:\n"
               "  morph init\n  morph init --write\n  morph init --ci github"},
    subcommand{"doctor", "Check that everything Morph needs is there", add_doctor,
               "Exit code 1 if something is wrong."},
    subcommand{"reference", "Print docs/reference.md: commands, reasons, variables, CMake module, formats",
               add_reference, ""},
};

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
std::string missing_subcommand(const CLI::App& app, const std::vector<std::string>& words) {
  const CLI::App* at = &app;
  std::string before = "morph";
  for (const std::string& word : words) {
    if (word.starts_with('-')) break;
    const CLI::App* below = nullptr;
    std::vector<std::string> names;
    for (const CLI::App* known : at->get_subcommands([](const CLI::App*) { return true; })) {
      if (known->get_name() == word) below = known;
      if (!known->get_group().empty()) names.push_back(known->get_name());
    }
    if (names.empty()) break;
    if (below == nullptr)
      return fmt::format("there is no `{} {}`; there are: {}", before, word, fmt::join(names, ", "));
    before += " " + word;
    at = below;
  }
  return {};
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app{"Morph runs the tests that a change can affect, likely failures first."};
  app.set_version_flag("--version", "morph " MORPH_VERSION);
  app.footer(
      exit_codes_text() +
      "Start: add morph_add_suite(NAME TARGET tests) to CMakeLists.txt, build, run `morph measure`, then `ctest -L "
      "morph`.");
  app.require_subcommand(1);

  common_options common;
  std::map<CLI::App*, action> actions;
  for (const subcommand& s : subcommands) {
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
    const std::string missing = incomplete ? missing_subcommand(app, words) : std::string();
    if (missing.empty() && app.exit(error) == 0) return contract::fine;
    if (!missing.empty()) fmt::print(stderr, "morph: {}\n", missing);
    if (as_json) print_errors_as_json(contract::usage, {missing.empty() ? error.what() : missing});
    return contract::usage;
  }
  const auto errors = set_up_logging(common);
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
