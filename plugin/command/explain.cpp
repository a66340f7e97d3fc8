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
#include "plugin/explain/fix.hpp"
#include "plugin/explain/run.hpp"
#include "plugin/explain/verify.hpp"
#include "plugin/report/mutation_files.hpp"
#include "plugin/system/process.hpp"

namespace morph::command {
namespace {

struct explain_arguments {
  explain::request asked;
  bool as_markdown = false, as_sarif = false;
  bool fixes = false, applies = false;
};

struct form {
  bool has_colour = false;
  std::string root{};  // of the sources in the repository
  std::vector<explain::source_fix> regions{};
};

std::string said_in(const explain_arguments& arguments, const common_options& common, const explain::explained& made,
                    const form& as) {
  if (common.json) return explain::as_json(made.said);
  if (arguments.as_markdown) return explain::as_markdown(made.said);
  if (arguments.as_sarif) return explain::as_sarif(made.said, as.regions, as.root, MORPH_VERSION);
  return explain::as_text(made.said, as.has_colour);
}

/// A patch, or the changed files; what is suggested only goes beside it.
result<void> hand_over(const build::build_tree& tree, const explain::proposed_fixes& fixes, bool writes, bool prints) {
  for (const std::string& each : fixes.refused) spdlog::warn("{}", each);
  if (fixes.fixes.empty()) {
    spdlog::info("no assertion is proposed");
    return {};
  }
  const auto files = explain::files_with(tree, fixes);
  if (!files) return tl::unexpected(files.error());
  if (writes) {
    if (auto written = generate::write(*files); !written) return written;
    for (const auto& each : files->files) spdlog::info("changed: {}", each.path.string());
    return {};
  }
  if (!prints) return {};
  const auto patch = generate::patch_of(tree, *files);
  if (!patch) return tl::unexpected(patch.error());
  fmt::print("{}", *patch);
  return {};
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
  std::optional<explain::proposed_fixes> fixes;
  if (arguments.fixes || arguments.applies || arguments.as_sarif) {
    auto found = explain::make_fixes(*tree, *made, told);
    if (!found) return told.end(), failed(contract::environment, found.error());
    fixes = std::move(*found);
    if (auto done = explain::verify(*tree, *fixes, arguments.asked.jobs, told); !done)
      return told.end(), failed(contract::environment, done.error());
  }
  told.end();
  const bool has_colour = ::isatty(STDOUT_FILENO) == 1 && std::getenv(contract::colour_variable) == nullptr;
  form as{has_colour, report::root_in_repository(tree->source_dir)};
  if (fixes) as.regions = explain::regions_of(*fixes);
  fmt::print("{}", said_in(arguments, common, *made, as));
  if (fixes && (arguments.fixes || arguments.applies)) {
    const bool is_text = !common.json && !arguments.as_markdown && !arguments.as_sarif;
    if (auto done = hand_over(*tree, *fixes, arguments.applies, is_text); !done)
      return failed(contract::environment, done.error());
  }
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
  app.add_flag("--fix", arguments->fixes,
               "Print a patch that adds the fewest assertions; they assert what was observed, which may be wrong");
  app.add_flag("--apply", arguments->applies, "Write these assertions into the tests");
  return [arguments, &common] { return run_explain(*arguments, common); };
}

}  // namespace morph::command
