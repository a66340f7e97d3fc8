// The rules for lines, files and functions.
#include "plugin/selection/impact.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <set>
#include <unordered_map>
#include <utility>

#include "plugin/frameworks/pool_lines.hpp"
#include "plugin/selection/rules.hpp"
#include "plugin/system/demangle.hpp"
#include "plugin/system/files.hpp"

namespace morph::selection {
namespace {

using git::file_change;
using optimizer::requirement_kind;
using store::element;
using store::evidence;

constexpr std::uint8_t reasons_a_file = 4;

class assessment {
 public:
  assessment(const evidence& baseline, std::span<const git::file_change> changes, const file_kinds& kinds,
             std::span<const suite_data> data, const code_changes* code, const change_facts& facts)
      : e_(baseline), kinds_(kinds), data_(data), code_(code), facts_(facts) {
    for (std::uint32_t f = 0; f < e_.files.size(); ++f) file_ids_[e_.files[f]] = f;
    std::vector<bool> is_changed(e_.files.size(), false);
    for (const git::file_change& change : changes)
      if (const auto at = file_ids_.find(change.path); at != file_ids_.end()) {
        is_changed[at->second] = true;
        change_of_[at->second] = &change;
      }
    for (const auto& unit : e_.units)
      if (!unit.blind) known_.insert(unit.dependencies.begin(), unit.dependencies.end());
    for (std::uint32_t f = 0; f < e_.files.size(); ++f)
      if (!e_.executable_lines[f].empty()) known_.insert(f);
    for (std::uint32_t c = 0; c < e_.classes.size(); ++c)
      for (element x : e_.classes[c].elements) {
        const requirement_kind kind = store::kind_of(x);
        const bool is_for_reports = kind == requirement_kind::branch || kind == requirement_kind::condition ||
                                    kind == requirement_kind::unshown;
        if (is_for_reports) continue;
        if (kind != requirement_kind::line || is_changed[store::owner_of(x)]) class_of_[x] = c;
      }
    tests_of_.resize(e_.programs.size());
    for (std::uint32_t t = 0; t < e_.tests.size(); ++t)
      if (!e_.tests[t].is_startup()) tests_of_[e_.tests[t].program].push_back(t);
    result_.of_test.resize(e_.tests.size());
  }

  void add(const git::file_change& change) {
    result_.changed_files.insert(change.path);
    if (kinds_.kind_of(change.path) == file_kind::ignored) result_.ignored_files.insert(change.path);
    given_.assign(e_.tests.size(), 0);
    whole_ = false;
    begin_hunk();
    const bool is_pool = add_pool(change);
    const bool is_data = add_data(change) || is_pool;
    const bool was_opened = add_openers(change);
    of_pool_.clear();
    const auto at = file_ids_.find(change.path);
    if (code_ != nullptr && code_->explained.count(change.path) != 0) {
      ++result_.counted;
      if (at != file_ids_.end()) add_changed_lines(change, at->second);
      add_made_files(change);
      return;
    }
    if (facts_.read_by_build.count(change.path) != 0) {
      widen<rule::build_reads>(change);
      return;
    }
    if (at != file_ids_.end() && known_.count(at->second) != 0) {
      ++result_.counted;
      begin_hunk();
      add_measured_file(change, at->second);
      return;
    }
    if (change.submodule) {
      widen<rule::submodule_changed>(change);
      return;
    }
    const file_kind kind = kinds_.kind_of(change.path);
    if (is_data && kind != file_kind::build) return;
    if (!change.tracked && kinds_.in_build_tree(change.path)) return;
    switch (kind) {
      case file_kind::ignored:
        result_.counted += was_opened ? 1 : 0;
        return;
      case file_kind::build:
        widen<rule::build_described>(change);
        return;
      case file_kind::source:
        widen<rule::source_unmeasured>(change);
        return;
      case file_kind::unknown:
        widen<rule::use_unknown>(change);
        return;
    }
  }

