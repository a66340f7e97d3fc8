// What is found at a path, as a text that is equal for equal finds: of files that no commit holds.
#pragma once

#include <ctime>
#include <filesystem>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "plugin/system/digest_cache.hpp"

namespace morph::build {

/// Of the kernel and the loader, not of the machine's content: /proc, /sys, devices, ld.so.cache.
bool is_of_kernel(std::string_view path);

/// Folders for temporary files themselves: what else lies in them says nothing.
bool is_temporary_folder(const std::string& path);

/// They say where or for whom a program runs, not what it does: terminals, temporary folders, the shell's notes, and
/// what make, ctest, frameworks and measuring itself use.
bool is_of_surroundings(std::string_view variable);

/// The way to a file that need not be there.
struct resolved_path {
  std::string real;
  std::vector<std::string> links;  // that are followed on the way, each by its real folder and its name
};
resolved_path resolve_path(const std::string& path);

/// Paths that a process changed by itself.
class changed_paths {
 public:
  /// Links resolved, and as it is named.
  void add(const std::string& path);
  void add(const changed_paths& others) { paths_.insert(others.paths_.begin(), others.paths_.end()); }
  /// It, or a folder above it.
  bool has(const std::string& real) const;

 private:
  std::set<std::string, std::less<>> paths_;
};

bool is_before(const timespec& a, const timespec& b);

/// Digests, each nothing if there is no such file. Contents are remembered in `cache` (digest_cache). Of a file above
/// 16 MiB size and time stand for the content.
class path_digests {
 public:
  explicit path_digests(std::filesystem::path cache = {});

  /// Where links lead in the end. Of what is no plain file only that.
  std::optional<std::string> of_file(const std::string& path);
  /// Files that a glob matches, by name and content; one that names a folder means what is in it. `counts` gets
  /// absolute paths.
  std::optional<std::string> of_files(const std::string& glob, const std::function<bool(const std::string&)>& counts);

  /// The names in a folder, as far as they count.
  static std::optional<std::string> of_names(const std::string& folder,
                                             const std::function<bool(const std::string& name)>& counts = {});
  static std::optional<std::string> of_link(const std::string& path);
  static std::optional<std::string> of_presence(const std::string& path);

  /// How the digests of links and of globs begin: what has them is looked at in the same way again.
  static constexpr std::string_view link_mark = "link ", files_mark = "files ";
  /// Of a glob: they are not compared, and count as changed.
  static constexpr std::string_view too_many_files = "files without end";

 private:
  system::digest_cache contents_;
};

/// Changes with each change of what is at a path, and sometimes without: times count. Of a folder its names.
std::string stamp_of_path(const std::string& path);

}  // namespace morph::build
