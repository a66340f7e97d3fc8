// A program runs without mutants, its tests are told apart, and then they run with one mutant after the other.
#include "plugin/mutating/judge.hpp"

#include <fmt/format.h>

#include <chrono>
#include <string>
#include <vector>

#include "coverage/mutation/judge.hpp"
#include "plugin/mutating/header_digests.hpp"
#include "plugin/mutating/initial_values.hpp"
#include "plugin/mutating/inputs.hpp"
#include "plugin/mutating/names.hpp"
#include "plugin/mutating/scope.hpp"
#include "plugin/system/cpu_time.hpp"
#include "plugin/system/process.hpp"

namespace morph::mutating {
namespace {

using clock = std::chrono::steady_clock;

constexpr auto time_between_saves = std::chrono::seconds(20);

/// Programs name files as the project has them (-fmacro-prefix-map), or as they are compiled.
std::string in_mirror(const setting& run, const std::string& place) {
  const std::string source = run.tree.source_dir.string() + '/', mirror = run.at.source.string() + '/';
  return place.starts_with(source) && !place.starts_with(mirror) ? mirror + place.substr(source.size()) : place;
}

bool is_decided(const reported_mutant& m, const request& asked) {
  return mutation::is_kill(m.verdict.state) && !asked.all_killers;
}

/// The number of its first one.
std::uint32_t note_tests(const judging_program& of, const program_memory& memory, mutation_report& report) {
  const auto first = static_cast<std::uint32_t>(report.tests.size());
  for (const remembered_test& test : memory.tests())
    report.tests.push_back({of.suite->name, of.name(), test.name, test.why_left_out, test.in_build});
  return first;
}

/// What tests are remembered by: their code, and all else that they may read.
std::vector<remembered_test> tests_of(const setting& run, const judged_build& built, const judging_program& judging,
                                      ordinary_build& ordinary, const mutated_sources& sources,
                                      mutation::program_baseline& baseline) {
  const std::string& target = judging.program->target;
  std::vector<std::string> places;
  for (const mutation::baseline_test& test : baseline.tests) places.push_back(in_mirror(run, test.place));
  const auto contents = test_contents(places, test_sources_of(target, built.twin.chosen, run.tree.source_dir,
                                                              run.at.source, built.content.files, places));
  const std::string headers =
      header_digests(sources, built.twin.request, run.at.binary).of(read_for(target, built.content.dependencies));
  std::vector<remembered_test> tests;
  for (std::size_t t = 0; t < places.size(); ++t) {
    mutation::baseline_test& test = baseline.tests[t];
    const std::string in_build = compare_with_build(ordinary, *judging.suite, *judging.program, test, run.told);
    tests.push_back({test.name, contents[t] + ' ' + headers + ' ' + built.content.data, test.why_not, in_build});
  }
  return tests;
}

std::vector<mutation::judged_mutant> mutants_for(const setting& run, const judged_build& built,
                                                 const program_memory& memory, const mutation_report& report) {
  const auto readers = nodes_that_read(report.sources, built.twin.request, built.content.files);
  std::vector<mutation::judged_mutant> mutants;
  for (std::size_t i = 0; i < report.mutants.size(); ++i) {
    const reported_mutant& m = report.mutants[i];
    const auto& file = report.sources.files[m.file];
    mutants.push_back({file.node_of(m.place),
                       file.switch_of(m.place),
                       m.alternative + 1,
                       mutation::is_compared(file.places.places[m.place], m.alternative),
                       built.listed.wanted[i] && !is_decided(m, run.asked),
                       {},
                       memory.recall(built.listed.remembered_as[i])});
    if (const auto known = readers.find(mutants.back().node); known != readers.end())
      mutants.back().readers = known->second;
  }
  return mutants;
}

}  // namespace

void take_verdict(mutation::mutant_verdict& verdict, const mutation::program_verdict& found, std::uint32_t first_test) {
  const auto weight = [](mutation::mutant_state state) {
    return mutation::is_kill(state)                      ? 3
           : state == mutation::mutant_state::not_judged ? 2
           : state == mutation::mutant_state::survived   ? 1
                                                         : 0;
  };
  if (weight(found.state) > weight(verdict.state)) {
    verdict.state = found.state;
    verdict.detail = found.detail;
    verdict.is_recalled = found.is_recalled;
    verdict.before_first = found.before_first;
  }
  for (const std::uint32_t t : found.killers) verdict.killers.push_back(first_test + t);
  verdict.covering += found.covering;
  verdict.infected += found.infected;
  verdict.unobserved += found.unobserved;
  verdict.ran += found.ran;
  verdict.cpu_us += found.cpu_us;
}

bool recall_all(const setting& run, const judging_programs& programs, const listed_mutants& listed,
                const verdict_memory& memory, mutation_report& report) {
  for (const judging_program& each : programs.able) {
    const auto known_program = memory.programs.find(each.name());
    if (known_program == memory.programs.end()) return false;
    const std::uint32_t first_test = note_tests(each, known_program->second, report);
    for (std::size_t i = 0; i < report.mutants.size(); ++i) {
      if (is_decided(report.mutants[i], run.asked)) continue;
      const auto known = known_program->second.recall(listed.remembered_as[i]);
      if (!known) return false;
      take_verdict(report.mutants[i].verdict, *known, first_test);
    }
  }
  return true;
}

result<void> judge(const setting& run, const judged_build& built, const judging_program& judging,
                   ordinary_build& ordinary, verdict_memory& all_memory, mutation_report& report) {
  mutation::mutant_program what = mutant_program_of(*judging.suite, *judging.program);
  what.temporary = run.temporary_folder().string();
  mutation::run_limits limits = run.limits;
  limits.jobs = jobs_for(*judging.suite, run.limits.jobs);
  const double before = system::cpu_seconds();
  run.told.begin(0, "tests");
  auto baseline = mutation::run_baseline(what, limits, [&] { run.told.step("running tests without mutants"); });
  run.told.end();
  const auto failed = [&](const std::string& error) {
    return tl::unexpected(fmt::format("suite '{}': {}", judging.suite->name, error));
  };
  if (!baseline) return failed(baseline.error());
  if (system::interrupted()) return {};
  if (baseline->tests.empty()) {
    report.not_run.push_back(
        fmt::format("suite '{}': '{}' has no tests", judging.suite->name, judging.program->target));
    return {};
  }

  program_memory& memory = all_memory.programs[judging.name()];
  memory.begin_run(conditions_of(run.tree, *judging.suite, built.twin.commands, run.limits, built.content.foreign));
  memory.set_tests(tests_of(run, built, judging, ordinary, report.sources, *baseline));
  const std::uint32_t first_test = note_tests(judging, memory, report);
  auto mutants = mutants_for(run, built, memory, report);
  const double between = system::cpu_seconds();
  report.cpu_baseline += between - before;

  run.told.begin(mutants.size(), "mutants");
  auto saved_at = clock::now();
  const auto remember = [&] {
    mutation::note_unobserved(*baseline, mutants);
    for (std::size_t i = 0; i < mutants.size(); ++i) memory.remember(built.listed.remembered_as[i], mutants[i].found);
  };
  auto judged = mutation::judge_mutants(what, *baseline, limits, mutants, [&] {
    run.told.step("judging " + judging.program->target);
    if (clock::now() - saved_at < time_between_saves) return;
    remember();
    if (auto saved = save_verdicts(run.verdicts_file(), all_memory); !saved) run.told.warn(saved.error());
    saved_at = clock::now();
  });
  run.told.end();
  remember();
  for (std::size_t i = 0; i < mutants.size(); ++i)
    if (!is_decided(report.mutants[i], run.asked))
      take_verdict(report.mutants[i].verdict, mutants[i].found, first_test);
  report.cpu_judge += system::cpu_seconds() - between;
  if (!judged) return failed(judged.error());
  return {};
}

}  // namespace morph::mutating
