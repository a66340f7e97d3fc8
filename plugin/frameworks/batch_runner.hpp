// Running a batch: as few processes as possible, resumed after a crash, every case accounted for.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "plugin/frameworks/batch.hpp"

namespace morph::frameworks {

/// What the program of a test framework tells while it runs, or in its report.
struct case_event {
  /// crashed: the case took its program along, which lived to tell.
  enum class kind { group, started, passed, failed, crashed, skipped } what = kind::started;
  std::string name;               // of the case; group: its name, whose cases begin with it and a dot
  std::optional<double> seconds;  // if the program tells
  std::string message;            // why it failed or was skipped
};

/// How one framework's programs are told which cases to run, and how they tell what became of them. One object serves
/// one process.
class framework_runner {
 public:
  virtual ~framework_runner() = default;
  /// How many of the first cases one process can be asked for; at least one.
  virtual std::size_t takes(std::span<const std::string> cases) const = 0;
  /// `scratch` is an empty folder for files that are passed along.
  virtual result<std::vector<std::string>> arguments(std::span<const std::string> cases,
                                                     const std::filesystem::path& scratch) = 0;
  /// A line of the output, without its end.
  virtual std::vector<case_event> read_line(std::string_view line) = 0;
  /// What has been added to a report that grows while the program runs.
  virtual std::vector<case_event> read_progress() { return {}; }
  /// The final report: an event for every case that ran. Nothing if the program did not get to write it.
  virtual std::optional<std::vector<case_event>> read_report() = 0;
  /// As arguments(), of a program that runs each case in a process of its own (plugin/spool/series.h) and reports
  /// by its output and the ends of these alone. Nothing: the framework's programs cannot.
  virtual std::optional<result<std::vector<std::string>>> series_arguments(
      [[maybe_unused]] std::span<const std::string> cases, [[maybe_unused]] const std::filesystem::path& scratch,
      [[maybe_unused]] std::span<const std::string> extra_args) {
    return std::nullopt;
  }
  /// Why a case failed or was skipped, from its output.
  virtual std::string message_in([[maybe_unused]] std::string_view output) const { return {}; }
  /// Whether the program itself prints why a case failed.
  virtual bool shows_failures() const { return true; }
  /// Whether a program in which nothing failed may end like that.
  virtual bool is_good(int status, [[maybe_unused]] bool all_skipped) const { return status == 0; }
};

struct case_result {
  enum class verdict { passed, failed, skipped, crashed, timed_out, not_run };
  std::string name;  // ctest's
  verdict how = verdict::not_run;
  double seconds = 0;   // wall time
  std::int64_t at = 0;  // seconds since 1970
  std::string message;  // in a line
  std::string output;   // the end of what it printed, unless it passed

  bool is_bad() const { return how != verdict::passed && how != verdict::skipped; }
};
const char* name_of(case_result::verdict how);

struct batch_result {
  std::vector<case_result> cases;       // as in the batch; those that an interrupt left out are missing
  std::vector<std::string> complaints;  // what went wrong outside the cases, a line each
  bool interrupted = false;

  bool good() const;
};

/// `show` gets everything that the programs print, as it comes.
batch_result run_batch(const batch& b, const std::function<void(std::string_view)>& show,
                       const std::function<void(const case_result&)>& on_failure);

}  // namespace morph::frameworks
