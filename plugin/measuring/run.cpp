// One run: what holds still, the twin, its tests, the store.
#include "plugin/measuring/run.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "coverage/gcov/stream_format.h"
#include "plugin/build/build_reads.hpp"
#include "plugin/build/build_tools.hpp"
#include "plugin/build/twin.hpp"
#include "plugin/changes/code_changes.hpp"
#include "plugin/contract/formats.hpp"
#include "plugin/measuring/adopted_tests.hpp"
#include "plugin/measuring/blind_units.hpp"
#include "plugin/measuring/earlier_rows.hpp"
#include "plugin/measuring/fixtures.hpp"
#include "plugin/measuring/gcov_files.hpp"
#include "plugin/measuring/incremental.hpp"
#include "plugin/measuring/outside_files.hpp"
#include "plugin/measuring/probe_rows.hpp"
#include "plugin/measuring/standing.hpp"
#include "plugin/measuring/test_inputs.hpp"
#include "plugin/system/counted.hpp"
#include "plugin/system/files.hpp"
#include "plugin/system/json_text.hpp"
#include "plugin/system/process.hpp"
#include "plugin/workspace/opened.hpp"
#include "plugin/workspace/snapshot.hpp"
#include "plugin/workspace/suites.hpp"
#include "plugin/workspace/verdict_history.hpp"
#include "plugin/workspace/watched_files.hpp"

