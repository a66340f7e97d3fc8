// From the build tree's objects to what is recorded, and to what a plan makes of differences.
#include "plugin/command/object_code.hpp"

#include <fmt/format.h>
#include <fnmatch.h>
#include <sys/stat.h>

#include <algorithm>
#include <sstream>
#include <unordered_map>
#include <unordered_set>

#include "coverage/object/compare.hpp"
#include "coverage/object/referrers.hpp"
#include "plugin/command/link_roots.hpp"
#include "plugin/command/measure_program.hpp"
#include "plugin/command/object_prints.hpp"
#include "plugin/command/outer_names.hpp"
#include "plugin/command/seen_functions.hpp"
#include "plugin/project/build_tools.hpp"
#include "plugin/project/built_code.hpp"
#include "plugin/project/files.hpp"
#include "plugin/project/process.hpp"

namespace morph::command {
namespace {

namespace fs = std::filesystem;
using project::build_tree;
using project::file_change;
using selection::code_change;
using store::linked_object;
using store::measured_link;

/// Where a line of the older text is now; none if it changed or went.
std::optional<std::uint32_t> follow(const file_change& change, std::uint32_t line) {
  std::int64_t shift = 0;
  for (const project::hunk& h : change.hunks) {
    const bool is_behind = h.old_count == 0 ? line > h.old_start : line >= h.old_start + h.old_count;
    if (is_behind)
      shift += std::int64_t{h.new_count} - h.old_count;
    else if (h.old_count != 0 && line >= h.old_start)
      return std::nullopt;
  }
  return static_cast<std::uint32_t>(line + shift);
}

class code_comparison {
 public:
  code_comparison(const build_tree& tree, const project::repository& repo, const selection::file_kinds& kinds,
                  store::evidence_store& evidence, const found_baseline& baseline)
      : tree_(tree),
        repo_(repo),
        kinds_(kinds),
        evidence_(evidence),
        b_(baseline),
        cache_(cache_of(tree)),
        prints_(cache_, tree, &evidence) {
    for (const file_change& change : b_.changes) changes_[change.path] = &change;
    options_.is_line_of = [this](std::string_view object, std::string_view symbol, std::uint32_t line) {
      const auto functions = functions_named(object, symbol);
      return std::any_of(functions.begin(), functions.end(), [&](std::uint32_t f) { return is_line_of(f, line); });
    };
    options_.map_line = [this](std::string_view object, std::string_view symbol, std::uint32_t line) {
      return map_line(object, symbol, line);
    };
  }

  project::result<selection::code_changes> make(const std::set<std::string>& left_out) {
    if (auto there = read_build(left_out); !there) return tl::unexpected(there.error());
    std::stable_partition(built_.links.begin(), built_.links.end(),
                          [&](const project::linked_file& link) { return link.shared || !programs_of(link).empty(); });
    for (const project::linked_file& link : built_.links) compare(link);
    return explain();
  }

  project::result<std::vector<link_difference>> differences() {
    if (auto there = read_build({}); !there) return tl::unexpected(there.error());
    name_functions();
    std::vector<link_difference> rows;
    for (const project::linked_file& link : built_.links) {
      link_difference& row = rows.emplace_back();
      row.path = link.path;
      const measured_link* const was = recorded(link);
      if (was == nullptr) {
        row.incomparable = "it is new";
        continue;
      }
      const auto is = prints_.identify(link);
      const auto before = is ? prints_.unit(*was, b_.facts.links) : tl::unexpected(is.error());
      const auto after = before ? prints_.unit(*is, links_now(), &*before) : tl::unexpected(before.error());
      if (after)
        row.found = compared(link, *before, *after);
      else
        row.incomparable = after.error();
    }
    for (const measured_link& was : b_.facts.links)
      if (std::none_of(rows.begin(), rows.end(), [&](const link_difference& row) { return row.path == was.path; }))
        rows.push_back({was.path, "it is not made any more", {}});
    return rows;
  }

 private:
  project::result<void> read_build(const std::set<std::string>& left_out) {
    if (b_.facts.links.empty())
      return tl::unexpected(std::string("the build was not up to date when the baseline was measured"));
    auto built = project::read_built_code(tree_, changed_dependencies(), left_out);
    if (!built) return tl::unexpected(built.error());
    built_ = std::move(*built);
    return {};
  }

  const measured_link* recorded(const project::linked_file& link) const {
    const auto was = std::find_if(b_.facts.links.begin(), b_.facts.links.end(),
                                  [&](const measured_link& known) { return known.path == link.path; });
    return was == b_.facts.links.end() ? nullptr : &*was;
  }

