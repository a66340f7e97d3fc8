// Files in <build>/.morph/explain.
#include "plugin/explain/kept.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "coverage/observation/observed_json.hpp"
#include "plugin/contract/formats.hpp"
#include "plugin/system/files.hpp"
#include "plugin/system/json_text.hpp"

namespace morph::explain {
namespace {

using nlohmann::json;

std::filesystem::path folder_of(const build::build_tree& tree) {
  return tree.own_dir() / "explain";
}

}  // namespace

std::filesystem::path report_path(const build::build_tree& tree) {
  return folder_of(tree) / "report.json";
}

result<kept_observations> read_observations(const build::build_tree& tree) {
  const auto path = folder_of(tree) / "observed.json";
  std::error_code none;
  if (!std::filesystem::exists(path, none)) return tl::unexpected(std::string("nothing was observed yet"));
  const auto text = system::read_file(path);
  if (!text) return tl::unexpected(text.error());
  try {
    const json all = json::parse(*text);
    if (all.at("schema") != contract::observed_schema)
      return tl::unexpected(fmt::format("'{}' is of another version of Morph", path.string()));
    kept_observations made{all.at("of"), all.at("stage"), {}};
    for (const json& each : all.at("mutants")) made.mutants.push_back(observation::observed_of(each));
    return made;
  } catch (const json::exception& error) {
    return tl::unexpected(fmt::format("'{}' cannot be read: {}", path.string(), error.what()));
  }
}

result<void> keep_observations(const build::build_tree& tree, const kept_observations& of) {
  json mutants = json::array();
  for (const auto& each : of.mutants) mutants.push_back(observation::to_json(each));
  return system::write_file_atomically(folder_of(tree) / "observed.json",
                                       json_text({{"schema", contract::observed_schema},
                                                  {"of", of.of},
                                                  {"stage", of.stage},
                                                  {"mutants", std::move(mutants)}}) +
                                           '\n');
}

}  // namespace morph::explain
