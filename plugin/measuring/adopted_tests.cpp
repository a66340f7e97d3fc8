// Running adopted tests.
#include "plugin/measuring/adopted_tests.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <ctime>
#include <iterator>
#include <map>
#include <memory>
#include <set>

#include "coverage/gcov/capture.hpp"
#include "plugin/frameworks/ctest_tests.hpp"
#include "plugin/frameworks/ctest_verdict.hpp"
#include "plugin/measuring/gcov_files.hpp"
#include "plugin/measuring/notes.hpp"
#include "plugin/measuring/probe_rows.hpp"
#include "plugin/measuring/program_tables.hpp"
#include "plugin/measuring/shared_counts.hpp"
#include "plugin/measuring/test_inputs.hpp"
#include "plugin/system/files.hpp"
#include "plugin/workspace/changed_inputs.hpp"

namespace morph::measuring {
namespace {

namespace fs = std::filesystem;
using frameworks::ctest_entry;

constexpr double time_to_start = 60;  // seconds that a program may take before its own time limit is watched

/// What one run of a test was, with all that its row needs.
struct test_run {
  store::measured_test facts;
  std::vector<store::element> elements;
  used_files used;
  bool has_verdict = true;  // false: ctest would not have run it, or the run says nothing

  bool failed() const { return facts.how != store::outcome::passed && facts.how != store::outcome::skipped; }
};

/// The stream of one process, and the tables of its program.
struct process_stream {
  gcov::stream_reader reader;
  std::vector<gcov::module_record> modules, late_modules;  // of the program; of what it loaded and executed
  std::optional<gcov::startup_record> startup;
  std::optional<gcov::row_record> row;
  std::vector<std::string> variables;
  std::string error;

  bool take(std::string_view bytes) {
    reader.feed(bytes);
    while (error.empty()) {
      auto record = reader.next();
      if (!record) error = record.error();
      if (!record || !*record) break;
      if (auto* module = std::get_if<gcov::module_record>(&**record))
        (startup ? late_modules : modules).push_back(std::move(*module));
      if (auto* started = std::get_if<gcov::startup_record>(&**record)) startup = std::move(*started);
      if (auto* ended = std::get_if<gcov::row_record>(&**record)) row = std::move(*ended);
      if (auto* read = std::get_if<gcov::variables_record>(&**record))
        variables.insert(variables.end(), read->names.begin(), read->names.end());
    }
    return error.empty();
  }
};

/// Where the program says that its GoogleTest cases stand: to register them is not to run them.
source_places gtest_registrations(const gcov::program_model& model) {
  source_places places;
  for (const auto& f : model.functions())
    if (f.symbol.ends_with("_Test8TestBodyEv")) places.insert({model.files()[f.file], f.start_line});
  return places;
}

class adopted_run {
 public:
  adopted_run(session& m, const build::suite& suite, const std::vector<frameworks::listed_case>& cases)
      : m_(m),
        suite_(suite),
        cases_(cases),
        order_(frameworks::order_tests(cases)),
        programs_(m, suite.name),
        inputs_(m) {
    const std::uint32_t program = m.writer.program({suite.name, suite.programs.front().target});
    startup_ = m.writer.test(program, "", "");
    for (const auto& c : cases) ids_.push_back(c.disabled ? 0 : m.writer.test(program, c.case_name, c.name));
    for (const fs::path& path : suite.executables) executables_.insert(real(path));
  }

