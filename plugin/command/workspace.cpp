// Opening the user's world; gathering what a plan is made from.
#include "plugin/command/workspace.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <iterator>
#include <memory>

#include "plugin/command/before_build.hpp"
#include "plugin/command/object_code.hpp"
#include "plugin/command/readers.hpp"
#include "plugin/command/test_inputs.hpp"
#include "plugin/command/variables.hpp"
#include "plugin/command/watched_files.hpp"
#include "plugin/project/adopted.hpp"
#include "plugin/project/batch.hpp"
#include "plugin/project/pattern.hpp"
#include "plugin/project/verdict.hpp"
#include "plugin/selection/rules.hpp"

namespace morph::command {
namespace {

namespace fs = std::filesystem;
using project::build_tree;
using project::repository;
using store::evidence_store;

std::string hint(const build_tree& tree) {
  return fmt::format("run `cmake --build {}{} --target morph-measure`", tree.binary_dir.string(),
                     tree.config.empty() ? "" : " --config " + tree.config);
}

/// How far two contents are apart, in lines; a file as a whole counts as many.
std::uint64_t size_of(const std::vector<project::file_change>& changes) {
  constexpr std::uint64_t whole_file = 1000;
  std::uint64_t size = 0;
  for (const auto& change : changes) {
    if (change.hunks.empty()) size += whole_file;
    for (const auto& hunk : change.hunks) size += hunk.old_count + hunk.new_count;
  }
  return size;
}

project::result<std::vector<project::file_change>> changes_since(const store::measurement_info& measured,
                                                                 const repository& repo, evidence_store& evidence,
                                                                 const selection::file_kinds& kinds,
                                                                 watched_files& watched) {
  std::vector<project::replaced_file> replaced;
  for (const auto& file : measured.taken_from.overrides) {
    if (is_watched_apart(file.path)) continue;
    project::replaced_file old{file.path, std::nullopt};
    if (file.blob) {
      auto content = evidence.blob(*file.blob);
      if (!content) return tl::unexpected(content.error());
      old.content = std::move(*content);
    }
    replaced.push_back(std::move(old));
  }
  auto changes = repo.changes_since(measured.taken_from.tree, replaced,
                                    [&](const std::string& path) { return kinds.counts_untracked(path); });
  if (!changes) return changes;
  auto apart = watched.changes_since(measured.taken_from.overrides, evidence);
  if (!apart) return apart;
  changes->insert(changes->end(), std::move_iterator(apart->begin()), std::move_iterator(apart->end()));
  return changes;
}

}  // namespace

project::result<found_baseline> find_baseline(const build_tree& tree, const repository& repo, evidence_store& evidence,
                                              const selection::file_kinds& kinds, const std::string& base_revision,
                                              bool approximate, bool other_options) {
  const auto measurements = evidence.measurements();
  if (!measurements) return tl::unexpected(measurements.error());
  if (measurements->empty()) return tl::unexpected(fmt::format("nothing was measured yet; {}", hint(tree)));
  std::vector<store::measurement_info> usable;
  for (const auto& m : *measurements)
    if (m.configuration == tree.configuration ||
        (approximate && m.configuration == project::approximate(tree.configuration)))
      usable.push_back(m);
  std::stable_partition(usable.begin(), usable.end(),
                        [&](const auto& m) { return m.configuration == tree.configuration; });
  const auto not_measured = [&] {
    std::vector<std::string> different;
    for (const auto& m : *measurements)
      if (auto to_this = project::differences(m.configuration, tree.configuration);
          different.empty() || to_this.size() < different.size())
        different = std::move(to_this);
    return tl::unexpected(
        fmt::format("this configuration was not measured ({}); {}", fmt::join(different, ", "), hint(tree)));
  };
  const bool by_other_options = usable.empty() && other_options;
  if (by_other_options)
    for (const auto& m : *measurements)
      if (project::differ_in_new_options(m.configuration, tree.configuration)) usable.push_back(m);
  if (usable.empty()) return not_measured();

  std::optional<repository::ancestor> nearest;
  std::vector<store::measurement_info> candidates;
  for (const bool complete : {true, false}) {
    const auto accepts = [&](const std::string& id) {
      return std::any_of(usable.begin(), usable.end(),
                         [&](const auto& m) { return m.taken_from.tree == id && m.complete == complete; });
    };
    auto found = repo.nearest(base_revision, accepts);
    if (!found) return tl::unexpected(found.error());
    nearest = *found;
    if (!nearest) continue;
    for (const auto& m : usable)
      if (m.taken_from.tree == nearest->tree && m.complete == complete) candidates.push_back(m);
    break;
  }
  // After a rebase or a squash the measured commit is no ancestor. What counts is its content, as long as git has it.
  constexpr std::size_t compared_contents = 8;  // the latest
  if (!nearest && base_revision.empty())
    for (const bool complete : {true, false})
      for (const auto& m : usable)
        if (m.complete == complete && candidates.size() < compared_contents && repo.has_tree(m.taken_from.tree))
          candidates.push_back(m);
  if (candidates.empty())
    return tl::unexpected(fmt::format(
        "no ancestor of this commit was measured{}; {}",
        repo.is_shallow() ? ", as far as this shallow clone has them (`git fetch --unshallow` brings the others)" : "",
        hint(tree)));

  // A dirty tree may have been measured at the same commit: the content nearest to ours is the better baseline.
  watched_files watched(tree, repo, kinds);
  std::optional<std::pair<store::measurement_info, std::vector<project::file_change>>> best;
  for (const auto& m : candidates) {
    auto changes = changes_since(m, repo, evidence, kinds, watched);
    if (!changes) return tl::unexpected(changes.error());
    const bool is_better = !best || (m.complete == best->first.complete && size_of(*changes) < size_of(best->second));
    if (is_better) best.emplace(m, std::move(*changes));
  }
  watched.add_names(best->first.taken_from.overrides);
  const bool describes_otherwise = std::any_of(best->second.begin(), best->second.end(), [&](const auto& change) {
    return kinds.kind_of(change.path) == selection::file_kind::build;
  });
  if (by_other_options && !describes_otherwise) return not_measured();
  auto facts = evidence.load(best->first.id);
  if (!facts) return tl::unexpected(facts.error());
  found_baseline baseline{std::move(*facts), best->first.taken_from.commit, std::nullopt, std::nullopt,
                          std::move(best->second)};
  if (nearest) {
    baseline.commit = nearest->commit;
    baseline.distance = nearest->distance;
  }
  const auto measured_at = repo.time_of(baseline.commit);
  const auto now_at = repo.time_of(base_revision.empty() ? "HEAD" : base_revision);
  constexpr std::int64_t day = 24 * 60 * 60;
  if (measured_at && now_at) baseline.days = std::max<std::int64_t>(*now_at - *measured_at, 0) / day;
  return baseline;
}

namespace {

/// DATA globs of files in the repository, relative to it. Of a folder what is in it.
std::vector<selection::suite_data> data_globs(const build_tree& tree, const repository& repo) {
  std::vector<selection::suite_data> result;
  for (const project::suite& s : tree.suites) {
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

std::vector<std::string> list_property(const project::suite& suite, std::string_view property) {
  for (const auto& [name, value] : suite.properties)
    if (name == property) return project::split_list(value);
  return {};
}

}  // namespace

project::result<std::optional<double>> parse_budget(const std::string& text) {
  if (text.empty()) return std::nullopt;
  double seconds = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), seconds);
  if (error != std::errc() || end != text.data() + text.size() || !(seconds >= 0))
    return tl::unexpected(fmt::format("budget '{}' is not a number of seconds; write for example 30 or 2.5", text));
  return seconds;
}

namespace {

project::result<void> has_sources(const build_tree& tree) {
  std::error_code error;
  if (fs::exists(tree.source_dir, error)) return {};
  return tl::unexpected(
      fmt::format("the sources of the build tree '{}' are not in '{}' any more; where they are now, configure a new "
                  "one: cmake -S SOURCES -B DIR",
                  tree.binary_dir.string(), tree.source_dir.string()));
}

}  // namespace

std::optional<build_tree> open_build_tree(const common_options& common, bool without_sources) {
  std::error_code error;
  auto folder = common.build.empty() ? project::find_build_tree(fs::current_path(error))
                                     : project::result<fs::path>(fs::absolute(common.build, error));
  auto tree = folder ? project::read_build_tree(*folder, common.config) : tl::unexpected(folder.error());
  if (!tree) {
    spdlog::error("{}", tree.error());
    return std::nullopt;
  }
  if (auto there = has_sources(*tree); !there && !without_sources) {
    spdlog::error("{}", there.error());
    return std::nullopt;
  }
  if (tree->config.empty()) tree->ctest_config = common.config;
  const char* overlay = std::getenv(overlay_variable);
  tree->overlay = common.overlay.empty() && overlay != nullptr ? overlay : common.overlay;
  if (!tree->overlay.empty()) tree->overlay = fs::absolute(tree->overlay, error).string();
  if (common.config.empty())
    if (const auto all = project::configurations(tree->binary_dir); all.size() > 1)
      spdlog::info("configuration {}, which was built last; --config names another of {}", tree->config,
                   fmt::join(all, ", "));
  return *tree;
}

std::string store_path(const build_tree& tree, const repository* repo) {
  if (!tree.store.empty()) return (tree.binary_dir / tree.store).string();
  return ((repo ? repo->root() : tree.source_dir) / ".morph" / "evidence.db").string();
}

std::string writable_store_path(const build_tree& tree, const repository* repo) {
  return tree.overlay.empty() ? store_path(tree, repo) : tree.overlay;
}

surroundings open_surroundings(const build_tree& tree) {
  surroundings found;
  if (!tree.overlay.empty()) {
    if (auto opened = evidence_store::open_for_reading(tree.overlay))
      found.overlay = std::move(*opened);
    else
      found.unread_overlay = opened.error();
  }
  if (auto there = has_sources(tree); !there) {
    found.missing = there.error();
  } else if (auto opened = repository::open(tree.source_dir)) {
    found.repo = std::move(*opened);
    if (auto head = found.repo->head())
      found.head = *head;
    else
      found.missing = head.error();
  } else {
    found.missing = opened.error();
  }
  if (auto opened = evidence_store::open_for_reading(store_path(tree, found.repo ? &*found.repo : nullptr)); !opened) {
    found.missing = opened.error();
  } else if (*opened) {
    found.evidence = std::move(**opened);
  } else if (found.missing.empty()) {
    found.missing = fmt::format("nothing was measured yet; {}", hint(tree));
    std::error_code error;
    const fs::path main = found.repo->main_root() / ".morph" / "evidence.db";
    if (tree.store.empty() && !found.repo->main_root().empty() && fs::exists(main, error))
      found.missing += fmt::format(", or use the store of the main working copy: -DMORPH_STORE={}", main.string());
  }
  return found;
}

bool listed_suite::whole() const {
  return std::all_of(programs.begin(), programs.end(),
                     [](const auto& p) { return p.how == project::listed_program::state::listed; });
}

std::vector<listed_suite> list_suites(const build_tree& tree, const program_lister& list) {
  std::vector<listed_suite> suites;
  for (const project::suite& s : tree.suites) {
    listed_suite listed{&s, {}};
    for (const auto& program : s.programs)
      listed.programs.push_back(list ? list(s, program) : project::list_program(tree, s, program));
    suites.push_back(std::move(listed));
  }
  return suites;
}

std::vector<project::run_outcome> last_runs(const build_tree& tree) {
  std::set<fs::path> folders{tree.binary_dir};  // ctest leaves its log where it was started
  folders.insert(tree.test_directories.begin(), tree.test_directories.end());
  const auto remember = [&](const fs::path& own, const std::function<bool(const project::run_outcome&)>& counts) {
    auto runs = project::remember_last_runs(folders, project::runs_dir(own), own / "outcomes.json", counts);
    std::erase_if(runs, [&](const auto& o) { return project::is_entry(tree, o.name); });
    return runs;
  };
  if (tree.config.empty()) return remember(tree.own_dir(), {});

  // The log does not say which configuration was run, but which programs. Every configuration is brought up to date:
  // the next run, of another one, replaces the log.
  std::map<std::string, std::set<std::string>> configs_of_program;
  const auto configs = project::configurations(tree.binary_dir);
  for (const std::string& config : configs)
    if (const auto other = project::read_build_tree(tree.binary_dir, config))
      for (const project::suite& s : other->suites)
        for (const auto& program : s.programs) configs_of_program[program.executable.string()].insert(config);
  std::vector<project::run_outcome> ours;
  for (const std::string& config : configs) {
    const auto is_of_config = [&](const project::run_outcome& o) {
      const auto known = configs_of_program.find(o.program);
      return known == configs_of_program.end() || known->second.count(config) != 0;
    };
    auto of_config = remember(tree.binary_dir / ".morph" / config, is_of_config);
    if (config == tree.config) ours = std::move(of_config);
  }
  return ours;
}

std::string configuration_id(const std::string& configuration) {
  return project::blob_hash(configuration).substr(0, 16);
}

std::string configuration_id(const build_tree& tree) {
  return configuration_id(tree.configuration);
}

project::result<std::uint32_t> parse_failed_within(const std::string& text) {
  std::uint32_t runs = 1;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), runs);
  if (text.empty()) return 1;
  if (error != std::errc() || end != text.data() + text.size() || runs == 0)
    return tl::unexpected(
        fmt::format("'{}' is no number of runs; write 1 (until it passes, the default) or more, up to {}", text,
                    store::kept_outcomes));
  return runs;
}

