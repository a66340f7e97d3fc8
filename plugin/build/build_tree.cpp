// Reading and finding build.json.
#include "plugin/build/build_tree.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <nlohmann/json.hpp>

#include "plugin/contract/formats.hpp"
#include "plugin/system/files.hpp"

namespace morph::build {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr int measuring_rules =
    5;  // raise it when rows would come out otherwise: older measurements then count no more

std::vector<std::string> strings(const json& object, const char* key) {
  return object.at(key).get<std::vector<std::string>>();
}

suite read_suite(const json& j) {
  suite s;
  s.name = j.at("name");
  s.framework = j.at("framework");
  s.policy = j.at("policy");
  s.granularity = j.at("granularity");
  s.declared_at = j.at("declared_at");
  s.binary_dir = j.at("binary_dir").get<std::string>();
  for (const json& p : j.at("programs")) s.programs.push_back({p.at("target"), p.at("executable").get<std::string>()});
  s.working_directory = j.at("working_directory").get<std::string>();
  s.test_prefix = j.at("test_prefix");
  s.test_suffix = j.at("test_suffix");
  s.test_list = j.at("test_list");
  s.extra_args = strings(j, "extra_args");
  s.environment = strings(j, "environment");
  if (!j.at("timeout").is_null()) s.timeout = j.at("timeout").get<double>();
  s.discovery_timeout = j.at("discovery_timeout");
  s.labels = strings(j, "labels");
  const std::vector<std::string> properties = strings(j, "properties");
  for (std::size_t i = 0; i + 1 < properties.size(); i += 2)
    s.properties.emplace_back(properties[i], properties[i + 1]);
  s.data = strings(j, "data");
  s.pool = j.value("pool", "");
  s.always = strings(j, "always");
  for (const std::string& path : j.value("executables", std::vector<std::string>())) s.executables.emplace_back(path);
  return s;
}

build_tree read_tree(const json& j) {
  build_tree t;
  t.binary_dir = j.at("binary_dir").get<std::string>();
  t.source_dir = j.at("source_dir").get<std::string>();
  t.config = j.value("config", "");
  t.morph_version = j.value("morph_version", "");
  t.instrument = j.at("instrument");
  t.counters = j.value("counters", "");
  t.generator = j.at("generator");
  t.generator_platform = j.at("generator_platform");
  t.generator_toolset = j.at("generator_toolset");
  t.make_program = j.at("make_program");
  t.cmake = j.at("cmake");
  t.ctest = j.at("ctest");
  t.cmake_version = j.value("cmake_version", "");
  t.twin_cache = j.at("twin_cache").get<std::string>();
  t.runtime = j.value("runtime", "");
  t.store = j.at("store");
  t.ignore = strings(j, "ignore");
  t.targets = strings(j, "targets");
  for (const std::string& directory : j.value("test_directories", std::vector<std::string>()))
    t.test_directories.emplace_back(directory);
  for (const std::string& path : j.value("shared_libraries", std::vector<std::string>()))
    t.shared_libraries.emplace_back(path);
  json configuration = j.at("configuration");
  t.compiler_path = configuration.value("compiler_path", "");
  configuration.erase("compiler_path");
  configuration["measuring"] = measuring_rules;
  if (has_probes(t) || is_off(t)) configuration["evidence"] = t.counters;
  t.configuration = configuration.dump();
  for (const json& s : j.at("suites")) t.suites.push_back(read_suite(s));
  return t;
}

fs::path description(const fs::path& binary_dir, const std::string& config = {}) {
  return binary_dir / ".morph" / config / "build.json";
}

/// When the tree was last described, in any of its configurations.
std::optional<fs::file_time_type> described_at(const fs::path& binary_dir) {
  std::optional<fs::file_time_type> newest;
  std::vector<std::string> names = configurations(binary_dir);
  names.emplace_back();
  for (const std::string& config : names) {
    std::error_code none;
    const auto time = fs::last_write_time(description(binary_dir, config), none);
    if (!none && (!newest || time > *newest)) newest = time;
  }
  return newest;
}

/// All that CMake has written names the place where it did so. Links and mounts lead to the same folder.
result<void> check_place(const build_tree& tree, const fs::path& given) {
  std::error_code error;
  if (fs::equivalent(given, tree.binary_dir, error)) return {};
  const bool is_copy = fs::exists(tree.binary_dir, error);
  return tl::unexpected(fmt::format(
      "'{}' is a build tree that was {} '{}', and works {}; configure a new one: cmake -S {} -B DIR", given.string(),
      is_copy ? "copied from" : "moved or copied from", tree.binary_dir.string(),
      is_copy ? "on that one" : "there alone", is_copy ? tree.source_dir.string() : std::string("SOURCES")));
}

result<build_tree> read_description(const fs::path& binary_dir, const std::string& config) {
  const fs::path path = description(binary_dir, config);
  const auto text = system::read_file(path);
  if (!text)
    return tl::unexpected(fmt::format(
        "'{}' is not a build tree with Morph: {}; configure it with CMake after adding morph_add_suite(), or name "
        "another with --build",
        binary_dir.string(), text.error()));
  try {
    const json j = json::parse(*text);
    if (const std::string found = j.at("schema"); found != contract::build_schema)
      return tl::unexpected(fmt::format("'{}' has schema '{}', this morph reads '{}'; configure the build tree again",
                                        path.string(), found, contract::build_schema));
    build_tree tree = read_tree(j);
    if (auto there = check_place(tree, binary_dir); !there) return tl::unexpected(there.error());
    return tree;
  } catch (const json::exception& error) {
    return tl::unexpected(
        fmt::format("'{}' cannot be read: {}; configure the build tree again", path.string(), error.what()));
  }
}

bool equal_in_any_case(const std::string& a, const std::string& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](unsigned char x, unsigned char y) { return std::tolower(x) == std::tolower(y); });
}

