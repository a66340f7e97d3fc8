// morph optimize
#include <fmt/format.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "plugin/command/failed.hpp"
#include "plugin/command/options.hpp"
#include "plugin/command/seed_option.hpp"
#include "plugin/command/terminal.hpp"
#include "plugin/optimize/run.hpp"
#include "plugin/optimize/tables.hpp"
#include "plugin/optimize/why.hpp"
#include "plugin/planning/planning.hpp"
#include "plugin/report/export_files.hpp"
#include "plugin/system/json_text.hpp"

namespace morph::command {
namespace {

struct optimize_arguments {
  std::string instance, write_instance, export_prefix, budget;
  optimize::kept_requirements kept;
  std::string why;  // a test
  bool names = false;
  optimize::request asked;
};

int run_optimize(const optimize_arguments& arguments, const common_options& common) {
  if (const auto unknown = optimize::unknown_kind(arguments.kept))
    return failed(contract::usage,
                  fmt::format("--keep {} is unknown; there are: {}", *unknown, optimize::names_of_requirements));
  optimize::request asked = arguments.asked;
  const auto budget = planning::parse_budget(arguments.budget);
  if (!budget) return failed(contract::usage, budget.error());
  asked.budget_seconds = *budget;
  std::optional<build::build_tree> tree;
  if (arguments.instance.empty() && !(tree = open_build_tree(common))) return contract::environment;
  terminal told(!common.quiet);
  const auto made = tree ? optimize::instance_from_store(arguments.kept, *tree, told)
                         : optimize::instance_from_file(arguments.instance);
  if (!made) return failed(contract::environment, made.error());
  if (!arguments.write_instance.empty()) {
    if (const auto written = optimize::write_instance_file(arguments.write_instance, made->file); !written)
      return failed(contract::environment,
                    fmt::format("cannot write '{}': {}", arguments.write_instance, written.error()));
    return contract::fine;
  }
  std::optional<std::uint32_t> why;
  if (!arguments.why.empty()) {
    const auto found = optimize::find_test(*made, arguments.why);
    if (!found) return failed(contract::usage, found.error());
    why = *found;
  }
  const auto problem = optimize::problem_of(*made);
  if (!problem) return failed(contract::usage, problem.error());
  const auto chosen = optimize::run(*problem, asked, told);
  if (!chosen) return failed(contract::environment, chosen.error());
  const optimizer::test_set& kept = chosen->reduced.set.tests;
  if (!arguments.export_prefix.empty()) {
    const auto tables = optimize::tables_of(made->file, *problem, chosen->roles, kept, made->doubtful);
    if (const auto written = report::write_tables(arguments.export_prefix, tables); !written)
      return failed(contract::environment, written.error());
  }
  if (why) {
    const nlohmann::json said = optimize::why_as_json(*made, *problem, chosen->roles, kept, *why);
    fmt::print("{}", common.json ? json_text(said) + "\n" : optimize::why_as_text(said));
  } else if (common.json) {
    fmt::print("{}\n", json_text(optimize::as_json(*made, *chosen)));
  } else {
    fmt::print("{}", arguments.names ? optimize::as_names(*made, *chosen) : optimize::as_text(*made, *chosen));
  }
  return contract::fine;
}

}  // namespace

action add_optimize(CLI::App& app, const common_options& common) {
  auto arguments = std::make_shared<optimize_arguments>();
  app.add_option("--budget", arguments->budget, "The tests that cover the most in this time")->type_name("SECONDS");
  CLI::Option* keep =
      app.add_option("--keep", arguments->kept.kinds,
                     fmt::format("What counts: {} (default: lines,branches,kills; without lines functions,kills)",
                                 optimize::names_of_requirements))
          ->type_name("KIND,...")
          ->delimiter(',');
  CLI::Option* only = app.add_option("--only", arguments->kept.only, "Only files that match")
                          ->type_name("GLOB")
                          ->allow_extra_args(false);
  CLI::Option* without = app.add_option("--without", arguments->kept.without, "Leave out files that match")
                             ->type_name("GLOB")
                             ->allow_extra_args(false);
  CLI::Option* with_tests =
      app.add_flag("--with-tests", arguments->kept.with_tests, "Count the files in which tests are registered, too");
  CLI::Option* names_alone =
      app.add_flag("--names", arguments->names, "Print the names of the tests alone, one a line");
  app.add_option("--why", arguments->why,
                 "What this test is there for: what no other test covers, or which tests that are kept cover the same")
      ->type_name("TEST")
      ->excludes(names_alone);
  app.add_option_function<std::uint64_t>(
         "--moves",
         [arguments](std::uint64_t moves) {
           arguments->asked.effort.moves = moves;
           arguments->asked.effort.exactly = true;
         },
         "How long to search where nothing can be proven (default: 100000, with a budget 20000; fewer for more than "
         "10,000 tests)")
      ->type_name("N");
  add_seed(app, arguments->asked.effort.seed, "Of the search; equal seeds give equal sets")->default_str("1");
  std::vector<std::string> names;
  for (const optimizer::named_algorithm& a : optimizer::named_algorithms) names.emplace_back(a.name);
  CLI::Option* algorithm =
      app.add_option("--algorithm", arguments->asked.by_name.algorithm,
                     "Search with this algorithm of pagmo's, to compare: 100 individuals on the same problem. memetic: "
                     "ours, as one of pagmo's. Without this option: ours, with a proof where one can be had")
          ->type_name("NAME")
          ->check(CLI::IsMember(names));
  app.add_option("--generations", arguments->asked.by_name.generations, "Of --algorithm")
      ->type_name("N")
      ->capture_default_str()
      ->needs(algorithm);
  app.add_flag("--random-start", arguments->asked.random_start,
               "--algorithm starts from random sets, not from greedy ones")
      ->needs(algorithm);
  app.add_option("--instance", arguments->instance,
                 "Read what is covered from this file, a text or JSON, and not from the store")
      ->type_name("FILE")
      ->excludes(only)
      ->excludes(without)
      ->excludes(with_tests)
      ->excludes(keep);
  CLI::Option* write_instance =
      app.add_option("--write-instance", arguments->write_instance,
                     "Write what is covered to this file, and search nothing; *.json: as JSON")
          ->type_name("FILE");
  app.add_option(
         "--export", arguments->export_prefix,
         "Beside what is printed, write tables (PREFIX.tests.csv, PREFIX.classes.csv) and the matrix as NumPy's "
         "arrays (PREFIX.indptr.npy, indices, costs, weights)")
      ->type_name("PREFIX")
      ->excludes(write_instance);
  return [arguments, &common] { return run_optimize(*arguments, common); };
}

}  // namespace morph::command
