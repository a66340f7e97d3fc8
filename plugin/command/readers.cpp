// build.ninja, CMake's text, globs, and the files that tests opened.
#include "plugin/command/readers.hpp"

#include <fnmatch.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <sstream>

#include "plugin/project/build_statements.hpp"
#include "plugin/project/build_tools.hpp"
#include "plugin/project/cmake_text.hpp"
#include "plugin/project/files.hpp"
#include "plugin/project/process.hpp"

namespace morph::command {
namespace {

namespace fs = std::filesystem;
using project::build_statement;
using project::build_tree;
using project::file_change;
using selection::file_kind;

bool is_main_source(const std::string& path) {
  static const std::set<std::string> extensions{".c", ".cc", ".cpp", ".cxx", ".c++", ".C"};
  return extensions.count(fs::path(path).extension().string()) != 0;
}

/// Compilers and linkers find such files by themselves, or by an option that nobody looks into.
bool is_for_compilers(const std::string& path) {
  static const std::set<std::string> extensions{
      ".S",   ".a",   ".asm",  ".cfg",  ".cu",    ".def",  ".exp", ".f",     ".f90", ".inc",     ".ipp",
      ".ld",  ".lds", ".list", ".m",    ".map",   ".mm",   ".o",   ".order", ".pch", ".pcm",     ".profdata",
      ".rsp", ".s",   ".so",   ".spec", ".specs", ".supp", ".sym", ".syms",  ".ver", ".version", ".x"};
  const fs::path name = fs::path(path).filename();
  return extensions.count(name.extension().string()) != 0 || extensions.count(name.string()) != 0;
}

/// Names that ninja, CMake or shells write otherwise could be there unseen.
bool is_plain(const std::string& name) {
  return name.find_first_of("$: \"'\\;#()[]{}*?&|<>`!~") == std::string::npos;
}

/// Whether a command has this path as a word, or as a part of one.
bool names_path(std::string_view command, const std::string& path) {
  static constexpr std::string_view before = " \t\"'=;:,@(", behind = " \t\"';:,)";
  for (auto at = command.find(path); at != std::string_view::npos; at = command.find(path, at + 1)) {
    const auto end = at + path.size();
    if ((at == 0 || before.find(command[at - 1]) != std::string_view::npos) &&
        (end == command.size() || behind.find(command[end]) != std::string_view::npos))
      return true;
  }
  return false;
}

/// Targets that CMake adds to every build, and that no build runs by itself.
bool is_of_cmake(const build_statement& statement) {
  return !statement.outputs.empty() && statement.outputs.front().ends_with(".util") &&
         statement.outputs.front().find("CMakeFiles/") != std::string::npos;
}

/// What the build makes of a file.
struct products {
  bool by_command = false;        // CMake aside, a command reads it
  bool is_known = true;           // all of the following is
  std::set<std::string> files;    // made by commands; absolute
  std::set<std::string> objects;  // compiled of it or of them; as dependencies have them
};

/// build.ninja as a graph. Empty for other generators.
class build_graph {
 public:
  explicit build_graph(const build_tree& tree) : folder_(tree.binary_dir), is_ninja_(tree.generator == "Ninja") {}

  bool names(const std::string& word) {
    load();
    return text_->find(word) != std::string::npos || rules_.find(word) != std::string::npos;
  }
  const std::vector<build_statement>& statements() {
    load();
    if (!statements_) statements_ = project::build_statements(*text_);
    return *statements_;
  }
  std::string absolute(const std::string& path) const { return (folder_ / path).lexically_normal().string(); }

  /// Files that CMake reads when it configures; absolute.
  const std::set<std::string>& configured() {
    if (!configured_) {
      configured_.emplace();
      for (const build_statement& s : statements())
        if (s.rule == "RERUN_CMAKE")
          for (const std::string& input : s.inputs) configured_->insert(absolute(input));
    }
    return *configured_;
  }

  /// `file`: absolute. Beside compilers, linkers and CMake.
  bool is_read_by_command(const std::string& file) {
    return std::any_of(statements().begin(), statements().end(), [&](const build_statement& s) {
      const bool is_command = s.what() == build_statement::kind::command && !is_of_cmake(s);
      return is_command && (has(s.inputs, file) || has(s.waits_for, file) || names_path(s.commands(), file));
    });
  }

