// The libraries of a file, as the dynamic linker finds them.
#include "plugin/command/library_names.hpp"

#include <cstdlib>
#include <set>
#include <sstream>
#include <vector>

#include "coverage/object/dynamic.hpp"
#include "plugin/project/files.hpp"

namespace morph::command {
namespace {

namespace fs = std::filesystem;

void add_configured(const fs::path& file, std::vector<fs::path>& folders) {
  const auto text = project::read_file(file);
  if (!text) return;
  std::istringstream lines(*text);
  for (std::string line; std::getline(lines, line);)
    if (line.starts_with('/')) folders.emplace_back(line.substr(0, line.find_last_not_of(" \t") + 1));
}

std::vector<fs::path> common_folders() {
  std::vector<fs::path> folders;
  if (const char* const listed = std::getenv("LD_LIBRARY_PATH")) {
    std::istringstream list(listed);
    for (std::string folder; std::getline(list, folder, ':');)
      if (!folder.empty()) folders.emplace_back(folder);
  }
  add_configured("/etc/ld.so.conf", folders);
  std::error_code missing;
  for (const auto& entry : fs::directory_iterator("/etc/ld.so.conf.d", missing)) add_configured(entry.path(), folders);
  for (const char* const usual : {"/lib", "/usr/lib", "/lib64", "/usr/lib64"}) folders.emplace_back(usual);
  return folders;
}

std::vector<fs::path> own_folders(const object::dynamic_part& of, const fs::path& file) {
  std::vector<fs::path> folders;
  for (std::string path : of.paths) {
    for (const std::string origin : {"${ORIGIN}", "$ORIGIN"})
      if (const auto at = path.find(origin); at != std::string::npos)
        path.replace(at, origin.size(), file.parent_path().string());
    folders.emplace_back(path);
  }
  return folders;
}

}  // namespace

std::optional<std::unordered_set<std::string>> library_names(const fs::path& file,
                                                             const std::function<bool(const fs::path&)>& is_own) {
  const std::vector<fs::path> common = common_folders();
  std::unordered_set<std::string> names;
  std::set<std::string> seen;
  std::vector<fs::path> open{file};
  for (bool first = true; !open.empty(); first = false) {
    const fs::path one = open.back();
    open.pop_back();
    const auto bytes = project::read_file(one);
    if (!bytes) return {};
    const auto part = object::read_dynamic(*bytes, one.string());
    if (!part) return {};
    if (!first && !is_own(one)) {
      names.insert(part->defined.begin(), part->defined.end());
      names.insert(part->wanted.begin(), part->wanted.end());
    }
    std::vector<fs::path> folders = own_folders(*part, one);
    folders.insert(folders.end(), common.begin(), common.end());
    for (const std::string& library : part->needed) {
      if (!seen.insert(library).second) continue;
      fs::path found = library.find('/') != std::string::npos ? fs::path(library) : fs::path();
      std::error_code missing;
      for (const fs::path& folder : folders)
        if (found.empty() && fs::exists(folder / library, missing)) found = folder / library;
      if (found.empty()) return {};
      open.push_back(found);
    }
  }
  return names;
}

}  // namespace morph::command
