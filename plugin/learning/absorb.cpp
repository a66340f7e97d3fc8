// After ctest ran: from records to rows.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "coverage/gcov/stream_format.h"
#include "plugin/frameworks/ctest_tests.hpp"
#include "plugin/frameworks/ctest_verdict.hpp"
#include "plugin/frameworks/framework.hpp"
#include "plugin/learning/learned_store.hpp"
#include "plugin/learning/learning.hpp"
#include "plugin/learning/runs.hpp"
#include "plugin/measuring/probe_names.hpp"
#include "plugin/measuring/program_tables.hpp"
#include "plugin/measuring/test_inputs.hpp"
#include "plugin/store/merge.hpp"
#include "plugin/system/counted.hpp"
#include "plugin/system/files.hpp"
#include "plugin/workspace/changed_inputs.hpp"
#include "plugin/workspace/opened.hpp"
#include "plugin/workspace/snapshot.hpp"
#include "plugin/workspace/verdict_history.hpp"

namespace morph::learning {
namespace {

namespace fs = std::filesystem;
using store::element;

/// A test as it is listed, and what ctest gives it.
struct known_test {
  const build::suite* suite;
  std::string target;
  const frameworks::listed_case* listed;
  std::vector<std::pair<std::string, std::string>> properties;
  std::vector<std::string> needs;  // tests that run for it
  bool has_unknown_needs = false;  // something runs for it that is no test of Morph's
};

std::vector<std::string> list_of(const std::vector<std::pair<std::string, std::string>>& properties,
                                 std::string_view name) {
  for (const auto& [key, value] : properties)
    if (key == name) return frameworks::split_list(value);
  return {};
}

/// By the id that records name them by.
std::map<std::string, known_test> tests_by_id(const std::vector<workspace::listed_suite>& suites) {
  std::map<std::string, known_test> tests;
  std::map<std::string, std::vector<std::string>> setups;  // ids by fixture
  std::map<std::string, std::vector<std::string>> by_name;
  for (const workspace::listed_suite& s : suites) {
    for (std::size_t i = 0; i < s.programs.size(); ++i)
      for (const frameworks::listed_case& c : s.programs[i].cases) {
        if (c.disabled) continue;
        const std::string& target = s.declared->programs[i].target;
        const std::string id = id_of_test(s.declared->name, target, c.case_name);
        auto properties = c.entry ? c.entry->properties : s.declared->properties;
        for (const std::string& fixture : list_of(properties, "FIXTURES_SETUP")) setups[fixture].push_back(id);
        by_name[c.name].push_back(id);
        tests[id] = {s.declared, target, &c, std::move(properties), {}};
      }
  }
  for (auto& [id, test] : tests) {
    for (const std::string& fixture : list_of(test.properties, "FIXTURES_REQUIRED")) {
      const auto at = setups.find(fixture);
      test.has_unknown_needs = test.has_unknown_needs || at == setups.end();
      if (at != setups.end()) test.needs.insert(test.needs.end(), at->second.begin(), at->second.end());
    }
    for (const std::string& name : list_of(test.properties, "DEPENDS")) {
      const auto at = by_name.find(name);
      test.has_unknown_needs = test.has_unknown_needs || at == by_name.end();
      if (at != by_name.end()) test.needs.insert(test.needs.end(), at->second.begin(), at->second.end());
    }
    std::erase(test.needs, id);
  }
  return tests;
}

/// What ctest gives the test for its own: of these variables the environment says nothing.
system::command given_to(const known_test& test) {
  system::command c;
  if (test.listed->entry) {
    if (auto run = frameworks::as_ctest_runs(*test.listed->entry)) c = std::move(*run);
  } else {
    if (const auto* const framework = frameworks::find_framework(test.suite->framework)) {
      for (const std::string& name : framework->variables) c.environment.emplace_back(name, std::nullopt);
      if (!framework->silence.first.empty()) c.environment.push_back(framework->silence);
    }
    for (const std::string& entry : test.suite->environment)
      c.environment.emplace_back(entry.substr(0, entry.find('=')), "");
  }
  c.environment.emplace_back("LD_PRELOAD", "");
  return c;
}

/// Whether ctest says of this run that it passed, and not by what the test has printed alone: a test that was skipped,
/// or failed, did not do what it does otherwise.
bool has_passed(const known_test& test, const spool::test_record& record,
                const std::map<std::string, frameworks::run_outcome>& verdicts) {
  constexpr std::int64_t seconds_apart = 2;  // of a batch, that tells of a case before its process has ended
  const auto at = verdicts.find(test.listed->name);
  if (at == verdicts.end() || at->second.at + seconds_apart < record.at) return false;
  if (at->second.failed || at->second.skipped || at->second.suspect) return false;
  const auto judges_output = [](const auto& property) {
    return property.first == "PASS_REGULAR_EXPRESSION" || property.first == "FAIL_REGULAR_EXPRESSION";
  };
  if (std::any_of(test.properties.begin(), test.properties.end(), judges_output)) return true;
  return frameworks::judge(*record.status, "", test.properties) == frameworks::verdict::passed;
}

/// Whether it starts a program of the build, whose functions have probes. Other commands may run anything.
bool starts_measured_program(const known_test& test) {
  if (!test.listed->entry) return true;
  const auto& command = test.listed->entry->command;
  std::error_code error;
  return !command.empty() &&
         std::any_of(test.suite->executables.begin(), test.suite->executables.end(),
                     [&](const fs::path& path) { return fs::equivalent(path, command.front(), error) && !error; });
}

struct made_row {
  store::measured_test facts;
  std::vector<element> elements;
  measuring::used_files used;
};

/// The rows of one run of ctest.
class absorption {
 public:
  absorption(const measuring::session& m, const run_of_ctest& run, const std::map<std::string, known_test>& tests,
             const std::map<std::string, frameworks::run_outcome>& verdicts)
      : m_(m), run_(run), tests_(tests), verdicts_(verdicts), inputs_(m) {
    for (const auto& [path, key] : run.keys) keys_[(m.twin.binary_dir / path).string()] = key;
  }

