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

#include "plugin/changes/code_changes.hpp"
#include "plugin/changes/file_readers.hpp"
#include "plugin/frameworks/ctest_tests.hpp"
#include "plugin/frameworks/ctest_verdict.hpp"
#include "plugin/planning/before_build.hpp"
#include "plugin/selection/rules.hpp"
#include "plugin/system/regular_expression.hpp"
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

std::vector<std::string> list_property(const build::suite& suite, std::string_view property) {
  for (const auto& [name, value] : suite.properties)
    if (name == property) return frameworks::split_list(value);
  return {};
}

/// Names that occur in several programs. (Catch2 and doctest allow several cases of one name in a program; ctest runs
/// all of them under it, and their evidence is of all of them.)
void note_duplicates(full_plan& p) {
  using program = std::pair<std::uint32_t, std::string>;
  std::map<std::string, std::vector<program>> users;
  std::vector<std::pair<std::pair<program, program>, std::vector<std::string>>> shared;
  for (const auto& test : p.request.tests) {
    auto& programs = users[test.name];
    const program own{test.suite, test.target};
    if (std::find(programs.begin(), programs.end(), own) != programs.end()) continue;
    programs.push_back(own);
    if (programs.size() != 2) continue;
    const std::pair both{programs[0], programs[1]};
    auto found = std::find_if(shared.begin(), shared.end(), [&](const auto& s) { return s.first == both; });
    if (found == shared.end()) found = shared.insert(shared.end(), {both, {}});
    found->second.push_back(test.name);
  }
  const auto name_of = [&](const program& of) {
    const std::string& suite = p.request.suites[of.first].name;
    return suite == of.second ? fmt::format("'{}'", suite) : fmt::format("'{}' ({})", suite, of.second);
  };
  for (const auto& [both, tests] : shared)
    p.notes.push_back(
        fmt::format("{} in both {} and {}; ctest cannot tell them apart, they always run. Give one suite a TEST_PREFIX",
                    tests.size() == 1 ? fmt::format("test '{}' occurs", tests[0])
                                      : fmt::format("'{}' and {} more test names occur", tests[0], tests.size() - 1),
                    name_of(both.first), name_of(both.second)));
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

/// From p.suites to suites and tests of the request.
result<void> request_suites(full_plan& p, const git::repository* repo, const plan_options& options) {
  for (std::uint32_t s = 0; s < p.suites.size(); ++s) {
    const workspace::listed_suite& listed = p.suites[s];
    const build::suite& declared = *listed.declared;
    auto how = selection::parse_policy(options.policy.empty() ? declared.policy : options.policy);
    if (!how) return tl::unexpected(how.error());
    if (p.request.head && p.request.head->run_all) how = selection::chosen_policy{selection::policy::all};
    // Which tests need not run is known after the build.
    if (options.before_build && (how->how == selection::policy::minimal || how->how == selection::policy::risk))
      how = selection::chosen_policy{};
    const bool is_listed = listed.whole() || (options.before_build && !declared.is_adopted());
    selection::current_suite current{declared.name, *how, {}, is_listed, declared.is_adopted()};
    for (const std::string& expression : declared.always) {
      const bool valid = system::pattern::compile(expression).has_value();
      if (!valid)
        p.notes.push_back(fmt::format("suite '{}': ALWAYS '{}' is not a regular expression; its tests all run",
                                      declared.name, expression));
      current.always.push_back(valid ? expression : ".*");
    }
    p.request.suites.push_back(std::move(current));
    for (std::size_t i = 0; i < listed.programs.size(); ++i) {
      const frameworks::listed_program& program = listed.programs[i];
      if (program.how != frameworks::listed_program::state::listed) {
        const bool built = program.how == frameworks::listed_program::state::failed;
        p.notes.push_back(program.message + (built ? "; the suite runs as a whole" : ""));
        p.listing_failed = p.listing_failed || !options.before_build;
      }
      for (const frameworks::listed_case& c : program.cases) {
        if (c.disabled) continue;
        const std::string file = repo != nullptr && !c.file.empty() ? repo->name_of(c.file) : std::string();
        selection::current_test test{s, declared.programs[i].target, c.case_name, c.name, file};
        test.line = c.line;
        const auto list = [&](const char* property) {
          return c.entry ? c.entry->list(property) : list_property(declared, property);
        };
        test.depends = list("DEPENDS");
        test.fixtures_required = list("FIXTURES_REQUIRED");
        test.fixtures_set_up = list("FIXTURES_SETUP");
        if (c.entry) {
          test.built = options.before_build || !c.entry->command.empty();
          if (repo != nullptr)
            for (const fs::path& path : frameworks::named_paths(*c.entry))
              if (std::string named = repo->relative(path); !named.empty()) test.named.push_back(std::move(named));
        }
        p.request.tests.push_back(std::move(test));
      }
    }
  }
  note_duplicates(p);
  return {};
}

/// `p` may not move afterwards.
void start_from(full_plan& p, workspace::found_baseline found, const build::build_tree& tree,
                const git::repository& repo, const selection::file_kinds& kinds, evidence_store& evidence,
                bool before_build = false) {
  const auto code = before_build ? tl::unexpected(std::string("this plan is made before the build"))
                                 : changes::compare_object_code(tree, repo, kinds, evidence, found, p.left_out.files);
  if (!found.changes.empty()) p.by_lines = code ? code->stale : code.error();
  p.facts = std::move(found.facts);
  const auto data = data_globs(tree, repo);
  const selection::change_facts facts = changes::facts_of(tree, repo, kinds, found.changes);
  if (code)
    std::copy_if(code->explained.begin(), code->explained.end(),
                 std::inserter(p.for_tests_alone, p.for_tests_alone.end()), [&](const std::string& path) {
                   return kinds.kind_of(path) == selection::file_kind::unknown && facts.read_by_build.count(path) == 0;
                 });
  p.request.baseline.emplace(selection::plan_request::base{
      &*p.facts, found.distance,
      selection::assess(*p.facts, found.changes, kinds, data, workspace::changed_inputs(*p.facts, tree, repo, kinds),
                        code ? &*code : nullptr, facts)});
  p.facts->info.taken_from.commit = found.commit;
  p.baseline_days = found.days;
  p.changes = std::move(found.changes);
  if (before_build) widen_to_links(p, tree, repo, kinds);
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

/// What the overlay's evidence selects although the base does not. That it does not know a test says nothing.
void add_by_overlay(full_plan& p, evidence_store& overlay, const build::build_tree& tree, const git::repository& repo,
                    const selection::file_kinds& kinds, const plan_options& options) {
  auto found = workspace::find_baseline(tree, repo, overlay, kinds, {options.base_revision, options.approximate});
  if (!found) return;
  full_plan own;
  own.request = p.request;
  own.request.budget_seconds.reset();
  own.request.added.clear();
  own.request.past.clear();
  for (auto& suite : own.request.suites) suite.how = {};
  own.left_out = p.left_out;
  start_from(own, std::move(*found), tree, repo, kinds, overlay, options.before_build);
  const selection::plan plan = selection::make_plan(own.request);
  for (const selection::planned_test& test : plan.tests)
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
  p.request.failed = workspace::verdicts_of(tree, &evidence).failed;
  start_from(p, std::move(*found), tree, repo, kinds, evidence);
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
  std::optional<workspace::found_baseline> found;
  if (repo) kinds.emplace(repo->root(), tree.ignore);
  evidence_store* base = nullptr;
  if (kinds) {
    auto nearest = workspace::find_nearest(tree, around, *kinds, {options.base_revision, options.approximate, true});
    if (nearest) {
      found.emplace(std::move(nearest->found));
      base = nearest->from;
      p->is_learned = around.learned && base == &*around.learned;
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
  workspace::known_verdicts verdicts =
      workspace::verdicts_of(tree, evidence ? &*evidence : nullptr, overlay, *failed_within);
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
    start_from(*p, std::move(*found), tree, *repo, *kinds, *base, options.before_build);
    if (overlay != nullptr) {
      const auto without = p->request.added;
      add_by_overlay(*p, *overlay, tree, *repo, *kinds, options);
      keep_what_runs_without(
          *p, without, workspace::verdicts_of(tree, evidence ? &*evidence : nullptr, nullptr, *failed_within), options);
    }
  }
  if (repo && (options.orders_waiting || has_order_without_change(p->request)))
    p->request.churn = repo->churn(commits_of_churn);
  if (!no_baseline.empty()) p->notes.insert(p->notes.begin(), fmt::format("everything runs: {}", no_baseline));
  p->plan = selection::make_plan(p->request);
  note_unsteady(*p);
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