  result<program_totals> run() {
    const std::vector<bool> needed = tests_to_run();
    runs_.resize(cases_.size());
    if (has_counter_files(m_.twin))
      files_.emplace(m_, suite_.name);
    else if (m_.probes != nullptr)
      shares_ = false;
    else if (auto offered = offer_shared_memory())
      shares_ = true;
    else
      m_.told.warn(fmt::format("suite '{}': {}; tests that are no programs of the build always run", suite_.name,
                               offered.error()));
    for (const std::size_t test : order_.order) {
      if (!needed[test]) continue;
      auto ended = run_test(test);
      if (system::interrupted()) return totals_;
      if (!ended) return tl::unexpected(ended.error());
      if (!m_.writer.is_measured(ids_[test])) {
        if (auto tried = try_again(test, *ended); !tried) return tl::unexpected(tried.error());
        add_what_was_run_for(test, *ended);
        put_row(test, *ended);
      } else {
        add_what_was_run_for(test, *ended);
      }
      runs_[test] = std::move(*ended);
    }
    std::vector<store::element> at_start = inputs_.data(suite_);
    add_elements(at_start, inputs_.opens_nothing());
    m_.writer.put_row(startup_, {}, at_start);
    return totals_;
  }

 private:
  static std::string real(const fs::path& path) {
    std::error_code error;
    return fs::weakly_canonical(path, error).string();
  }

  /// Tests without a row, what they need to have run, and what cleans up behind that.
  std::vector<bool> tests_to_run() const {
    std::vector<bool> needed(cases_.size(), false);
    std::vector<std::size_t> open;
    const auto need = [&](std::size_t test) {
      if (needed[test] || cases_[test].disabled) return;
      needed[test] = true;
      open.push_back(test);
    };
    for (std::size_t i = 0; i < cases_.size(); ++i)
      if (!cases_[i].disabled && !m_.writer.is_measured(ids_[i]) && m_.left_out.count(ids_[i]) == 0) need(i);
    while (!open.empty()) {
      const std::size_t test = open.back();
      open.pop_back();
      for (const auto& tests : {order_.setups[test], order_.depends[test], order_.cleanups[test]})
        for (const std::size_t other : tests) need(other);
    }
    return needed;
  }

  /// Whether one run tells what the test does. The verdict stays that of the first.
  result<void> try_again(std::size_t test, test_run& first) {
    if (m_.again == nullptr || files_ || first.facts.is_doubtful() || !first.has_verdict) return {};
    m_.again->add_measured(first.facts);
    if (!m_.again->is_chosen(ids_[test]) || !m_.again->take(first.facts)) return {};
    repeat_limit_ = limit_of_repeat(first.facts, time_limit(*cases_[test].entry));
    const auto again = run_test(test);
    repeat_limit_.reset();
    if (!again) return tl::unexpected(again.error());
    if (system::interrupted() || (again->facts.how == first.facts.how && is_alike(m_, again->elements, first.elements)))
      return {};
    add_executed(first.elements, again->elements);
    first.facts.unsteady = true;
    m_.again->unsteady.push_back(cases_[test].name);
    return {};
  }

  void add_what_was_run_for(std::size_t test, test_run& ended) {
    std::vector<const used_files*> before;
    for (const auto& tests : {order_.setups[test], order_.depends[test]})
      for (const std::size_t earlier : tests)
        if (runs_[earlier]) before.push_back(&runs_[earlier]->used);
    add_elements(ended.elements, inputs_.settle(ended.used, before, ended.facts.incomplete));
    for (const used_files* earlier : before) ended.used.changed.add(earlier->changed);  // for those behind this one
    const auto opens_nothing = inputs_.opens_nothing();
    for (const auto& tests : {order_.setups[test], order_.depends[test]})
      for (const std::size_t earlier : tests) {
        if (!runs_[earlier]) continue;
        auto theirs = runs_[earlier]->elements;
        for (const store::element mark : opens_nothing) std::erase(theirs, mark);  // that of the test itself counts
        add_elements(ended.elements, theirs);
        ended.facts.incomplete |= runs_[earlier]->facts.incomplete;
        if (runs_[earlier]->failed()) ended.facts.incomplete |= morph_stream::ended_early;
      }
  }

