// The evidence store: one SQLite file of immutable measurements and of test outcomes.
#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include "plugin/store/database.hpp"
#include "plugin/store/evidence.hpp"
#include "plugin/system/result.hpp"

namespace morph::store {

/// A verdict on a test, by its ctest name.
struct test_outcome {
  std::string name;
  bool failed = false;
  std::int64_t at = 0;          // seconds since 1970
  double seconds = 0;           // wall time
  std::string source;           // "measure", "ctest" or "junit"
  std::string content;          // what it ran on; empty if that is not known
  std::string configuration{};  // digest of the build's; empty if that is not known
};

/// What is remembered of a test in a configuration: its last verdicts (`kept_outcomes`) of ctest and reports, and as
/// many of measurements.
struct test_history {
  test_outcome latest;  // the latest failure that nothing has ended, if there is one
  /// It passed and failed on the same content. The twin's verdicts are compared with each other only, and so are those
  /// of an unknown configuration: they are of another build than the one that ctest runs.
  bool flaky = false;
  /// Its last failure, whatever ended it, and in how many runs it passed since, those of the twin left out.
  std::optional<std::int64_t> failed_at{};
  std::uint32_t passes_since_failure = 0;
  /// When it ran and whether it failed, oldest first, without the twin's.
  std::vector<std::pair<std::int64_t, bool>> verdicts{};
};
constexpr int kept_outcomes = 20;

/// A run of all tests, compared with what a plan of the same content would have run.
struct audit {
  std::string configuration;  // digest of the build's
  std::string content;        // what ran
  std::string base;           // commit that the plan started from; empty = none
  std::int64_t at = 0;        // seconds since 1970: when it ran
  std::string commit;         // a label
  std::uint32_t tests = 0;
  std::uint32_t selected = 0;
  std::uint32_t failed = 0;
  std::int64_t full_us = 0;  // wall time of all tests, and of the selected ones
  std::int64_t selected_us = 0;
  std::vector<std::string> missed{};  // failed, and not selected
  /// Among the tests affected by code alone, in the order of the plan: which one failed first, from 1 (none: 0), and
  /// how many they are.
  std::uint32_t found_first = 0, found_among = 0;
  bool operator==(const audit&) const = default;
};

/// How much `morph record` lets a store keep.
struct store_bounds {
  std::size_t measurements = 50;    // of each configuration
  std::uint64_t bytes = 256000000;  // of the file; the newest measurement stays in any case
};

class measurement_writer;

/// Errors are values: what happened, to which file, and what to do next.
class evidence_store {
 public:
  /// Never writes, not even a journal. Nothing if there is no file or an empty one; an error for a file that is not a
  /// whole Morph store of this schema or an older one.
  static result<std::optional<evidence_store>> open_for_reading(const std::string& path);

  /// Makes the file and its folder if they are missing. A file that is not a whole Morph store is left as it is, one of
  /// an older schema becomes one of this.
  static result<evidence_store> open_for_writing(const std::string& path);

  /// Newest first.
  result<std::vector<measurement_info>> measurements();
  result<evidence> load(std::int64_t measurement);
  /// Of which run each test's row is, by suite, target and case. The rows themselves are not read.
  result<std::map<std::tuple<std::string, std::string, std::string>, run_of_row>> recorded(
      const measurement_info& measurement);
  /// In how many measurements probes did not show what tests of a program enter, by suite and target.
  result<std::map<std::pair<std::string, std::string>, std::size_t>> measured_in_vain();
  /// The stored content of an overridden file.
  result<std::string> blob(const std::string& hash);

  /// A new measurement, or the unfinished one of the same content and configuration, to be continued.
  result<measurement_writer> begin(const snapshot& taken_from, const std::string& configuration, std::int64_t now);

  /// An unfinished measurement, to be continued.
  result<measurement_writer> resume(std::int64_t measurement, std::int64_t now);
  /// Nothing of it is left but the blobs.
  result<void> remove(std::int64_t measurement);

  /// Removes the oldest measurements beyond the bounds. Returns what is gone.
  result<std::vector<measurement_info>> keep_newest(const store_bounds& bounds);

  /// A measurement as it is, beside what is there. `blobs`: by hash, the contents of its overridden files.
  /// `in_place_of`: a measurement that goes in the same moment.
  result<void> add(const evidence& e, const std::map<std::string, std::string>& blobs,
                   std::optional<std::int64_t> in_place_of = std::nullopt);
  /// In place of what a complete measurement has known of kills so far.
  result<void> set_kills(std::int64_t measurement, const std::vector<killed_mutant>& kills);
  /// Keeps other writers out as long as it lives.
  result<std::unique_ptr<transaction>> hold();

