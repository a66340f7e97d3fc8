// morph plan
#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>
#include <memory>

#include "plugin/command/failed.hpp"
#include "plugin/command/options.hpp"
#include "plugin/command/terminal.hpp"
#include "plugin/learning/learning.hpp"
#include "plugin/planning/audit.hpp"
#include "plugin/planning/order_quality.hpp"
#include "plugin/planning/run.hpp"

namespace morph::command {
namespace {

struct plan_arguments {
  planning::plan_request asked;
  std::string why;
  bool audits = false, evaluates = false;
  planning::audit_arguments audit{};
};

int audit(const build::build_tree& tree, const planning::plan_options& options, const planning::audit_arguments& asked,
          const common_options& common) {
  const auto done = planning::run_audit(tree, options, asked);
  if (!done) return failed(done.error());
  fmt::print("{}", common.json ? planning::as_json(*done) : planning::as_text(*done));
  return done->run.missed.empty() ? contract::fine : contract::finding;
}

int evaluate(const build::build_tree& tree, const planning::plan_options& options,
             const std::vector<std::string>& reports, const common_options& common) {
  const auto done = planning::run_evaluation(tree, options, reports);
  if (!done) return failed(done.error());
  fmt::print("{}", common.json ? planning::as_json(*done) : planning::as_text(*done));
  return contract::fine;
}

int run_plan(const plan_arguments& arguments, const common_options& common) {
  const auto tree = open_build_tree(common, true);
  if (!tree) return contract::environment;
  planning::plan_request asked = arguments.asked;
  planning::take_defaults(asked.options, [](const char* name) -> const char* { return std::getenv(name); });
  if (const auto known = planning::has_suite(*tree, asked.suite); !known) return failed(contract::usage, known.error());
  if (!arguments.audit.reports.empty() && !arguments.audits && !arguments.evaluates)
    return failed(contract::usage, "--junit says what ran: it needs --audit or --evaluate");
  if (const std::string wrong = planning::wrong_form(asked); !wrong.empty()) return failed(contract::usage, wrong);
  asked.options.orders_waiting = asked.nightly || arguments.evaluates;
  if (arguments.audits) return audit(*tree, asked.options, arguments.audit, common);
  if (arguments.evaluates) return evaluate(*tree, asked.options, arguments.audit.reports, common);
  if (common.json) asked.format = "json";
  asked.names_deselected = asked.names_deselected || common.verbose;

  terminal told(false);
  if (const auto absorbed = learning::absorb(*tree, told); !absorbed)
    told.warn(fmt::format("what ctest's last run recorded is not taken in: {}", absorbed.error()));
  const auto before = learning::now(*tree);
  asked.record = [&](const planning::full_plan& p) -> std::optional<planning::test_recording> {
    if (!before) return std::nullopt;
    auto prepared = learning::prepare(*tree, p, *before, told);
    if (prepared) return std::move(*prepared);
    told.warn(fmt::format("this run of ctest is not recorded: {}", prepared.error()));
    return std::nullopt;
  };
  const auto made = planning::run(*tree, asked, told);
  if (!made) return failed(made.error());
  if (!planning::has_notes(asked) && !common.quiet)
    for (const std::string& note : made->plan->notes) fmt::print(stderr, "morph: {}\n", note);
  if (const auto written = planning::write_files(*made, asked); !written) return failed(written.error());
  const bool has_colour = ::isatty(STDOUT_FILENO) == 1 && std::getenv("NO_COLOR") == nullptr;
  const auto text = planning::in_form(*made, asked, has_colour, told);
  if (!text) return failed(text.error());
  if (asked.format == "cmake" && !asked.why)
    for (const std::string& note : made->batch_notes) fmt::print(stderr, "morph: {}\n", note);
  fmt::print("{}", *text);
  return made->plan->listing_failed ? contract::environment : contract::fine;
}

}  // namespace

action add_plan(CLI::App& app, const common_options& common) {
  auto arguments = std::make_shared<plan_arguments>();
  planning::plan_request& asked = arguments->asked;
  planning::plan_options& options = asked.options;
  app.add_option("--format", asked.format, "How to print it")
      ->check(CLI::IsMember({"text", "json", "cmake", "names", "gtest-filter", "targets"}))
      ->capture_default_str();
  app.add_option("--suite", asked.suite, "Only this suite's tests")->type_name("NAME");
  CLI::Option* why = app.add_option("--why", arguments->why, "The chain from the change to one test, or to each")
                         ->type_name("[TEST]")
                         ->expected(0, 1);
  app.add_flag("--deselected", asked.names_deselected, "Name every deselected and every deferred test");
  app.add_option("--policy", options.policy,
                 "all, safe, narrow, minimal or risk=P (P: the probability to find a fault, 0.95 for one), for every "
                 "suite (default: MORPH_POLICY, else as declared)");
  app.add_option(
         "--k-coverage", options.times,
         "How many tests the policy minimal keeps for everything that changed (default: MORPH_K_COVERAGE, else 3)")
      ->type_name("K");
  app.add_option("--base", options.base_revision,
                 "Look for the baseline from this revision backwards (default: MORPH_BASE, else HEAD)")
      ->type_name("REV");
  app.add_option("--budget", options.budget_seconds,
                 "Time budget: seconds of recorded wall time (default: MORPH_BUDGET)")
      ->type_name("SECONDS");
  app.add_option("--failed-within", options.failed_within,
                 "Select a test that failed in one of its last K runs (default: MORPH_FAILED_WITHIN, else 1: until it "
                 "passes once)")
      ->type_name("K");
  app.add_flag("--approximate", options.approximate,
               "Use what was measured with isolation none too (default: MORPH_APPROXIMATE); the plan may miss tests");
  CLI::Option* before = app.add_flag("--before-build", options.before_build,
                                     "Plan before the build: which tests may be selected once it is made, and which "
                                     "targets it needs (--format targets); never fewer than the plan after it");
  CLI::Option* deferred = app.add_flag("--deferred", asked.deferred,
                                       "What the policy or the budget leaves out of what the change affects, and what "
                                       "no other test executes of it");
  CLI::Option* nightly = app.add_flag("--nightly", asked.nightly,
                                      "List what the plan leaves out, best first: what a nightly run is to run");
  deferred->excludes(before)->excludes(nightly);
  nightly->excludes(before);
  CLI::Option* front =
      app.add_flag("--pareto", asked.front,
                   "Time against coverage of the change: the best sets of tests for smaller budgets, and "
                   "where the plan is among them");
  front->excludes(before)->excludes(deferred)->excludes(nightly);
  app.add_option("--picture", asked.picture, "With --pareto: write it as a picture, .svg or .html")
      ->type_name("FILE")
      ->needs(front);
  CLI::Option* tables =
      app.add_option("--export", asked.export_prefix,
                     "Beside what is printed, write the plan as a table (PREFIX.plan.csv) and as NumPy's arrays "
                     "(PREFIX.order.npy, PREFIX.costs.npy)")
          ->type_name("PREFIX");
  CLI::Option* evaluate = app.add_flag("--evaluate", arguments->evaluates,
                                       "After a run of all tests: how soon the plan's order found what failed (APFD, "
                                       "APFDc, NAPFD)");
  evaluate->excludes(tables)->excludes(before)->excludes(deferred)->excludes(nightly)->excludes(front);
  CLI::Option* audit = app.add_flag("--audit", arguments->audits,
                                    "After a run of all tests: which failures the plan would have missed. Exit code 1 "
                                    "with a miss; the result is kept in the store");
  audit->excludes(tables)->excludes(before)->excludes(evaluate)->excludes(deferred)->excludes(nightly)->excludes(front);
  app.add_option("--junit", arguments->audit.reports,
                 "With --audit and --evaluate: JUnit XML files of the run (default: the last run of ctest in the build "
                 "tree)")
      ->type_name("FILE");
  app.add_option("--runs", arguments->audit.runs, "With --audit: how many of the last full runs are summed up")
      ->type_name("N")
      ->capture_default_str()
      ->needs(audit);
  return [arguments, why, &common] {
    if (why->count() > 0) arguments->asked.why = arguments->why;
    return run_plan(*arguments, common);
  };
}

}  // namespace morph::command
