// What an existing build tree says of its tests: ctest's own list, with the places of the calls.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "plugin/build/cmake_file_api.hpp"
#include "plugin/setup/proposal.hpp"
#include "plugin/system/files.hpp"
#include "plugin/system/process.hpp"

namespace morph::setup {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

bool same_folder(const fs::path& a, const fs::path& b) {
  std::error_code error;
  return fs::equivalent(a, b, error) && !error;
}

}  // namespace

result<void> check_build_tree(const fs::path& binary_dir, const fs::path& source_dir) {
  const std::string home = build::cache_entry(binary_dir, "CMAKE_HOME_DIRECTORY");
  if (home.empty())
    return tl::unexpected(fmt::format("'{}' is not a build tree: it has no CMakeCache.txt", binary_dir.string()));
  if (!same_folder(home, source_dir))
    return tl::unexpected(
        fmt::format("'{}' is the build tree of '{}', not of '{}'", binary_dir.string(), home, source_dir.string()));
  return {};
}

fs::path find_any_build_tree(const fs::path& source_dir) {
  fs::path newest;
  fs::file_time_type newest_time;
  std::error_code error;
  for (fs::directory_iterator entry(source_dir, fs::directory_options::skip_permission_denied, error), end;
       !error && entry != end; entry.increment(error)) {
    std::error_code none;
    const auto time = fs::last_write_time(entry->path() / "CMakeCache.txt", none);
    if (none || (!newest.empty() && time <= newest_time) || !check_build_tree(entry->path(), source_dir)) continue;
    newest = entry->path();
    newest_time = time;
  }
  return newest;
}

result<std::vector<registered_test>> read_registered_tests(const fs::path& binary_dir, const fs::path& source_dir) {
  const std::string ctest = build::cache_entry(binary_dir, "CMAKE_CTEST_COMMAND");
  system::command list;
  list.arguments = {ctest.empty() ? "ctest" : ctest, "--show-only=json-v1"};
  list.directory = binary_dir.string();
  list.timeout = std::chrono::seconds(60);
  const system::process_end end = system::run(list);
  if (!end.succeeded())
    return tl::unexpected(
        fmt::format("`ctest --show-only` in '{}': {}", binary_dir.string(), system::describe(end, list.timeout)));
  std::vector<registered_test> tests;
  try {
    // Warnings of include scripts may stand before the object.
    const auto start = end.out.find("{\n");
    const json all = json::parse(start == std::string::npos ? end.out : end.out.substr(start));
    const json& graph = all.at("backtraceGraph");
    for (const json& t : all.at("tests")) {
      registered_test test;
      test.name = t.at("name");
      for (json at = t.value("backtrace", json()); at.is_number();) {
        const json& node = graph.at("nodes").at(at.get<std::size_t>());
        at = node.value("parent", json());
        if (!node.contains("command")) continue;
        const fs::path file = graph.at("files").at(node.at("file").get<std::size_t>()).get<std::string>();
        const std::string relative = file.lexically_relative(source_dir).string();
        test.calls.push_back({relative.empty() || relative.starts_with("..") ? file.string() : relative,
                              node.value("line", 0U),
                              graph.at("commands").at(node.at("command").get<std::size_t>()).get<std::string>()});
      }
      tests.push_back(std::move(test));
    }
  } catch (const json::exception& error) {
    return tl::unexpected(
        fmt::format("what ctest lists in '{}' cannot be read: {}", binary_dir.string(), error.what()));
  }
  return tests;
}

}  // namespace morph::setup
