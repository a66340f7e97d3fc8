// Goes from a file to its readers, and from these to tests.
#include "plugin/changes/file_readers.hpp"

#include <fnmatch.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <map>
#include <optional>
#include <sstream>

#include "plugin/build/build_tools.hpp"
#include "plugin/build/ninja_graph.hpp"
#include "plugin/changes/cmake_files.hpp"
#include "plugin/changes/library_versions.hpp"
#include "plugin/system/files.hpp"
#include "plugin/system/process.hpp"

namespace morph::changes {
namespace {

namespace fs = std::filesystem;
using build::build_statement;
using build::build_tree;
using git::file_change;
using selection::file_kind;

bool is_main_source(const std::string& path) {
  static const std::set<std::string> extensions{".c", ".cc", ".cpp", ".cxx", ".c++", ".C", ".cu", ".m", ".mm"};
  return extensions.count(fs::path(path).extension().string()) != 0;
}

/// Compilers and linkers find such files by themselves, or by an option that nobody looks into.
bool is_for_compilers(const std::string& path) {
  static const std::set<std::string> extensions{
      ".S",  ".a",   ".asm",  ".cfg",   ".def",  ".exp",   ".f",    ".f90", ".inc",      ".ipp",
      ".ld", ".lds", ".list", ".map",   ".o",    ".order", ".pch",  ".pcm", ".profdata", ".rsp",
      ".s",  ".so",  ".spec", ".specs", ".supp", ".sym",   ".syms", ".ver", ".version",  ".x"};
  const fs::path name = fs::path(path).filename();
  return extensions.count(name.extension().string()) != 0 || extensions.count(name.string()) != 0;
}

/// Names that ninja, CMake or shells write otherwise could be there unseen.
bool is_plain(const std::string& name) {
  return name.find_first_of("$: \"'\\;#()[]{}*?&|<>`!~") == std::string::npos;
}

/// In a variable of this process or of a suite, which sanitizers and loaders may read.
bool is_in_environment(const build::build_tree& tree, const std::string& name) {
  for (char** entry = environ; *entry != nullptr; ++entry)
    if (build::may_name(*entry, name)) return true;
  const auto description = system::read_file(tree.own_dir() / "build.json");
  return !description || build::may_name(*description, name);
}

/// The files of a repository that the build may make others of, by changes of kinds that no compiler reads.
class file_readers {
 public:
  file_readers(const build::build_tree& tree, const git::repository& repo, const selection::file_kinds& kinds,
               const std::vector<git::file_change>& changes)
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

  const build::build_tree& tree_;
  const git::repository& repo_;
  const selection::file_kinds& kinds_;
  const std::vector<git::file_change>& changes_;
  build::build_graph graph_;
};

class explanation : file_readers {
 public:
  explanation(const build::build_tree& tree, const git::repository& repo, const selection::file_kinds& kinds,
              const workspace::found_baseline& baseline, const compared_code& code, selection::code_changes& result)
      : file_readers(tree, repo, kinds, baseline.changes), b_(baseline), code_(code), result_(result) {}

  result<void> make() {
    auto tools = build::objects_of_build_tools(tree_);
    if (!tools) return tl::unexpected(tools.error());
    tools_ = std::move(*tools);
    for (const auto& unit : b_.facts.units)
      for (const std::uint32_t file : unit.dependencies) objects_of_file_[b_.facts.files[file]].insert(unit.object);
    for (const auto& [object, files] : code_.built.dependencies)
      if (object.ends_with(".o"))
        for (const std::string& file : files)
          if (const std::string path = repo_.name_of(file); !path.empty()) objects_of_file_[path].insert(object);
    for (const git::file_change& change : changes_)
      if (!change.submodule && is_explained(change)) result_.explained.insert(change.path);
    return {};
  }

