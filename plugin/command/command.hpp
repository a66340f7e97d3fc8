// What all subcommands share: options, exit codes, the list of subcommands.
#pragma once

#include <CLI/CLI.hpp>
#include <array>
#include <functional>
#include <string>

namespace morph::command {

/// The contract with scripts.
enum exit_code : int { fine = 0, finding = 1, usage = 2, environment = 3, internal = 4 };
struct exit_row {
  exit_code code;
  const char* name;
  const char* meaning;
};
inline constexpr std::array exit_codes{
    exit_row{fine, "fine", "it did what it was asked for"},
    exit_row{
        finding, "a finding",
        "`doctor` has found a problem, `store verify` damage, `plan --audit` a failure that the plan would have "
        "missed, `mutate --fail-under` a lower mutation score, `report coverage --diff` a changed line that no "
        "test is known to run, `spec run` a case that a relation does not hold for; `script play`: a step ended so"},
    exit_row{usage, "usage", "the command line is not understood, or names something that is not there"},
    exit_row{environment, "environment",
             "something around it is missing or broken: build tree, repository, store, compiler; `plan`: the plan is "
             "complete, but a program could not be listed; `--fail-under`: no mutant was judged"},
    exit_row{internal, "internal error", "a bug in Morph"},
};

struct common_options {
  std::string build;    // empty = nearest build tree
  std::string config;   // of several in the build tree; empty = the one built last
  std::string overlay;  // a private store over that of the build tree
  bool json = false;
  bool quiet = false;
  bool verbose = false;
};

/// A subcommand adds its options to `app` and returns what runs it. The references outlive the call.
using action = std::function<int()>;
action add_measure(CLI::App& app, const common_options& common);
action add_mutate(CLI::App& app, const common_options& common);
action add_plan(CLI::App& app, const common_options& common);
action add_record(CLI::App& app, const common_options& common);
action add_run(CLI::App& app, const common_options& common);
action add_report(CLI::App& app, const common_options& common);
action add_diff(CLI::App& app, const common_options& common);
action add_optimize(CLI::App& app, const common_options& common);
action add_spec(CLI::App& app, const common_options& common);
action add_store(CLI::App& app, const common_options& common);
action add_init(CLI::App& app, const common_options& common);
action add_doctor(CLI::App& app, const common_options& common);
action add_reference(CLI::App& app, const common_options& common);

}  // namespace morph::command
