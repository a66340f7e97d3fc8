// morph measure
#include <fmt/format.h>
#include <spdlog/spdlog.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <memory>
#include <string>

#include "plugin/command/options.hpp"
#include "plugin/command/terminal.hpp"
#include "plugin/contract/variables.hpp"
#include "plugin/git/repository.hpp"
#include "plugin/learning/learning.hpp"
#include "plugin/measuring/run.hpp"
#include "plugin/measuring/standing.hpp"
#include "plugin/system/counted.hpp"
#include "plugin/system/process.hpp"

namespace morph::command {
namespace {

using clock = std::chrono::steady_clock;

struct measure_arguments {
  measuring::request asked;
  std::string isolation;
};

int run_measure(const measure_arguments& given, const common_options& common) {
  const auto started = clock::now();
  const auto tree = open_build_tree(common);
  if (!tree) return contract::environment;
  if (!tree->instrument.empty()) {
    spdlog::error("'{}' is itself an instrumented tree; name the ordinary one with --build", tree->binary_dir.string());
    return contract::usage;
  }
  const char* const variable = std::getenv(contract::isolation_variable);
  const auto isolated = measuring::parse_isolation(
      given.isolation.empty() && variable != nullptr ? std::string(variable) : given.isolation);
  if (!isolated) {
    spdlog::error("{}", isolated.error());
    return contract::usage;
  }
  const auto repo = git::repository::open(tree->source_dir);
  if (!repo) {
    spdlog::error("{}", repo.error());
    return contract::environment;
  }
  measuring::request asked = given.asked;
  asked.isolated = *isolated;
  asked.shows_build = common.verbose || (!common.quiet && !common.json && ::isatty(STDOUT_FILENO) == 1);
  system::catch_interrupts();
  terminal told(!common.quiet);
  if (const auto kept = learning::keep(*tree, told); !kept)
    spdlog::warn("what ctest's last run recorded is not kept: {}", kept.error());
  const auto done = measuring::run(*tree, *repo, asked, told);
  told.end();
  if (system::interrupted()) {
    spdlog::error("interrupted{}; run it again to continue",
                  done ? fmt::format(" after {} kept",
                                     system::counted(done->tests.measured, "test, which is", "tests, which are"))
                       : "");
    return contract::environment;
  }
  if (!done) {
    spdlog::error("{}", done.error());
    return contract::environment;
  }
  const double seconds = std::chrono::duration<double>(clock::now() - started).count();
  fmt::print("{}", common.json ? measuring::as_json(*done, seconds) + '\n' : measuring::as_text(*done, seconds));
  return contract::fine;
}

}  // namespace

action add_measure(CLI::App& app, const common_options& common) {
  auto arguments = std::make_shared<measure_arguments>();
  app.add_option("-j,--jobs", arguments->asked.jobs, "Compile this many files at once (default: one a processor)")
      ->type_name("N");
  app.add_option("--isolation", arguments->isolation,
                 "fork (default): each test starts from one snapshot of its program. process: each test is a new "
                 "process, which is slower. none: all tests in one process; what the first test initializes is missing "
                 "in the others, therefore only plans and reports with --approximate use it")
      ->type_name("HOW");
  app.add_flag("--ignore-files", arguments->asked.ignore_files,
               "Do not record which files tests open (the kernel cannot watch a program that is watched already)");
  app.add_flag("--incremental", arguments->asked.incremental,
               "Measure only what changes since the nearest measurement can affect and carry the other rows over (the "
               "default where there is one); say why if that is not possible")
      ->excludes(app.add_flag("--fresh", arguments->asked.fresh,
                              "Measure every test, whatever earlier measurements have found"));
  app.add_option("--if-affected", arguments->asked.if_affected_pct,
                 fmt::format("Build and measure nothing unless the changes since the last measurement affect more than "
                             "PERCENT of the time of all tests (0: any test). A measurement that is more than {} "
                             "commits away is renewed. Plans continue from the last one. Reads what is built",
                             measuring::farthest_held))
      ->type_name("PERCENT")
      ->expected(0, 1)
      ->default_str("0")
      ->check(CLI::Range(0.0, 100.0).description(""))
      ->excludes("--fresh");
  return [arguments, &common] { return run_measure(*arguments, common); };
}

}  // namespace morph::command