 private:
  bool is_explained(const git::file_change& change) {
    const std::string& path = change.path;
    if (describes_build(path)) {
      if (!all_is_compared()) return false;
      result_.made[path] = made_files();
      return true;
    }
    if (is_linked_alone(path)) return true;
    const bool is_known_kind = !may_be_read(path);
    const std::string name = fs::path(path).filename().string();
    build::products made;
    if (is_read_by_command(path) || (!is_known_kind && graph_.names(name))) made = products_of(path);
    const auto at = objects_of_file_.find(path);
    if (at != objects_of_file_.end()) made.objects.insert(at->second.begin(), at->second.end());
    if (made.objects.empty() && !made.by_command)
      return is_known_kind ? is_of_no_use(change) : is_for_tests_alone(change);
    std::set<std::string> idle;  // archives that changed, too
    const bool compared = std::all_of(made.objects.begin(), made.objects.end(), [&](const std::string& object) {
      if (code_.compared.count(object) == 0 && is_linked_by_nobody(object, idle)) return true;
      return code_.compared.count(object) != 0 && code_.not_compared.count(object) == 0 && tools_.count(object) == 0;
    });
    if (!compared || (is_known_kind && at == objects_of_file_.end())) return false;
    if (made.by_command && !is_known_kind && !is_read_as_said(change, made)) return false;
    made.files.insert(idle.begin(), idle.end());
    if (made.by_command || made.on_demand || !idle.empty()) result_.made[path] = made_files(&made.files);
    return true;
  }

  /// Of a source, what runs on demand alone makes nothing: a formatter. Of other files it might be what tests read.
  build::products products_of(const std::string& path) {
    build::products made = graph_.of(absolute(path), code_.built.dependencies);
    if (made.on_demand && !is_main_source(path)) made.by_command = true;
    return made;
  }

  /// It goes into archives alone that no program is linked with: then only who opens one of them sees it.
  bool is_linked_by_nobody(const std::string& object, std::set<std::string>& archives) {
    if (!store::is_watched(b_.facts)) return false;
    const std::set<std::string> idle = graph_.idle_archives_of(object);
    archives.insert(idle.begin(), idle.end());
    return !idle.empty();
  }

