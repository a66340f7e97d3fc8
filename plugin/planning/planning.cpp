// Making it: suites and tests as they are now, evidence and changes, then the rules.
#include "plugin/planning/planning.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <iterator>
#include <map>
#include <memory>
#include <set>
#include <tuple>

#include "plugin/changes/code_changes.hpp"
#include "plugin/changes/file_readers.hpp"
#include "plugin/changes/text_changes.hpp"
#include "plugin/frameworks/listing.hpp"
#include "plugin/planning/before_build.hpp"
#include "plugin/planning/current_tests.hpp"
#include "plugin/selection/rules.hpp"
#include "plugin/workspace/baseline.hpp"
#include "plugin/workspace/changed_inputs.hpp"
#include "plugin/workspace/opened.hpp"
#include "plugin/workspace/verdict_history.hpp"

namespace morph::planning {
namespace {

namespace fs = std::filesystem;
using build::build_tree;
using git::repository;
using store::evidence_store;

}  // namespace

result<std::optional<double>> parse_budget(const std::string& text) {
  if (text.empty()) return std::nullopt;
  double seconds = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), seconds);
  if (error != std::errc() || end != text.data() + text.size() || !(seconds >= 0))
    return tl::unexpected(fmt::format("budget '{}' is not a number of seconds; write for example 30 or 2.5", text));
  return seconds;
}

result<std::uint32_t> parse_failed_within(const std::string& text) {
  std::uint32_t runs = 1;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), runs);
  if (text.empty()) return 1;
  if (error != std::errc() || end != text.data() + text.size() || runs == 0)
    return tl::unexpected(
        fmt::format("'{}' is no number of runs; write 1 (until it passes, the default) or more, up to {}", text,
                    store::kept_outcomes));
  return runs;
}

result<std::uint32_t> parse_times(const std::string& text) {
  std::uint32_t times = 3;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), times);
  if (text.empty()) return 3;
  if (error != std::errc() || end != text.data() + text.size() || times == 0)
    return tl::unexpected(fmt::format("'{}' is no number of times; write 1 or more (the default: 3)", text));
  return times;
}

