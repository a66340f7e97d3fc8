// The git repository around a project: where the work tree stands, which measured commit is near, what changed since.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "plugin/system/result.hpp"

struct git_index;
struct git_repository;

namespace morph::git {

/// A run of changed lines. Line numbers start at 1. `old_count` 0: lines were inserted after line `old_start` (0 =
/// before the first line).
struct hunk {
  std::uint32_t old_start = 0;
  std::uint32_t old_count = 0;
  std::uint32_t new_start = 0;
  std::uint32_t new_count = 0;
  bool operator==(const hunk&) const = default;
};

struct file_change {
  enum class kind { added, modified, deleted } how = kind::modified;
  std::string path;     // relative to the repository
  bool tracked = true;  // false: git does not know the file (it is not ignored either)
  std::vector<hunk> hunks;
  std::uint32_t old_lines = 0;         // of the old text
  bool binary = false;                 // modified, but not text, or not text with the file's lines: no hunks
  bool submodule = false;              // as a whole: it came, went, or lacks the commit to compare with
  std::string old_text{}, new_text{};  // of a modified file with hunks
};

struct head_state {
  std::string commit;
  std::string tree;
  bool dirty = false;
  bool run_all = false;  // a trailer "Morph: all" in the message of the commit, or of one that it merges
};

/// The old content of one file, where it is not that of the commit's tree. No content: the file was not there.
/// Contents are what git would store: equal contents have equal hashes, whatever the ends of lines in the work tree.
struct replaced_file {
  std::string path;
  std::optional<std::string> content;
};

/// A work-tree file whose content differs from HEAD's tree. No content: it was deleted.
using dirty_file = replaced_file;

/// A path in which a tree and the work tree differ.
struct changed_path {
  bool tracked = true;
  bool submodule = false;
  bool opaque = false;   // a submodule, or a change of type or mode: not comparable as text
  std::string old_blob;  // the tree's; empty if it has no file there
};
using changed_paths = std::map<std::string, changed_path>;
using known_differences = std::map<std::string, changed_paths>;  // by tree

/// A git repository together with the submodules checked out in it, whose files count as files of the whole.
///
/// Read with libgit2. Where that does otherwise than git, git itself is asked: for files that a filter or an encoding
/// converts, for objects that a partial clone lacks, for a split or sparse index.
class repository {
 public:
  /// The repository that contains `folder`. A submodule is a repository of its own here.
  static result<repository> open(const std::filesystem::path& folder);

  const std::filesystem::path& root() const { return root_; }
  /// Of this work tree: `.git`, or what that file points to.
  std::filesystem::path git_dir() const;

  /// A path as git names it, symbolic links in its folders resolved; empty if it lies outside.
  std::string relative(const std::filesystem::path& path) const;

  /// As relative(); what lies outside is named as seen from root() (`../shared/rate.cpp`), or by its absolute path if
  /// the two have nothing but `/` in common. is_outside() tells.
  std::string name_of(const std::filesystem::path& path) const;

  /// The same for the file that is read in the end, if the path itself is a symbolic link.
  std::string target_name(const std::filesystem::path& path) const;

  /// Whether the index has the path (relative to root()), or that of the submodule in which it lies.
  bool tracks(const std::string& path) const;

  /// Every path of the index, ascending; not those in submodules.
  std::vector<std::string> tracked_files() const;

  /// An error for a repository without a commit.
  result<head_state> head() const;

  /// Files that differ from HEAD: modified, staged, deleted, and untracked ones that `wanted` accepts. A submodule that
  /// is not checked out has no content; one that cannot be compared file by file has a content that no file has.
  result<std::vector<dirty_file>> dirty_files(const std::function<bool(const std::string&)>& wanted) const;

  struct ancestor {
    std::string commit;
    std::string tree;
    std::uint32_t distance = 0;  // commits between, along the shortest way
  };
  /// The nearest commit, from `revision` (empty = HEAD) backwards, whose tree `is_measured` accepts. Breadth first over
  /// all parents; a parent that a shallow clone does not have ends its branch.
  result<std::optional<ancestor>> nearest(const std::string& revision,
                                          const std::function<bool(const std::string& tree)>& is_measured) const;

