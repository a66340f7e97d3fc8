// morph measure
#include <fmt/format.h>
#include <malloc.h>
#include <spdlog/spdlog.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
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
#include "plugin/build/build_tree.hpp"
#include "plugin/build/runtime_sources.hpp"
#include "plugin/build/twin.hpp"
#include "plugin/changes/code_changes.hpp"
#include "plugin/command/options.hpp"
#include "plugin/contract/exit_codes.hpp"
#include "plugin/contract/formats.hpp"
#include "plugin/contract/variables.hpp"
#include "plugin/frameworks/listing.hpp"
#include "plugin/git/repository.hpp"
#include "plugin/measuring/adopted_tests.hpp"
#include "plugin/measuring/fixtures.hpp"
#include "plugin/measuring/gcov_files.hpp"
#include "plugin/measuring/incremental.hpp"
#include "plugin/measuring/test_inputs.hpp"
#include "plugin/planning/planning.hpp"
#include "plugin/store/merge.hpp"
#include "plugin/store/store.hpp"
#include "plugin/system/files.hpp"
#include "plugin/system/process.hpp"
#include "plugin/system/progress.hpp"
#include "plugin/workspace/changed_inputs.hpp"
#include "plugin/workspace/opened.hpp"
#include "plugin/workspace/snapshot.hpp"
#include "plugin/workspace/suites.hpp"
#include "plugin/workspace/verdict_history.hpp"
#include "plugin/workspace/watched_files.hpp"

namespace morph::command {
namespace {

namespace fs = std::filesystem;
using clock = std::chrono::steady_clock;

struct measure_arguments {
  unsigned jobs = 0;
  bool again = false;
  bool incremental = false;  // refuse to measure everything
  bool full = false;
  /// Leave an earlier measurement in place until the changes since affect more than this much of the tests' time.
  std::optional<double> if_affected_pct{};
  std::string isolation;
  bool ignore_files = false;
};

bool same_content(const store::snapshot& a, const store::snapshot& b) {
  return a.tree == b.tree && a.overrides == b.overrides;
}

/// Adds what the build reads though git does not track it: untracked and ignored files, files outside of the
/// repository. Not the system's headers, nor products of the build, nor Morph's own runtime.
class watching {
 public:
  watching(workspace::content& to, workspace::watched_files& files, const build::build_tree& tree,
           const workspace::outside_rules& rules, const git::repository& repo, const selection::file_kinds& kinds)
      : c_(to),
        tree_(tree),
        repo_(repo),
        kinds_(kinds),
        rules_(rules),
        files_(files),
        products_(tree.binary_dir.string() + "/") {
    for (const auto& o : c_.identity.overrides) known_.insert(o.path);
  }

  /// The id of the content is that without files that git ignores: another build may read others of them.
  result<std::string> add(const build::dependency_map& dependencies, const std::set<std::string>& described) {
    std::set<std::string> compiled;
    for (const auto& [object, files] : dependencies)
      if (!files.empty() && !build::is_runtime_source(tree_, files.front()))
        for (const std::string& path : files)
          if (!build::is_of_system(path) && !build::is_runtime_source(tree_, path)) compiled.insert(path);
    std::set<std::string> names;
    for (const std::string& path : compiled) add_outside(path, names);
    for (const std::string& path : described)
      if (!build::is_runtime_source(tree_, path)) add_outside(path, names);
    files_.set_names(std::move(names));
    std::string id = workspace::id_of(c_.identity);
    std::vector<std::string> untracked;
    for (const std::string& path : compiled) find_untracked(path, untracked);
    auto contents = repo_.contents(untracked);
    if (!contents) return tl::unexpected(contents.error());
    for (auto& [name, text] : *contents) {
      c_.identity.overrides.push_back({name, git::blob_hash(text)});
      c_.dirty.push_back({name, std::move(text)});
    }
    workspace::sort_overrides(c_);
    return id;
  }