  void name_functions() {
    if (by_symbol_.empty())
      for (std::uint32_t f = 0; f < b_.facts.functions.size(); ++f) by_symbol_.emplace(b_.facts.functions[f].symbol, f);
  }

  /// What the baseline knows of the files that changed.
  project::dependency_map changed_dependencies() const {
    project::dependency_map map;
    for (const auto& unit : b_.facts.units)
      for (const std::uint32_t file : unit.dependencies)
        if (const auto at = changes_.find(b_.facts.files[file]);
            at != changes_.end() && at->second->how != file_change::kind::deleted)
          map[unit.object].push_back((repo_.root() / at->first).string());
    return map;
  }

  bool is_line_of(std::uint32_t function, std::uint32_t line) const {
    const store::measured_function& f = b_.facts.functions[function];
    const auto& executable = b_.facts.executable_lines[f.file];
    return f.start_line <= line && line <= f.end_line && std::binary_search(executable.begin(), executable.end(), line);
  }

  /// Those in the files of the object, if any are: sources of several programs have functions of one name.
  std::vector<std::uint32_t> functions_named(std::string_view object, std::string_view symbol) {
    std::vector<std::uint32_t> all, near;
    const auto [from, to] = by_symbol_.equal_range(symbol);
    for (auto at = from; at != to; ++at) all.push_back(at->second);
    if (all.size() < 2) return all;
    const std::set<std::uint32_t>& files = files_of(std::string(object));
    std::copy_if(all.begin(), all.end(), std::back_inserter(near),
                 [&](std::uint32_t f) { return files.count(b_.facts.functions[f].file) != 0; });
    return near.empty() ? all : near;
  }

  std::optional<std::uint32_t> map_line(std::string_view object, std::string_view symbol, std::uint32_t line) {
    for (const std::uint32_t f : functions_named(object, symbol)) {
      if (!is_line_of(f, line)) continue;
      const auto change = changes_.find(b_.facts.files[b_.facts.functions[f].file]);
      if (change == changes_.end()) return line;
      if (change->second->hunks.empty()) return std::nullopt;
      return follow(*change->second, line);
    }
    return std::nullopt;
  }

  void compare(const project::linked_file& link) {
    const auto objects = built_.objects_of(link);
    const measured_link* const was = recorded(link);
    if (was == nullptr) {
      not_compared_.insert(objects.begin(), objects.end());
      return;
    }
    compared_.insert(objects.begin(), objects.end());
    const auto is = prints_.identify(link);
    if (is && is->options != was->options) add_to_all(link, change_of(link.path, "is linked with other options"));
    if (is && is->objects == was->objects && is->shared == was->shared &&
        has_same_libraries(*was, b_.facts.links, *is, links_now()))
      return;
    name_functions();
    if (is && !link.shared && programs_of(link).empty() && is_compared(*was, *is)) return;
    const auto before = is ? prints_.unit(*was, b_.facts.links) : tl::unexpected(is.error());
    const auto after = before ? prints_.unit(*is, links_now(), &*before) : tl::unexpected(before.error());
    if (!after) {
      add_to_all(link,
                 change_of(link.path, fmt::format("cannot be compared with what was measured: {}", after.error())));
      return;
    }
    in_compared_.insert(was->objects.begin(), was->objects.end());
    in_compared_.insert(is->objects.begin(), is->objects.end());
    compare(link, *before, *after);
  }

  /// Those that are supported.
  const std::vector<measured_link>& links_now() {
    if (links_now_) return *links_now_;
    links_now_.emplace();
    for (const project::linked_file& link : built_.links)
      if (auto found = prints_.identify(link)) links_now_->push_back(std::move(*found));
    return *links_now_;
  }

  /// A program without tests of its own, which tests may start: all that differs in it differs in theirs too.
  bool is_compared(const measured_link& was, const measured_link& is) const {
    const auto all_of = [&](const measured_link& side, const measured_link& other) {
      return std::all_of(side.objects.begin(), side.objects.end(), [&](const linked_object& o) {
        return in_compared_.count(o) != 0 ||
               std::find(other.objects.begin(), other.objects.end(), o) != other.objects.end();
      });
    };
    return all_of(was, is) && all_of(is, was);
  }

