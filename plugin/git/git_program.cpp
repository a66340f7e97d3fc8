// Processes of git.
#include "plugin/git/git_program.hpp"

#include <fmt/format.h>
#include <git2.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <optional>
#include <sstream>
#include <string_view>

#include "plugin/system/files.hpp"
#include "plugin/system/process.hpp"
#include "plugin/system/result.hpp"

namespace morph::git {
namespace {

namespace fs = std::filesystem;
/// For files of ours that git reads or writes.
class scratch_folder {
 public:
  scratch_folder() {
    std::error_code error;
    std::string name = (fs::temp_directory_path(error) / "morph-git-XXXXXX").string();
    if (::mkdtemp(name.data()) != nullptr) path_ = name;
  }
  scratch_folder(const scratch_folder&) = delete;
  scratch_folder& operator=(const scratch_folder&) = delete;
  ~scratch_folder() {
    std::error_code ignored;
    if (!path_.empty()) fs::remove_all(path_, ignored);
  }
  const fs::path& path() const { return path_; }

 private:
  fs::path path_;  // empty: there is none
};

/// The line that says why git gave up; hints and progress stand around it.
std::string reason_in(const std::string& messages) {
  std::istringstream lines(messages);
  std::string last;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("fatal: ") || line.starts_with("error: ")) return line;
    if (!line.empty()) last = line;
  }
  return last;
}

/// Arguments of one process may have some 2 MiB together.
std::vector<std::vector<std::string>> in_parts(const std::vector<std::string>& all) {
  constexpr std::size_t most = 512 * 1024;
  std::vector<std::vector<std::string>> parts;
  std::size_t size = most;
  for (const std::string& each : all) {
    if (size + each.size() >= most) {
      parts.emplace_back();
      size = 0;
    }
    parts.back().push_back(each);
    size += each.size() + 16;
  }
  return parts;
}

using variables = std::vector<std::pair<std::string, std::optional<std::string>>>;

/// What git printed.
result<std::string> ask_git(const git_place& place, const std::vector<std::string>& arguments,
                            const variables& environment = {}) {
  system::command c;
  c.arguments = {"git", "--no-optional-locks"};
  c.arguments.insert(c.arguments.end(), arguments.begin(), arguments.end());
  c.directory = place.work_tree.string();
  c.environment = {{"GIT_DIR", place.git_dir.string()},
                   {"GIT_WORK_TREE", place.work_tree.string()},
                   {"GIT_TERMINAL_PROMPT", "0"},  // nobody would answer
                   {"LC_ALL", "C"}};
  for (const char* name : {"GIT_COMMON_DIR", "GIT_INDEX_FILE", "GIT_OBJECT_DIRECTORY",
                           "GIT_ALTERNATE_OBJECT_DIRECTORIES", "GIT_NAMESPACE", "GIT_PREFIX"})
    if (std::none_of(environment.begin(), environment.end(), [&](const auto& e) { return e.first == name; }))
      c.environment.emplace_back(name, std::nullopt);
  c.environment.insert(c.environment.end(), environment.begin(), environment.end());
  system::process_end end = system::run(c);
  if (end.succeeded()) return std::move(end.out);
  if (end.how == system::process_end::kind::not_started) return tl::unexpected(fmt::format("'git': {}", end.err));
  const std::string why = reason_in(end.err);
  return tl::unexpected(why.empty() ? system::describe(end, c.timeout) : why);
}

}  // namespace

result<std::map<std::string, std::string>> clean_by_git(const git_place& place, const fs::path& objects,
                                                        const std::vector<std::string>& paths) {
  const scratch_folder own;
  std::error_code error;
  fs::create_directories(own.path() / "info", error);
  if (auto written = system::write_file_atomically(own.path() / "info" / "alternates", objects.string() + '\n');
      !written)
    return tl::unexpected(written.error());
  std::map<std::string, std::string> ids;
  for (const std::vector<std::string>& part : in_parts(paths)) {
    // core.safecrlf would refuse what `git diff` shows.
    std::vector<std::string> arguments{"-c", "core.safecrlf=false", "-c", "core.fsync=none", "hash-object", "-w", "--"};
    arguments.insert(arguments.end(), part.begin(), part.end());
    const auto answer = ask_git(place, arguments, {{"GIT_OBJECT_DIRECTORY", own.path().string()}});
    if (!answer) return tl::unexpected(answer.error());
    std::istringstream lines(*answer);
    for (const std::string& path : part)
      if (!std::getline(lines, ids[path])) return tl::unexpected(std::string("git hash-object printed too little"));
  }
  git_odb* raw = nullptr;
  if (git_odb_open(&raw, own.path().c_str()) != 0)  // with its alternates
    return tl::unexpected(fmt::format("'{}' cannot be read", own.path().string()));
  const std::unique_ptr<git_odb, void (*)(git_odb*)> database(raw, git_odb_free);
  std::map<std::string, std::string> contents;
  for (const auto& [path, id] : ids) {
    git_oid oid;
    git_odb_object* object = nullptr;
    if (git_oid_fromstr(&oid, id.c_str()) != 0 || git_odb_read(&object, raw, &oid) != 0)
      return tl::unexpected(fmt::format("object {} of '{}' cannot be read", id, path));
    contents[path].assign(static_cast<const char*>(git_odb_object_data(object)), git_odb_object_size(object));
    git_odb_object_free(object);
  }
  return contents;
}

result<void> fetch_by_git(const git_place& place, const std::string& remote, const std::vector<std::string>& ids) {
  for (const std::vector<std::string>& part : in_parts(ids)) {
    // As git itself does for an object that it lacks; a tree brings those below it.
    std::vector<std::string> arguments{"-c",
                                       "gc.auto=0",
                                       "-c",
                                       "maintenance.auto=false",
                                       "-c",
                                       "fetch.negotiationAlgorithm=noop",
                                       "fetch",
                                       "--quiet",
                                       "--no-tags",
                                       "--no-write-fetch-head",
                                       "--recurse-submodules=no",
                                       "--filter=blob:none",
                                       remote};
    arguments.insert(arguments.end(), part.begin(), part.end());
    if (auto answer = ask_git(place, arguments); !answer) return tl::unexpected(answer.error());
  }
  return {};
}

result<std::shared_ptr<git_index>> plain_index_by_git(const git_place& place) {
  const scratch_folder own;
  const fs::path copy = own.path() / "index";
  std::error_code error;
  fs::copy_file(place.git_dir / "index", copy, error);
  if (error) return tl::unexpected(fmt::format("'{}': {}", (place.git_dir / "index").string(), error.message()));
  const auto answer = ask_git(place,
                              {"-c", "core.splitIndex=false", "-c", "index.sparse=false", "-c", "core.fsmonitor=false",
                               "-c", "core.untrackedCache=false", "update-index", "--force-write-index"},
                              {{"GIT_INDEX_FILE", copy.string()}});
  if (!answer) return tl::unexpected(answer.error());
  git_index* raw = nullptr;
  const bool is_open = git_index_open(&raw, copy.c_str()) == 0;
  std::shared_ptr<git_index> index(raw, git_index_free);
  if (!is_open || git_index_read(raw, 1) != 0)
    return tl::unexpected(std::string(git_error_last() == nullptr ? "unknown error" : git_error_last()->message));
  return index;
}

}  // namespace morph::git