 private:
  void add_outside(const std::string& path, std::set<std::string>& names) {
    const std::string name = repo_.target_name(path);
    if (!git::is_outside(name)) {
      if (is_in_another_repository(name)) keep(folder_of(name), true, names);
      return;
    }
    if (!rules_.counts((repo_.root() / name).lexically_normal().string())) return;
    const bool is_ours = !rules_.is_others(path, name);
    keep(name, is_ours, names);
    const bool is_source = kinds_.counts_untracked(name);  // beside it others may appear
    if (is_ours && is_source && !name.starts_with('/')) keep(folder_of(name), true, names);
  }

  static std::string folder_of(const std::string& name) { return name.substr(0, name.rfind('/') + 1); }

  /// One that git was not told of: it says nothing of what is new in there.
  bool is_in_another_repository(const std::string& name) {
    if (repo_.tracks(name) || kinds_.in_build_tree(name)) return false;
    const auto [at, added] = of_others_.try_emplace(folder_of(name), false);
    if (added)
      for (fs::path folder = fs::path(name).parent_path(); !folder.empty() && !at->second;
           folder = folder.parent_path())
        if (std::error_code error; fs::exists(repo_.root() / folder / ".git", error)) at->second = true;
    return at->second;
  }

  void keep(const std::string& name, bool whole, std::set<std::string>& names) {
    if (!known_.insert(name).second) return;
    auto kept = workspace::keep_file(files_, name, whole);
    if (!kept) return;
    names.insert(name);
    c_.identity.overrides.push_back(std::move(kept->file));
    c_.watched[*c_.identity.overrides.back().blob] = std::move(kept->content);
  }

  void find_untracked(const std::string& path, std::vector<std::string>& untracked) {
    const std::string name = repo_.relative(path);
    if (name.empty() || path.starts_with(products_) || repo_.tracks(name) || kinds_.in_build_tree(name)) return;
    if (!known_.insert(name).second) return;
    untracked.push_back(name);
  }

