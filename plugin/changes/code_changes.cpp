// From the build tree's objects to what is recorded, and to what a plan makes of differences.
#include "plugin/changes/code_changes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>
#include <unordered_map>
#include <unordered_set>

#include "coverage/object/compare/compare.hpp"
#include "coverage/object/compare/referrers.hpp"
#include "plugin/build/build_reads.hpp"
#include "plugin/build/built_code.hpp"
#include "plugin/build/runtime_sources.hpp"
#include "plugin/build/source_functions.hpp"
#include "plugin/changes/exported_names.hpp"
#include "plugin/changes/file_readers.hpp"
#include "plugin/changes/fingerprints.hpp"
#include "plugin/changes/library_versions.hpp"
#include "plugin/changes/link_roots.hpp"
#include "plugin/changes/linked_digests.hpp"
#include "plugin/changes/loading_tests.hpp"
#include "plugin/changes/measured_functions.hpp"
#include "plugin/git/line_map.hpp"
#include "plugin/system/files.hpp"

namespace morph::changes {
namespace {

namespace fs = std::filesystem;
using build::build_tree;
using git::file_change;
using selection::code_change;
using store::linked_object;
using store::measured_link;

/// Shared libraries in the build tree that the link line names and that no link line makes: of an external project,
/// say.
std::string loads_of(const build::build_tree& tree, const build::linked_file& link,
                     const std::vector<build::linked_file>& links, linked_digests& digests) {
  object::digest_writer all;
  std::istringstream words(link.options);
  for (std::string word; words >> word;) {
    const std::string name = fs::path(word).filename().string();
    if (word.starts_with("-") || (!name.ends_with(".so") && name.find(".so.") == std::string::npos)) continue;
    const std::string path = fs::path(word).lexically_normal().string();
    std::error_code missing;
    if (path.starts_with('/') || !fs::exists(tree.binary_dir / path, missing)) continue;
    // Those with a version have links to them: libz.so and libz.so.1 are libz.so.1.3.
    const bool is_linked = std::any_of(links.begin(), links.end(), [&](const build::linked_file& other) {
      return other.path == path || fs::path(other.path).filename() == name ||
             fs::equivalent(tree.binary_dir / other.path, tree.binary_dir / path, missing);
    });
    if (is_linked) continue;
    all.text(path);
    all.text(digests.of(path));
  }
  return all.empty() ? std::string() : object::hex(all.finish());
}

class code_comparison {
 public:
  code_comparison(const build::build_tree& tree, const git::repository& repo, const selection::file_kinds& kinds,
                  store::evidence_store& evidence, const workspace::found_baseline& baseline)
      : tree_(tree),
        repo_(repo),
        kinds_(kinds),
        evidence_(evidence),
        b_(baseline),
        cache_(cache_of(tree)),
        fingerprints_(cache_, tree, &evidence),
        linked_(tree) {
    for (const git::file_change& change : b_.changes) changes_[change.path] = &change;
    options_.is_moved_line = [this](const object::function_name& function, std::uint32_t was, std::uint32_t is) {
      return is_moved_line(function, was, is);
    };
  }

  result<selection::code_changes> make(const std::set<std::string>& left_out) {
    if (auto there = read_build(left_out); !there) return tl::unexpected(there.error());
    std::stable_partition(built_.links.begin(), built_.links.end(),
                          [&](const build::linked_file& link) { return link.shared || !programs_of(link).empty(); });
    for (const build::linked_file& link : built_.links) compare(link);
    result_.stale = built_.stale;
    // What the build did not take in yet is told by lines, beside what the programs that are there say.
    if (!result_.stale.empty()) return std::move(result_);
    const auto explained = explain_files(tree_, repo_, kinds_, b_, {built_, compared_, not_compared_}, result_);
    if (!explained) return tl::unexpected(explained.error());
    return std::move(result_);
  }

  result<std::vector<link_difference>> differences() {
    if (auto there = read_build({}); !there) return tl::unexpected(there.error());
    if (!built_.stale.empty()) return tl::unexpected(built_.stale);
    name_functions();
    std::vector<link_difference> rows;
    for (const build::linked_file& link : built_.links) {
      link_difference& row = rows.emplace_back();
      row.path = link.path;
      const measured_link* const was = recorded(link);
      if (was == nullptr) {
        row.incomparable = "it is new";
        continue;
      }
      if (was->objects.empty()) {
        row.incomparable = "its objects could not be read when it was measured";
        continue;
      }
      const auto is = fingerprints_.identify(link);
      const auto before = is ? fingerprints_.unit(*was, b_.facts.links) : tl::unexpected(is.error());
      const auto after = before ? fingerprints_.unit(*is, links_now(), &*before) : tl::unexpected(before.error());
      if (after)
        row.found = compared(link, *before, *after);
      else
        row.incomparable = after.error();
    }
    for (const measured_link& was : b_.facts.links)
      if (!pairs_.paths.contains(was.path)) rows.push_back({was.path, "it is not made any more", {}});
    return rows;
  }

