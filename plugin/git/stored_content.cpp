// libgit2 where it does as git does; else git.
#include "plugin/git/stored_content.hpp"

#include <fmt/format.h>
#include <git2.h>

#include <algorithm>
#include <array>
#include <memory>
#include <set>
#include <string_view>

#include "plugin/git/git_program.hpp"
#include "plugin/system/files.hpp"
#include "plugin/system/result.hpp"

namespace morph::git {
namespace {

namespace fs = std::filesystem;
std::string text_of(const git_oid& id) {
  std::array<char, GIT_OID_HEXSZ + 1> text{};
  git_oid_tostr(text.data(), text.size(), &id);
  return text.data();
}

git_place place_of(git_repository* repository) {
  return {git_repository_workdir(repository), git_repository_path(repository)};
}

using config_ptr = std::unique_ptr<git_config, void (*)(git_config*)>;
config_ptr config_of(git_repository* repository) {
  git_config* raw = nullptr;
  git_repository_config_snapshot(&raw, repository);
  return {raw, git_config_free};
}

std::vector<std::string> missing_of(git_repository* repository, const std::set<std::string>& ids) {
  std::vector<std::string> missing;
  git_odb* raw = nullptr;
  if (git_repository_odb(&raw, repository) != 0) return {ids.begin(), ids.end()};
  const std::unique_ptr<git_odb, void (*)(git_odb*)> database(raw, git_odb_free);
  for (const std::string& id : ids) {
    git_oid oid;
    if (git_oid_fromstr(&oid, id.c_str()) != 0 || git_odb_exists(raw, &oid) != 1) missing.push_back(id);
  }
  return missing;
}

result<void> fetch_missing(git_repository* repository, const std::set<std::string>& ids) {
  std::vector<std::string> missing = missing_of(repository, ids);
  if (missing.empty()) return {};
  const std::string top = fs::path(git_repository_workdir(repository)).parent_path().string();
  const std::string object = fmt::format("git object {}{}", missing.front().substr(0, 10),
                                         missing.size() > 1 ? fmt::format(" and {} more", missing.size() - 1) : "");
  const auto remotes = promisors(repository);
  if (remotes.empty())
    return tl::unexpected(
        fmt::format("{} cannot be read: the repository '{}' is damaged; `git -C {} fsck` lists what it lacks, `git "
                    "fetch --refetch` brings it from a remote",
                    object, top, top));
  std::string why;
  for (const std::string& remote : remotes) {
    const auto fetched = fetch_by_git(place_of(repository), remote, missing);
    if (!fetched) why = fetched.error();
    missing = missing_of(repository, {missing.begin(), missing.end()});
    if (missing.empty()) return {};
  }
  return tl::unexpected(
      fmt::format("{} cannot be read: this clone is partial, and git could not fetch from '{}'{}; with that remote in "
                  "reach run it again, or make the clone whole: `git -C {} fetch --refetch --no-filter {}`",
                  object, remotes.front(), why.empty() ? "" : fmt::format(" ({})", why), top, remotes.front()));
}

/// Of `tree` and the trees below it, those that are missing.
void add_missing_trees(git_repository* repository, const git_oid& id, std::set<std::string>& missing) {
  git_tree* raw = nullptr;
  if (git_tree_lookup(&raw, repository, &id) != 0) {
    missing.insert(text_of(id));
    return;
  }
  const std::unique_ptr<git_tree, void (*)(git_tree*)> tree(raw, git_tree_free);
  for (std::size_t i = 0; i < git_tree_entrycount(raw); ++i)
    if (const git_tree_entry* entry = git_tree_entry_byindex(raw, i); git_tree_entry_type(entry) == GIT_OBJECT_TREE)
      add_missing_trees(repository, *git_tree_entry_id(entry), missing);
}

/// Whether git would run a command for attribute filter=NAME.
bool has_driver(git_repository* repository, const std::string& name) {
  const config_ptr config = config_of(repository);
  const char* command = nullptr;
  int is_required = 0;
  for (const char* key : {"clean", "process"})
    if (git_config_get_string(&command, config.get(), fmt::format("filter.{}.{}", name, key).c_str()) == 0 &&
        *command != '\0')
      return true;
  return git_config_get_bool(&is_required, config.get(), fmt::format("filter.{}.required", name).c_str()) == 0 &&
         is_required != 0;
}

struct conversions {
  bool driver = false;
  bool encoding = false;
};

conversions git_alone_does(git_repository* repository, const std::string& path) {
  std::array<const char*, 2> names{"filter", "working-tree-encoding"};
  std::array<const char*, 2> values{};
  conversions found;
  if (git_attr_get_many(values.data(), repository, GIT_ATTR_CHECK_FILE_THEN_INDEX, path.c_str(), names.size(),
                        names.data()) != 0)
    return found;
  found.driver = git_attr_value(values[0]) == GIT_ATTR_VALUE_STRING && has_driver(repository, values[0]);
  if (git_attr_value(values[1]) == GIT_ATTR_VALUE_STRING) {
    std::string encoding = values[1];
    std::transform(encoding.begin(), encoding.end(), encoding.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
    found.encoding = encoding != "utf-8" && encoding != "utf8";
  } else {
    found.encoding = git_attr_value(values[1]) != GIT_ATTR_VALUE_UNSPECIFIED;  // which git refuses
  }
  return found;
}

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const auto end = text.find('\n');
    std::string_view line = text.substr(0, end);
    if (line.ends_with('\r')) line.remove_suffix(1);
    lines.push_back(line);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  return lines;
}

/// What a filter keeps elsewhere, as that of Git LFS does, has none of the file's lines; others change some of them.
bool has_lines_of(std::string_view file, std::string_view stored) {
  if (file == stored) return true;
  const auto ours = lines_of(file), theirs = lines_of(stored);
  if (ours.size() != theirs.size()) return false;
  for (std::size_t i = 0; i < ours.size(); ++i)
    if (ours[i] == theirs[i]) return true;
  return false;
}

/// Line ends and $Id$. Nothing if libgit2 cannot.
result<std::string> convert(git_repository* repository, const std::string& path, std::string content) {
  git_filter_list* raw = nullptr;
  const auto failed = [&] {
    const git_error* error = git_error_last();
    return tl::unexpected(
        fmt::format("git: '{}' as a blob: {}", path, error == nullptr ? "unknown error" : error->message));
  };
  if (git_filter_list_load(&raw, repository, nullptr, path.c_str(), GIT_FILTER_TO_ODB, GIT_FILTER_ALLOW_UNSAFE) != 0)
    return failed();
  if (raw == nullptr) return content;
  const std::unique_ptr<git_filter_list, void (*)(git_filter_list*)> filters(raw, git_filter_list_free);
  git_buf out = GIT_BUF_INIT;
  if (git_filter_list_apply_to_buffer(&out, raw, content.data(), content.size()) != 0) return failed();
  content.assign(out.ptr, out.size);
  git_buf_dispose(&out);
  return content;
}

}  // namespace

std::string text_of(const git_oid& id) {
  std::array<char, GIT_OID_HEXSZ + 1> text{};
  git_oid_tostr(text.data(), text.size(), &id);
  return text.data();
}

std::vector<std::string> promisors(git_repository* repository) {
  std::vector<std::string> remotes;
  const config_ptr config = config_of(repository);
  const char* named = nullptr;
  if (git_config_get_string(&named, config.get(), "extensions.partialclone") == 0) remotes.emplace_back(named);
  git_config_foreach_match(
      config.get(), R"(^remote\..*\.promisor$)",
      [](const git_config_entry* entry, void* to) {
        int is_set = 0;
        if (entry->value != nullptr && (git_config_parse_bool(&is_set, entry->value) != 0 || is_set == 0)) return 0;
        constexpr std::string_view before = "remote.", behind = ".promisor";
        std::string name = entry->name;
        name = name.substr(before.size(), name.size() - before.size() - behind.size());
        auto& names = *static_cast<std::vector<std::string>*>(to);
        if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
        return 0;
      },
      &remotes);
  return remotes;
}

result<std::map<std::string, std::string>> read_blobs(git_repository* repository, const std::vector<std::string>& ids) {
  const std::set<std::string> wanted(ids.begin(), ids.end());
  if (const auto fetched = fetch_missing(repository, wanted); !fetched) return tl::unexpected(fetched.error());
  std::map<std::string, std::string> contents;
  for (const std::string& id : wanted) {
    git_oid oid;
    git_blob* blob = nullptr;
    if (git_oid_fromstr(&oid, id.c_str()) != 0 || git_blob_lookup(&blob, repository, &oid) != 0) {
      const git_error* error = git_error_last();
      return tl::unexpected(fmt::format("git object {} cannot be read: {}; `git -C {} fsck` says more",
                                        id.substr(0, 10), error == nullptr ? "unknown error" : error->message,
                                        git_repository_workdir(repository)));
    }
    contents[id].assign(static_cast<const char*>(git_blob_rawcontent(blob)),
                        static_cast<std::size_t>(git_blob_rawsize(blob)));
    git_blob_free(blob);
  }
  return contents;
}

result<void> fetch_trees(git_repository* repository, const std::string& tree) {
  git_oid id;
  if (git_oid_fromstr(&id, tree.c_str()) != 0) return tl::unexpected(fmt::format("git: tree '{}'", tree));
  std::set<std::string> before;
  while (true) {
    std::set<std::string> missing;
    add_missing_trees(repository, id, missing);
    if (missing.empty()) return {};
    if (missing == before) return tl::unexpected(fmt::format("git: tree {} cannot be read", *missing.begin()));
    if (auto fetched = fetch_missing(repository, missing); !fetched) return fetched;
    before = std::move(missing);
  }
}

bool only_git_converts(git_repository* repository, const std::string& path) {
  const conversions found = git_alone_does(repository, path);
  return found.driver || found.encoding;
}

result<std::map<std::string, stored_file>> read_as_stored(git_repository* repository,
                                                          const std::vector<std::string>& paths) {
  const fs::path root = git_repository_workdir(repository);
  std::map<std::string, stored_file> files;
  std::vector<std::string> by_git;
  std::set<std::string> by_driver;
  for (const std::string& path : paths) {
    std::error_code error;
    if (fs::is_symlink(root / path, error)) {
      files[path].content = fs::read_symlink(root / path, error).string();
      continue;
    }
    auto content = system::read_file(root / path);
    if (!content) continue;
    if (fs::path(path).is_relative()) {
      const conversions others = git_alone_does(repository, path);
      if (others.driver) by_driver.insert(path);
      if (others.driver || others.encoding) {
        by_git.push_back(path);
      } else {
        content = convert(repository, path, std::move(*content));
        if (!content) return tl::unexpected(content.error());
      }
    }
    files[path].content = std::move(*content);
  }
  if (by_git.empty()) return files;

  git_buf objects = GIT_BUF_INIT;
  if (git_repository_item_path(&objects, repository, GIT_REPOSITORY_ITEM_OBJECTS) != 0)
    return tl::unexpected(std::string("git: the folder of objects is missing"));
  const std::string folder(objects.ptr, objects.size);
  git_buf_dispose(&objects);
  auto cleaned = clean_by_git(place_of(repository), folder, by_git);
  if (!cleaned)
    return tl::unexpected(
        fmt::format("git cannot convert '{}'{} as their attributes say ({}); `git -C {} diff` fails "
                    "likewise",
                    by_git.front(), by_git.size() > 1 ? fmt::format(" or one of {} more", by_git.size() - 1) : "",
                    cleaned.error(), root.parent_path().string()));
  for (auto& [path, content] : *cleaned) {
    stored_file& file = files[path];
    file.has_other_lines = by_driver.contains(path) && !has_lines_of(file.content, content);
    file.content = std::move(content);
  }
  return files;
}

}  // namespace morph::git
