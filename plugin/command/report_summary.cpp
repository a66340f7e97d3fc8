// morph report summary: what all evidence says of a change, for a pull request.
#include <cstdlib>
#include <memory>
#include <string>

#include "plugin/command/failed.hpp"
#include "plugin/command/options.hpp"
#include "plugin/command/terminal.hpp"
#include "plugin/planning/run.hpp"
#include "plugin/report/output.hpp"
#include "plugin/summary/forms.hpp"
#include "plugin/summary/run.hpp"

namespace morph::command {
namespace {

struct summary_arguments {
  summary::request asked;
  std::string output;  // empty = standard output
  std::string url;
};

int run_report_summary(const summary_arguments& arguments, const common_options& common) {
  const auto tree = open_build_tree(common);
  if (!tree) return contract::environment;
  summary::request asked = arguments.asked;
  planning::take_defaults(asked.options, [](const char* name) -> const char* { return std::getenv(name); });
  terminal told(false);
  const auto made = summary::run(*tree, asked, told);
  if (!made) return failed(made.error());
  auto out = report::output::open(arguments.output);
  if (!out) return failed(contract::environment, out.error());
  out->write(common.json ? summary::as_json(*made) : summary::as_markdown(*made, arguments.url));
  if (auto written = out->close(); !written) return failed(contract::environment, written.error());
  return contract::fine;
}

constexpr const char* summary_footer =
    "Takes --build, --config, --json, --quiet and --verbose as every command does.\n"
    "Reads what ctest, `morph measure`, `morph mutate` and `morph explain` have left; nothing is run. Markdown of at\n"
    "most 40 lines: what failed, changed lines that no test runs, survivors, and which tests the change selects. "
    "Longer\n"
    "lists are cut, and name the command that lists all. It is no gate: failed tests and survivors do not change the\n"
    "exit code. Examples:\n"
    "  morph report summary\n"
    "  morph report summary --since origin/main -o summary.md && gh pr comment --body-file summary.md\n"
    "  morph report summary --since origin/main >> \"$GITHUB_STEP_SUMMARY\"\n"
    "  morph report summary --json | jq .failed";

}  // namespace

std::pair<CLI::App*, action> add_report_summary(CLI::App& app, const common_options& common) {
  auto arguments = std::make_shared<summary_arguments>();
  CLI::App* made = app.add_subcommand("summary", "What all evidence says of a change, for a pull request");
  made->footer(summary_footer);
  made->fallthrough();
  made->add_option("--since", arguments->asked.options.base_revision,
                   "The changes since this revision (default: MORPH_BASE, else since HEAD left the main branch)")
      ->type_name("REVISION");
  made->add_option("--junit", arguments->asked.reports,
                   "JUnit XML files of the run (default: the last run of ctest in the build tree)")
      ->type_name("FILE");
  made->add_option("--report", arguments->url, "Ends with a link to a report, such as an artifact of the job")
      ->type_name("URL");
  made->add_option("-o,--output", arguments->output, "Write it there (default: standard output)")->type_name("FILE");
  return {made, [arguments, &common] { return run_report_summary(*arguments, common); }};
}

}  // namespace morph::command
