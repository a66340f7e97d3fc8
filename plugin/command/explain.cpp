// morph explain
#include <fmt/format.h>
#include <spdlog/spdlog.h>
#include <unistd.h>

#include <cstdlib>
#include <map>
#include <memory>
#include <optional>

#include "plugin/command/failed.hpp"
#include "plugin/command/options.hpp"
#include "plugin/command/terminal.hpp"
#include "plugin/contract/variables.hpp"
#include "plugin/explain/changes.hpp"
#include "plugin/explain/run.hpp"
#include "plugin/report/mutation_files.hpp"
#include "plugin/system/process.hpp"

namespace morph::command {
namespace {

struct explain_arguments {
  explain::request asked;
  bool as_markdown = false, as_sarif = false;
  bool fixes = false, applies = false;
};

void print(const explain_arguments& arguments, const common_options& common, const build::build_tree& tree,
           const explain::explained& made, const std::optional<explain::proposed_changes>& proposed,
           const std::string& patch) {
  if (common.json) {
    fmt::print("{}", proposed ? explain::as_json(made.said, *proposed, patch) : explain::as_json(made.said));
  } else if (arguments.as_markdown) {
    fmt::print("{}", explain::as_markdown(made.said));
  } else if (arguments.as_sarif) {
    const auto regions = proposed ? explain::regions_of(proposed->assertions) : std::vector<explain::source_fix>();
    fmt::print("{}", explain::as_sarif(made.said, regions, report::root_in_repository(tree.source_dir), MORPH_VERSION));
  } else {
    const bool has_colour = ::isatty(STDOUT_FILENO) == 1 && std::getenv(contract::colour_variable) == nullptr;
    fmt::print("{}{}", explain::as_text(made.said, has_colour), arguments.applies ? "" : patch);
  }
}

/// The changed files; what is suggested only is said beside them.
result<std::optional<generate::proposal>> files_of(const build::build_tree& tree,
                                                   const explain::proposed_changes& changes) {
  for (const auto* refused : {&changes.assertions.refused, &changes.tests.refused, &changes.tests.files.notes})
    for (const std::string& each : *refused) spdlog::warn("{}", each);
  if (changes.empty()) return std::nullopt;
  auto files = explain::files_with(tree, changes);
  if (!files) return tl::unexpected(files.error());
  return std::move(*files);
}

int run_explain(const explain_arguments& arguments, const common_options& common) {
  if (int(common.json) + int(arguments.as_markdown) + int(arguments.as_sarif) > 1)
    return failed(contract::usage, "--json, --markdown and --sarif are several forms; choose one");
  const auto tree = open_build_tree(common);
  if (!tree) return contract::environment;
  if (!tree->instrument.empty())
    return failed(contract::usage,
                  fmt::format("'{}' is itself an instrumented tree; name the ordinary one with --build",
                              tree->binary_dir.string()));
  system::catch_interrupts();
  terminal told(!common.quiet);
  const auto made = explain::run(*tree, arguments.asked, told);
  if (!made) return told.end(), failed(made.error());
  const bool changes = arguments.fixes || arguments.applies;
  std::optional<explain::proposed_changes> proposed;
  if (changes || arguments.as_sarif) {
    auto found = explain::propose_changes(*tree, *made, {.jobs = arguments.asked.jobs, .has_tests = changes}, told);
    if (!found) return told.end(), failed(contract::environment, found.error());
    proposed = std::move(*found);
  }
  told.end();
  std::string patch;
  if (changes) {
    const auto files = files_of(*tree, *proposed);
    if (!files) return failed(contract::environment, files.error());
    if (*files) {
      auto text = generate::patch_of(*tree, **files);
      if (!text) return failed(contract::environment, text.error());
      patch = std::move(*text);
      if (arguments.applies) {
        if (auto written = generate::write(**files); !written) return failed(contract::environment, written.error());
        for (const auto& each : (*files)->files) spdlog::info("changed: {}", each.path.string());
      }
    }
  }
  print(arguments, common, *tree, *made, proposed, patch);
  if (changes) spdlog::info("{}", explain::summary_of(*made, *proposed));
  return made->said.explanations.empty() ? contract::fine : contract::finding;
}

}  // namespace

action add_explain(CLI::App& app, const common_options& common) {
  auto arguments = std::make_shared<explain_arguments>();
  explain::request& asked = arguments->asked;
  app.add_option("survivor", asked.named,
                 "A mutant (FILE:LINE:COLUMN:OPERATOR), a function, FILE or FILE:LINE (default: all survivors)")
      ->type_name("MUTANT|FUNCTION|FILE:LINE");
  app.add_flag("--diff", asked.only_changed,
               "Only mutants of changed functions: since --since, else since HEAD left the main branch");
  app.add_option("--since", asked.since, "Only mutants of functions that changed since REVISION")
      ->type_name("REVISION");
  app.add_option("--most", asked.most, "Explain so many, those first that say most")
      ->type_name("N")
      ->check(CLI::PositiveNumber.description(""))
      ->capture_default_str();
  app.add_option("--runs", asked.runs,
                 "Run each test so often with and without a mutant: only what is equal each time counts")
      ->type_name("N")
      ->check(CLI::Range(2U, 1000U).description(""))
      ->capture_default_str();
  app.add_option("-j,--jobs", asked.jobs, "Compile and run this many at once (default: one a processor)")
      ->type_name("N");
  app.add_option("--stage", asked.until,
                 "Only observe calls (infection), then tests (propagation), or only suggest from what was observed "
                 "(suggestion)")
      ->transform(
          CLI::CheckedTransformer(std::map<std::string, explain::stage>{{"infection", explain::stage::infection},
                                                                        {"propagation", explain::stage::propagation},
                                                                        {"suggestion", explain::stage::suggestion}})
              .description(""))
      ->type_name("infection|propagation|suggestion");
  app.add_flag("--markdown", arguments->as_markdown, "As a comment on a pull request");
  app.add_flag("--sarif", arguments->as_sarif, "As SARIF 2.1.0");
  app.add_flag(
      "--fix", arguments->fixes,
      "Print a patch of assertions and tests that kill them. They assert what was observed, which may be wrong");
  app.add_flag("--apply", arguments->applies, "Write these changes");
  return [arguments, &common] { return run_explain(*arguments, common); };
}

}  // namespace morph::command