  std::size_t add(const std::vector<spool::test_record>& records) {
    std::map<std::string, const spool::test_record*> last;
    for (const spool::test_record& record : records)
      if (tests_.contains(record.test)) last[record.test] = &record;
    for (const auto& [id, record] : last)
      if (auto row = row_of(tests_.at(id), *record)) rows_[id] = std::move(*row);
    std::size_t added = 0;
    for (auto& [id, row] : rows_) added += put(id, row) ? 1 : 0;
    for (const auto& [reason, tests] : lost_)
      m_.told.warn(fmt::format("{}; what {} did is not known", reason, system::counted(tests, "test")));
    for (const auto& [reason, tests] : reasons_)
      m_.told.warn(fmt::format("it is not known in full what {} executed, which run{} every time: {}",
                               system::counted(tests, "test"), tests == 1 ? "s" : "", reason));
    return added;
  }

 private:
  /// Nothing of a test that failed: its row would be of what it did until then.
  std::optional<made_row> row_of(const known_test& test, const spool::test_record& record) {
    if (!record.status || !has_passed(test, record, verdicts_)) return std::nullopt;
    made_row row;
    row.facts.at = record.at;
    row.facts.wall_us = record.wall_us;
    row.facts.detail = *record.status;
    if (!record.incomplete.empty()) {
      row.facts.incomplete |= morph_stream::no_probes;
      ++reasons_[record.incomplete.substr(0, record.incomplete.find('\n'))];
    }
    if (was_set_back(record)) {
      row.facts.incomplete |= morph_stream::changing_file;
      ++reasons_["the clock was set back meanwhile, so that files may have changed unnoticed"];
    }
    if (record.left_processes) row.facts.incomplete |= morph_stream::made_process;
    const bool is_inert = test.listed->entry && frameworks::is_inert(*test.listed->entry);
    if (record.entered.empty() && !is_inert) row.facts.incomplete |= morph_stream::no_counters;
    if (!starts_measured_program(test) && !is_inert) row.facts.incomplete |= morph_stream::made_process;
    if (!has_own_program(test, record)) row.facts.incomplete |= morph_stream::no_probes;
    if (const std::string program = unrecorded_program(record); !program.empty()) {
      row.facts.incomplete |= morph_stream::no_probes;
      ++reasons_[fmt::format("they read or executed '{}', which has recorded nothing", program)];
    }
    for (const auto& [key, functions] : record.entered) {
      const measuring::probe_elements* const table = find_table(key);
      if (const auto at = damaged_.find(key); at != damaged_.end()) ++lost_[at->second];
      if (table == nullptr || !measuring::add_entered(*table, functions, row.elements)) return std::nullopt;
    }
    measuring::sort_set(row.elements);
    if (test.listed->entry) add_entry(workspace::name_of_entry(*test.suite, *test.listed), row);
    const system::command given = given_to(test);
    measuring::add_elements(row.elements, inputs_.variables(record.variables, given));
    if (record.tells_files) add_files(record, row);
    return row;
  }

