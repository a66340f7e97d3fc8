// Before ctest runs: the measurement that rows will belong to, and what holds still of the last one.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <memory>
#include <set>
#include <utility>

#include "plugin/build/build_reads.hpp"
#include "plugin/build/build_tools.hpp"
#include "plugin/changes/code_changes.hpp"
#include "plugin/learning/learned_store.hpp"
#include "plugin/learning/learning.hpp"
#include "plugin/learning/runs.hpp"
#include "plugin/measuring/blind_units.hpp"
#include "plugin/measuring/outside_files.hpp"
#include "plugin/measuring/probe_rows.hpp"
#include "plugin/measuring/program.hpp"
#include "plugin/measuring/program_tables.hpp"
#include "plugin/measuring/test_inputs.hpp"
#include "plugin/store/merge.hpp"
#include "plugin/system/files.hpp"
#include "plugin/workspace/changed_inputs.hpp"
#include "plugin/workspace/opened.hpp"
#include "plugin/workspace/snapshot.hpp"

namespace morph::learning {
namespace {

namespace fs = std::filesystem;
using optimizer::requirement_kind;
using selection::reason_kind;
using store::element;

constexpr const char* files_changed = "files changed while the plan was made";
constexpr std::size_t most_measurements = 8;  // as many as a plan compares when no ancestor was measured

bool has_reason(const selection::planned_test& test, reason_kind kind) {
  return std::any_of(test.reasons.begin(), test.reasons.end(), [&](const auto& why) { return why.kind == kind; });
}

/// Adds what ctest runs for tests: what sets up their fixtures, and what they depend on.
void add_needed(const selection::plan_request& request, std::set<std::uint32_t>& tests) {
  std::map<std::string, std::vector<std::uint32_t>> setups, by_name;
  for (std::uint32_t t = 0; t < request.tests.size(); ++t) {
    by_name[request.tests[t].name].push_back(t);
    for (const std::string& fixture : request.tests[t].fixtures_set_up) setups[fixture].push_back(t);
  }
  std::vector<std::uint32_t> open(tests.begin(), tests.end());
  const auto add = [&](const std::map<std::string, std::vector<std::uint32_t>>& known, const std::string& name) {
    if (const auto at = known.find(name); at != known.end())
      for (const std::uint32_t other : at->second)
        if (tests.insert(other).second) open.push_back(other);
  };
  while (!open.empty()) {
    const selection::current_test& test = request.tests[open.back()];
    open.pop_back();
    for (const std::string& fixture : test.fixtures_required) add(setups, fixture);
    for (const std::string& name : test.depends) add(by_name, name);
  }
}

/// Those of which a new row would say more, and what runs for them.
std::set<std::uint32_t> tests_to_record(const planning::full_plan& p) {
  std::set<std::uint32_t> tests;
  bool is_any_affected = false;
  for (const selection::planned_test& t : p.plan.tests) {
    if (!t.selected) continue;
    const bool is_affected = selection::is_affected(t);
    is_any_affected = is_any_affected || is_affected;
    if (is_affected || has_reason(t, reason_kind::incomplete_evidence) || has_reason(t, reason_kind::required))
      tests.insert(t.test);
  }
  if (!is_any_affected) tests.clear();
  add_needed(p.request, tests);
  return tests;
}

/// Affected tests that are left out would count as unmeasured from then on.
bool leaves_out_affected(const planning::full_plan& p) {
  return std::any_of(p.plan.tests.begin(), p.plan.tests.end(), [](const selection::planned_test& t) {
    return has_reason(t, reason_kind::deferred_by_policy) || has_reason(t, reason_kind::deferred_by_budget);
  });
}

/// Which programs and shared libraries tests of a baseline loaded, by numbers of the tables that these have now. More
/// may be named, none is left out.
class loaded_tables {
 public:
  loaded_tables(const store::evidence& base, const store::measurement_writer& writer,
                const measuring::probe_tables& tables)
      : of_test_(base.tests.size()) {
    std::vector<std::vector<std::uint32_t>> classes(base.tests.size());  // with units, of each test
    for (std::uint32_t c = 0; c < base.classes.size(); ++c)
      if (std::ranges::any_of(base.classes[c].elements, is_unit))
        for (const std::uint32_t test : base.classes[c].tests) classes[test].push_back(c);
    const auto own = own_units(base, writer);
    std::map<std::vector<std::uint32_t>, std::uint32_t> groups;
    for (std::uint32_t test = 0; test < base.tests.size(); ++test) {
      const auto [at, is_new] = groups.try_emplace(classes[test], groups.size());
      of_test_[test] = at->second;
      if (!is_new) continue;
      std::set<element> units;
      for (const std::uint32_t c : classes[test])
        for (const element x : base.classes[c].elements)
          if (is_unit(x)) add_now(base.units[store::number_of(x)].object, writer, units);
      const auto has_any = [&](const auto& of) {
        return std::ranges::any_of(of, [&](element unit) { return units.contains(unit); });
      };
      auto& loaded = groups_.emplace_back(tables.files.size());
      for (const auto& [path, key] : tables.keys) {
        const auto table = tables.files.find(key);
        if (table == tables.files.end()) continue;  // it can have no probes
        const std::vector<element>& all = table->second.units;
        const auto was = own.find(path);
        if (was != own.end() ? has_any(was->second) : all.empty() || has_any(all)) loaded[table->second.number] = true;
      }
    }
  }

