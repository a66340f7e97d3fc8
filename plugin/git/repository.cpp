// libgit2.
#include "plugin/git/repository.hpp"

#include <fmt/format.h>
#include <git2.h>
#include <git2/sys/repository.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <deque>
#include <map>
#include <set>

#include "plugin/git/git_program.hpp"
#include "plugin/git/stored_content.hpp"
#include "plugin/system/files.hpp"

namespace morph::git {
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
  library() {
    git_libgit2_init();
    // Those that libgit2 need not know to read a repository. `worktreeconfig`: add_worktree_config().
    std::array<const char*, 4> harmless{"partialclone", "preciousobjects", "relativeworktrees", "worktreeconfig"};
    git_libgit2_opts(GIT_OPT_SET_EXTENSIONS, harmless.data(), harmless.size());
  }
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

/// The same, and those below it: what a partial clone lacks of them is fetched.
result<tree_ptr> find_whole_tree(git_repository* repository, const std::string& id) {
  tree_ptr tree = find_tree(repository, id);
  if (tree) return tree;
  if (auto fetched = fetch_trees(repository, id); !fetched) return tl::unexpected(fetched.error());
  tree = find_tree(repository, id);
  if (!tree) return failure(fmt::format("tree {}", id));
  return tree;
}

/// Empty if the tree has no file there.
std::string blob_in_tree(const git_tree* tree, const std::string& path) {
  git_tree_entry* raw = nullptr;
  if (git_tree_entry_bypath(&raw, tree, path.c_str()) != 0) return {};
  const entry_ptr entry(raw);
  return git_tree_entry_type(raw) == GIT_OBJECT_BLOB ? text_of(*git_tree_entry_id(raw)) : std::string();
}

/// What a tree has where a submodule may be.
struct recorded_submodule {
  bool there = false;  // something is
  std::string tree;    // of the submodule's commit; empty if there is no such commit to compare with
};

/// The blob of a tracked file that a sparse checkout leaves out of the work tree; empty for others.
std::string blob_left_out(git_repository* repository, git_index* index, const std::string& path) {
  const git_index_entry* entry = git_index_get_bypath(index, path.c_str(), 0);
  if (entry == nullptr || (entry->flags_extended & GIT_INDEX_ENTRY_SKIP_WORKTREE) == 0) return {};
  const auto status = std::filesystem::symlink_status(std::filesystem::path(git_repository_workdir(repository)) / path);
  return std::filesystem::exists(status) ? std::string() : text_of(entry->id);
}

/// What git says of the work tree: files as it would store them, those that a sparse checkout left out as they are in
/// the index.
result<std::map<std::string, stored_file>> contents_of(git_repository* repository, git_index* index,
                                                       const std::vector<std::string>& paths) {
  std::map<std::string, std::string> left_out;
  std::vector<std::string> there, blobs;
  for (const std::string& path : paths) {
    if (const std::string blob = blob_left_out(repository, index, path); blob.empty()) {
      there.push_back(path);
    } else {
      left_out[path] = blob;
      blobs.push_back(blob);
    }
  }
  auto files = read_as_stored(repository, there);
  if (!files || blobs.empty()) return files;
  const auto contents = read_blobs(repository, blobs);
  if (!contents) return tl::unexpected(contents.error());
  for (const auto& [path, blob] : left_out) (*files)[path].content = contents->at(blob);
  return files;
}

/// libgit2 takes a file for modified if only git knows how to convert it, and for deleted if a sparse checkout left it
/// out.
result<void> drop_equal(git_repository* repository, git_index* index, changed_paths& paths) {
  std::vector<std::string> doubtful;
  for (auto at = paths.begin(); at != paths.end();) {
    const auto& [path, found] = *at;
    const bool is_equal = !found.old_blob.empty() && blob_left_out(repository, index, path) == found.old_blob;
    if (!is_equal && found.tracked && !found.opaque && !found.old_blob.empty() && only_git_converts(repository, path))
      doubtful.push_back(path);
    at = is_equal ? paths.erase(at) : std::next(at);
  }
  if (doubtful.empty()) return {};
  const auto contents = contents_of(repository, index, doubtful);
  if (!contents) return tl::unexpected(contents.error());
  for (const auto& [path, file] : *contents)
    if (blob_hash(file.content) == paths[path].old_blob) paths.erase(path);
  return {};
}

/// Paths that differ between a tree and the work tree, as git sees it.
result<changed_paths> find_changed_paths(git_repository* repository, git_index* index, git_tree* tree) {
  git_diff_options options = GIT_DIFF_OPTIONS_INIT;
  options.flags = GIT_DIFF_INCLUDE_UNTRACKED | GIT_DIFF_RECURSE_UNTRACKED_DIRS | GIT_DIFF_INCLUDE_TYPECHANGE |
                  GIT_DIFF_INCLUDE_UNREADABLE;
  options.ignore_submodules = GIT_SUBMODULE_IGNORE_DIRTY;  // whatever is configured: their files are compared apart
  git_diff* raw = nullptr;
  int code = git_diff_tree_to_workdir_with_index(&raw, repository, tree, &options);
  if (code == GIT_ENOTFOUND) {
    if (const auto fetched = fetch_trees(repository, text_of(*git_tree_id(tree))); !fetched)
      return tl::unexpected(fetched.error());
    code = git_diff_tree_to_workdir_with_index(&raw, repository, tree, &options);
  }
  if (code != 0) return failure("comparing with the work tree");
  const diff_ptr diff(raw);
  changed_paths paths;
  for (std::size_t i = 0; i < git_diff_num_deltas(raw); ++i) {
    const git_diff_delta* d = git_diff_get_delta(raw, i);
    changed_path found;
    found.tracked = d->status != GIT_DELTA_UNTRACKED;
    found.submodule = d->old_file.mode == GIT_FILEMODE_COMMIT || d->new_file.mode == GIT_FILEMODE_COMMIT;
    found.opaque = found.submodule || d->status == GIT_DELTA_TYPECHANGE || d->status == GIT_DELTA_UNREADABLE ||
                   (d->status == GIT_DELTA_MODIFIED && d->old_file.mode != d->new_file.mode);
    if (!found.submodule && d->old_file.mode != GIT_FILEMODE_UNREADABLE) found.old_blob = text_of(d->old_file.id);
    paths[d->status == GIT_DELTA_DELETED ? d->old_file.path : d->new_file.path] = found;
  }
  // `git update-index --assume-unchanged` and --skip-worktree (sparse checkouts) hide local changes from the
  // comparison.
  for (std::size_t i = 0; i < git_index_entrycount(index); ++i) {
    const git_index_entry* entry = git_index_get_byindex(index, i);
    if (entry->mode == GIT_FILEMODE_COMMIT) continue;
    const bool hidden =
        (entry->flags & GIT_INDEX_ENTRY_VALID) != 0 || (entry->flags_extended & GIT_INDEX_ENTRY_SKIP_WORKTREE) != 0;
    std::error_code error;
    if (hidden &&
        std::filesystem::exists(std::filesystem::path(git_repository_workdir(repository)) / entry->path, error))
      if (const auto [at, added] = paths.try_emplace(entry->path); added)
        at->second.old_blob = blob_in_tree(tree, entry->path);
  }
  if (auto dropped = drop_equal(repository, index, paths); !dropped) return tl::unexpected(dropped.error());
  return paths;
}

recorded_submodule find_recorded(const git_tree* tree, const std::string& path, git_repository* submodule) {
  recorded_submodule found;
  git_tree_entry* raw = nullptr;
  if (git_tree_entry_bypath(&raw, tree, path.c_str()) != 0) return found;
  const entry_ptr entry(raw);
  found.there = true;
  git_commit* commit = nullptr;
  if (submodule == nullptr || git_tree_entry_filemode(raw) != GIT_FILEMODE_COMMIT ||
      git_commit_lookup(&commit, submodule, git_tree_entry_id(raw)) != 0)
    return found;
  const commit_ptr owner(commit);
  found.tree = text_of(*git_commit_tree_id(commit));
  return found;
}

/// `path` as seen from the folder `prefix`; empty if it lies elsewhere.
std::string below(const std::string& prefix, const std::string& path) {
  return path.size() > prefix.size() && path.starts_with(prefix) && path[prefix.size()] == '/'
             ? path.substr(prefix.size() + 1)
             : std::string();
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

/// Why libgit2 does not open a repository that is there.
std::string why_unopened(const std::filesystem::path& folder) {
  const std::string said = last_error();
  git_buf found = GIT_BUF_INIT;
  std::filesystem::path git_folder;
  if (git_repository_discover(&found, folder.c_str(), 0, nullptr) == 0) git_folder = found.ptr;
  git_buf_dispose(&found);
  std::error_code error;
  if (const auto common = system::read_file(git_folder / "commondir"))  // of a linked work tree
    git_folder = std::filesystem::weakly_canonical(git_folder / common->substr(0, common->find('\n')), error);
  git_config* raw = nullptr;
  const bool is_readable = git_config_open_ondisk(&raw, (git_folder / "config").c_str()) == 0;
  const std::unique_ptr<git_config, freer<git_config_free>> config(raw);
  const auto extension = [&](const char* name) {
    git_buf value = GIT_BUF_INIT;
    const bool is_set = is_readable && git_config_get_string_buf(&value, raw, name) == 0;
    std::string text(is_set ? value.ptr : "");
    git_buf_dispose(&value);
    return text;
  };
  if (const std::string names = extension("extensions.objectformat"); !names.empty() && names != "sha1")
    return fmt::format(
        "the repository of '{}' names its objects by {} (extensions.objectFormat), which Morph cannot read; it needs a "
        "repository that `git init --object-format=sha1` made",
        folder.string(), names);
  if (const std::string storage = extension("extensions.refstorage"); !storage.empty() && storage != "files")
    return fmt::format(
        "the repository of '{}' keeps its branches as {} (extensions.refStorage), which Morph cannot read; `git refs "
        "migrate --ref-format=files` makes files of them (git 2.46 or later)",
        folder.string(), storage);
  return fmt::format("the repository of '{}' cannot be read: {}; `git -C {} fsck` says whether git can",
                     folder.string(), said, folder.string());
}

/// `git worktree add --relative-paths` has the way back to the work tree begin at the folder that has it.
void find_linked_work_tree(git_repository* repository) {
  if (git_repository_is_worktree(repository) != 1) return;
  const std::filesystem::path own = git_repository_path(repository);
  const auto text = system::read_file(own / "gitdir");
  if (!text) return;
  const std::filesystem::path back = text->substr(0, text->find('\n'));
  std::error_code error;
  if (back.is_relative())
    git_repository_set_workdir(repository, std::filesystem::weakly_canonical(own / back, error).parent_path().c_str(),
                               0);
}

/// What `git config --worktree` has set, and `git sparse-checkout`: libgit2 before 1.8 does not read it.
void add_worktree_config(git_repository* repository) {
  git_config* raw = nullptr;
  if (git_repository_config(&raw, repository) != 0) return;
  const std::unique_ptr<git_config, freer<git_config_free>> config(raw);
  int is_used = 0;
  const std::filesystem::path file = std::filesystem::path(git_repository_path(repository)) / "config.worktree";
  std::error_code error;
  if (git_config_get_bool(&is_used, raw, "extensions.worktreeconfig") == 0 && is_used != 0 &&
      std::filesystem::exists(file, error))
    git_config_add_file_ondisk(raw, file.c_str(), GIT_CONFIG_LEVEL_APP, repository, 0);
}

/// Sparse and split indexes are git's alone.
result<std::shared_ptr<git_index>> read_index(git_repository* repository, const std::filesystem::path& root) {
  git_index* raw = nullptr;
  if (git_repository_index(&raw, repository) == 0) return std::shared_ptr<git_index>(raw, git_index_free);
  const std::string said = last_error();
  auto plain = plain_index_by_git({root, git_repository_path(repository)});
  if (!plain)
    return tl::unexpected(fmt::format(
        "the index of the repository '{}' cannot be read: {}; git says: {}; if it is damaged, `rm {}index` and `git "
        "reset` make a new one",
        root.string(), said, plain.error(), git_repository_path(repository)));
  if (git_repository_set_index(repository, plain->get()) != 0) return failure("taking the index");
  git_index_set_caps(plain->get(), GIT_INDEX_CAPABILITY_FROM_OWNER);
  return plain;
}

}  // namespace

void repository::closer::operator()(git_repository* handle) const {
  git_repository_free(handle);
}

result<repository> repository::open(const std::filesystem::path& folder) {
  return open(folder, 0);
}

result<repository> repository::open(const std::filesystem::path& folder, unsigned flags) {
  start_library();
  git_repository* raw = nullptr;
  const int code = git_repository_open_ext(&raw, folder.c_str(), flags, nullptr);
  if (code == GIT_EOWNER || code == GIT_ENOTFOUND) {
    // libgit2 1.5 reports another owner as "not found" if no safe.directory is configured at all.
    git_buf found = GIT_BUF_INIT;
    const bool exists = git_repository_discover(&found, folder.c_str(), 0, nullptr) == 0;
    const std::filesystem::path git_folder = exists ? std::filesystem::path(found.ptr).parent_path() : folder;
    const std::filesystem::path top = git_folder.filename() == ".git" ? git_folder.parent_path() : folder;
    git_buf_dispose(&found);
    if (code == GIT_ENOTFOUND && !exists)
      return tl::unexpected(fmt::format("'{}' is not in a git repository; run `git init` and commit", folder.string()));
    return tl::unexpected(fmt::format(
        "the repository of '{}' belongs to another user; allow it with `git config --global --add safe.directory {}`",
        folder.string(), top.string()));
  }
  if (code != 0) return tl::unexpected(why_unopened(folder));
  repository opened;
  opened.handle_ = {raw, closer{}};
  if (git_repository_is_bare(raw))
    return tl::unexpected(fmt::format("the repository of '{}' is bare: it has no work tree", folder.string()));
  find_linked_work_tree(raw);
  add_worktree_config(raw);
  std::error_code error;
  opened.root_ = std::filesystem::canonical(git_repository_workdir(raw), error);
  if (error)
    return tl::unexpected(fmt::format("the work tree '{}' of the repository of '{}': {}", git_repository_workdir(raw),
                                      folder.string(), error.message()));
  auto index = read_index(raw, opened.root_);
  if (!index) return tl::unexpected(index.error());
  opened.index_ = std::move(*index);
  for (std::size_t i = 0; i < git_index_entrycount(opened.index_.get()); ++i) {
    const git_index_entry* entry = git_index_get_byindex(opened.index_.get(), i);
    if (entry->mode != GIT_FILEMODE_COMMIT) continue;
    submodule s{entry->path, nullptr};
    if (std::filesystem::exists(opened.root_ / s.path / ".git", error)) {
      auto inner = open(opened.root_ / s.path, GIT_REPOSITORY_OPEN_NO_SEARCH);
      s.readable = inner.has_value();
      if (inner) s.checked_out = std::make_shared<repository>(std::move(*inner));
    }
    opened.submodules_.push_back(std::move(s));
  }
  return opened;
}

const repository::submodule* repository::find_submodule(const std::string& path) const {
  for (const submodule& s : submodules_)
    if (s.path == path || !below(s.path, path).empty()) return &s;
  return nullptr;
}

std::filesystem::path repository::main_root() const {
  if (git_repository_is_worktree(handle_.get()) != 1) return {};
  const std::filesystem::path common = std::filesystem::path(git_repository_commondir(handle_.get())).parent_path();
  return common.filename() == ".git" ? common.parent_path() : std::filesystem::path();
}

std::filesystem::path repository::git_dir() const {
  return git_repository_path(handle_.get());
}

std::string repository::target_name(const std::filesystem::path& path) const {
  const auto [at, added] = targets_.try_emplace(path);
  if (!added) return at->second;
  std::error_code error;
  at->second = std::filesystem::is_symlink(path, error) ? name_of(std::filesystem::weakly_canonical(path, error))
                                                        : name_of(path);
  return at->second;
}

std::string repository::name_of(const std::filesystem::path& path) const {
  const std::filesystem::path normal = path.lexically_normal();
  const auto [folder, added] = canonical_folders_.try_emplace(normal.parent_path());
  if (added) {
    std::error_code error;
    folder->second = std::filesystem::weakly_canonical(normal.parent_path(), error);
    if (error) folder->second = normal.parent_path();
  }
  const std::filesystem::path whole = folder->second / normal.filename();
  const std::string text = whole.lexically_relative(root_).string();
  if (text == ".") return {};
  const auto top = [](const std::filesystem::path& of) { return *of.relative_path().begin(); };
  const bool has_way =
      !is_outside(text) || (whole.has_relative_path() && root_.has_relative_path() && top(whole) == top(root_));
  return has_way ? text : whole.string();
}

std::string repository::relative(const std::filesystem::path& path) const {
  std::string name = name_of(path);
  return is_outside(name) ? std::string() : name;
}

bool repository::tracks(const std::string& path) const {
  if (git_index_get_bypath(index_.get(), path.c_str(), 0) != nullptr) return true;
  const submodule* in = find_submodule(path);
  return in != nullptr && in->checked_out && in->checked_out->tracks(below(in->path, path));
}

std::vector<std::string> repository::tracked_files() const {
  std::vector<std::string> paths;
  for (std::size_t i = 0; i < git_index_entrycount(index_.get()); ++i)
    if (const git_index_entry* entry = git_index_get_byindex(index_.get(), i); entry->mode != GIT_FILEMODE_COMMIT)
      paths.emplace_back(entry->path);
  return paths;
}

result<head_state> repository::head() const {
  if (git_repository_head_unborn(handle_.get()) == 1)
    return tl::unexpected(std::string("the git repository has no commit yet; commit once"));
  auto commit = find_commit(handle_.get(), "HEAD");
  if (!commit) return tl::unexpected(commit.error());
  head_state state;
  state.commit = text_of(*git_commit_id(commit->get()));
  state.tree = text_of(*git_commit_tree_id(commit->get()));
  state.run_all = asks_for_all(commit->get());
  // CI services test the merge of a branch: what its last commit asks for counts.
  for (unsigned i = 1; i < git_commit_parentcount(commit->get()) && !state.run_all; ++i) {
    git_commit* merged = nullptr;
    if (git_commit_parent(&merged, commit->get(), i) != 0) continue;
    const commit_ptr owner(merged);
    state.run_all = asks_for_all(merged);
  }
  auto dirty = tracked_files_differ(state.tree);
  if (!dirty) return tl::unexpected(dirty.error());
  state.dirty = *dirty;
  return state;
}

result<bool> repository::tracked_files_differ(const std::string& tree_id) const {
  const auto whole = find_whole_tree(handle_.get(), tree_id);
  if (!whole) return tl::unexpected(whole.error());
  const tree_ptr& tree = *whole;
  auto paths = find_changed_paths(handle_.get(), index_.get(), tree.get());
  if (!paths) return tl::unexpected(paths.error());
  if (std::any_of(paths->begin(), paths->end(), [](const auto& entry) { return entry.second.tracked; })) return true;
  for (const submodule& s : submodules_) {
    if (!s.checked_out) continue;
    const recorded_submodule recorded = find_recorded(tree.get(), s.path, s.checked_out->handle_.get());
    if (recorded.tree.empty()) return true;
    auto inner = s.checked_out->tracked_files_differ(recorded.tree);
    if (!inner || *inner) return inner;
  }
  return false;
}

result<std::vector<dirty_file>> repository::dirty_files(const std::function<bool(const std::string&)>& wanted) const {
  auto state = head();
  if (!state) return tl::unexpected(state.error());
  return files_unlike(state->tree, wanted);
}

result<std::vector<dirty_file>> repository::files_unlike(const std::string& tree_id,
                                                         const std::function<bool(const std::string&)>& wanted) const {
  const auto whole = find_whole_tree(handle_.get(), tree_id);
  if (!whole) return tl::unexpected(whole.error());
  const tree_ptr& tree = *whole;
  auto paths = find_changed_paths(handle_.get(), index_.get(), tree.get());
  if (!paths) return tl::unexpected(paths.error());
  std::vector<std::string> unlike;
  for (const auto& [path, found] : *paths) {
    if (const submodule* s = find_submodule(path); s != nullptr && s->path == path) continue;
    if (found.tracked || wanted(path)) unlike.push_back(path);
  }
  auto contents = contents_of(handle_.get(), index_.get(), unlike);
  if (!contents) return tl::unexpected(contents.error());
  std::vector<dirty_file> files;
  for (const std::string& path : unlike) {
    const auto at = contents->find(path);
    files.push_back({path, at == contents->end() ? std::nullopt : std::optional(std::move(at->second.content))});
  }
  for (const submodule& s : submodules_) {
    if (s.readable && !s.checked_out) {
      files.push_back({s.path, std::nullopt});
      continue;
    }
    const recorded_submodule recorded =
        s.checked_out ? find_recorded(tree.get(), s.path, s.checked_out->handle_.get()) : recorded_submodule{};
    if (recorded.tree.empty()) {
      files.push_back({s.path, "a submodule that cannot be compared with the commit that is recorded\n"});
      continue;
    }
    auto inner =
        s.checked_out->files_unlike(recorded.tree, [&](const auto& path) { return wanted(s.path + '/' + path); });
    if (!inner) return inner;
    for (dirty_file& file : *inner) files.push_back({s.path + '/' + file.path, std::move(file.content)});
  }
  return files;
}

result<std::optional<repository::ancestor>> repository::nearest(
    const std::string& revision, const std::function<bool(const std::string&)>& is_measured) const {
  std::optional<ancestor> found;
  auto walked = walk(revision, [&](const ancestor& a) {
    if (is_measured(a.tree)) found = a;
    return found.has_value();
  });
  if (!walked) return tl::unexpected(walked.error());
  return found;
}

result<void> repository::walk(const std::string& revision, const std::function<bool(const ancestor&)>& enough) const {
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
    if (enough({text_of(id), text_of(*git_commit_tree_id(raw)), distance})) return {};
    for (unsigned i = 0; i < git_commit_parentcount(raw); ++i)
      waiting.emplace_back(*git_commit_parent_id(raw, i), distance + 1);
  }
  return {};
}