  void add(const code_change& change) {
    given_.assign(e_.tests.size(), 0);
    begin_hunk();
    ++result_.counted;
    const std::string text = fmt::format("{} {}", change.what, change.because);
    const std::vector<bool> spared = change.blocks ? rows_without(*change.blocks) : std::vector<bool>();
    for (const std::uint32_t f : change.functions) {
      const store::measured_function& function = e_.functions[f];
      const std::string name = system::demangled(function.symbol);
      const element x = store::make_element(requirement_kind::function, 0, f);
      result_.changed.push_back(x);
      const auto ran = who_ran_changes_of(function);
      reason why = name == change.what ? make_reason<rule::function_executed>(name, text)
                                       : make_reason<rule::referrer_executed>(name, text, name);
      why.file = e_.files[function.file];
      why.executed = true;
      give(x, why, ran ? &*ran : nullptr, change.tests ? &*change.tests : nullptr, &spared);
    }
    if (!change.executed.empty())
      give_openers(change.executed, make_reason<rule::program_executed>(change.what, text, change.executed));
    const reason of_program = make_reason<rule::program_linked>(change.what, text);
    for (std::uint32_t p = 0; p < tests_of_.size(); ++p)
      if (change.everything || std::find(change.programs.begin(), change.programs.end(), p) != change.programs.end())
        for (const std::uint32_t test : tests_of_[p]) give_test(test, of_program);
  }

  void add(const store::measured_input& input, std::uint32_t number) {
    given_.assign(e_.tests.size(), 0);
    begin_hunk();
    if (input.what == store::measured_input::kind::suite) {
      ++result_.counted;
      result_.of_suite[input.name].push_back(make_reason<rule::suite_declared>(input.name, input.name));
      return;
    }
    const element x = store::make_element(requirement_kind::input, 0, number);
    const bool came_by_git = !input.digest && result_.changed_files.count(input.name) != 0;  // which has given it
    if (class_of_.count(x) == 0 || came_by_git) return;
    ++result_.counted;
    if (input.what == store::measured_input::kind::variable)
      give(x, make_reason<rule::variable_changed>(input.name, input.name));
    else if (input.what == store::measured_input::kind::library)
      give(x, make_reason<rule::library_changed>(input.name, input.name));
    else if (input.what == store::measured_input::kind::entry)
      give(x, make_reason<rule::entry_declared>(input.name, input.name));
    else if (input.is_data())
      give(x, make_reason<rule::data_declared>(input.name, input.name));
    else
      give(x, make_reason<rule::file_untracked>(name_of_file(input.name), name_of_file(input.name)));
  }

  impact finish() && {
    std::sort(result_.changed.begin(), result_.changed.end());
    result_.changed.erase(std::unique(result_.changed.begin(), result_.changed.end()), result_.changed.end());
    return std::move(result_);
  }

 private:
  /// Without what says that only its being there counts.
  static std::string name_of_file(const std::string& input) {
    return input.ends_with("/.") ? input.substr(0, input.size() - 1) : input;
  }

  static const char* word(const git::file_change& change) {
    switch (change.how) {
      case git::file_change::kind::added:
        return "is new and";
      case git::file_change::kind::deleted:
        return "was deleted and";
      case git::file_change::kind::modified:
        break;
    }
    return "changed and";
  }

  template <rule Id, typename... Arguments>
  void widen(const git::file_change& change, const Arguments&... arguments) {
    ++result_.counted;
    result_.of_everything.push_back(make_reason<Id>(change.path, change.path, word(change), arguments...));
  }

  /// The tests of its suites did open it, each for its own case.
  bool add_pool(const git::file_change& change) {
    for (const suite_data& d : data_) {
      if (d.pool != change.path) continue;
      std::optional<std::set<std::string>> cases;
      if (change.how == git::file_change::kind::modified && !change.binary)
        cases = frameworks::changed_cases(change.old_text, change.new_text);
      if (!cases) {
        result_.of_suite[d.suite].push_back(make_reason<rule::data_declared>(change.path, change.path));
        continue;
      }
      of_pool_.insert(d.suite);
      const reason why = make_reason<rule::pool_line>(change.path, change.path);
      for (std::uint32_t t = 0; t < e_.tests.size(); ++t) {
        const std::string& name = e_.tests[t].case_name;
        if (!e_.tests[t].is_startup() && e_.programs[e_.tests[t].program].suite == d.suite &&
            cases->count(name.substr(name.rfind('.') + 1)) != 0)
          give_test(t, why);
      }
    }
    const bool is_pool =
        std::any_of(data_.begin(), data_.end(), [&](const suite_data& d) { return d.pool == change.path; });
    result_.counted += is_pool ? 1 : 0;
    return is_pool;
  }

  bool add_data(const git::file_change& change) {
    bool found = false;
    for (const suite_data& d : data_) {
      const bool matches = std::any_of(d.globs.begin(), d.globs.end(),
                                       [&](const auto& glob) { return system::matches_glob(glob, change.path); });
      if (!matches) continue;
      found = true;
      result_.of_suite[d.suite].push_back(make_reason<rule::data_declared>(change.path, change.path));
    }
    result_.counted += found ? 1 : 0;
    return found;
  }