  /// As it was when the run began.
  void add_entry(const std::string& name, made_row& row) {
    const auto at = run_.entries.find(name);
    if (at == run_.entries.end()) return;
    const std::uint32_t number = m_.writer.input({store::measured_input::kind::entry, name, at->second});
    const element x = store::make_element(optimizer::requirement_kind::input, 0, number);
    measuring::add_elements(row.elements, {&x, 1});
  }

  /// Files are compared by times: what changes after that seems to be older than the run.
  bool was_set_back(const spool::test_record& record) const {
    constexpr std::int64_t between_two_clocks = 500'000'000;  // ns: a process may be stopped between looking at both
    return record.machine_started < run_.machine_started - between_two_clocks;
  }

  void add_files(const spool::test_record& record, made_row& row) {
    row.used.states = &record.states;
    system::command c;
    inputs_.watch(c, [&](bool) -> measuring::used_files& { return row.used; });
    if (c.on_opened)
      for (const system::opened_file& file : record.files) c.on_opened(file);
    measuring::add_elements(row.elements, inputs_.watched());
    for (const auto& [path, state] : record.states)
      if (!row.used.changed.has(path) && is_another_now(path, state)) {
        m_.told.detail(fmt::format("a row is incomplete: '{}' is not what the test used", path));
        row.facts.incomplete |= morph_stream::changing_file;
      }
  }

  /// Of a file of the repository: it changed while tests ran. Of what the build made beside programs, and of libraries:
  /// it is another one, or was. (test_inputs::settle() looks at all others.)
  bool is_another_now(const std::string& path, const spool::file_state& state) const {
    const bool changed_under_way = !state.is_there || !build::is_before({state.seconds, state.nanoseconds}, run_.since);
    const std::string name = m_.repository.relative(path);
    if (!name.empty() && m_.repository.tracks(name)) return !state.is_folder && changed_under_way;
    if (state.is_folder || keys_.contains(path)) return false;
    const bool is_of_build = system::is_inside(path, m_.twin.binary_dir.string()) &&
                             !system::is_inside(path, (m_.twin.binary_dir / ".morph").string());
    const bool is_library = fs::path(path).filename().string().find(".so") != std::string::npos;
    return (is_of_build || is_library) && spool::state_of(path) != state;
  }

  /// Whether the program that ctest starts has recorded, and not something alone that it has started.
  bool has_own_program(const known_test& test, const spool::test_record& record) const {
    std::error_code error;
    const std::string path = test.listed->entry
                                 ? (test.listed->entry->command.empty() ? "" : test.listed->entry->command.front())
                                 : executable_of(test);
    const auto at = std::find_if(keys_.begin(), keys_.end(), [&](const auto& link) {
      return link.first == path || (fs::equivalent(link.first, path, error) && !error);
    });
    return test.listed->entry && at == keys_.end() ? true : at != keys_.end() && record.entered.contains(at->second);
  }