  /// Tests of one group loaded the same.
  std::uint32_t group_of(std::uint32_t test) const { return of_test_[test]; }
  const std::vector<bool>& of_group(std::uint32_t group) const { return groups_[group]; }

 private:
  static bool is_unit(element x) { return store::kind_of(x) == requirement_kind::unit; }

  static void add_now(const std::string& object, const store::measurement_writer& writer, std::set<element>& to) {
    if (const auto unit = writer.unit_of(object)) to.insert(store::make_element(requirement_kind::unit, 0, *unit));
  }

  /// By path: the units that it was linked of beside archives, which others are linked of, too.
  static std::map<std::string_view, std::set<element>> own_units(const store::evidence& base,
                                                                 const store::measurement_writer& writer) {
    std::set<std::string_view> known;
    for (const store::measured_unit& unit : base.units) known.insert(unit.object);
    std::map<std::string_view, std::set<element>> own;
    for (const store::measured_link& link : base.links)
      for (const store::linked_object& o : link.objects)
        if (o.member.empty() && known.contains(o.path)) add_now(o.path, writer, own[link.path]);
    std::erase_if(own, [](const auto& link) { return link.second.empty(); });
    return own;
  }

  std::vector<std::uint32_t> of_test_;
  std::vector<std::vector<bool>> groups_;
};

/// From elements of the baseline to those of the new measurement. A function is known by its symbol in what a test
/// loads: other sources may define it now.
class translation {
 public:
  translation(const store::evidence& base, store::measurement_writer& writer, const measuring::probe_tables& tables)
      : base_(base), writer_(writer), tables_(tables) {}

  /// `loaded`: by number of the table. Nothing if a part of it is not there any more.
  std::optional<std::vector<element>> of(const store::element_class& c, const std::vector<bool>& loaded) const {
    std::vector<element> elements;
    for (const element x : c.elements)
      if (!add(x, loaded, elements)) return std::nullopt;
    return elements;
  }

