// A small project under git in a folder of its own: what a user of Morph has and does.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "process.hpp"

namespace morph::end_to_end {

using names = std::vector<std::string>;

/// What `morph plan --json` printed.
class plan_view {
 public:
  explicit plan_view(nlohmann::json plan) : json(std::move(plan)) {}

  nlohmann::json json;

  std::string state() const { return json.at("state"); }
  std::string suite_state(const std::string& suite) const;
  names selected() const;                        // alphabetically
  names in_order() const;                        // the selected ones by rank
  names deferred() const;                        // alphabetically
  names reasons(const std::string& test) const;  // a test that occurs twice: of its first copy
  names marks(const std::string& test) const;
  names notes() const { return json.at("notes"); }
  const nlohmann::json& test(const std::string& name) const;
};

/// An empty folder under the system's temporary directory, removed with all that it holds.
class scratch_folder {
 public:
  scratch_folder();
  scratch_folder(const scratch_folder&) = delete;
  scratch_folder& operator=(const scratch_folder&) = delete;
  ~scratch_folder();
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

/// Folders with `bin/cmake` of other releases, named by these, in that order: those in MORPH_CMAKES.
std::vector<std::filesystem::path> other_cmakes();

/// The first programs of that folder are found, as long as it lives.
class path_in_front {
 public:
  explicit path_in_front(const std::filesystem::path& folder);
  path_in_front(const path_in_front&) = delete;
  path_in_front& operator=(const path_in_front&) = delete;
  ~path_in_front();

 private:
  std::string before_;
};

/// MORPH_TEST_COMPILER, else the one that compiled this.
std::string tested_compiler();

/// Commands that prepare a situation throw with the output of what failed; those under test return what they did.
class project {
 public:
  project(std::filesystem::path root, std::filesystem::path home);

  const std::filesystem::path& root() const { return root_; }
  std::filesystem::path build_dir() const { return root_ / "build"; }
  std::filesystem::path store() const { return root_ / ".morph" / "evidence.db"; }

  /// Applies to every program that is started from now on.
  void set_variable(const std::string& name, const std::string& value) { environment_[name] = value; }
  void unset_variable(const std::string& name) { environment_.erase(name); }
  const variables& environment() const { return environment_; }

  void write(const std::string& path, const std::string& text) const;
  std::string read(const std::string& path) const;
  void replace(const std::string& path, const std::string& old_text, const std::string& new_text) const;
  void remove(const std::string& path) const;

  finished run(const std::vector<std::string>& command) const;
  void must_run(const std::vector<std::string>& command) const;
  std::string git(std::vector<std::string> arguments) const;          // what it printed, without the last newline
  void start_repository() const;                                      // git init, .gitignore, all files in one commit
  std::string commit(const std::string& message = "a change") const;  // everything; returns the id

  finished try_configure(std::vector<std::string> arguments = {}) const;
  void configure(std::vector<std::string> arguments = {}) const;
  finished try_build() const;
  void build() const;

  std::vector<std::string> morph_command(std::vector<std::string> arguments) const;  // with --build
  finished morph(std::vector<std::string> arguments) const;
  finished try_measure(std::vector<std::string> arguments = {}) const;
  void measure() const;
  plan_view plan(std::vector<std::string> arguments = {}) const;
  finished ctest(std::vector<std::string> arguments = {}, const std::string& directory = "build") const;

 private:
  std::filesystem::path root_;
  variables environment_;
};

/// Whether a plan says so of the row that it goes by.
bool failed_when_measured(const project& p, const std::string& test);

/// What lies in a folder, by relative path: enough to see what was written, replaced or moved since.
struct file_stamp {
  std::uint64_t mode = 0, owner = 0, inode = 0, size = 0;
  std::int64_t written = 0, changed = 0;  // in ns
  bool operator==(const file_stamp&) const = default;
};
using file_stamps = std::map<std::string, file_stamp>;

/// A project with a copy of itself, to which it is put back.
class workspace {
 public:
  workspace();
  /// Has the project written, committed, configured with these arguments, built, measured and saved.
  explicit workspace(void (*write)(const project&), const std::vector<std::string>& arguments = {});
  project& here() { return project_; }
  const std::filesystem::path& folder() const { return folder_.path(); }
  void save();
  void restore();  // environment included; copies what is no longer as it was saved

 private:
  void note_stamps();
  void take_from_saved(const names& paths) const;

  scratch_folder folder_;
  project project_;
  variables environment_;
  file_stamps stamps_;
  file_stamp root_stamp_;
};

// ---- what ctest prints

/// Names that `ctest -N` lists, in its order.
names listed(const std::string& output);
/// Names that ctest started, in its order.
names started(const std::string& output);
/// Names that failed, in ctest's order.
names failed(const std::string& output);
names sorted(names of);

std::string read_bytes(const std::filesystem::path& path);
void write_bytes(const std::filesystem::path& path, const std::string& bytes);

}  // namespace morph::end_to_end
