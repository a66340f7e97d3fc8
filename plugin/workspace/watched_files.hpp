// Files outside of the repository that the build reads: which these are, what they hold, and how they changed.
//
// A measurement keeps them as overrides of its commit's tree, by the names that repository::name_of() gives. A folder,
// whose name ends in '/', holds the names of the sources in it: a new one may be compiled from now on.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "plugin/build/build_reads.hpp"
#include "plugin/build/build_tree.hpp"
#include "plugin/git/repository.hpp"
#include "plugin/selection/file_kind.hpp"
#include "plugin/store/store.hpp"
#include "plugin/system/digest_cache.hpp"

namespace morph::workspace {

/// Whether git tells nothing of it: it lies outside, or is a folder.
bool is_watched_apart(const std::string& name);

/// git's hash of the file that an override keeps, with its text or without.
std::string_view hash_in(const std::string& blob);

/// Whether a measurement was taken from more than a commit and what lies outside of its repository.
bool has_uncommitted_changes(const store::snapshot& measured);

/// Which files outside count, in a twin.
class outside_rules {
 public:
  explicit outside_rules(const build::build_tree& twin);

  /// Not those of the system, of compilers and CMake, nor products of the build, nor Morph's own. `path` is absolute.
  bool counts(const std::string& path) const;
  /// A header of a library that the project merely uses: found in a folder that compilers take for the system's, or
  /// installed. Its lines are nobody's to test.
  bool is_others(const std::string& path, const std::string& name) const;

 private:
  std::set<std::string> products_;  // folders
  build::include_folders folders_;
  mutable std::map<std::filesystem::path, bool> is_of_morph_;  // by folder
  mutable std::unordered_map<std::string, bool> counts_;
};

/// What such files hold now. <build>/.morph/watched.json knows which they are.
class watched_files {
 public:
  watched_files(const build::build_tree& tree, const git::repository& repo, const selection::file_kinds& kinds);
  watched_files(const watched_files&) = delete;
  watched_files& operator=(const watched_files&) = delete;
  /// Keeps what it found out, if the build tree can be written.
  ~watched_files();

  /// git's hash; nothing if there is no such file.
  std::optional<std::string> hash_of(const std::string& name);
  bool is_as(const store::override_file& measured);

  /// What a file or folder holds; nothing if it is not there.
  std::optional<std::string> content_of(const std::string& name) const;

  /// From what was measured until now, of overrides that are watched apart. Where the old text was not kept, a file
  /// changed as a whole.
  result<std::vector<git::file_change>> changes_since(const std::vector<store::override_file>& measured,
                                                      store::evidence_store& evidence);

  /// Of the last measurement or baseline of this build tree.
  const std::set<std::string>& names() const { return names_; }
  void set_names(std::set<std::string> names);
  void add_names(const std::vector<store::override_file>& measured);

 private:
  std::filesystem::path path_of(const std::string& name) const { return repo_.root() / name; }
  std::string sources_in(const std::string& name) const;

  std::filesystem::path file_;
  const git::repository& repo_;
  const selection::file_kinds& kinds_;
  std::set<std::string> names_;
  system::digest_cache contents_;
  std::map<std::string, std::optional<std::string>> now_;
  bool is_changed_ = false;
};

/// As a measurement keeps it. `whole`: with its text, if that is small enough, from which lines can be compared.
struct kept_file {
  store::override_file file;
  std::string content;  // for the store, under file.blob
};
std::optional<kept_file> keep_file(watched_files& files, const std::string& name, bool whole);

}  // namespace morph::workspace