  void put_row(std::size_t test, const test_run& ended) {
    m_.writer.put_row(ids_[test], ended.facts, ended.elements);
    ++totals_.measured;
    totals_.incomplete += ended.facts.is_doubtful() ? 1 : 0;
    if (ended.has_verdict && ended.facts.how != store::outcome::skipped) {
      totals_.failed += ended.failed() ? 1 : 0;
      m_.outcomes.push_back({cases_[test].name, ended.failed(), std::time(nullptr),
                             static_cast<double>(ended.facts.wall_us) / 1e6, "measure", ""});
    }
    if (const auto now = std::chrono::steady_clock::now(); now - last_checkpoint_ > checkpoint_interval) {
      m_.writer.checkpoint();
      last_checkpoint_ = now;
    }
    m_.on_row();
  }

  /// A test that ctest would not start.
  static test_run not_run() {
    test_run ended;
    ended.facts.how = store::outcome::failed;
    ended.facts.incomplete = morph_stream::no_counters;
    ended.has_verdict = false;
    return ended;
  }

  result<test_run> run_test(std::size_t test) {
    const frameworks::ctest_entry& entry = *cases_[test].entry;
    for (const std::size_t setup : order_.setups[test])
      if (runs_[setup] && runs_[setup]->failed()) return not_run();
    const auto required = entry.list("REQUIRED_FILES");
    const bool has_files = std::all_of(required.begin(), required.end(), [&](const std::string& file) {
      std::error_code error;
      return fs::exists(fs::path(entry.directory) / file, error);
    });
    if (entry.command.empty() || !has_files) return not_run();

    auto command = frameworks::as_ctest_runs(entry);
    const bool as_in_ctest = command.has_value();
    if (!as_in_ctest) {
      command.emplace();
      command->arguments = entry.command;
      command->directory = entry.directory;
    }
    const bool measurable = executables_.count(real(command->arguments.front())) != 0;
    auto ended = run_process(*command, entry, measurable);
    if (ended && !as_in_ctest) ended->facts.incomplete |= morph_stream::not_as_in_ctest;
    if (ended && m_.probes != nullptr)  // the entries of a twin are others
      add_elements(ended->elements,
                   std::array{store::make_element(optimizer::requirement_kind::input, 0,
                                                  m_.writer.input({store::measured_input::kind::entry,
                                                                   workspace::name_of_entry(suite_, cases_[test]),
                                                                   workspace::digest_of_entry(m_.twin, entry)}))});
    return ended;
  }