 private:
  bool add(element x, const std::vector<bool>& loaded, std::vector<element>& to) const {
    switch (store::kind_of(x)) {
      case requirement_kind::function: {
        const std::string& symbol = base_.functions[store::number_of(x)].symbol;
        const auto at = tables_.by_symbol.find(symbol);
        // Of a function that became another one, blocks are not known any more.
        if (at == tables_.by_symbol.end()) return store::is_block(symbol);
        const std::size_t before = to.size();
        for (const auto& [function, table] : at->second)
          if (loaded[table]) to.push_back(function);
        if (to.size() == before)
          for (const auto& [function, table] : at->second) to.push_back(function);
        return true;
      }
      case requirement_kind::unit: {
        const auto unit = writer_.unit_of(base_.units[store::number_of(x)].object);
        if (unit) to.push_back(store::make_element(requirement_kind::unit, 0, *unit));
        return unit.has_value();
      }
      case requirement_kind::data:
        to.push_back(store::make_element(requirement_kind::data, writer_.file(base_.files[store::owner_of(x)]), 0));
        return true;
      case requirement_kind::input:
        to.push_back(store::make_element(requirement_kind::input, 0, writer_.input(base_.inputs[store::number_of(x)])));
        return true;
      case requirement_kind::kill:  // of the old content
      case requirement_kind::line:  // where the test is registered, which is told anew
        return true;
      default:
        return false;
    }
  }

