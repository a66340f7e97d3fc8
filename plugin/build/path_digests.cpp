// Looking at paths.
#include "plugin/build/path_digests.hpp"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <utility>

#include "plugin/git/repository.hpp"
#include "plugin/system/files.hpp"

namespace morph::build {
namespace {

namespace fs = std::filesystem;

std::int64_t nanoseconds(const timespec& t) {
  return std::int64_t{t.tv_sec} * 1'000'000'000 + t.tv_nsec;
}

/// Nothing there, or something that nobody may look at.
std::optional<std::string> no_facts() {
  if (errno == EACCES) return "unreadable";
  return std::nullopt;
}

}  // namespace

bool is_of_kernel(std::string_view path) {
  return system::is_inside(path, "/proc") || system::is_inside(path, "/sys") ||
         (system::is_inside(path, "/dev") && !system::is_inside(path, "/dev/shm")) || path == "/etc/ld.so.cache";
}

bool is_temporary_folder(const std::string& path) {
  std::error_code error;
  return path == "/tmp" || path == "/var/tmp" || path == "/dev/shm" ||
         path == fs::weakly_canonical(fs::temp_directory_path(error), error).string();
}

bool is_of_surroundings(std::string_view variable) {
  static constexpr std::array<std::string_view, 13> names{
      "_",     "CLICOLOR", "CLICOLOR_FORCE", "COLORTERM", "COLUMNS", "DASHBOARD_TEST_FROM_CTEST",
      "LINES", "MFLAGS",   "NO_COLOR",       "OLDPWD",    "PWD",     "SHLVL",
      "TERM"};
  static constexpr std::array<std::string_view, 8> prefixes{"CTEST_", "GCOV_",  "GTEST_",      "MAKE",
                                                            "MORPH_", "TMPDIR", "TEST_TMPDIR", "TESTBRIDGE_"};
  return std::find(names.begin(), names.end(), variable) != names.end() ||
         std::any_of(prefixes.begin(), prefixes.end(), [&](auto prefix) { return variable.starts_with(prefix); });
}

resolved_path resolve_path(const std::string& path) {
  constexpr int most_links = 40;  // as the kernel
  resolved_path found;
  fs::path at = "/";
  std::vector<fs::path> left;  // the next one last
  const auto push = [&](const fs::path& parts) {
    const std::vector<fs::path> list(parts.begin(), parts.end());
    left.insert(left.end(), list.rbegin(), list.rend());
  };
  push(fs::path(path).relative_path());
  std::error_code error;
  while (!left.empty()) {
    const fs::path part = left.back();
    left.pop_back();
    if (part == "..") at = at.parent_path();
    if (part.empty() || part == "." || part == "..") continue;
    if (!fs::is_symlink(at / part, error)) {
      at /= part;
      continue;
    }
    found.links.push_back((at / part).string());
    if (found.links.size() > most_links) break;
    const fs::path target = fs::read_symlink(at / part, error);
    if (target.is_absolute()) at = "/";
    push(target.relative_path());
  }
  found.real = at.string();
  return found;
}

void changed_paths::add(const std::string& path) {
  const fs::path named(path);
  paths_.insert(resolve_path(path).real);
  paths_.insert((fs::path(resolve_path(named.parent_path().string()).real) / named.filename()).string());
}

bool changed_paths::has(const std::string& real) const {
  if (paths_.empty()) return false;
  for (std::string_view path = real; path.size() > 1; path = path.substr(0, path.rfind('/')))
    if (paths_.find(path) != paths_.end()) return true;
  return false;
}

bool is_before(const timespec& a, const timespec& b) {
  return std::pair(a.tv_sec, a.tv_nsec) < std::pair(b.tv_sec, b.tv_nsec);
}

path_digests::path_digests(fs::path cache) : contents_(std::move(cache), git::blob_hash) {}

std::optional<std::string> path_digests::of_file(const std::string& path) {
  constexpr off_t most_bytes = 16 << 20;
  struct stat facts {};
  if (::stat(path.c_str(), &facts) != 0) return no_facts();
  if (S_ISDIR(facts.st_mode)) return "folder";
  if (!S_ISREG(facts.st_mode)) return "no file";
  if (facts.st_size > most_bytes) return fmt::format("{} bytes of {}", facts.st_size, nanoseconds(facts.st_mtim));
  auto digest = contents_.of(path, facts);
  return digest ? std::move(digest) : "unreadable";
}

std::optional<std::string> path_digests::of_files(const std::string& glob,
                                                  const std::function<bool(const std::string&)>& counts) {
  constexpr std::size_t most_files = 100000;
  std::error_code error;
  const std::size_t special = std::min(glob.find_first_of("*?"), glob.size());
  const bool is_whole_folder = glob.ends_with('/') || (special == glob.size() && fs::is_directory(glob, error));
  const std::string pattern = is_whole_folder && !glob.ends_with('/') ? glob + "/" : glob;
  const std::size_t slash = pattern.rfind('/', special == glob.size() ? pattern.size() - 1 : special);
  const fs::path top = pattern.substr(0, std::max<std::size_t>(slash, 1));
  const bool goes_down =
      is_whole_folder || glob.find('/', special) != std::string::npos || glob.find("**") != std::string::npos;
  std::vector<std::string> found;
  const auto options = fs::directory_options::follow_directory_symlink | fs::directory_options::skip_permission_denied;
  for (fs::recursive_directory_iterator at(top, options, error), end; !error && at != end; at.increment(error)) {
    if (!goes_down || at.depth() > 100) at.disable_recursion_pending();
    const std::string path = at->path().string();
    if (at->is_directory(error) || !system::matches_glob(pattern, path.substr(1)) || (counts && !counts(path)))
      continue;
    found.push_back(path);
    if (found.size() > most_files) return std::string(too_many_files);
  }
  std::sort(found.begin(), found.end());
  std::string text;
  for (const std::string& path : found)
    text += fs::path(path).lexically_relative(top).string() + '\0' + of_file(path).value_or("") + '\n';
  return std::string(files_mark) + git::blob_hash(text);
}

std::optional<std::string> path_digests::of_names(const std::string& folder,
                                                  const std::function<bool(const std::string&)>& counts) {
  struct stat facts {};
  if (::stat(folder.c_str(), &facts) != 0) return no_facts();
  if (!S_ISDIR(facts.st_mode)) return "no folder";
  std::vector<std::string> names;
  std::error_code error;
  for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error))
    if (std::string name = at->path().filename().string(); !counts || counts(name)) names.push_back(std::move(name));
  if (error) return "unreadable";
  std::sort(names.begin(), names.end());
  std::string text;
  for (const std::string& name : names) text += name + '\0';
  return "names " + git::blob_hash(text);
}

std::optional<std::string> path_digests::of_link(const std::string& path) {
  std::error_code error;
  const fs::path target = fs::read_symlink(path, error);
  if (!error) return std::string(link_mark) + git::blob_hash(target.string());
  return fs::exists(path, error) ? std::optional<std::string>("no link") : std::nullopt;
}

std::optional<std::string> path_digests::of_presence(const std::string& path) {
  struct stat facts {};
  if (::stat(path.c_str(), &facts) != 0) return no_facts();
  return S_ISDIR(facts.st_mode) ? "folder" : "file";
}

std::string stamp_of_path(const std::string& path) {
  struct stat facts {};
  if (::stat(path.c_str(), &facts) != 0) return "";
  if (S_ISDIR(facts.st_mode)) return path_digests::of_names(path).value_or("");
  return fmt::format("{} {} {} {} {}", facts.st_dev, facts.st_ino, facts.st_size, nanoseconds(facts.st_mtim),
                     nanoseconds(facts.st_ctim));
}

}  // namespace morph::build
