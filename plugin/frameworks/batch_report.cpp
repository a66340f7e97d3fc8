// Writes what became of a batch: outcomes for the next plan, JUnit, the lines at the end.
#include "plugin/frameworks/batch_report.hpp"

#include <fmt/format.h>

namespace morph::frameworks {
namespace {

constexpr std::size_t shown_message = 200;  // characters
constexpr int most_at_once = 100;           // failures left one by one: where all fails, the time of a file each counts

std::string first_line(const std::string& text) {
  const std::string line = text.substr(0, text.find('\n'));
  return line.size() <= shown_message ? line : line.substr(0, shown_message) + "...";
}

template <typename Value>
std::string measurement(const char* name, Value value) {
  return fmt::format("<CTestMeasurement type=\"numeric/double\" name=\"{}\">{}</CTestMeasurement>\n", name, value);
}

}  // namespace

std::vector<run_outcome> outcomes_of(const batch& b, const batch_result& of) {
  std::vector<run_outcome> outcomes;
  const bool all_suspect = !of.complaints.empty();
  for (const case_result& c : of.cases)
    outcomes.push_back({c.name, all_suspect || c.is_bad(), c.seconds, c.at, "", b.entry,
                        all_suspect ? !c.is_bad() : c.how == case_result::verdict::skipped});
  return outcomes;
}

std::vector<junit_case> junit_cases_of(const batch& b, const batch_result& of) {
  using ended = case_result::verdict;
  using verdict = junit_case::verdict;
  std::vector<junit_case> cases;
  for (const case_result& c : of.cases) {
    const verdict how = c.is_bad() ? verdict::failed : c.how == ended::skipped ? verdict::skipped : verdict::passed;
    const bool plain = c.how == ended::failed || c.how == ended::skipped;
    const std::string message = plain ? c.message : fmt::format("{}: {}", name_of(c.how), c.message);
    cases.push_back({c.name, b.suite, how, c.seconds, message, c.output});
  }
  for (const std::string& complaint : of.complaints)
    cases.push_back({b.entry, b.suite, verdict::failed, 0, complaint, ""});
  return cases;
}

std::string summary_of(const batch& b, const batch_result& of) {
  std::size_t failed = 0, skipped = 0;
  double seconds = 0;
  for (const case_result& c : of.cases) {
    failed += c.is_bad() ? 1 : 0;
    skipped += c.how == case_result::verdict::skipped ? 1 : 0;
    seconds += c.seconds;
  }
  const std::string summary = fmt::format("{} of {} cases ran: {} passed, {} failed, {} skipped", of.cases.size(),
                                          b.size(), of.cases.size() - failed - skipped, failed, skipped);
  std::string text =
      "\n" + measurement("tests", of.cases.size()) + measurement("failures", failed) + measurement("seconds", seconds);
  text += fmt::format("<CTestDetails>{}</CTestDetails>\n{}: {}{}\n", summary, b.entry, summary,
                      of.interrupted ? "; interrupted" : "");
  for (const case_result& c : of.cases)
    if (c.is_bad())
      text +=
          fmt::format("  {} {}{}{}\n", name_of(c.how), c.name, c.message.empty() ? "" : ": ", first_line(c.message));
  for (const std::string& complaint : of.complaints) text += fmt::format("  {}\n", complaint);
  return text;
}

kept_batch run_and_keep(const batch& b, const std::function<void(std::string_view)>& show) {
  int kept = 0;
  const std::filesystem::path runs = runs_dir(b.own_dir);
  kept_batch made;
  made.ran = run_batch(b, show, [&](const case_result& failed) {
    if (kept++ < most_at_once)
      (void)leave_outcomes(runs, b.entry, {{failed.name, true, failed.seconds, failed.at, "", b.entry}});
  });
  made.left = leave_outcomes(runs, b.entry, outcomes_of(b, made.ran));
  return made;
}

}  // namespace morph::frameworks
