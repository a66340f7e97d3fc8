// `morph generate`
#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <memory>

#include "plugin/command/options.hpp"
#include "plugin/command/seed_option.hpp"
#include "plugin/command/terminal.hpp"
#include "plugin/contract/exit_codes.hpp"
#include "plugin/generate/run.hpp"
#include "plugin/system/process.hpp"

namespace morph::command {
namespace {

struct generate_arguments {
  generate::request asked;
  bool without_tests = false;
  bool writes = false;
};

int run_generate(const generate_arguments& arguments, const common_options& common) {
  const auto tree = open_build_tree(common);
  if (!tree) return contract::environment;
  if (!tree->instrument.empty()) {
    spdlog::error("'{}' is itself an instrumented tree; name the ordinary one with --build", tree->binary_dir.string());
    return contract::usage;
  }
  system::catch_interrupts();
  terminal told(!common.quiet);
  const auto report = generate::run(*tree, arguments.asked, told);
  told.end();
  if (!report) {
    spdlog::error("{}", report.error());
    return contract::environment;
  }
  std::string patch;
  if (!report->tests.empty()) {
    const auto made = arguments.writes ? generate::write(report->proposed).map([] { return std::string(); })
                                       : generate::patch_of(*tree, report->proposed);
    if (!made) {
      spdlog::error("{}", made.error());
      return contract::environment;
    }
    patch = *made;
  }
  if (common.json)
    fmt::print("{}", generate::as_json(*report));
  else
    fmt::print("{}{}{}", generate::as_text(*report), patch.empty() ? "" : "\n", patch);
  if (arguments.writes && !common.json)
    for (const auto& each : report->proposed.files)
      fmt::print("{} {}\n", each.is_new ? "new:    " : "changed:", each.path.string());
  return generate::likely_faults(*report) == 0 ? contract::fine : contract::finding;
}

}  // namespace

action add_generate(CLI::App& app, const common_options& common) {
  auto arguments = std::make_shared<generate_arguments>();
  app.add_option("--unit", arguments->asked.unit, "The class under test, or a source file, from the project's root")
      ->type_name("CLASS|FILE")
      ->required();
  const CLI::Option* const budget =
      app.add_option("--budget", arguments->asked.budget, "Seconds of search (with --sequences: no limit)")
          ->type_name("SECONDS")
          ->check(CLI::PositiveNumber.description(""))
          ->capture_default_str();
  app.add_option("--sequences", arguments->asked.most_sequences,
                 "End after so many sequences of calls; equal seeds then give equal tests")
      ->type_name("N")
      ->check(CLI::PositiveNumber.description(""));
  add_seed(app, arguments->asked.seed, "Of all random choices")->capture_default_str();
  app.add_option("--search", arguments->asked.by, "How sequences are found")
      ->transform(CLI::CheckedTransformer(std::map<std::string, generate::search_options::algorithm>{
                                              {"random", generate::search_options::algorithm::random},
                                              {"mosa", generate::search_options::algorithm::mosa},
                                              {"dynamosa", generate::search_options::algorithm::dyna_mosa}})
                      .description(""))
      ->type_name("random|mosa|dynamosa");
  app.add_flag("--without-tests", arguments->without_tests, "Make no inputs out of the tests that the project has");
  app.add_flag("--resume", arguments->asked.resumes,
               "Begin with what the last run found for the unit (equal seeds then give other tests)");
  app.add_flag("--write", arguments->writes,
               "Write the tests beside those of the project, and the line of CMake (default: print a patch)");
  return [arguments, budget, &common] {
    if (arguments->asked.most_sequences > 0 && budget->empty()) arguments->asked.budget = 0;
    arguments->asked.with_tests = !arguments->without_tests;
    return run_generate(*arguments, common);
  };
}

}  // namespace morph::command