  /// `file`: absolute. `read`: who reads what, of the last build.
  products of(const std::string& file, const project::dependency_map& read) {
    products found;
    std::vector<std::string> open{file};
    std::set<std::string> seen{file};
    const auto follow = [&](const std::string& made) {
      if (seen.insert(made).second) open.push_back(made);
    };
    while (!open.empty()) {
      const std::string path = std::move(open.back());
      open.pop_back();
      for (const auto& [output, files] : read) {
        if (std::find(files.begin(), files.end(), path) == files.end()) continue;
        if (is_object(output)) {
          found.objects.insert(output);
        } else {
          found.by_command = true;
          found.files.insert(absolute(output));
          follow(absolute(output));
        }
      }
      for (const build_statement& s : statements()) add(s, path, path == file, found, follow);
    }
    return found;
  }

  /// Whether a build of everything runs commands of the project, which may read and make what they do not say.
  bool runs_commands() {
    std::map<std::string, const build_statement*> makers;
    for (const build_statement& s : statements())
      for (const std::string& output : s.outputs) makers.emplace(output, &s);
    std::vector<std::string> open{"all"};
    std::set<std::string> seen;
    while (!open.empty()) {
      const std::string output = std::move(open.back());
      open.pop_back();
      const auto at = makers.find(output);
      if (!seen.insert(output).second || at == makers.end()) continue;
      if (at->second->what() == build_statement::kind::command && !is_of_cmake(*at->second)) return true;
      open.insert(open.end(), at->second->inputs.begin(), at->second->inputs.end());
      open.insert(open.end(), at->second->waits_for.begin(), at->second->waits_for.end());
    }
    return !makers.contains("all");
  }

  /// Whether a program or library is linked with something that commands make, beside objects and libraries.
  bool links_made_files() {
    std::set<std::string> made;
    for (const build_statement& s : statements())
      if (s.what() == build_statement::kind::command) made.insert(s.outputs.begin(), s.outputs.end());
    return std::any_of(statements().begin(), statements().end(), [&](const build_statement& s) {
      return s.what() == build_statement::kind::link &&
             std::any_of(s.inputs.begin(), s.inputs.end(), [&](const std::string& input) {
               return made.count(input) != 0 && !is_object(input) && !input.ends_with(".a");
             });
    });
  }

 private:
  void load() {
    if (text_) return;
    text_ = is_ninja_ ? project::read_file(folder_ / "build.ninja").value_or("") : "";
    rules_ = is_ninja_ ? project::read_file(folder_ / "CMakeFiles" / "rules.ninja").value_or("") : "";
  }

  static bool is_object(const std::string& path) { return path.ends_with(".o"); }

  bool has(const std::vector<std::string>& words, const std::string& path) const {
    const std::string name = fs::path(path).filename().string();
    return std::any_of(words.begin(), words.end(),
                       [&](const std::string& word) { return word.ends_with(name) && absolute(word) == path; });
  }

  template <typename Add>
  void add(const build_statement& s, const std::string& path, bool is_first, products& found,
           const Add& to_follow) const {
    const bool is_input = has(s.inputs, path), is_awaited = has(s.waits_for, path);
    const auto make = [&](bool as_file) {
      for (const std::string& output : s.outputs) {
        if (as_file) found.files.insert(absolute(output));
        to_follow(absolute(output));
      }
    };
    switch (s.what()) {
      case build_statement::kind::alias:
        if (is_input || is_awaited) make(false);
        return;
      case build_statement::kind::command:
        if (is_of_cmake(s) || !(is_input || is_awaited || names_path(s.commands(), path))) return;
        found.by_command = true;
        make(true);
        return;
      case build_statement::kind::compile:
        if (!is_input) return;
        for (const std::string& output : s.outputs) {
          std::error_code error;
          if (!is_object(output))
            make(true);
          else if (fs::exists(folder_ / output, error))  // of what was never built there is nothing to compare
            found.objects.insert(output);
        }
        return;
      case build_statement::kind::archive:
      case build_statement::kind::link:
        // Objects and libraries end elsewhere.
        if (is_input || names_path(s.commands(), path)) {
          found.by_command = found.by_command || !is_object(path);
          found.is_known = false;
        }
        return;
      case build_statement::kind::other:
        if (s.rule == "RERUN_CMAKE" ? is_input && !is_first : is_input || names_path(s.commands(), path)) {
          found.by_command = true;
          found.is_known = false;
        }
    }
  }