  /// Every commit from `revision` backwards, nearest first, until `visit` says that it has seen enough.
  result<void> walk(const std::string& revision, const std::function<bool(const ancestor&)>& enough) const;

  /// How much each file changed lately: of the nearest `commits` commits, without merges, the first one and those of
  /// which a shallow clone has no parent, each that changed it counts e^(-a / 180) when it is a days older than HEAD.
  /// Empty for a repository that cannot be read.
  std::map<std::string, double> churn(std::size_t commits) const;

  /// The commit where HEAD left the branch that others work on: `origin/HEAD`, or the first that is there of main and
  /// master at `origin` and here. Nothing if there is none, or it has nothing in common with HEAD.
  std::optional<std::string> branch_point() const;

  /// Names of branches, remote ones too, and tags.
  std::vector<std::string> references() const;
  /// When a commit was made, in seconds since 1970; nothing for one that is not there.
  std::optional<std::int64_t> time_of(const std::string& commit) const;

  /// What differs between a commit's tree, overridden by `replaced`, and the work tree: tracked files, and untracked
  /// ones that `wanted` accepts or that `replaced` names. Files that git ignores never appear.
  /// With `known`, calls for the same tree look at the work tree once; those for its submodules each time.
  result<std::vector<file_change>> changes_since(const std::string& tree, const std::vector<replaced_file>& replaced,
                                                 const std::function<bool(const std::string&)>& wanted,
                                                 known_differences* known = nullptr) const;

  /// Of files of the work tree, what git would store: ends of lines, encodings and filters as attributes say. One that
  /// cannot be read is missing in the answer. Paths are relative to root(); one that is absolute is read as it is.
  result<std::map<std::string, std::string>> contents(const std::vector<std::string>& paths) const;

  /// Without fetching it.
  bool has_tree(const std::string& tree) const;

  /// Older commits are missing: a baseline that lies behind the border cannot be found.
  bool is_shallow() const;
  /// Contents or folders of older commits may be missing, and are fetched when they are compared.
  bool is_partial() const;
  bool is_detached() const;
  /// Whether git would ignore a file at this path (relative to root()).
  bool ignores(const std::string& path) const;
  /// The top of the main working copy, if this one is linked to it (`git worktree`); else empty.
  std::filesystem::path main_root() const;

 private:
  struct submodule {
    std::string path;
    std::shared_ptr<repository> checked_out;  // null: it is not
    bool readable = true;                     // else why is unknown
  };
  static result<repository> open(const std::filesystem::path& folder, unsigned flags);
  const submodule* find_submodule(const std::string& path) const;
  result<std::vector<dirty_file>> files_unlike(const std::string& tree,
                                               const std::function<bool(const std::string&)>& wanted) const;
  result<bool> tracked_files_differ(const std::string& tree) const;

  struct closer {
    void operator()(git_repository* handle) const;
  };
  std::shared_ptr<git_repository> handle_;
  std::filesystem::path root_;
  std::shared_ptr<git_index> index_;
  std::vector<submodule> submodules_;  // of the index, in its order
  mutable std::map<std::filesystem::path, std::filesystem::path> canonical_folders_;
  mutable std::map<std::filesystem::path, std::string> targets_;
};

/// Whether a name that repository::name_of() gave is that of a file outside.
bool is_outside(std::string_view name);

/// git's own hash of a blob with this content.
std::string blob_hash(const std::string& content);

/// A patch of one file with three lines of context, as `git apply` takes it.
std::string unified_diff(const std::string& path, const std::string& before, const std::string& after);

/// Makes `change` that from one text to another, line by line.
void set_texts(file_change& change, const std::string& before, const std::string& after);

/// The changed lines between two texts, without context.
std::vector<hunk> diff_lines(const std::string& before, const std::string& after);

}  // namespace morph::git
