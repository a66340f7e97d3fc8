// From a request to the text that is printed.
#include "plugin/planning/run.hpp"

#include <fmt/format.h>

#include <utility>

#include "plugin/contract/variables.hpp"
#include "plugin/planning/fallbacks.hpp"
#include "plugin/planning/pareto_front.hpp"
#include "plugin/planning/plan_cmake.hpp"
#include "plugin/planning/plan_export.hpp"
#include "plugin/planning/remainder.hpp"
#include "plugin/system/files.hpp"
#include "plugin/system/process.hpp"

namespace morph::planning {

void take_defaults(plan_options& options, const std::function<const char*(const char*)>& variable) {
  const auto take = [&](std::string& option, const char* name) {
    if (const char* value = variable(name); option.empty() && value != nullptr) option = value;
  };
  take(options.policy, contract::policy_variable);
  take(options.base_revision, contract::base_variable);
  options.approximate = options.approximate || variable(contract::approximate_variable) != nullptr;
  if (options.before_build)
    options.budget_seconds.clear();  // what the budget leaves out of a plan is not known yet
  else
    take(options.budget_seconds, contract::budget_variable);
  take(options.times, contract::times_variable);
  take(options.failed_within, contract::failed_within_variable);
}

std::string wrong_form(const plan_request& asked) {
  const std::string& format = asked.format;
  if (format == "targets" && !asked.options.before_build)
    return "--format targets says what has to be built: it needs --before-build";
  if (asked.options.before_build && (format == "cmake" || format == "gtest-filter"))
    return fmt::format(
        "--format {} is for tests that are built; with --before-build there are: text, json, names, targets", format);
  if (asked.nightly && format == "cmake")
    return "--format cmake is what ctest gets of a plan; `ctest -L deferred` runs what is left";
  if ((asked.deferred || asked.front) && (!asked.suite.empty() || asked.why))
    return "--deferred and --pareto are about the whole plan: leave --suite and --why out";
  if (asked.front && format != "text" && format != "json")
    return "--pareto is a table for a person or, with --json, for a script";
  if (!asked.picture.empty() && !asked.picture.ends_with(".svg") && !asked.picture.ends_with(".html"))
    return "--picture FILE is an .svg or an .html";
  if (asked.deferred && format != "text" && format != "json")
    return "--deferred is a list for a person or, with --json, for a script; --nightly --format names has the names";
  return {};
}

result<void> has_suite(const build::build_tree& tree, const std::string& name) {
  if (name.empty() || tree.find_suite(name) != nullptr) return {};
  std::string names;
  for (const auto& s : tree.suites) names += (names.empty() ? "" : ", ") + s.name;
  return tl::unexpected(fmt::format("there is no suite '{}'; this build tree has: {}", name, names));
}

contract::outcome<made_plan> run(const build::build_tree& tree, const plan_request& asked, system::observer& told) {
  auto plan = make_planning(tree, asked.options);
  if (!plan) return contract::not_done(contract::usage, plan.error());
  made_plan made{std::move(*plan), {}, {}, {}};
  if (asked.nightly) turn_to_remainder(*made.plan);
  if (!asked.options.before_build && !asked.nightly) {
    if (asked.record && asked.format == "cmake" && !asked.why) made.recording = asked.record(*made.plan);
    made.entries = make_entries(tree, *made.plan, made.recording, made.batch_notes);
    refresh_fallbacks(tree, *made.plan, made.entries, told);
  }
  return made;
}

contract::outcome<void> write_files(const made_plan& made, const plan_request& asked) {
  if (!asked.picture.empty()) {
    const bool is_page = asked.picture.ends_with(".html");
    if (const auto written = system::write_file_atomically(
            asked.picture, is_page ? front_as_html(*made.plan) : front_as_svg(*made.plan));
        !written)
      return contract::not_done(contract::environment, written.error());
  }
  if (!asked.export_prefix.empty())
    if (const auto written = report::write_tables(asked.export_prefix, tables_of(*made.plan)); !written)
      return contract::not_done(contract::environment, written.error());
  return {};
}

contract::outcome<std::string> in_form(const made_plan& made, const plan_request& asked, bool has_colour,
                                       system::observer& told) {
  const full_plan& p = *made.plan;
  const bool as_json = asked.format == "json";
  if (asked.front) return as_json ? front_as_json(p) : front_as_text(p);
  if (asked.deferred) return as_json ? deferred_as_json(p) : deferred_as_text(p);
  if (asked.why) {
    auto text = as_json ? why_as_json(p, *asked.why) : why_as_text(p, *asked.why);
    if (text) return *std::move(text);
    return contract::not_done(
        contract::usage,
        fmt::format("there is no test '{}'; `morph plan --format names` and `ctest -N` list them", *asked.why));
  }
  if (as_json) return plan_as_json(p, asked.suite);
  if (asked.format == "cmake") return plan_as_cmake(p, made.entries, system::own_executable().string(), made.recording);
  if (asked.format == "targets") return plan_as_targets(p);
  if (asked.format == "names") return plan_as_names(p, asked.suite);
  if (asked.format == "gtest-filter") {
    std::string filter = plan_as_gtest_filter(p, asked.suite);
    constexpr std::size_t longest_argument = 128 * 1024;  // Linux's MAX_ARG_STRLEN
    if (filter.size() > longest_argument)
      told.warn(fmt::format(
          "{} bytes are too long for one argument; write them to a file and use --gtest_flagfile=FILE", filter.size()));
    return filter;
  }
  return plan_as_text(p, asked.suite, {has_colour, asked.names_deselected});
}

bool has_notes(const plan_request& asked) {
  return asked.format == "json" || (asked.format == "text" && !asked.why);
}

}  // namespace morph::planning