  result<test_run> run_process(system::command c, const frameworks::ctest_entry& entry, bool measurable) {
    const fs::path log = m_.twin.own_dir() / "measure" / (suite_.name + ".log");
    if (auto emptied = system::write_file_atomically(log, ""); !emptied) return tl::unexpected(emptied.error());
    c.output_file = log.string();
    const double limit = repeat_limit_.value_or(time_limit(entry));
    c.timeout = std::chrono::milliseconds(static_cast<std::int64_t>(limit * 1000));
    const system::command bare = c;
    const fs::path unshared = fresh_gcda_prefix(m_);
    const auto kept_apart = system::counters_kept_in(files_ ? fs::path(files_->begin()) : unshared);
    if (m_.probes != nullptr)
      m_.probes->begin(c);
    else
      c.environment.insert(c.environment.end(), kept_apart.begin(), kept_apart.end());
    process_stream stream;
    if (measurable && !files_ && m_.probes == nullptr) {
      if (limit > 0) c.timeout += std::chrono::milliseconds(static_cast<std::int64_t>(time_to_start * 1000));
      c.environment.emplace_back("MORPH_COVERAGE_TIMEOUT", fmt::format("{}", limit));
      c.environment.emplace_back("MORPH_COVERAGE_TESTS", std::nullopt);
      c.environment.emplace_back("MORPH_COVERAGE_TEST", "adopted");
      c.stream_variable = "MORPH_COVERAGE_FD";
      c.on_stream = [&](std::string_view bytes) { return stream.take(bytes); };
    }
    // Other commands always run again. And a server that one leaves behind could open no file when nobody answers.
    std::vector<store::element> read;
    used_files used;
    if (measurable) read = inputs_.libraries(c.arguments.front(), c);
    if (measurable && !files_) inputs_.watch(c, [&](bool) -> used_files& { return used; });
    const auto started = std::chrono::steady_clock::now();
    const system::process_end end = system::run(c);
    const auto spent = std::chrono::steady_clock::now() - started;
    inputs_.check(end);
    if (measurable && !files_) add_elements(read, inputs_.watched());
    if (frameworks::is_inert(entry)) {
      add_elements(read, inputs_.opens_nothing());
      for (const std::string& path : entry.command) used.changed.add((fs::path(entry.directory) / path).string());
    }
    if (!stream.error.empty()) return tl::unexpected(fmt::format("suite '{}': {}", suite_.name, stream.error));
    const bool unsupported = measurable && m_.probes == nullptr && !stream.startup &&
                             end.how == system::process_end::kind::exited && end.code == unsupported_status;
    if (unsupported) return run_process(bare, entry, false);

    add_elements(read, inputs_.variables(stream.variables, c));
    test_run ended;
    ended.used = std::move(used);
    ended.facts.wall_us = std::chrono::duration_cast<std::chrono::microseconds>(spent).count();
    if (stream.row) {
      if (auto taken = take(std::move(stream), entry, c.arguments.front(), ended); !taken)
        return tl::unexpected(taken.error());
    } else {
      take(end, ended);
      if (m_.probes != nullptr) {
        take_probes(entry, c, measurable, ended, read);
        return judged(std::move(ended), entry, log);
      }
      if (files_) {
        take_files(entry, measurable, ended);
        return judged(std::move(ended), entry, log);
      }
      std::error_code none;
      if (fs::exists(unshared, none)) ended.facts.incomplete |= morph_stream::made_process;
      if (auto taken = take_shared(entry, c.arguments.front(), ended); !taken) return tl::unexpected(taken.error());
    }
    add_elements(ended.elements, read);
    return judged(std::move(ended), entry, log);
  }

  static test_run judged(test_run ended, const frameworks::ctest_entry& entry, const fs::path& log) {
    if (ended.facts.how == store::outcome::passed || ended.facts.how == store::outcome::failed) {
      const auto output = system::read_file(log);
      const auto verdict = frameworks::judge(ended.facts.detail, output ? *output : std::string(), entry.properties);
      ended.facts.how = verdict == frameworks::verdict::passed   ? store::outcome::passed
                        : verdict == frameworks::verdict::failed ? store::outcome::failed
                                                                 : store::outcome::skipped;
    }
    return ended;
  }

  result<void> take(process_stream stream, const frameworks::ctest_entry& entry, const std::string& executable,
                    test_run& ended) {
    const gcov::row_record& row = *stream.row;
    ended.facts.how = static_cast<store::outcome>(row.outcome);
    ended.facts.detail = row.detail;
    ended.facts.wall_us = static_cast<std::int64_t>(row.wall_us);
    ended.facts.cpu_us = static_cast<std::int64_t>(row.cpu_us);
    const auto tables = programs_.tables(executable, std::move(stream.modules), std::move(stream.late_modules));
    if (!tables) return tl::unexpected(fmt::format("suite '{}': {}", suite_.name, tables.error()));
    const bool is_one_case = !frameworks::only_gtest_case(entry).empty();
    const source_places registrations = is_one_case ? gtest_registrations((*tables)->model()) : source_places();
    ended.elements = (*tables)->started(row.counters, registrations);
    add_executed(ended.elements, (*tables)->started(stream.startup->counters, registrations));
    ended.facts.incomplete = row.incomplete | stream.startup->incomplete | (*tables)->incomplete(row.counters) |
                             (*tables)->incomplete(stream.startup->counters);
    if (ended.elements.empty()) ended.facts.incomplete |= morph_stream::no_counters;
    if (!stream.reader.ended()) ended.facts.incomplete |= morph_stream::ended_early;
    return {};
  }