  const store::evidence& base_;
  store::measurement_writer& writer_;
  const measuring::probe_tables& tables_;
};

using test_name = std::tuple<std::string, std::string, std::string>;  // suite, target, case
using places_of_tests = std::map<test_name, std::pair<std::string, std::uint32_t>>;

/// Where the listed tests are registered, as far as the framework says it.
places_of_tests find_places(const measuring::session& m, const std::vector<workspace::listed_suite>& suites) {
  places_of_tests places;
  for (const workspace::listed_suite& s : suites)
    for (std::size_t i = 0; i < s.programs.size(); ++i)
      for (const frameworks::listed_case& c : s.programs[i].cases) {
        const std::string file = c.file.empty() ? std::string() : measuring::name_of_source(m, c.file);
        if (file.empty()) continue;
        places[{s.declared->name, s.declared->programs[i].target, c.case_name}] = {file,
                                                                                   static_cast<std::uint32_t>(c.line)};
      }
  return places;
}

/// A program that was loaded may have sources by now that it had not: it would load them, too.
void add_units(std::vector<element>& row, const measuring::probe_tables& tables, const std::vector<bool>& loaded) {
  for (const auto& [key, table] : tables.files)
    if (loaded[table.number] && !std::ranges::includes(row, table.units)) measuring::add_elements(row, table.units);
}

/// Rows of tests of which nothing that they did in `base` has changed.
void carry_rows(const store::evidence& base, const planning::full_plan& p, const std::set<std::uint32_t>& tests,
                const places_of_tests& places, store::measurement_writer& writer,
                const measuring::probe_tables& tables) {
  if (!store::is_probed(base)) return;
  std::map<test_name, std::uint32_t> known;
  for (std::uint32_t t = 0; t < base.tests.size(); ++t) {
    const store::measured_test& test = base.tests[t];
    const store::measured_program& program = base.programs[test.program];
    if (test.measured && !test.is_startup()) known[{program.suite, program.target, test.case_name}] = t;
  }
  std::map<std::uint32_t, std::uint32_t> carried;  // test of the base -> of the new measurement
  for (const std::uint32_t t : tests) {
    const selection::current_test& test = p.request.tests[t];
    const std::string& suite = p.request.suites[test.suite].name;
    if (const auto at = known.find({suite, test.target, test.case_name}); at != known.end())
      carried[at->second] = writer.test(writer.program({suite, test.target}), test.case_name, test.name);
  }
  std::vector<bool> is_carried(base.tests.size()), has_row(base.tests.size()), is_lost(base.tests.size());
  for (const auto& [test, number] : carried) is_carried[test] = true;
  std::vector<std::vector<std::uint32_t>> parts;          // tests of a class that loaded the same
  std::vector<std::pair<element, std::size_t>> mentions;  // and by which of the parts
  const translation to(base, writer, tables);
  const loaded_tables loaded(base, writer, tables);
  for (const store::element_class& c : base.classes) {
    std::map<std::uint32_t, std::vector<std::uint32_t>> by_group;
    for (const std::uint32_t test : c.tests)
      if (is_carried[test]) by_group[loaded.group_of(test)].push_back(test);
    for (auto& [group, of_group] : by_group) {
      const auto elements = to.of(c, loaded.of_group(group));
      for (const std::uint32_t test : of_group) (elements ? has_row : is_lost)[test] = true;
      if (!elements) continue;
      for (const element x : *elements) mentions.emplace_back(x, parts.size());
      parts.push_back(std::move(of_group));
    }
  }
  std::sort(mentions.begin(), mentions.end());  // once, and not each of thousands of rows
  std::vector<std::vector<element>> rows(base.tests.size());
  for (const auto& [x, i] : mentions)
    for (const std::uint32_t test : parts[i])
      if (!is_lost[test] && (rows[test].empty() || rows[test].back() != x)) rows[test].push_back(x);
  for (const auto& [test, number] : carried) {
    std::vector<element>& row = rows[test];
    if (!has_row[test] || is_lost[test]) continue;
    add_units(row, tables, loaded.of_group(loaded.group_of(test)));
    const store::measured_program& program = base.programs[base.tests[test].program];
    if (const auto at = places.find({program.suite, program.target, base.tests[test].case_name}); at != places.end())
      measuring::add_elements(row, std::array{store::make_element(requirement_kind::line, writer.file(at->second.first),
                                                                  at->second.second)});
    store::measured_test facts = base.tests[test];
    if (facts.at == 0) facts.at = base.info.created;
    if (facts.carried_from.empty()) facts.carried_from = base.info.taken_from.commit;
    writer.put_row(number, facts, row);
  }
}

/// Of tests that the plan leaves out, from the measurement that says so.
void carry_rows(const planning::full_plan& p, const std::set<std::uint32_t>& recorded, const places_of_tests& places,
                store::measurement_writer& writer, const measuring::probe_tables& tables) {
  std::set<std::uint32_t> tests;
  for (const selection::planned_test& t : p.plan.tests)
    if (!recorded.contains(t.test) && !selection::is_affected(t) && !p.request.unaffected_since.contains(t.test))
      tests.insert(t.test);
  if (p.facts) carry_rows(*p.facts, p, tests, places, writer, tables);
  for (const planning::other_rows& other : p.others) {
    tests.clear();
    std::copy_if(other.tests.begin(), other.tests.end(), std::inserter(tests, tests.end()),
                 [&](std::uint32_t t) { return !recorded.contains(t); });
    carry_rows(other.facts, p, tests, places, writer, tables);
  }
}

/// What belongs to every test of a program: files that the suite names, shared libraries from elsewhere.
void put_startup_rows(const measuring::session& m, const build::suite& suite) {
  measuring::test_inputs inputs(m);
  const auto data = inputs.data(suite);
  for (const build::test_program& program : suite.programs) {
    std::vector<element> row = data;
    measuring::add_elements(row, inputs.opens_nothing());
    system::command c;
    for (const std::string& entry : suite.environment)
      if (const auto equals = entry.find('='); equals != std::string::npos)
        c.environment.emplace_back(entry.substr(0, equals), entry.substr(equals + 1));
    if (!suite.is_adopted()) measuring::add_elements(row, inputs.libraries(program.executable.string(), c));
    for (const fs::path& executable : suite.executables)
      measuring::add_elements(row, inputs.libraries(executable.string(), c));
    m.writer.put_row(m.writer.test(m.writer.program({suite.name, program.target}), "", ""), {}, row);
  }
}

/// There was no baseline: it may be there, but not what it was.
result<void> load_newest(store::evidence_store& learned) {
  const auto all = learned.measurements();
  if (!all) return tl::unexpected(all.error());
  if (all->empty()) return {};
  const auto loaded = learned.load(all->front().id);
  return loaded ? result<void>() : tl::unexpected(loaded.error());
}

/// Old ones go, with what only they needed. It is another file then.
result<void> collect_garbage(store::evidence_store& learned) {
  const auto all = learned.measurements();
  if (!all) return tl::unexpected(all.error());
  if (all->size() <= 2 * most_measurements) return {};
  std::set<std::int64_t> kept;
  for (std::size_t i = 0; i < most_measurements; ++i) kept.insert((*all)[i].id);
  store::evidence_store* const from = &learned;
  const auto replaced =
      store::replace_by_union(learned.path(), {&from, 1}, [&](const auto& m) { return kept.contains(m.id); });
  return replaced ? result<void>() : tl::unexpected(replaced.error());
}

class preparation {
 public:
  preparation(const build::build_tree& tree, const planning::full_plan& p, const git::repository& repo,
              store::evidence_store& learned, const moment& before)
      : tree_(tree),
        p_(p),
        repo_(repo),
        kinds_(repo.root(), tree.ignore),
        outside_(tree),
        learned_(learned),
        before_(before) {}

