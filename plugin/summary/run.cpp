// From evidence of all kinds to rows.
#include "plugin/summary/run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <set>
#include <utility>

#include "plugin/explain/choice.hpp"
#include "plugin/explain/kept.hpp"
#include "plugin/frameworks/junit.hpp"
#include "plugin/frameworks/last_runs.hpp"
#include "plugin/mutating/result.hpp"
#include "plugin/planning/earlier_run.hpp"
#include "plugin/report/explanations.hpp"
#include "plugin/report/mutant_ids.hpp"
#include "plugin/report/run.hpp"
#include "plugin/report/work_tree.hpp"
#include "plugin/system/counted.hpp"
#include "plugin/system/files.hpp"

namespace morph::summary {
namespace {

using planning::full_plan;

constexpr std::size_t short_id = 10;  // as plans show commits

/// Each group's details by how many tests have them.
std::vector<reason_group> groups_of(const full_plan& p) {
  struct tally {
    std::size_t tests = 0;
    std::map<std::string, std::size_t> details;
  };
  std::map<selection::reason_kind, tally> by_kind;
  for (const selection::planned_test& test : p.plan.tests) {
    if (!test.selected) continue;
    const selection::reason_kind kind = test.reasons.front().kind;
    ++by_kind[kind].tests;
    std::set<std::string> own;
    for (const selection::reason& why : test.reasons)
      if (why.kind == kind && row_of(kind).has_detail) own.insert(selection::with_short_names(why.detail));
    for (const std::string& each : own) ++by_kind[kind].details[each];
  }
  std::vector<reason_group> groups;
  for (const auto& [kind, of] : by_kind) {
    reason_group group{std::string(row_of(kind).name), of.tests, {}};
    std::vector<std::pair<std::string, std::size_t>> details(of.details.begin(), of.details.end());
    std::ranges::stable_sort(details, std::greater(), &std::pair<std::string, std::size_t>::second);
    for (auto& [text, tests] : details) group.details.push_back(std::move(text));
    groups.push_back(std::move(group));
  }
  std::ranges::stable_sort(groups, std::greater(), &reason_group::tests);
  return groups;
}

/// Of the tests' output, as far as it is there and of the present content.
std::vector<violated_relation> violations_of(const build::build_tree& tree, const request& asked, std::int64_t began) {
  std::vector<violated_relation> all;
  const auto add = [&](const std::string& test, const std::string& output) {
    for (violated_relation& each : violations_in(output)) {
      each.test = test;
      const bool is_known = std::ranges::any_of(all, [&](const violated_relation& other) {
        return other.spec == each.spec && other.relation == each.relation && other.replay == each.replay;
      });
      if (!is_known) all.push_back(std::move(each));
    }
  };
  for (const std::string& path : asked.reports)
    if (const auto cases = frameworks::read_junit(path))
      for (const frameworks::junit_case& each : *cases)
        if (each.how == frameworks::junit_case::verdict::failed) add(each.name, each.output);
  if (!asked.reports.empty()) return all;
  std::set<std::filesystem::path> folders{tree.binary_dir};
  folders.insert(tree.test_directories.begin(), tree.test_directories.end());
  for (const auto& folder : folders)
    for (const frameworks::run_outcome& each : frameworks::read_last_test_log(folder))
      if (each.failed && each.at >= began) add(each.name, each.output);
  return all;
}

/// Programs of the repository by paths that hold on other machines, too.
void shorten_paths(std::vector<violated_relation>& all, const std::filesystem::path& root) {
  const std::string start = root.string() + '/';
  for (violated_relation& each : all)
    if (each.replay.starts_with(start)) each.replay.erase(0, start.size());
}

/// Distances count from the revision.
std::string base_text(const full_plan& p, const std::string& since) {
  const std::uint32_t distance = p.request.baseline->distance.value_or(0);
  const std::string base = fmt::format("baseline {}", p.facts->info.taken_from.commit.substr(0, short_id));
  return distance == 0 ? base : fmt::format("{}, {} before {}", base, system::counted(distance, "commit"), since);
}

class gathering {
 public:
  gathering(const build::build_tree& tree, const request& asked, system::observer& told)
      : tree_(tree), asked_(asked), told_(told) {}

