// morph report mutation: the last result of `morph mutate`, in any form.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <set>

#include "plugin/build/build_tree.hpp"
#include "plugin/command/failed.hpp"
#include "plugin/command/mutation_score.hpp"
#include "plugin/command/options.hpp"
#include "plugin/contract/exit_codes.hpp"
#include "plugin/explain/kept.hpp"
#include "plugin/mutating/kills.hpp"
#include "plugin/mutating/result.hpp"
#include "plugin/report/mutation_files.hpp"
#include "plugin/report/mutation_forms.hpp"
#include "plugin/report/mutation_parts.hpp"
#include "plugin/report/output.hpp"

namespace morph::command {
namespace {

struct mutation_arguments {
  std::string format = "text";
  report::text_form text;
  std::string output;  // empty = standard output
  std::vector<std::string> only, without;
  std::vector<std::string> from;  // files; empty: the build tree's last result
  std::optional<double> fail_under{};
  bool keeps_kills = false;
  bool takes_parts = false;
};

int run_report_mutation(const mutation_arguments& arguments, const common_options& common) {
  if (common.json && arguments.format != "text" && arguments.format != "json") {
    spdlog::error("--json and --format {} are two forms; leave out one", arguments.format);
    return contract::usage;
  }
  const auto tree = open_build_tree(common);
  if (!tree) return contract::environment;
  auto result = arguments.from.empty() ? mutating::last_result(*tree) : report::united_result(arguments.from);
  if (!result) return failed(contract::environment, result.error());
  // Files that are left out below are not missing.
  const std::vector<std::string> missing = report::missing_of(*result);
  if (!missing.empty()) {
    const std::string what = fmt::format("{}", fmt::join(missing, "; "));
    const bool is_old = !result->run.has_value();
    if (!arguments.from.empty() && !arguments.takes_parts) {
      spdlog::error("the result is not whole: {}; {}, or take it as it is with --partial", what,
                    is_old ? "`morph mutate` makes a new one" : "name the results of all shards with --from");
      return contract::environment;
    }
    if (arguments.fail_under)
      return failed(contract::environment, fmt::format("--fail-under judges no part of the mutants: {}", what));
    if (is_old) spdlog::warn("the result may not be whole: {}", what);
  }
  if (arguments.keeps_kills) {
    const auto kept = mutating::keep_kills_of(*result, *tree);
    if (!kept) return failed(contract::environment, fmt::format("kills are not kept: {}", kept.error()));
    spdlog::info("{}", *kept);
  }
  const bool has_files = !result->files.empty();
  for (const std::string& glob : arguments.only) result->scope.push_back("--only " + glob);
  for (const std::string& glob : arguments.without) result->scope.push_back("--without " + glob);
  report::keep_files(*result, report::filter_of(arguments.only, arguments.without));
  if (has_files && result->files.empty()) {
    spdlog::error("no mutated file is left by --only and --without; without them the report lists the files");
    return contract::usage;
  }
  const std::string& suite = arguments.text.suite;
  if (!suite.empty() && std::ranges::find(result->tests, suite, &report::judging_test::suite) == result->tests.end()) {
    std::set<std::string> known;
    for (const report::judging_test& test : result->tests) known.insert(test.suite);
    spdlog::error("no test of a suite '{}' judged mutants; suites that did: {}", suite, fmt::join(known, ", "));
    return contract::usage;
  }
  auto out = report::output::open(arguments.output);
  if (!out) return failed(contract::environment, out.error());
  report::text_form text = arguments.text;
  text.verbose = common.verbose;
  out->write(report::mutation_as_form(*result, common.json ? "json" : arguments.format, tree->source_dir, text,
                                      report::explanations_in(explain::report_path(*tree), *result)));
  if (auto written = out->close(); !written) return failed(contract::environment, written.error());
  return compare_score(*result, arguments.fail_under);
}

constexpr const char* mutation_footer =
    "Takes --build, --config, --json, --quiet and --verbose as every command does.\n"
    "Reads what the last `morph mutate` has found, or what several machines have; nothing is run. Sources are shown as "
    "they were then. Examples:\n"
    "  morph report mutation -v                           # survivors with their lines\n"
    "  morph report mutation --format html -o mutants.html\n"
    "  morph report mutation --only src/ --format github  # marks on the lines of a pull request\n"
    "  morph report mutation --format sarif -o morph.sarif\n"
    "  morph report mutation --by test --suite geometry   # which tests, or relations of a spec, kill nothing alone\n"
    "  morph report mutation --format kills -o kills.csv  # every mutant by every test, after `morph mutate "
    "--all-killers`\n"
    "  morph report mutation --from shard1.json shard2.json --fail-under 80\n"
    "  morph report mutation --from shard1.json shard2.json --keep-kills    # of `morph mutate --all-killers --shard`\n"
    "  morph report mutation --json | jq .score";

}  // namespace

std::pair<CLI::App*, action> add_report_mutation(CLI::App& app, const common_options& common) {
  auto arguments = std::make_shared<mutation_arguments>();
  CLI::App* mutation = app.add_subcommand("mutation", "What became of the program mutants of the last `morph mutate`");
  mutation->footer(mutation_footer);
  mutation->fallthrough();
  mutation->add_option("--format", arguments->format, "The form of the report")
      ->check(CLI::IsMember({"text", "json", "mte", "html", "sarif", "github", "junit", "csv", "kills"}))
      ->capture_default_str();
  mutation
      ->add_option("--by", arguments->text.by,
                   "Tables of the text form: file, operator, function, suite, test (default: file,operator)")
      ->delimiter(',')
      ->type_name("WHAT")
      ->check(CLI::IsMember({"file", "operator", "function", "suite", "test"}).description(""));
  mutation->add_option("--suite", arguments->text.suite, "Only this suite's tests, by test and in the form kills")
      ->type_name("NAME");
  mutation->add_option("-o,--output", arguments->output, "Write it there (default: standard output)")
      ->type_name("FILE");
  mutation
      ->add_option("--from", arguments->from,
                   "Results of `morph mutate --json` on the same sources, united (default: the build tree's last one)")
      ->type_name("FILE");
  mutation->add_flag("--partial", arguments->takes_parts,
                     "Take results of --from that are not all of the mutants; the report says what is missing");
  mutation->add_flag(
      "--keep-kills", arguments->keeps_kills,
      "Write into the store which tests kill what, for `morph optimize`, as `morph mutate --all-killers` does "
      "that judges all mutants itself");
  mutation
      ->add_option("--fail-under", arguments->fail_under,
                   "Exit with 1 if the mutation score is below PERCENT, with 3 if there is none")
      ->type_name("PERCENT")
      ->check(CLI::Range(0.0, 100.0).description(""));
  mutation->add_option("--only", arguments->only, "Only files that match")->type_name("GLOB")->allow_extra_args(false);
  mutation->add_option("--without", arguments->without, "Leave out files that match")
      ->type_name("GLOB")
      ->allow_extra_args(false);
  return {mutation, [arguments, &common] { return run_report_mutation(*arguments, common); }};
}

}  // namespace morph::command
