// morph plan
#include <fmt/format.h>
#include <spdlog/spdlog.h>
#include <unistd.h>

#include <cstdlib>

#include "plugin/command/failed.hpp"
#include "plugin/command/options.hpp"
#include "plugin/command/terminal.hpp"
#include "plugin/contract/variables.hpp"
#include "plugin/planning/audit.hpp"
#include "plugin/planning/fallbacks.hpp"
#include "plugin/planning/order_quality.hpp"
#include "plugin/planning/pareto_front.hpp"
#include "plugin/planning/plan_print.hpp"
#include "plugin/planning/plan_export.hpp"
#include "plugin/planning/remainder.hpp"
#include "plugin/system/files.hpp"
#include "plugin/system/process.hpp"

namespace morph::command {
namespace {

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::string() : std::string(value);
}

struct plan_arguments {
  planning::plan_options options;
  std::string format = "text";
  std::string suite;
  std::string why;
  bool names_deselected = false;
  bool audits = false, evaluates = false;
  bool deferred = false, nightly = false, front = false;
  std::string picture, export_prefix;
  planning::audit_arguments audit{};
};

/// Empty if the format goes with the other options.
std::string wrong_format(const plan_arguments& arguments) {
  const std::string& format = arguments.format;
  if (format == "targets" && !arguments.options.before_build)
    return "--format targets says what has to be built: it needs --before-build";
  if (arguments.options.before_build && (format == "cmake" || format == "gtest-filter"))
    return fmt::format(
        "--format {} is for tests that are built; with --before-build there are: text, json, names, targets", format);
  if (arguments.nightly && format == "cmake")
    return "--format cmake is what ctest gets of a plan; `ctest -L deferred` runs what is left";
  if ((arguments.deferred || arguments.front) && (!arguments.suite.empty() || !arguments.why.empty()))
    return "--deferred and --pareto are about the whole plan: leave --suite and --why out";
  if (arguments.front && format != "text" && format != "json")
    return "--pareto is a table for a person or, with --json, for a script";
  if (!arguments.picture.empty() && !arguments.picture.ends_with(".svg") && !arguments.picture.ends_with(".html"))
    return "--picture FILE is an .svg or an .html";
  if (arguments.deferred && format != "text" && format != "json")
    return "--deferred is a list for a person or, with --json, for a script; --nightly --format names has the names";
  return {};
}

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
  planning::plan_options options = arguments.options;
  if (options.policy.empty()) options.policy = variable(contract::policy_variable);
  if (options.base_revision.empty()) options.base_revision = variable(contract::base_variable);
  options.approximate = options.approximate || std::getenv(contract::approximate_variable) != nullptr;
  if (options.before_build)
    options.budget_seconds.clear();  // what the budget leaves out of a plan is not known yet
  else if (options.budget_seconds.empty())
    options.budget_seconds = variable(contract::budget_variable);
  if (options.times.empty()) options.times = variable(contract::times_variable);
  if (options.failed_within.empty()) options.failed_within = variable(contract::failed_within_variable);
  if (!arguments.suite.empty() && tree->find_suite(arguments.suite) == nullptr) {
    std::string names;
    for (const auto& s : tree->suites) names += (names.empty() ? "" : ", ") + s.name;
    spdlog::error("there is no suite '{}'; this build tree has: {}", arguments.suite, names);
    return contract::usage;
  }

  if (!arguments.audit.reports.empty() && !arguments.audits && !arguments.evaluates)
    return failed(contract::usage, "--junit says what ran: it needs --audit or --evaluate");
  if (const std::string wrong = wrong_format(arguments); !wrong.empty()) return failed(contract::usage, wrong);
  options.orders_waiting = arguments.nightly || arguments.evaluates;
  if (arguments.audits) return audit(*tree, options, arguments.audit, common);
  if (arguments.evaluates) return evaluate(*tree, options, arguments.audit.reports, common);
  auto made = planning::make_planning(*tree, options);
  if (!made) return failed(contract::usage, made.error());
  if (arguments.nightly) planning::turn_to_remainder(**made);
  const planning::full_plan& p = **made;
  std::vector<std::string> batch_notes;
  std::vector<planning::suite_entries> entries;
  if (!options.before_build && !arguments.nightly) {
    entries = planning::make_entries(*tree, p, batch_notes);
    terminal told(false);
    planning::refresh_fallbacks(*tree, p, entries, told);
  }
  const int code = p.listing_failed ? contract::environment : contract::fine;
  const bool notes_in_output =
      common.json || arguments.format == "json" || (arguments.format == "text" && arguments.why.empty());
  if (!notes_in_output && !common.quiet)
    for (const std::string& note : p.notes) fmt::print(stderr, "morph: {}\n", note);