  fs::path folder_;
  bool is_ninja_;
  std::optional<std::string> text_;
  std::string rules_;
  std::optional<std::vector<build_statement>> statements_;
  std::optional<std::set<std::string>> configured_;
};

/// CMake's text in the repository, and who in it may read a file.
class cmake_files {
 public:
  /// `configured`: what CMake read.
  cmake_files(const project::repository& repo, const selection::file_kinds& kinds,
              const std::set<std::string>& configured) {
    std::set<std::string> paths;
    for (const std::string& path : repo.tracked_files())
      if (kinds.kind_of(path) == file_kind::build) paths.insert(path);
    for (const std::string& file : configured)
      if (const std::string path = repo.relative(file);
          !path.empty() && kinds.kind_of(path) == file_kind::build && !kinds.in_build_tree(path))
        paths.insert(path);
    for (const std::string& path : paths) {
      texts_.push_back(project::read_file(repo.root() / path).value_or(""));
      is_code_.push_back(path.ends_with(".cmake") || fs::path(path).filename() == "CMakeLists.txt");
    }
  }

  bool name(const std::string& word) const {
    return std::any_of(texts_.begin(), texts_.end(),
                       [&](const std::string& text) { return text.find(word) != std::string::npos; });
  }

  /// Not by a command of the build, which build.ninja tells.
  bool read(const std::string& name) {
    return any_command([&](const project::cmake_command& command) {
      static const std::set<std::string> readers{
          "file",       "configure_file", "execute_process", "include", "try_compile",           "try_run",
          "load_cache", "exec_program",   "build_command",   "install", "create_test_sourcelist"};
      return readers.count(command.name) != 0 &&
             std::any_of(command.arguments.begin(), command.arguments.end(),
                         [&](const project::cmake_argument& a) { return a.text.find(name) != std::string::npos; });
    });
  }

  /// Whether the pattern of a glob fits the file's name, whatever its folder.
  bool glob(const std::string& name) {
    return any_command([&](const project::cmake_command& command) {
      const bool is_glob =
          command.name == "file" && command.arguments.size() > 2 && command.arguments.front().text.starts_with("GLOB");
      return is_glob && std::any_of(command.arguments.begin() + 2, command.arguments.end(), [&](const auto& argument) {
               return ::fnmatch(pattern_of(argument.text).c_str(), name.c_str(), 0) == 0;
             });
    });
  }

 private:
  /// Its last part; a variable may be anything.
  static std::string pattern_of(const std::string& text) {
    std::string pattern;
    for (std::size_t i = 0; i < text.size(); ++i) {
      if (text.compare(i, 2, "${") != 0) {
        pattern += text[i];
        continue;
      }
      pattern += '*';
      for (int depth = 1; ++i + 1 < text.size() && depth > 0;)
        depth += text[i + 1] == '{' ? 1 : text[i + 1] == '}' ? -1 : 0;
    }
    return fs::path(pattern).filename().string();
  }

  /// True for a text that cannot be understood.
  template <typename Test>
  bool any_command(const Test& test) {
    if (!commands_) {
      commands_.emplace();
      for (std::size_t i = 0; i < texts_.size(); ++i) {
        if (!is_code_[i]) continue;
        const auto parsed = project::parse_cmake(texts_[i]);
        all_understood_ = all_understood_ && parsed.has_value();
        if (parsed) commands_->insert(commands_->end(), parsed->begin(), parsed->end());
      }
    }
    return !all_understood_ || std::any_of(commands_->begin(), commands_->end(), test);
  }

