// `morph generate`
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <spdlog/spdlog.h>

#include <memory>

#include "plugin/command/failed.hpp"
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
  std::string pair, pairs;
  bool without_tests = false;
  bool writes = false;
};

/// What is handed over, of one search or of several.
struct generated {
  generate::proposal files;
  bool has_tests = false;
  std::string text, json;
  std::size_t faults = 0;
  bool is_nothing_done = false;  // no search came to its end
};

template <typename Report>
generated generated_of(const Report& report, generate::proposal files, bool has_tests) {
  return {std::move(files), has_tests, generate::as_text(report), generate::as_json(report),
          generate::likely_faults(report)};
}

contract::outcome<generated> generated_by(const build::build_tree& tree, const generate_arguments& arguments,
                                          bool as_json, system::observer& told) {
  const auto in_environment = [](const std::string& why) { return contract::failure{contract::environment, why, {}}; };
  if (arguments.pairs == "list")
    return generate::listed_pairs(tree, as_json, told)
        .map([](std::string&& text) { return generated{.files = {}, .text = text, .json = std::move(text)}; })
        .map_error(in_environment);
  if (!arguments.pairs.empty())
    return generate::run_pairs(tree, arguments.asked, told)
        .map([](const generate::pairs_report& report) {
          generate::proposal files = generate::proposed(report);
          const bool has_tests = !files.files.empty();
          generated made = generated_of(report, std::move(files), has_tests);
          made.is_nothing_done = report.reports.empty();
          return made;
        })
        .map_error(in_environment);
  return generate::run(tree, arguments.asked, told).map([](const generate::report& report) {
    return generated_of(report, report.proposed, !report.tests.empty());
  });
}

int run_generate(const generate_arguments& given, const common_options& common) {
  generate_arguments arguments = given;
  if (arguments.asked.unit.empty() && arguments.pair.empty() && arguments.pairs.empty()) {
    spdlog::error("name what is tested: --unit, --pair, or --pairs auto");
    return contract::usage;
  }
  if (!arguments.pair.empty()) {
    auto pair = generate::class_pair_of(arguments.pair);
    if (!pair) {
      spdlog::error("{}", pair.error());
      return contract::usage;
    }
    arguments.asked.pair = std::move(*pair);
  }
  const auto tree = open_build_tree(common);
  if (!tree) return contract::environment;
  if (!tree->instrument.empty()) {
    spdlog::error("'{}' is itself an instrumented tree; name the ordinary one with --build", tree->binary_dir.string());
    return contract::usage;
  }
  system::catch_interrupts();
  terminal told(!common.quiet);
  const auto made = generated_by(*tree, arguments, common.json, told);
  told.end();
  if (!made) return failed(made.error());
  std::string patch;
  if (made->has_tests) {
    const auto written = arguments.writes ? generate::write(made->files).map([] { return std::string(); })
                                          : generate::patch_of(*tree, made->files);
    if (!written) {
      spdlog::error("{}", written.error());
      return contract::environment;
    }
    patch = *written;
  }
  if (common.json)
    fmt::print("{}", made->json);
  else
    fmt::print("{}{}{}", made->text, patch.empty() ? "" : "\n", patch);
  if (arguments.writes && made->has_tests && !common.json)
    for (const auto& each : made->files.files)
      fmt::print("{} {}\n", each.is_new ? "new:    " : "changed:", each.path.string());
  if (made->is_nothing_done) return contract::environment;
  return made->faults == 0 ? contract::fine : contract::finding;
}

}  // namespace

action add_generate(CLI::App& app, const common_options& common) {
  auto arguments = std::make_shared<generate_arguments>();
  CLI::Option* const unit =
      app.add_option("--unit", arguments->asked.unit, "The class under test, or a source file, from the project's root")
          ->type_name("CLASS|FILE");
  CLI::Option* const pair =
      app.add_option("--pair", arguments->pair, "Two classes, whose coupled branches tests of the first take")
          ->type_name("CALLER:CALLEE")
          ->excludes(unit);
  app.add_option(
         "--pairs", arguments->pairs,
         fmt::format("auto: the {} pairs of classes with most to test, one after the other; list: only print all",
                     generate::most_pairs))
      ->type_name("auto|list")
      ->check(CLI::IsMember({"auto", "list"}).description(""))
      ->excludes(unit)
      ->excludes(pair);
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
  CLI::Option* const search =
      app.add_option("--search", arguments->asked.by, "How sequences are found")
          ->transform(CLI::CheckedTransformer(
                          std::map<std::string, generate::search_options::algorithm>(
                              std::begin(optimizer::named_goal_searches), std::end(optimizer::named_goal_searches)))
                          .description(""))
          ->type_name("random|novelty|whole-suite|mosa|dynamosa");
  std::vector<std::string> ways;
  for (const generate::compared_way& each : generate::compared_ways) ways.emplace_back(each.name);
  CLI::Option* const compare = app.add_option("--compare", arguments->asked.compared,
                                              fmt::format("Only print what searches take: {}", fmt::join(ways, ", ")))
                                   ->type_name("SEARCH,...")
                                   ->delimiter(',')
                                   ->check(CLI::IsMember(ways).description(""))
                                   ->needs(pair)
                                   ->excludes(search);
  app.add_flag("--without-tests", arguments->without_tests, "Make no inputs out of the tests that the project has");
  app.add_flag("--resume", arguments->asked.resumes,
               "Begin with what the last run found for the unit (equal seeds then give other tests)");
  app.add_flag("--without-mutants", arguments->asked.without_mutants,
               "Assert the first stable values, whatever mutants they kill")
      ->excludes(compare);
  app.add_flag("--write", arguments->writes,
               "Write the tests beside those of the project, and the line of CMake (default: print a patch)")
      ->excludes(compare);
  return [arguments, budget, &common] {
    if (arguments->asked.most_sequences > 0 && budget->empty()) arguments->asked.budget = 0;
    arguments->asked.with_tests = !arguments->without_tests;
    return run_generate(*arguments, common);
  };
}

}  // namespace morph::command