std::map<std::string, double> repository::churn(std::size_t commits) const {
  constexpr double memory = 180.0 * 24 * 3600;  // seconds
  std::map<std::string, double> found;
  std::optional<std::int64_t> latest;
  const auto add = [&](const ancestor& at) {
    const auto commit = find_commit(handle_.get(), at.commit);
    if (!commit) return false;
    const std::int64_t made = git_commit_time(commit->get());
    if (!latest) latest = made;
    git_commit* raw_parent = nullptr;
    if (git_commit_parentcount(commit->get()) != 1 || git_commit_parent(&raw_parent, commit->get(), 0) != 0)
      return false;
    const commit_ptr parent(raw_parent);
    const tree_ptr before = find_tree(handle_.get(), text_of(*git_commit_tree_id(raw_parent)));
    const tree_ptr after = find_tree(handle_.get(), at.tree);
    git_diff* raw_diff = nullptr;
    if (!before || !after || git_diff_tree_to_tree(&raw_diff, handle_.get(), before.get(), after.get(), nullptr) != 0)
      return false;
    const diff_ptr diff(raw_diff);
    const double counts = std::exp(-static_cast<double>(std::max<std::int64_t>(0, *latest - made)) / memory);
    for (std::size_t i = 0; i < git_diff_num_deltas(raw_diff); ++i)
      found[git_diff_get_delta(raw_diff, i)->new_file.path] += counts;
    return true;
  };
  if (commits > 0) (void)walk("", [&](const ancestor& at) { return add(at) && --commits == 0; });
  return found;
}