  if (!arguments.picture.empty()) {
    const bool is_page = arguments.picture.ends_with(".html");
    if (auto written = system::write_file_atomically(arguments.picture,
                                                     is_page ? planning::front_as_html(p) : planning::front_as_svg(p));
        !written)
      return failed(contract::environment, written.error());
  }
  if (!arguments.export_prefix.empty())
    if (const auto written = report::write_tables(arguments.export_prefix, planning::tables_of(p)); !written)
      return failed(contract::environment, written.error());
  if (arguments.front) {
    fmt::print("{}",
               common.json || arguments.format == "json" ? planning::front_as_json(p) : planning::front_as_text(p));
  } else if (arguments.deferred) {
    fmt::print("{}", common.json || arguments.format == "json" ? planning::deferred_as_json(p)
                                                               : planning::deferred_as_text(p));
  } else if (!arguments.why.empty()) {
    const bool as_json = common.json || arguments.format == "json";
    const auto text = as_json ? planning::why_as_json(p, arguments.why) : planning::why_as_text(p, arguments.why);
    if (!text) {
      spdlog::error("there is no test '{}'; `morph plan --format names` and `ctest -N` list them", arguments.why);
      return contract::usage;
    }
    fmt::print("{}", *text);
  } else if (common.json || arguments.format == "json") {
    fmt::print("{}", planning::plan_as_json(p, arguments.suite));
  } else if (arguments.format == "cmake") {
    for (const std::string& note : batch_notes) fmt::print(stderr, "morph: {}\n", note);
    fmt::print("{}", planning::plan_as_cmake(p, entries, system::own_executable().string()));
  } else if (arguments.format == "targets") {
    fmt::print("{}", planning::plan_as_targets(p));
  } else if (arguments.format == "names") {
    fmt::print("{}", planning::plan_as_names(p, arguments.suite));
  } else if (arguments.format == "gtest-filter") {
    const std::string filter = planning::plan_as_gtest_filter(p, arguments.suite);
    constexpr std::size_t longest_argument = 128 * 1024;  // Linux's MAX_ARG_STRLEN
    if (filter.size() > longest_argument)
      spdlog::warn("{} bytes are too long for one argument; write them to a file and use --gtest_flagfile=FILE",
                   filter.size());
    fmt::print("{}", filter);
  } else {
    const bool colour = ::isatty(STDOUT_FILENO) == 1 && std::getenv("NO_COLOR") == nullptr;
    fmt::print("{}",
               planning::plan_as_text(p, arguments.suite, {colour, arguments.names_deselected || common.verbose}));
  }
  return code;
}

}  // namespace

action add_plan(CLI::App& app, const common_options& common) {
  auto arguments = std::make_shared<plan_arguments>();
  app.add_option("--format", arguments->format, "How to print it")
      ->check(CLI::IsMember({"text", "json", "cmake", "names", "gtest-filter", "targets"}))
      ->capture_default_str();
  app.add_option("--suite", arguments->suite, "Only this suite's tests")->type_name("NAME");
  app.add_option("--why", arguments->why, "The chain from the change to one test")->type_name("TEST");
  app.add_flag("--deselected", arguments->names_deselected, "Name every deselected and every deferred test");
  app.add_option("--policy", arguments->options.policy,
                 "all, safe, narrow, minimal or risk=P (P: the probability to find a fault, 0.95 for one), for every "
                 "suite (default: MORPH_POLICY, else as declared)");
  app.add_option(
         "--k-coverage", arguments->options.times,
         "How many tests the policy minimal keeps for everything that changed (default: MORPH_K_COVERAGE, else 3)")
      ->type_name("K");
  app.add_option("--base", arguments->options.base_revision,
                 "Look for the baseline from this revision backwards (default: MORPH_BASE, else HEAD)")
      ->type_name("REV");
  app.add_option("--budget", arguments->options.budget_seconds,
                 "Time budget: seconds of recorded wall time (default: MORPH_BUDGET)")
      ->type_name("SECONDS");
  app.add_option("--failed-within", arguments->options.failed_within,
                 "Select a test that failed in one of its last K runs (default: MORPH_FAILED_WITHIN, else 1: until it "
                 "passes once)")
      ->type_name("K");
  app.add_flag("--approximate", arguments->options.approximate,
               "Use what was measured with isolation none too (default: MORPH_APPROXIMATE); the plan may miss tests");
  CLI::Option* before = app.add_flag("--before-build", arguments->options.before_build,
                                     "Plan before the build: which tests may be selected once it is made, and which "
                                     "targets it needs (--format targets); never fewer than the plan after it");
  CLI::Option* deferred = app.add_flag("--deferred", arguments->deferred,
                                       "What the policy or the budget leaves out of what the change affects, and what "
                                       "no other test executes of it");
  CLI::Option* nightly = app.add_flag("--nightly", arguments->nightly,
                                      "List what the plan leaves out, best first: what a nightly run is to run");
  deferred->excludes(before)->excludes(nightly);
  nightly->excludes(before);
  CLI::Option* front =
      app.add_flag("--pareto", arguments->front,
                   "Time against coverage of the change: the best sets of tests for smaller budgets, and "
                   "where the plan is among them");
  front->excludes(before)->excludes(deferred)->excludes(nightly);
  app.add_option("--picture", arguments->picture, "With --pareto: write it as a picture, .svg or .html")
      ->type_name("FILE")
      ->needs(front);
  CLI::Option* tables =
      app.add_option("--export", arguments->export_prefix,
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
  return [arguments, &common] { return run_plan(*arguments, common); };
}

}  // namespace morph::command
