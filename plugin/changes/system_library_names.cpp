// The libraries of a file, as the dynamic linker finds them.
#include "plugin/changes/system_library_names.hpp"

#include <cstdlib>
#include <set>
#include <sstream>
#include <vector>

#include "coverage/object/read/dynamic.hpp"
#include "plugin/contract/variables.hpp"
#include "plugin/system/files.hpp"

namespace morph::changes {
namespace {

namespace fs = std::filesystem;

void add_configured(const fs::path& file, std::vector<fs::path>& folders) {
  const auto text = system::read_file(file);
  if (!text) return;
  std::istringstream lines(*text);
  for (std::string line; std::getline(lines, line);)
    if (line.starts_with('/')) folders.emplace_back(line.substr(0, line.find_last_not_of(" \t") + 1));
}

std::vector<fs::path> common_folders() {
  std::vector<fs::path> folders;
  if (const char* const listed = std::getenv(contract::library_variable)) {
    std::istringstream list(listed);
    for (std::string folder; std::getline(list, folder, ':');)
      if (!folder.empty()) folders.emplace_back(folder);
  }
  add_configured("/etc/ld.so.conf", folders);
  std::error_code missing;
  std::set<fs::path> files;
  for (const auto& entry : fs::directory_iterator("/etc/ld.so.conf.d", missing)) files.insert(entry.path());
  for (const fs::path& file : files) add_configured(file, folders);
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

struct loaded_file {
  fs::path path;
  object::dynamic_part part;
};

std::optional<loaded_file> load(const fs::path& file) {
  const auto bytes = system::read_file(file);
  auto part = bytes ? object::read_dynamic(*bytes, file.string()) : tl::unexpected(bytes.error());
  if (!part) return {};
  return loaded_file{file, std::move(*part)};
}

// Folders of other machines' libraries are looked into as well: those are passed over.
std::optional<loaded_file> load(const std::string& library, const std::vector<fs::path>& folders) {
  if (library.find('/') != std::string::npos) return load(fs::path(library));
  std::error_code missing;
  for (const fs::path& folder : folders)
    if (fs::exists(folder / library, missing))
      if (auto found = load(folder / library)) return found;
  return {};
}

}  // namespace

std::optional<std::unordered_set<std::string>> library_names(const fs::path& file,
                                                             const std::function<bool(const fs::path&)>& is_own) {
  const std::vector<fs::path> common = common_folders();
  auto first = load(file);
  if (!first) return {};
  std::unordered_set<std::string> names;
  std::set<std::string> seen;
  std::vector<loaded_file> open{std::move(*first)};
  while (!open.empty()) {
    const loaded_file one = std::move(open.back());
    open.pop_back();
    if (one.path != file && !is_own(one.path)) {
      names.insert(one.part.defined.begin(), one.part.defined.end());
      names.insert(one.part.wanted.begin(), one.part.wanted.end());
    }
    std::vector<fs::path> folders = own_folders(one.part, one.path);
    folders.insert(folders.end(), common.begin(), common.end());
    for (const std::string& library : one.part.needed) {
      if (!seen.insert(library).second) continue;
      auto found = load(library, folders);
      if (!found) return {};
      open.push_back(std::move(*found));
    }
  }
  return names;
}

}  // namespace morph::changes
