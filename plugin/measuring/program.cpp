// Supervisor side of measuring: the stream of a program becomes rows of elements.
#include "plugin/measuring/program.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <ctime>
#include <iterator>
#include <map>
#include <set>
#include <unordered_map>

#include "coverage/gcov/capture.hpp"
#include "coverage/gcov/note.hpp"
#include "plugin/build/runtime_sources.hpp"
#include "plugin/frameworks/ctest_verdict.hpp"
#include "plugin/frameworks/framework.hpp"
#include "plugin/measuring/gcov_files.hpp"
#include "plugin/measuring/program_tables.hpp"
#include "plugin/measuring/shared_counts.hpp"
#include "plugin/measuring/test_inputs.hpp"
#include "plugin/system/files.hpp"
#include "plugin/system/process.hpp"

namespace morph::measuring {
namespace {

namespace fs = std::filesystem;

/// Whether an object has counters, be it in a program or a part of a library that nothing links.
bool has_counters(const session& m, const std::string& object) {
  constexpr std::uintmax_t note_without_functions = 4096;  // holds little more than the folder's name
  const std::string note = (m.twin.binary_dir / object).replace_extension(".gcno").string();
  std::error_code error;
  if (const auto size = fs::file_size(note, error); !error && size > note_without_functions) return true;
  if (has_counter_files(m.twin)) return gcov_shows_functions(m.twin, note);
  const auto bytes = system::read_file(note);
  const auto parsed = bytes ? gcov::parse_note(*bytes, note) : tl::unexpected(bytes.error());
  return parsed && !parsed->functions.empty();
}

/// Properties with which ctest gives a test surroundings that it does not have while it is measured.
bool has_unapplied_properties(const build::suite& suite) {
  static constexpr std::array<std::string_view, 2> unapplied{"ENVIRONMENT_MODIFICATION", "RESOURCE_GROUPS"};
  return std::any_of(suite.properties.begin(), suite.properties.end(), [](const auto& property) {
    return std::find(unapplied.begin(), unapplied.end(), property.first) != unapplied.end();
  });
}

/// Each name and a zero: names may hold newlines.
std::string list_of(const std::vector<std::string>& names) {
  std::string list;
  for (const std::string& name : names) list.append(name).push_back('\0');
  return list;
}

class program_run {
 public:
  program_run(session& m, const build::suite& suite, const build::test_program& program,
              const std::vector<frameworks::listed_case>& cases)
      : m_(m), suite_(suite), program_(program), tables_(m, suite.name), programs_(m, suite.name), inputs_(m) {
    const std::uint32_t id = m.writer.program({suite.name, program.target});
    startup_ = m.writer.test(id, "", "");
    for (const auto& c : cases) {
      if (c.disabled) continue;
      known_test& known = tests_[c.case_name];
      known.id = m.writer.test(id, c.case_name, c.name);
      known.listed.push_back(&c);
      if (known.listed.size() == 1) order_.push_back(&c);
      if (!c.file.empty())
        registrations_.insert({fs::path(c.file).lexically_normal().string(), static_cast<std::uint32_t>(c.line)});
    }
  }

  result<program_totals> run() {
    auto measured = run_all();
    if (!measured || system::interrupted()) return measured;
    // What the first run found stands.
    if (auto repeated = repeat(); !repeated) m_.told.warn(fmt::format("no test is repeated: {}", repeated.error()));
    return totals_;
  }

 private:
  result<program_totals> run_all() {
    if (has_counter_files(m_.twin) || (m_.isolated == isolation::process && framework_ != nullptr)) return run_apart();
    while (true) {
      const std::vector<std::string> left = unmeasured();
      if (left.empty() && m_.writer.is_measured(startup_)) return totals_;
      const auto ended = run_once(left);
      if (!ended) return tl::unexpected(ended.error());
      if (has_threads_) {
        m_.told.status(
            fmt::format("suite '{}': '{}' has threads before its first test: it is started once for every test",
                        suite_.name, program_.target));
        return run_apart();
      }
      if (system::interrupted()) return totals_;
      if (*ended) {
        for (const std::string& name : unmeasured())
          m_.told.warn(fmt::format("suite '{}': the program did not run '{}'; it stays unmeasured and always runs",
                                   suite_.name, name));
        return totals_;
      }
      // The program itself died. The test that was running is the likely cause; go on behind it.
      if (running_.empty())
        return tl::unexpected(fmt::format("suite '{}': '{}' ended outside its tests ({}); its output is in '{}'",
                                          suite_.name, program_.executable.string(), last_end_, log().string()));
      gcov::row_record lost;
      lost.test = running_;
      lost.outcome = morph_stream::crashed;
      lost.incomplete = morph_stream::ended_early;
      add_row(lost);
      put_row(running_);
    }
  }