std::optional<std::string> repository::branch_point() const {
  git_oid head, base, common;
  if (git_reference_name_to_id(&head, handle_.get(), "HEAD") != 0) return std::nullopt;
  for (const char* branch : {"refs/remotes/origin/HEAD", "refs/remotes/origin/main", "refs/remotes/origin/master",
                             "refs/heads/main", "refs/heads/master"}) {
    if (git_reference_name_to_id(&base, handle_.get(), branch) != 0) continue;
    if (git_merge_base(&common, handle_.get(), &head, &base) != 0) return std::nullopt;
    std::array<char, GIT_OID_HEXSZ + 1> text{};
    git_oid_tostr(text.data(), text.size(), &common);
    return std::string(text.data());
  }
  return std::nullopt;
}

std::vector<std::string> repository::references() const {
  std::vector<std::string> names;
  git_reference_foreach_name(
      handle_.get(),
      [](const char* name, void* to) {
        const std::string_view text = name;
        for (const char* folder : {"refs/heads/", "refs/remotes/", "refs/tags/"})
          if (text.starts_with(folder)) static_cast<std::vector<std::string>*>(to)->emplace_back(text);
        return 0;
      },
      &names);
  return names;
}

std::optional<std::int64_t> repository::time_of(const std::string& id) const {
  const auto commit = find_commit(handle_.get(), id);
  if (!commit) return std::nullopt;
  return git_commit_time(commit->get());
}

