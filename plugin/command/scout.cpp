// morph scout
#include <fmt/format.h>
#include <spdlog/spdlog.h>
#include <unistd.h>

#include <cstdlib>
#include <memory>
#include <optional>

#include "plugin/command/failed.hpp"
#include "plugin/command/options.hpp"
#include "plugin/command/terminal.hpp"
#include "plugin/contract/variables.hpp"
#include "plugin/mutating/result.hpp"
#include "plugin/report/run.hpp"
#include "plugin/scout/find.hpp"
#include "plugin/scout/forms.hpp"
#include "plugin/scout/observed.hpp"
#include "plugin/scout/spec_forms.hpp"
#include "plugin/scout/specs.hpp"
#include "plugin/scout/trial.hpp"
#include "plugin/scout/value.hpp"
#include "plugin/scout/write.hpp"
#include "plugin/system/process.hpp"

namespace morph::command {
namespace {

struct scout_arguments {
  scout::request asked;
  bool with_echoes = false, as_markdown = false, as_specs = false, ranks = false, observes = false;
  scout::trial_request trial;
  std::string into;  // a folder
};

bool is_coloured() {
  return ::isatty(STDOUT_FILENO) == 1 && std::getenv(contract::colour_variable) == nullptr;
}

int run_trial(const scout::found& made, const build::build_tree& tree, const scout_arguments& arguments,
              const common_options& common) {
  const std::vector<scout::spec_source> sources = scout::specs_of(made);
  if (!arguments.into.empty())
    if (const auto can = scout::can_write(arguments.into, sources); !can) return failed(can.error());
  terminal told(!common.quiet);
  const auto tried = scout::try_specs(tree, sources, arguments.trial, told);
  told.end();
  if (!tried) return failed(contract::environment, tried.error());
  std::optional<scout::written_specs> written;
  if (!arguments.into.empty()) {
    auto done = scout::write_specs(tree, arguments.into, *tried);
    if (!done) return failed(done.error());
    written = std::move(*done);
  }
  if (common.json) {
    fmt::print("{}", scout::as_json(*tried, made));
    return contract::fine;
  }
  if (arguments.as_markdown) {
    fmt::print("{}", scout::as_markdown(*tried, made));
    return contract::fine;
  }
  fmt::print("{}", scout::as_text(*tried, made, is_coloured()));
  if (written) {
    for (const auto& each : written->files) fmt::print("wrote {}\n", each.string());
    for (const std::string& each : written->cmake) fmt::print("{}", each);
    for (const std::string& each : written->notes) fmt::print("note: {}\n", each);
    return contract::fine;
  }
  for (const scout::tried_source& each : *tried)
    if (!each.kept.specs.empty())
      fmt::print("\n---- {}\n{}", scout::file_name_of(each.kept), scout::text_of(each.kept).text);
  return contract::fine;
}

int run_rank(const scout::found& made, const build::build_tree& tree, const scout_arguments& arguments,
             const common_options& common) {
  const auto mutated = mutating::last_result(tree);
  if (!mutated) return failed(contract::environment, mutated.error());
  if (!mutated->has_all_killers)
    return failed(contract::environment,
                  "the last `morph mutate` stopped at the first test that kills a mutant, so nobody knows whether "
                  "another one does; run `morph mutate --all-killers`");
  const auto covered = report::measured_coverage(tree);
  if (!covered && !common.quiet) fmt::print(stderr, "morph: lines are left out: {}\n", covered.error());
  const scout::relation_values values =
      scout::values_of(scout::specs_of(made), *mutated, covered ? &*covered : nullptr);
  if (values.specs.empty())
    return failed(contract::environment,
                  "the last `morph mutate` knows no relation of these tests; `morph scout --write FOLDER` writes them");
  if (common.json)
    fmt::print("{}", scout::as_json(values));
  else if (arguments.as_markdown)
    fmt::print("{}", scout::as_markdown(values));
  else
    fmt::print("{}", scout::as_text(values, is_coloured()));
  return contract::fine;
}

int run_scout(const scout_arguments& arguments, const common_options& common) {
  if (common.json && arguments.as_markdown)
    return failed(contract::usage, "--json and --markdown are two forms; choose one");
  const auto tree = open_build_tree(common);
  if (!tree) return contract::environment;
  system::catch_interrupts();
  terminal told(!common.quiet);
  // What other relations kill and run is theirs, and not the project's tests'.
  auto made = scout::find_relations(*tree, arguments.ranks ? scout::request{.across = true} : arguments.asked, told);
  told.end();
  if (!made) return failed(made.error());
  for (const scout::source_error& each : made->errors)
    spdlog::warn("'{}' is read in part: line {}: {}", each.file, each.line, each.text);
  if (arguments.ranks) return run_rank(*made, *tree, arguments, common);
  if (arguments.observes) {
    const auto seen = scout::observe(*tree, *made, told);
    told.end();
    if (!seen) return failed(contract::environment, seen.error());
  }
  if (arguments.as_specs || !arguments.into.empty()) return run_trial(*made, *tree, arguments, common);
  if (common.json) {
    fmt::print("{}", scout::as_json(*made));
  } else if (arguments.as_markdown) {
    fmt::print("{}", scout::as_markdown(*made, arguments.with_echoes));
  } else {
    fmt::print("{}", scout::as_text(*made, arguments.with_echoes, is_coloured()));
  }
  return contract::fine;
}

}  // namespace

action add_scout(CLI::App& app, const common_options& common) {
  auto arguments = std::make_shared<scout_arguments>();
  auto* const source = app.add_option("source", arguments->asked.named,
                                      "A source of tests, a test, or FILE:LINE of a test (default: all)")
                           ->type_name("FILE|TEST");
  app.add_flag("--diff", arguments->asked.only_changed,
               "Only changed tests: since --since, else since HEAD left the main branch");
  app.add_option("--since", arguments->asked.since, "Only tests that changed since REVISION")->type_name("REVISION");
  app.add_flag("--echoes", arguments->with_echoes,
               "Also assertions that expect a literal which the test has passed before");
  app.add_flag("--across", arguments->asked.across,
               "Also calls that have no class or header in common: what a writer writes, a reader reads");
  app.add_flag(
      "--observe", arguments->observes,
      "Runs each test that holds a relation once, and leaves out what did not happen; build the project before");
  auto* const specs =
      app.add_flag("--specs", arguments->as_specs,
                   "Makes specs of the relations, and keeps those that hold for other inputs than the tests' own");
  auto* const ranks = app.add_flag("--rank", arguments->ranks,
                                   "What written specs add to the project's own tests, by the last `morph mutate "
                                   "--all-killers` and `morph measure`");
  app.add_option("--write", arguments->into,
                 "With --specs: writes them into this folder, with their lines of CMake, in place of printing them")
      ->type_name("FOLDER")
      ->excludes(ranks);
  ranks->excludes(specs)->excludes(source);
  app.add_option("--seed", arguments->trial.seed, "Of the inputs that are drawn (default: 1)")->type_name("N");
  app.add_flag("--markdown", arguments->as_markdown, "As a comment on a pull request");
  return [arguments, &common] { return run_scout(*arguments, common); };
}

}  // namespace morph::command