  void compare(const project::linked_file& link, const object::link_unit& before, const object::link_unit& after) {
    object::comparison found = compared(link, before, after);
    leave_to_lines(before, after, found.changes);
    seen_functions seen(b_.facts, by_symbol_, before, [this](const std::string& path) { return files_of(path); });
    const auto reached = object::reach_of(
        before, found.changes, [&](object::unit_atom index) { return !seen.of(index).empty(); }, options_);
    std::map<std::uint32_t, code_change> changes;
    for (const object::seen_change& s : reached.functions) {
      code_change& change = changes.try_emplace(s.change, describe(found.changes[s.change])).first->second;
      const auto& functions = seen.of(s.function);
      change.functions.insert(change.functions.end(), functions.begin(), functions.end());
    }
    for (auto& [number, change] : changes) add(std::move(change));
    for (const object::normalization& n : found.normalized) {
      if (!n.may_have_moved || seen.of(n.before).empty()) continue;
      code_change change = change_of(object::demangled(n.symbol), fmt::format("went from '{}', with a test", n.object));
      for (const std::uint32_t function : seen.of(n.before))
        if (!runs_before_tests(function)) change.functions.push_back(function);
      if (!change.functions.empty()) add(std::move(change));
    }
    for (const std::uint32_t number : reached.everything) add_to_all(link, describe(found.changes[number]));
  }

  /// As what registers a test does; who called it then is an initializer, whose own change is seen.
  bool runs_before_tests(std::uint32_t function) {
    if (!before_tests_) {
      before_tests_.emplace();
      for (const store::element_class& c : b_.facts.classes)
        if (std::any_of(c.tests.begin(), c.tests.end(),
                        [&](std::uint32_t test) { return b_.facts.tests[test].is_startup(); }))
          for (const store::element x : c.elements)
            if (store::kind_of(x) == optimizer::requirement_kind::function) before_tests_->insert(store::number_of(x));
    }
    return before_tests_->count(function) != 0;
  }

  object::comparison compared(const project::linked_file& link, const object::link_unit& before,
                              const object::link_unit& after) {
    outer_names outside(tree_, built_, b_.facts.links, prints_, link);
    return object::compare(before, after, outside.options(options_));
  }

  /// The compiler may have made one piece of all initializers of an object, tests' registrations among them: lines tell
  /// more. Where no line of the object changed, it stays as it is.
  void leave_to_lines(const object::link_unit& before, const object::link_unit& after,
                      std::vector<object::change>& changes) {
    const auto print_in = [](const object::link_unit& unit, const std::string& path) -> const object::object_print* {
      for (const object::unit_object& o : unit.objects())
        if (o.path == path) return o.print.get();
      return nullptr;
    };
    std::erase_if(changes, [&](const object::change& c) {
      const object::object_print* const was = print_in(before, c.object);
      const object::object_print* const is = print_in(after, c.object);
      const bool in_pieces = (was == nullptr || !was->segments.empty()) && (is == nullptr || !is->segments.empty());
      if (c.reason == object::change_reason::order) return false;
      if (c.kind != object::change_kind::initializer || !c.everything || in_pieces) return false;
      const auto objects = objects_at(c.object);
      const bool has_changed_source = std::any_of(objects.begin(), objects.end(), [&](const std::string& object) {
        const auto read = built_.dependencies.find(object);
        return read != built_.dependencies.end() &&
               std::any_of(read->second.begin(), read->second.end(),
                           [&](const std::string& file) { return changes_.count(repo_.relative(file)) != 0; });
      });
      if (has_changed_source) not_compared_.insert(objects.begin(), objects.end());
      return has_changed_source;
    });
  }

  /// `path` as in a unit: of an object, or library.a(member.o).
  std::vector<std::string> objects_at(const std::string& path) const {
    const auto paren = path.ends_with(')') ? path.rfind('(') : std::string::npos;
    if (paren == std::string::npos) return {path};
    return built_.objects_named(path.substr(0, paren), path.substr(paren + 1, path.size() - paren - 2));
  }

  const std::set<std::uint32_t>& files_of(const std::string& path) {
    const auto [at, added] = files_of_object_.try_emplace(path);
    std::set<std::uint32_t>& files = at->second;
    if (!added) return files;
    const auto objects = objects_at(path);
    for (const auto& unit : b_.facts.units)
      if (std::find(objects.begin(), objects.end(), unit.object) != objects.end())
        files.insert(unit.dependencies.begin(), unit.dependencies.end());
    return files;
  }

