// Asks CMake by a query file, and reads the reply.
#include "plugin/build/cmake_file_api.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <optional>

#include "plugin/system/files.hpp"
#include "plugin/system/process.hpp"
#include "plugin/system/shell_words.hpp"

namespace morph::build {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr const char* client = "client-morph";

class target_reader {
 public:
  target_reader(const json& target, fs::path source) : target_(target), source_(std::move(source)) {}

  cmake_target read() const {
    cmake_target made;
    made.name = target_.at("name");
    made.type = target_.at("type");
    made.declared_at = place_of(target_);
    for (const json& group : target_.value("compileGroups", json::array())) made.groups.push_back(read_group(group));
    for (const json& file : target_.value("sources", json::array())) {
      const std::string path = absolute(file.at("path"));
      made.files.push_back(path);
      if (file.contains("compileGroupIndex"))
        made.groups.at(file["compileGroupIndex"].get<std::size_t>()).sources.push_back(path);
    }
    return made;
  }

 private:
  std::string absolute(const std::string& path) const { return (source_ / path).lexically_normal().string(); }

  cmake_place place_of(const json& of) const {
    if (!of.contains("backtrace")) return {};
    const json& graph = target_.at("backtraceGraph");
    const json& node = graph.at("nodes").at(of["backtrace"].get<std::size_t>());
    cmake_place made;
    made.file = absolute(graph.at("files").at(node.at("file").get<std::size_t>()));
    made.line = node.value("line", 0U);
    if (node.contains("command")) made.command = graph.at("commands").at(node["command"].get<std::size_t>());
    return made;
  }

  compile_group read_group(const json& group) const {
    compile_group made;
    made.language = group.at("language");
    for (const json& each : group.value("compileCommandFragments", json::array()))
      for (std::string& word : system::shell_words(each.at("fragment").get<std::string>()))
        made.options.push_back(std::move(word));
    for (const json& each : group.value("defines", json::array())) made.defines.push_back(each.at("define"));
    for (const json& each : group.value("includes", json::array()))
      made.includes.push_back({absolute(each.at("path")), each.value("isSystem", false), place_of(each)});
    return made;
  }

  const json& target_;
  fs::path source_;
};

json read_json(const fs::path& file) {
  const auto text = system::read_file(file);
  return text ? json::parse(*text, nullptr, false) : json();
}

/// The newest reply, if it answers us and nothing that it was made of is newer.
std::optional<json> find_index(const fs::path& reply) {
  std::string newest;
  std::error_code error;
  for (fs::directory_iterator entry(reply, error), end; !error && entry != end; entry.increment(error)) {
    const std::string name = entry->path().filename().string();
    if (name.starts_with("index-") && name > newest) newest = name;
  }
  if (newest.empty()) return std::nullopt;
  json index = read_json(reply / newest);
  if (!index.is_object() || !index.contains("reply") || !index["reply"].contains(client)) return std::nullopt;
  const auto made = fs::last_write_time(reply / newest, error);
  const json& ours = index["reply"][client];
  const json inputs = read_json(reply / ours.at("cmakeFiles-v1").value("jsonFile", ""));
  if (!inputs.is_object()) return std::nullopt;
  const fs::path source = inputs.at("paths").at("source").get<std::string>();
  for (const json& input : inputs.at("inputs")) {
    if (input.value("isGenerated", false)) continue;
    const auto changed = fs::last_write_time(source / input.at("path").get<std::string>(), error);
    if (error || changed > made) return std::nullopt;
  }
  return std::optional<json>(std::in_place, ours);  // json is made of optionals too
}

result<json> ask(const fs::path& binary_dir) {
  const fs::path api = binary_dir / ".cmake" / "api" / "v1";
  if (auto known = find_index(api / "reply")) return *known;
  for (const char* kind : {"codemodel-v2", "toolchains-v1", "cmakeFiles-v1"})
    if (auto written = system::write_file_atomically(api / "query" / client / kind, ""); !written)
      return tl::unexpected(written.error());
  const std::string cmake = cache_entry(binary_dir, "CMAKE_COMMAND");
  system::command configure;
  configure.arguments = {cmake.empty() ? "cmake" : cmake, binary_dir.string()};
  const system::process_end end = system::run(configure);
  if (!end.succeeded())
    return tl::unexpected(
        fmt::format("`cmake {}` ({}):\n{}", binary_dir.string(), system::describe(end, configure.timeout), end.err));
  if (auto made = find_index(api / "reply")) return *made;
  return tl::unexpected(
      fmt::format("CMake does not describe the targets of '{}'; 3.25 and newer do", binary_dir.string()));
}

}  // namespace

const cmake_target* cmake_model::find(const std::string& name) const {
  for (const cmake_target& each : targets)
    if (each.name == name) return &each;
  return nullptr;
}

std::string cache_entry(const fs::path& binary_dir, const std::string& name) {
  const auto text = system::read_file(binary_dir / "CMakeCache.txt");
  if (!text) return {};
  const std::string all = "\n" + *text;
  const auto at = all.find("\n" + name + ":");
  if (at == std::string::npos) return {};
  const auto equals = all.find('=', at);
  return equals == std::string::npos ? std::string() : all.substr(equals + 1, all.find('\n', equals) - equals - 1);
}

result<cmake_model> read_cmake_model(const fs::path& binary_dir, const std::string& config) {
  try {
    const auto ours = ask(binary_dir);
    if (!ours) return tl::unexpected(ours.error());
    const fs::path reply = binary_dir / ".cmake" / "api" / "v1" / "reply";
    const json codemodel = read_json(reply / ours->at("codemodel-v2").at("jsonFile").get<std::string>());
    cmake_model model;
    model.binary_dir = binary_dir;
    model.source_dir = codemodel.at("paths").at("source").get<std::string>();
    const json* chosen = &codemodel.at("configurations").at(0);
    for (const json& each : codemodel["configurations"])
      if (each.at("name") == config) chosen = &each;
    for (const json& each : chosen->at("targets")) {
      const json target = read_json(reply / each.at("jsonFile").get<std::string>());
      model.targets.push_back(target_reader(target, model.source_dir).read());
    }
    const json toolchains = read_json(reply / ours->at("toolchains-v1").value("jsonFile", ""));
    if (toolchains.is_object())
      for (const json& each : toolchains.value("toolchains", json::array()))
        if (each.at("language") == "CXX") model.compiler = each.at("compiler").value("path", "");
    return model;
  } catch (const json::exception& error) {
    return tl::unexpected(
        fmt::format("what CMake says of the targets of '{}' is not understood: {}", binary_dir.string(), error.what()));
  }
}

}  // namespace morph::build