project::result<std::uint32_t> parse_times(const std::string& text) {
  std::uint32_t times = 3;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), times);
  if (text.empty()) return 3;
  if (error != std::errc() || end != text.data() + text.size() || times == 0)
    return tl::unexpected(fmt::format("'{}' is no number of times; write 1 or more (the default: 3)", text));
  return times;
}

known_verdicts verdicts_of(const build_tree& tree, evidence_store* evidence, evidence_store* overlay,
                           std::uint32_t within) {
  known_verdicts known;
  std::map<std::string, std::uint32_t> passes;  // since its last failure, of each test that has one
  std::map<std::string, store::test_outcome> latest;
  if (evidence != nullptr)
    if (auto stored = evidence->histories(configuration_id(tree)))
      for (auto& [name, history] : *stored) {
        if (history.flaky) known.flaky.insert(name);
        if (history.failed_at) passes[name] = history.passes_since_failure;
        for (const auto& [at, failed] : history.verdicts) known.past[name].push_back({at, failed});
        latest.emplace(name, std::move(history.latest));
      }
  for (const auto& o : last_runs(tree)) {
    const auto at = latest.find(o.name);
    const bool passed_elsewhere = at != latest.end() && !at->second.failed &&
                                  (at->second.source == "measure" || at->second.configuration.empty());
    if (at == latest.end() || at->second.at <= o.at || passed_elsewhere)
      latest[o.name] = {o.name, o.failed, o.at, o.seconds, "ctest", ""};
    auto& past = known.past[o.name];
    if (past.empty() || past.back().at < o.at) past.push_back({o.at, o.failed});
    // Runs that were recorded are in the store too: each counts them from the failure that it knows.
    if (o.passes_since_failure) {
      std::uint32_t& since = passes.try_emplace(o.name, *o.passes_since_failure).first->second;
      since = std::min(since, *o.passes_since_failure);
    }
  }
  for (const auto& [name, times] : passes)
    if (within > 1 && times < within) known.failed.insert(name);
  for (const auto& [name, outcome] : latest)
    if (outcome.failed) known.failed.insert(name);
  if (overlay != nullptr)
    if (auto stored = overlay->histories(configuration_id(tree)))
      for (const auto& [name, history] : *stored)
        if (history.latest.failed || (within > 1 && history.failed_at && history.passes_since_failure < within))
          known.failed.insert(name);
  return known;
}