  /// A library that others have built: its members were compared in all that is linked of it.
  bool is_linked_alone(const std::string& path) {
    const std::string whole = absolute(path);
    return git::is_outside(path) && path.ends_with(".a") && code_.compared.count(whole) != 0 &&
           code_.not_compared.count(whole) == 0 && !graph_.is_read_by_command(whole);
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
  bool is_read_as_said(const git::file_change& change, const build::products& made) {
    const std::string name = fs::path(change.path).filename().string();
    return change.how == git::file_change::kind::modified && made.is_known && is_plain(name) && all_is_compared() &&
           is_named_as_input_alone(change.path) && !in_cmake().read(name) && !is_in_environment(tree_, name);
  }

  /// Statements that have its name have it as an input, too, or what is compiled of it, or run on demand alone.
  bool is_named_as_input_alone(const std::string& path) {
    const std::string name = fs::path(path).filename().string(), whole = absolute(path);
    const auto any = [](const auto& list, const auto& test) { return std::any_of(list.begin(), list.end(), test); };
    const auto reads_it = [&](const build::build_statement& s) {
      return any(s.inputs, [&](const std::string& input) { return graph_.absolute(input) == whole; });
    };
    std::set<std::string> others;  // what is compiled of it, and what is compiled of another file of its name, and that
    for (const build::build_statement& s : graph_.statements()) {
      if (s.what() != build::build_statement::kind::compile) continue;
      for (const std::string& object : s.outputs) others.insert({object, object + ".d"});
      if (!reads_it(s)) others.insert(s.inputs.begin(), s.inputs.end());
    }
    const auto has_name = [&](const std::string& word) {
      return build::may_name(word, name) && others.count(word) == 0;
    };
    return std::all_of(graph_.statements().begin(), graph_.statements().end(), [&](const build::build_statement& s) {
      const bool is_named = any(s.outputs, has_name) || any(s.inputs, has_name) || any(s.waits_for, has_name) ||
                            any(s.variables, [&](const auto& variable) { return has_name(variable.second); });
      return !is_named || reads_it(s) || graph_.is_run_on_demand(s);
    });
  }

  /// A source that nobody compiles; the kernel has told which tests opened it. Of a new header another
  /// build may yet find it in the place of one further on. A command may read it unseen: then what the build makes
  /// counts.
  bool is_of_no_use(const git::file_change& change) {
    const std::string& path = change.path;
    if (!store::is_watched(b_.facts)) return false;
    if (!is_main_source(path) && change.how != git::file_change::kind::modified) return false;
    if (!(is_main_source(path) && was_there_at_last_build(path)) && !does_not_concern_the_build(change)) return false;
    if (graph_.runs_commands() || graph_.names(fs::path(path).filename().string())) result_.made[path] = made_files();
    return true;
  }

  bool was_there_at_last_build(const std::string& path) const {
    struct stat s {};
    return ::stat((repo_.root() / path).c_str(), &s) == 0 &&
           std::int64_t{s.st_mtim.tv_sec} * 1'000'000'000 + s.st_mtim.tv_nsec <= code_.built.newest;
  }

  /// Newer than all that was built, yet none of it waits to be built again, and no rule names a file called like it,
  /// but for those of objects that nobody ever built.
  bool does_not_concern_the_build(const git::file_change& change) {
    const std::string& path = change.path;
    const std::string name = fs::path(path).filename().string();
    return tree_.generator == "Ninja" && is_plain(name) &&
           (!graph_.names(name) || (is_named_as_input_alone(path) && !is_compiled(path))) &&
           !is_found_by_next_build(path) &&
           (change.how == git::file_change::kind::modified || !is_another_of_its_name(path)) &&
           (is_built({}) || tests_use_programs_alone());
  }

  /// Or anything else than the input of compilers, as far as the build says.
  bool is_compiled(const std::string& path) {
    const build::products made = products_of(path);
    return made.by_command || !made.is_known || !made.objects.empty() || !made.files.empty();
  }

  /// Of what the build makes: then what they do not use need not be built before this is known.
  bool tests_use_programs_alone() { return all_is_compared() && made_files().empty() && !graph_.runs_commands(); }

  /// A file of unknown use that neither the build nor who starts tests names: who opened it, or a file that a command
  /// may make of it unseen.
  bool is_for_tests_alone(const git::file_change& change) {
    const std::string& path = change.path;
    const std::string name = fs::path(path).filename().string();
    if (kinds_.kind_of(path) != file_kind::unknown || !is_plain(name) || is_for_compilers(path)) return false;
    const bool is_named = graph_.names(name) || in_cmake().name(name) || is_in_environment(tree_, name);
    if (is_named || is_another_of_its_name(path) || !all_is_compared() || graph_.links_made_files()) return false;
    const bool may_be_found =
        change.how != git::file_change::kind::modified && (is_matched_by_glob(path) || in_cmake().glob(name));
    if (may_be_found && !is_configured_since(path)) return false;
    result_.made[path] = made_files();
    return true;
  }

  /// By a glob of CMake's that the build looks at first. What CMake found before is in the rules, or left out of them.
  bool is_found_by_next_build(const std::string& path) const {
    const auto list = globs();
    if (list && list->find('"' + absolute(path) + '"') != std::string::npos) return false;
    return is_matched_by_glob(path);
  }

  /// Since the file came or went, of which its folder tells: then what CMake found is what is compared.
  bool is_configured_since(const std::string& path) const {
    std::error_code error;
    const auto configured = fs::last_write_time(tree_.binary_dir / "build.ninja", error);
    if (error) return false;
    const auto is_older = [&](const fs::path& file) {
      const auto written = fs::last_write_time(file, error);
      return !error && written < configured;
    };
    const fs::path file = repo_.root() / path;
    fs::path folder = file.parent_path();
    while (!fs::exists(folder, error)) folder = folder.parent_path();
    return is_older(folder) && (is_older(file) || (!fs::exists(file, error) && !error));
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
      const bool is_recursive = !line.starts_with("file(GLOB ");
      if (::fnmatch(pattern.filename().c_str(), name.c_str(), 0) == 0 &&
          (is_recursive || may_be_folder(pattern.parent_path(), path)))
        return true;
    }
    return false;
  }

