// morph report coverage; html, mutation and summary stand in files of their own.
#include <fmt/format.h>

#include <cstdlib>
#include <map>
#include <memory>
#include <string>

#include "plugin/command/failed.hpp"
#include "plugin/command/options.hpp"
#include "plugin/command/terminal.hpp"
#include "plugin/contract/variables.hpp"
#include "plugin/coupled/figure.hpp"
#include "plugin/coupled/run.hpp"
#include "plugin/report/output.hpp"
#include "plugin/report/run.hpp"

namespace morph::command {
namespace {

const std::map<std::string, report::coverage_form> forms{{"text", report::coverage_form::text},
                                                         {"json", report::coverage_form::json},
                                                         {"lcov", report::coverage_form::lcov},
                                                         {"gcovr", report::coverage_form::gcovr}};

struct report_arguments {
  report::coverage_request asked;
  std::string format = "text";
  std::string output;  // empty = standard output
  coupled::request coupled{};
};

int write_coupled(const report_arguments& arguments, const common_options& common, bool approximate) {
  coupled::request asked = arguments.coupled;
  asked.as_json = common.json || arguments.format == "json";
  asked.approximate = approximate;
  const auto tree = open_build_tree(common);
  if (!tree) return contract::environment;
  terminal told(!common.quiet);
  const auto answer = coupled::run(*tree, asked, told);
  if (!answer) return failed(answer.error());
  auto out = report::output::open(arguments.output);
  if (!out) return failed(contract::environment, out.error());
  out->write(*answer);
  if (auto written = out->close(); !written) return failed(contract::environment, written.error());
  return contract::fine;
}

int run_report(const report_arguments& arguments, const common_options& common, bool asks_coupled) {
  report::coverage_request asked = arguments.asked;
  asked.form = forms.at(arguments.format);
  asked.approximate = asked.approximate || std::getenv(contract::approximate_variable) != nullptr;
  if (asks_coupled && asked.is_tracefile())
    return failed(contract::usage,
                  fmt::format("--format {} is a form of the whole report; leave out --coupled", arguments.format));
  if (asks_coupled) return write_coupled(arguments, common, asked.approximate);
  if (asked.is_tracefile() && (common.json || asked.is_question()))
    return failed(contract::usage,
                  fmt::format("--format {} is a form of the whole report; leave out {}", arguments.format,
                              common.json ? "--json" : "--per-test, --line and --diff"));
  if (common.json) asked.form = report::coverage_form::json;
  const auto tree = open_build_tree(common);
  if (!tree) return contract::environment;
  terminal told(!common.quiet);
  asked.coupled = [&](const git::repository& repo, const workspace::found_baseline& found,
                      const report::coverage& covered, const auto& wanted) {
    return coupled::figure_of(*tree, repo.root(), found, covered, wanted, told);
  };
  const auto reply = report::run(*tree, asked);
  if (!reply) return failed(reply.error());
  auto out = report::output::open(arguments.output);
  if (!out) return failed(contract::environment, out.error());
  if (!common.quiet)
    for (const std::string& note : reply->notes) fmt::print(stderr, "morph: {}\n", note);
  reply->write([&](std::string_view text) { out->write(text); });
  if (auto written = out->close(); !written) return failed(contract::environment, written.error());
  return reply->has_findings ? contract::finding : contract::fine;
}

constexpr const char* coverage_footer =
    "Takes --build, --config, --json, --quiet and --verbose as every command does.\n"
    "Reads the measurement that `morph plan` starts from; nothing is run. Lines stand where the work tree has them; "
    "of\n"
    "those that changed since they were measured nothing is known, and the report says so. Exit code 1: --diff found "
    "a\n"
    "changed line that no test is known to run. Examples:\n"
    "  morph report coverage\n"
    "  morph report coverage --without 'tests/'\n"
    "  morph report coverage --line src/area.cpp:12       # which tests run this line\n"
    "  morph report coverage --per-test Area.OfSquare\n"
    "  morph report coverage --diff $(git merge-base origin/main HEAD)\n"
    "  morph report coverage --coupled geo::Map:geo::Tile\n"
    "  morph report coverage --format lcov -o coverage.info && genhtml --show-details coverage.info -o html\n"
    "  morph report coverage --format gcovr -o coverage.json && gcovr -a coverage.json --html-details coverage.html\n"
    "  morph report coverage --json | jq .totals";

}  // namespace

action add_report(CLI::App& app, const common_options& common) {
  auto arguments = std::make_shared<report_arguments>();
  report::coverage_request& asked = arguments->asked;
  CLI::App* coverage =
      app.add_subcommand("coverage", "Which lines, branches, conditions and functions the measured tests execute");
  coverage->footer(coverage_footer);
  coverage->fallthrough();
  app.require_subcommand(1);
  const auto [mutation, report_mutation] = add_report_mutation(app, common);
  const auto [html, report_html] = add_report_html(app, common);
  const auto [summary, report_summary] = add_report_summary(app, common);
  coverage->add_option("--format", arguments->format, "The form of the whole report")
      ->check(CLI::IsMember({"text", "json", "lcov", "gcovr"}))
      ->capture_default_str();
  coverage->add_option("-o,--output", arguments->output, "Write it there (default: standard output)")
      ->type_name("FILE");
  CLI::Option* only =
      coverage->add_option("--only", asked.only, "Only files that match")->type_name("GLOB")->allow_extra_args(false);
  CLI::Option* without = coverage->add_option("--without", asked.without, "Leave out files that match")
                             ->type_name("GLOB")
                             ->allow_extra_args(false);
  coverage->add_flag("--approximate", asked.approximate,
                     "Use what was measured with isolation none too (default: MORPH_APPROXIMATE)");
  CLI::Option* test = coverage->add_option("--per-test", asked.test, "What this test executes")->type_name("TEST");
  CLI::Option* line = coverage
                          ->add_option("--line", asked.line,
                                       "Which tests execute this line, take its branches and see its terms decide")
                          ->type_name("FILE:LINE");
  CLI::Option* diff = coverage
                          ->add_option("--diff", asked.revision,
                                       "Which lines that changed since this revision no test is known to execute")
                          ->type_name("REVISION");
  CLI::Option* coupled = coverage
                             ->add_option("--coupled", arguments->coupled.pair,
                                          "Pairs of branches of a caller and a callee, and whether one test takes both")
                             ->type_name("[CALLER:CALLEE]")
                             ->expected(0, 1);
  coverage
      ->add_flag("--entry-branch", arguments->coupled.has_entry_branch,
                 "With --coupled: unconditional calls count with the entry of their function")
      ->needs(coupled);
  coupled->excludes(test)->excludes(line)->excludes(diff)->excludes(only)->excludes(without);
  test->excludes(line)->excludes(diff);
  line->excludes(diff)->excludes(only)->excludes(without);
  return [=, mutation = mutation, report_mutation = report_mutation, summary = summary, report_summary = report_summary,
          html = html, report_html = report_html, &common] {
    if (mutation->parsed()) return report_mutation();
    if (html->parsed()) return report_html();
    if (summary->parsed()) return report_summary();
    return run_report(*arguments, common, coupled->count() > 0);
  };
}

}  // namespace morph::command
