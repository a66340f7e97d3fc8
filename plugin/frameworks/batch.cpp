// Batch files.
#include "plugin/frameworks/batch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <nlohmann/json.hpp>

#include "plugin/contract/formats.hpp"
#include "plugin/git/repository.hpp"
#include "plugin/system/files.hpp"

namespace morph::frameworks {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr auto kept_for = std::chrono::hours(7 * 24);

fs::path batches_dir(const fs::path& own_dir) {
  return own_dir / "batches";
}

json to_json(const batch& b) {
  json programs = json::array();
  for (const batched_program& p : b.programs) {
    json cases = json::array();
    for (const batched_case& c : p.cases) {
      cases.push_back({c.case_name, c.name});
      if (!c.record.empty()) cases.back().push_back(c.record);
    }
    programs.push_back({{"executable", p.executable.string()}, {"cases", std::move(cases)}});
  }
  return {{"schema", contract::batch_schema},
          {"entry", b.entry},
          {"suite", b.suite},
          {"framework", b.framework},
          {"binary_dir", b.binary_dir.string()},
          {"own_dir", b.own_dir.string()},
          {"working_directory", b.working_directory.string()},
          {"environment", b.environment},
          {"extra_args", b.extra_args},
          {"timeout", b.timeout},
          {"recording", b.recording},
          {"programs", std::move(programs)}};
}

batch from_json(const json& j) {
  batch b;
  b.entry = j.at("entry");
  b.suite = j.at("suite");
  b.framework = j.at("framework");
  b.binary_dir = j.at("binary_dir").get<std::string>();
  b.own_dir = j.at("own_dir").get<std::string>();
  b.working_directory = j.at("working_directory").get<std::string>();
  b.environment = j.at("environment").get<std::vector<std::string>>();
  b.extra_args = j.at("extra_args").get<std::vector<std::string>>();
  b.timeout = j.at("timeout");
  b.recording = j.value("recording", std::vector<std::string>());
  for (const json& p : j.at("programs")) {
    batched_program program{p.at("executable").get<std::string>(), {}};
    for (const json& c : p.at("cases"))
      program.cases.push_back({c.at(0), c.at(1), c.size() > 2 ? c.at(2).get<std::string>() : std::string()});
    b.programs.push_back(std::move(program));
  }
  return b;
}

}  // namespace

std::size_t batch::size() const {
  std::size_t number = 0;
  for (const batched_program& p : programs) number += p.cases.size();
  return number;
}

batch make_batch(const build::build_tree& tree, const build::suite& of, std::string entry) {
  batch b;
  b.entry = std::move(entry);
  b.suite = of.name;
  b.framework = of.framework;
  b.binary_dir = tree.binary_dir;
  b.own_dir = tree.own_dir();
  b.working_directory = of.working_directory;
  b.environment = of.environment;
  b.extra_args = of.extra_args;
  b.timeout = of.timeout.value_or(default_timeout);
  return b;
}

result<fs::path> keep_batch(const batch& b) {
  std::string text;
  try {
    text = to_json(b).dump();
  } catch (const json::exception& error) {
    return tl::unexpected(fmt::format("a name in it is not UTF-8 ({})", error.what()));
  }
  const fs::path path = batches_dir(b.own_dir) / (git::blob_hash(text) + ".json");
  std::error_code missing;
  fs::last_write_time(path, fs::file_time_type::clock::now(), missing);
  if (!missing || fs::exists(path, missing)) return path;  // times in a tree that cannot be written stay
  if (auto written = system::write_file_atomically(path, text); !written) return tl::unexpected(written.error());
  return path;
}

result<batch> read_batch(const fs::path& path) {
  const auto text = system::read_file(path);
  if (!text)
    return tl::unexpected(fmt::format(
        "there is no batch of tests: {}; list the tests again (ctest -N) to have it written", text.error()));
  try {
    const json j = json::parse(*text);
    if (const std::string found = j.at("schema"); found != contract::batch_schema)
      return tl::unexpected(fmt::format("'{}' has schema '{}', this morph reads '{}'; list the tests again (ctest -N)",
                                        path.string(), found, contract::batch_schema));
    return from_json(j);
  } catch (const json::exception& error) {
    return tl::unexpected(fmt::format("'{}' is not a batch of tests: {}", path.string(), error.what()));
  }
}

bool is_entry(const build::build_tree& tree, const std::string& name) {
  static constexpr std::array<std::string_view, 7> kinds{"plan",  "selected", "deferred", "tier1",
                                                         "tier2", "tier3",    "tier4"};
  const auto dot = name.rfind('.');
  return dot != std::string::npos && std::find(kinds.begin(), kinds.end(), name.substr(dot + 1)) != kinds.end() &&
         tree.find_suite(name.substr(0, dot)) != nullptr;
}

void remove_old_batches(const build::build_tree& tree) {
  std::error_code error;
  const auto now = fs::file_time_type::clock::now();
  fs::directory_iterator entry(batches_dir(tree.own_dir()), error);
  for (; !error && entry != fs::directory_iterator(); entry.increment(error)) {
    std::error_code none;
    const auto used = fs::last_write_time(entry->path(), none);
    if (!none && now - used > kept_for) fs::remove_all(entry->path(), none);
  }
}

}  // namespace morph::frameworks