  std::vector<std::string> texts_;
  std::vector<bool> is_code_;  // else presets and their like
  std::optional<std::vector<project::cmake_command>> commands_;
  bool all_understood_ = true;
};

/// In a variable of this process or of a suite, which sanitizers and loaders may read.
bool is_in_environment(const build_tree& tree, const std::string& name) {
  for (char** entry = environ; *entry != nullptr; ++entry)
    if (std::string_view(*entry).find(name) != std::string_view::npos) return true;
  const auto description = project::read_file(tree.own_dir() / "build.json");
  return !description || description->find(name) != std::string::npos;
}

/// The files of a repository that the build may make others of, by changes of kinds that no compiler reads.
class file_readers {
 public:
  file_readers(const build_tree& tree, const project::repository& repo, const selection::file_kinds& kinds,
               const std::vector<file_change>& changes)
      : tree_(tree), repo_(repo), kinds_(kinds), changes_(changes), graph_(tree) {}

  bool may_be_read(const std::string& path) const {
    switch (kinds_.kind_of(path)) {
      case file_kind::source:
      case file_kind::build:
        return false;
      case file_kind::ignored:
        return tree_.ignore.empty();  // what a person names there has no use
      case file_kind::unknown:
        break;
    }
    return true;
  }

  /// It is a build description, or CMake makes others of it (configure_file(), CMAKE_CONFIGURE_DEPENDS).
  bool describes_build(const std::string& path) {
    return kinds_.kind_of(path) == file_kind::build ||
           (may_be_read(path) && graph_.names(fs::path(path).filename().string()) &&
            graph_.configured().count(absolute(path)) != 0);
  }

  std::string absolute(const std::string& path) const { return (repo_.root() / path).lexically_normal().string(); }

  const build_tree& tree_;
  const project::repository& repo_;
  const selection::file_kinds& kinds_;
  const std::vector<file_change>& changes_;
  build_graph graph_;
};

class explanation : file_readers {
 public:
  explanation(const build_tree& tree, const project::repository& repo, const selection::file_kinds& kinds,
              const found_baseline& baseline, const compared_code& code, selection::code_changes& result)
      : file_readers(tree, repo, kinds, baseline.changes), b_(baseline), code_(code), result_(result) {}

  project::result<void> make() {
    auto tools = project::objects_of_build_tools(tree_);
    if (!tools) return tl::unexpected(tools.error());
    tools_ = std::move(*tools);
    for (const auto& unit : b_.facts.units)
      for (const std::uint32_t file : unit.dependencies) objects_of_file_[b_.facts.files[file]].insert(unit.object);
    for (const auto& [object, files] : code_.built.dependencies)
      if (object.ends_with(".o"))
        for (const std::string& file : files)
          if (const std::string path = repo_.relative(file); !path.empty()) objects_of_file_[path].insert(object);
    for (const file_change& change : changes_)
      if (!change.submodule && is_explained(change)) result_.explained.insert(change.path);
    return {};
  }

 private:
  bool is_explained(const file_change& change) {
    const std::string& path = change.path;
    if (describes_build(path)) {
      if (!all_is_compared()) return false;
      result_.made[path] = made_files();
      return true;
    }
    const bool is_known_kind = !may_be_read(path);
    const std::string name = fs::path(path).filename().string();
    products made;
    if (is_read_by_command(path) || (!is_known_kind && graph_.names(name)))
      made = graph_.of(absolute(path), code_.built.dependencies);
    const auto at = objects_of_file_.find(path);
    if (at != objects_of_file_.end()) made.objects.insert(at->second.begin(), at->second.end());
    if (made.objects.empty() && !made.by_command)
      return is_known_kind ? is_of_no_use(change) : is_for_tests_alone(change);
    const bool compared = std::all_of(made.objects.begin(), made.objects.end(), [&](const std::string& object) {
      return code_.compared.count(object) != 0 && code_.not_compared.count(object) == 0 && tools_.count(object) == 0;
    });
    if (!compared || (is_known_kind && at == objects_of_file_.end())) return false;
    if (made.by_command) {
      if (!is_known_kind && !is_read_as_said(change, made)) return false;
      result_.made[path] = made_files(&made.files);
    }
    return true;
  }

  bool is_read_by_command(const std::string& path) {
    const std::string whole = absolute(path);
    return graph_.is_read_by_command(whole) ||
           std::any_of(code_.built.dependencies.begin(), code_.built.dependencies.end(), [&](const auto& read) {
             return !read.first.ends_with(".o") &&
                    std::find(read.second.begin(), read.second.end(), whole) != read.second.end();
           });
  }

