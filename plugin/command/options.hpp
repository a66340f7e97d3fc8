// What all subcommands share: options, the build tree that they name, the list of subcommands.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <optional>
#include <string>
#include <utility>

#include "plugin/build/build_tree.hpp"
#include "plugin/contract/exit_codes.hpp"

namespace morph::command {

struct common_options {
  std::string build;    // empty = nearest build tree
  std::string config;   // of several in the build tree; empty = the one built last
  std::string overlay;  // a private store over that of the build tree
  int progress = -1;    // a descriptor for lines of JSON
  bool json = false;
  bool quiet = false;
  bool verbose = false;
};

/// The build tree that --build names, or the nearest. Errors are printed; nothing = exit with `environment`. It is one
/// if the sources are not there, but for who can do `without_sources`.
std::optional<build::build_tree> open_build_tree(const common_options& common, bool without_sources = false);

/// A subcommand adds its options to `app` and returns what runs it. The references outlive the call.
using action = std::function<int()>;
action add_measure(CLI::App& app, const common_options& common);
action add_mutate(CLI::App& app, const common_options& common);
action add_explain(CLI::App& app, const common_options& common);
action add_generate(CLI::App& app, const common_options& common);
action add_scout(CLI::App& app, const common_options& common);
action add_plan(CLI::App& app, const common_options& common);
action add_record(CLI::App& app, const common_options& common);
action add_run(CLI::App& app, const common_options& common);
action add_report(CLI::App& app, const common_options& common);
action add_diff(CLI::App& app, const common_options& common);
action add_optimize(CLI::App& app, const common_options& common);
action add_spec(CLI::App& app, const common_options& common);
action add_script(CLI::App& app, const common_options& common);
action add_store(CLI::App& app, const common_options& common);
action add_init(CLI::App& app, const common_options& common);
action add_doctor(CLI::App& app, const common_options& common);
action add_studio(CLI::App& app, const common_options& common);
action add_reference(CLI::App& app, const common_options& common);

/// `morph report html`, `mutation` and `summary`: each adds itself, and is returned with what runs it.
std::pair<CLI::App*, action> add_report_html(CLI::App& app, const common_options& common);
std::pair<CLI::App*, action> add_report_mutation(CLI::App& app, const common_options& common);
std::pair<CLI::App*, action> add_report_summary(CLI::App& app, const common_options& common);

}  // namespace morph::command