  /// The measurement that the rows of `tests` will belong to.
  result<store::measurement_info> make(const std::set<std::uint32_t>& tests) {
    auto dependencies = build::read_dependencies(tree_);
    if (!dependencies) return tl::unexpected(dependencies.error());
    dependencies_ = std::move(*dependencies);
    auto snapshot = workspace::take_snapshot(repo_, kinds_);
    if (!snapshot) return tl::unexpected(snapshot.error());
    taken_ = std::move(*snapshot);
    if (!is_as_before(taken_)) return tl::unexpected(std::string(files_changed));
    {
      workspace::watched_files watched(tree_, repo_, kinds_);
      if (auto added = measuring::add_read_files(taken_, watched, tree_, outside_, repo_, kinds_, dependencies_,
                                                 build::described_inputs(tree_));
          !added)
        return tl::unexpected(added.error());
    }
    const auto known = learned_.measurements();
    if (!known) return tl::unexpected(known.error());
    const store::measurement_info own{0, taken_.identity, tree_.configuration, 0, false};
    for (const store::measurement_info& m : *known) {
      if (m.complete || store::identity_of(m) != store::identity_of(own)) continue;
      if (p_.continues == m.id) return begin(learned_.resume(m.id, m.created), tests, false);
      if (auto removed = learned_.remove(m.id); !removed) return tl::unexpected(removed.error());
    }
    // The newest is the last one, whatever the clock says.
    const std::int64_t last = known->empty() ? 0 : known->front().created;
    const std::int64_t now = std::max<std::int64_t>(std::time(nullptr), last);
    return begin(learned_.begin(taken_.identity, tree_.configuration, now), tests, true);
  }

  const places_of_tests& places() const { return places_; }
  const std::map<std::string, std::string>& keys() const { return keys_; }

 private:
  bool is_as_before(const workspace::snapshot& now) const {
    return now.identity.tree == before_.content.tree && now.identity.overrides == before_.content.overrides;
  }

  /// What was built since is not what the plan has compared.
  result<void> check_programs() const {
    for (const auto& [path, key] : keys_) {
      const spool::file_state state = spool::state_of((tree_.binary_dir / path).string());
      if (state.is_there && build::is_before({state.seconds, state.nanoseconds}, before_.at)) continue;
      if (state.seconds > std::time(nullptr))
        return tl::unexpected(fmt::format("'{}' is of the future; was the clock set back?", path));
      return tl::unexpected(std::string(files_changed));
    }
    return {};
  }

