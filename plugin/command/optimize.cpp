// morph optimize
#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <nlohmann/json.hpp>
#include <numeric>
#include <sstream>

#include "optimizer/cover/instance_file.hpp"
#include "optimizer/exact/exact.hpp"
#include "optimizer/order.hpp"
#include "plugin/command/options.hpp"
#include "plugin/command/seed_option.hpp"
#include "plugin/contract/exit_codes.hpp"
#include "plugin/contract/formats.hpp"
#include "plugin/optimize/instance.hpp"
#include "plugin/optimize/pagmo_module.hpp"
#include "plugin/optimize/tables.hpp"
#include "plugin/optimize/why.hpp"
#include "plugin/planning/planning.hpp"
#include "plugin/selection/file_kind.hpp"
#include "plugin/system/files.hpp"
#include "plugin/system/json_text.hpp"
#include "plugin/system/progress.hpp"

namespace morph::command {
namespace {

namespace fs = std::filesystem;
using optimizer::requirement_kind;
using store::evidence;

struct optimize_arguments {
  std::string instance, write_instance, export_prefix;
  std::string budget_seconds;  // empty = everything is kept
  optimize::kept_requirements kept;
  std::string why;  // a test
  bool names = false;
  optimizer::search_effort effort;
  optimizer::named_search by_name;  // no algorithm: ours
  bool random_start = false;
};

double seconds(std::int64_t us) {
  return static_cast<double>(us) / 1e6;
}

double percent(std::int64_t part, std::int64_t whole) {
  return whole == 0 ? 100 : 100 * static_cast<double>(part) / static_cast<double>(whole);
}

/// By group, what tests cover of it: a sum of weights, if requirements have any.
std::vector<std::int64_t> covered_of(const optimizer::cover_matrix& matrix) {
  std::vector<std::int64_t> sums(matrix.groups.size());
  for (std::size_t i = 0; i < matrix.members.size(); ++i) sums[i % sums.size()] += matrix.members[i];
  return sums;
}

struct optimized {
  const optimize::optimize_instance& of;
  const optimizer::cover_problem& problem;
  std::optional<std::int64_t> budget_us;
  optimizer::reduced_set reduced;
  std::vector<optimizer::test_role> roles;