namespace {

/// DATA globs of files in the repository, relative to it. Of a folder what is in it.
std::vector<selection::suite_data> data_globs(const build::build_tree& tree, const git::repository& repo) {
  std::vector<selection::suite_data> result;
  for (const build::suite& s : tree.suites) {
    selection::suite_data data{s.name, {}};
    for (const std::string& glob : s.data)
      if (std::string relative = repo.relative(glob); !relative.empty()) {
        if (std::error_code error; !relative.ends_with('/') && fs::is_directory(glob, error)) relative += '/';
        data.globs.push_back(std::move(relative));
      }
    if (!s.pool.empty()) data.pool = repo.relative(s.pool);
    if (!data.globs.empty() || !data.pool.empty()) result.push_back(std::move(data));
  }
  return result;
}

/// What audits of this configuration saw, each content once: of the store that one trusts.
std::vector<optimizer::found_fault> known_faults(evidence_store& evidence, const build::build_tree& tree) {
  std::vector<optimizer::found_fault> known;
  const auto audits = evidence.audits();
  if (!audits) return known;
  std::set<std::string> contents;
  for (const store::audit& a : *audits)
    if (a.found_first > 0 && a.found_first <= a.found_among && a.configuration == workspace::configuration_id(tree) &&
        contents.insert(a.content).second)
      known.push_back({a.found_first, a.found_among});
  return known;
}

/// `p` may not move afterwards.
void start_from(full_plan& p, workspace::found_baseline found, const build::build_tree& tree,
                const std::vector<workspace::listed_suite>& suites, const git::repository& repo,
                const selection::file_kinds& kinds, evidence_store& evidence, bool before_build = false) {
  const selection::change_facts facts = changes::facts_of(tree, repo, kinds, found.changes);
  const auto code = before_build ? tl::unexpected(std::string("this plan is made before the build"))
                                 : changes::compare_object_code(tree, repo, kinds, evidence, found, p.left_out.files);
  if (!found.changes.empty()) p.by_lines = code ? code->stale : code.error();
  const bool is_partly_built = before_build || !p.left_out.files.empty();
  changes::text_changes of_texts;
  // Lines tell more than texts, where they were counted.
  if (is_partly_built || (!p.by_lines.empty() && build::has_probes(tree)))
    of_texts = changes::read_texts(tree, repo, kinds, found, facts);
  selection::code_changes known = code ? *code : selection::code_changes();
  for (const auto& [path, changes] : of_texts.explained) {
    const bool lines_tell_more = !changes.empty() && !is_partly_built;
    if (lines_tell_more || !known.explained.insert(path).second) continue;
    known.changes.insert(known.changes.end(), changes.begin(), changes.end());
  }
  p.facts = std::move(found.facts);
  const auto data = data_globs(tree, repo);
  if (code)
    std::copy_if(code->explained.begin(), code->explained.end(),
                 std::inserter(p.for_tests_alone, p.for_tests_alone.end()), [&](const std::string& path) {
                   return kinds.kind_of(path) == selection::file_kind::unknown && facts.read_by_build.count(path) == 0;
                 });
  p.request.baseline.emplace(
      selection::plan_request::base{&*p.facts, found.distance,
                                    selection::assess(*p.facts, found.changes, kinds, data,
                                                      workspace::changed_inputs(*p.facts, tree, suites, repo, kinds),
                                                      code || !known.explained.empty() ? &known : nullptr, facts)});
  p.facts->info.taken_from.commit = found.commit;
  p.baseline_days = found.days;
  p.changes = std::move(found.changes);
  if (before_build) widen_to_links(p, tree, repo, kinds, of_texts);
}

/// What is selected has to be there: then what the build left out is missing.
void refuse_left_out(full_plan& p) {
  if (p.left_out.programs.empty()) return;
  for (const selection::planned_test& planned : p.plan.tests) {
    const selection::current_test& test = p.request.tests[planned.test];
    if (!planned.selected || p.left_out.programs.count({p.request.suites[test.suite].name, test.target}) == 0) continue;
    workspace::listed_suite& suite = p.suites[test.suite];
    for (std::size_t i = 0; i < suite.programs.size(); ++i) {
      const bool is_news = suite.programs[i].how == frameworks::listed_program::state::listed;
      if (suite.declared->programs[i].target != test.target || !is_news) continue;
      suite.programs[i].how = frameworks::listed_program::state::not_built;
      p.listing_failed = true;
      p.notes.push_back(
          fmt::format("suite '{}': '{}' was left out of the build, but test '{}' is selected now; build it",
                      suite.declared->name, test.target, test.name));
    }
  }
}

/// The same tests by another measurement, whatever policies, verdicts and the baseline say of them. `own` may not move
/// afterwards.
selection::plan plan_by(full_plan& own, const full_plan& p, workspace::found_baseline other, const build_tree& tree,
                        const repository& repo, const selection::file_kinds& kinds, evidence_store& from,
                        bool before_build) {
  own.request.suites = p.request.suites;
  for (auto& suite : own.request.suites) suite.how = {};
  own.request.tests = p.request.tests;
  own.left_out = p.left_out;
  start_from(own, std::move(other), tree, p.suites, repo, kinds, from, before_build);
  return selection::make_plan(own.request);
}

/// What the overlay's evidence selects although the base does not. That it does not know a test says nothing.
void add_by_overlay(full_plan& p, evidence_store& overlay, const build_tree& tree, const repository& repo,
                    const selection::file_kinds& kinds, const plan_options& options) {
  auto found = workspace::find_baseline(tree, repo, overlay, kinds, {options.base_revision, options.approximate});
  if (!found) return;
  full_plan own;
  for (const selection::planned_test& test :
       plan_by(own, p, std::move(*found), tree, repo, kinds, overlay, options.before_build).tests)
    for (const selection::reason& why : test.reasons) {
      using selection::reason_kind;
      const bool counts = why.kind == reason_kind::changed_code || why.kind == reason_kind::changed_data ||
                          why.kind == reason_kind::changed_environment || why.kind == reason_kind::changed_build;
      if (!counts) continue;
      p.request.added[test.test].push_back(why);
      p.request.added[test.test].back().because += selection::by_overlay;
      p.request.added[test.test].back().executed = false;  // of what the base does not know
    }
}

constexpr std::size_t most_others = 3;  // each is compared with the build once more

using test_name = std::tuple<std::string, std::string, std::string>;  // suite, target, case

/// By name, tests that would run because of a change.
std::map<test_name, std::uint32_t> affected_tests(const full_plan& p) {
  std::map<test_name, std::uint32_t> affected;
  for (const selection::planned_test& t : selection::make_plan(p.request).tests) {
    const selection::current_test& test = p.request.tests[t.test];
    if (t.selected && selection::is_affected(t))
      affected[{p.request.suites[test.suite].name, test.target, test.case_name}] = t.test;
  }
  return affected;
}

bool says_nothing_changed(const selection::impact& of_changes) {
  return of_changes.counted == 0 && of_changes.of_everything.empty();
}

/// Takes from `affected` the tests that another measurement says to be unaffected. Whether it is of what is built now.
bool ask(full_plan& p, workspace::found_baseline other, evidence_store& from, const build_tree& tree,
         const repository& repo, const selection::file_kinds& kinds, std::map<test_name, std::uint32_t>& affected) {
  const std::string commit = other.commit;
  full_plan own;
  const selection::plan by_other = plan_by(own, p, std::move(other), tree, repo, kinds, from, false);
  other_rows rows;
  for (const auto& [name, test] : affected)
    if (!by_other.tests[test].selected) {
      rows.tests.insert(test);
      p.request.unaffected_since[test] = commit;
    }
  std::erase_if(affected, [&](const auto& test) { return rows.tests.contains(test.second); });
  const bool is_of_present = own.changes.empty() && says_nothing_changed(own.request.baseline->of_changes);
  if (!rows.tests.empty()) {
    rows.facts = std::move(*own.facts);
    p.others.push_back(std::move(rows));
  }
  return is_of_present;
}

/// A row says as much wherever the commit lies on which the test passed: on another branch, before a rebase, before a
/// change that was taken back in part. A test that the baseline selects is unaffected if it is by any measurement that
/// has a row of another run of it.
void ask_others(full_plan& p, const build_tree& tree, workspace::surroundings& around,
                const selection::file_kinds& kinds, std::optional<workspace::found_baseline> present,
                evidence_store* present_from) {
  std::map<test_name, std::uint32_t> affected = affected_tests(p);
  if (affected.empty()) return;
  if (present) {
    const std::int64_t id = present->facts.info.id;
    const bool is_learned = around.learned && present_from == &*around.learned;
    if (ask(p, std::move(*present), *present_from, tree, *around.repo, kinds, affected) && is_learned) p.continues = id;
    if (affected.empty()) return;
  }
  std::map<test_name, store::run_of_row> known;
  for (const store::measured_test& t : p.facts->tests)
    if (const store::measured_program& program = p.facts->programs[t.program]; t.measured && !t.is_startup())
      known[{program.suite, program.target, t.case_name}] = store::run_of(t, p.facts->info);
  const auto has_other_rows = [&](evidence_store& store, const store::measurement_info& m) {
    const auto recorded = store.recorded(m);
    return recorded && std::any_of(recorded->begin(), recorded->end(), [&](const auto& row) {
             const auto at = known.find(row.first);
             return affected.contains(row.first) && (at == known.end() || at->second != row.second);
           });
  };
  const bool has_rows =
      std::all_of(affected.begin(), affected.end(), [&](const auto& test) { return known.contains(test.first); });
  auto others = workspace::find_others(tree, around, kinds, p.facts->info,
                                       has_rows ? p.changes : std::vector<git::file_change>(), has_other_rows);
  if (others.size() > most_others) others.resize(most_others);
  for (workspace::other_measurement& other : others) {
    if (affected.empty()) return;
    auto facts = other.from->load(other.info.id);
    if (!facts) continue;
    ask(p, {std::move(*facts), other.info.taken_from.commit, std::nullopt, std::nullopt, std::move(other.changes)},
        *other.from, tree, *around.repo, kinds, affected);
  }
}

/// What the overlay adds takes no other test's place: whatever runs without it runs. `added`, `verdicts`: without it.
void keep_what_runs_without(full_plan& p, const std::map<std::uint32_t, std::vector<selection::reason>>& added,
                            workspace::known_verdicts verdicts, const plan_options& options) {
  const auto& suites = p.request.suites;
  const bool runs_all = !p.request.budget_seconds && std::none_of(suites.begin(), suites.end(), [](const auto& suite) {
    return suite.how.how == selection::policy::minimal || suite.how.how == selection::policy::risk;
  });
  if (runs_all) return;
  selection::plan_request without = p.request;
  without.added = added;
  without.failed = options.failed ? *options.failed : std::move(verdicts.failed);
  without.flaky = std::move(verdicts.flaky);
  without.past = std::move(verdicts.past);
  for (const selection::planned_test& t : selection::make_plan(without).tests)
    if (t.selected) p.request.kept.insert(t.test);
}

/// Where probes say nothing again and again, counters may.
void note_unprobed(full_plan& p, evidence_store& learned) {
  constexpr std::size_t runs_in_vain = 3;
  const auto runs = learned.measured_in_vain();
  if (!runs) return;
  std::set<std::pair<std::string, std::string>> programs;
  for (const selection::planned_test& t : p.plan.tests) {
    const selection::current_test& test = p.request.tests[t.test];
    if (std::any_of(t.reasons.begin(), t.reasons.end(),
                    [](const auto& why) { return why.kind == selection::reason_kind::incomplete_evidence; }))
      programs.insert({p.request.suites[test.suite].name, test.target});
  }
  for (const auto& [suite, target] : programs)
    if (const auto at = runs->find({suite, target}); at != runs->end() && at->second >= runs_in_vain)
      p.notes.push_back(
          fmt::format("suite '{}': {} runs have not shown which functions tests of '{}' enter, so these always run "
                      "(`morph doctor` says why); a build tree with -DMORPH_EVIDENCE=twin counts lines instead",
                      suite, at->second, target));
}

/// Nothing selects them for it, so it is said.
void note_unsteady(full_plan& p) {
  std::vector<std::string> names;
  for (const selection::planned_test& t : p.plan.tests)
    if (!t.selected && std::find(t.marks.begin(), t.marks.end(), selection::unsteady_mark) != t.marks.end())
      names.push_back(p.request.tests[t.test].name);
  if (names.empty()) return;
  p.notes.push_back(fmt::format(
      "{} did not execute the same in each run (unsteady); {} unaffected as far as these runs tell, which is no proof",
      names.size() == 1 ? fmt::format("'{}'", names.front())
                        : fmt::format("'{}' and {} more tests", names.front(), names.size() - 1),
      names.size() == 1 ? "it is" : "they are"));
}

constexpr std::size_t commits_of_churn = 100;  // more tell no more (docs/proofs.md), and take their time

/// Tests run whatever changed, so that coverage of the change tells little of which to run first.
bool has_order_without_change(const selection::plan_request& request) {
  return request.baseline && (!request.baseline->of_changes.of_everything.empty() ||
                              std::any_of(request.suites.begin(), request.suites.end(),
                                          [](const auto& suite) { return suite.how.how == selection::policy::all; }));
}

}  // namespace

