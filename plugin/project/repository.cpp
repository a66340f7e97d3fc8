// libgit2.
#include "plugin/project/repository.hpp"

#include <fmt/format.h>
#include <git2.h>

#include <algorithm>
#include <array>
#include <deque>
#include <map>
#include <set>

#include "plugin/project/files.hpp"

namespace morph::project {
namespace {

template <auto Free>
struct freer {
  template <typename Handle>
  void operator()(Handle* handle) const {
    Free(handle);
  }
};
using object_ptr = std::unique_ptr<git_object, freer<git_object_free>>;
using commit_ptr = std::unique_ptr<git_commit, freer<git_commit_free>>;
using tree_ptr = std::unique_ptr<git_tree, freer<git_tree_free>>;
using diff_ptr = std::unique_ptr<git_diff, freer<git_diff_free>>;
using blob_ptr = std::unique_ptr<git_blob, freer<git_blob_free>>;
using entry_ptr = std::unique_ptr<git_tree_entry, freer<git_tree_entry_free>>;

struct library {
  library() { git_libgit2_init(); }
  ~library() { git_libgit2_shutdown(); }
};
void start_library() {
  static const library once;
}

std::string last_error() {
  const git_error* error = git_error_last();
  return error == nullptr ? "unknown git error" : error->message;
}

tl::unexpected<std::string> failure(std::string_view doing) {
  return tl::unexpected(fmt::format("git: {}: {}", doing, last_error()));
}

std::string text_of(const git_oid& id) {
  std::array<char, GIT_OID_HEXSZ + 1> text{};
  git_oid_tostr(text.data(), text.size(), &id);
  return text.data();
}

std::string text_of(const git_oid* id) {
  return text_of(*id);
}

tree_ptr find_tree(git_repository* repository, const std::string& id) {
  git_oid oid;
  git_tree* tree = nullptr;
  if (git_oid_fromstr(&oid, id.c_str()) == 0) git_tree_lookup(&tree, repository, &oid);
  return tree_ptr(tree);
}

result<commit_ptr> find_commit(git_repository* repository, const std::string& revision) {
  git_object* object = nullptr;
  if (git_revparse_single(&object, repository, revision.c_str()) != 0)
    return failure(fmt::format("revision '{}'", revision));
  const object_ptr owner(object);
  git_object* commit = nullptr;
  if (git_object_peel(&commit, object, GIT_OBJECT_COMMIT) != 0) return failure(fmt::format("revision '{}'", revision));
  return commit_ptr(reinterpret_cast<git_commit*>(commit));
}

std::optional<std::string> content_in_tree(git_repository* repository, const git_tree* tree, const std::string& path) {
  git_tree_entry* raw = nullptr;
  if (git_tree_entry_bypath(&raw, tree, path.c_str()) != 0) return std::nullopt;
  const entry_ptr entry(raw);
  git_blob* blob = nullptr;
  if (git_blob_lookup(&blob, repository, git_tree_entry_id(raw)) != 0) return std::nullopt;
  const blob_ptr owner(blob);
  return std::string(static_cast<const char*>(git_blob_rawcontent(blob)),
                     static_cast<std::size_t>(git_blob_rawsize(blob)));
}

/// The content as git would store it: a symbolic link is its target.
std::optional<std::string> content_in_work_tree(const std::filesystem::path& path) {
  std::error_code error;
  if (std::filesystem::is_symlink(path, error)) return std::filesystem::read_symlink(path, error).string();
  const auto content = read_file(path);
  if (!content) return std::nullopt;
  return *content;
}

struct delta {
  bool tracked = true;
  bool submodule = false;
  bool opaque = false;  // a submodule, or a change of type or mode: not comparable as text
};

/// Paths that differ between a tree and the work tree, as git sees it.
result<std::map<std::string, delta>> changed_paths(git_repository* repository, git_tree* tree) {
  git_diff_options options = GIT_DIFF_OPTIONS_INIT;
  options.flags = GIT_DIFF_INCLUDE_UNTRACKED | GIT_DIFF_RECURSE_UNTRACKED_DIRS | GIT_DIFF_INCLUDE_TYPECHANGE |
                  GIT_DIFF_INCLUDE_UNREADABLE;
  git_diff* raw = nullptr;
  if (git_diff_tree_to_workdir_with_index(&raw, repository, tree, &options) != 0)
    return failure("comparing with the work tree");
  const diff_ptr diff(raw);
  std::map<std::string, delta> paths;
  for (std::size_t i = 0; i < git_diff_num_deltas(raw); ++i) {
    const git_diff_delta* d = git_diff_get_delta(raw, i);
    delta found;
    found.tracked = d->status != GIT_DELTA_UNTRACKED;
    found.submodule = d->old_file.mode == GIT_FILEMODE_COMMIT || d->new_file.mode == GIT_FILEMODE_COMMIT;
    found.opaque = found.submodule || d->status == GIT_DELTA_TYPECHANGE || d->status == GIT_DELTA_UNREADABLE ||
                   (d->status == GIT_DELTA_MODIFIED && d->old_file.mode != d->new_file.mode);
    paths[d->status == GIT_DELTA_DELETED ? d->old_file.path : d->new_file.path] = found;
  }
  // `git update-index --assume-unchanged` and --skip-worktree (sparse checkouts) hide local changes from the
  // comparison.
  git_index* raw_index = nullptr;
  if (git_repository_index(&raw_index, repository) != 0) return failure("reading the index");
  const std::unique_ptr<git_index, freer<git_index_free>> index(raw_index);
  for (std::size_t i = 0; i < git_index_entrycount(raw_index); ++i) {
    const git_index_entry* entry = git_index_get_byindex(raw_index, i);
    const bool hidden =
        (entry->flags & GIT_INDEX_ENTRY_VALID) != 0 || (entry->flags_extended & GIT_INDEX_ENTRY_SKIP_WORKTREE) != 0;
    std::error_code error;
    if (hidden &&
        std::filesystem::exists(std::filesystem::path(git_repository_workdir(repository)) / entry->path, error))
      paths.try_emplace(entry->path);
  }
  return paths;
}

bool is_binary(const std::string& content) {
  return content.find('\0') != std::string::npos;
}

std::uint32_t count_lines(const std::string& text) {
  const auto ends = std::count(text.begin(), text.end(), '\n');
  return static_cast<std::uint32_t>(ends + (!text.empty() && text.back() != '\n' ? 1 : 0));
}

bool asks_for_all(const git_commit* commit) {
  git_message_trailer_array trailers{};
  if (git_message_trailers(&trailers, git_commit_message(commit)) != 0) return false;
  bool found = false;
  for (std::size_t i = 0; i < trailers.count; ++i)
    found = found || (std::string_view(trailers.trailers[i].key) == "Morph" &&
                      std::string_view(trailers.trailers[i].value) == "all");
  git_message_trailer_array_free(&trailers);
  return found;
}

}  // namespace

void repository::closer::operator()(git_repository* handle) const {
  git_repository_free(handle);
}

result<repository> repository::open(const std::filesystem::path& folder) {
  start_library();
  git_repository* raw = nullptr;
  const int code = git_repository_open_ext(&raw, folder.c_str(), 0, nullptr);
  if (code == GIT_ENOTFOUND)
    return tl::unexpected(fmt::format("'{}' is not in a git repository; run `git init` and commit", folder.string()));
  if (code == GIT_EOWNER)
    return tl::unexpected(fmt::format(
        "the repository of '{}' belongs to another user; allow it with `git config --global --add safe.directory {}`",
        folder.string(), folder.string()));
  if (code != 0) return failure(fmt::format("opening the repository of '{}'", folder.string()));
  repository opened;
  opened.handle_ = {raw, closer{}};
  if (git_repository_is_bare(raw))
    return tl::unexpected(fmt::format("the repository of '{}' is bare: it has no work tree", folder.string()));
  std::error_code error;
  opened.root_ = std::filesystem::canonical(git_repository_workdir(raw), error);
  git_index* index = nullptr;
  if (git_repository_index(&index, raw) != 0) return failure("reading the index");
  opened.index_ = {index, git_index_free};
  return opened;
}

std::filesystem::path repository::git_dir() const {
  return git_repository_path(handle_.get());
}

std::string repository::relative_target(const std::filesystem::path& path) const {
  const auto [at, added] = targets_.try_emplace(path);
  if (!added) return at->second;
  std::error_code error;
  at->second = std::filesystem::is_symlink(path, error) ? relative(std::filesystem::weakly_canonical(path, error))
                                                        : relative(path);
  return at->second;
}

std::string repository::relative(const std::filesystem::path& path) const {
  const std::filesystem::path normal = path.lexically_normal();
  const auto [folder, added] = canonical_folders_.try_emplace(normal.parent_path());
  if (added) {
    std::error_code error;
    folder->second = std::filesystem::weakly_canonical(normal.parent_path(), error);
    if (error) folder->second = normal.parent_path();
  }
  const std::string text = (folder->second / normal.filename()).lexically_relative(root_).string();
  return text.starts_with("..") || text == "." ? std::string() : text;
}

bool repository::tracks(const std::string& path) const {
  return git_index_get_bypath(index_.get(), path.c_str(), 0) != nullptr;
}

result<head_state> repository::head() const {
  if (git_repository_head_unborn(handle_.get()) == 1)
    return tl::unexpected(std::string("the git repository has no commit yet; commit once"));
  auto commit = find_commit(handle_.get(), "HEAD");
  if (!commit) return tl::unexpected(commit.error());
  head_state state;
  state.commit = text_of(git_commit_id(commit->get()));
  state.tree = text_of(git_commit_tree_id(commit->get()));
  state.run_all = asks_for_all(commit->get());
  const tree_ptr tree = find_tree(handle_.get(), state.tree);
  if (!tree) return failure("reading HEAD's tree");
  auto paths = changed_paths(handle_.get(), tree.get());
  if (!paths) return tl::unexpected(paths.error());
  state.dirty = std::any_of(paths->begin(), paths->end(), [](const auto& entry) { return entry.second.tracked; });
  return state;
}

result<std::vector<dirty_file>> repository::dirty_files(const std::function<bool(const std::string&)>& wanted) const {
  auto state = head();
  if (!state) return tl::unexpected(state.error());
  const tree_ptr tree = find_tree(handle_.get(), state->tree);
  auto paths = changed_paths(handle_.get(), tree.get());
  if (!paths) return tl::unexpected(paths.error());
  std::vector<dirty_file> files;
  for (const auto& [path, found] : *paths)
    if (found.submodule)
      files.push_back({path, "a submodule with another commit or local changes\n"});
    else if (found.tracked || wanted(path))
      files.push_back({path, content_in_work_tree(root_ / path)});
  return files;
}

result<std::optional<repository::ancestor>> repository::nearest(
    const std::string& revision, const std::function<bool(const std::string&)>& is_measured) const {
  auto start = find_commit(handle_.get(), revision.empty() ? "HEAD" : revision);
  if (!start) return tl::unexpected(start.error());
  std::deque<std::pair<git_oid, std::uint32_t>> waiting{{*git_commit_id(start->get()), 0}};
  std::set<std::string> seen;
  while (!waiting.empty()) {
    const auto [id, distance] = waiting.front();
    waiting.pop_front();
    if (!seen.insert(text_of(id)).second) continue;
    git_commit* raw = nullptr;
    if (git_commit_lookup(&raw, handle_.get(), &id) != 0) continue;
    const commit_ptr commit(raw);
    std::string tree = text_of(git_commit_tree_id(raw));
    if (is_measured(tree)) return ancestor{text_of(id), std::move(tree), distance};
    for (unsigned i = 0; i < git_commit_parentcount(raw); ++i)
      waiting.emplace_back(*git_commit_parent_id(raw, i), distance + 1);
  }
  return std::nullopt;
}

result<std::vector<file_change>> repository::changes_since(
    const std::string& tree_id, const std::vector<replaced_file>& replaced,
    const std::function<bool(const std::string&)>& wanted) const {
  const tree_ptr tree = find_tree(handle_.get(), tree_id);
  if (!tree) return failure(fmt::format("tree {}", tree_id));
  auto paths = changed_paths(handle_.get(), tree.get());
  if (!paths) return tl::unexpected(paths.error());
  std::map<std::string, const replaced_file*> old_contents;
  for (const replaced_file& file : replaced) {
    old_contents[file.path] = &file;
    paths->try_emplace(file.path);
  }

  std::vector<file_change> changes;
  for (const auto& [path, found] : *paths) {
    if (!found.tracked && old_contents.count(path) == 0 && !wanted(path)) continue;
    file_change change;
    change.path = path;
    change.tracked = found.tracked;
    const auto old = old_contents.find(path);
    const auto before =
        old != old_contents.end() ? old->second->content : content_in_tree(handle_.get(), tree.get(), path);
    const auto after = content_in_work_tree(root_ / path);
    if (before == after && !found.opaque) continue;
    if (found.opaque || (before && after)) {
      change.how = file_change::kind::modified;
      change.binary = found.opaque || is_binary(*before) || is_binary(*after);
      if (!change.binary) {
        change.hunks = diff_lines(*before, *after);
        change.old_lines = count_lines(*before);
      }
    } else {
      change.how = after ? file_change::kind::added : file_change::kind::deleted;
    }
    changes.push_back(std::move(change));
  }
  return changes;
}

bool repository::has_tree(const std::string& tree) const {
  return find_tree(handle_.get(), tree) != nullptr;
}

std::string blob_hash(const std::string& content) {
  start_library();
  git_oid id;
  git_odb_hash(&id, content.data(), content.size(), GIT_OBJECT_BLOB);
  return text_of(id);
}

std::vector<hunk> diff_lines(const std::string& before, const std::string& after) {
  start_library();
  std::vector<hunk> hunks;
  git_diff_options options = GIT_DIFF_OPTIONS_INIT;
  options.context_lines = 0;
  options.interhunk_lines = 0;
  options.flags = GIT_DIFF_FORCE_TEXT;
  git_diff_buffers(
      before.data(), before.size(), nullptr, after.data(), after.size(), nullptr, &options, nullptr, nullptr,
      [](const git_diff_delta*, const git_diff_hunk* h, void* to) {
        static_cast<std::vector<hunk>*>(to)->push_back(
            {static_cast<std::uint32_t>(h->old_start), static_cast<std::uint32_t>(h->old_lines),
             static_cast<std::uint32_t>(h->new_start), static_cast<std::uint32_t>(h->new_lines)});
        return 0;
      },
      nullptr, &hunks);
  return hunks;
}

}  // namespace morph::project