std::optional<fs::file_time_type> built_at(const build_tree& tree) {
  std::optional<fs::file_time_type> newest;
  for (const suite& s : tree.suites)
    for (const test_program& program : s.programs) {
      std::error_code not_built;
      const auto time = fs::last_write_time(program.executable, not_built);
      if (!not_built && (!newest || time > *newest)) newest = time;
    }
  return newest;
}

/// Whether one of the folders is the other, or lies in it.
bool one_holds_the_other(const fs::path& a, const fs::path& b) {
  const auto [in_a, in_b] = std::mismatch(a.begin(), a.end(), b.begin(), b.end());
  return in_a == a.end() || in_b == b.end();
}

}  // namespace

const suite* build_tree::find_suite(const std::string& name) const {
  for (const suite& s : suites)
    if (s.name == name) return &s;
  return nullptr;
}

std::vector<std::string> configurations(const fs::path& binary_dir) {
  std::vector<std::string> names;
  std::error_code error;
  fs::directory_iterator entry(binary_dir / ".morph", fs::directory_options::skip_permission_denied, error);
  for (; !error && entry != fs::directory_iterator(); entry.increment(error)) {
    std::error_code none;
    if (fs::exists(entry->path() / "build.json", none)) names.push_back(entry->path().filename().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

result<build_tree> read_build_tree(const fs::path& binary_dir, const std::string& config) {
  const std::vector<std::string> names = configurations(binary_dir);
  if (names.empty()) return read_description(binary_dir, {});
  if (!config.empty()) {
    const auto named =
        std::find_if(names.begin(), names.end(), [&](const auto& name) { return equal_in_any_case(name, config); });
    if (named == names.end())
      return tl::unexpected(fmt::format("'{}' has no configuration '{}'; it has: {}", binary_dir.string(), config,
                                        fmt::join(names, ", ")));
    return read_description(binary_dir, *named);
  }
  if (names.size() == 1) return read_description(binary_dir, names.front());
  std::optional<build_tree> newest;
  std::optional<fs::file_time_type> newest_time;
  for (const std::string& name : names) {
    auto tree = read_description(binary_dir, name);
    if (!tree) return tree;
    const auto time = built_at(*tree);
    if (!time || (newest_time && *time <= *newest_time)) continue;
    newest = std::move(*tree);
    newest_time = time;
  }
  if (!newest)
    return tl::unexpected(
        fmt::format("'{}' has several configurations and none is built; build one, or name it with "
                    "--config: {}",
                    binary_dir.string(), fmt::join(names, ", ")));
  return std::move(*newest);
}

result<fs::path> find_build_tree(const fs::path& from) {
  std::error_code error;
  fs::path repository;
  const auto is_ours = [&repository](const fs::path& binary_dir) {
    if (repository.empty()) return true;
    const auto tree = read_build_tree(binary_dir);
    return tree && one_holds_the_other(repository, tree->source_dir);
  };
  for (fs::path folder = fs::absolute(from, error);; folder = folder.parent_path()) {
    const bool is_twin = folder.parent_path().filename() == "morph-twin";
    if (!is_twin && described_at(folder) && is_ours(folder)) return folder;
    fs::path newest;
    std::optional<fs::file_time_type> newest_time;
    fs::directory_iterator entry(folder, fs::directory_options::skip_permission_denied, error);
    for (; !error && entry != fs::directory_iterator(); entry.increment(error)) {
      const auto time = described_at(entry->path());
      if (time && (!newest_time || *time > *newest_time) && is_ours(entry->path())) {
        newest = entry->path();
        newest_time = time;
      }
    }
    if (!newest.empty()) return newest;
    std::error_code none;
    if (repository.empty() && fs::exists(folder / ".git", none)) repository = folder;
    if (folder == folder.parent_path()) break;
  }
  return tl::unexpected(fmt::format(
      "no build tree with Morph in '{}' or above it; configure one (cmake -B build) or name it with --build DIR",
      from.string()));
}

std::string approximate(const std::string& configuration) {
  json changed = json::parse(configuration, nullptr, false);
  changed["isolation"] = "none";
  return changed.dump();
}

std::vector<std::string> differences(const std::string& configuration, const std::string& other) {
  std::vector<std::string> result;
  const json a = json::parse(configuration, nullptr, false).flatten();
  const json b = json::parse(other, nullptr, false).flatten();
  const auto show = [](const json& j, const std::string& key) {
    return !j.contains(key) ? std::string("(unset)") : j[key].is_string() ? j[key].get<std::string>() : j[key].dump();
  };
  json keys = a;
  keys.update(b);
  for (const auto& [key, unused] : keys.items()) {
    const std::string from = show(a, key), to = show(b, key);
    if (from != to) result.push_back(fmt::format("{}: '{}' -> '{}'", key.substr(key.rfind('/') + 1), from, to));
  }
  return result;
}

bool differ_in_new_options(const std::string& configuration, const std::string& other) {
  json a = json::parse(configuration, nullptr, false), b = json::parse(other, nullptr, false);
  if (!a.is_object() || !b.is_object() || !a.contains("cache") || !b.contains("cache")) return false;
  const json cache_of_a = a["cache"], cache_of_b = b["cache"];
  a.erase("cache");
  b.erase("cache");
  if (a != b) return false;
  const auto has_others = [](const json& one, const json& two) {
    for (const auto& [name, value] : one.items())
      if (!two.contains(name) ? name.starts_with("CMAKE_") || name.starts_with("MORPH_") : two[name] != value)
        return true;
    return false;
  };
  return !has_others(cache_of_a, cache_of_b) && !has_others(cache_of_b, cache_of_a);
}

}  // namespace morph::build