  void take_probes(const frameworks::ctest_entry& entry, const system::command& c, bool measurable, test_run& ended,
                   std::vector<store::element>& read) {
    probe_rows::row taken = m_.probes->take();
    ended.elements = std::move(taken.elements);
    ended.facts.incomplete |= taken.incomplete;
    if (ended.facts.how != store::outcome::passed && ended.facts.how != store::outcome::failed)
      ended.facts.incomplete |= morph_stream::ended_early;
    add_elements(read, inputs_.variables(taken.variables, c));
    add_elements(ended.elements, read);
    if (!measurable) settle_command(entry, ended);
  }

  /// As in take_shared().
  static void settle_command(const frameworks::ctest_entry& entry, test_run& ended) {
    ended.facts.incomplete &=
        frameworks::is_inert(entry) ? ~static_cast<std::uint32_t>(morph_stream::no_counters) : ~0U;
    if (!frameworks::is_inert(entry)) ended.facts.incomplete |= morph_stream::made_process;
  }

  void take_files(const frameworks::ctest_entry& entry, bool measurable, test_run& ended) {
    counter_files::row taken = files_->take({});
    ended.elements = std::move(taken.elements);
    ended.facts.incomplete |= taken.incomplete;
    if (ended.facts.how != store::outcome::passed && ended.facts.how != store::outcome::failed)
      ended.facts.incomplete |= morph_stream::ended_early;
    if (!measurable) settle_command(entry, ended);
  }

  /// Of a command that is no program of the twin, but may run some.
  result<void> take_shared(const frameworks::ctest_entry& entry, const std::string& executable, test_run& ended) {
    shared_counts taken;
    if (shares_) taken = take_shared_counts();
    ended.facts.incomplete |= taken.incomplete;
    const auto tables = programs_.tables(executable, {}, std::move(taken.modules));
    if (!tables) return tl::unexpected(fmt::format("suite '{}': {}", suite_.name, tables.error()));
    ended.elements = (*tables)->started(taken.counters, {});
    ended.facts.incomplete |= (*tables)->incomplete(taken.counters);
    // It may run anything, such as a compiler on headers of the project: what was counted serves the order alone.
    if (!frameworks::is_inert(entry))
      ended.facts.incomplete |= ended.elements.empty() ? morph_stream::no_counters : morph_stream::made_process;
    return {};
  }

  static void take(const system::process_end& end, test_run& ended) {
    ended.facts.detail = end.code;
    switch (end.how) {
      case system::process_end::kind::exited:
        ended.facts.how = end.code == 0 ? store::outcome::passed : store::outcome::failed;
        return;
      case system::process_end::kind::timed_out:
        ended.facts.how = store::outcome::timed_out;
        return;
      case system::process_end::kind::not_started:
        ended.has_verdict = false;
        ended.facts.how = store::outcome::exited;
        return;
      default:
        ended.facts.how = store::outcome::crashed;
    }
  }

  static double time_limit(const frameworks::ctest_entry& entry) {
    for (const auto& [key, value] : entry.properties) {
      double seconds = 0;
      if (key == "TIMEOUT" && std::from_chars(value.data(), value.data() + value.size(), seconds).ec == std::errc())
        return seconds;
    }
    return ctest_default_timeout;
  }

  session& m_;
  const build::suite& suite_;
  const std::vector<frameworks::listed_case>& cases_;
  frameworks::test_order order_;
  known_programs programs_;
  test_inputs inputs_;
  std::set<std::string> executables_;
  bool shares_ = false;
  std::optional<double> repeat_limit_;  // seconds, while a test is tried again
  std::optional<counter_files> files_;  // where gcov reads them
  std::uint32_t startup_ = 0;
  std::vector<std::uint32_t> ids_;
  std::vector<std::optional<test_run>> runs_;
  std::chrono::steady_clock::time_point last_checkpoint_ = std::chrono::steady_clock::now();
  program_totals totals_;
};

}  // namespace

result<program_totals> measure_adopted(session& m, const build::suite& suite,
                                       const std::vector<frameworks::listed_case>& cases) {
  return adopted_run(m, suite, cases).run();
}

}  // namespace morph::measuring