  /// By commands that name it as what they make something of, and by nobody else.
  bool is_read_as_said(const file_change& change, const products& made) {
    const std::string name = fs::path(change.path).filename().string();
    return change.how == file_change::kind::modified && made.is_known && is_plain(name) && all_is_compared() &&
           is_named_as_input_alone(change.path) && !in_cmake().read(name) && !is_in_environment(tree_, name);
  }

  /// Statements that have its name have it as an input, too.
  bool is_named_as_input_alone(const std::string& path) {
    const std::string name = fs::path(path).filename().string(), whole = absolute(path);
    return std::all_of(graph_.statements().begin(), graph_.statements().end(), [&](const build_statement& s) {
      const auto has_name = [&](const std::string& word) { return word.find(name) != std::string::npos; };
      const auto any = [](const auto& list, const auto& test) { return std::any_of(list.begin(), list.end(), test); };
      const bool is_named = any(s.outputs, has_name) || any(s.inputs, has_name) || any(s.waits_for, has_name) ||
                            any(s.variables, [&](const auto& variable) { return has_name(variable.second); });
      return !is_named || any(s.inputs, [&](const std::string& input) { return graph_.absolute(input) == whole; });
    });
  }

  /// A new source that nobody compiles. Of a header another build may yet find it in the place of one further on.
  bool is_of_no_use(const file_change& change) {
    const std::string& path = change.path;
    const bool is_new = std::find(b_.facts.files.begin(), b_.facts.files.end(), path) == b_.facts.files.end();
    return is_new && is_main_source(path) && (was_there_at_last_build(path) || does_not_concern_the_build(path));
  }

  bool was_there_at_last_build(const std::string& path) const {
    struct stat s {};
    return ::stat((repo_.root() / path).c_str(), &s) == 0 &&
           std::int64_t{s.st_mtim.tv_sec} * 1'000'000'000 + s.st_mtim.tv_nsec <= code_.built.newest;
  }

  /// Newer than all that was built, yet none of it waits to be built again, and no rule names a file called like it.
  bool does_not_concern_the_build(const std::string& path) {
    const std::string name = fs::path(path).filename().string();
    return tree_.generator == "Ninja" && is_plain(name) && !graph_.names(name) && !is_found_by_next_build(path) &&
           !is_another_of_its_name(path) && (is_built({}) || tests_use_programs_alone());
  }

  /// Of what the build makes: then what they do not use need not be built before this is known.
  bool tests_use_programs_alone() { return all_is_compared() && made_files().empty() && !graph_.runs_commands(); }

  /// A file of unknown use that neither the build nor who starts tests names: who opened it, or a file that a command
  /// may make of it unseen.
  bool is_for_tests_alone(const file_change& change) {
    const std::string& path = change.path;
    const std::string name = fs::path(path).filename().string();
    if (kinds_.kind_of(path) != file_kind::unknown || !is_plain(name) || is_for_compilers(path)) return false;
    const bool is_named = graph_.names(name) || in_cmake().name(name) || is_in_environment(tree_, name);
    if (is_named || is_another_of_its_name(path) || !all_is_compared() || graph_.links_made_files()) return false;
    const bool may_be_found =
        change.how != file_change::kind::modified && (is_matched_by_glob(path) || in_cmake().glob(name));
    if (may_be_found) return false;
    result_.made[path] = made_files();
    return true;
  }

  /// By a glob of CMake's that the build looks at first. What CMake found before is in the rules, or left out of them.
  bool is_found_by_next_build(const std::string& path) const {
    const auto list = globs();
    if (list && list->find('"' + absolute(path) + '"') != std::string::npos) return false;
    return is_matched_by_glob(path);
  }

  bool is_matched_by_glob(const std::string& path) const {
    const auto list = globs();
    if (!list) return true;
    const std::string name = fs::path(path).filename().string();
    std::istringstream lines(*list);
    for (std::string line; std::getline(lines, line);) {
      if (!line.starts_with("file(GLOB")) continue;
      const std::size_t end = line.rfind('"'), begin = end == std::string::npos ? end : line.rfind('"', end - 1);
      if (begin == std::string::npos) return true;
      const fs::path pattern = line.substr(begin + 1, end - begin - 1);
      if (::fnmatch(pattern.filename().c_str(), name.c_str(), 0) == 0) return true;
    }
    return false;
  }