  /// Whether the folder of a glob may be the one that the file is in.
  bool may_be_folder(const fs::path& folder, const std::string& path) const {
    if (!folder.is_absolute() || folder.native().find_first_of("*?[") != std::string::npos) return true;
    std::error_code error;
    const fs::path one = fs::weakly_canonical(folder, error);
    if (error) return true;
    const fs::path other = fs::weakly_canonical((repo_.root() / path).parent_path(), error);
    return error || one == other;
  }

  /// Empty if there are none, nothing if they cannot be read.
  std::optional<std::string> globs() const {
    const fs::path list = tree_.binary_dir / "CMakeFiles" / "VerifyGlobs.cmake";
    std::error_code error;
    if (!fs::exists(list, error)) return error ? std::nullopt : std::optional<std::string>("");
    const auto text = system::read_file(list);
    return text ? std::optional(*text) : std::nullopt;
  }

  /// Which #include may find from now on if it came or went.
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
    const auto is_known = [&](const build::suite& suite) {
      return (!suite.is_adopted() || has_entries(suite)) &&
             std::any_of(b_.facts.inputs.begin(), b_.facts.inputs.end(), [&](const store::measured_input& input) {
               return input.what == store::measured_input::kind::suite && input.name == suite.name;
             });
    };
    const auto has_tests = [&](const build::suite& suite) {
      return std::any_of(b_.facts.programs.begin(), b_.facts.programs.end(),
                         [&](const auto& program) { return program.suite == suite.name; });
    };
    const auto& links = code_.built.links;
    const link_pairs pairs = pair_links(b_.facts.links, links);
    const auto was_there = [&](const build::linked_file& link) {
      return !link.shared || pairs.of(link.path) != nullptr;
    };
    const auto is_still_there = [&](const store::measured_link& was) {
      return !was.shared || pairs.paths.contains(was.path);
    };
    std::vector<std::string> paths;
    for (const build::linked_file& link : links) paths.push_back(link.path);
    return tree_.generator == "Ninja" &&  // of make, what happens after linking is not read
           b_.facts.links.front().folder == tree_.binary_dir.string() &&  // files in it are known by their paths
           std::all_of(tree_.suites.begin(), tree_.suites.end(),
                       [&](const auto& suite) { return !has_tests(suite) || is_known(suite); }) &&
           std::all_of(links.begin(), links.end(),
                       [&](const auto& link) { return !link.options.empty() && was_there(link); }) &&
           std::all_of(b_.facts.links.begin(), b_.facts.links.end(), is_still_there) && store::is_watched(b_.facts) &&
           is_built(paths);
  }

  /// Whether all tests of a suite that others have registered know how ctest ran them; doubtful ones run in any case.
  bool has_entries(const build::suite& suite) const {
    std::vector<bool> knows(b_.facts.tests.size(), false);
    for (const store::element_class& c : b_.facts.classes)
      if (std::any_of(c.elements.begin(), c.elements.end(), [&](store::element x) {
            return store::kind_of(x) == optimizer::requirement_kind::input &&
                   b_.facts.inputs[store::number_of(x)].what == store::measured_input::kind::entry;
          }))
        for (const std::uint32_t test : c.tests) knows[test] = true;
    for (std::size_t t = 0; t < knows.size(); ++t) {
      const store::measured_test& test = b_.facts.tests[t];
      if (b_.facts.programs[test.program].suite == suite.name && test.measured && !test.is_startup() &&
          !test.is_doubtful() && !knows[t])
        return false;
    }
    return true;
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
    for (const git::file_change& change : changes_)
      if (describes_build(change.path) &&
          (fs::last_write_time(repo_.root() / change.path, error) > configured || error))
        return false;
    // Not build.ninja itself, which ninja would first bring up to date: for that it may have to look for new files.
    const fs::path described = tree_.own_dir() / "described.ninja";
    if (!system::write_file_atomically(described, "include build.ninja\n")) return false;
    system::command dry{{tree_.make_program, "-C", tree_.binary_dir.string(), "-n", "-f", described.string()}};
    dry.arguments.insert(dry.arguments.end(), targets.begin(), targets.end());
    const system::process_end end = system::run(dry);
    return end.succeeded() && end.out.find("ninja: no work to do.") != std::string::npos;
  }