  /// How many were new. The same set of outcomes is left, in whatever order they come.
  result<std::size_t> add_outcomes(std::span<const test_outcome> outcomes);
  /// Of the tests of a configuration. One that failed in an unknown one counts as failed in every one until it passes
  /// there; what passed in an unknown one may fail in this.
  /// Only what happened before `end` counts.
  result<std::map<std::string, test_history>> histories(const std::string& configuration = {},
                                                        std::int64_t end = std::numeric_limits<std::int64_t>::max());

  /// All that are kept, by name and time.
  result<std::vector<test_outcome>> outcomes();

  /// One of the same run and baseline is replaced.
  result<void> add_audit(const audit& a);
  /// Newest first.
  result<std::vector<audit>> audits();

  /// Reads everything; every finding is one line. Empty = sound.
  result<std::vector<std::string>> verify();

  /// Whether there is a file that is no whole store, or not sound. What a writer that was cut off has left is rolled
  /// back first. False if nobody can tell now: it is locked, may not be read, or is of a newer schema.
  static bool is_damaged(const std::string& path);

  const std::string& path() const { return path_; }

 private:
  evidence_store(std::string path, database db)
      : path_(std::move(path)), db_(std::make_unique<database>(std::move(db))) {}
  template <typename Action>
  auto guarded(Action action) -> result<decltype(action())>;

  std::string path_;
  std::unique_ptr<database> db_;
};

/// Writes one measurement. Names are interned: the same file, function, unit, program or test gets the same number.
/// Nothing is lost that was written before the last checkpoint(). Throws database_error when the disk fails.
class measurement_writer {
 public:
  /// `open`: what was written already belongs to the same portion.
  measurement_writer(database& db, std::int64_t measurement, std::int64_t now,
                     std::unique_ptr<transaction> open = nullptr);
  measurement_writer(measurement_writer&&) noexcept;
  ~measurement_writer();

  std::uint32_t file(const std::string& path);
  /// Looks through all of them.
  std::string path_of(std::uint32_t file) const;
  // All ascending; added to known ones.
  void set_executable_lines(std::uint32_t file, std::span<const std::uint32_t> lines);
  void set_branches(std::uint32_t file, std::span<const std::uint32_t> numbers);
  void set_conditions(std::uint32_t file, std::span<const std::uint32_t> numbers);
  void set_decisions(std::uint32_t file, std::span<const packed_way> ways);
  std::uint32_t function(const measured_function& function);
  std::uint32_t unit(const measured_unit& unit);
  /// The number of a unit that is known already.
  std::optional<std::uint32_t> unit_of(const std::string& object) const;
  std::uint32_t input(const measured_input& input);
  std::uint32_t program(const measured_program& program);
  std::uint32_t test(std::uint32_t program, const std::string& case_name, const std::string& name);
  bool is_measured(std::uint32_t test) const { return measured_.count(test) != 0; }
  std::int64_t measurement() const { return measurement_; }
  /// When the row was measured: `facts.at`, else the time that begin() was given.
  void put_row(std::uint32_t test, const measured_test& facts, std::span<const element> elements);
  void put_blob(const std::string& hash, const std::string& content);
  bool has_blob(const std::string& hash);
  void put_link(const measured_link& link);

  void checkpoint();
  /// If every test has its row, folds the rows into classes and marks the measurement complete. Not so if the caller
  /// could not register all tests there are.
  void finish(bool everything_registered = true);

 private:
  statement& prepared(const char* sql);  // each text is compiled once
  void write_functions();
  void write_rows();

  database* db_;
  std::int64_t measurement_;
  std::int64_t now_;
  std::unique_ptr<transaction> open_;
  std::map<std::string_view, statement> statements_;
  std::map<std::string, std::uint32_t> files_;
  template <typename Number>
  using numbers_of_file = std::map<std::uint32_t, std::vector<Number>>;
  template <typename Number>
  void add_numbers(numbers_of_file<Number>& known, const char* sql, std::uint32_t file,
                   std::span<const Number> numbers);

  numbers_of_file<std::uint32_t> lines_, branches_, conditions_;
  numbers_of_file<packed_way> decisions_;
  std::map<std::pair<std::string, std::pair<std::uint32_t, std::uint32_t>>, std::uint32_t> functions_;
  std::vector<measured_function> unwritten_functions_;  // those with the highest numbers
  std::map<std::string, std::uint32_t> units_;
  std::map<std::tuple<measured_input::kind, std::string, std::optional<std::string>>, std::uint32_t> inputs_;
  std::map<std::pair<std::string, std::string>, std::uint32_t> programs_;
  std::map<std::pair<std::uint32_t, std::string>, std::uint32_t> tests_;
  std::set<std::uint32_t> measured_;
  std::map<std::uint32_t, std::string> unwritten_rows_;  // of tests, encoded
};

}  // namespace morph::store
