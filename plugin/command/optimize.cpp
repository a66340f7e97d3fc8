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
#include "optimizer/cover/reduction.hpp"
#include "optimizer/exact/exact.hpp"
#include "optimizer/order.hpp"
#include "plugin/command/instance_json.hpp"
#include "plugin/command/optimize_tables.hpp"
#include "plugin/command/pagmo_module.hpp"
#include "plugin/command/progress.hpp"
#include "plugin/command/workspace.hpp"
#include "plugin/project/files.hpp"
#include "plugin/project/formats.hpp"
#include "plugin/selection/file_kind.hpp"

namespace morph::command {
namespace {

namespace fs = std::filesystem;
using optimizer::requirement_kind;
using store::evidence;

struct optimize_arguments {
  std::string instance, write_instance, export_prefix;
  std::string budget_seconds;  // empty = everything is kept
  std::vector<std::string> keep{"lines", "branches", "kills"};
  std::vector<std::string> only, without;
  bool with_tests = false;
  bool names = false;
  optimizer::search_effort effort;
  optimizer::named_search by_name;  // no algorithm: ours
  bool random_start = false;
};

struct kind_row {
  const char* name;
  requirement_kind kind;
};
constexpr std::array kinds_of_requirements{
    kind_row{"lines", requirement_kind::line}, kind_row{"branches", requirement_kind::branch},
    kind_row{"functions", requirement_kind::function}, kind_row{"conditions", requirement_kind::condition},
    kind_row{"kills", requirement_kind::kill}};
constexpr const char* names_of_requirements = "lines, branches, functions, conditions, kills";

/// What is optimized, and where it is from.
struct instance {
  optimizer::instance_file file;
  std::string commit;                 // of the measurement; empty: a file was read
  std::vector<std::string> doubtful;  // tests that run in any case
  std::vector<std::string> without;   // files of which nothing counts since tests are registered there
};

/// An error if a program does not tell its tests.
project::result<std::set<std::string>> files_of_tests(const project::build_tree& tree,
                                                      const project::repository& repo) {
  std::set<std::string> files;
  for (const listed_suite& suite : list_suites(tree))
    for (std::size_t i = 0; i < suite.programs.size(); ++i) {
      if (suite.programs[i].how != project::listed_program::state::listed)
        return tl::unexpected(
            fmt::format("'{}' is not built, so that the files in which its tests are registered are not "
                        "known; build it, or count them with --with-tests",
                        suite.declared->programs[i].target));
      for (const project::listed_case& c : suite.programs[i].cases)
        if (std::string path = c.file.empty() ? std::string() : repo.relative(c.file); !path.empty())
          files.insert(std::move(path));
    }
  return files;
}

/// The tests of a measurement, and what is known of their programs.
class measured_tests {
 public:
  explicit measured_tests(const evidence& e)
      : e_(e), of_program_(e.programs.size()), doubtful_start_(e.programs.size()) {
    for (std::uint32_t t = 0; t < e.tests.size(); ++t) {
      if (!e.tests[t].is_startup())
        of_program_[e.tests[t].program].push_back(t);
      else if (!e.tests[t].measured || e.tests[t].is_doubtful())
        doubtful_start_[e.tests[t].program] = true;
    }
  }

  /// They run with every plan.
  bool is_doubtful(std::uint32_t test) const {
    return !e_.tests[test].measured || e_.tests[test].is_doubtful() || doubtful_start_[e_.tests[test].program];
  }

  /// The tests of each class, all of a program for its start-up row.
  std::vector<std::uint32_t> who_executes(const store::element_class& c) const {
    std::vector<std::uint32_t> tests;
    for (const std::uint32_t test : c.tests) {
      if (!e_.tests[test].is_startup()) {
        tests.push_back(test);
        continue;
      }
      const auto& all = of_program_[e_.tests[test].program];
      tests.insert(tests.end(), all.begin(), all.end());
    }
    std::sort(tests.begin(), tests.end());
    tests.erase(std::unique(tests.begin(), tests.end()), tests.end());
    return tests;
  }

