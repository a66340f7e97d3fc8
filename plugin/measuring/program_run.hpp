// One program while it is measured: its processes, and the rows of its tests.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "coverage/gcov/capture.hpp"
#include "plugin/frameworks/framework.hpp"
#include "plugin/measuring/gcov_files.hpp"
#include "plugin/measuring/program.hpp"
#include "plugin/measuring/program_tables.hpp"
#include "plugin/measuring/test_inputs.hpp"
#include "plugin/system/process.hpp"

namespace morph::measuring {

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
  void add(const gcov::row_record& row, const std::vector<store::element>& executed);
};

struct row_of_process {
  store::measured_test facts;
  std::vector<store::element> elements;
};

/// Refers to its arguments.
class program_run {
 public:
  program_run(session& m, const build::suite& suite, const build::test_program& program,
              const std::vector<frameworks::listed_case>& cases);

  result<program_totals> run();

 private:
  result<program_totals> run_all();

  /// Tests of which one run tells what they do behave alike every time. Some are tried.
  result<void> repeat();

  /// The verdict stays that of the first run: what a test leaves behind may be in its own way.
  void compare_with_first(const std::string& name);

  std::vector<std::string> unmeasured() const;
  std::filesystem::path log() const;
  double time_limit() const { return repeat_limit_.value_or(suite_.timeout.value_or(ctest_default_timeout)); }
  /// In the surroundings that ctest gives the suite's tests. Empties the log.
  result<system::command> make_command(const std::vector<std::string>& chosen = {});

  /// A process from its very start for each case: fork() would leave threads behind that the program has already.
  result<program_totals> run_apart();
  result<row_of_process> run_case_apart(const std::string& name);
  /// By probes: the program starts once and is forked for each case (plugin/spool/series.h). What has no row behind it
  /// needs a start of its own.
  result<void> run_series_apart();
  /// How many of these cases have begun.
  result<std::size_t> run_series(const std::vector<std::string>& names);
  store::outcome outcome_of(int status, const std::string& output) const;
  /// A file that is gone when the framework came to its end (plugin/runtime/morph_end.h): a process that a test left
  /// before has status 0 as well.
  std::filesystem::path end_file() const { return m_.twin.own_dir() / "measure" / "end"; }
  result<void> await_end(system::command& c) const;
  bool framework_ended() const;
  result<void> take_shared(row_of_process& row, const system::command& c, std::vector<store::element>& read);
  result<void> take_files(row_of_process& row);
  void take_probes(row_of_process& row, const system::command& c, std::vector<store::element>& read);
  /// What a process entered that ran none of its tests.
  result<std::vector<store::element>> entered_at_start();

  /// True if the program reached its end record.
  result<bool> run_once(const std::vector<std::string>& names);

  tl::expected<void, std::string> take(const gcov::stream_record& record);
  void finish_pending();
  void add_startup(const gcov::startup_record& startup);
  /// Only when the program reached its end: before, what main() does after the tests is missing.
  void put_startup_row();
  /// The line where a test is registered says what it runs: `REGISTER_TEST_CASE(function, "name")`.
  void add_registration(const frameworks::listed_case& c, std::vector<store::element>& elements) const;
  void add_row(const gcov::row_record& row);
  void put_row(const std::string& name);

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
  std::vector<store::element> in_each_of_series_;               // ascending
  std::string running_;
  std::string last_end_;
  std::optional<gcov::row_record> pending_;
  std::chrono::steady_clock::time_point last_checkpoint_ = std::chrono::steady_clock::now();
  program_totals totals_;
};

}  // namespace morph::measuring
