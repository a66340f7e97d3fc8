#include "plugin/command/spec_breed.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <spdlog/spdlog.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "plugin/command/seed_option.hpp"
#include "plugin/command/terminal.hpp"
#include "plugin/contract/formats.hpp"
#include "plugin/optimize/pagmo_module.hpp"
#include "plugin/pools/breeding_archive.hpp"
#include "plugin/system/files.hpp"
#include "plugin/system/process.hpp"
#include "plugin/system/progress.hpp"

namespace morph::command {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

struct breed_arguments {
  std::string pool, out, log, spec, executer, case_metric, strategy = "elitist";
  std::vector<std::string> towards;
  optimizer::breeding_options how;
  std::optional<std::uint32_t> fewest_cases;
  std::uint64_t seed = 1;
  double most_seconds = 0;
  bool json = false, quiet = false;
};

void declare(CLI::App& app, breed_arguments& to) {
  std::vector<std::string> strategies;
  for (const optimizer::named_breeding& each : optimizer::named_breedings) strategies.emplace_back(each.name);
  const auto is_part = CLI::Range(0.0, 1.0).description("");
  app.add_option("--pool", to.pool, "The pool to begin with; what was bred takes its place")
      ->type_name("FILE")
      ->required();
  app.add_option("--towards", to.towards,
                 "The metrics of the pool, the first one before all others: coverage (lines and branches of the code "
                 "under test, by running each case in the instrumented twin), mutation-score (of the mutants of the "
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
  app.add_flag("--json", to.json, "Print JSON for scripts");
  app.add_flag("-q,--quiet", to.quiet, "Print errors only");
}

/// The name in the first line; empty if there is none.
std::string spec_of_pool(const std::string& file) {
  std::ifstream in(file);
  std::string line;
  std::getline(in, line);
  const json head = json::parse(line, nullptr, false);
  return head.is_object() ? head.value("spec", "") : std::string();
}

/// What is asked that cannot be.
std::string wrong_in(const breed_arguments& asked) {
  if (asked.how.budget == 0) return "--budget 0 makes no mutant, and so breeds nothing; say how many may be made";
  if (asked.how.generations == 0) return "--generations 0 breeds nothing; say how many there may be";
  if (asked.how.mutant_ratio == 0) return "--ratio 0 makes no mutant; it is the part of the pool that has some";
  if (asked.how.remove_ratio == 1) return "--remove-ratio 1 leaves no case; it has to be below 1";
  if (asked.fewest_cases == 0U) return "--min-cases 0 leaves no case; it has to be 1 or more";
  if (asked.fewest_cases && asked.how.scheme != optimizer::selection_scheme::elitist)
    return fmt::format("--min-cases is for the strategy elitist; {} was published without", asked.strategy);
  if (asked.fewest_cases && asked.how.most_cases != 0 && asked.how.most_cases < *asked.fewest_cases)
    return fmt::format("--min-cases {} is more than --max-cases {}", *asked.fewest_cases, asked.how.most_cases);
  for (std::size_t i = 0; i < asked.towards.size(); ++i) {
    if (asked.towards[i] == "coupled-branches")
      return "--towards coupled-branches: coupled branches are not measured in this version; there are coverage, "
             "mutation-score, diversity, borders and the set metrics of the spec";
    if (std::find(asked.towards.begin(), asked.towards.begin() + static_cast<std::ptrdiff_t>(i), asked.towards[i]) !=
        asked.towards.begin() + static_cast<std::ptrdiff_t>(i))
      return fmt::format("--towards names '{}' twice", asked.towards[i]);
  }
  return {};
}

/// What the strategy needs, and the spec does not have.
std::string missing_for(const breed_arguments& asked, const pools::bred_archive& archive) {
  using optimizer::selection_scheme;
  if (asked.how.scheme == selection_scheme::filter && !archive.has_filters())
    return "the strategy filter takes cases away by the set filters of the spec, which declares none";
  const bool needs_strengths =
      asked.how.scheme == selection_scheme::weakest_removal || asked.how.scheme == selection_scheme::strongest_mutant;
  if (needs_strengths && !archive.knows_strengths())
    return fmt::format(
        "the strategy {} needs to know which cases are weak; say by which case metric: --case-metric "
        "NAME",
        asked.strategy);
  return {};
}

json row_json(const optimizer::breeding_row& row) {
  return {{"generation", row.generation}, {"cases", row.cases},   {"made", row.made}, {"archive", row.archive},
          {"front", row.front},           {"values", row.values}, {"best", row.best}, {"best cases", row.best_cases}};
}

json head_json(const breed_arguments& asked) {
  return {{"schema", contract::breed_schema}, {"spec", asked.spec}, {"strategy", asked.strategy},
          {"towards", asked.towards},         {"seed", asked.seed}, {"budget", asked.how.budget}};
}

result<void> write_log(const breed_arguments& asked, const optimizer::bred_pools& found) {
  std::string text = head_json(asked).dump() + '\n';
  for (const optimizer::breeding_row& row : found.log) text += row_json(row).dump() + '\n';
  text += json{{"stopped", found.stopped},
               {"cases", found.pools.front().cases.size()},
               {"values", found.pools.front().values}}
              .dump() +
          '\n';
  return system::write_file_atomically(asked.log, text);
}

/// The scratch file in the place of the pool.
result<void> put_in_place(const fs::path& scratch, const fs::path& to) {
  const fs::path beside = to.string() + ".new";
  std::error_code error;
  fs::copy_file(scratch, beside, fs::copy_options::overwrite_existing, error);
  if (!error) fs::rename(beside, to, error);
  if (error) return tl::unexpected(fmt::format("'{}' cannot be written: {}", to.string(), error.message()));
  return {};
}

void print(const breed_arguments& asked, const pools::bred_archive& archive, const optimizer::bred_pools& found,
           std::size_t saved) {
  const optimizer::bred_pool& pool = found.pools.front();
  const std::string out = asked.out.empty() ? asked.pool : asked.out;
  if (asked.json) {
    json all = head_json(asked);
    all["stopped"] = found.stopped;
    all["pool"] = out;
    all["saved cases"] = saved;
    for (const optimizer::breeding_row& row : found.log) all["generations"].push_back(row_json(row));
    for (const optimizer::bred_pool& each : found.pools) {
      json ids = json::array();
      for (const std::uint32_t c : each.cases) ids.push_back(archive.id(c));
      all["front"].push_back({{"values", each.values}, {"cases", std::move(ids)}});
    }
    fmt::print("{}\n", all.dump());
    return;
  }
  const optimizer::breeding_row& first = found.log.front();
  const optimizer::breeding_row& last = found.log.back();
  fmt::print("bred by {} with seed {}: {} generations, {} mutants made; it stopped: {}\n", asked.strategy, asked.seed,
             last.generation, last.made, found.stopped);
  std::size_t width = 5;
  for (const std::string& name : asked.towards) width = std::max(width, name.size());
  fmt::print("  {:<{}}  {:>10}  {:>10}\n", "", width, "at first", "bred");
  for (std::size_t m = 0; m < asked.towards.size(); ++m)
    fmt::print("  {:<{}}  {:>10.6g}  {:>10.6g}\n", asked.towards[m], width, first.values[m], pool.values[m]);
  fmt::print("  {:<{}}  {:>10}  {:>10}\n", "cases", width, first.cases, pool.cases.size());
  if (pool.values != last.best)
    fmt::print("  the best pool had {:.6g} and is lost: this strategy keeps none\n", fmt::join(last.best, ", "));
  if (found.pools.size() > 1) {
    fmt::print("  pools with fewer cases, or other values ({}):\n", fmt::join(asked.towards, ", "));
    for (std::size_t i = 1; i < found.pools.size() && i <= 5; ++i)
      fmt::print("    {:>5} cases  {:.6g}\n", found.pools[i].cases.size(), fmt::join(found.pools[i].values, ", "));
  }
  fmt::print("{} cases in '{}'", saved, out);
  if (saved > pool.cases.size()) fmt::print("; {} of them because others were made of them", saved - pool.cases.size());
  fmt::print("\n");
}

int complain(const pools::breeding_stop& why) {
  spdlog::error("{}", why.message);
  return why.code;
}

}  // namespace

int breed_pool(const build::build_tree& tree, const build::suite& suite, const std::vector<std::string>& words,
               const common_options& common) {
  breed_arguments asked;
  asked.json = common.json;
  asked.quiet = common.quiet;
  CLI::App app{
      "Breeds a pool of test cases towards metrics: datamorphisms make mutants of its cases, and those stay "
      "that make the pool better.",
      "morph spec breed"};
  declare(app, asked);
  if (const char* const text = std::getenv("MORPH_SEED")) {
    const auto seed = system::seed_in(text);
    if (!seed) return complain({contract::usage, "MORPH_SEED: " + seed.error()});
    asked.seed = *seed;
  }
  try {
    std::vector<std::string> reversed(words.rbegin(), words.rend() - 1);
    app.parse(reversed);
  } catch (const CLI::CallForHelp&) {
    fmt::print("{}", app.help());
    return contract::fine;
  } catch (const CLI::ParseError& error) {
    return complain({contract::usage, fmt::format("breed: {} (breed --help tells the options)", error.what())});
  }
  asked.how.seed = static_cast<unsigned>(asked.seed ^ (asked.seed >> 32U));  // pagmo's have 32 bits
  for (const optimizer::named_breeding& each : optimizer::named_breedings)
    if (asked.strategy == each.name) asked.how.scheme = each.scheme;
  if (const std::string wrong = wrong_in(asked); !wrong.empty()) return complain({contract::usage, wrong});
  if (!fs::exists(asked.pool))
    return complain({contract::environment,
                     fmt::format("the pool '{0}' is not there; make seeds: morph spec seed --pool {0}", asked.pool)});
  if (asked.spec.empty()) asked.spec = spec_of_pool(asked.pool);
  system::catch_interrupts();
  const auto lock = system::lock_file(tree.own_dir() / "breed.lock", system::if_locked::refuse);
  if (!lock)
    return complain({contract::environment,
                     fmt::format("{}; is another `morph spec breed` at work in this build tree?", lock.error())});
  pools::archive_request what;
  what.program = suite.programs.front().executable.string();
  what.pool = asked.pool;
  what.spec = asked.spec;
  what.executer = asked.executer;
  what.case_metric = asked.case_metric;
  what.towards = asked.towards;
  what.scratch = tree.own_dir() / "breed.jsonl";
  pools::breeding_stop stop;
  terminal told(!asked.quiet);
  const auto archive = pools::bred_archive::open(tree, suite, what, stop, told);
  if (archive == nullptr) return complain(stop);
  if (const std::string missing = missing_for(asked, *archive); !missing.empty())
    return complain({contract::usage, missing});
  std::optional<std::chrono::steady_clock::time_point> deadline;
  if (asked.most_seconds > 0)
    deadline = std::chrono::steady_clock::now() + std::chrono::duration_cast<std::chrono::steady_clock::duration>(
                                                      std::chrono::duration<double>(asked.most_seconds));
  const std::uint32_t at_first = archive->cases();
  const bool may_shrink = asked.towards.front() != "diversity";
  asked.how.fewest_cases = asked.fewest_cases.value_or(may_shrink ? 1 : at_first);
  if (asked.how.most_cases != 0) asked.how.fewest_cases = std::min(asked.how.fewest_cases, asked.how.most_cases);
  system::progress bar(asked.how.budget, "mutants", !asked.quiet && !asked.json);
  optimizer::breeding_ground ground = archive->ground(at_first + asked.how.budget, deadline);
  ground.mate = [mate = ground.mate, &bar, &archive, at_first](const std::vector<optimizer::mating>& matings) {
    auto made = mate(matings);
    bar.reach(archive->cases() - at_first, "breeding");
    return made;
  };
  const auto found = optimize::breed_by_pagmo(ground, asked.how);
  bar.clear();
  if (!found)
    return complain(archive->stop().message.empty() ? pools::breeding_stop{contract::usage, found.error()}
                                                    : archive->stop());
  std::size_t saved = 0;
  try {
    saved = archive->save(found->pools.front().cases);
  } catch (const std::runtime_error&) {
    return complain(archive->stop());
  }
  if (const auto put = put_in_place(what.scratch, asked.out.empty() ? asked.pool : asked.out); !put)
    return complain({contract::environment, put.error()});
  if (!asked.log.empty())
    if (const auto written = write_log(asked, *found); !written)
      return complain({contract::environment, written.error()});
  std::error_code ignored;
  fs::remove(what.scratch, ignored);
  if (!asked.quiet) print(asked, *archive, *found, saved);
  return contract::fine;
}

}  // namespace morph::command