  static code_change describe(const object::change& c) {
    const std::string what = c.symbol.empty() ? c.object : object::demangled(c.symbol);
    return change_of(what, fmt::format("differs in '{}': {}{}", c.object, object::to_text(c.reason),
                                       c.detail.empty() ? std::string() : fmt::format(" ({})", c.detail)));
  }

  /// Programs share objects: what one of them says of a function, the others say again.
  void add(code_change change) {
    const auto known = std::find_if(result_.changes.begin(), result_.changes.end(), [&](const code_change& c) {
      return c.what == change.what && c.because == change.because;
    });
    code_change& to = known != result_.changes.end() ? *known : result_.changes.emplace_back();
    to.what = change.what;
    to.because = change.because;
    to.everything |= change.everything;
    const auto unite = [](std::vector<std::uint32_t>& all, const std::vector<std::uint32_t>& more) {
      all.insert(all.end(), more.begin(), more.end());
      std::sort(all.begin(), all.end());
      all.erase(std::unique(all.begin(), all.end()), all.end());
    };
    unite(to.functions, change.functions);
    unite(to.programs, change.programs);
  }

  static code_change change_of(std::string what, std::string because) {
    code_change change;
    change.what = std::move(what);
    change.because = std::move(because);
    return change;
  }

  /// Every test of the program; of a shared library, or a program that tests may start, of all.
  void add_to_all(const project::linked_file& link, code_change change) {
    if (!link.shared) change.programs = programs_of(link);
    change.everything = change.programs.empty();
    add(std::move(change));
  }

  /// Indices of evidence::programs that are this file.
  std::vector<std::uint32_t> programs_of(const project::linked_file& link) const {
    std::vector<std::uint32_t> found;
    const fs::path file = (tree_.binary_dir / link.path).lexically_normal();
    for (const project::suite& suite : tree_.suites)
      for (const project::test_program& program : suite.programs)
        if (!suite.is_adopted() && program.executable.lexically_normal() == file)
          for (std::uint32_t p = 0; p < b_.facts.programs.size(); ++p)
            if (b_.facts.programs[p].suite == suite.name && b_.facts.programs[p].target == program.target)
              found.push_back(p);
    return found;
  }

  static bool is_main_source(const std::string& path) {
    static const std::set<std::string> extensions{".c", ".cc", ".cpp", ".cxx", ".c++", ".C"};
    return extensions.count(fs::path(path).extension().string()) != 0;
  }

  bool was_there_at_last_build(const std::string& path) const {
    struct stat s {};
    return ::stat((repo_.root() / path).c_str(), &s) == 0 &&
           std::int64_t{s.st_mtim.tv_sec} * 1'000'000'000 + s.st_mtim.tv_nsec <= built_.newest;
  }

  /// Newer than all that was built, yet none of it waits to be built again, and no rule names a file called like it.
  bool does_not_concern_the_build(const std::string& path) {
    if (tree_.generator != "Ninja") return false;
    if (!rules_) {
      rules_.emplace();
      if (is_built_as_described({})) rules_ = project::read_file(tree_.binary_dir / "build.ninja").value_or("");
    }
    const std::string name = fs::path(path).filename().string();
    // Names that ninja writes otherwise could be there unseen.
    return !rules_->empty() && name.find_first_of("$: \"'\\") == std::string::npos &&
           rules_->find(name) == std::string::npos && !is_found_by_next_build(path) && !is_another_of_its_name(path);
  }

  /// By a glob of CMake's that the build looks at first. What CMake found before is in the rules, or left out of them.
  bool is_found_by_next_build(const std::string& path) const {
    const fs::path list = tree_.binary_dir / "CMakeFiles" / "VerifyGlobs.cmake";
    std::error_code error;
    if (!fs::exists(list, error)) return bool{error};
    const auto text = project::read_file(list);
    if (!text) return true;
    if (text->find('"' + (repo_.root() / path).string() + '"') != std::string::npos) return false;
    const std::string name = fs::path(path).filename().string();
    std::istringstream lines(*text);
    for (std::string line; std::getline(lines, line);) {
      if (!line.starts_with("file(GLOB")) continue;
      const std::size_t end = line.rfind('"'), begin = end == std::string::npos ? end : line.rfind('"', end - 1);
      if (begin == std::string::npos) return true;
      const fs::path pattern = line.substr(begin + 1, end - begin - 1);
      if (::fnmatch(pattern.filename().c_str(), name.c_str(), 0) == 0) return true;
    }
    return false;
  }

