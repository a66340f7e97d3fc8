// Reading verdicts: ctest's log, JUnit reports.
#include "plugin/workspace/recorded_verdicts.hpp"

#include <algorithm>

#include "plugin/frameworks/batch.hpp"
#include "plugin/frameworks/framework.hpp"
#include "plugin/frameworks/junit.hpp"
#include "plugin/frameworks/junit_names.hpp"
#include "plugin/system/files.hpp"
#include "plugin/workspace/snapshot.hpp"
#include "plugin/workspace/suites.hpp"
#include "plugin/workspace/verdict_history.hpp"

namespace morph::workspace {
namespace {

/// A report of `morph run` names the entry itself as a failed case of the suite when something went wrong outside of
/// the cases: any of them may have done it. (In ctest's own reports a test's class is the test.)
void suspect_cases_of_failed_entries(const build::build_tree& tree, std::vector<frameworks::junit_case>& cases) {
  using verdict = frameworks::junit_case::verdict;
  std::set<std::string> suites;
  for (const auto& c : cases)
    if (c.how == verdict::failed && frameworks::is_entry(tree, c.name)) suites.insert(c.classname);
  for (auto& c : cases)
    if (suites.count(c.classname) != 0) c.how = verdict::failed;
}

result<run_verdicts> read_reports(const build::build_tree& tree, const std::vector<std::string>& reports,
                                  const known_snapshot& content) {
  std::vector<frameworks::known_test> tests;
  for (const listed_suite& suite : list_suites(tree)) {
    const auto* const framework = frameworks::find_framework(suite.declared->framework);
    for (const auto& program : suite.programs)
      for (const auto& c : program.cases) {
        tests.push_back({c.case_name, c.name});
        if (framework != nullptr && framework->in_junit != nullptr)
          tests.push_back({framework->in_junit(c.case_name), c.name});
      }
  }
  run_verdicts result;
  for (const std::string& path : reports) {
    auto cases = frameworks::read_junit(path);
    if (!cases) return tl::unexpected(cases.error());
    suspect_cases_of_failed_entries(tree, *cases);
    std::erase_if(*cases, [&](const auto& c) { return frameworks::is_entry(tree, c.name); });
    for (const auto& c : *cases)
      if (c.how == frameworks::junit_case::verdict::skipped) result.skipped.insert(c.name);
    auto matched = frameworks::match_names(*cases, tests);
    const std::int64_t at = system::modification_time(path);
    for (const auto& v : matched.verdicts)
      result.outcomes.push_back({v.name, v.failed, at, v.seconds, "junit", content.at(at)});
    result.unknown.merge(matched.unknown);
    result.ambiguous.merge(matched.ambiguous);
  }
  return result;
}

}  // namespace

known_snapshot::known_snapshot(const build::build_tree& tree, const git::repository* repo) {
  if (repo == nullptr) return;
  const auto now = take_snapshot(tree, *repo, selection::file_kinds(repo->root(), tree.ignore));
  if (!now) return;
  id_ = id_of(now->identity);
  since_ = changed_at(*repo, *now);
}

result<run_verdicts> read_verdicts(const build::build_tree& tree, const std::vector<std::string>& reports,
                                   const known_snapshot& content) {
  if (!reports.empty()) return read_reports(tree, reports, content);
  run_verdicts found;
  for (const auto& o : last_runs(tree))
    found.outcomes.push_back({o.name, o.failed, o.at, o.seconds, "ctest", content.at(o.at)});
  return found;
}

}  // namespace morph::workspace