  /// A program or library of the build that was read, perhaps to be executed, but has entered nothing.
  std::string unrecorded_program(const spool::test_record& record) const {
    std::error_code none;
    for (const system::opened_file& file : record.files) {
      if (file.how != system::opened_file::use::reads || file.path.empty()) continue;
      const auto at = keys_.find(fs::weakly_canonical(file.path, none).string());
      if (at != keys_.end() && !record.entered.contains(at->second)) return at->first;
    }
    return {};
  }

  static std::string executable_of(const known_test& test) {
    for (const build::test_program& program : test.suite->programs)
      if (program.target == test.target) return program.executable.string();
    return {};
  }

  /// Of a program or library as it was when the run began.
  const measuring::probe_elements* find_table(const std::string& key) {
    const auto at = known_.find(key);
    if (at != known_.end()) return at->second ? &*at->second : nullptr;
    const bool is_of_run =
        std::any_of(run_.keys.begin(), run_.keys.end(), [&](const auto& link) { return link.second == key; });
    if (!is_of_run) return nullptr;
    const auto names = measuring::read_names(measuring::names_file(m_.twin.own_dir() / "probes", key));
    auto& made = known_[key];
    if (names) made = measuring::elements_of(*names, m_.writer);
    if (!names) damaged_[key] = names.error();
    return made ? &*made : nullptr;
  }

  /// With what ran for it. What that did is known only if it ran in the same run.
  bool put(const std::string& id, made_row& row) {
    const known_test& test = tests_.at(id);
    if (test.has_unknown_needs) row.facts.incomplete |= morph_stream::uncounted_fixture;
    std::vector<const measuring::used_files*> before;
    std::vector<element> elements = row.elements;
    std::set<std::string> seen{id};
    std::vector<std::string> open = test.needs;
    while (!open.empty()) {
      const std::string next = open.back();
      open.pop_back();
      if (!seen.insert(next).second) continue;
      const auto at = rows_.find(next);
      if (at == rows_.end()) return false;
      before.push_back(&at->second.used);
      measuring::add_elements(elements, at->second.elements);
      row.facts.incomplete |= at->second.facts.incomplete;
      const auto& more = tests_.at(next).needs;
      open.insert(open.end(), more.begin(), more.end());
    }
    measuring::add_elements(elements, inputs_.settle(row.used, before, row.facts.incomplete));
    if (const auto at = run_.places.find(id); at != run_.places.end()) {
      const auto& [file, line] = at->second;
      const element place = store::make_element(optimizer::requirement_kind::line, m_.writer.file(file), line);
      measuring::add_elements(elements, {&place, 1});
    }
    const std::uint32_t program = m_.writer.program({test.suite->name, test.target});
    m_.writer.put_row(m_.writer.test(program, test.listed->case_name, test.listed->name), row.facts, elements);
    return true;
  }