  contract::outcome<facts> all() {
    if (auto found = find_start(); !found) return tl::unexpected(found.error());
    if (auto planned = add_plan_and_run(); !planned) return tl::unexpected(planned.error());
    if (!made_.since.empty()) {
      add_coverage();
      add_mutants();
    }
    return std::move(made_);
  }

 private:
  contract::outcome<void> find_start() {
    auto repo = git::repository::open(tree_.source_dir);
    const std::string& given = asked_.options.base_revision;
    if (!repo && !given.empty()) return contract::not_done(contract::environment, repo.error());
    if (!repo) return {};
    repo_.emplace(std::move(*repo));
    const std::string revision = given.empty() ? repo_->branch_point().value_or("") : given;
    if (revision.empty()) return {};
    const auto start = repo_->nearest(revision, [](const std::string&) { return true; });
    if (!start) return contract::not_done(contract::usage, start.error());
    constexpr std::size_t whole = 40;
    const bool is_id = revision.size() == whole && revision.find_first_not_of("0123456789abcdef") == revision.npos;
    made_.since = is_id ? revision.substr(0, short_id) : revision;
    return {};
  }

  contract::outcome<std::unique_ptr<full_plan>> plan_since(const std::string& revision, std::int64_t began) const {
    planning::plan_options options = asked_.options;
    options.base_revision = revision;
    if (began > 0) return planning::plan_before(tree_, std::move(options), began);
    auto plan = planning::make_planning(tree_, options);
    if (!plan) return contract::not_done(contract::usage, plan.error());
    return std::move(*plan);
  }

  contract::outcome<void> add_plan_and_run() {
    planning::present_run run;
    if (repo_) {
      auto read = planning::read_present_run(tree_, *repo_, asked_.reports);
      if (!read) return contract::not_done(contract::environment, read.error());
      run = std::move(*read);
    }
    const std::int64_t began = run.verdicts.empty() ? 0 : run.began;
    auto plan = plan_since(made_.since, began);
    if (!plan) return tl::unexpected(plan.error());
    const bool is_since = !made_.since.empty() && (*plan)->request.baseline;
    if (!is_since && !made_.since.empty()) {
      auto nearest = plan_since("", began);
      if (nearest && (*nearest)->request.baseline && !(*nearest)->changes.empty()) plan = std::move(nearest);
    }
    const full_plan& p = **plan;
    made_.planned = {std::string(name_of(p.plan.state)), is_since ? base_text(p, made_.since) : planning::base_text(p),
                     planning::sums_of(p, ""), groups_of(p), p.notes};
    made_.ran = run.verdicts.size();
    for (const auto& [name, verdict] : run.verdicts)
      if (verdict.failed) made_.failed.push_back(name);
    if (!made_.failed.empty()) made_.violated = violations_of(tree_, asked_, began);
    if (repo_) shorten_paths(made_.violated, repo_->root());
    for (const selection::current_test& test : p.request.tests)
      if (p.request.flaky.contains(test.name)) made_.flaky.push_back(test.name);
    const auto has_failed = [&](const std::string& name) { return std::ranges::binary_search(made_.failed, name); };
    std::ranges::stable_partition(made_.flaky, has_failed);
    return {};
  }

  void add_coverage() {
    const std::string what = "changed lines that no test runs";
    if (build::has_probes(tree_)) {
      made_.gaps.push_back({what, {"cmake -DMORPH_EVIDENCE=twin", "morph measure"}});
      return;
    }
    const auto diff = report::coverage_of_changes(tree_, made_.since);
    if (!diff) {
      told_.detail(diff.error());
      made_.gaps.push_back({what, {"morph measure"}});
      return;
    }
    covered_changes covered{diff->totals(), {}};
    report::work_tree_text texts(repo_->root());
    for (const report::diff_file& file : diff->files)
      for (const git::line_range& lines : report::ranges_of(file.not_run))
        covered.not_run.push_back({file.path, lines, texts.line(file.path, lines.first)});
    if (const std::size_t unknown = covered.totals.unknown; unknown > 0)
      made_.gaps.push_back({fmt::format("whether tests run {} that {} not measured yet",
                                        system::counted(unknown, "changed line"), unknown == 1 ? "is" : "are"),
                            {"morph measure"}});
    if (const std::size_t files = covered.totals.unknown_files; files > 0)
      made_.gaps.push_back({fmt::format("who runs {} of no measured program", system::counted(files, "changed file")),
                            {fmt::format("morph report coverage --diff {}", made_.since)}});
    made_.covered = std::move(covered);
  }

