// Options of morph spec breed, and what it prints.
#include "plugin/command/spec_breed.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "plugin/command/failed.hpp"
#include "plugin/command/seed_option.hpp"
#include "plugin/command/terminal.hpp"
#include "plugin/pools/breeding.hpp"
#include "plugin/system/process.hpp"

namespace morph::command {
namespace {

void declare(CLI::App& app, pools::breeding_request& to) {
  std::vector<std::string> strategies;
  for (const optimizer::named_breeding& each : optimizer::named_breedings) strategies.emplace_back(each.name);
  const auto is_part = CLI::Range(0.0, 1.0).description("");
  app.add_option("--pool", to.pool, "The pool to begin with; what was bred takes its place")
      ->type_name("FILE")
      ->required();
  app.add_option(
         "--towards", to.towards,
         "The metrics of the pool, the first one before all others: coverage (lines and branches of the code "
         "under test, by running each case in the instrumented twin), coupled-branches (pairs of branches of two "
         "classes that one case takes, likewise), mutation-score (of the mutants of the "
         "last `morph mutate`, by running each case with them), diversity (mean distance to the nearest other "
         "case), borders (for each pair of classes of outputs 1 / (1 + the least distance between their "
         "inputs), summed), or a set metric of the spec")
      ->type_name("METRIC,...")
      ->delimiter(',')
      ->required();
  app.add_option("--strategy", to.strategy,
                 "elitist: a front of pools, of which the best is never lost; filter, weakest-removal, random-removal, "
                 "strongest-mutant: as Morphy has published them, to compare")
      ->type_name("NAME")
      ->check(CLI::IsMember(strategies).description(""))
      ->capture_default_str();
  app.add_option("--budget", to.how.budget, "Make so many mutants at most")->type_name("N")->capture_default_str();
  app.add_option("--generations", to.how.generations, "So many at most")->type_name("N")->capture_default_str();
  app.add_option("--stagnation", to.how.stagnation,
                 "elitist: stop after so many generations without a better pool; 0: do not")
      ->type_name("N")
      ->capture_default_str();
  app.add_option("--change", to.how.change,
                 "The published strategies: stop when a generation changes the metric by less than PERCENT; 0: do not")
      ->type_name("PERCENT")
      ->check(CLI::NonNegativeNumber.description(""))
      ->capture_default_str();
  app.add_option("--ratio", to.how.mutant_ratio, "The part of the pool that is drawn as parents in each generation")
      ->type_name("R")
      ->check(is_part)
      ->capture_default_str();
  app.add_option("--remove-ratio", to.how.remove_ratio,
                 "The published strategies: the part of the pool that each generation takes away")
      ->type_name("R")
      ->check(is_part)
      ->capture_default_str();
  app.add_option("--min-cases", to.fewest_cases,
                 "elitist: a pool keeps so many cases at least (default: 1; as many as it has at first where the first "
                 "metric is diversity, of which two distant cases have the most)")
      ->type_name("N");
  app.add_option("--max-cases", to.how.most_cases, "A pool has so many cases at most (default: no limit)")
      ->type_name("N");
  app.add_option("--max-time", to.most_seconds,
                 "Begin no generation after so many seconds; where that stops it, equal seeds need not give equal logs")
      ->type_name("SECONDS")
      ->check(CLI::NonNegativeNumber.description(""));
  app.add_option("--case-metric", to.case_metric,
                 "What makes a case strong: a case metric of the spec (default: what few other cases cover, kill, or "
                 "are near to)")
      ->type_name("NAME");
  app.add_option("--spec", to.spec, "The spec, if the pool does not name it")->type_name("NAME");
  app.add_option("--executer", to.executer, "Outputs of this one (default: the first)")->type_name("NAME");
  add_seed(app, to.seed, "Of all random numbers; equal seeds give equal logs (default: 1, or MORPH_SEED)");
  app.add_option("--out", to.out, "Write what was bred there instead")->type_name("FILE");
  app.add_option("--log", to.log, "Write a line of JSON for each generation there")->type_name("FILE");
}

}  // namespace

int breed_pool(const build::build_tree& tree, const build::suite& suite, const std::vector<std::string>& words,
               const common_options& common) {
  pools::breeding_request asked;
  bool json = common.json, quiet = common.quiet;
  CLI::App app{
      "Breeds a pool of test cases towards metrics: datamorphisms make mutants of its cases, and those stay "
      "that make the pool better.",
      "morph spec breed"};
  declare(app, asked);
  app.add_flag("--json", json, "Print JSON for scripts");
  app.add_flag("-q,--quiet", quiet, "Print errors only");
  const auto seed = system::seed_of_environment();
  if (!seed) return failed(contract::usage, seed.error());
  if (*seed) asked.seed = **seed;
  try {
    std::vector<std::string> reversed(words.rbegin(), words.rend() - 1);
    app.parse(reversed);
  } catch (const CLI::CallForHelp&) {
    fmt::print("{}", app.help());
    return contract::fine;
  } catch (const CLI::ParseError& error) {
    return failed(contract::usage, fmt::format("breed: {} (breed --help tells the options)", error.what()));
  }
  system::catch_interrupts();
  terminal told(!quiet && !json);
  const auto made = pools::breed(tree, suite, std::move(asked), told);
  told.end();
  if (!made) return failed(made.error());
  if (!quiet) fmt::print("{}", json ? pools::as_json(*made) + '\n' : pools::as_text(*made));
  return contract::fine;
}

}  // namespace morph::command
