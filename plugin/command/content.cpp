// Snapshots of the work tree.
#include "plugin/command/content.hpp"

#include <algorithm>

#include "plugin/command/watched_files.hpp"
#include "plugin/project/files.hpp"

namespace morph::command {

void sort_overrides(content& c) {
  std::sort(c.identity.overrides.begin(), c.identity.overrides.end(),
            [](const auto& a, const auto& b) { return a.path < b.path; });
}

project::result<content> take_snapshot(const project::repository& repo, const selection::file_kinds& kinds) {
  const auto head = repo.head();
  if (!head) return tl::unexpected(head.error());
  auto dirty = repo.dirty_files([&](const std::string& path) { return kinds.counts_untracked(path); });
  if (!dirty) return tl::unexpected(dirty.error());
  content c{{head->commit, head->tree, {}}, std::move(*dirty)};
  for (const auto& file : c.dirty) {
    store::override_file o{file.path, std::nullopt};
    if (file.content) o.blob = project::blob_hash(*file.content);
    c.identity.overrides.push_back(std::move(o));
  }
  sort_overrides(c);
  return c;
}

project::result<content> take_snapshot(const project::build_tree& tree, const project::repository& repo,
                                       const selection::file_kinds& kinds) {
  auto taken = take_snapshot(repo, kinds);
  if (!taken) return taken;
  watched_files watched(tree, repo, kinds);
  for (const std::string& name : watched.names()) taken->identity.overrides.push_back({name, watched.hash_of(name)});
  sort_overrides(*taken);
  return taken;
}

std::string id_of(const store::snapshot& identity) {
  std::string text = identity.tree;
  for (const store::override_file& file : identity.overrides)
    text.append("\n").append(file.path).append(1, '\0').append(file.blob ? hash_in(*file.blob) : "deleted");
  return project::blob_hash(text).substr(0, 16);
}

std::int64_t changed_at(const project::repository& repo, const content& c) {
  // git notes there every commit, checkout, reset and pull of this work tree.
  std::int64_t at = project::modification_time(repo.git_dir() / "logs" / "HEAD");
  for (const store::override_file& file : c.identity.overrides) {
    const auto path = repo.root() / file.path;
    at = std::max(at, project::modification_time(file.blob ? path : path.parent_path()));
  }
  return at;
}

}  // namespace morph::command
