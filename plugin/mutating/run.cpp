// Strings the steps of one run together. What was settled before needs no build.
#include "plugin/mutating/run.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "coverage/mutation/temporary_files.hpp"
#include "plugin/git/repository.hpp"
#include "plugin/mutating/build.hpp"
#include "plugin/mutating/compare.hpp"
#include "plugin/mutating/facts.hpp"
#include "plugin/mutating/judge.hpp"
#include "plugin/mutating/kills.hpp"
#include "plugin/mutating/list.hpp"
#include "plugin/mutating/memory.hpp"
#include "plugin/mutating/prepare.hpp"
#include "plugin/mutating/programs.hpp"
#include "plugin/mutating/scope.hpp"
#include "plugin/mutating/setting.hpp"
#include "plugin/mutating/settled.hpp"
#include "plugin/system/counted.hpp"
#include "plugin/system/files.hpp"
#include "plugin/system/process.hpp"

namespace morph::mutating {
namespace {

/// No option leaves mutants out.
bool is_of_all(const mutation_report& report) {
  return report.scope.empty();
}

void keep_kills_in_store(const setting& run, const mutation_report& report, const listed_mutants& listed) {
  // What the store keeps is all that anybody kills: `morph optimize` leaves out tests that kill nothing of it.
  if (!is_of_all(report)) {
    run.told.warn(
        fmt::format("kills are not kept: they are of a part of the mutants ({})", fmt::join(report.scope, " ")));
    return;
  }
  if (const auto kept = keep_kills(run.tree, known_kills(report, listed.names)))
    run.told.status(*kept);
  else
    run.told.warn(fmt::format("kills are not kept: {}", kept.error()));
}

report::run_record record_of(const setting& run, const prepared_twin& twin, const counted_content& content,
                             const std::vector<std::string>& scope, report::run_end ended) {
  const shard part = run.asked.part.value_or(shard{});
  const auto repo = git::repository::open(run.tree.source_dir);
  const auto head = repo ? repo->head() : tl::unexpected(repo.error());
  return {facts_of({run.tree, run.at, twin.commands, twin.chosen, content.counted, content.foreign, run.limits,
                    run.asked.operators, scope}),
          head ? head->commit : std::string(),
          {{part.number, part.of, ended}}};
}

/// Suites that cannot judge, and sources that have no mutants.
std::vector<std::string> not_run(const setting& run, const judging_programs& programs, const chosen_sources& chosen) {
  std::vector<std::string> lines = programs.not_run;
  if (const auto& outside = chosen.outside; !programs.able.empty() && !outside.empty())
    lines.push_back(fmt::format("mutants of {} outside of '{}', which are not made: '{}'{}",
                                system::counted(outside.size(), "source"), run.tree.source_dir.string(),
                                *outside.begin(), outside.size() > 1 ? " and others" : ""));
  return lines;
}

result<void> judge_by_all(const setting& run, const judged_build& built, verdict_memory& memory,
                          mutation_report& report) {
  const judging_programs programs = judging_programs_of(built.twin.tree);
  report.not_run = not_run(run, programs, built.twin.chosen);
  mutation::remove_folder(run.temporary_folder());  // of a run that was killed
  ordinary_build ordinary(run.tree);
  for (const judging_program& each : programs.able) {
    if (system::interrupted()) break;
    if (auto judged = judge(run, built, each, ordinary, memory, report); !judged) {
      run.told.warn(judged.error());
      report.not_run.push_back(judged.error());
      report.is_whole = false;
    }
  }
  mutation::remove_folder(run.temporary_folder());
  if (system::interrupted()) return {};
  if (report.tests.empty() && report.is_whole) return tl::unexpected(why_nobody_judges(report.not_run));
  if (!report.tests.empty() &&
      std::ranges::none_of(report.tests, [](const auto& test) { return test.why_left_out.empty(); }))
    return tl::unexpected(fmt::format("no test can judge mutants: '{}' {}, and so do all others",
                                      report.tests.front().name, report.tests.front().why_left_out));
  return {};
}

/// Reads the sources once more where the build has made what they include, or has configured the twin by another
/// CMakeLists.txt.
result<void> build(const setting& run, prepared_twin& twin, mutation_report& report) {
  if (auto built = build_mutants(run, twin, report); !built) return built;
  const auto built_by = build::read_compile_commands(run.at.binary);
  if ((built_by && *built_by != twin.commands) || !twin.has_included_files) {
    auto again = prepare(run, report);
    if (!again) return tl::unexpected(again.error());
    twin = std::move(*again);
    if (auto built = build_mutants(run, twin, report); !built) return built;
  }
  auto configured = configure_again(run);
  if (!configured) return tl::unexpected(configured.error());
  twin.tree = std::move(*configured);
  return {};
}

result<mutation_report> run_all(const setting& run) {
  mutation_report report;
  report.scope = scope_of(run.asked);
  std::optional<changed_lines> changed;
  if (run.asked.only_changed || !run.asked.since.empty()) {
    auto since = lines_changed_since(run.tree, run.asked.since);
    if (!since) return tl::unexpected(since.error());
    changed = std::move(*since);
  }
  auto twin = prepare(run, report);
  if (!twin) return tl::unexpected(twin.error());
  verdict_memory memory;
  if (!run.asked.forgets) memory = load_verdicts(run.verdicts_file());
  auto content = count_content(run, *twin, report.sources);
  if (!content) return tl::unexpected(content.error());
  listed_mutants listed = list_mutants(run, twin->request, changed, report);
  const judging_programs known_programs = judging_programs_of(twin->tree);
  if (memory.settled == content->digest && (memory.all_killers || !run.asked.all_killers) &&
      recall_all(run, known_programs, listed, memory, report)) {
    report.not_run = not_run(run, known_programs, twin->chosen);
    compare_survivors(run, twin->request, report);
    report.has_all_killers = memory.all_killers;
    if (run.asked.all_killers) keep_kills_in_store(run, report, listed);
    report.run = record_of(run, *twin, *content, report.scope, report::run_end::finished);
    return report;
  }

  // That they are settled again says nothing of mutants that this run leaves out.
  const bool has_known_killers = memory.settled == content->digest && memory.all_killers;
  memory.settled.clear();
  if (auto built = build(run, *twin, report); !built) return tl::unexpected(built.error());
  content = count_content(run, *twin, report.sources);
  if (!content) return tl::unexpected(content.error());
  listed = list_mutants(run, twin->request, changed, report);
  if (auto judged = judge_by_all(run, {*twin, *content, listed}, memory, report); !judged)
    return tl::unexpected(judged.error());

  const bool is_over = report.is_whole && !system::interrupted();
  const unjudged_mutants left = count_unjudged(report, listed);
  const bool is_settled = is_over && left.all == 0;
  if (is_settled) memory.settled = content->digest;
  memory.all_killers = is_settled && run.asked.all_killers && (is_of_all(report) || has_known_killers);
  if (auto saved = save_verdicts(run.verdicts_file(), memory); !saved) return tl::unexpected(saved.error());
  report.has_all_killers = is_over && left.wanted == 0 && run.asked.all_killers;
  if (is_settled && run.asked.all_killers) keep_kills_in_store(run, report, listed);
  compare_survivors(run, twin->request, report);
  const auto ended = run.asked.budget && left.wanted > 0 ? report::run_end::budget : report::run_end::finished;
  report.run = record_of(run, *twin, *content, report.scope, ended);
  return report;
}

}  // namespace

result<mutation_report> run(const build::build_tree& tree, const request& asked, system::observer& told) {
  const auto lock = system::lock_file(tree.own_dir() / "mutate.lock", system::if_locked::refuse);
  if (!lock)
    return tl::unexpected(fmt::format("{}; is another `morph mutate` at work in this build tree?", lock.error()));
  const auto started = std::chrono::steady_clock::now();
  auto report = run_all(setting_of(tree, asked, told));
  if (report) report->seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
  return report;
}

}  // namespace morph::mutating