namespace morph::measuring {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t most_named = 5;

bool same_content(const store::snapshot& a, const store::snapshot& b) {
  return a.tree == b.tree && a.overrides == b.overrides;
}

/// What ctest runs for other tests runs once.
bool sets_up_others(const build::suite& suite, const frameworks::listed_case& c) {
  static constexpr std::array<std::string_view, 2> properties{"FIXTURES_SETUP", "FIXTURES_CLEANUP"};
  const auto& all = c.entry ? c.entry->properties : suite.properties;
  return std::any_of(all.begin(), all.end(), [](const auto& property) {
    return std::find(properties.begin(), properties.end(), property.first) != properties.end();
  });
}

result<totals> measure(const build::build_tree& tree, const git::repository& repo, const request& asked,
                       system::observer& told) {
  const std::string configuration =
      asked.isolated == isolation::none ? build::approximate(tree.configuration) : tree.configuration;
  const selection::file_kinds kinds(repo.root(), tree.ignore);
  auto snapshot = workspace::take_snapshot(repo, kinds);
  if (!snapshot) return tl::unexpected(snapshot.error());
  workspace::snapshot taken = std::move(*snapshot);
  totals t;
  t.commit = taken.identity.commit;
  t.dirty = !taken.dirty.empty();

  auto evidence = store::evidence_store::open_for_writing(workspace::writable_store_path(tree, &repo));
  if (!evidence) return tl::unexpected(evidence.error());
  std::optional<store::evidence_store> under_overlay;
  if (!tree.overlay.empty()) {
    auto opened = store::evidence_store::open_for_reading(workspace::store_path(tree, &repo));
    if (!opened) return tl::unexpected(opened.error());
    under_overlay = std::move(*opened);
  }
  std::vector<store::evidence_store*> stores{&*evidence};
  if (under_overlay) stores.insert(stores.begin(), &*under_overlay);
  std::optional<workspace::watched_files> watched(std::in_place, tree, repo, kinds);
  for (store::evidence_store* const store : stores) {
    if (asked.fresh) break;
    const auto known = store->measurements();
    if (!known) return tl::unexpected(known.error());
    for (const auto& m : *known) {
      if (!m.complete || m.configuration != configuration || !is_still_there(m.taken_from, taken, repo, *watched))
        continue;
      const auto facts = store->load(m.id);
      if (!facts) return tl::unexpected(facts.error());
      if (workspace::has_changed_files(*facts, tree, repo, kinds)) break;  // plans start from this one, the latest
      t.already_complete = true;
      for (const auto& test : facts->tests) t.known += test.is_startup() ? 0 : 1;
      return t;
    }
  }

  if (asked.if_affected_pct)
    for (store::evidence_store* const store : stores)
      if (const auto held =
              find_held(tree, repo, *store, *asked.if_affected_pct, !asked.ignore_files && system::can_watch_files())) {
        t.known = held->tests;
        t.base = held->commit;
        t.held = held->distance;
        t.affected = held->affected;
        return t;
      }

  if (build::is_off(tree))
    return tl::unexpected(
        fmt::format("MORPH_EVIDENCE is off in '{}': configure with -DMORPH_EVIDENCE=probes, or twin for lines",
                    tree.binary_dir.string()));
  if (::access(tree.own_dir().c_str(), W_OK) != 0)
    return tl::unexpected(
        fmt::format("the build tree '{}' cannot be written: {}; the instrumented twin is built in it: measure in "
                    "another build tree",
                    tree.binary_dir.string(), std::strerror(errno)));
  const auto lock = system::lock_file(tree.own_dir() / "measure.lock", system::if_locked::refuse);
  if (!lock)
    return tl::unexpected(fmt::format("{}; is another `morph measure` at work in this build tree?", lock.error()));
  std::map<std::string, std::optional<std::string>> before_build;
  for (const std::string& name : watched->names()) before_build[name] = watched->hash_of(name);
  watched.reset();
  if (!build::has_probes(tree))
    told.status(fmt::format("building the instrumented twin in '{}'", tree.twin_dir().string()));
  const result<build::build_tree> twin = build::has_probes(tree)
                                             ? result<build::build_tree>(tree)
                                             : build::build_twin(tree, {asked.jobs, asked.shows_build});
  if (!twin) return tl::unexpected(twin.error());
  if (has_counter_files(*twin)) {
    const auto said = describe_counter_files(*twin);
    if (!said) return tl::unexpected(said.error());
    told.status(*said);
  }
  const auto dependencies = build::read_dependencies(*twin);
  if (!dependencies) return tl::unexpected(dependencies.error());
  const auto tool_objects = build::objects_of_build_tools(*twin);
  if (!tool_objects) return tl::unexpected(tool_objects.error());
  const auto suites = workspace::list_suites(*twin);
  const bool watches_files = !asked.ignore_files && !has_counter_files(*twin) && system::can_watch_files();
  std::optional<refresh> refreshing;
  std::string why_full = asked.fresh ? "" : "each test is isolated in another way";
  if (!asked.fresh && asked.isolated == isolation::fork)
    for (store::evidence_store* const store : stores)
      if (!refreshing) refreshing = find_refresh(tree, *twin, repo, kinds, *store, suites, watches_files, why_full);
  if (asked.incremental && !refreshing) told.status(fmt::format("every test is measured: {}", why_full));
  const auto now = workspace::take_snapshot(repo, kinds);
  if (!now) return tl::unexpected(now.error());
  if (!same_content(now->identity, taken.identity))
    return tl::unexpected(std::string("files changed while the twin was being built; run it again"));

  timespec started{};
  ::clock_gettime(CLOCK_REALTIME_COARSE, &started);  // as file systems do
  const workspace::outside_rules outside(*twin);
  watched.emplace(tree, repo, kinds);
  for (const auto& [name, hash] : before_build)
    if (watched->hash_of(name) != hash)
      return tl::unexpected(fmt::format("'{}' changed while the twin was being built; run it again", name));
  const auto content_id =
      add_read_files(taken, *watched, tree, outside, repo, kinds, *dependencies, build::described_inputs(*twin));
  if (!content_id) return tl::unexpected(content_id.error());
  watched.reset();

  auto writer = evidence->begin(taken.identity, configuration, started.tv_sec);
  if (!writer) return tl::unexpected(writer.error());
  for (const auto& file : taken.dirty)
    if (file.content) writer->put_blob(git::blob_hash(*file.content), *file.content);
  for (const auto& [blob, text] : taken.watched) writer->put_blob(blob, text);

  // All tests are registered before the first runs: an interrupted measurement knows what it lacks.
  std::vector<std::string> errors;
  for (const workspace::listed_suite& s : suites)
    for (std::size_t i = 0; i < s.programs.size(); ++i) {
      if (s.programs[i].how == frameworks::listed_program::state::listed)
        t.known += register_tests(*writer, *s.declared, s.declared->programs[i], s.programs[i].cases);
      else
        errors.push_back(s.programs[i].message);
    }
  const bool everything_registered = errors.empty();

  const std::set<std::uint32_t> left_out = refreshing ? refreshing->left_out(*writer) : std::set<std::uint32_t>();
  std::map<std::string, std::uint32_t> may_repeat;
  for (const workspace::listed_suite& s : suites)
    for (std::size_t i = 0; i < s.programs.size(); ++i)
      for (const frameworks::listed_case& c : s.programs[i].cases)
        if (!c.disabled && !sets_up_others(*s.declared, c)) {
          const std::uint32_t program = writer->program({s.declared->name, s.declared->programs[i].target});
          const std::uint32_t test = writer->test(program, c.case_name, c.name);
          if (left_out.count(test) == 0) may_repeat[c.name] = test;
        }
  repeats again(choose_repeated(may_repeat, *content_id));
  record_declarations(tree, *writer);
  if (const auto recorded = changes::record_object_code(tree, *dependencies, *writer); !recorded)
    told.status(fmt::format("object code is not recorded, so that plans from here go by lines: {}", recorded.error()));

  std::set<std::string> adopted;
  for (const workspace::listed_suite& s : suites)
    for (const frameworks::listed_program& listed : s.programs)
      for (const frameworks::listed_case& c : listed.cases)
        if (c.entry) adopted.insert(c.name);
  fixtures around(tree, *twin, std::move(adopted), told);
  told.begin(t.known - left_out.size(), "tests");
  std::vector<store::test_outcome> outcomes;
  session of_all{*twin, *dependencies, repo, kinds, outside, *writer, {}, outcomes, told};
  std::optional<probe_rows> probes;
  if (build::has_probes(tree)) {
    auto made = probe_rows::make(of_all);
    if (!made) return tl::unexpected(made.error());
    of_all.probes = &probes.emplace(std::move(*made));
  }
  register_blind_units(of_all, *tool_objects, probes ? probes->without() : std::set<std::string>());
  const auto run = [&](const std::set<std::uint32_t>& without,
                       const std::function<bool(const std::string&, const std::string&)>& is_skipped) {
    std::vector<const build::suite*> left;
    for (const workspace::listed_suite& s : suites) left.push_back(s.declared);
    for (const workspace::listed_suite& s : suites) {
      const bool has_own_fixtures = s.declared->is_adopted();
      std::optional<result<bool>> ready;
      if (has_own_fixtures) around.clean_up({});
      for (std::size_t i = 0; i < s.programs.size() && !system::interrupted(); ++i) {
        if (s.programs[i].how != frameworks::listed_program::state::listed) continue;
        const auto& program = s.declared->programs[i];
        if (is_skipped(s.declared->name, program.target)) continue;
        if (!ready) ready = has_own_fixtures ? result<bool>(true) : around.set_up(*s.declared);
        session m{*twin,
                  *dependencies,
                  repo,
                  kinds,
                  outside,
                  *writer,
                  [&] { told.step("measuring " + program.target); },
                  outcomes,
                  told,
                  asked.isolated,
                  tree.binary_dir,
                  started,
                  !asked.ignore_files};
        m.left_out = without;
        m.again = &again;
        m.probes = of_all.probes;
        if (!*ready) {
          told.warn(fmt::format("suite '{}': its tests are not measured and always run: {}", s.declared->name,
                                ready->error()));
          t.tests.incomplete += leave_unmeasured(m, *s.declared, program, s.programs[i].cases).incomplete;
          continue;
        }
        m.lacks = **ready ? 0U : morph_stream::uncounted_fixture;
        const auto measured = has_own_fixtures ? measure_adopted(m, *s.declared, s.programs[i].cases)
                                               : measure_program(m, *s.declared, program, s.programs[i].cases);
        if (!measured) {
          errors.push_back(measured.error());
          continue;
        }
        t.tests.measured += measured->measured;
        t.tests.failed += measured->failed;
        t.tests.incomplete += measured->incomplete;
      }
      left.erase(left.begin());
      around.clean_up(left);
    }
  };
  run(left_out,
      [&](const auto& suite, const auto& target) { return refreshing && refreshing->is_skipped(suite, target); });
  if (refreshing && !system::interrupted()) {
    auto carried =
        refreshing->carry_over(*evidence, {*twin, *dependencies, repo, kinds, outside, *writer, {}, outcomes, told});
    if (!carried) return tl::unexpected(carried.error());
    t.carried = carried->rows;
    t.base = refreshing->commit();
    run({}, [&](const auto& suite, const auto& target) { return carried->to_run.count({suite, target}) == 0; });
  }
  told.end();
  t.unsteady = again.unsteady;
  if (!system::interrupted())
    for (store::evidence_store* const store : stores)
      if (auto united = add_earlier_rows(*store, *evidence, *writer, t.unsteady); !united)
        return tl::unexpected(united.error());
  writer->finish(everything_registered);
  for (store::test_outcome& o : outcomes) {
    o.content = *content_id;
    o.configuration = workspace::configuration_id(tree);
  }
  if (auto stored = evidence->add_outcomes(outcomes); !stored) return tl::unexpected(stored.error());
  if (!errors.empty()) return tl::unexpected(fmt::format("{}", fmt::join(errors, "\n")));
  return t;
}

}  // namespace

