// morph record
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "plugin/command/options.hpp"
#include "plugin/contract/exit_codes.hpp"
#include "plugin/contract/formats.hpp"
#include "plugin/store/store.hpp"
#include "plugin/system/json_text.hpp"
#include "plugin/workspace/opened.hpp"
#include "plugin/workspace/recorded_verdicts.hpp"
#include "plugin/workspace/verdict_history.hpp"

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
  if (!tree) return contract::environment;
  auto repo = git::repository::open(tree->source_dir);
  const workspace::known_snapshot content(*tree, repo ? &*repo : nullptr);
  auto read = workspace::read_verdicts(*tree, reports, content);
  if (!read) {
    spdlog::error("{}; nothing was recorded", read.error());
    return contract::environment;
  }
  workspace::run_verdicts& found = *read;
  if (found.outcomes.empty()) {
    spdlog::error("no verdicts in {}; run ctest first", reports.empty() ? (tree->binary_dir / "Testing").string()
                                                                        : fmt::format("{}", fmt::join(reports, ", ")));
    return contract::environment;
  }

  const std::string configuration = workspace::configuration_id(*tree);
  for (store::test_outcome& o : found.outcomes) o.configuration = configuration;
  auto evidence =
      store::evidence_store::open_for_writing(workspace::writable_store_path(*tree, repo ? &*repo : nullptr));
  auto added = evidence ? evidence->add_outcomes(found.outcomes) : tl::unexpected(evidence.error());
  auto histories = added ? evidence->histories(configuration) : tl::unexpected(added.error());
  if (!histories) {
    spdlog::error("{}", histories.error());
    return contract::environment;
  }
  std::set<std::string> recorded_names, failed, flaky;
  for (const store::test_outcome& o : found.outcomes) {
    recorded_names.insert(o.name);
    if (o.failed) failed.insert(o.name);
    if (histories->at(o.name).flaky) flaky.insert(o.name);
  }
  if (common.json) {
    fmt::print("{}\n", json_text(nlohmann::json{{"schema", contract::record_schema},
                                                {"recorded", found.outcomes.size()},
                                                {"new", *added},
                                                {"failed", failed.size()},
                                                {"flaky", flaky},
                                                {"unknown", found.unknown},
                                                {"ambiguous", found.ambiguous}}));
    return contract::fine;
  }
  fmt::print("recorded {} verdicts, {} of them failures{}\n", found.outcomes.size(), failed.size(),
             *added == found.outcomes.size() ? "" : fmt::format("; {} are new", *added));
  if (!flaky.empty()) fmt::print("flaky, they passed and failed on the same content: {}\n", some_of(flaky));
  if (!found.ambiguous.empty())
    spdlog::warn("several tests have these names; a failure counts for all of them, a success for none: {}",
                 some_of(found.ambiguous));
  if (!found.unknown.empty()) spdlog::warn("no test of this build tree has these names: {}", some_of(found.unknown));
  return contract::fine;
}

}  // namespace

action add_record(CLI::App& app, const common_options& common) {
  auto reports = std::make_shared<std::vector<std::string>>();
  app.add_option("report", *reports, "JUnit XML files (default: the last run of ctest in the build tree)")
      ->type_name("JUNIT.xml");
  return [reports, &common] { return run_record(*reports, common); };
}

}  // namespace morph::command