  /// Tests of which one run tells what they do behave alike every time. Some are tried.
  result<void> repeat() {
    std::vector<std::string> names;
    store::measured_test longest;
    // Without isolation a test does what those before it left to do; the compiler's gcov takes longer than the tests.
    if (m_.isolated == isolation::none || has_counter_files(m_.twin)) return {};
    for (const auto* c : order_)
      if (const auto first = first_rows_.find(c->case_name);
          first != first_rows_.end() && m_.again->take(first->second.facts)) {
        names.push_back(c->case_name);
        if (first->second.facts.wall_us > longest.wall_us) longest = first->second.facts;
      }
    if (names.empty()) return {};
    repeat_limit_ = limit_of_repeat(longest, time_limit());
    is_repeating_ = true;
    if (!is_apart_) {
      const auto ended = run_once(names);
      if (!ended) return tl::unexpected(ended.error());
      gcov::row_record lost;
      lost.test = running_;
      lost.outcome = morph_stream::crashed;
      if (!*ended && !running_.empty()) add_row(lost);
      return {};
    }
    for (const std::string& name : names) {
      auto row = run_case_apart(name);
      if (!row) return tl::unexpected(row.error());
      if (system::interrupted()) break;
      known_test& test = tests_.at(name);
      test.facts = row->facts;
      test.elements = std::move(row->elements);
      compare_with_first(name);
    }
    return {};
  }

  /// The verdict stays that of the first run: what a test leaves behind may be in its own way.
  void compare_with_first(const std::string& name) {
    const auto at = first_rows_.find(name);
    if (at == first_rows_.end()) return;
    known_test& again = tests_.at(name);
    row_of_process& first = at->second;
    for (const auto* c : again.listed) add_registration(*c, again.elements);
    const bool differs = again.facts.how != first.facts.how || !is_alike(m_, again.elements, first.elements);
    if (differs) {
      first.facts.unsteady = true;
      add_executed(first.elements, again.elements);
      m_.writer.put_row(again.id, first.facts, first.elements);
      m_.again->unsteady.push_back(again.listed.front()->name);
    }
    again.forget();
  }

  /// Catch2 and doctest allow several cases of one name. ctest runs all of them under it: they have one row.
  struct known_test {
    std::uint32_t id = 0;
    std::vector<const frameworks::listed_case*> listed;
    store::measured_test facts;            // of the cases so far
    std::vector<store::element> elements;  // of the cases so far
    std::size_t rows = 0;

    void forget() {
      facts = {};
      elements.clear();
      rows = 0;
    }
    void add(const gcov::row_record& row, const std::vector<store::element>& executed) {
      const auto how = static_cast<store::outcome>(row.outcome);
      const bool is_worse = facts.how == store::outcome::passed ||
                            (facts.how == store::outcome::skipped && how != store::outcome::passed);
      if (is_worse) {
        facts.how = how;
        facts.detail = row.detail;
      }
      facts.incomplete |= row.incomplete;
      if (executed.empty()) facts.incomplete |= morph_stream::no_counters;
      facts.wall_us += static_cast<std::int64_t>(row.wall_us);
      facts.cpu_us += static_cast<std::int64_t>(row.cpu_us);
      add_executed(elements, executed);
      ++rows;
    }
  };

  std::vector<std::string> unmeasured() const {
    std::vector<std::string> names;
    for (const auto* c : order_)
      if (const std::uint32_t id = tests_.at(c->case_name).id; !m_.writer.is_measured(id) && m_.left_out.count(id) == 0)
        names.push_back(c->case_name);
    return names;
  }