  /// What lies in the build tree, is no program or library, and was opened by tests. With `some`: those of them, and
  /// what no statement of build.ninja makes, since nobody knows of what it is made.
  std::vector<std::string> made_files(const std::set<std::string>* some = nullptr) {
    const std::string folder = tree_.binary_dir.string() + "/";
    std::set<std::string> linked, by_statements;
    for (const store::measured_link& link : b_.facts.links) linked.insert(folder + link.path);
    if (some != nullptr)
      for (const build::build_statement& s : graph_.statements())
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

  const workspace::found_baseline& b_;
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
    std::optional<build::dependency_map> read;
    for (const git::file_change& change : changes_) {
      if (change.how == git::file_change::kind::deleted)
        for (fs::path folder = fs::path(change.path).parent_path(); folder.has_relative_path();
             folder = folder.parent_path())
          if (std::error_code error; !fs::exists(repo_.root() / folder, error))
            facts.gone_folders.insert(folder.string());
      if (change.submodule || !may_be_read(change.path)) continue;
      if (!graph_.names(fs::path(change.path).filename().string())) continue;
      const build::products made = graph_.of(absolute(change.path), {});
      if (describes_build(change.path) || made.by_command || made.on_demand) facts.read_by_build.insert(change.path);
    }
    return facts;
  }
};

}  // namespace

result<void> explain_files(const build::build_tree& tree, const git::repository& repo,
                           const selection::file_kinds& kinds, const workspace::found_baseline& baseline,
                           const compared_code& code, selection::code_changes& found) {
  return explanation(tree, repo, kinds, baseline, code, found).make();
}

std::string name_if_only_executed(const build::build_tree& tree, const git::repository& repo,
                                  const workspace::found_baseline& baseline, const std::string& link) {
  const bool is_told = tree.generator == "Ninja" && !baseline.facts.links.empty() &&
                       baseline.facts.links.front().folder == tree.binary_dir.string() &&
                       store::is_watched(baseline.facts);
  if (!is_told) return {};
  build::build_graph graph(tree);
  const std::string whole = graph.absolute(link), name = fs::path(link).filename().string();
  for (const build::build_statement& s : graph.statements()) {
    const bool is_its_own = std::any_of(s.outputs.begin(), s.outputs.end(),
                                        [&](const std::string& output) { return graph.absolute(output) == whole; });
    const bool reads_it = std::any_of(s.inputs.begin(), s.inputs.end(),
                                      [&](const std::string& input) { return graph.absolute(input) == whole; });
    const bool makes_nothing =
        s.what() == build::build_statement::kind::alias || build::is_of_cmake(s) || build::is_of_morph(s);
    if (!makes_nothing && (reads_it || (is_its_own ? !s.commands().empty() : build::names_file(s.commands(), name))))
      return {};
  }
  const std::string relative = repo.relative(whole);
  return relative.empty() ? whole : relative;
}

selection::change_facts facts_of(const build::build_tree& tree, const git::repository& repo,
                                 const selection::file_kinds& kinds, const std::vector<git::file_change>& changes) {
  return change_finder(tree, repo, kinds, changes).make();
}

}  // namespace morph::changes