  result<store::measurement_info> begin(result<store::measurement_writer> writer, const std::set<std::uint32_t>& tests,
                                        bool is_new) {
    if (!writer) return tl::unexpected(writer.error());
    std::vector<store::test_outcome> none;
    system::observer nobody;
    const measuring::session m{tree_,
                               dependencies_,
                               repo_,
                               kinds_,
                               outside_,
                               *writer,
                               {},
                               none,
                               nobody,
                               measuring::isolation::process,
                               tree_.binary_dir};
    places_ = find_places(m, p_.suites);
    const auto tables = make_tables(m, p_.facts ? &*p_.facts : nullptr);
    if (!tables) return tl::unexpected(tables.error());
    keys_ = tables->keys;
    for (const workspace::listed_suite& s : p_.suites) put_startup_rows(m, *s.declared);
    if (is_new)
      if (auto filled = fill(m, tests, *tables); !filled) return tl::unexpected(filled.error());
    const auto now = workspace::take_snapshot(repo_, kinds_);
    if (!now || !is_as_before(*now)) return tl::unexpected(std::string(files_changed));
    if (auto checked = check_programs(); !checked) return tl::unexpected(checked.error());
    writer->checkpoint();
    const auto all = learned_.measurements();
    if (!all) return tl::unexpected(all.error());
    return *std::find_if(all->begin(), all->end(), [&](const auto& i) { return i.id == writer->measurement(); });
  }

  static result<measuring::probe_tables> make_tables(const measuring::session& m, const store::evidence* base) {
    auto tables = measuring::make_probe_tables(m, base);
    if (tables && !tables->refusing.empty())
      return tl::unexpected(
          fmt::format("the sanitizer in '{}' lets no other library be loaded before it; configure with "
                      "-DMORPH_EVIDENCE=twin, or without the sanitizer",
                      tables->refusing));
    return tables;
  }

  result<void> fill(const measuring::session& m, const std::set<std::uint32_t>& tests,
                    const measuring::probe_tables& tables) {
    const auto tools = build::objects_of_build_tools(tree_);
    if (!tools) return tl::unexpected(tools.error());
    for (const auto& file : taken_.dirty)
      if (file.content) m.writer.put_blob(git::blob_hash(*file.content), *file.content);
    for (const auto& [blob, text] : taken_.watched) m.writer.put_blob(blob, text);
    for (const workspace::listed_suite& s : p_.suites) {
      for (std::size_t i = 0; i < s.programs.size(); ++i)
        measuring::register_tests(m.writer, *s.declared, s.declared->programs[i], s.programs[i].cases);
    }
    measuring::record_declarations(tree_, m.writer);
    if (auto recorded = changes::record_object_code(tree_, dependencies_, m.writer); !recorded) return recorded;
    measuring::register_blind_units(m, *tools, tables.without);
    carry_rows(p_, tests, places_, m.writer, tables);
    put_rows_without_probes(m, tests, tables);
    return {};
  }

  /// Of tests whose program can have no probes: nobody records what they do, and they always run.
  void put_rows_without_probes(const measuring::session& m, const std::set<std::uint32_t>& tests,
                               const measuring::probe_tables& tables) const {
    std::set<std::pair<std::string, std::string>> programs;  // suite, target
    for (const build::suite& suite : tree_.suites)
      for (const build::test_program& program : suite.programs) {
        const auto key = tables.keys.find(program.executable.lexically_relative(tree_.binary_dir).string());
        if (key != tables.keys.end() && !tables.files.contains(key->second))
          programs.emplace(suite.name, program.target);
      }
    for (const std::uint32_t t : tests) {
      const selection::current_test& test = p_.request.tests[t];
      const std::string& suite = p_.request.suites[test.suite].name;
      if (!programs.contains({suite, test.target})) continue;
      store::measured_test facts;
      facts.incomplete = morph_stream::no_probes;
      facts.at = before_.at.tv_sec;
      m.writer.put_row(m.writer.test(m.writer.program({suite, test.target}), test.case_name, test.name), facts, {});
    }
  }