  void add_mutants() {
    const gap nothing{"survivors in changed functions", {fmt::format("morph mutate --since {}", made_.since)}};
    auto result = mutating::last_result(tree_);
    const auto changed = mutating::lines_changed_since(tree_, made_.since);
    if (!result || !changed) {
      told_.detail(result ? changed.error() : result.error());
      made_.gaps.push_back(nothing);
      return;
    }
    judged_changes judged;
    std::set<std::string> outdated;
    for (const report::mutated_source& file : result->files) {
      const auto text = system::read_file(tree_.source_dir / file.path);
      if (changed->contains(file.path) && (!text || *text != file.text)) outdated.insert(file.path);
    }
    judged.outdated.assign(outdated.begin(), outdated.end());
    report::keep_files(*result, [&](const std::string& path) { return !outdated.contains(path); });
    judged.mutants = tally_of(*result, *changed);
    add_survivors(judged, *result, *changed);
    if (const std::size_t open = judged.mutants.of(report::mutant_state::not_judged); open > 0)
      made_.gaps.push_back({fmt::format("{} of changed functions", system::counted(open, "mutant")), nothing.commands});
    if (!judged.outdated.empty())
      made_.gaps.push_back({fmt::format("mutants of {} that changed after `morph mutate`",
                                        system::counted(judged.outdated.size(), "file")),
                            nothing.commands});
    else if (judged.mutants.all() + judged.mutants.of(report::mutant_state::not_judged) == 0 && !changed->empty())
      made_.gaps.push_back(nothing);
    made_.judged = std::move(judged);
  }

  static report::mutation_tally tally_of(const report::mutation_result& result,
                                         const mutating::changed_lines& changed) {
    report::mutation_tally tally;
    for (const report::mutated_source& file : result.files)
      for (const report::mutant_result& mutant : file.mutants)
        if (explain::is_changed(file, mutant.begin, mutant.end, changed)) tally.add(mutant.state);
    return tally;
  }

  void add_survivors(judged_changes& judged, const report::mutation_result& result,
                     const mutating::changed_lines& changed) const {
    const auto explained = report::explanations_in(explain::report_path(tree_), result);
    const auto chosen = explain::choose(result, {.among = changed, .most = std::numeric_limits<std::size_t>::max()});
    if (!chosen) return;
    std::set<std::pair<std::uint32_t, std::uint32_t>> pseudo_tested;  // file, begin of the function
    for (const report::mutant_number number : chosen->mutants) {
      const report::mutated_source& file = result.files[number.file];
      const report::mutant_result& mutant = file.mutants[number.mutant];
      survivor one{explain::change_of(result, number), {}};
      if (const auto known = explained.find(one.change.id); known != explained.end() && !known->second.advice.empty())
        one.advice = known->second.advice.front();
      const report::function_result* function = report::function_around(file, mutant);
      const bool is_body = mutant.kind == report::mutant_kind::body && function != nullptr &&
                           function->how == report::tested::pseudo_tested;
      if (!is_body)
        judged.survivors.push_back(std::move(one));
      else if (pseudo_tested.insert({number.file, function->begin}).second)
        judged.pseudo_tested.push_back(std::move(one));
    }
  }

  const build::build_tree& tree_;
  const request& asked_;
  system::observer& told_;
  std::optional<git::repository> repo_;
  facts made_;
};

}  // namespace

contract::outcome<facts> run(const build::build_tree& tree, const request& asked, system::observer& told) {
  return gathering(tree, asked, told).all();
}

}  // namespace morph::summary