result<std::vector<file_change>> repository::changes_since(const std::string& tree_id,
                                                           const std::vector<replaced_file>& replaced,
                                                           const std::function<bool(const std::string&)>& wanted,
                                                           known_differences* known) const {
  const auto whole = find_whole_tree(handle_.get(), tree_id);
  if (!whole) return tl::unexpected(whole.error());
  const tree_ptr& tree = *whole;
  const auto before = known == nullptr ? known_differences::iterator() : known->find(tree_id);
  const bool is_known = known != nullptr && before != known->end();
  auto paths =
      is_known ? result<changed_paths>(before->second) : find_changed_paths(handle_.get(), index_.get(), tree.get());
  if (!paths) return tl::unexpected(paths.error());
  if (known != nullptr && !is_known) known->emplace(tree_id, *paths);
  std::map<std::string, const replaced_file*> old_contents;
  std::map<const submodule*, std::vector<replaced_file>> replaced_in;
  for (const replaced_file& file : replaced) {
    const submodule* in = find_submodule(file.path);
    if (in != nullptr && in->path != file.path && in->checked_out) {
      replaced_in[in].push_back({below(in->path, file.path), file.content});
      continue;
    }
    old_contents[file.path] = &file;
    if (in == nullptr || in->path != file.path) paths->try_emplace(file.path);
  }

  std::vector<file_change> changes;
  const auto add_submodule = [&](const std::string& path, file_change::kind how) {
    changes.push_back({how, path, true, {}, 0, how == file_change::kind::modified, true});
  };
  for (const submodule& s : submodules_) {
    const auto old = old_contents.find(s.path);
    const bool was_absent = old != old_contents.end() && !old->second->content;
    git_repository* inside = s.checked_out ? s.checked_out->handle_.get() : nullptr;
    const recorded_submodule recorded = find_recorded(tree.get(), s.path, inside);
    const bool is_comparable = old == old_contents.end() && !recorded.tree.empty();
    if (s.readable && !s.checked_out) {
      if (!was_absent && recorded.there) add_submodule(s.path, file_change::kind::deleted);
    } else if (!is_comparable) {
      add_submodule(s.path, was_absent || !recorded.there ? file_change::kind::added : file_change::kind::modified);
    } else {
      auto inner = s.checked_out->changes_since(recorded.tree, replaced_in[&s],
                                                [&](const auto& path) { return wanted(s.path + '/' + path); });
      if (!inner) return inner;
      for (file_change& change : *inner) {
        change.path = s.path + '/' + change.path;
        changes.push_back(std::move(change));
      }
    }
  }
  std::erase_if(*paths, [&](const auto& entry) {
    const auto& [path, found] = entry;
    if (const submodule* s = find_submodule(path); s != nullptr && s->path == path) return true;
    return !found.tracked && old_contents.count(path) == 0 && !wanted(path);
  });
  std::vector<std::string> compared, blobs;
  for (auto& [path, found] : *paths) {
    compared.push_back(path);
    if (old_contents.count(path) == 0 && !found.old_blob.empty()) blobs.push_back(found.old_blob);
  }
  const auto stored = read_blobs(handle_.get(), blobs);
  if (!stored) return tl::unexpected(stored.error());
  const auto contents = contents_of(handle_.get(), index_.get(), compared);
  if (!contents) return tl::unexpected(contents.error());
  for (const auto& [path, found] : *paths) {
    file_change change;
    change.path = path;
    change.tracked = found.tracked;
    change.submodule = found.submodule;
    const auto old = old_contents.find(path);
    const auto now = contents->find(path);
    const std::string *before = nullptr, *after = nullptr;  // null: there is no file
    if (old != old_contents.end())
      before = old->second->content ? &*old->second->content : nullptr;
    else if (!found.old_blob.empty())
      before = &stored->at(found.old_blob);
    if (now != contents->end()) after = &now->second.content;
    const bool is_equal = before == nullptr || after == nullptr ? before == after : *before == *after;
    if (is_equal && !found.opaque) continue;
    if (found.opaque || (before != nullptr && after != nullptr)) {
      change.how = file_change::kind::modified;
      change.binary = found.opaque || now->second.has_other_lines || is_binary(*before) || is_binary(*after);
      if (!change.binary) set_texts(change, *before, *after);
    } else {
      change.how = after != nullptr ? file_change::kind::added : file_change::kind::deleted;
    }
    changes.push_back(std::move(change));
  }
  return changes;
}

