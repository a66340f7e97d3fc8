// morph record
#include "plugin/workspace/record.hpp"

#include <fmt/format.h>

#include <memory>

#include "plugin/command/failed.hpp"
#include "plugin/command/options.hpp"
#include "plugin/command/terminal.hpp"
#include "plugin/learning/learning.hpp"

namespace morph::command {
namespace {

int run_record(const std::vector<std::string>& reports, const common_options& common) {
  const auto tree = open_build_tree(common);
  if (!tree) return contract::environment;
  terminal told(false);
  const auto kept = learning::keep(*tree, told);
  if (!kept) spdlog::warn("what ctest's last run recorded is not kept: {}", kept.error());
  auto made = workspace::record(*tree, reports);
  if (!made) return failed(contract::environment, made.error());
  if (kept && *kept) made->rows = {(*kept)->known, (*kept)->tests};
  fmt::print("{}", common.json ? workspace::as_json(*made) + '\n' : workspace::as_text(*made));
  if (!common.json)
    for (const std::string& warning : workspace::warnings_of(*made)) spdlog::warn("{}", warning);
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