  const measuring::session& m_;
  const run_of_ctest& run_;
  const std::map<std::string, known_test>& tests_;
  const std::map<std::string, frameworks::run_outcome>& verdicts_;
  std::map<std::string, std::string> keys_;  // of tables, by path
  measuring::test_inputs inputs_;
  std::map<std::string, std::optional<measuring::probe_elements>> known_;  // by key of the table
  std::map<std::string, made_row> rows_;                                   // by id
  std::map<std::string, std::string> damaged_;                             // by key: why there are no names
  std::map<std::string, std::size_t> lost_;                                // why there is no row: of how many tests
  std::map<std::string, std::size_t> reasons_;                             // why rows are incomplete: of how many tests
};

/// The unfinished measurement of a run; nothing if it is gone.
std::optional<store::measurement_info> measurement_of(const run_of_ctest& run,
                                                      const std::vector<store::measurement_info>& all) {
  const auto at = std::find_if(all.begin(), all.end(), [&](const store::measurement_info& m) {
    return !m.complete && m.created == run.created && workspace::id_of(m.taken_from) == run.content;
  });
  return at == all.end() ? std::nullopt : std::optional(*at);
}

result<std::size_t> absorb_runs(const build::build_tree& tree, const git::repository& repo,
                                store::evidence_store& learned, const std::vector<recorded_run>& runs,
                                system::observer& told) {
  const selection::file_kinds kinds(repo.root(), tree.ignore);
  const workspace::outside_rules outside(tree);
  const auto suites = workspace::list_suites(tree);
  if (!std::all_of(suites.begin(), suites.end(), [](const auto& suite) { return suite.whole(); }))
    return tl::unexpected(std::string("not every program lists its tests"));
  const auto tests = tests_by_id(suites);
  std::map<std::string, frameworks::run_outcome> verdicts;
  for (frameworks::run_outcome& o : workspace::last_runs(tree)) verdicts[o.name] = std::move(o);
  const build::dependency_map no_dependencies;
  std::vector<store::test_outcome> none;
  std::size_t added = 0;
  for (const recorded_run& recorded : runs) {
    const auto all = learned.measurements();
    if (!all) return tl::unexpected(all.error());
    const auto measurement = measurement_of(recorded.run, *all);
    if (!measurement) continue;
    auto writer = learned.resume(measurement->id, measurement->created);
    if (!writer) return tl::unexpected(writer.error());
    measuring::session m{tree,
                         no_dependencies,
                         repo,
                         kinds,
                         outside,
                         *writer,
                         {},
                         none,
                         told,
                         measuring::isolation::process,
                         tree.binary_dir,
                         recorded.run.since};
    m.variables = &recorded.run.variables;
    added += absorption(m, recorded.run, tests, verdicts).add(recorded.records);
    writer->finish();
  }
  return added;
}

}  // namespace

result<std::size_t> absorb(const build::build_tree& tree, system::observer& told) {
  const fs::path spool = spool_of(tree);
  if (!build::has_probes(tree) || (!has_records(spool) && !is_left_in_writing(tree))) return 0;
  const auto repo = git::repository::open(tree.source_dir);
  if (!repo) return tl::unexpected(repo.error());
  const auto lock = system::lock_file(tree.own_dir() / "learn.lock", system::if_locked::wait);
  if (!lock) return tl::unexpected(lock.error());
  const std::vector<recorded_run> runs = take_records(spool, told);
  if (runs.empty() && !is_left_in_writing(tree)) return 0;
  auto added = with_learned(tree, told, [&](store::evidence_store& learned) -> result<std::size_t> {
    if (runs.empty()) return 0;  // what a writer left is mended by opening
    return absorb_runs(tree, *repo, learned, runs, told);
  });
  if (added)
    for (const recorded_run& recorded : runs)
      for (const fs::path& file : recorded.files) {
        std::error_code none;
        fs::remove(file, none);
      }
  return added;
}

result<std::optional<kept_rows>> keep(const build::build_tree& tree, system::observer& told) {
  if (const auto absorbed = absorb(tree, told); !absorbed) return tl::unexpected(absorbed.error());
  const std::string path = workspace::learned_path(tree);
  std::error_code error;
  if (!build::has_probes(tree) || !fs::exists(path, error)) return std::nullopt;
  const auto repo = git::repository::open(tree.source_dir);
  if (!repo) return tl::unexpected(repo.error());
  const auto lock = system::lock_file(tree.own_dir() / "learn.lock", system::if_locked::wait);
  if (!lock) return tl::unexpected(lock.error());
  return with_learned(tree, told, [&](store::evidence_store& learned) -> result<std::optional<kept_rows>> {
    const auto all = learned.measurements();
    if (!all) return tl::unexpected(all.error());
    if (all->empty()) return std::nullopt;
    const auto latest = learned.load(all->front().id);
    if (!latest) return tl::unexpected(latest.error());
    kept_rows kept;
    for (const store::measured_test& test : latest->tests)
      if (!test.is_startup()) {
        ++kept.tests;
        kept.known += test.measured ? 1 : 0;
      }
    auto store = store::evidence_store::open_for_writing(workspace::writable_store_path(tree, &*repo));
    if (!store) return tl::unexpected(store.error());
    if (auto added = store::add_measurements(learned, *store); !added) return tl::unexpected(added.error());
    return kept;
  });
}

}  // namespace morph::learning