  /// Which #include may find from now on.
  bool is_another_of_its_name(const std::string& path) const {
    return std::any_of(b_.facts.files.begin(), b_.facts.files.end(),
                       [&](const std::string& file) { return fs::path(file).filename() == fs::path(path).filename(); });
  }

  /// Changed files of unknown use that CMake reads (configure_file(), CMAKE_CONFIGURE_DEPENDS), as build.ninja has
  /// them.
  void find_configured() {
    const bool any = std::any_of(changes_.begin(), changes_.end(), [&](const auto& change) {
      return kinds_.kind_of(change.first) == selection::file_kind::unknown;
    });
    if (!any || tree_.generator != "Ninja") return;
    const std::string text = project::read_file(tree_.binary_dir / "build.ninja").value_or("");
    const std::size_t begin = text.find("\nbuild build.ninja: RERUN_CMAKE |");
    if (begin == std::string::npos) return;
    const std::size_t end = std::min(text.find('\n', begin + 1), text.size());
    std::string word;
    for (std::size_t i = begin + 1; i <= end; ++i) {
      if (i < end && text[i] == '$' && i + 1 < end) {
        word += text[++i];
      } else if (i < end && text[i] != ' ') {
        word += text[i];
      } else {
        const std::string path = repo_.relative((tree_.binary_dir / word).lexically_normal().string());
        if (changes_.count(path) != 0 && kinds_.kind_of(path) == selection::file_kind::unknown)
          configured_.insert(path);
        word.clear();
      }
    }
  }
  bool describes_build(const std::string& path) const {
    return kinds_.kind_of(path) == selection::file_kind::build || configured_.count(path) != 0;
  }

  /// Whether what a build description can change is compared: code, how it is linked, how the suites are declared, and
  /// what the build makes beside, by the tests that opened it.
  bool explains_builds() const {
    const bool any_changed = std::any_of(changes_.begin(), changes_.end(),
                                         [&](const auto& change) { return describes_build(change.first); });
    if (!any_changed) return false;
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
    return tree_.generator == "Ninja" &&  // of make, what happens after linking is not read
           b_.facts.links.front().folder == tree_.binary_dir.string() &&  // files in it are known by their paths
           std::all_of(tree_.suites.begin(), tree_.suites.end(),
                       [&](const auto& suite) { return !has_tests(suite) || is_known(suite); }) &&
           std::all_of(built_.links.begin(), built_.links.end(),
                       [&](const auto& link) {
                         return !link.options.empty() && is_there(link.path, link.shared, b_.facts.links);
                       }) &&
           std::all_of(b_.facts.links.begin(), b_.facts.links.end(),
                       [&](const auto& link) { return is_there(link.path, link.shared, built_.links); }) &&
           is_built_as_described(paths_of_links());
  }

  std::vector<std::string> paths_of_links() const {
    std::vector<std::string> paths;
    for (const project::linked_file& link : built_.links) paths.push_back(link.path);
    return paths;
  }

  /// Configured and built since the descriptions changed, which no time of a source tells: these, or all if none.
  bool is_built_as_described(const std::vector<std::string>& targets) const {
    std::error_code error;
    const auto configured = fs::last_write_time(tree_.binary_dir / "build.ninja", error);
    if (error) return false;
    for (const auto& [path, change] : changes_)
      if (describes_build(path) && (fs::last_write_time(repo_.root() / path, error) > configured || error))
        return false;
    // Not build.ninja itself, which ninja would first bring up to date: for that it may have to look for new files.
    const fs::path described = tree_.own_dir() / "described.ninja";
    if (!project::write_file_atomically(described, "include build.ninja\n")) return false;
    project::command dry{{tree_.make_program, "-C", tree_.binary_dir.string(), "-n", "-f", described.string()}};
    dry.arguments.insert(dry.arguments.end(), targets.begin(), targets.end());
    const project::process_end end = project::run(dry);
    return end.succeeded() && end.out.find("ninja: no work to do.") != std::string::npos;
  }

  /// What lies in the build tree and is no program or library.
  std::vector<std::string> made_files() const {
    const std::string folder = tree_.binary_dir.string() + "/";
    std::set<std::string> linked;
    for (const measured_link& link : b_.facts.links) linked.insert(folder + link.path);
    std::vector<std::string> made;
    for (const std::string& file : b_.facts.files)
      if (const std::string whole = (repo_.root() / file).string(); whole.starts_with(folder) && !linked.count(whole))
        made.push_back(file);
    return made;
  }

