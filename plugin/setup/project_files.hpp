// The CMake files of a project, read by their own include structure; nothing is evaluated.
#pragma once

#include <fmt/format.h>

#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "plugin/build/cmake_syntax.hpp"
#include "plugin/setup/proposal.hpp"
#include "plugin/system/result.hpp"

namespace morph::setup {

using names = std::vector<std::string>;

struct place {
  std::size_t file = 0;
  std::size_t command = 0;
};

struct source_file {
  std::string path;
  std::string folder;  // CMAKE_CURRENT_SOURCE_DIR, relative to the top
  std::string text;
  std::vector<build::cmake_command> commands;
  std::size_t parent = 0;              // index of the file that reads it
  std::size_t parent_at = 0;           // index of the command there
  std::vector<place> other_parents{};  // commands of files before it that read it, too: in other branches
};

/// Refers to the project; what cannot be told goes into the proposal.
class reading {
 public:
  reading(const project_text& project, proposal& into) : project_(project), into_(into) {}

  /// Follows add_subdirectory() and include() from the top.
  result<void> read_all();

  const build::cmake_command& at(place p) const { return files[p.file].commands[p.command]; }
  std::string where(place p) const { return fmt::format("{}:{}", files[p.file].path, at(p).line); }
  std::string spelling(place p, const build::cmake_argument& a) const;

  template <typename Visit>
  void each(Visit visit) const {
    for (std::size_t f = 0; f < files.size(); ++f)
      for (std::size_t c = 0; c < files[f].commands.size(); ++c) visit(place{f, c}, files[f].commands[c]);
  }

  /// The frameworks among what a target links, as far as the text tells: by the names of targets, and by what its own
  /// sources and those of the project's targets include.
  struct guess {
    std::set<std::string> linked;
    std::set<std::string> included;
    bool may_have_cases = false;  // some source mentions tests, or not all of the target's own sources can be read
  };
  guess frameworks_of(const std::string& target, std::size_t file) const;

  /// The files of the project that its add_executable() names.
  std::set<std::string> sources_of(const std::string& target) const;

  /// A target of this project. What wraps add_executable() is known by what links to it.
  bool is_target(const std::string& name, std::size_t file) const;

  std::vector<source_file> files;

 private:
  result<void> read(const std::string& path, const std::string& folder, place from);
  /// A word of a target's sources as a path relative to the top.
  std::string source_path(const std::string& word, place from) const;
  /// The frameworks of a source, and of headers of the project that it includes by their places.
  void add_included(const std::string& path, std::set<std::string>& read, std::set<std::string>& found) const;
  /// Whether a word of a target's sources may be a source that cannot be read here.
  bool is_unread_source(const std::string& word, place from) const;
  /// A path relative to the top; nothing if it refers to something unknown.
  std::optional<std::string> resolve(const std::string& text, place from) const;
  void follow(place p);
  void follow_file(const std::string& path, const std::string& folder, place from);
  /// The arguments behind the first; `${variable}` gives every word that the file ever sets it to.
  names words(place p) const;
  void add_words(std::size_t file, const std::string& text, names& found, unsigned depth) const;
  void add_matches(std::size_t file, const build::cmake_command& c, names& found) const;

  const project_text& project_;
  proposal& into_;
};

}  // namespace morph::setup