namespace {

/// Names that occur in several programs. (Catch2 and doctest allow several cases of one name in a program; ctest runs
/// all of them under it, and their evidence is of all of them.)
void note_duplicates(planning& p) {
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
std::vector<optimizer::found_fault> known_faults(evidence_store& evidence, const build_tree& tree) {
  std::vector<optimizer::found_fault> known;
  const auto audits = evidence.audits();
  if (!audits) return known;
  std::set<std::string> contents;
  for (const store::audit& a : *audits)
    if (a.found_first > 0 && a.found_first <= a.found_among && a.configuration == configuration_id(tree) &&
        contents.insert(a.content).second)
      known.push_back({a.found_first, a.found_among});
  return known;
}

/// From p.suites to suites and tests of the request.
project::result<void> request_suites(planning& p, const repository* repo, const plan_options& options) {
  for (std::uint32_t s = 0; s < p.suites.size(); ++s) {
    const listed_suite& listed = p.suites[s];
    const project::suite& declared = *listed.declared;
    auto how = selection::parse_policy(options.policy.empty() ? declared.policy : options.policy);
    if (!how) return tl::unexpected(how.error());
    if (p.request.head && p.request.head->run_all) how = selection::chosen_policy{selection::policy::all};
    // Which tests need not run is known after the build.
    if (options.before_build && (how->how == selection::policy::minimal || how->how == selection::policy::risk))
      how = selection::chosen_policy{};
    const bool is_listed = listed.whole() || (options.before_build && !declared.is_adopted());
    selection::current_suite current{declared.name, *how, {}, is_listed, declared.is_adopted()};
    for (const std::string& expression : declared.always) {
      const bool valid = project::pattern::compile(expression).has_value();
      if (!valid)
        p.notes.push_back(fmt::format("suite '{}': ALWAYS '{}' is not a regular expression; its tests all run",
                                      declared.name, expression));
      current.always.push_back(valid ? expression : ".*");
    }
    p.request.suites.push_back(std::move(current));
    for (std::size_t i = 0; i < listed.programs.size(); ++i) {
      const project::listed_program& program = listed.programs[i];
      if (program.how != project::listed_program::state::listed) {
        const bool built = program.how == project::listed_program::state::failed;
        p.notes.push_back(program.message + (built ? "; the suite runs as a whole" : ""));
        p.listing_failed = p.listing_failed || !options.before_build;
      }
      for (const project::listed_case& c : program.cases) {
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
            for (const fs::path& path : project::named_paths(*c.entry))
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
void start_from(planning& p, found_baseline found, const build_tree& tree, const repository& repo,
                const selection::file_kinds& kinds, evidence_store& evidence, bool before_build = false) {
  const auto code = before_build ? tl::unexpected(std::string("this plan is made before the build"))
                                 : compare_object_code(tree, repo, kinds, evidence, found, p.left_out.files);
  if (!found.changes.empty()) p.by_lines = code ? code->stale : code.error();
  p.facts = std::move(found.facts);
  const auto data = data_globs(tree, repo);
  const selection::change_facts facts = facts_of(tree, repo, kinds, found.changes);
  if (code)
    std::copy_if(code->explained.begin(), code->explained.end(),
                 std::inserter(p.for_tests_alone, p.for_tests_alone.end()), [&](const std::string& path) {
                   return kinds.kind_of(path) == selection::file_kind::unknown && facts.read_by_build.count(path) == 0;
                 });
  p.request.baseline.emplace(selection::plan_request::base{
      &*p.facts, found.distance,
      selection::assess(*p.facts, found.changes, kinds, data, changed_inputs(*p.facts, tree, repo, kinds),
                        code ? &*code : nullptr, facts)});
  p.facts->info.taken_from.commit = found.commit;
  p.baseline_days = found.days;
  p.changes = std::move(found.changes);
  if (before_build) widen_to_links(p, tree, repo, kinds);
}

/// What is selected has to be there: then what the build left out is missing.
void refuse_left_out(planning& p) {
  if (p.left_out.programs.empty()) return;
  for (const selection::planned_test& planned : p.plan.tests) {
    const selection::current_test& test = p.request.tests[planned.test];
    if (!planned.selected || p.left_out.programs.count({p.request.suites[test.suite].name, test.target}) == 0) continue;
    listed_suite& suite = p.suites[test.suite];
    for (std::size_t i = 0; i < suite.programs.size(); ++i) {
      const bool is_news = suite.programs[i].how == project::listed_program::state::listed;
      if (suite.declared->programs[i].target != test.target || !is_news) continue;
      suite.programs[i].how = project::listed_program::state::not_built;
      p.listing_failed = true;
      p.notes.push_back(
          fmt::format("suite '{}': '{}' was left out of the build, but test '{}' is selected now; build it",
                      suite.declared->name, test.target, test.name));
    }
  }
}

/// What the overlay's evidence selects although the base does not. That it does not know a test says nothing.
void add_by_overlay(planning& p, evidence_store& overlay, const build_tree& tree, const repository& repo,
                    const selection::file_kinds& kinds, const plan_options& options) {
  auto found = find_baseline(tree, repo, overlay, kinds, options.base_revision, options.approximate);
  if (!found) return;
  planning own;
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
void keep_what_runs_without(planning& p, const std::map<std::uint32_t, std::vector<selection::reason>>& added,
                            known_verdicts verdicts, const plan_options& options) {
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
void note_unsteady(planning& p) {
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

project::result<planning> plan_refresh(const build_tree& tree, const repository& repo, evidence_store& evidence,
                                       std::vector<listed_suite> suites) {
  const selection::file_kinds kinds(repo.root(), tree.ignore);
  auto found = find_baseline(tree, repo, evidence, kinds, {}, false);
  if (!found) return tl::unexpected(found.error());
  if (!found->facts.info.complete) return tl::unexpected(std::string("the nearest measurement is not complete"));
  planning p;
  p.suites = std::move(suites);
  plan_options safe;
  safe.policy = "safe";
  if (auto requested = request_suites(p, &repo, safe); !requested) return tl::unexpected(requested.error());
  p.request.failed = verdicts_of(tree, &evidence).failed;
  start_from(p, std::move(*found), tree, repo, kinds, evidence);
  p.plan = selection::make_plan(p.request);
  p.request.baseline->facts = nullptr;  // p may move
  return p;
}

project::result<std::unique_ptr<planning>> make_planning(const build_tree& tree, const plan_options& options) {
  auto p = std::make_unique<planning>();
  auto budget = parse_budget(options.budget_seconds);
  if (!budget) return tl::unexpected(budget.error());
  const auto failed_within = parse_failed_within(options.failed_within);
  if (!failed_within) return tl::unexpected(failed_within.error());
  p->request.budget_seconds = *budget;

  p->request.failed_within = *failed_within;
  const auto times = parse_times(options.times);
  if (!times) return tl::unexpected(times.error());
  p->request.times_covered = *times;

  surroundings around = open_surroundings(tree);
  std::optional<repository>& repo = around.repo;
  std::optional<evidence_store>& evidence = around.evidence;
  std::string no_baseline = std::move(around.missing);
  p->request.head = around.head;

  std::optional<selection::file_kinds> kinds;
  std::optional<found_baseline> found;
  if (repo) kinds.emplace(repo->root(), tree.ignore);
  if (no_baseline.empty()) {
    auto nearest = find_baseline(tree, *repo, *evidence, *kinds, options.base_revision, options.approximate, true);
    if (nearest)
      found.emplace(std::move(*nearest));
    else
      no_baseline = nearest.error();
  }
  if (found && !options.before_build) p->left_out = left_out_of_build(tree, *repo, *kinds);
  p->suites = list_suites(tree, [&](const project::suite& suite, const project::test_program& program) {
    const bool unseen = options.before_build || p->left_out.programs.count({suite.name, program.target}) != 0;
    return unseen ? remembered_program(tree, suite, program, found ? &found->facts : nullptr)
                  : project::list_program(tree, suite, program);
  });
  if (auto requested = request_suites(*p, repo ? &*repo : nullptr, options); !requested)
    return tl::unexpected(requested.error());
  if (!around.unread_overlay.empty())
    p->notes.push_back(fmt::format("the overlay adds nothing: {}", around.unread_overlay));

  evidence_store* const overlay = around.overlay ? &*around.overlay : nullptr;
  known_verdicts verdicts = verdicts_of(tree, evidence ? &*evidence : nullptr, overlay, *failed_within);
  p->request.failed = std::move(verdicts.failed);
  p->request.flaky = std::move(verdicts.flaky);
  p->request.past = std::move(verdicts.past);
  if (options.before)
    for (auto& [name, past] : p->request.past)
      std::erase_if(past, [&](const selection::past_verdict& v) { return v.at >= *options.before; });
  if (options.failed) p->request.failed = *options.failed;
  if (found) {
    const std::string& measured = found->facts.info.configuration;
    if (measured == project::approximate(tree.configuration)) {
      p->notes.push_back("the baseline was measured with isolation none: affected tests may be missing");
    } else if (measured != tree.configuration) {
      p->notes.push_back(fmt::format("the baseline was measured with other options ({}); what they change is compared",
                                     fmt::join(project::differences(measured, tree.configuration), ", ")));
      if (const auto stored = evidence->histories(configuration_id(measured)); stored && !options.failed)
        for (const auto& [name, history] : *stored)
          if (history.latest.failed) p->request.failed.insert(name);
    }
    const auto& suites = p->request.suites;
    if (std::any_of(suites.begin(), suites.end(), [](const auto& s) { return s.how.how == selection::policy::risk; }))
      p->request.known_faults = known_faults(*evidence, tree);
    start_from(*p, std::move(*found), tree, *repo, *kinds, *evidence, options.before_build);
    if (overlay != nullptr) {
      const auto without = p->request.added;
      add_by_overlay(*p, *overlay, tree, *repo, *kinds, options);
      keep_what_runs_without(*p, without, verdicts_of(tree, &*evidence, nullptr, *failed_within), options);
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

}  // namespace morph::command