  /// For the order: of functions that changed, tests that execute changed lines come first.
  void add_changed_lines(const git::file_change& change, std::uint32_t file) {
    const auto& executable = e_.executable_lines[file];
    for (const git::hunk& hunk : change.hunks)
      for (std::uint32_t line = hunk.old_start; line < hunk.old_start + hunk.old_count; ++line)
        if (std::binary_search(executable.begin(), executable.end(), line))
          result_.changed.push_back(store::make_element(requirement_kind::line, file, line));
  }

  /// Who opened the file, or the folder in which it appeared or vanished, or looked for one of them. Whether there is
  /// anyone. What names mean: measuring/test_inputs.hpp.
  bool add_openers(const git::file_change& change) {
    const bool is_new = change.how == git::file_change::kind::added,
               is_gone = change.how == git::file_change::kind::deleted;
    const reason by_file = make_reason<rule::file_opened>(change.path, change.path);
    bool found = give_openers(change.path, by_file);
    if (is_gone) found |= give_openers(change.path + "/.", by_file);
    if (change.how == git::file_change::kind::modified) return found;
    for (std::string folder = change.path; folder != ".";) {
      const auto slash = folder.rfind('/');
      folder = slash == std::string::npos ? "." : folder.substr(0, slash);
      const reason why =
          make_reason<rule::folder_opened>(change.path, change.path, is_new ? "is new" : "was deleted", folder);
      found |= give_openers(folder + "/", why);
      if (is_new) found |= give_openers(folder, why);
      if (is_gone && facts_.gone_folders.count(folder) != 0) found |= give_openers(folder + "/.", why);
    }
    return found;
  }

  void add_made_files(const git::file_change& change) {
    const auto made = code_->made.find(change.path);
    if (made == code_->made.end()) return;
    const bool describes = kinds_.kind_of(change.path) == file_kind::build;
    for (const std::string& file : made->second)
      give_openers(file, describes ? make_reason<rule::build_made>(change.path, change.path, word(change), file)
                                   : make_reason<rule::opened_unknown>(change.path, change.path, word(change), file));
  }

  bool give_openers(const std::string& path, const reason& why) {
    const auto at = file_ids_.find(path);
    if (at == file_ids_.end()) return false;
    const element x = store::make_element(requirement_kind::data, at->second, 0);
    if (class_of_.count(x) == 0) return false;
    if (of_pool_.empty()) {
      give(x, why);
      return true;
    }
    std::vector<std::uint32_t> others;
    for (std::uint32_t t = 0; t < e_.tests.size(); ++t)
      if (of_pool_.count(e_.programs[e_.tests[t].program].suite) == 0) others.push_back(t);
    give(x, why, nullptr, &others);
    return true;
  }

  void add_measured_file(const git::file_change& change, std::uint32_t file) {
    for (const auto& unit : e_.units)
      if (unit.blind && std::binary_search(unit.dependencies.begin(), unit.dependencies.end(), file)) {
        widen<rule::unit_without_counters>(change, unit.object);
        return;
      }
    const bool has_lines = change.how == git::file_change::kind::modified && !change.binary;
    if (!has_lines) {
      add_whole_file(file, change.path,
                     change.how == git::file_change::kind::deleted ? describe<file_cause::deleted>(change.path)
                                                                   : describe<file_cause::as_a_whole>(change.path));
      return;
    }
    for (const git::hunk& hunk : change.hunks) {
      begin_hunk();
      if (hunk.old_count > 0) {
        for (std::uint32_t i = 0; i < hunk.old_count; ++i) add_line(change.path, file, hunk.old_start + i, "changed");
      } else {
        // Only the neighbours that exist: the file may begin or end here.
        if (hunk.old_start >= 1) add_line(change.path, file, hunk.old_start, "stands before an insertion");
        if (hunk.old_start + 1 <= change.old_lines)
          add_line(change.path, file, hunk.old_start + 1, "stands after an insertion");
        if (change.old_lines == 0) add_whole_file(file, change.path, describe<file_cause::was_empty>(change.path));
      }
    }
  }

  void add_line(const std::string& path, std::uint32_t file, std::uint32_t line, const char* how) {
    const std::string place = fmt::format("{}:{}", path, line);
    const auto& executable = e_.executable_lines[file];
    if (!std::binary_search(executable.begin(), executable.end(), line)) {
      add_whole_file(file, place, describe<file_cause::not_executable>(place, how));
      return;
    }
    if (!is_in_function(file, line)) {
      add_whole_file(file, place, describe<file_cause::of_compiler>(place, how));
      return;
    }
    const element x = store::make_element(requirement_kind::line, file, line);
    result_.changed.push_back(x);
    if (declares_in_header(file, line)) add_whole_file(file, place, describe<file_cause::declaration>(place, how));
    const std::string function = function_around(file, line);
    reason why = make_reason<rule::line_executed>(place, place, function.empty() ? "" : " in " + function, how);
    why.executed = true;
    give(x, why);
  }