  workspace::content& c_;
  const build::build_tree& tree_;
  const git::repository& repo_;
  const selection::file_kinds& kinds_;
  const workspace::outside_rules& rules_;
  workspace::watched_files& files_;
  std::string products_;
  std::set<std::string> known_;
  std::map<std::string, bool> of_others_;  // by folder
};

/// Whether what was measured is what is there now: every file that differs from the commit was measured as it is, and
/// every file that was watched has still that content.
bool is_still_there(const store::snapshot& measured, const workspace::content& now, const git::repository& repo,
                    workspace::watched_files& watched) {
  if (measured.tree != now.identity.tree) return false;
  std::map<std::string, std::optional<std::string>> blobs;
  for (const auto& o : measured.overrides)
    if (!workspace::is_watched_apart(o.path)) blobs[o.path] = o.blob;
  for (const auto& o : now.identity.overrides) {
    const auto at = blobs.find(o.path);
    if (at == blobs.end() || at->second != o.blob) return false;
    blobs.erase(at);
  }
  std::vector<std::string> paths;
  for (const auto& [path, blob] : blobs) paths.push_back(path);
  const auto contents = repo.contents(paths);
  if (!contents) return false;
  const bool are_as_they_were = std::all_of(blobs.begin(), blobs.end(), [&](const auto& left) {
    const auto at = contents->find(left.first);
    return left.second ? at != contents->end() && git::blob_hash(at->second) == *left.second : at == contents->end();
  });
  return are_as_they_were && std::all_of(measured.overrides.begin(), measured.overrides.end(), [&](const auto& o) {
           return !workspace::is_watched_apart(o.path) || watched.is_as(o);
         });
}

measuring::isolation isolation_of(const std::string& name) {
  return name == "process" ? measuring::isolation::process
         : name == "none"  ? measuring::isolation::none
                           : measuring::isolation::fork;
}

struct totals {
  measuring::program_totals tests;
  std::size_t known = 0;
  std::size_t carried = 0;  // rows that still hold
  std::string base;         // where they are from
  bool already_complete = false;
  std::vector<std::string> unsteady;
  std::optional<std::uint32_t> held;  // commits since a measurement that stays in place: nothing was measured
  std::size_t affected = 0;           // tests since then
};

constexpr std::size_t most_named = 5;

void report(const totals& t, const workspace::content& of, double seconds, const common_options& common) {
  if (common.json) {
    fmt::print("{}\n", nlohmann::json{{"schema", contract::measure_schema},
                                      {"commit", of.identity.commit},
                                      {"dirty", !of.dirty.empty()},
                                      {"tests", t.known},
                                      {"measured", t.tests.measured},
                                      {"carried", t.carried},
                                      {"base", t.base.empty() ? nlohmann::json(nullptr) : nlohmann::json(t.base)},
                                      {"failed", t.tests.failed},
                                      {"incomplete", t.tests.incomplete},
                                      {"unsteady", t.unsteady},
                                      {"seconds", seconds}}
                           .dump());
  } else if (t.already_complete) {
    fmt::print("commit {} is already measured: {} tests; --again measures it once more\n",
               of.identity.commit.substr(0, 10), t.known);
  } else if (t.held) {
    fmt::print("the changes since commit {}, {} commits ago, affect {} of {} tests: its measurement stays in place\n",
               t.base.substr(0, 10), *t.held, t.affected, t.known);
  } else {
    fmt::print("measured {} of {} tests at commit {}{} in {:.1f} s: {} failed, {} incomplete (always selected)\n",
               t.tests.measured, t.known, of.identity.commit.substr(0, 10),
               of.dirty.empty() ? "" : " with uncommitted changes", seconds, t.tests.failed, t.tests.incomplete);
    if (!t.base.empty())
      fmt::print("carried over from commit {}: {} of {} tests, which the changes since do not affect\n",
                 t.base.substr(0, 10), t.carried, t.known);
    if (!t.unsteady.empty())
      fmt::print(
          "{} did not behave alike in two runs (unsteady): {}{}; what any run executed counts, what another one "
          "would is not known\n",
          t.unsteady.size() == 1 ? "a test" : fmt::format("{} tests", t.unsteady.size()),
          fmt::join(t.unsteady.begin(),
                    t.unsteady.begin() + static_cast<std::ptrdiff_t>(std::min(t.unsteady.size(), most_named)), ", "),
          t.unsteady.size() > most_named ? ", ..." : "");
  }
}

/// Whether a test has a row although nobody told which files it opens. Of an adopted command that is no program of the
/// build nobody does; it runs in any case.
bool lacks_files(const store::evidence& e, const build::build_tree& tree) {
  const auto wholly = store::tests_that_tell_files(e, store::watched_wholly),
             in_part = store::tests_that_tell_files(e, store::watched_in_part);
  for (std::size_t t = 0; t < e.tests.size(); ++t) {
    const store::measured_test& test = e.tests[t];
    const build::suite* const suite = tree.find_suite(e.programs[test.program].suite);
    if (suite == nullptr || test.is_startup() || (suite->is_adopted() && (!test.measured || test.is_doubtful())))
      continue;
    if (!wholly[t] && !in_part[t]) return true;
  }
  return false;
}

/// Nothing if every test has to run, with the reason.
std::optional<measuring::refresh> find_refresh(const build::build_tree& tree, const build::build_tree& twin,
                                               const git::repository& repo, const selection::file_kinds& kinds,
                                               store::evidence_store& evidence,
                                               const std::vector<workspace::listed_suite>& suites, bool watches_files,
                                               std::string& why_not) {
  auto from = planning::plan_refresh(tree, repo, evidence, suites);
  if (!from) {
    why_not = from.error();
    return std::nullopt;
  }
  if (watches_files && lacks_files(*from->facts, tree)) {
    why_not = "the nearest measurement does not tell which files tests open";
    return std::nullopt;
  }
  for (const git::file_change& change : from->changes)
    if (const auto kind = kinds.kind_of(change.path);
        kind == selection::file_kind::build ||
        (kind == selection::file_kind::unknown && from->for_tests_alone.count(change.path) == 0)) {
      why_not = fmt::format("the changes may affect every test: since '{}', other code may have counters", change.path);
      return std::nullopt;
    }
  auto made = measuring::refresh::make(std::move(*from), !measuring::has_counter_files(twin));
  if (!made) why_not = "the changes may affect every test";
  return made;
}

/// Farther away than this many commits no measurement stays in place: a clone may not have its commit.
constexpr std::uint32_t farthest_held = 20;

/// Tests that every plan from this measurement selects, whatever changes, are not; nor are those that failed since:
/// their rows are from when they passed.
bool is_affected(const selection::planned_test& test) {
  return std::any_of(test.reasons.begin(), test.reasons.end(), [](const selection::reason& why) {
    using selection::reason_kind;
    switch (why.kind) {
      case reason_kind::changed_test:
      case reason_kind::changed_code:
      case reason_kind::changed_data:
      case reason_kind::changed_build:
      case reason_kind::changed_environment:
      case reason_kind::is_new:
      case reason_kind::unmeasured:
        return true;
      default:
        return false;
    }
  });
}

bool is_drawn_in(const selection::planned_test& test) {
  return std::any_of(test.reasons.begin(), test.reasons.end(), [](const selection::reason& why) {
    return why.kind == selection::reason_kind::required || why.kind == selection::reason_kind::same_name;
  });
}

/// Nothing if the changes since the nearest measurement affect more than that, or if it is not known what they affect.
std::optional<totals> find_held(const build::build_tree& tree, const git::repository& repo,
                                store::evidence_store& evidence, double most_pct, bool watches_files) {
  auto suites = workspace::list_suites(tree);
  if (!std::all_of(suites.begin(), suites.end(), [](const workspace::listed_suite& s) { return s.whole(); }))
    return std::nullopt;
  const auto from = planning::plan_refresh(tree, repo, evidence, std::move(suites));
  if (!from) return std::nullopt;
  // A new measurement would know more.
  if (from->facts->links.empty() || (watches_files && lacks_files(*from->facts, tree))) return std::nullopt;
  const auto& baseline = *from->request.baseline;
  if (baseline.distance.value_or(farthest_held + 1) > farthest_held) return std::nullopt;
  totals t;
  double seconds = 0, affected_seconds = 0, drawn_in = 0;
  for (const selection::planned_test& test : from->plan.tests) {
    seconds += test.seconds.value_or(0);
    if (!is_affected(test)) {
      if (is_drawn_in(test)) drawn_in += test.seconds.value_or(0);
      continue;
    }
    if (most_pct <= 0 || !test.seconds) return std::nullopt;
    ++t.affected;
    affected_seconds += *test.seconds;
  }
  // What affected tests need, and who needs them, runs with every plan, too.
  if (t.affected > 0 && !((affected_seconds + drawn_in) * 100 <= seconds * most_pct)) return std::nullopt;
  t.known = from->plan.tests.size();
  t.base = from->facts->info.taken_from.commit;
  t.held = *baseline.distance;
  return t;
}

/// What ctest runs for other tests runs once.
bool sets_up_others(const build::suite& suite, const frameworks::listed_case& c) {
  static constexpr std::array<std::string_view, 2> properties{"FIXTURES_SETUP", "FIXTURES_CLEANUP"};
  const auto& all = c.entry ? c.entry->properties : suite.properties;
  return std::any_of(all.begin(), all.end(), [](const auto& property) {
    return std::find(properties.begin(), properties.end(), property.first) != properties.end();
  });
}

/// The element by the names that it has in `e`.
store::element renamed(const store::evidence& e, store::element x, store::measurement_writer& writer) {
  using optimizer::requirement_kind;
  switch (store::kind_of(x)) {
    case requirement_kind::function: {
      store::measured_function f = e.functions[store::number_of(x)];
      f.file = writer.file(e.files[f.file]);
      return store::make_element(requirement_kind::function, 0, writer.function(f));
    }
    case requirement_kind::unit: {
      store::measured_unit unit = e.units[store::number_of(x)];
      unit.source = writer.file(e.files[unit.source]);
      for (std::uint32_t& file : unit.dependencies) file = writer.file(e.files[file]);
      std::sort(unit.dependencies.begin(), unit.dependencies.end());
      return store::make_element(requirement_kind::unit, 0, writer.unit(unit));
    }
    case requirement_kind::input:
      return store::make_element(requirement_kind::input, 0, writer.input(e.inputs[store::number_of(x)]));
    default:
      return store::make_element(store::kind_of(x), writer.file(e.files[store::owner_of(x)]), store::number_of(x));
  }
}

/// Of the same content, measured before: a plan takes the latest measurement alone. Its tests keep what their earlier
/// rows have, and those whose rows differ are unsteady.
result<void> add_earlier_rows(store::evidence_store& earlier, store::evidence_store& evidence,
                              store::measurement_writer& writer, std::vector<std::string>& unsteady) {
  const auto all = evidence.measurements();
  if (!all) return tl::unexpected(all.error());
  const auto own = std::find_if(all->begin(), all->end(), [&](const auto& m) { return m.id == writer.measurement(); });
  const auto known = earlier.measurements();
  if (!known) return tl::unexpected(known.error());
  if (own == all->end()) return {};
  std::vector<store::evidence> parts;
  for (const store::measurement_info& m : *known)
    if (m.complete && parts.empty() && store::identity_of(m) == store::identity_of(*own)) {
      auto facts = earlier.load(m.id);  // which has the rows of those before
      if (!facts) return tl::unexpected(facts.error());
      parts.push_back(std::move(*facts));
    }
  if (parts.empty()) return {};
  writer.checkpoint();
  auto now = evidence.load(writer.measurement());
  if (!now) return tl::unexpected(now.error());
  parts.push_back(std::move(*now));
  const store::evidence united = store::unite(std::move(parts));
  std::vector<std::vector<store::element>> rows(united.tests.size());
  for (const store::element_class& c : united.classes)
    for (const std::uint32_t test : c.tests)
      if (united.tests[test].unsteady)
        for (const store::element x : c.elements)
          if (store::kind_of(x) != optimizer::requirement_kind::kill) rows[test].push_back(renamed(united, x, writer));
  for (std::uint32_t t = 0; t < united.tests.size(); ++t) {
    const store::measured_test& test = united.tests[t];
    const std::uint32_t id = writer.test(writer.program(united.programs[test.program]), test.case_name, test.name);
    if (!test.unsteady || !writer.is_measured(id)) continue;
    std::sort(rows[t].begin(), rows[t].end());
    writer.put_row(id, test, rows[t]);
    if (std::find(unsteady.begin(), unsteady.end(), test.name) == unsteady.end()) unsteady.push_back(test.name);
  }
  return {};
}

result<totals> measure(const build::build_tree& tree, const git::repository& repo, const measure_arguments& arguments,
                       const common_options& common, workspace::content& taken) {
  const std::string configuration =
      arguments.isolation == "none" ? build::approximate(tree.configuration) : tree.configuration;
  const selection::file_kinds kinds(repo.root(), tree.ignore);
  auto snapshot = workspace::take_snapshot(repo, kinds);
  if (!snapshot) return tl::unexpected(snapshot.error());
  taken = std::move(*snapshot);

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
    if (arguments.again) break;
    const auto known = store->measurements();
    if (!known) return tl::unexpected(known.error());
    for (const auto& m : *known) {
      if (!m.complete || m.configuration != configuration || !is_still_there(m.taken_from, taken, repo, *watched))
        continue;
      const auto facts = store->load(m.id);
      if (!facts) return tl::unexpected(facts.error());
      if (workspace::has_changed_files(*facts, tree, repo, kinds)) break;  // plans start from this one, the latest
      totals t;
      t.already_complete = true;
      for (const auto& test : facts->tests) t.known += test.is_startup() ? 0 : 1;
      return t;
    }
  }

