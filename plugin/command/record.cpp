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

constexpr std::uint64_t bytes_of_megabyte = 1000000;

int run_record(const std::vector<std::string>& reports, const store::store_bounds& bounds,
               const common_options& common) {
  const auto tree = open_build_tree(common);
  if (!tree) return contract::environment;
  terminal told(false);
  const auto kept = learning::keep(*tree, told);
  if (!kept) spdlog::warn("what ctest's last run recorded is not kept: {}", kept.error());
  auto made = workspace::record(*tree, reports, bounds);
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
  auto bounds = std::make_shared<store::store_bounds>();
  app.add_option("--keep", bounds->measurements, "Keep this many measurements of each configuration, the newest")
      ->type_name("N")
      ->check(CLI::PositiveNumber.description(""))
      ->capture_default_str();
  auto megabytes = std::make_shared<std::uint64_t>(bounds->bytes / bytes_of_megabyte);
  app.add_option("--keep-mb", *megabytes, "Let the store be this large; the oldest measurements go before")
      ->type_name("MB")
      ->check(CLI::PositiveNumber.description(""))
      ->capture_default_str();
  return [=, &common] {
    bounds->bytes = *megabytes * bytes_of_megabyte;
    return run_record(*reports, *bounds, common);
  };
}

}  // namespace morph::command