  fs::path log() const {
    return m_.twin.own_dir() / "measure" / fmt::format("{}.{}.log", suite_.name, program_.target);
  }

  double time_limit() const { return repeat_limit_.value_or(suite_.timeout.value_or(ctest_default_timeout)); }

  /// In the surroundings that ctest gives the suite's tests. Empties the log.
  result<system::command> make_command(const std::vector<std::string>& chosen = {}) {
    if (auto emptied = system::write_file_atomically(log(), ""); !emptied) return tl::unexpected(emptied.error());
    system::command c;
    c.arguments = {program_.executable.string()};
    const auto arguments = frameworks::with_arguments(framework_, suite_.extra_args, chosen);
    c.arguments.insert(c.arguments.end(), arguments.begin(), arguments.end());
    c.directory = suite_.working_directory.string();
    if (framework_ != nullptr) {
      for (const std::string& name : framework_->variables) c.environment.emplace_back(name, std::nullopt);
      if (!framework_->silence.first.empty()) c.environment.push_back(framework_->silence);
    }
    for (const std::string& entry : suite_.environment) {
      const auto equals = std::min(entry.find('='), entry.size());
      if (framework_ != nullptr && frameworks::divides_tests(entry.substr(0, equals))) continue;
      c.environment.emplace_back(entry.substr(0, equals), entry.substr(std::min(equals + 1, entry.size())));
    }
    const auto kept_apart = system::counters_kept_in(files_ ? fs::path(files_->begin()) : fresh_gcda_prefix(m_));
    c.environment.insert(c.environment.end(), kept_apart.begin(), kept_apart.end());
    c.output_file = log().string();
    return c;
  }

  /// A process from its very start for each case: fork() would leave threads behind that the program has already.
  result<program_totals> run_apart() {
    is_apart_ = true;
    if (has_counter_files(m_.twin))
      files_.emplace(m_, suite_.name);
    else if (auto offered = offer_shared_memory(); !offered)
      return tl::unexpected(offered.error());
    for (const std::string& name : unmeasured()) {
      auto row = run_case_apart(name);
      if (!row) return tl::unexpected(row.error());
      if (system::interrupted()) return totals_;
      known_test& test = tests_.at(name);
      test.facts = row->facts;
      test.elements = std::move(row->elements);
      put_row(name);
    }
    std::vector<store::element> at_start = inputs_.data(suite_);
    add_elements(at_start, inputs_.opens_nothing());
    m_.writer.put_row(startup_, {}, at_start);  // each row has the rest
    return totals_;
  }

  struct row_of_process {
    store::measured_test facts;
    std::vector<store::element> elements;
  };

  result<row_of_process> run_case_apart(const std::string& name) {
    auto made =
        make_command(framework_ == nullptr ? std::vector<std::string>() : framework_->choose(std::span(&name, 1)));
    if (!made) return tl::unexpected(made.error());
    system::command& c = *made;
    c.timeout = std::chrono::milliseconds(static_cast<std::int64_t>(time_limit() * 1000));
    std::vector<store::element> read = inputs_.libraries(program_.executable.string(), c);
    used_files used;
    inputs_.watch(c, [&](bool) -> used_files& { return used; });
    if (auto awaited = await_end(c); !awaited) return tl::unexpected(awaited.error());
    const auto started = std::chrono::steady_clock::now();
    const system::process_end end = system::run(c);
    inputs_.check(end);

    row_of_process row;
    row.facts.wall_us =
        std::chrono::duration_cast<std::chrono::microseconds>(std::chrono::steady_clock::now() - started).count();
    row.facts.detail = end.code;
    if (auto taken = files_ ? take_files(row) : take_shared(row, c, read); !taken) return tl::unexpected(taken.error());
    if (!files_) add_elements(read, inputs_.watched());
    if (end.how == system::process_end::kind::exited && framework_ != nullptr && !framework_ended()) {
      row.facts.how = store::outcome::exited;
      row.facts.incomplete |= morph_stream::ended_early;
    } else if (end.how == system::process_end::kind::exited) {
      auto properties = suite_.properties;
      if (framework_ != nullptr) properties = frameworks::properties_of_case(*framework_, std::move(properties));
      if (framework_ != nullptr && !framework_->skip_expression.empty())
        properties.emplace_back("SKIP_REGULAR_EXPRESSION", framework_->skip_expression);
      const auto output = system::read_file(log());
      const auto verdict = frameworks::judge(end.code, output ? *output : std::string(), properties);
      row.facts.how = verdict == frameworks::verdict::passed   ? store::outcome::passed
                      : verdict == frameworks::verdict::failed ? store::outcome::failed
                                                               : store::outcome::skipped;
    } else {
      row.facts.how =
          end.how == system::process_end::kind::timed_out ? store::outcome::timed_out : store::outcome::crashed;
      row.facts.incomplete |= morph_stream::ended_early;
    }
    add_elements(row.elements, read);
    add_elements(row.elements, inputs_.settle(used, {}, row.facts.incomplete));
    return row;
  }