  if (arguments.if_affected_pct)
    for (store::evidence_store* const store : stores)
      if (const auto held = find_held(tree, repo, *store, *arguments.if_affected_pct,
                                      !arguments.ignore_files && system::can_watch_files()))
        return *held;

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
  spdlog::info("building the instrumented twin in '{}'", tree.twin_dir().string());
  const bool show_build = common.verbose || (!common.quiet && !common.json && ::isatty(STDOUT_FILENO) == 1);
  const auto twin = build::build_twin(tree, {arguments.jobs, show_build});
  if (!twin) return tl::unexpected(twin.error());
  if (measuring::has_counter_files(*twin)) {
    const auto said = measuring::describe_counter_files(*twin);
    if (!said) return tl::unexpected(said.error());
    spdlog::info("{}", *said);
  }
  const auto dependencies = build::read_dependencies(*twin);
  if (!dependencies) return tl::unexpected(dependencies.error());
  const auto tool_objects = build::objects_of_build_tools(*twin);
  if (!tool_objects) return tl::unexpected(tool_objects.error());
  const auto suites = workspace::list_suites(*twin);
  const bool watches_files =
      !arguments.ignore_files && !measuring::has_counter_files(*twin) && system::can_watch_files();
  std::optional<measuring::refresh> refreshing;
  std::string why_full = arguments.full || arguments.again ? "" : "each test is isolated in another way";
  if (!arguments.full && !arguments.again && isolation_of(arguments.isolation) == measuring::isolation::fork)
    for (store::evidence_store* const store : stores)
      if (!refreshing) refreshing = find_refresh(tree, *twin, repo, kinds, *store, suites, watches_files, why_full);
  if (arguments.incremental && !refreshing) spdlog::info("every test is measured: {}", why_full);
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
      watching(taken, *watched, tree, outside, repo, kinds).add(*dependencies, build::described_inputs(*twin));
  if (!content_id) return tl::unexpected(content_id.error());
  watched.reset();