  /// Empty if there are none, nothing if they cannot be read.
  std::optional<std::string> globs() const {
    const fs::path list = tree_.binary_dir / "CMakeFiles" / "VerifyGlobs.cmake";
    std::error_code error;
    if (!fs::exists(list, error)) return error ? std::nullopt : std::optional<std::string>("");
    const auto text = project::read_file(list);
    return text ? std::optional(*text) : std::nullopt;
  }

  /// Which #include may find from now on.
  bool is_another_of_its_name(const std::string& path) const {
    const fs::path name = fs::path(path).filename();
    return std::any_of(b_.facts.units.begin(), b_.facts.units.end(), [&](const auto& unit) {
      return std::any_of(unit.dependencies.begin(), unit.dependencies.end(), [&](std::uint32_t file) {
        return b_.facts.files[file] != path && fs::path(b_.facts.files[file]).filename() == name;
      });
    });
  }

  cmake_files& in_cmake() {
    if (!cmake_) cmake_.emplace(repo_, kinds_, graph_.configured());
    return *cmake_;
  }

  /// Code, how it is linked, how the suites are declared, and who opened what the build makes beside.
  bool all_is_compared() {
    if (!all_is_compared_) all_is_compared_ = compare_all();
    return *all_is_compared_;
  }

  bool compare_all() {
    const auto is_known = [&](const project::suite& suite) {
      return !suite.is_adopted() &&
             std::any_of(b_.facts.inputs.begin(), b_.facts.inputs.end(), [&](const store::measured_input& input) {
               return input.what == store::measured_input::kind::suite && input.name == suite.name;
             });
    };
    const auto has_tests = [&](const project::suite& suite) {
      return std::any_of(b_.facts.programs.begin(), b_.facts.programs.end(),
                         [&](const auto& program) { return program.suite == suite.name; });
    };
    const auto is_there = [](const std::string& path, bool shared, const auto& links) {
      return !shared || std::any_of(links.begin(), links.end(), [&](const auto& link) { return link.path == path; });
    };
    const auto& links = code_.built.links;
    std::vector<std::string> paths;
    for (const project::linked_file& link : links) paths.push_back(link.path);
    return tree_.generator == "Ninja" &&  // of make, what happens after linking is not read
           b_.facts.links.front().folder == tree_.binary_dir.string() &&  // files in it are known by their paths
           std::all_of(tree_.suites.begin(), tree_.suites.end(),
                       [&](const auto& suite) { return !has_tests(suite) || is_known(suite); }) &&
           std::all_of(links.begin(), links.end(),
                       [&](const auto& link) {
                         return !link.options.empty() && is_there(link.path, link.shared, b_.facts.links);
                       }) &&
           std::all_of(b_.facts.links.begin(), b_.facts.links.end(),
                       [&](const auto& link) { return is_there(link.path, link.shared, links); }) &&
           store::is_watched(b_.facts) && is_built(paths);
  }

  /// Configured and built since the descriptions changed, which no time of a source tells: these, or all if none.
  bool is_built(const std::vector<std::string>& targets) {
    const auto [at, added] = built_.try_emplace(targets.empty(), false);
    if (added) at->second = find_built(targets);
    return at->second;
  }

  bool find_built(const std::vector<std::string>& targets) {
    std::error_code error;
    const auto configured = fs::last_write_time(tree_.binary_dir / "build.ninja", error);
    if (error) return false;
    for (const file_change& change : changes_)
      if (describes_build(change.path) &&
          (fs::last_write_time(repo_.root() / change.path, error) > configured || error))
        return false;
    // Not build.ninja itself, which ninja would first bring up to date: for that it may have to look for new files.
    const fs::path described = tree_.own_dir() / "described.ninja";
    if (!project::write_file_atomically(described, "include build.ninja\n")) return false;
    project::command dry{{tree_.make_program, "-C", tree_.binary_dir.string(), "-n", "-f", described.string()}};
    dry.arguments.insert(dry.arguments.end(), targets.begin(), targets.end());
    const project::process_end end = project::run(dry);
    return end.succeeded() && end.out.find("ninja: no work to do.") != std::string::npos;
  }

