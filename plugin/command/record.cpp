// morph record
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "plugin/command/run_verdicts.hpp"
#include "plugin/project/formats.hpp"

namespace morph::command {
namespace {

constexpr std::size_t shown_names = 5;

/// "a, b and 7 more"
std::string some_of(const std::set<std::string>& names) {
  const std::vector<std::string> shown(
      names.begin(), std::next(names.begin(), static_cast<std::ptrdiff_t>(std::min(names.size(), shown_names))));
  const std::string text = fmt::format("'{}'", fmt::join(shown, "', '"));
  return names.size() <= shown_names ? text : fmt::format("{} and {} more", text, names.size() - shown_names);
}

int run_record(const std::vector<std::string>& reports, const common_options& common) {
  const auto tree = open_build_tree(common);
  if (!tree) return environment;
  auto repo = project::repository::open(tree->source_dir);
  const known_content content(*tree, repo ? &*repo : nullptr);
  auto read = read_verdicts(*tree, reports, content);
  if (!read) {
    spdlog::error("{}; nothing was recorded", read.error());
    return environment;
  }
  run_verdicts& found = *read;
  if (found.outcomes.empty()) {
    spdlog::error("no verdicts in {}; run ctest first", reports.empty() ? (tree->binary_dir / "Testing").string()
                                                                        : fmt::format("{}", fmt::join(reports, ", ")));
    return environment;
  }

  const std::string configuration = configuration_id(*tree);
  for (store::test_outcome& o : found.outcomes) o.configuration = configuration;
  auto evidence = store::evidence_store::open_for_writing(writable_store_path(*tree, repo ? &*repo : nullptr));
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
