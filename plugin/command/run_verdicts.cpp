// Reading verdicts: ctest's log, JUnit reports.
#include "plugin/command/run_verdicts.hpp"

#include <algorithm>

#include "plugin/command/content.hpp"
#include "plugin/command/report_names.hpp"
#include "plugin/project/batch.hpp"
#include "plugin/project/files.hpp"
#include "plugin/project/junit.hpp"

namespace morph::command {
namespace {

/// A report of `morph run` names the entry itself as a failed case of the suite when something went wrong outside of
/// the cases: any of them may have done it. (In ctest's own reports a test's class is the test.)
void suspect_cases_of_failed_entries(const project::build_tree& tree, std::vector<project::junit_case>& cases) {
  using verdict = project::junit_case::verdict;
  std::set<std::string> suites;
  for (const auto& c : cases)
    if (c.how == verdict::failed && project::is_entry(tree, c.name)) suites.insert(c.classname);
  for (auto& c : cases)
    if (suites.count(c.classname) != 0) c.how = verdict::failed;
}

project::result<run_verdicts> read_reports(const project::build_tree& tree, const std::vector<std::string>& reports,
                                           const known_content& content) {
  std::vector<known_test> tests;
  for (const listed_suite& suite : list_suites(tree))
    for (const auto& program : suite.programs)
      for (const auto& c : program.cases) tests.push_back({c.case_name, c.name});
  run_verdicts result;
  for (const std::string& path : reports) {
    auto cases = project::read_junit(path);
    if (!cases) return tl::unexpected(cases.error());
    suspect_cases_of_failed_entries(tree, *cases);
    std::erase_if(*cases, [&](const auto& c) { return project::is_entry(tree, c.name); });
    for (const auto& c : *cases)
      if (c.how == project::junit_case::verdict::skipped) result.skipped.insert(c.name);
    auto matched = match_names(*cases, tests);
    const std::int64_t at = project::modification_time(path);
    for (const auto& v : matched.verdicts)
      result.outcomes.push_back({v.name, v.failed, at, v.seconds, "junit", content.at(at)});
    result.unknown.merge(matched.unknown);
    result.ambiguous.merge(matched.ambiguous);
  }
  return result;
}

}  // namespace

known_content::known_content(const project::build_tree& tree, const project::repository* repo) {
  if (repo == nullptr) return;
  const auto now = take_snapshot(tree, *repo, selection::file_kinds(repo->root(), tree.ignore));
  if (!now) return;
  id_ = id_of(now->identity);
  since_ = changed_at(*repo, *now);
}

project::result<run_verdicts> read_verdicts(const project::build_tree& tree, const std::vector<std::string>& reports,
                                            const known_content& content) {
  if (!reports.empty()) return read_reports(tree, reports, content);
  run_verdicts found;
  for (const auto& o : last_runs(tree))
    found.outcomes.push_back({o.name, o.failed, o.at, o.seconds, "ctest", content.at(o.at)});
  return found;
}

}  // namespace morph::command