  /// A file that is gone when the framework came to its end (plugin/runtime/morph_end.h): a process that a test left
  /// before has status 0 as well.
  fs::path end_file() const { return m_.twin.own_dir() / "measure" / "end"; }

  result<void> await_end(system::command& c) const {
    if (framework_ == nullptr) return {};
    c.environment.emplace_back("MORPH_COVERAGE_END", fmt::format("0:{}", end_file().string()));
    return system::write_file_atomically(end_file(), "");
  }

  bool framework_ended() const {
    std::error_code none;
    return !fs::exists(end_file(), none);
  }

  result<void> take_shared(row_of_process& row, const system::command& c, std::vector<store::element>& read) {
    shared_counts taken = take_shared_counts();
    add_elements(read, inputs_.variables(taken.variables, c));
    row.facts.incomplete = taken.incomplete;
    std::error_code none;
    if (fs::exists(m_.twin.own_dir() / "measure" / "gcda", none)) row.facts.incomplete |= morph_stream::made_process;
    const auto tables = programs_.tables(program_.target, {}, std::move(taken.modules));
    if (!tables) return tl::unexpected(tables.error());
    row.elements = (*tables)->started(taken.counters, registrations_);
    row.facts.incomplete |= (*tables)->incomplete(taken.counters);
    if (row.elements.empty()) row.facts.incomplete |= morph_stream::no_counters;
    return {};
  }

  result<void> take_files(row_of_process& row) {
    counter_files::row taken = files_->take(registrations_);
    row.elements = std::move(taken.elements);
    row.facts.incomplete = taken.incomplete;
    return {};
  }

  /// True if the program reached its end record.
  result<bool> run_once(const std::vector<std::string>& names) {
    const fs::path list = m_.twin.own_dir() / "measure" / fmt::format("{}.{}.tests", suite_.name, program_.target);
    if (auto written = system::write_file_atomically(list, list_of(names)); !written)
      return tl::unexpected(written.error());
    auto made = make_command();
    if (!made) return tl::unexpected(made.error());
    system::command& c = *made;
    c.environment.emplace_back("MORPH_COVERAGE_TIMEOUT", fmt::format("{}", time_limit()));
    c.environment.emplace_back("MORPH_COVERAGE_TESTS", list.string());
    c.environment.emplace_back("MORPH_COVERAGE_TEST", framework_ == nullptr ? program_.target : "");
    const bool in_process = m_.isolated == isolation::none && framework_ != nullptr;
    if (in_process) c.environment.emplace_back("MORPH_COVERAGE_ISOLATION", "none");
    c.stream_variable = "MORPH_COVERAGE_FD";

    gcov::stream_reader reader;
    tables_ = program_tables(m_, suite_.name);
    for (auto& [name, known] : tests_) known.forget();
    started_ = false;
    running_.clear();
    pending_.reset();
    used_.clear();
    used_outside_tests_.clear();
    read_.clear();
    read_outside_tests_ = inputs_.libraries(program_.executable.string(), c);
    std::string error;
    inputs_.watch(c, [&](bool by_program) -> used_files& {
      return (by_program && !in_process) || running_.empty() ? used_outside_tests_ : used_;
    });
    c.on_stream = [&](std::string_view bytes) {
      reader.feed(bytes);
      while (true) {
        auto record = reader.next();
        if (!record) error = record.error();
        if (!record || !*record) return error.empty();
        if (const auto* read = std::get_if<gcov::variables_record>(&**record))
          add_elements(running_.empty() ? read_outside_tests_ : read_, inputs_.variables(read->names, c));
        if (auto taken = take(**record); !taken) {
          error = taken.error();
          return false;
        }
      }
    };
    const system::process_end end = system::run(c);
    inputs_.check(end);
    last_end_ = system::describe(end, c.timeout);
    if (!error.empty()) return tl::unexpected(fmt::format("suite '{}': {}", suite_.name, error));
    if (end.how == system::process_end::kind::not_started)
      return tl::unexpected(fmt::format("suite '{}': '{}': {}", suite_.name, program_.executable.string(), last_end_));
    has_threads_ = end.how == system::process_end::kind::exited && end.code == threads_status && !started_;
    if (has_threads_) return false;
    if (end.how == system::process_end::kind::exited && end.code == unsupported_status && !reader.ended()) {
      const auto said = system::read_file(log());
      return tl::unexpected(
          fmt::format("suite '{}': '{}' cannot be measured: {}", suite_.name, program_.target, said ? *said : ""));
    }
    finish_pending();
    return reader.ended();
  }

