// Files in <build>/.morph/explain.
#include "plugin/explain/kept.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <nlohmann/json.hpp>
#include <string_view>

#include "coverage/observation/observed_json.hpp"
#include "plugin/build/compile_commands.hpp"
#include "plugin/build/mirror.hpp"
#include "plugin/contract/formats.hpp"
#include "plugin/git/repository.hpp"
#include "plugin/system/files.hpp"
#include "plugin/system/json_text.hpp"

namespace morph::explain {
namespace {

using nlohmann::json;

std::filesystem::path folder_of(const build::build_tree& tree) {
  return tree.own_dir() / "explain";
}

bool is_code(const std::string& path) {
  constexpr std::array<std::string_view, 9> headers{".h",   ".hh",  ".hpp", ".hxx", ".inc",
                                                    ".inl", ".ipp", ".tcc", ".tpp"};
  return build::is_source(path) ||
         std::ranges::find(headers, std::filesystem::path(path).extension().string()) != headers.end();
}

/// Hashes of all sources and headers of the project: what tests do hangs on each.
result<std::map<std::string, std::string>> hashes_of_code(const build::build_tree& tree) {
  const auto files = build::mirrored_files(tree.source_dir, {tree.binary_dir});
  if (!files) return tl::unexpected(files.error());
  std::map<std::string, std::string> hashes;
  for (const std::string& each : *files)
    if (is_code(each))
      if (const auto text = system::read_file(tree.source_dir / each)) hashes[each] = git::blob_hash(*text);
  return hashes;
}

/// The first file that is another one now, or gone; empty if none is.
std::string changed_file(const build::build_tree& tree, const std::map<std::string, std::string>& before) {
  for (const auto& [path, hash] : before) {
    const auto text = system::read_file(tree.source_dir / path);
    if (!text || git::blob_hash(*text) != hash) return path;
  }
  return {};
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
    if (const auto changed = changed_file(tree, all.value("sources", std::map<std::string, std::string>()));
        !changed.empty())
      return tl::unexpected(fmt::format("'{}' has changed since tests were observed", changed));
    kept_observations made{all.at("of"), all.at("stage"), {}};
    for (const json& each : all.at("mutants")) made.mutants.push_back(observation::observed_of(each));
    return made;
  } catch (const json::exception& error) {
    return tl::unexpected(fmt::format("'{}' cannot be read: {}", path.string(), error.what()));
  }
}

result<void> keep_observations(const build::build_tree& tree, const kept_observations& of) {
  const auto sources = hashes_of_code(tree);
  if (!sources) return tl::unexpected(sources.error());
  json mutants = json::array();
  for (const auto& each : of.mutants) mutants.push_back(observation::to_json(each));
  return system::write_file_atomically(folder_of(tree) / "observed.json",
                                       json_text({{"schema", contract::observed_schema},
                                                  {"of", of.of},
                                                  {"stage", of.stage},
                                                  {"sources", *sources},
                                                  {"mutants", std::move(mutants)}}) +
                                           '\n');
}

}  // namespace morph::explain
