// morph mutate
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <spdlog/spdlog.h>
#include <unistd.h>

#include <cstdlib>
#include <ctime>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "coverage/mutation/operator_table.hpp"
#include "plugin/command/mutation_score.hpp"
#include "plugin/command/options.hpp"
#include "plugin/command/terminal.hpp"
#include "plugin/contract/formats.hpp"
#include "plugin/contract/variables.hpp"
#include "plugin/explain/run.hpp"
#include "plugin/mutating/run.hpp"
#include "plugin/report/mutation_forms.hpp"
#include "plugin/report/mutation_json.hpp"
#include "plugin/report/mutation_parts.hpp"
#include "plugin/system/files.hpp"
#include "plugin/system/process.hpp"

namespace morph::command {
namespace {

struct mutate_arguments {
  mutating::request asked;
  std::vector<std::string> operators;
  bool list_operators = false;
  std::optional<double> fail_under{};
  std::size_t explained = 0;  // so many survivors
};

int print_operators(const common_options& common) {
  nlohmann::json rows = nlohmann::json::array();
  for (const auto& op : mutation::operator_facts()) {
    if (common.json)
      rows.push_back({{"name", op.name}, {"summary", op.summary}, {"example", op.example}, {"default", op.by_default}});
    else
      fmt::print("{:<4} {:<75} {}{}\n", op.name, op.summary, op.example, op.by_default ? "" : " (not by default)");
  }
  if (common.json)
    fmt::print("{}\n", nlohmann::json{{"schema", contract::operators_schema}, {"operators", std::move(rows)}}.dump());
  return contract::fine;
}

/// Behind the result. With --json it is only kept: stdout has one JSON value.
int explain_survivors(const build::build_tree& tree, const mutate_arguments& arguments, const common_options& common) {
  terminal told(!common.quiet);
  const auto made = explain::run(tree, {.most = arguments.explained, .jobs = arguments.asked.jobs}, told);
  told.end();
  if (!made) {
    say_beside_result(fmt::format("survivors are not explained: {}", made.error().message));
    return contract::environment;
  }
  const bool has_colour = ::isatty(STDOUT_FILENO) == 1 && std::getenv(contract::colour_variable) == nullptr;
  if (!common.json) fmt::print("\n{}", explain::as_text(made->said, has_colour));
  return contract::fine;
}

int run_mutate(const mutate_arguments& arguments, const common_options& common) {
  if (arguments.list_operators) return print_operators(common);
  const auto operators = mutating::operators_named(arguments.operators);
  if (!operators) {
    spdlog::error("{}", operators.error());
    return contract::usage;
  }
  const auto tree = open_build_tree(common);
  if (!tree) return contract::environment;
  if (!tree->instrument.empty()) {
    spdlog::error("'{}' is itself an instrumented tree; name the ordinary one with --build", tree->binary_dir.string());
    return contract::usage;
  }
  mutating::request asked = arguments.asked;
  asked.operators = *operators;
  system::catch_interrupts();
  terminal told(!common.quiet);
  const auto report = mutating::run(*tree, asked, told);
  told.end();
  if (system::interrupted()) {
    spdlog::error("interrupted; the verdicts found so far are kept, run it again to go on");
    return contract::environment;
  }
  if (!report) {
    spdlog::error("{}", report.error());
    return contract::environment;
  }
  const report::mutation_result result = mutating::result_of(*report, std::time(nullptr));
  const std::string as_json = report::mutation_as_json(result);
  fmt::print("{}", common.json ? as_json : report::mutation_as_text(result, {.verbose = common.verbose}));
  if (auto saved = system::write_file_atomically(mutating::mutation_result_path(*tree), as_json); !saved) {
    spdlog::error("{}", saved.error());
    return contract::environment;
  }
  const int explained = arguments.explained > 0 ? explain_survivors(*tree, arguments, common) : contract::fine;
  const auto missing = report::missing_of(result);
  const bool is_finished = result.is_whole && result.run->parts.front().ended == report::run_end::finished;
  if (!is_finished || (arguments.fail_under && !missing.empty())) {
    say_beside_result(
        fmt::format("{}: {}{}", is_finished ? "--fail-under judges no part of the mutants" : "the result is not whole",
                    fmt::join(missing, "; "), result.is_whole && !is_finished ? "; run it again to go on" : ""));
    return contract::environment;
  }
  const int score = compare_score(result, arguments.fail_under);
  return score != contract::fine ? score : explained;
}

}  // namespace

action add_mutate(CLI::App& app, const common_options& common) {
  auto arguments = std::make_shared<mutate_arguments>();
  app.add_option("-j,--jobs", arguments->asked.jobs, "Compile and run this many at once (default: one a processor)")
      ->type_name("N");
  app.add_option("--operators", arguments->operators,
                 "Only these mutation operators, or all (default: those that --list-operators does not except)")
      ->delimiter(',')
      ->type_name("NAMES");
  app.add_flag("--list-operators", arguments->list_operators, "Show the mutation operators and end");
  app.add_option("--fail-under", arguments->fail_under,
                 "Exit with 1 if the mutation score is below PERCENT, with 3 if there is none")
      ->type_name("PERCENT")
      ->check(CLI::Range(0.0, 100.0).description(""));
  app.add_option("--explain", arguments->explained, "Explain N survivors, as `morph explain` does")
      ->type_name("N")
      ->check(CLI::PositiveNumber.description(""));
  app.add_option("--only", arguments->asked.only, "Only mutants in files that match, as in .gitignore")
      ->type_name("GLOB");
  app.add_option("--without", arguments->asked.without, "No mutants in files that match")->type_name("GLOB");
  app.add_option("--since", arguments->asked.since,
                 "Judge only mutants of functions that changed since REVISION; of others tell what is known")
      ->type_name("REVISION");
  app.add_flag("--diff", arguments->asked.only_changed,
               "Only mutants of changed functions: since --since, else since HEAD left the main branch");
  app.add_option("--sample", arguments->asked.sample, "Judge N mutants, drawn evenly, for an estimate of the score")
      ->type_name("N")
      ->check(CLI::PositiveNumber.description(""));
  app.add_option_function<std::string>(
         "--shard", [arguments](const std::string& text) { arguments->asked.part = mutating::parse_shard(text); },
         "Judge the I-th of N parts of the mutants, for N machines")
      ->type_name("I/N")
      ->check([](const std::string& text) {
        return mutating::parse_shard(text) ? std::string() : "'" + text + "' is no part as 2/8";
      });
  app.add_option("--budget", arguments->asked.budget, "Begin no mutant after so many seconds; go on in the next run")
      ->type_name("SECONDS")
      ->check(CLI::NonNegativeNumber.description(""));
  app.add_flag("--all-killers", arguments->asked.all_killers,
               "Find every test that kills a mutant, not the first alone");
  app.add_option("--unmutated-runs", arguments->asked.unmutated_runs,
                 "Run each test so often without mutants, and leave out those that fail at times (default: 2)")
      ->type_name("N")
      ->check(CLI::Range(2U, 1000U).description(""));
  app.add_flag("--no-equivalence", arguments->asked.keeps_equivalents,
               "Do not look for survivors that are compiled to the original's code, which no test can kill");
  app.add_flag("--fresh", arguments->asked.forgets, "Judge every mutant again, whatever earlier runs have found");
  return [arguments, &common] { return run_mutate(*arguments, common); };
}

}  // namespace morph::command