result<std::map<std::string, std::string>> repository::contents(const std::vector<std::string>& paths) const {
  std::map<std::string, std::string> found;
  std::vector<std::string> own;
  std::map<const submodule*, std::vector<std::string>> inside;
  for (const std::string& path : paths) {
    const submodule* in = find_submodule(path);
    if (in != nullptr && in->path != path && in->checked_out)
      inside[in].push_back(below(in->path, path));
    else
      own.push_back(path);
  }
  auto files = contents_of(handle_.get(), index_.get(), own);
  if (!files) return tl::unexpected(files.error());
  for (auto& [path, file] : *files) found[path] = std::move(file.content);
  for (const auto& [in, below_it] : inside) {
    auto theirs = in->checked_out->contents(below_it);
    if (!theirs) return theirs;
    for (auto& [path, content] : *theirs) found[in->path + '/' + path] = std::move(content);
  }
  return found;
}

bool is_outside(std::string_view name) {
  return name.starts_with('/') || name == ".." || name.starts_with("../");
}

bool repository::has_tree(const std::string& tree) const {
  return find_tree(handle_.get(), tree) != nullptr;
}

bool repository::is_shallow() const {
  return git_repository_is_shallow(handle_.get()) == 1;
}

bool repository::is_partial() const {
  return !promisors(handle_.get()).empty();
}