  tl::expected<void, std::string> take(const gcov::stream_record& record) {
    if (const auto* module = std::get_if<gcov::module_record>(&record)) {
      tables_.add(*module);
      if (started_) tables_.translate();
    } else if (const auto* startup = std::get_if<gcov::startup_record>(&record)) {
      started_ = true;
      if (auto some = tables_.check(); !some) return some;
      tables_.translate();
      add_startup(*startup);
    } else if (const auto* begin = std::get_if<gcov::begin_record>(&record)) {
      running_ = begin->test;
    } else if (const auto* row = std::get_if<gcov::row_record>(&record)) {
      // The verdict on a plain program depends on its whole output, which is there when it has ended.
      if (framework_ == nullptr)
        pending_ = *row;
      else
        add_row(*row);
      running_.clear();
    } else if (std::holds_alternative<gcov::end_record>(record)) {
      put_startup_row();
    }
    return {};
  }

  void finish_pending() {
    if (!pending_) return;
    gcov::row_record& row = *pending_;
    const bool by_itself = row.outcome == morph_stream::passed || row.outcome == morph_stream::failed;
    if (by_itself) {
      const auto output = system::read_file(log());
      switch (frameworks::judge(row.detail, output ? *output : std::string(), suite_.properties)) {
        case frameworks::verdict::passed:
          row.outcome = morph_stream::passed;
          break;
        case frameworks::verdict::failed:
          row.outcome = morph_stream::failed;
          break;
        case frameworks::verdict::skipped:
          row.outcome = morph_stream::skipped;
          break;
      }
    }
    add_row(row);
    pending_.reset();
  }

  void add_startup(const gcov::startup_record& startup) {
    add_executed(outside_tests_, tables_.started(startup.counters, registrations_));
    outside_incomplete_ |= startup.incomplete | tables_.incomplete(startup.counters);
  }

  /// Only when the program reached its end: before, what main() does after the tests is missing.
  void put_startup_row() {
    store::measured_test facts;
    facts.incomplete = outside_incomplete_ | tables_.incomplete();
    add_elements(outside_tests_, read_outside_tests_);
    add_elements(outside_tests_, inputs_.settle(used_outside_tests_, {}, facts.incomplete));
    add_elements(outside_tests_, inputs_.data(suite_));
    add_elements(outside_tests_, inputs_.watched());
    m_.writer.put_row(startup_, facts, outside_tests_);
  }

  /// The line where a test is registered says what it runs: `REGISTER_TEST_CASE(function, "name")`.
  void add_registration(const frameworks::listed_case& c, std::vector<store::element>& elements) const {
    const std::string file = c.file.empty() ? std::string() : name_of_source(m_, c.file);
    if (file.empty()) return;
    const store::element x = store::make_element(optimizer::requirement_kind::line, m_.writer.file(file),
                                                 static_cast<std::uint32_t>(c.line));
    const auto place = std::lower_bound(elements.begin(), elements.end(), x);
    if (place == elements.end() || *place != x) elements.insert(place, x);
  }

