// build.ninja as a graph: who reads a file, and what is made of it.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "plugin/build/build_tree.hpp"
#include "plugin/build/dependencies.hpp"
#include "plugin/build/ninja_statements.hpp"

namespace morph::build {

/// Whether a command names a file that is called so, in whatever folder.
bool names_file(std::string_view command, std::string_view name);

/// Whether the text has the name other than as the beginning of a longer word, as the end of another file's name, which
/// a slash begins, or behind an underscore. Letters that stand glued in front of it may be an option's.
bool may_name(std::string_view text, std::string_view name);

/// What the build makes of a file.
struct products {
  bool by_command = false;        // CMake aside, a command reads it
  bool on_demand = false;         // and one that is_run_on_demand()
  bool is_known = true;           // all of the following is
  std::set<std::string> files;    // made by commands; absolute
  std::set<std::string> objects;  // compiled of it or of them; as dependencies have them
};

/// Empty for other generators than Ninja. Files are absolute.
class build_graph {
 public:
  explicit build_graph(const build_tree& tree);

  /// Whether a statement or a rule may name a file that is called so.
  bool names(const std::string& name);
  const std::vector<build_statement>& statements();
  std::string absolute(const std::string& path) const;

  /// Files that CMake reads when it configures.
  const std::set<std::string>& configured();

  /// Beside compilers, linkers and CMake.
  bool is_read_by_command(const std::string& file);

  /// `read`: who reads what, of the last build.
  products of(const std::string& file, const dependency_map& read);

  /// The archives that an object goes into, if nobody links or otherwise reads one of them, and nobody but them the
  /// object. Absolute; empty if there are none, or somebody may.
  std::set<std::string> idle_archives_of(const std::string& object);

  /// A custom target that nothing waits for and a build of everything leaves out: a formatter, say. It makes no file
  /// that ninja knows of, and so runs whenever somebody asks for it.
  bool is_run_on_demand(const build_statement& s);

  /// Whether a build of everything runs commands of the project, which may read and make what they do not say.
  bool runs_commands();

  /// Whether a program or library is linked with something that commands make, beside objects and libraries.
  bool links_made_files();

 private:
  using follower = std::function<void(const std::string&)>;

  void load();
  /// The statements that make files, and all that these need.
  std::set<const build_statement*> makers_of(std::vector<std::string> files);
  bool has(const std::vector<std::string>& words, const std::string& path) const;
  void add(const build_statement& s, const std::string& path, bool is_first, products& found, const follower& follow);

  std::filesystem::path folder_;
  bool is_ninja_;
  std::optional<std::string> text_;
  std::string rules_;
  std::optional<std::vector<build_statement>> statements_;
  std::optional<std::set<std::string>> configured_;
  std::optional<std::set<const build_statement*>> needed_;  // by other statements, or a build of everything
};

}  // namespace morph::build
