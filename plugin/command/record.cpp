// morph record
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "plugin/command/content.hpp"
#include "plugin/command/report_names.hpp"
#include "plugin/command/workspace.hpp"
#include "plugin/project/batch.hpp"
#include "plugin/project/files.hpp"
#include "plugin/project/formats.hpp"
#include "plugin/project/junit.hpp"

namespace morph::command {
namespace {

constexpr std::size_t shown_names = 5;

struct recorded {
  std::vector<store::test_outcome> outcomes;
  std::set<std::string> unknown, ambiguous;  // names of reports
};

/// "a, b and 7 more"
std::string some_of(const std::set<std::string>& names) {
  const std::vector<std::string> shown(
      names.begin(), std::next(names.begin(), static_cast<std::ptrdiff_t>(std::min(names.size(), shown_names))));
  const std::string text = fmt::format("'{}'", fmt::join(shown, "', '"));
  return names.size() <= shown_names ? text : fmt::format("{} and {} more", text, names.size() - shown_names);
}

/// The content of the work tree for what ran after its last change; nothing for what ran before, since nobody knows
/// what that ran on.
class known_content {
 public:
  known_content(const project::build_tree& tree, const project::repository* repo) {
    if (repo == nullptr) return;
    const auto now = take_snapshot(*repo, selection::file_kinds(repo->root(), tree.ignore));
    if (!now) return;
    id_ = id_of(now->identity);
    since_ = changed_at(*repo, *now);
  }
  std::string at(std::int64_t time) const { return time >= since_ ? id_ : std::string(); }

 private:
  std::string id_;
  std::int64_t since_ = 0;
};

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

project::result<recorded> read_reports(const project::build_tree& tree, const std::vector<std::string>& reports,
                                       const known_content& content) {
  std::vector<known_test> tests;
  for (const listed_suite& suite : list_suites(tree))
    for (const auto& program : suite.programs)
      for (const auto& c : program.cases) tests.push_back({c.case_name, c.name});
  recorded result;
  for (const std::string& path : reports) {
    auto cases = project::read_junit(path);
    if (!cases) return tl::unexpected(cases.error());
    suspect_cases_of_failed_entries(tree, *cases);
    std::erase_if(*cases, [&](const auto& c) { return project::is_entry(tree, c.name); });
    auto matched = match_names(*cases, tests);
    const std::int64_t at = project::modification_time(path);
    for (const auto& v : matched.verdicts)
      result.outcomes.push_back({v.name, v.failed, at, v.seconds, "junit", content.at(at)});
    result.unknown.merge(matched.unknown);
    result.ambiguous.merge(matched.ambiguous);
  }
  return result;
}

int run_record(const std::vector<std::string>& reports, const common_options& common) {
  const auto tree = open_build_tree(common);
  if (!tree) return environment;
  auto repo = project::repository::open(tree->source_dir);
  const known_content content(*tree, repo ? &*repo : nullptr);
  recorded found;
  if (reports.empty()) {
    for (const auto& o : last_runs(*tree))
      found.outcomes.push_back({o.name, o.failed, o.at, o.seconds, "ctest", content.at(o.at)});
  } else {
    auto read = read_reports(*tree, reports, content);
    if (!read) {
      spdlog::error("{}; nothing was recorded", read.error());
      return environment;
    }
    found = std::move(*read);
  }
  if (found.outcomes.empty()) {
    spdlog::error("no verdicts in {}; run ctest first", reports.empty() ? (tree->binary_dir / "Testing").string()
                                                                        : fmt::format("{}", fmt::join(reports, ", ")));
    return environment;
  }

  const std::string configuration = configuration_id(*tree);
  for (store::test_outcome& o : found.outcomes) o.configuration = configuration;
  auto evidence = store::evidence_store::open_for_writing(store_path(*tree, repo ? &*repo : nullptr));
  auto added = evidence ? evidence->add_outcomes(found.outcomes) : tl::unexpected(evidence.error());
  auto histories = added ? evidence->histories(configuration) : tl::unexpected(added.error());
  if (!histories) {
    spdlog::error("{}", histories.error());
    return environment;
  }
  std::set<std::string> recorded_names, failed, flaky;
  for (const store::test_outcome& o : found.outcomes) {
    recorded_names.insert(o.name);
    if (o.failed) failed.insert(o.name);
    if (histories->at(o.name).flaky) flaky.insert(o.name);
  }
  if (common.json) {
    fmt::print("{}\n", nlohmann::json{{"schema", project::record_schema},
                                      {"recorded", found.outcomes.size()},
                                      {"new", *added},
                                      {"failed", failed.size()},
                                      {"flaky", flaky},
                                      {"unknown", found.unknown},
                                      {"ambiguous", found.ambiguous}}
                           .dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
    return fine;
  }
  fmt::print("recorded {} verdicts, {} of them failures{}\n", found.outcomes.size(), failed.size(),
             *added == found.outcomes.size() ? "" : fmt::format("; {} are new", *added));
  if (!flaky.empty()) fmt::print("flaky, they passed and failed on the same content: {}\n", some_of(flaky));
  if (!found.ambiguous.empty())
    spdlog::warn("several tests have these names; a failure counts for all of them, a success for none: {}",
                 some_of(found.ambiguous));
  if (!found.unknown.empty()) spdlog::warn("no test of this build tree has these names: {}", some_of(found.unknown));
  return fine;
}

}  // namespace

action add_record(CLI::App& app, const common_options& common) {
  auto reports = std::make_shared<std::vector<std::string>>();
  app.add_option("report", *reports, "JUnit XML files (default: the last run of ctest in the build tree)")
      ->type_name("JUNIT.xml");
  return [reports, &common] { return run_record(*reports, common); };
}

}  // namespace morph::command