  void add_row(const gcov::row_record& row) {
    const auto at = tests_.find(row.test);
    if (at == tests_.end()) return;
    at->second.add(row, tables_.executed(row.counters));
    at->second.facts.incomplete |= tables_.incomplete(row.counters);
    add_elements(at->second.elements, read_);
    const used_files* const before = &used_outside_tests_;
    add_elements(at->second.elements, inputs_.settle(used_, {&before, 1}, at->second.facts.incomplete));
    add_elements(at->second.elements, inputs_.watched());
    read_.clear();
    used_.clear();
    if (at->second.rows != at->second.listed.size()) return;
    if (is_repeating_)
      compare_with_first(row.test);
    else
      put_row(row.test);
  }

  void put_row(const std::string& name) {
    const auto at = tests_.find(name);
    if (at == tests_.end() || m_.writer.is_measured(at->second.id)) return;
    known_test& test = at->second;
    for (const auto* c : test.listed) add_registration(*c, test.elements);
    if (has_unapplied_properties(suite_)) test.facts.incomplete |= morph_stream::not_as_in_ctest;
    test.facts.incomplete |= m_.lacks;
    m_.writer.put_row(test.id, test.facts, test.elements);
    if (m_.again != nullptr) {
      m_.again->add_measured(test.facts);
      if (m_.again->is_chosen(test.id) && !test.facts.is_doubtful()) first_rows_[name] = {test.facts, test.elements};
    }
    totals_.measured += test.listed.size();
    totals_.incomplete += test.facts.is_doubtful() ? test.listed.size() : 0;
    if (test.facts.how != store::outcome::skipped) {
      const bool failed = test.facts.how != store::outcome::passed;
      totals_.failed += failed ? test.listed.size() : 0;
      m_.outcomes.push_back({test.listed.front()->name, failed, std::time(nullptr),
                             static_cast<double>(test.facts.wall_us) / 1e6, "measure", ""});
    }
    test.forget();
    if (const auto now = std::chrono::steady_clock::now(); now - last_checkpoint_ > checkpoint_interval) {
      m_.writer.checkpoint();
      last_checkpoint_ = now;
    }
    m_.on_row();
  }