  const build::build_tree& tree_;
  const planning::full_plan& p_;
  const git::repository& repo_;
  selection::file_kinds kinds_;
  workspace::outside_rules outside_;
  store::evidence_store& learned_;
  build::dependency_map dependencies_;
  const moment& before_;
  workspace::snapshot taken_;
  places_of_tests places_;
  std::map<std::string, std::string> keys_;  // of tables, by path
};

result<std::optional<planning::test_recording>> prepare_tests(const build::build_tree& tree,
                                                              const planning::full_plan& p, const git::repository& repo,
                                                              store::evidence_store& learned, const moment& before,
                                                              const std::string& runtime,
                                                              const std::set<std::uint32_t>& tests) {
  preparation making(tree, p, repo, learned, before);
  const auto measurement = making.make(tests);
  if (!measurement) return tl::unexpected(measurement.error());
  const fs::path spool = spool_of(tree);
  run_of_ctest run = make_run(*measurement, before.at);
  run.keys = making.keys();
  planning::test_recording recording;
  recording.preload = runtime;
  recording.variables = {{"MORPH_PROBES", (tree.own_dir() / "probes").string()},
                         {"MORPH_PROBES_BUILD", tree.binary_dir.string() + "/"}};
  recording.name = "MORPH_PROBES_LEARN";
  for (const std::uint32_t t : tests) {
    const selection::current_test& test = p.request.tests[t];
    const std::string& suite = p.request.suites[test.suite].name;
    const std::string id = id_of_test(suite, test.target, test.case_name);
    recording.tests[t] = (spool / run.name / id).string();
    if (const auto at = making.places().find({suite, test.target, test.case_name}); at != making.places().end())
      run.places[id] = at->second;
  }
  std::set<std::pair<std::string, std::string>> names;  // suite, case
  for (const std::uint32_t t : tests)
    names.emplace(p.request.suites[p.request.tests[t].suite].name, p.request.tests[t].case_name);
  for (const workspace::listed_suite& suite : p.suites)
    for (const frameworks::listed_program& program : suite.programs)
      for (const frameworks::listed_case& test : program.cases)
        if (test.entry && names.contains({suite.declared->name, test.case_name}))
          run.entries[workspace::name_of_entry(*suite.declared, test)] = workspace::digest_of_entry(tree, *test.entry);
  if (auto written = write_run(spool, run); !written) return tl::unexpected(written.error());
  return recording;
}

}  // namespace

std::optional<moment> now(const build::build_tree& tree) {
  if (!build::has_probes(tree)) return std::nullopt;
  moment made;
  ::clock_gettime(CLOCK_REALTIME_COARSE, &made.at);  // as file systems do
  const auto repo = git::repository::open(tree.source_dir);
  if (!repo) return std::nullopt;
  auto snapshot = workspace::take_snapshot(*repo, selection::file_kinds(repo->root(), tree.ignore));
  if (!snapshot) return std::nullopt;
  made.content = std::move(snapshot->identity);
  return made;
}

result<std::optional<planning::test_recording>> prepare(const build::build_tree& tree, const planning::full_plan& p,
                                                        const moment& before, system::observer& told) {
  if (!build::has_probes(tree) || p.listing_failed || !p.left_out.programs.empty() || leaves_out_affected(p))
    return std::nullopt;
  const std::set<std::uint32_t> tests = tests_to_record(p);
  if (tests.empty()) return std::nullopt;
  const auto runtime = measuring::probe_runtime();
  if (!runtime) return tl::unexpected(runtime.error());
  const auto repo = git::repository::open(tree.source_dir);
  if (!repo) return tl::unexpected(repo.error());
  const auto lock = system::lock_file(tree.own_dir() / "learn.lock", system::if_locked::wait);
  if (!lock) return tl::unexpected(lock.error());
  const auto collect = [&](store::evidence_store& learned) -> result<void> {
    if (auto loaded = p.facts ? result<void>() : load_newest(learned); !loaded) return loaded;
    return collect_garbage(learned);
  };
  if (auto collected = with_learned(tree, told, collect); !collected) return tl::unexpected(collected.error());
  return with_learned(tree, told, [&](store::evidence_store& learned) {
    return prepare_tests(tree, p, *repo, learned, before, runtime->string(), tests);
  });
}

}  // namespace morph::learning
