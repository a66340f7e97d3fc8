// Snapshots of the work tree.
#include "plugin/workspace/snapshot.hpp"

#include <algorithm>

#include "plugin/system/files.hpp"
#include "plugin/workspace/watched_files.hpp"

namespace morph::workspace {

void sort_overrides(snapshot& c) {
  std::sort(c.identity.overrides.begin(), c.identity.overrides.end(),
            [](const auto& a, const auto& b) { return a.path < b.path; });
}

result<snapshot> take_snapshot(const git::repository& repo, const selection::file_kinds& kinds) {
  const auto head = repo.head();
  if (!head) return tl::unexpected(head.error());
  auto dirty = repo.dirty_files([&](const std::string& path) { return kinds.counts_untracked(path); });
  if (!dirty) return tl::unexpected(dirty.error());
  snapshot c{{head->commit, head->tree, {}}, std::move(*dirty)};
  for (const auto& file : c.dirty) {
    store::override_file o{file.path, std::nullopt};
    if (file.content) o.blob = git::blob_hash(*file.content);
    c.identity.overrides.push_back(std::move(o));
  }
  sort_overrides(c);
  return c;
}

result<snapshot> take_snapshot(const build::build_tree& tree, const git::repository& repo,
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
  return git::blob_hash(text).substr(0, 16);
}

std::int64_t changed_at(const git::repository& repo, const snapshot& c) {
  // git notes there every commit, checkout, reset and pull of this work tree.
  std::int64_t at = system::modification_time(repo.git_dir() / "logs" / "HEAD");
  for (const store::override_file& file : c.identity.overrides) {
    const auto path = repo.root() / file.path;
    at = std::max(at, system::modification_time(file.blob ? path : path.parent_path()));
  }
  return at;
}

}  // namespace morph::workspace