  /// What lies in the build tree, is no program or library, and was opened by tests. With `some`: those of them, and
  /// what no statement of build.ninja makes, since nobody knows of what it is made.
  std::vector<std::string> made_files(const std::set<std::string>* some = nullptr) {
    const std::string folder = tree_.binary_dir.string() + "/";
    std::set<std::string> linked, by_statements;
    for (const store::measured_link& link : b_.facts.links) linked.insert(folder + link.path);
    if (some != nullptr)
      for (const build_statement& s : graph_.statements())
        for (const std::string& output : s.outputs) by_statements.insert(graph_.absolute(output));
    std::vector<std::string> made;
    for (const std::string& file : b_.facts.files) {
      const std::string whole = absolute(file);
      if (!whole.starts_with(folder) || linked.count(whole) != 0) continue;
      std::error_code error;
      const bool only_counts_as_there = file.ends_with("/.");
      if (only_counts_as_there && fs::exists(whole, error)) continue;
      if (some == nullptr || some->count(whole) != 0 || by_statements.count(whole) == 0) made.push_back(file);
    }
    return made;
  }

  const found_baseline& b_;
  const compared_code& code_;
  selection::code_changes& result_;
  std::set<std::string> tools_;  // objects of programs that the build runs
  std::map<std::string, std::set<std::string>> objects_of_file_;
  std::optional<cmake_files> cmake_;
  std::optional<bool> all_is_compared_;
  std::map<bool, bool> built_;  // all of it, and what is linked
};

class change_finder : file_readers {
 public:
  using file_readers::file_readers;

  selection::change_facts make() {
    selection::change_facts facts;
    std::optional<project::dependency_map> read;
    for (const file_change& change : changes_) {
      if (change.how == file_change::kind::deleted)
        for (fs::path folder = fs::path(change.path).parent_path(); !folder.empty(); folder = folder.parent_path())
          if (std::error_code error; !fs::exists(repo_.root() / folder, error))
            facts.gone_folders.insert(folder.string());
      if (change.submodule || !may_be_read(change.path)) continue;
      if (!graph_.names(fs::path(change.path).filename().string())) continue;
      if (describes_build(change.path) || graph_.of(absolute(change.path), {}).by_command)
        facts.read_by_build.insert(change.path);
    }
    return facts;
  }
};

}  // namespace

project::result<void> explain_files(const build_tree& tree, const project::repository& repo,
                                    const selection::file_kinds& kinds, const found_baseline& baseline,
                                    const compared_code& code, selection::code_changes& found) {
  return explanation(tree, repo, kinds, baseline, code, found).make();
}

std::string name_if_only_executed(const build_tree& tree, const project::repository& repo,
                                  const found_baseline& baseline, const std::string& link) {
  const bool is_told = tree.generator == "Ninja" && !baseline.facts.links.empty() &&
                       baseline.facts.links.front().folder == tree.binary_dir.string() &&
                       store::is_watched(baseline.facts);
  if (!is_told) return {};
  build_graph graph(tree);
  const std::string whole = graph.absolute(link), name = fs::path(link).filename().string();
  for (const build_statement& s : graph.statements()) {
    const bool is_its_own = std::any_of(s.outputs.begin(), s.outputs.end(),
                                        [&](const std::string& output) { return graph.absolute(output) == whole; });
    const bool reads_it = std::any_of(s.inputs.begin(), s.inputs.end(),
                                      [&](const std::string& input) { return graph.absolute(input) == whole; });
    const bool is_alias = s.what() == build_statement::kind::alias || is_of_cmake(s);
    if (!is_alias && (reads_it || (is_its_own ? !s.commands().empty() : s.commands().find(name) != std::string::npos)))
      return {};
  }
  const std::string relative = repo.relative(whole);
  return relative.empty() ? whole : relative;
}

selection::change_facts facts_of(const build_tree& tree, const project::repository& repo,
                                 const selection::file_kinds& kinds, const std::vector<file_change>& changes) {
  return change_finder(tree, repo, kinds, changes).make();
}

}  // namespace morph::command