  /// `cause`: how it changed at `place`.
  void add_whole_file(std::uint32_t file, const std::string& place, const std::string& cause) {
    if (std::exchange(whole_, true)) return;
    bool is_source = false, is_header = false;
    for (const auto& unit : e_.units) {
      if (unit.blind) continue;
      is_source = is_source || unit.source == file;
      is_header = is_header ||
                  (unit.source != file && std::binary_search(unit.dependencies.begin(), unit.dependencies.end(), file));
    }
    for (std::uint32_t line : e_.executable_lines[file])
      result_.changed.push_back(store::make_element(requirement_kind::line, file, line));
    if (!is_source && !is_header) {
      // It has lines, yet no unit is known to read it: the record of what objects were compiled from has a gap.
      result_.of_everything.push_back(make_reason<rule::compiled_unknown>(place, cause));
      return;
    }
    if (is_source && e_.executable_lines[file].empty() && !store::is_probed(e_)) {
      result_.of_everything.push_back(make_reason<rule::file_without_counters>(place, cause));
      return;
    }
    if (is_source) {
      reason why = make_reason<rule::file_line_executed>(place, cause);
      why.executed = true;
      for (std::uint32_t line : e_.executable_lines[file])
        give(store::make_element(requirement_kind::line, file, line), why);
      // Where gcov reads the counters, a row has the units that were loaded, and no line of what has tests alone.
      for (std::uint32_t u = 0; u < e_.units.size(); ++u)
        if (e_.units[u].source == file && !e_.units[u].blind)
          give(store::make_element(requirement_kind::unit, 0, u), why);
    }
    if (!is_header) return;
    for (std::uint32_t u = 0; u < e_.units.size(); ++u) {
      const auto& unit = e_.units[u];
      const auto& dependencies = unit.dependencies;
      if (unit.blind || unit.source == file || !std::binary_search(dependencies.begin(), dependencies.end(), file))
        continue;
      give(store::make_element(requirement_kind::unit, 0, u),
           make_reason<rule::includer_executed>(place, cause, e_.files[unit.source]));
    }
  }

  /// One reason a hunk and test is enough, and so are a few a file: a reformatted file would give thousands.
  void begin_hunk() { seen_.assign(e_.tests.size(), false); }

  /// `ran`: to those that did not, it is unproven. `only`: to no others.
  /// By row: whether it has one that was recorded, and none that differs.
  std::vector<bool> rows_without(const code_change::known_blocks& blocks) const {
    std::vector<bool> rows(e_.tests.size());
    const auto mark = [&](const std::vector<std::uint32_t>& functions, bool as) {
      for (const std::uint32_t f : functions)
        if (const auto at = class_of_.find(store::make_element(requirement_kind::function, 0, f));
            at != class_of_.end())
          for (const std::uint32_t test : e_.classes[at->second].tests) rows[test] = as;
    };
    mark(blocks.recorded, true);
    mark(blocks.differing, false);
    return rows;
  }

  void give(element x, const reason& why, const std::vector<bool>* ran = nullptr,
            const std::vector<std::uint32_t>* only = nullptr, const std::vector<bool>* spared = nullptr) {
    const auto at = class_of_.find(x);
    if (at == class_of_.end()) return;
    const auto is_meant = [&](std::uint32_t test) {
      return only == nullptr || std::binary_search(only->begin(), only->end(), test);
    };
    for (std::uint32_t test : e_.classes[at->second].tests) {
      if (spared != nullptr && !spared->empty() && (*spared)[test]) continue;
      reason given = why;
      given.unproven = ran != nullptr && !(*ran)[test];
      if (!e_.tests[test].is_startup()) {
        if (is_meant(test)) give_test(test, given);
        continue;
      }
      given.because += at_start_up;
      for (std::uint32_t other : tests_of_[e_.tests[test].program])
        if (is_meant(other)) give_test(other, given);
    }
  }