result<full_plan> plan_refresh(const build::build_tree& tree, const git::repository& repo, evidence_store& evidence,
                               std::vector<workspace::listed_suite> suites) {
  const selection::file_kinds kinds(repo.root(), tree.ignore);
  auto found = workspace::find_baseline(tree, repo, evidence, kinds, {});
  if (!found) return tl::unexpected(found.error());
  if (!found->facts.info.complete) return tl::unexpected(std::string("the nearest measurement is not complete"));
  full_plan p;
  p.suites = std::move(suites);
  plan_options safe;
  safe.policy = "safe";
  if (auto requested = request_suites(p, &repo, safe); !requested) return tl::unexpected(requested.error());
  workspace::known_verdicts verdicts = workspace::verdicts_of(tree, &evidence);
  workspace::follow_names(verdicts, p.suites);
  p.request.failed = std::move(verdicts.failed);
  start_from(p, std::move(*found), tree, p.suites, repo, kinds, evidence);
  p.plan = selection::make_plan(p.request);
  p.request.baseline->facts = nullptr;  // p may move
  return p;
}

result<std::unique_ptr<full_plan>> make_planning(const build::build_tree& tree, const plan_options& options) {
  auto p = std::make_unique<full_plan>();
  auto budget = parse_budget(options.budget_seconds);
  if (!budget) return tl::unexpected(budget.error());
  const auto failed_within = parse_failed_within(options.failed_within);
  if (!failed_within) return tl::unexpected(failed_within.error());
  p->request.budget_seconds = *budget;

  p->request.failed_within = *failed_within;
  const auto times = parse_times(options.times);
  if (!times) return tl::unexpected(times.error());
  p->request.times_covered = *times;

  workspace::surroundings around = workspace::open_surroundings(tree);
  std::optional<git::repository>& repo = around.repo;
  std::optional<evidence_store>& evidence = around.evidence;
  std::string no_baseline = around.missing;
  p->request.head = around.head;

  std::optional<selection::file_kinds> kinds;
  std::optional<workspace::found_baseline> found, present;
  evidence_store* present_from = nullptr;
  if (repo) kinds.emplace(repo->root(), tree.ignore);
  evidence_store* base = nullptr;
  if (kinds) {
    const bool asks_others = !options.before_build && options.base_revision.empty();
    auto nearest =
        workspace::find_nearest(tree, around, *kinds, {options.base_revision, options.approximate, true, asks_others});
    if (nearest) {
      found.emplace(std::move(nearest->found));
      base = nearest->from;
      present = std::move(nearest->present);
      present_from = nearest->present_from;
      no_baseline.clear();
    } else if (no_baseline.empty()) {
      no_baseline = nearest.error();
    }
  }
  if (found && !options.before_build) p->left_out = left_out_of_build(tree, *repo, *kinds);
  p->suites = workspace::list_suites(tree, [&](const build::suite& suite, const build::test_program& program) {
    const bool unseen = options.before_build || p->left_out.programs.count({suite.name, program.target}) != 0;
    return unseen ? remembered_program(tree, suite, program, found ? &found->facts : nullptr)
                  : frameworks::list_program(tree, suite, program);
  });
  if (auto requested = request_suites(*p, repo ? &*repo : nullptr, options); !requested)
    return tl::unexpected(requested.error());
  if (!around.unread_overlay.empty())
    p->notes.push_back(fmt::format("the overlay adds nothing: {}", around.unread_overlay));

  evidence_store* const overlay = around.overlay ? &*around.overlay : nullptr;
  const auto verdicts_by = [&](evidence_store* also) {
    auto known = workspace::verdicts_of(tree, evidence ? &*evidence : nullptr, also, *failed_within);
    workspace::follow_names(known, p->suites);
    return known;
  };
  workspace::known_verdicts verdicts = verdicts_by(overlay);
  p->request.failed = std::move(verdicts.failed);
  p->request.flaky = std::move(verdicts.flaky);
  p->request.past = std::move(verdicts.past);
  if (options.before)
    for (auto& [name, past] : p->request.past)
      std::erase_if(past, [&](const selection::past_verdict& v) { return v.at >= *options.before; });
  if (options.failed) p->request.failed = *options.failed;
  if (found) {
    const std::string& measured = found->facts.info.configuration;
    if (measured == build::approximate(tree.configuration)) {
      p->notes.push_back("the baseline was measured with isolation none: affected tests may be missing");
    } else if (measured != tree.configuration) {
      p->notes.push_back(fmt::format("the baseline was measured with other options ({}); what they change is compared",
                                     fmt::join(build::differences(measured, tree.configuration), ", ")));
      if (const auto stored = base->histories(workspace::configuration_id(measured)); stored && !options.failed)
        for (const auto& [name, history] : *stored)
          if (history.latest.failed) p->request.failed.insert(name);
    }
    const auto& suites = p->request.suites;
    if (std::any_of(suites.begin(), suites.end(), [](const auto& s) { return s.how.how == selection::policy::risk; }))
      p->request.known_faults = known_faults(evidence ? *evidence : *base, tree);
    start_from(*p, std::move(*found), tree, p->suites, *repo, *kinds, *base, options.before_build);
    const bool is_of_present = p->changes.empty() && says_nothing_changed(p->request.baseline->of_changes);
    if (around.learned && base == &*around.learned && is_of_present) p->continues = p->facts->info.id;
    if (build::has_probes(tree) && !options.before_build && options.base_revision.empty())
      ask_others(*p, tree, around, *kinds, std::move(present), present_from);
    if (overlay != nullptr) {
      const auto without = p->request.added;
      add_by_overlay(*p, *overlay, tree, *repo, *kinds, options);
      keep_what_runs_without(*p, without, verdicts_by(nullptr), options);
    }
  }
  if (repo && (options.orders_waiting || has_order_without_change(p->request)))
    p->request.churn = repo->churn(commits_of_churn);
  if (!no_baseline.empty()) p->notes.insert(p->notes.begin(), fmt::format("everything runs: {}", no_baseline));
  p->plan = selection::make_plan(p->request);
  note_unsteady(*p);
  if (around.learned && build::has_probes(tree)) note_unprobed(*p, *around.learned);
  if (p->plan.coverage_misleads)
    p->notes.emplace_back(
        "orders by covered lines found the failures of recorded runs later than chance would have: tests that nothing "
        "else tells apart go by how often they failed");
  if (options.before_build) {
    p->needs = needs_of(*p, tree);
    if (repo)
      if (const auto kept = remember_left_out(*p, tree, *repo, *kinds); !kept)
        p->notes.push_back(fmt::format("plans after the build will miss what is left out: {}", kept.error()));
  } else {
    refuse_left_out(*p);
  }
  return p;
}

}  // namespace morph::planning