  /// Files whose every object was compared.
  project::result<selection::code_changes> explain() {
    const auto tools = project::objects_of_build_tools(tree_);
    if (!tools) return tl::unexpected(tools.error());
    find_configured();
    const bool builds = explains_builds();
    if (builds) result_.made_files = made_files();
    std::map<std::string, std::vector<std::string>> objects_of_file;
    for (const auto& unit : b_.facts.units)
      for (const std::uint32_t file : unit.dependencies) objects_of_file[b_.facts.files[file]].push_back(unit.object);
    for (const auto& [object, files] : built_.dependencies)
      if (object.ends_with(".o"))
        for (const std::string& file : files)
          if (const std::string path = repo_.relative(file); !path.empty()) objects_of_file[path].push_back(object);
    for (const auto& [path, change] : changes_) {
      if (change->submodule) continue;
      if (describes_build(path)) {
        if (builds) result_.explained.insert(path);
        continue;
      }
      const auto at = objects_of_file.find(path);
      const bool is_new = std::find(b_.facts.files.begin(), b_.facts.files.end(), path) == b_.facts.files.end();
      if (at == objects_of_file.end()) {
        // Nobody compiles it, and nobody did. Of a header another build may yet find it in the place of one further on.
        if (is_new && is_main_source(path) && (was_there_at_last_build(path) || does_not_concern_the_build(path)))
          result_.explained.insert(path);
        continue;
      }
      const bool all_compared = std::all_of(at->second.begin(), at->second.end(), [&](const std::string& object) {
        return compared_.count(object) != 0 && not_compared_.count(object) == 0 && tools->count(object) == 0;
      });
      if (all_compared) result_.explained.insert(path);
    }
    return std::move(result_);
  }

  const build_tree& tree_;
  const project::repository& repo_;
  const selection::file_kinds& kinds_;
  store::evidence_store& evidence_;
  const found_baseline& b_;
  object::print_cache cache_;
  prints prints_;
  std::map<std::string, const file_change*> changes_;
  std::unordered_multimap<std::string_view, std::uint32_t> by_symbol_;
  object::compare_options options_;
  project::built_code built_;
  std::optional<std::vector<measured_link>> links_now_;
  std::set<std::string> compared_, not_compared_;  // objects
  std::set<std::string> configured_;               // changed files of which CMake makes others
  std::map<std::string, std::set<std::uint32_t>> files_of_object_;
  std::set<linked_object> in_compared_;                  // of programs with tests, and of shared libraries
  std::optional<std::set<std::uint32_t>> before_tests_;  // functions
  std::optional<std::string> rules_;                     // build.ninja, empty if not all is built by it
  selection::code_changes result_;
};

}  // namespace

project::result<void> record_object_code(const build_tree& tree, const project::dependency_map& twin,
                                         store::measurement_writer& writer) {
  project::dependency_map of_sources;
  for (const auto& [object, files] : twin)
    for (const std::string& file : files)
      if (!file.starts_with(tree.binary_dir.string() + "/") && !file.starts_with("/usr/") && !is_runtime(file))
        of_sources[object].push_back(file);
  const auto built = project::read_built_code(tree, of_sources);
  if (!built) return tl::unexpected(built.error());
  object::print_cache cache = cache_of(tree);
  prints all(cache, tree, nullptr);
  std::vector<measured_link> links;
  for (const project::linked_file& link : built->links) {
    auto found = all.identify(link);
    if (!found) return tl::unexpected(found.error());
    links.push_back(std::move(*found));
  }
  for (const measured_link& link : links) {
    for (const linked_object& object : link.objects) {
      if (writer.has_blob(object.print)) continue;
      const auto print = all.get(object);
      if (!print) return tl::unexpected(print.error());
      writer.put_blob(object.print, packed(object::write_print(**print)));
    }
    writer.put_link(link);
  }
  return {};
}

project::result<selection::code_changes> compare_object_code(const build_tree& tree, const project::repository& repo,
                                                             const selection::file_kinds& kinds,
                                                             store::evidence_store& evidence,
                                                             const found_baseline& baseline,
                                                             const std::set<std::string>& left_out) {
  return code_comparison(tree, repo, kinds, evidence, baseline).make(left_out);
}

project::result<std::vector<link_difference>> object_code_differences(const build_tree& tree,
                                                                      const project::repository& repo,
                                                                      const selection::file_kinds& kinds,
                                                                      store::evidence_store& evidence,
                                                                      const found_baseline& baseline) {
  return code_comparison(tree, repo, kinds, evidence, baseline).differences();
}

}  // namespace morph::command