  session& m_;
  const build::suite& suite_;
  const build::test_program& program_;
  const frameworks::framework* const framework_ = frameworks::find_framework(suite_.framework);
  std::uint32_t startup_ = 0;
  std::unordered_map<std::string, known_test> tests_;
  std::vector<const frameworks::listed_case*> order_;
  source_places registrations_;  // of every TEST
  program_tables tables_;
  known_programs programs_;
  std::optional<counter_files> files_;  // where gcov reads them
  test_inputs inputs_;
  std::vector<store::element> read_;                // libraries and variables of the test that runs
  std::vector<store::element> read_outside_tests_;  // of the start-up row
  used_files used_, used_outside_tests_;            // likewise files
  std::vector<store::element> outside_tests_;       // the start-up row so far
  std::uint32_t outside_incomplete_ = 0;
  bool started_ = false;
  bool has_threads_ = false;
  bool is_apart_ = false;
  bool is_repeating_ = false;
  std::optional<double> repeat_limit_;                          // seconds
  std::unordered_map<std::string, row_of_process> first_rows_;  // of tests that may run again
  std::string running_;
  std::string last_end_;
  std::optional<gcov::row_record> pending_;
  std::chrono::steady_clock::time_point last_checkpoint_ = std::chrono::steady_clock::now();
  program_totals totals_;
};

}  // namespace

void register_blind_units(const session& m, const std::set<std::string>& tool_objects) {
  for (const auto& [object, files] : m.dependencies) {
    if (!object.ends_with(".o")) continue;  // a precompiled header is in the objects that use it
    if (files.empty() || build::is_runtime_source(m.twin, files.front())) continue;
    if (tool_objects.count(object) == 0 && has_counters(m, object)) continue;
    const bool concerns_us =
        std::any_of(files.begin(), files.end(), [&](const auto& path) { return !name_of_source(m, path).empty(); });
    if (!concerns_us) continue;
    store::measured_unit unit = describe_unit(m, object, files);
    unit.blind = true;
    m.writer.unit(unit);
  }
}

fs::path fresh_gcda_prefix(const session& m) {
  const fs::path folder = m.twin.own_dir() / "measure";
  std::error_code none;
  for (fs::directory_iterator at(folder, none), end; at != end; at.increment(none)) {
    if (none) break;
    if (at->path().filename().string().starts_with("gcda")) fs::remove_all(at->path(), none);
  }
  return folder / "gcda";
}

std::optional<std::uint32_t> stamp_in(std::string_view notes_or_counters) {
  constexpr std::size_t behind_magic_and_version = 8;
  std::uint32_t stamp = 0;
  if (notes_or_counters.size() < behind_magic_and_version + sizeof stamp) return std::nullopt;
  std::memcpy(&stamp, notes_or_counters.data() + behind_magic_and_version, sizeof stamp);
  return stamp;
}

// With -fprofile-dir GCC names counters by the whole path of the object, `#` for each `/`, less what
// -fprofile-prefix-path takes away; Clang by the last part alone. The notes stay beside the object.
std::string notes_of(const session& m, const std::string& gcda_path, std::uint32_t stamp) {
  const std::string usual = fs::path(gcda_path).replace_extension(".gcno").string();
  std::error_code error;
  if (fs::exists(usual, error)) return usual;
  const auto part_behind = [](const std::string& text, char separator) {
    return text.substr(text.rfind(separator) + 1);  // all of it if there is none
  };
  if (!m.notes_by_name) {
    m.notes_by_name.emplace();
    for (const auto& [object, files] : m.dependencies) {
      const std::string name = fs::path(object).replace_extension().string();
      m.notes_by_name->emplace(part_behind(part_behind(name, '/'), '#'), name);
    }
  }
  const std::string counters = fs::path(gcda_path).stem().string();
  const auto ends_with = [](const std::string& text, const std::string& end) {
    return text == end || text.ends_with('#' + end);
  };
  const auto [first, last] = m.notes_by_name->equal_range(part_behind(counters, '#'));
  for (auto at = first; at != last; ++at) {
    std::string mangled = at->second;
    std::replace(mangled.begin(), mangled.end(), '/', '#');
    if (!ends_with(counters, mangled) && !ends_with(mangled, counters)) continue;
    const std::string path = (m.twin.binary_dir / (at->second + ".gcno")).string();
    if (const auto bytes = system::read_file(path); bytes && stamp_in(*bytes) == stamp) return path;
  }
  return usual;
}

std::size_t register_tests(store::measurement_writer& writer, const build::suite& suite,
                           const build::test_program& program, const std::vector<frameworks::listed_case>& cases) {
  const std::uint32_t id = writer.program({suite.name, program.target});
  writer.test(id, "", "");
  std::size_t registered = 0;
  for (const auto& c : cases) {
    if (c.disabled) continue;
    writer.test(id, c.case_name, c.name);
    ++registered;
  }
  return registered;
}

result<program_totals> measure_program(session& m, const build::suite& suite, const build::test_program& program,
                                       const std::vector<frameworks::listed_case>& cases) {
  return program_run(m, suite, program, cases).run();
}

program_totals leave_unmeasured(session& m, const build::suite& suite, const build::test_program& program,
                                const std::vector<frameworks::listed_case>& cases) {
  program_totals totals;
  store::measured_test facts;
  facts.how = store::outcome::failed;
  facts.incomplete = morph_stream::fixture_failed;
  const std::uint32_t id = m.writer.program({suite.name, program.target});
  const auto put = [&](const std::string& case_name, const std::string& name) {
    const std::uint32_t test = m.writer.test(id, case_name, name);
    if (m.writer.is_measured(test) || m.left_out.count(test) != 0) return false;
    m.writer.put_row(test, facts, {});
    return true;
  };
  put("", "");
  for (const frameworks::listed_case& c : cases)
    if (!c.disabled && put(c.case_name, c.name)) {
      ++totals.measured;
      ++totals.incomplete;
      m.on_row();
    }
  return totals;
}

}  // namespace morph::measuring
