// morph record
#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <nlohmann/json.hpp>

#include "plugin/command/workspace.hpp"
#include "plugin/project/formats.hpp"
#include "plugin/project/outcomes.hpp"

namespace morph::command {
namespace {

int run_record(const std::vector<std::string>& reports, const common_options& common) {
  const auto tree = open_build_tree(common);
  if (!tree) return environment;
  std::vector<store::test_outcome> outcomes;
  const auto add = [&](const std::vector<project::run_outcome>& found, const std::string& source) {
    for (const auto& o : found) outcomes.push_back({o.name, o.failed, o.at, o.seconds, source});
  };
  if (reports.empty()) add(last_runs(*tree), "ctest");
  for (const std::string& report : reports) {
    const auto found = project::read_junit(report);
    if (!found) {
      spdlog::error("{}", found.error());
      return environment;
    }
    add(*found, "junit");
  }
  if (outcomes.empty()) {
    spdlog::error("no verdicts in {}; run ctest first",
                  reports.empty() ? (tree->binary_dir / "Testing").string() : reports.front());
    return environment;
  }

  auto repo = project::repository::open(tree->source_dir);
  auto evidence = store::evidence_store::open_for_writing(store_path(*tree, repo ? &*repo : nullptr));
  auto stored = evidence ? evidence->add_outcomes(outcomes) : tl::unexpected(evidence.error());
  if (!stored) {
    spdlog::error("{}", stored.error());
    return environment;
  }
  const auto failed = std::count_if(outcomes.begin(), outcomes.end(), [](const auto& o) { return o.failed; });
  if (common.json)
    fmt::print(
        "{}\n",
        nlohmann::json{{"schema", project::record_schema}, {"recorded", outcomes.size()}, {"failed", failed}}.dump());
  else
    fmt::print("recorded {} verdicts, {} of them failures\n", outcomes.size(), failed);
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
