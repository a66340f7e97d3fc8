// Reading and finding build.json.
#include "plugin/project/build_tree.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "plugin/project/files.hpp"
#include "plugin/project/formats.hpp"

namespace morph::project {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr int measuring_rules =
    1;  // raise it when rows would come out otherwise: older measurements then count no more

std::vector<std::string> strings(const json& object, const char* key) {
  return object.at(key).get<std::vector<std::string>>();
}

suite read_suite(const json& j) {
  suite s;
  s.name = j.at("name");
  s.framework = j.at("framework");
  s.policy = j.at("policy");
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
  s.always = strings(j, "always");
  return s;
}

build_tree read_tree(const json& j) {
  build_tree t;
  t.binary_dir = j.at("binary_dir").get<std::string>();
  t.source_dir = j.at("source_dir").get<std::string>();
  t.morph_version = j.value("morph_version", "");
  t.instrument = j.at("instrument");
  t.generator = j.at("generator");
  t.generator_platform = j.at("generator_platform");
  t.generator_toolset = j.at("generator_toolset");
  t.make_program = j.at("make_program");
  t.cmake = j.at("cmake");
  t.twin_cache = j.at("twin_cache").get<std::string>();
  t.store = j.at("store");
  t.ignore = strings(j, "ignore");
  t.targets = strings(j, "targets");
  json configuration = j.at("configuration");
  t.compiler_path = configuration.value("compiler_path", "");
  configuration.erase("compiler_path");
  configuration["measuring"] = measuring_rules;
  t.configuration = configuration.dump();
  for (const json& s : j.at("suites")) t.suites.push_back(read_suite(s));
  return t;
}

fs::path description(const fs::path& binary_dir) {
  return binary_dir / ".morph" / "build.json";
}

}  // namespace

const suite* build_tree::find_suite(const std::string& name) const {
  for (const suite& s : suites)
    if (s.name == name) return &s;
  return nullptr;
}

result<build_tree> read_build_tree(const fs::path& binary_dir) {
  const fs::path path = description(binary_dir);
  const auto text = read_file(path);
  if (!text)
    return tl::unexpected(fmt::format(
        "'{}' is not a build tree with Morph: {}; configure it with CMake after adding morph_add_suite(), or name "
        "another with --build",
        binary_dir.string(), text.error()));
  try {
    const json j = json::parse(*text);
    if (const std::string found = j.at("schema"); found != build_schema)
      return tl::unexpected(fmt::format("'{}' has schema '{}', this morph reads '{}'; configure the build tree again",
                                        path.string(), found, build_schema));
    return read_tree(j);
  } catch (const json::exception& error) {
    return tl::unexpected(
        fmt::format("'{}' cannot be read: {}; configure the build tree again", path.string(), error.what()));
  }
}

result<fs::path> find_build_tree(const fs::path& from) {
  std::error_code error;
  for (fs::path folder = fs::absolute(from, error);; folder = folder.parent_path()) {
    const bool is_twin = folder.parent_path().filename() == "morph-twin";
    if (!is_twin && fs::exists(description(folder), error)) return folder;
    fs::path newest;
    fs::file_time_type newest_time;
    fs::directory_iterator entry(folder, fs::directory_options::skip_permission_denied, error);
    for (; !error && entry != fs::directory_iterator(); entry.increment(error)) {
      std::error_code none;
      const auto time = fs::last_write_time(description(entry->path()), none);
      if (!none && (newest.empty() || time > newest_time)) {
        newest = entry->path();
        newest_time = time;
      }
    }
    if (!newest.empty()) return newest;
    if (folder == folder.parent_path()) break;
  }
  return tl::unexpected(fmt::format(
      "no build tree with Morph in '{}' or above it; configure one (cmake -B build) or name it with --build DIR",
      from.string()));
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

}  // namespace morph::project
