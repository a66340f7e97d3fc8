// Folders of scripts, names, and the search for one.
#include "plugin/scripting/files.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "plugin/git/repository.hpp"
#include "plugin/system/files.hpp"

namespace morph::scripting {
namespace {

namespace fs = std::filesystem;

bool is_path(const std::string& name) {
  return name.find('/') != std::string::npos || name.ends_with(script_extension);
}

std::vector<fs::path> candidates(const std::string& name, const fs::path& folder, const script_folders& folders) {
  if (is_path(name)) {
    std::vector<fs::path> all{(folder / name).lexically_normal()};
    if (!name.ends_with(script_extension)) all.emplace_back(all.front().string() + script_extension);
    return all;
  }
  std::vector<fs::path> all;
  for (const fs::path& each : {folder, folders.recorded, folders.project}) {
    if (each.empty()) continue;
    fs::path file = (each / (name + script_extension)).lexically_normal();
    if (std::find(all.begin(), all.end(), file) == all.end()) all.push_back(std::move(file));
  }
  return all;
}

}  // namespace

script_folders script_folders_of(const build::build_tree& tree) {
  const auto repo = git::repository::open(tree.source_dir);
  return {(repo ? repo->root() : tree.source_dir) / ".morph" / "scripts", tree.source_dir / "morph_scripts"};
}

surroundings surroundings_of(const fs::path& here, std::optional<build::build_tree> named, const std::string& config) {
  surroundings found{here, std::move(named), {}};
  if (!found.tree)
    if (const auto folder = build::find_build_tree(here))
      if (auto tree = build::read_build_tree(*folder, config)) found.tree = std::move(*tree);
  if (found.tree) found.folders = script_folders_of(*found.tree);
  return found;
}

result<fs::path> find_script(const std::string& name, const fs::path& folder, const script_folders& folders) {
  std::error_code ignored;
  std::vector<fs::path> found;
  std::set<std::string> looked_for;
  for (const fs::path& each : candidates(name, folder, folders)) {
    looked_for.insert(each.string());
    if (!fs::exists(each, ignored)) continue;
    if (fs::is_directory(each, ignored)) {
      if (each.extension() != script_extension && is_path(name)) continue;  // beside it there may be a script
      return tl::unexpected(fmt::format("'{}' is a folder; expected is a script, a text file", each.string()));
    }
    const fs::path file = fs::canonical(each, ignored);
    if (std::find(found.begin(), found.end(), file) == found.end()) found.push_back(file);
  }
  if (found.size() > 1)
    return tl::unexpected(fmt::format("there are several scripts '{}': '{}' and '{}'; name one by its path", name,
                                      found[0].string(), found[1].string()));
  if (!found.empty()) return found.front();
  if (is_path(name) && fs::is_directory(folder / name, ignored))
    return tl::unexpected(fmt::format("'{}' is a folder; expected is a script, a text file", (folder / name).string()));
  return tl::unexpected(
      fmt::format("there is no script '{}' (looked for {}); `morph script list` tells which there are", name,
                  fmt::join(looked_for, ", ")));
}

result<fs::path> new_script(const std::string& name, const fs::path& folder, const script_folders& folders) {
  const fs::path file = is_path(name)              ? (folder / name).lexically_normal()
                        : folders.recorded.empty() ? folder / (name + script_extension)
                                                   : folders.recorded / (name + script_extension);
  if (name.empty() || name.front() == '-' || name.front() == '.' || name.find_first_of("\n\r") != std::string::npos)
    if (!is_path(name))
      return tl::unexpected(fmt::format("'{}' is no name for a script; take letters, digits, - and _", name));
  if (file.extension() != script_extension)
    return tl::unexpected(
        fmt::format("the path of a script ends in {}: '{}{}'", script_extension, name, script_extension));
  std::error_code ignored;
  if (fs::is_directory(file, ignored)) return tl::unexpected(fmt::format("'{}' is a folder", file.string()));
  return file;
}

result<std::string> read_script_file(const fs::path& file) {
  std::error_code ignored;
  if (fs::is_directory(file, ignored))
    return tl::unexpected(fmt::format("'{}' is a folder; expected is a script, a text file", file.string()));
  return system::read_file(file);
}

std::vector<fs::path> all_scripts(const fs::path& folder, const script_folders& folders) {
  std::set<fs::path> all;
  for (const fs::path& each : {folder, folders.recorded, folders.project}) {
    if (each.empty()) continue;
    std::error_code error;
    for (fs::directory_iterator entry(each, error); !error && entry != fs::directory_iterator(); entry.increment(error))
      if (entry->path().extension() == script_extension && entry->is_regular_file(error))
        all.insert(fs::canonical(entry->path(), error));
  }
  return {all.begin(), all.end()};
}

}  // namespace morph::scripting