bool repository::is_detached() const {
  return git_repository_head_detached(handle_.get()) == 1;
}

bool repository::ignores(const std::string& path) const {
  int ignored = 0;
  return git_ignore_path_is_ignored(&ignored, handle_.get(), path.c_str()) == 0 && ignored == 1;
}

std::string unified_diff(const std::string& path, const std::string& before, const std::string& after) {
  start_library();
  git_patch* raw = nullptr;
  if (git_patch_from_buffers(&raw, before.data(), before.size(), path.c_str(), after.data(), after.size(), path.c_str(),
                             nullptr) != 0)
    return {};
  const std::unique_ptr<git_patch, freer<git_patch_free>> patch(raw);
  git_buf text = GIT_BUF_INIT;
  if (git_patch_to_buf(&text, raw) != 0) return {};
  std::string result(text.ptr, text.size);
  git_buf_dispose(&text);
  return result;
}

std::string blob_hash(const std::string& content) {
  start_library();
  git_oid id;
  git_odb_hash(&id, content.data(), content.size(), GIT_OBJECT_BLOB);
  return text_of(id);
}

void set_texts(file_change& change, const std::string& before, const std::string& after) {
  change.hunks = diff_lines(before, after);
  change.old_lines = count_lines(before);
  change.old_text = before;
  change.new_text = after;
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

}  // namespace morph::git
