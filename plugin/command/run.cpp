// morph run: what ctest executes for Morph's own entries.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <spdlog/spdlog.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <ctime>
#include <memory>

#include "plugin/command/options.hpp"
#include "plugin/contract/variables.hpp"
#include "plugin/frameworks/batch_runner.hpp"
#include "plugin/frameworks/junit.hpp"
#include "plugin/frameworks/last_runs.hpp"
#include "plugin/system/files.hpp"
#include "plugin/system/process.hpp"

namespace morph::command {
namespace {

namespace fs = std::filesystem;
using frameworks::case_result;
using how_ended = frameworks::case_result::verdict;

constexpr std::size_t shown_message = 200;  // characters

void show(std::string_view output) {
  while (!output.empty()) {
    const ssize_t n = ::write(STDOUT_FILENO, output.data(), output.size());
    if (n < 0 && errno != EINTR) return;  // nobody listens
    if (n > 0) output.remove_prefix(static_cast<std::size_t>(n));
  }
}

/// For the next plan: a case that was skipped says nothing, and one that was not run must not be forgotten. What went
/// wrong outside of the cases may be the doing of any of them.
std::vector<frameworks::run_outcome> outcomes_of(const frameworks::batch& b, const frameworks::batch_result& result) {
  std::vector<frameworks::run_outcome> outcomes;
  const bool all_suspect = !result.complaints.empty();
  for (const frameworks::case_result& c : result.cases)
    outcomes.push_back({c.name, all_suspect || c.is_bad(), c.seconds, c.at, "", b.entry,
                        all_suspect ? !c.is_bad() : c.how == how_ended::skipped});
  return outcomes;
}

/// Leaves each failure at once: nobody knows whether this process lives to see the end of the batch.
class failure_keeper {
 public:
  explicit failure_keeper(const frameworks::batch& b) : b_(b) {}
  void keep(const frameworks::case_result& failed) {
    if (kept_++ >= most_) return;
    (void)frameworks::leave_outcomes(frameworks::runs_dir(b_.own_dir), b_.entry,
                                     {{failed.name, true, failed.seconds, failed.at, "", b_.entry}});
  }

 private:
  static constexpr int most_ = 100;  // where all fails, the time of a file each counts
  const frameworks::batch& b_;
  int kept_ = 0;
};

result<void> write_report(const frameworks::batch& b, const frameworks::batch_result& result) {
  const char* folder = std::getenv(contract::junit_variable);
  if (folder == nullptr || *folder == '\0') return {};
  std::vector<frameworks::junit_case> cases;
  for (const frameworks::case_result& c : result.cases) {
    using junit = frameworks::junit_case::verdict;
    const junit how = c.is_bad() ? junit::failed : c.how == how_ended::skipped ? junit::skipped : junit::passed;
    const bool plain = c.how == how_ended::failed || c.how == how_ended::skipped;
    const std::string message = plain ? c.message : fmt::format("{}: {}", frameworks::name_of(c.how), c.message);
    cases.push_back({c.name, b.suite, how, c.seconds, message, c.output});
  }
  for (const std::string& complaint : result.complaints)
    cases.push_back({b.entry, b.suite, frameworks::junit_case::verdict::failed, 0, complaint, ""});
  return system::write_file_atomically(b.binary_dir / folder / (b.entry + ".xml"),
                                       frameworks::write_junit(b.entry, cases, std::time(nullptr)));
}

std::string first_line(const std::string& text) {
  const std::string line = text.substr(0, text.find('\n'));
  return line.size() <= shown_message ? line : line.substr(0, shown_message) + "...";
}

/// The tags are CTest's: it takes them out of the output and hands them to a dashboard.
void summarize(const frameworks::batch& b, const frameworks::batch_result& result) {
  std::size_t failed = 0, skipped = 0;
  double seconds = 0;
  for (const frameworks::case_result& c : result.cases) {
    failed += c.is_bad() ? 1 : 0;
    skipped += c.how == how_ended::skipped ? 1 : 0;
    seconds += c.seconds;
  }
  const auto measurement = [](const char* name, auto value) {
    fmt::print("<CTestMeasurement type=\"numeric/double\" name=\"{}\">{}</CTestMeasurement>\n", name, value);
  };
  fmt::print("\n");
  measurement("tests", result.cases.size());
  measurement("failures", failed);
  measurement("seconds", seconds);
  const std::string summary = fmt::format("{} of {} cases ran: {} passed, {} failed, {} skipped", result.cases.size(),
                                          b.size(), result.cases.size() - failed - skipped, failed, skipped);
  fmt::print("<CTestDetails>{}</CTestDetails>\n{}: {}{}\n", summary, b.entry, summary,
             result.interrupted ? "; interrupted" : "");
  for (const frameworks::case_result& c : result.cases)
    if (c.is_bad())
      fmt::print("  {} {}{}{}\n", frameworks::name_of(c.how), c.name, c.message.empty() ? "" : ": ",
                 first_line(c.message));
  for (const std::string& complaint : result.complaints) fmt::print("  {}\n", complaint);
}

int run_batch_file(const std::string& path) {
  const auto b = frameworks::read_batch(path);
  if (!b) {
    spdlog::error("{}", b.error());
    return contract::environment;
  }
  system::catch_interrupts();
  // ctest may go away; a handler, unlike SIG_IGN, is not inherited by the test programs.
  std::signal(SIGPIPE, [](int) {});
  failure_keeper failures(*b);
  const frameworks::batch_result result =
      frameworks::run_batch(*b, show, [&](const frameworks::case_result& failed) { failures.keep(failed); });
  if (auto left = frameworks::leave_outcomes(frameworks::runs_dir(b->own_dir), b->entry, outcomes_of(*b, result));
      !left)
    spdlog::warn("the next plan will not know how these cases ended: {}", left.error());
  summarize(*b, result);
  std::fflush(stdout);
  if (auto written = write_report(*b, result); !written) {
    spdlog::error("MORPH_JUNIT_DIR: {}", written.error());
    return contract::environment;
  }
  if (result.interrupted) return contract::environment;
  return result.good() ? contract::fine : contract::finding;
}

}  // namespace

action add_run(CLI::App& app, const common_options&) {
  auto note = std::make_shared<std::string>();
  auto batch = std::make_shared<std::string>();
  CLI::Option_group* what = app.add_option_group("what to run");
  what->add_option("--note", *note, "Print this text: the entry <suite>.plan reports the selection");
  what->add_option("--batch", *batch, "Run the cases that this file lists, in as few processes as possible")
      ->type_name("FILE");
  what->require_option(1);
  return [note, batch]() -> int {
    if (!batch->empty()) return run_batch_file(*batch);
    fmt::print("{}\n", *note);
    return contract::fine;
  };
}

}  // namespace morph::command