  /// By row of the evidence: who executed a line that changed in the function, or one beside it if that is no
  /// executable one. Nothing if its code is another for other reasons too, as far as lines tell.
  std::optional<std::vector<bool>> who_ran_changes_of(const store::measured_function& f) const {
    const auto change = change_of_.find(f.file);
    if (f.artificial || change == change_of_.end() || change->second->how != git::file_change::kind::modified ||
        change->second->binary)
      return std::nullopt;
    const auto& executable = e_.executable_lines[f.file];
    std::set<std::uint32_t> lines;
    for (const git::hunk& hunk : change->second->hunks) {
      const std::uint32_t first = hunk.old_start;
      const std::uint32_t last = hunk.old_count == 0 ? first + 1 : first + hunk.old_count - 1;
      if (last < f.start_line || first > f.end_line) continue;
      if (first <= f.start_line || last >= f.end_line) return std::nullopt;  // what it is called with, or where it ends
      const auto from = std::lower_bound(executable.begin(), executable.end(), first);
      const auto to = std::upper_bound(executable.begin(), executable.end(), last);
      lines.insert(from, to);
      if (hunk.old_count != 0 && to - from == std::ptrdiff_t{hunk.old_count}) continue;
      if (from != executable.begin()) lines.insert(*std::prev(from));
      if (to != executable.end()) lines.insert(*to);
    }
    if (lines.empty()) return std::nullopt;
    std::vector<bool> ran(e_.tests.size(), false);
    for (const std::uint32_t line : lines) {
      const auto at = class_of_.find(store::make_element(requirement_kind::line, f.file, line));
      if (at == class_of_.end()) continue;
      for (const std::uint32_t test : e_.classes[at->second].tests) ran[test] = true;
    }
    return ran;
  }

  void give_test(std::uint32_t test, const reason& why) {
    if (seen_[test] && !why.unproven && result_.of_test[test].back().unproven) result_.of_test[test].back() = why;
    if (seen_[test] || given_[test] == reasons_a_file) {
      // What is not told counts all the same.
      if (!why.executed) result_.of_test[test].back().executed = false;
      return;
    }
    seen_[test] = true;
    ++given_[test];
    result_.of_test[test].push_back(why);
  }

  /// `virtual int area() { return 0; }`: whoever only reads the declaration can be affected too.
  bool declares_in_header(std::uint32_t file, std::uint32_t line) const {
    const bool is_source =
        std::any_of(e_.units.begin(), e_.units.end(), [&](const auto& u) { return u.source == file; });
    return !is_source && std::any_of(e_.functions.begin(), e_.functions.end(), [&](const auto& f) {
      return f.file == file && f.start_line == line && !f.artificial;
    });
  }

  /// Not so for a member's initializer or the member itself: constructors and comparisons that the compiler writes
  /// execute such lines, and so does in effect who initializes an aggregate, which no counter tells.
  bool is_in_function(std::uint32_t file, std::uint32_t line) const {
    return std::any_of(e_.functions.begin(), e_.functions.end(), [&](const auto& f) {
      return f.file == file && f.start_line <= line && line <= f.end_line && !f.artificial;
    });
  }

  std::string function_around(std::uint32_t file, std::uint32_t line) const {
    const store::measured_function* best = nullptr;
    for (const auto& f : e_.functions)
      if (f.file == file && f.start_line <= line && line <= f.end_line && !f.artificial &&
          (best == nullptr || f.start_line > best->start_line))
        best = &f;
    return best == nullptr ? std::string() : system::demangled(best->symbol);
  }

  const evidence& e_;
  const file_kinds& kinds_;
  std::span<const suite_data> data_;
  const code_changes* code_;
  const change_facts& facts_;
  std::unordered_map<std::string, std::uint32_t> file_ids_;
  std::unordered_map<std::uint32_t, const git::file_change*> change_of_;  // by file
  std::set<std::uint32_t> known_;                                         // files that some measured unit read
  std::unordered_map<element, std::uint32_t> class_of_;  // without the lines of files that did not change
  std::vector<std::vector<std::uint32_t>> tests_of_;     // program -> its tests
  std::vector<bool> seen_;                               // tests that have a reason of the current hunk
  std::vector<std::uint8_t> given_;                      // reasons of the current file, by test
  std::set<std::string> of_pool_;                        // suites that the current file's lines were given to
  bool whole_ = false;                                   // the current file has been given as a whole
  impact result_;
};

}  // namespace

impact assess(const evidence& baseline, std::span<const git::file_change> changes, const file_kinds& kinds,
              std::span<const suite_data> data, std::span<const std::uint32_t> changed_inputs, const code_changes* code,
              const change_facts& facts) {
  assessment a(baseline, changes, kinds, data, code, facts);
  for (const git::file_change& change : changes) a.add(change);
  if (code != nullptr)
    for (const code_change& change : code->changes) a.add(change);
  for (const std::uint32_t i : changed_inputs) a.add(baseline.inputs[i], i);
  return std::move(a).finish();
}

}  // namespace morph::selection