result<isolation> parse_isolation(const std::string& name) {
  if (name.empty() || name == "fork") return isolation::fork;
  if (name == "process") return isolation::process;
  if (name == "none") return isolation::none;
  return tl::unexpected(fmt::format("isolation '{}' is unknown; there are: fork, process, none", name));
}

result<totals> run(const build::build_tree& tree, const git::repository& repo, const request& asked,
                   system::observer& told) {
  try {
    return measure(tree, repo, asked, told);
  } catch (const store::database_error& error) {
    return tl::unexpected(fmt::format("evidence store '{}': {}; what was written before is kept",
                                      workspace::writable_store_path(tree, &repo), error.what()));
  }
}

std::string as_json(const totals& t, double seconds) {
  return json_text(nlohmann::json{{"schema", contract::measure_schema},
                                  {"commit", t.commit},
                                  {"dirty", t.dirty},
                                  {"tests", t.known},
                                  {"measured", t.tests.measured},
                                  {"carried", t.carried},
                                  {"base", t.base.empty() ? nlohmann::json(nullptr) : nlohmann::json(t.base)},
                                  {"failed", t.tests.failed},
                                  {"incomplete", t.tests.incomplete},
                                  {"unsteady", t.unsteady},
                                  {"seconds", seconds}});
}

std::string as_text(const totals& t, double seconds) {
  std::string text;
  if (t.already_complete) {
    text += fmt::format("commit {} is already measured: {}; --fresh measures it once more\n", t.commit.substr(0, 10),
                        system::counted(t.known, "test"));
  } else if (t.held) {
    text += fmt::format("the changes since commit {}, {} ago, affect {} of {}: its measurement stays in place\n",
                        t.base.substr(0, 10), system::counted(*t.held, "commit"), t.affected,
                        system::counted(t.known, "test"));
  } else {
    text += fmt::format("measured {} of {} at commit {}{} in {:.1f} s: {} failed, {} incomplete (always selected)\n",
                        t.tests.measured, system::counted(t.known, "test"), t.commit.substr(0, 10),
                        t.dirty ? " with uncommitted changes" : "", seconds, t.tests.failed, t.tests.incomplete);
    if (!t.base.empty())
      text += fmt::format("carried over from commit {}: {} of {}, which the changes since do not affect\n",
                          t.base.substr(0, 10), t.carried, system::counted(t.known, "test"));
    if (!t.unsteady.empty())
      text += fmt::format(
          "{} did not behave alike in two runs (unsteady): {}{}; what any run executed counts, what another one "
          "would is not known\n",
          t.unsteady.size() == 1 ? "a test" : fmt::format("{} tests", t.unsteady.size()),
          fmt::join(t.unsteady.begin(),
                    t.unsteady.begin() + static_cast<std::ptrdiff_t>(std::min(t.unsteady.size(), most_named)), ", "),
          t.unsteady.size() > most_named ? ", ..." : "");
  }
  return text;
}

}  // namespace morph::measuring