 private:
  result<void> read_build(const std::set<std::string>& left_out) {
    if (b_.facts.links.empty())
      return tl::unexpected(std::string("the build was not up to date when the baseline was measured"));
    auto built = build::read_any_build(tree_, changed_dependencies(), left_out);
    if (!built) return tl::unexpected(built.error());
    built_ = std::move(*built);
    pairs_ = pair_links(b_.facts.links, built_.links);
    return {};
  }

  const measured_link* recorded(const build::linked_file& link) const { return pairs_.of(link.path); }

  void name_functions() {
    if (by_symbol_.empty())
      for (std::uint32_t f = 0; f < b_.facts.functions.size(); ++f) by_symbol_.emplace(b_.facts.functions[f].symbol, f);
  }

  /// What the baseline knows of the files that changed.
  build::dependency_map changed_dependencies() const {
    build::dependency_map map;
    for (const auto& unit : b_.facts.units)
      for (const std::uint32_t file : unit.dependencies)
        if (const auto at = changes_.find(b_.facts.files[file]);
            at != changes_.end() && at->second->how != git::file_change::kind::deleted)
          map[unit.object].push_back((repo_.root() / at->first).string());
    return map;
  }

  bool is_line_of(const store::measured_function& f, std::uint32_t line) const {
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

  bool is_moved_line(const object::function_name& function, std::uint32_t was, std::uint32_t is) {
    const auto moves = [&](std::uint32_t file) {
      const auto change = changes_.find(b_.facts.files[file]);
      return change != changes_.end() && git::line_map(change->second->hunks).now(was) == is;
    };
    const auto functions = functions_named(function.object, function.compiled);
    const bool has_lines = std::any_of(functions.begin(), functions.end(),
                                       [&](std::uint32_t f) { return b_.facts.functions[f].start_line != 0; });
    if (has_lines)
      return std::any_of(functions.begin(), functions.end(), [&](std::uint32_t number) {
        const store::measured_function& f = b_.facts.functions[number];
        return is_line_of(f, was) && moves(f.file);
      });
    const std::string name = object::demangled(function.symbol);
    const std::set<std::uint32_t>& files = files_of(std::string(function.object));
    return std::any_of(files.begin(), files.end(),
                       [&](std::uint32_t file) { return moves(file) && is_in_text(file, name, was); });
  }

  /// Where nobody counted lines: whether the line was in what may be this function.
  bool is_in_text(std::uint32_t file, std::string_view demangled, std::uint32_t line) {
    const auto [at, is_new] = functions_in_text_.try_emplace(file);
    if (is_new) at->second = build::source_functions(changes_.at(b_.facts.files[file])->old_text);
    return std::any_of(at->second.begin(), at->second.end(), [&](const build::source_function& f) {
      return f.first_line <= line && line <= f.last_line && build::may_be(f, demangled);
    });
  }

  void compare(const build::linked_file& link) {
    const auto objects = built_.objects_of(link);
    const measured_link* const was = recorded(link);
    if (was == nullptr) {
      not_compared_.insert(objects.begin(), objects.end());
      return;
    }
    if (!was->made.empty() && was->folder == tree_.binary_dir.string() &&
        loads_of(tree_, link, built_.links, linked_) != was->loads)
      add_to_all(link,
                 change_of(link.path, "loads a shared library that the build does not link, and that is another"));
    // What is there was measured, whatever the next build makes of the objects.
    if (!built_.stale.empty() && !was->made.empty() && linked_.of(link.path) == was->made) return;
    compared_.insert(objects.begin(), objects.end());
    const auto is = fingerprints_.identify(link);
    if (was->objects.empty()) {
      if (!is_as_made(*was))
        add_to_all(link, change_of(link.path, "is another one, and can be compared as a whole alone"));
      return;
    }
    if (is && !is_linked_alike(*was, *is, pairs_))
      add_to_all(link, change_of(link.path, "is linked with other options"));
    if (is && is->objects == was->objects && is->shared == was->shared &&
        has_same_libraries(*was, b_.facts.links, *is, links_now())) {
      if (is_another_program(*was, *is))
        add_to_all(link, change_of(link.path,
                                   "is not what was measured, though its objects are: what it was linked of, or what "
                                   "the build does with it then, was older"));
      return;
    }
    name_functions();
    // By probes, each link says it of the tests that load it.
    const bool others_say_it = !store::is_probed(b_.facts) && !link.shared && programs_of(link).empty();
    if (is && others_say_it && is_compared(*was, *is)) return;
    const auto before = is ? fingerprints_.unit(*was, b_.facts.links) : tl::unexpected(is.error());
    const auto after = before ? fingerprints_.unit(*is, links_now(), &*before) : tl::unexpected(before.error());
    if (!after) {
      add_to_all(link,
                 change_of(link.path, fmt::format("cannot be compared with what was measured: {}", after.error())));
      return;
    }
    in_compared_.insert(was->objects.begin(), was->objects.end());
    in_compared_.insert(is->objects.begin(), is->objects.end());
    compare(link, *before, *after);
  }

  /// Of a program whose objects cannot be compared: whether it is the same, and so are the build's shared libraries.
  bool is_as_made(const measured_link& was) {
    const auto is_same = [&](const measured_link& of) { return !of.made.empty() && linked_.of(of.path) == of.made; };
    return was.folder == tree_.binary_dir.string() && is_same(was) &&
           std::all_of(b_.facts.links.begin(), b_.facts.links.end(),
                       [&](const measured_link& other) { return !other.shared || is_same(other); });
  }

  /// Whether what is linked of the same differs. Who links shared libraries offers names to them: with others of them
  /// it may differ.
  bool is_another_program(const measured_link& was, const measured_link& is) {
    if (was.made.empty() || was.folder != is.folder || was.made_of != is.made_of || !is_linked_alike(was, is, pairs_))
      return false;
    const auto is_as_it_was = [&](const measured_link& now) {
      const measured_link* const before = pairs_.of(now.path);
      return !now.shared || (before != nullptr && before->made_of == now.made_of);
    };
    return linked_.of(is.path) != was.made && std::all_of(links_now().begin(), links_now().end(), is_as_it_was);
  }

  /// Those that are supported.
  const std::vector<measured_link>& links_now() {
    if (links_now_) return *links_now_;
    links_now_.emplace();
    for (const build::linked_file& link : built_.links)
      if (auto found = fingerprints_.identify(link)) links_now_->push_back(std::move(*found));
    return *links_now_;
  }

  /// A program without tests of its own, which tests may start: all that differs in it differs in theirs too.
  bool is_compared(const measured_link& was, const measured_link& is) const {
    const auto all_of = [&](const measured_link& side, const measured_link& other) {
      return std::all_of(side.objects.begin(), side.objects.end(), [&](const linked_object& o) {
        const std::string path = o.member.empty() ? o.path : fmt::format("{}({})", o.path, o.member);
        return (in_compared_.count(o) != 0 && has_counters(path)) ||
               std::find(other.objects.begin(), other.objects.end(), o) != other.objects.end();
      });
    };
    return all_of(was, is) && all_of(is, was);
  }

  bool has_counters(const std::string& path) const {
    const auto objects = objects_at(path);
    return std::any_of(b_.facts.units.begin(), b_.facts.units.end(), [&](const store::measured_unit& unit) {
      return !unit.blind && std::find(objects.begin(), objects.end(), unit.object) != objects.end();
    });
  }

  /// Of a program without tests: nobody counts who executes what has no counters. Tests are known that execute it.
  void leave_to_executors(const build::linked_file& link, std::vector<object::change>& changes) {
    if (link.shared || !programs_of(link).empty()) return;
    std::erase_if(changes, [&](const object::change& c) {
      if (has_counters(c.object)) return false;
      add_to_all(link, describe(c));
      return true;
    });
  }

  void compare(const build::linked_file& link, const object::link_unit& before, const object::link_unit& after) {
    object::comparison found = compared(link, before, after);
    leave_to_executors(link, found.changes);
    leave_to_lines(before, after, found.changes);
    measured_functions seen(b_.facts, by_symbol_, before, [this](const std::string& path) { return files_of(path); });
    const auto reached = object::reach_of(
        before, found.changes, [&](object::unit_atom index) { return !seen.of(index).empty(); }, options_);
    const measured_link* const was = recorded(link);
    const auto loading = was != nullptr ? tests_that_load(b_.facts, *was, programs_of(link)) : std::nullopt;
    std::map<std::uint32_t, code_change> changes;
    std::set<std::uint32_t> of_referrers;
    for (const object::seen_change& s : reached.functions) {
      const auto [at, is_new] = changes.try_emplace(s.change, describe(found.changes[s.change]));
      code_change& change = at->second;
      if (const std::string& instance = found.changes[s.change].instance; is_new && !instance.empty())
        change.tests = tests_of_instance(instance);
      if (is_new && loading) restrict_to(*loading, change);
      const auto& functions = seen.of(s.function);
      change.functions.insert(change.functions.end(), functions.begin(), functions.end());
      if (s.function == found.changes[s.change].before)
        change.blocks = known_blocks(found.changes[s.change].blocks);
      else
        of_referrers.insert(s.change);
    }
    for (auto& [number, change] : changes) {
      if (of_referrers.contains(number)) change.blocks.reset();
      add(std::move(change));
    }
    for (const object::normalization& n : found.normalized) {
      if (!n.may_have_moved || seen.of(n.before).empty()) continue;
      code_change change = change_of(object::demangled(n.symbol), fmt::format("went from '{}', with a test", n.object));
      for (const std::uint32_t function : seen.of(n.before))
        if (!runs_before_tests(function)) change.functions.push_back(function);
      if (loading) restrict_to(*loading, change);
      if (!change.functions.empty()) add(std::move(change));
    }
    for (const std::uint32_t number : reached.everything) add_to_all(link, describe(found.changes[number]));
  }

  static void restrict_to(const std::vector<std::uint32_t>& tests, code_change& change) {
    if (!change.tests) {
      change.tests = tests;
      return;
    }
    std::erase_if(*change.tests,
                  [&](std::uint32_t test) { return !std::binary_search(tests.begin(), tests.end(), test); });
  }

  /// Nothing if no test recorded them. `names` as differing_blocks() gives them.
  std::optional<code_change::known_blocks> known_blocks(const std::vector<std::string>& names) const {
    code_change::known_blocks known;
    for (std::size_t i = 0; i < names.size(); ++i) {
      const auto [from, to] = by_symbol_.equal_range(names[i]);
      for (auto at = from; at != to; ++at) (i == 0 ? known.recorded : known.differing).push_back(at->second);
    }
    if (known.recorded.empty()) return std::nullopt;
    std::sort(known.differing.begin(), known.differing.end());
    return known;
  }

  /// Those of GoogleTest's instance, and of each program of which none is, or nobody lists GoogleTest's names, all.
  const std::vector<std::uint32_t>& tests_of_instance(const std::string& instance) {
    const auto [at, is_new] = tests_of_instance_.try_emplace(instance);
    std::vector<std::uint32_t>& found = at->second;
    if (!is_new) return found;
    const auto has_names_of_google_test = [&](const store::measured_program& program) {
      return std::any_of(tree_.suites.begin(), tree_.suites.end(), [&](const build::suite& suite) {
        return suite.name == program.suite && suite.framework == "gtest";
      });
    };
    std::vector<bool> has_one(b_.facts.programs.size(), false);
    const auto is_of_instance = [&](const store::measured_test& test) {
      std::string suite = test.case_name.substr(0, test.case_name.find('.'));
      std::erase(suite, '/');
      return suite == instance && has_names_of_google_test(b_.facts.programs[test.program]);
    };
    for (const store::measured_test& test : b_.facts.tests)
      if (is_of_instance(test)) has_one[test.program] = true;
    for (std::uint32_t t = 0; t < b_.facts.tests.size(); ++t)
      if (!has_one[b_.facts.tests[t].program] || is_of_instance(b_.facts.tests[t])) found.push_back(t);
    return found;
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

  object::comparison compared(const build::linked_file& link, const object::link_unit& before,
                              const object::link_unit& after) {
    exported_names outside(tree_, built_, b_.facts.links, fingerprints_, link);
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
                           [&](const std::string& file) { return changes_.count(repo_.name_of(file)) != 0; });
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

  static void sort_set(std::vector<std::uint32_t>& numbers) {
    std::sort(numbers.begin(), numbers.end());
    numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
  }

  /// Programs share objects: what one of them says of a function, the others say again.
  void add(code_change change) {
    const auto known = std::find_if(result_.changes.begin(), result_.changes.end(), [&](const code_change& c) {
      return c.what == change.what && c.because == change.because && c.executed == change.executed &&
             c.blocks == change.blocks;
    });
    if (known == result_.changes.end()) {
      result_.changes.push_back(std::move(change));
      code_change& made = result_.changes.back();
      sort_set(made.functions);
      sort_set(made.programs);
      return;
    }
    code_change& to = *known;
    to.everything |= change.everything;
    if (to.tests && change.tests) {
      to.tests->insert(to.tests->end(), change.tests->begin(), change.tests->end());
      sort_set(*to.tests);
    } else {
      to.tests.reset();
    }
    const auto unite = [](std::vector<std::uint32_t>& all, const std::vector<std::uint32_t>& more) {
      all.insert(all.end(), more.begin(), more.end());
      sort_set(all);
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

  /// Every test of the program; of one without tests, those that executed it; of a shared library, of all.
  void add_to_all(const build::linked_file& link, code_change change) {
    if (!link.shared) change.programs = programs_of(link);
    if (!link.shared && change.programs.empty()) change.executed = name_if_only_executed(tree_, repo_, b_, link.path);
    change.everything = change.programs.empty() && change.executed.empty();
    add(std::move(change));
  }

  /// Indices of evidence::programs that are this file.
  std::vector<std::uint32_t> programs_of(const build::linked_file& link) const {
    std::vector<std::uint32_t> found;
    const fs::path file = (tree_.binary_dir / link.path).lexically_normal();
    for (const build::suite& suite : tree_.suites)
      for (const build::test_program& program : suite.programs)
        if (!suite.is_adopted() && program.executable.lexically_normal() == file)
          for (std::uint32_t p = 0; p < b_.facts.programs.size(); ++p)
            if (b_.facts.programs[p].suite == suite.name && b_.facts.programs[p].target == program.target)
              found.push_back(p);
    return found;
  }

  const build::build_tree& tree_;
  const git::repository& repo_;
  const selection::file_kinds& kinds_;
  store::evidence_store& evidence_;
  const workspace::found_baseline& b_;
  object::print_cache cache_;
  fingerprints fingerprints_;
  linked_digests linked_;
  std::map<std::string, const git::file_change*> changes_;
  std::unordered_multimap<std::string_view, std::uint32_t> by_symbol_;
  object::compare_options options_;
  build::built_code built_;
  link_pairs pairs_;
  std::optional<std::vector<measured_link>> links_now_;
  std::set<std::string> compared_, not_compared_;  // objects
  std::map<std::string, std::set<std::uint32_t>> files_of_object_;
  std::map<std::uint32_t, std::vector<build::source_function>> functions_in_text_;  // of changed files, as they were
  std::map<std::string, std::vector<std::uint32_t>> tests_of_instance_;
  std::set<linked_object> in_compared_;                  // of programs with tests, and of shared libraries
  std::optional<std::set<std::uint32_t>> before_tests_;  // functions
  selection::code_changes result_;
};

}  // namespace

result<void> record_object_code(const build::build_tree& tree, const build::dependency_map& twin,
                                store::measurement_writer& writer) {
  build::dependency_map of_sources;
  for (const auto& [object, files] : twin)
    for (const std::string& file : files)
      if (!file.starts_with(tree.binary_dir.string() + "/") && !build::is_of_system(file) &&
          !build::is_runtime_source(tree, file))
        of_sources[object].push_back(file);
  const auto built = build::read_built_code(tree, of_sources);
  if (!built) return tl::unexpected(built.error());
  object::print_cache cache = cache_of(tree);
  fingerprints all(cache, tree, nullptr);
  std::vector<measured_link> links;
  linked_digests linked(tree);
  for (const build::linked_file& link : built->links) {
    auto found = all.identify(link);
    // By probes, a program whose objects cannot be compared (LTO) is compared as a whole.
    if (!found && (link.shared || !build::has_probes(tree))) return tl::unexpected(found.error());
    if (!found) found = measured_link{link.path, false, {}, tree.binary_dir.string(), link.options};
    found->made = linked.of(link.path);
    found->loads = loads_of(tree, link, built->links, linked);
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

result<selection::code_changes> compare_object_code(const build::build_tree& tree, const git::repository& repo,
                                                    const selection::file_kinds& kinds, store::evidence_store& evidence,
                                                    const workspace::found_baseline& baseline,
                                                    const std::set<std::string>& left_out) {
  return code_comparison(tree, repo, kinds, evidence, baseline).make(left_out);
}

result<std::vector<link_difference>> object_code_differences(const build::build_tree& tree, const git::repository& repo,
                                                             const selection::file_kinds& kinds,
                                                             store::evidence_store& evidence,
                                                             const workspace::found_baseline& baseline) {
  return code_comparison(tree, repo, kinds, evidence, baseline).differences();
}

}  // namespace morph::changes