  bool keeps(std::uint32_t test) const { return optimizer::has(reduced.set.tests, test); }
  std::vector<std::uint32_t> kept() const {
    std::vector<std::uint32_t> tests;
    for (std::uint32_t t = 0; t < roles.size(); ++t)
      if (keeps(t)) tests.push_back(t);
    std::stable_sort(tests.begin(), tests.end(), [&](auto a, auto b) { return roles[a].alone > roles[b].alone; });
    return tests;
  }
};

nlohmann::json as_json(const optimized& o) {
  nlohmann::json tests = nlohmann::json::array(), groups = nlohmann::json::array();
  for (std::uint32_t t = 0; t < o.roles.size(); ++t) {
    const auto& role = o.roles[t];
    tests.push_back({{"name", o.of.file.tests[t]},
                     {"seconds", seconds(o.problem.matrix->cost_us[t])},
                     {"kept", o.keeps(t)},
                     {"covers", role.covers},
                     {"alone", role.alone},
                     {"same_as", role.same_as ? nlohmann::json(o.of.file.tests[*role.same_as]) : nullptr}});
  }
  const auto covered = covered_of(*o.problem.matrix);
  for (std::size_t g = 0; g < covered.size(); ++g)
    groups.push_back(
        {{"name", o.problem.matrix->groups[g].name}, {"covered", covered[g]}, {"weight", o.of.file.group_weights[g]}});
  nlohmann::json root{{"schema", contract::optimize_schema},
                      {"commit", o.of.commit.empty() ? nlohmann::json(nullptr) : nlohmann::json(o.of.commit)},
                      {"groups", groups},
                      {"classes", o.problem.matrix->class_count()},
                      {"weight", o.problem.total_weight},
                      {"covered", o.reduced.set.covered},
                      {"seconds", seconds(o.reduced.set.cost_us)},
                      {"total_seconds", seconds(o.problem.total_cost_us)},
                      {"proven", o.reduced.proven},
                      {"always", o.of.doubtful},
                      {"tests", tests}};
  if (o.budget_us) {
    root["budget_seconds"] = seconds(*o.budget_us);
    root["most_covered"] = o.reduced.bound;
  } else {
    root["least_seconds"] = seconds(o.reduced.bound);
  }
  return root;
}

std::string verdict_of(const optimized& o) {
  if (o.reduced.proven)
    return o.budget_us ? "no other set within the budget covers more (proven)" : "no cheaper set does (proven)";
  if (o.budget_us)
    return fmt::format("within the budget at most {:.2f} % can be covered",
                       percent(o.reduced.bound, o.problem.total_weight));
  if (o.reduced.set.covered < o.problem.total_weight)
    return fmt::format("everything takes {:.2f} s at least", seconds(o.reduced.bound));
  return fmt::format("a cheaper one would take {:.2f} s at least", seconds(o.reduced.bound));
}

void print(const optimized& o) {
  const auto kept = o.kept();
  const auto covered = covered_of(*o.problem.matrix);
  std::vector<std::string> of_groups;
  for (std::size_t g = 0; g < covered.size(); ++g)
    of_groups.push_back(fmt::format("{} {}", covered[g], o.problem.matrix->groups[g].name));
  fmt::print("{} of {} tests cover {} all of them cover ({}), in {:.2f} of {:.2f} s: {}\n", kept.size(), o.roles.size(),
             o.reduced.set.covered == o.problem.total_weight
                 ? std::string("everything that")
                 : fmt::format("{:.2f} % of what", percent(o.reduced.set.covered, o.problem.total_weight)),
             fmt::join(of_groups, ", "), seconds(o.reduced.set.cost_us), seconds(o.problem.total_cost_us),
             verdict_of(o));
  if (!o.of.commit.empty()) fmt::print("measured at commit {}", o.of.commit.substr(0, 10));
  if (!o.of.without.empty()) fmt::print("; {} files in which tests are registered do not count", o.of.without.size());
  if (!o.of.commit.empty()) fmt::print("\n");
  if (!o.of.doubtful.empty())
    fmt::print("beside them {} tests that run in any case, since their evidence is incomplete\n", o.of.doubtful.size());
  fmt::print("\n    seconds    covers   of it alone  test\n");
  for (const std::uint32_t t : kept)
    fmt::print(" {:10.4f} {:9} {:13}  {}\n", seconds(o.problem.matrix->cost_us[t]), o.roles[t].covers, o.roles[t].alone,
               o.of.file.tests[t]);
  const auto same =
      std::count_if(o.roles.begin(), o.roles.end(), [](const auto& role) { return role.same_as.has_value(); });
  fmt::print(
      "\n{} tests are left out; {} tests cover exactly what another one does. Faults may need a test that covers "
      "nothing\n"
      "of its own: leave none out for good, and run the others at night.\n",
      o.roles.size() - kept.size(), same);
}

int run_optimize(const optimize_arguments& arguments, const common_options& common) {
  if (const auto unknown = optimize::unknown_kind(arguments.kept)) {
    spdlog::error("--keep {} is unknown; there are: {}", *unknown, optimize::names_of_requirements);
    return contract::usage;
  }
  const auto budget = planning::parse_budget(arguments.budget_seconds);
  if (!budget) {
    spdlog::error("{}", budget.error());
    return contract::usage;
  }
  std::optional<build::build_tree> tree;
  if (arguments.instance.empty() && !(tree = open_build_tree(common))) return contract::environment;
  auto made =
      tree ? optimize::instance_from_store(arguments.kept, *tree) : optimize::instance_from_file(arguments.instance);
  if (!made) {
    spdlog::error("{}", made.error());
    return contract::environment;
  }
  if (!arguments.write_instance.empty()) {
    if (const auto written = optimize::write_instance_file(arguments.write_instance, made->file); !written) {
      spdlog::error("cannot write '{}': {}", arguments.write_instance, written.error());
      return contract::environment;
    }
    return contract::fine;
  }
  std::optional<std::uint32_t> why;
  if (!arguments.why.empty()) {
    const auto found = optimize::find_test(*made, arguments.why);
    if (!found) {
      spdlog::error("{}", found.error());
      return contract::usage;
    }
    why = *found;
  }
  const auto matrix = std::make_shared<const optimizer::cover_matrix>(made->file.matrix);
  optimizer::cover_problem problem;
  try {
    problem = optimizer::weigh(matrix, made->file.group_weights);
  } catch (const std::invalid_argument& error) {
    spdlog::error("{}", error.what());
    return contract::usage;
  }
  if (problem.total_weight == 0) {
    spdlog::error("there is nothing to keep: the tests cover nothing that counts{}",
                  made->without.empty() ? "" : "; --with-tests counts the files in which tests are registered, too");
    return contract::usage;
  }
  optimized o{*made, problem, {}, {}, optimizer::roles_of(problem)};
  if (*budget) o.budget_us = std::llround(std::min(**budget * 1e6, static_cast<double>(optimizer::largest_sum)));
  if (!arguments.by_name.algorithm.empty()) {
    optimizer::named_search how = arguments.by_name;
    how.seed = static_cast<unsigned>(arguments.effort.seed ^ (arguments.effort.seed >> 32U));
    how.greedy_start = !arguments.random_start;
    system::progress bar(how.generations, "generations", !common.quiet);
    how.has_done = [&](unsigned done) { bar.reach(done, how.algorithm); };
    auto found = optimize::search_by_pagmo(problem, o.budget_us, how);
    if (!found) {
      spdlog::error("{}", found.error());
      return contract::environment;
    }
    o.reduced = optimizer::with_bound(problem, o.budget_us, std::move(*found));
  } else {
    optimizer::search_effort effort = arguments.effort;
    std::optional<system::progress> bar;
    effort.has_done = [&](std::uint64_t done, std::uint64_t moves) {
      if (!bar) bar.emplace(moves, "moves", !common.quiet);
      bar->reach(done, done == 0 ? "looking for a proof" : "searching");
    };
    o.reduced =
        o.budget_us ? optimizer::best_within(problem, *o.budget_us, effort) : optimizer::minimal_set(problem, effort);
  }
  if (!arguments.export_prefix.empty()) {
    const auto tables = optimize::tables_of(made->file, problem, o.roles, o.reduced.set.tests, made->doubtful);
    if (const auto written = report::write_tables(arguments.export_prefix, tables); !written) {
      spdlog::error("{}", written.error());
      return contract::environment;
    }
  }
  if (why) {
    const nlohmann::json said = optimize::why_as_json(*made, problem, o.roles, o.reduced.set.tests, *why);
    fmt::print("{}", common.json ? json_text(said) + "\n" : optimize::why_as_text(said));
  } else if (common.json) {
    fmt::print("{}\n", json_text(as_json(o)));
  } else if (arguments.names) {
    for (const std::string& name : made->doubtful) fmt::print("{}\n", name);
    for (const std::uint32_t t : o.kept()) fmt::print("{}\n", made->file.tests[t]);
  } else {
    print(o);
  }
  return contract::fine;
}

}  // namespace

action add_optimize(CLI::App& app, const common_options& common) {
  auto arguments = std::make_shared<optimize_arguments>();
  app.add_option("--budget", arguments->budget_seconds, "The tests that cover the most in this time")
      ->type_name("SECONDS");
  CLI::Option* keep =
      app.add_option("--keep", arguments->kept.kinds, fmt::format("What counts: {}", optimize::names_of_requirements))
          ->type_name("KIND,...")
          ->delimiter(',')
          ->capture_default_str();
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
           arguments->effort.moves = moves;
           arguments->effort.exactly = true;
         },
         "How long to search where nothing can be proven (default: 100000, with a budget 20000; fewer for more than "
         "10,000 tests)")
      ->type_name("N");
  add_seed(app, arguments->effort.seed, "Of the search; equal seeds give equal sets")->default_str("1");
  std::vector<std::string> names;
  for (const optimizer::named_algorithm& a : optimizer::named_algorithms) names.emplace_back(a.name);
  CLI::Option* algorithm =
      app.add_option("--algorithm", arguments->by_name.algorithm,
                     "Search with this algorithm of pagmo's, to compare: 100 individuals on the same problem (memetic: "
                     "ours, as one of pagmo's; without it ours, with a proof where one can be had)")
          ->type_name("NAME")
          ->check(CLI::IsMember(names));
  app.add_option("--generations", arguments->by_name.generations, "Of --algorithm")
      ->type_name("N")
      ->capture_default_str()
      ->needs(algorithm);
  app.add_flag("--random-start", arguments->random_start, "--algorithm starts from random sets, not from greedy ones")
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