  auto writer = evidence->begin(taken.identity, configuration, started.tv_sec);
  if (!writer) return tl::unexpected(writer.error());
  for (const auto& file : taken.dirty)
    if (file.content) writer->put_blob(git::blob_hash(*file.content), *file.content);
  for (const auto& [blob, text] : taken.watched) writer->put_blob(blob, text);

  // All tests are registered before the first runs: an interrupted measurement knows what it lacks.
  totals t;
  std::vector<std::string> errors;
  for (const workspace::listed_suite& s : suites)
    for (std::size_t i = 0; i < s.programs.size(); ++i) {
      if (s.programs[i].how == frameworks::listed_program::state::listed)
        t.known += measuring::register_tests(*writer, *s.declared, s.declared->programs[i], s.programs[i].cases);
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
  measuring::repeats again(measuring::choose_repeated(may_repeat, *content_id));
  measuring::record_declarations(tree, *writer);
  if (const auto recorded = changes::record_object_code(tree, *dependencies, *writer); !recorded)
    spdlog::info("object code is not recorded, so that plans from here go by lines: {}", recorded.error());

  std::set<std::string> adopted;
  for (const workspace::listed_suite& s : suites)
    for (const frameworks::listed_program& listed : s.programs)
      for (const frameworks::listed_case& c : listed.cases)
        if (c.entry) adopted.insert(c.name);
  measuring::fixtures around(tree, *twin, std::move(adopted));
  system::progress bar(t.known - left_out.size(), "tests", !common.quiet);
  std::vector<store::test_outcome> outcomes;
  measuring::register_blind_units({*twin, *dependencies, repo, kinds, outside, *writer, {}, outcomes}, *tool_objects);
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
        measuring::session m{*twin,
                             *dependencies,
                             repo,
                             kinds,
                             outside,
                             *writer,
                             [&] { bar.step("measuring " + program.target); },
                             outcomes,
                             isolation_of(arguments.isolation),
                             tree.binary_dir,
                             started,
                             !arguments.ignore_files};
        m.left_out = without;
        m.again = &again;
        if (!*ready) {
          spdlog::warn("suite '{}': its tests are not measured and always run: {}", s.declared->name, ready->error());
          t.tests.incomplete += measuring::leave_unmeasured(m, *s.declared, program, s.programs[i].cases).incomplete;
          continue;
        }
        m.lacks = **ready ? 0U : morph_stream::uncounted_fixture;
        const auto measured = has_own_fixtures
                                  ? measuring::measure_adopted(m, *s.declared, s.programs[i].cases)
                                  : measuring::measure_program(m, *s.declared, program, s.programs[i].cases);
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
        refreshing->carry_over(*evidence, {*twin, *dependencies, repo, kinds, outside, *writer, {}, outcomes});
    if (!carried) return tl::unexpected(carried.error());
    t.carried = carried->rows;
    t.base = refreshing->commit();
    run({}, [&](const auto& suite, const auto& target) { return carried->to_run.count({suite, target}) == 0; });
  }
  bar.clear();
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

/// For the heap to come: what a program's notes and rows take is some 70 MB, 18,000 page faults of the usual size.
void use_large_pages() {
  constexpr std::size_t room = std::size_t{64} << 20, large_page = std::size_t{2} << 20;
  ::mallopt(M_TOP_PAD, room);
  void* volatile grows_the_heap = std::malloc(large_page);
  std::free(grows_the_heap);
  const auto end = reinterpret_cast<std::uintptr_t>(::sbrk(0)) / large_page * large_page;
  ::madvise(reinterpret_cast<void*>(end - room + large_page), room - large_page, MADV_HUGEPAGE);
}

int run_measure(const measure_arguments& given, const common_options& common) {
  const auto started = clock::now();
  const auto tree = open_build_tree(common);
  if (!tree) return contract::environment;
  if (!tree->instrument.empty()) {
    spdlog::error("'{}' is itself an instrumented tree; name the ordinary one with --build", tree->binary_dir.string());
    return contract::usage;
  }
  measure_arguments arguments = given;
  if (const char* isolation = std::getenv(contract::isolation_variable);
      arguments.isolation.empty() && isolation != nullptr)
    arguments.isolation = isolation;
  if (arguments.isolation.empty()) arguments.isolation = "fork";
  if (arguments.isolation != "fork" && arguments.isolation != "process" && arguments.isolation != "none") {
    spdlog::error("isolation '{}' is unknown; there are: fork, process, none", arguments.isolation);
    return contract::usage;
  }
  const auto repo = git::repository::open(tree->source_dir);
  if (!repo) {
    spdlog::error("{}", repo.error());
    return contract::environment;
  }
  system::catch_interrupts();
  // Each row needs as much memory as the last one. What is given back to the system between them comes back as page
  // faults, a fifth of what measuring costs here.
  ::mallopt(M_MMAP_THRESHOLD, 1 << 30);
  ::mallopt(M_TRIM_THRESHOLD, 1 << 30);
  use_large_pages();
  workspace::content taken;
  result<totals> done;
  try {
    done = measure(*tree, *repo, arguments, common, taken);
  } catch (const store::database_error& error) {
    done = tl::unexpected(fmt::format("evidence store '{}': {}; what was written before is kept",
                                      workspace::writable_store_path(*tree, &*repo), error.what()));
  }
  if (system::interrupted()) {
    spdlog::error("interrupted{}; run it again to continue",
                  done ? fmt::format(" after {} tests, which are kept", done->tests.measured) : "");
    return contract::environment;
  }
  if (!done) {
    spdlog::error("{}", done.error());
    return contract::environment;
  }
  report(*done, taken, std::chrono::duration<double>(clock::now() - started).count(), common);
  return contract::fine;
}

}  // namespace

action add_measure(CLI::App& app, const common_options& common) {
  auto arguments = std::make_shared<measure_arguments>();
  app.add_option("-j,--jobs", arguments->jobs, "Compile this many files at once (default: one a processor)")
      ->type_name("N");
  app.add_option("--isolation", arguments->isolation,
                 "A fork of the running program for every test, or the last one put back as it was (fork, the "
                 "default), a new process "
                 "(process: slower), or "
                 "all in one (none: approximate, what the first test initializes is missing in the others; only plans "
                 "and reports with --approximate use it)")
      ->type_name("HOW");
  app.add_flag("--ignore-files", arguments->ignore_files,
               "Do not record which files tests open (the kernel cannot watch a program that is watched already)");
  app.add_flag("--incremental", arguments->incremental,
               "Measure only what changes since the nearest measurement can affect and carry the other rows over (the "
               "default where there is one); say why if that is not possible")
      ->excludes(app.add_flag("--full", arguments->full, "Measure every test"));
  app.add_flag("--again", arguments->again, "Measure every test even if this content has been measured");
  app.add_option("--if-affected", arguments->if_affected_pct,
                 fmt::format("Measure nothing, and do not even build the twin, unless the changes since the last "
                             "measurement affect more than PERCENT of the time of all tests (0: any test), or it "
                             "is more than {} commits away; plans go on from there. Reads what is built",
                             farthest_held))
      ->type_name("PERCENT")
      ->expected(0, 1)
      ->default_str("0")
      ->check(CLI::Range(0.0, 100.0).description(""))
      ->excludes("--full")
      ->excludes("--again");
  return [arguments, &common] { return run_measure(*arguments, common); };
}

}  // namespace morph::command