 private:
  const evidence& e_;
  std::vector<std::vector<std::uint32_t>> of_program_;
  std::vector<bool> doubtful_start_;
};

std::uint32_t file_of(const evidence& e, store::element x) {
  return store::kind_of(x) == requirement_kind::function ? e.functions[store::number_of(x)].file : store::owner_of(x);
}

/// One requirement for each class and kind, which weighs as many as are in it. Kills are no group where none is known.
optimizer::instance_file instance_of(const evidence& e, const std::vector<const kind_row*>& kept,
                                     const std::function<bool(std::uint32_t)>& counts,
                                     std::vector<std::string>& doubtful) {
  std::vector<optimizer::requirement_group> groups;
  std::vector<std::int64_t> weights;
  std::vector<std::vector<std::uint32_t>> covers(e.tests.size());
  const measured_tests tests(e);
  for (const kind_row* kind : kept) {
    groups.push_back({kind->name, 0});
    for (const store::element_class& c : e.classes) {
      const auto members = std::count_if(c.elements.begin(), c.elements.end(), [&](store::element x) {
        return store::kind_of(x) == kind->kind && counts(file_of(e, x));
      });
      if (members == 0) continue;
      const auto requirement = static_cast<std::uint32_t>(weights.size());
      weights.push_back(members);
      ++groups.back().size;
      for (const std::uint32_t test : tests.who_executes(c)) covers[test].push_back(requirement);
    }
    if (kind->kind == requirement_kind::kill && groups.back().size == 0) groups.pop_back();
  }
  optimizer::instance_file made;
  made.group_weights.assign(groups.size(), 1);
  optimizer::matrix_builder builder(std::move(groups), std::move(weights));
  for (std::uint32_t t = 0; t < e.tests.size(); ++t) {
    const store::measured_test& test = e.tests[t];
    if (test.is_startup()) continue;
    if (tests.is_doubtful(t)) {
      doubtful.push_back(test.name);
      continue;
    }
    made.tests.push_back(test.name);
    builder.add_test(optimizer::rounded_cost(test.wall_us), covers[t]);
  }
  made.matrix = std::move(builder).finish();
  return made;
}

project::result<instance> from_store(const optimize_arguments& arguments, const common_options& common) {
  const auto tree = open_build_tree(common);
  if (!tree) return tl::unexpected(std::string());
  surroundings around = open_surroundings(*tree);
  if (!around.missing.empty()) return tl::unexpected(around.missing);
  const selection::file_kinds kinds(around.repo->root(), tree->ignore);
  const auto found = find_baseline(*tree, *around.repo, *around.evidence, kinds, {}, false);
  if (!found) return tl::unexpected(found.error());
  const evidence& e = found->facts;

  std::set<std::string> of_tests;
  if (!arguments.with_tests) {
    auto files = files_of_tests(*tree, *around.repo);
    if (!files) return tl::unexpected(files.error());
    of_tests = std::move(*files);
  }
  const auto is_in = [](const std::vector<std::string>& globs, const std::string& path) {
    return std::any_of(globs.begin(), globs.end(), [&](const auto& g) { return project::matches_glob(g, path); });
  };
  std::vector<bool> counts;
  for (const std::string& path : e.files)
    counts.push_back((arguments.only.empty() || is_in(arguments.only, path)) && !is_in(arguments.without, path) &&
                     of_tests.count(path) == 0);
  std::vector<const kind_row*> kept;
  for (const kind_row& row : kinds_of_requirements)
    if (std::find(arguments.keep.begin(), arguments.keep.end(), row.name) != arguments.keep.end()) kept.push_back(&row);
  instance made;
  made.commit = found->commit;
  made.file = instance_of(
      e, kept, [&](std::uint32_t file) { return counts[file]; }, made.doubtful);
  for (const std::string& path : e.files)
    if (of_tests.count(path) != 0) made.without.push_back(path);
  return made;
}

project::result<instance> from_file(const std::string& path) {
  auto text = project::read_file(path);
  if (!text) return tl::unexpected(text.error());
  const auto read_text = [](std::string&& of) {
    std::istringstream in(std::move(of));
    return optimizer::read_instance(in);
  };
  auto read = is_json(*text) ? read_instance_json(*text) : read_text(std::move(*text));
  if (!read) return tl::unexpected(fmt::format("'{}', {}", path, read.error()));
  instance made;
  made.file = std::move(*read);
  return made;
}

/// Nothing is lost of an older file before the new one is known to be possible.
project::result<void> write_instance(const std::string& path, const optimizer::instance_file& file) {
  std::ostringstream text;
  auto written = path.ends_with(".json") ? write_instance_json(text, file) : optimizer::write_instance(text, file);
  if (!written) return written;
  std::ofstream out(path, std::ios::binary);
  out << text.view();
  out.close();
  if (!out) return tl::unexpected(std::string(std::strerror(errno)));
  return {};
}

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
  const instance& of;
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
  nlohmann::json root{{"schema", project::optimize_schema},
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
  for (const std::string& name : arguments.keep)
    if (std::none_of(kinds_of_requirements.begin(), kinds_of_requirements.end(),
                     [&](const auto& row) { return name == row.name; })) {
      spdlog::error("--keep {} is unknown; there are: {}", name, names_of_requirements);
      return usage;
    }
  const auto budget = parse_budget(arguments.budget_seconds);
  if (!budget) {
    spdlog::error("{}", budget.error());
    return usage;
  }
  auto made = arguments.instance.empty() ? from_store(arguments, common) : from_file(arguments.instance);
  if (!made) {
    if (!made.error().empty()) spdlog::error("{}", made.error());
    return environment;
  }
  if (!arguments.write_instance.empty()) {
    if (const auto written = write_instance(arguments.write_instance, made->file); !written) {
      spdlog::error("cannot write '{}': {}", arguments.write_instance, written.error());
      return environment;
    }
    return fine;
  }
  const auto matrix = std::make_shared<const optimizer::cover_matrix>(made->file.matrix);
  optimizer::cover_problem problem;
  try {
    problem = optimizer::weigh(matrix, made->file.group_weights);
  } catch (const std::invalid_argument& error) {
    spdlog::error("{}", error.what());
    return usage;
  }
  if (problem.total_weight == 0) {
    spdlog::error("there is nothing to keep: the tests cover nothing that counts{}",
                  made->without.empty() ? "" : "; --with-tests counts the files in which tests are registered, too");
    return usage;
  }
  optimized o{*made, problem, {}, {}, optimizer::roles_of(problem)};
  if (*budget) o.budget_us = std::llround(std::min(**budget * 1e6, static_cast<double>(optimizer::largest_sum)));
  if (!arguments.by_name.algorithm.empty()) {
    optimizer::named_search how = arguments.by_name;
    how.seed = static_cast<unsigned>(arguments.effort.seed ^ (arguments.effort.seed >> 32U));
    how.greedy_start = !arguments.random_start;
    progress bar(how.generations, "generations", !common.quiet);
    how.has_done = [&](unsigned done) { bar.reach(done, how.algorithm); };
    auto found = search_by_pagmo(problem, o.budget_us, how);
    if (!found) {
      spdlog::error("{}", found.error());
      return environment;
    }
    o.reduced = optimizer::with_bound(problem, o.budget_us, std::move(*found));
  } else {
    optimizer::search_effort effort = arguments.effort;
    std::optional<progress> bar;
    effort.has_done = [&](std::uint64_t done, std::uint64_t moves) {
      if (!bar) bar.emplace(moves, "moves", !common.quiet);
      bar->reach(done, done == 0 ? "looking for a proof" : "searching");
    };
    o.reduced =
        o.budget_us ? optimizer::best_within(problem, *o.budget_us, effort) : optimizer::minimal_set(problem, effort);
  }
  if (!arguments.export_prefix.empty()) {
    const auto tables = tables_of(made->file, problem, o.roles, o.reduced.set.tests, made->doubtful);
    if (const auto written = write_tables(arguments.export_prefix, tables); !written) {
      spdlog::error("{}", written.error());
      return environment;
    }
  }
  if (common.json) {
    fmt::print("{}\n", as_json(o).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
  } else if (arguments.names) {
    for (const std::string& name : made->doubtful) fmt::print("{}\n", name);
    for (const std::uint32_t t : o.kept()) fmt::print("{}\n", made->file.tests[t]);
  } else {
    print(o);
  }
  return fine;
}

}  // namespace

action add_optimize(CLI::App& app, const common_options& common) {
  auto arguments = std::make_shared<optimize_arguments>();
  app.add_option("--budget", arguments->budget_seconds,
                 "The tests that cover the most in this time (default: the cheapest that cover all that tests cover)")
      ->type_name("SECONDS");
  CLI::Option* keep = app.add_option("--keep", arguments->keep, fmt::format("What counts: {}", names_of_requirements))
                          ->type_name("KIND,...")
                          ->delimiter(',')
                          ->capture_default_str();
  CLI::Option* only =
      app.add_option("--only", arguments->only, "Only files that match")->type_name("GLOB")->allow_extra_args(false);
  CLI::Option* without = app.add_option("--without", arguments->without, "Leave out files that match")
                             ->type_name("GLOB")
                             ->allow_extra_args(false);
  CLI::Option* with_tests =
      app.add_flag("--with-tests", arguments->with_tests, "Count the files in which tests are registered, too");
  app.add_flag("--names", arguments->names, "Print the names of the tests alone, one a line");
  app.add_option_function<std::uint64_t>(
         "--moves",
         [arguments](std::uint64_t moves) {
           arguments->effort.moves = moves;
           arguments->effort.exactly = true;
         },
         "How long to search where nothing can be proven (default: 100000, with a budget 20000; fewer for more than "
         "10,000 tests)")
      ->type_name("N");
  app.add_option("--seed", arguments->effort.seed, "Of the search; equal seeds give equal sets")
      ->type_name("N")
      ->capture_default_str();
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
