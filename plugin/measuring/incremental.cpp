// Carrying rows over from a baseline.
#include "plugin/measuring/incremental.hpp"

#include <algorithm>
#include <tuple>

#include "plugin/frameworks/framework.hpp"
#include "plugin/git/line_map.hpp"
#include "plugin/measuring/program_tables.hpp"
#include "plugin/report/coverage.hpp"

namespace morph::measuring {
namespace {

using optimizer::requirement_kind;
using store::element;
using store::evidence;
using store::kind_of;
using store::make_element;
using store::number_of;
using store::owner_of;

/// The outcomes of a line, without the line.
std::vector<std::uint32_t> outcomes_of(const std::vector<std::uint32_t>& numbers, std::uint32_t line) {
  const std::uint64_t first = std::uint64_t{line} * store::branches_of_line;
  std::vector<std::uint32_t> outcomes;
  for (auto at = std::lower_bound(numbers.begin(), numbers.end(), first);
       at != numbers.end() && *at < first + store::branches_of_line; ++at)
    outcomes.push_back(*at % store::branches_of_line);
  return outcomes;
}

/// Where the lines of a file of the baseline are now; nothing if it is not there or is no text.
std::optional<git::line_map> lines_of(const std::map<std::string, const git::file_change*>& changes,
                                      const std::string& path) {
  const auto at = changes.find(path);
  if (at == changes.end()) return git::line_map({});
  const bool has_lines = at->second->how == git::file_change::kind::modified && !at->second->binary;
  if (!has_lines) return std::nullopt;
  return git::line_map(at->second->hunks);
}

/// Numbers as elements have them: of lines, or of outcomes of lines. Those of lines that changed are left out.
std::vector<std::uint32_t> moved(const std::vector<std::uint32_t>& numbers, const git::line_map& lines,
                                 std::uint32_t numbers_of_line) {
  std::vector<std::uint32_t> result;
  for (const std::uint32_t n : numbers)
    if (const auto line = lines.now(n / numbers_of_line))
      result.push_back(*line * numbers_of_line + n % numbers_of_line);
  return result;
}

/// From elements of the baseline to those of the new measurement.
class translation {
 public:
  translation(const evidence& base, const evidence& now, const session& m,
              const std::map<std::string, const git::file_change*>& changes)
      : base_(base), now_(now), m_(m) {
    for (std::uint32_t f = 0; f < now.files.size(); ++f) files_[now.files[f]] = f;
    for (std::uint32_t f = 0; f < now.functions.size(); ++f)
      functions_[{now.functions[f].symbol, now.functions[f].file}].push_back(f);
    for (std::uint32_t u = 0; u < now.units.size(); ++u) units_[now.units[u].object] = u;
    for (const std::string& path : base.files) lines_.push_back(lines_of(changes, path));
  }

  struct translated {
    std::vector<element> elements;
    bool exists = true;  // all of it is there now
    bool equal = true;   // and means what it did
  };

  translated of(const store::element_class& c) const {
    translated result;
    for (const element x : c.elements) {
      if (kind_of(x) == requirement_kind::kill) continue;  // they are of the old content
      if (is_defined_elsewhere(x) || is_lost_block(x)) continue;
      bool equal = true;
      const auto there = of(x, equal);
      result.exists = result.exists && there;
      result.equal = result.equal && there && equal;
      if (!result.exists) break;
      result.elements.push_back(*there);
    }
    return result;
  }

 private:
  /// Of a function that became another one.
  bool is_lost_block(element x) const {
    if (kind_of(x) != requirement_kind::function) return false;
    const store::measured_function& f = base_.functions[number_of(x)];
    if (!store::is_block(f.symbol)) return false;
    const auto at = functions_.lower_bound({f.symbol, 0});
    return at == functions_.end() || at->first.first != f.symbol;
  }

  /// By probes a template is known by each object that defines it: one may do so no longer.
  bool is_defined_elsewhere(element x) const {
    if (kind_of(x) != requirement_kind::function || !store::is_probed(now_)) return false;
    const store::measured_function& f = base_.functions[number_of(x)];
    const auto file = file_of(f.file);
    if (file && functions_.contains({f.symbol, *file})) return false;
    const auto at = functions_.lower_bound({f.symbol, 0});
    return at != functions_.end() && at->first.first == f.symbol;
  }

  std::optional<element> of(element x, bool& equal) const {
    switch (kind_of(x)) {
      case requirement_kind::line:
      case requirement_kind::unshown:
        return of_line(x, equal);
      case requirement_kind::branch:
        return of_outcome(x, base_.branches, now_.branches, equal);
      case requirement_kind::condition:
        return of_outcome(x, base_.conditions, now_.conditions, equal);
      case requirement_kind::function:
        return of_function(base_.functions[number_of(x)]);
      case requirement_kind::unit:
        if (const auto at = units_.find(base_.units[number_of(x)].object); at != units_.end())
          return make_element(kind_of(x), 0, at->second);
        return std::nullopt;
      case requirement_kind::data:
        return make_element(kind_of(x), m_.writer.file(base_.files[owner_of(x)]), 0);
      case requirement_kind::input:
        return make_element(kind_of(x), 0, m_.writer.input(base_.inputs[number_of(x)]));
      default:
        return std::nullopt;
    }
  }

  std::optional<std::uint32_t> file_of(std::uint32_t old) const {
    const auto at = files_.find(base_.files[old]);
    return at == files_.end() ? std::nullopt : std::optional(at->second);
  }

  std::optional<element> of_line(element x, bool& equal) const {
    const std::uint32_t old = owner_of(x);
    const auto file = file_of(old);
    if (!file || !lines_[old]) return std::nullopt;
    const auto line = lines_[old]->now(number_of(x));
    if (!line) return std::nullopt;
    const auto is_executable = [](const std::vector<std::uint32_t>& lines, std::uint32_t l) {
      return std::binary_search(lines.begin(), lines.end(), l);
    };
    equal =
        is_executable(base_.executable_lines[old], number_of(x)) == is_executable(now_.executable_lines[*file], *line);
    return make_element(kind_of(x), *file, *line);
  }

  std::optional<element> of_outcome(element x, const std::vector<std::vector<std::uint32_t>>& before,
                                    const std::vector<std::vector<std::uint32_t>>& after, bool& equal) const {
    const std::uint32_t old = owner_of(x), old_line = number_of(x) / store::branches_of_line;
    const auto file = file_of(old);
    if (!file || !lines_[old]) return std::nullopt;
    const auto line = lines_[old]->now(old_line);
    if (!line || *line >= store::lines_with_branches) return std::nullopt;
    equal = outcomes_of(before[old], old_line) == outcomes_of(after[*file], *line);
    return make_element(kind_of(x), *file, *line * store::branches_of_line + number_of(x) % store::branches_of_line);
  }

  std::optional<element> of_function(const store::measured_function& f) const {
    const auto file = file_of(f.file);
    if (!file || !lines_[f.file]) return std::nullopt;
    const auto at = functions_.find({f.symbol, *file});
    if (at == functions_.end()) return std::nullopt;
    const auto start = lines_[f.file]->now(f.start_line);
    for (const std::uint32_t candidate : at->second)
      if (at->second.size() == 1 || now_.functions[candidate].start_line == start)
        return make_element(requirement_kind::function, 0, candidate);
    return std::nullopt;
  }

  const evidence& base_;
  const evidence& now_;
  const session& m_;
  std::map<std::string, std::uint32_t> files_, units_;
  std::map<std::pair<std::string, std::uint32_t>, std::vector<std::uint32_t>> functions_;
  std::vector<std::optional<git::line_map>> lines_;  // by file of the baseline
};

/// Whether each test of a measurement has any element.
std::vector<bool> with_elements(const evidence& e) {
  std::vector<bool> with(e.tests.size(), false);
  for (const auto& c : e.classes)
    for (const std::uint32_t test : c.tests) with[test] = true;
  return with;
}

}  // namespace

std::optional<refresh> refresh::make(planning::full_plan from, bool startable) {
  const auto& changes = from.request.baseline->of_changes;
  if (!changes.of_everything.empty()) return std::nullopt;
  refresh made(std::move(from), startable);
  if (std::none_of(made.stays_.begin(), made.stays_.end(), [](bool stays) { return stays; })) return std::nullopt;
  return made;
}

refresh::refresh(planning::full_plan from, bool startable) : from_(std::move(from)) {
  for (const auto& change : from_.changes) changes_[change.path] = &change;
  programs_.resize(base().programs.size());
  for (std::size_t p = 0; p < programs_.size(); ++p)
    for (const workspace::listed_suite& suite : from_.suites)
      if (suite.declared->name == base().programs[p].suite)
        programs_[p].startable = startable && !suite.declared->is_adopted() &&
                                 frameworks::find_framework(suite.declared->framework) != nullptr;
  match_tests();
  find_touched_units();
  choose_programs();
  choose_tests_of_unread_units();
}

void refresh::match_tests() {
  const auto& request = from_.request;
  std::map<std::pair<std::string, std::string>, std::uint32_t> programs;
  for (std::uint32_t p = 0; p < base().programs.size(); ++p)
    programs[{base().programs[p].suite, base().programs[p].target}] = p;
  std::map<std::pair<std::uint32_t, std::string>, std::uint32_t> known;
  for (std::uint32_t t = 0; t < base().tests.size(); ++t)
    known[{base().tests[t].program, base().tests[t].case_name}] = t;
  stays_.assign(base().tests.size(), false);
  for (std::size_t i = 0; i < request.tests.size(); ++i) {
    const auto& test = request.tests[i];
    const auto program = programs.find({request.suites[test.suite].name, test.target});
    if (program == programs.end()) continue;
    ++programs_[program->second].listed;
    const auto at = known.find({program->second, test.case_name});
    if (at == known.end() || from_.plan.tests[i].selected) continue;
    const auto& facts = base().tests[at->second];
    if (!facts.measured || facts.is_doubtful() || facts.is_startup()) continue;
    stays_[at->second] = true;
    ++programs_[program->second].staying;
  }
}

void refresh::find_touched_units() {
  classes_of_.resize(base().tests.size());
  tests_of_.resize(base().units.size());
  for (std::uint32_t c = 0; c < base().classes.size(); ++c) {
    for (const std::uint32_t test : base().classes[c].tests) classes_of_[test].push_back(c);
    for (const element x : base().classes[c].elements)
      if (kind_of(x) == requirement_kind::unit) tests_of_[number_of(x)] = base().classes[c].tests;
  }
  for (std::uint32_t u = 0; u < base().units.size(); ++u) {
    const auto& files = base().units[u].dependencies;
    touched_.push_back(
        std::any_of(files.begin(), files.end(), [&](auto f) { return changes_.count(base().files[f]) != 0; }));
    if (!touched_.back()) continue;
    for (const std::uint32_t test : tests_of_[u]) programs_[base().tests[test].program].touched = true;
  }
}

void refresh::choose_programs() {
  bool is_unknown_whose = false;  // a changed unit of which nobody executed anything may be in any program
  for (std::size_t u = 0; u < touched_.size(); ++u)
    is_unknown_whose = is_unknown_whose || (touched_[u] && !base().units[u].blind && tests_of_[u].empty());
  for (program_state& p : programs_)
    p.skipped = p.listed > 0 && p.staying == p.listed && !(p.startable && (p.touched || is_unknown_whose));
}

/// What a changed unit consists of now is told by a program that runs with it.
void refresh::choose_tests_of_unread_units() {
  for (std::size_t u = 0; u < touched_.size(); ++u) {
    if (!touched_[u]) continue;
    const auto& tests = tests_of_[u];
    const bool is_read = std::any_of(tests.begin(), tests.end(), [&](std::uint32_t test) {
      const program_state& p = programs_[base().tests[test].program];
      return p.startable ? !p.skipped : !base().tests[test].is_startup() && !stays_[test];
    });
    const auto chosen = std::find_if(tests.begin(), tests.end(), [&](auto test) { return stays_[test]; });
    if (is_read || chosen == tests.end()) continue;
    stays_[*chosen] = false;
    programs_[base().tests[*chosen].program].skipped = false;
  }
}

std::set<std::uint32_t> refresh::left_out(store::measurement_writer& writer) const {
  std::set<std::uint32_t> tests;
  for (std::size_t t = 0; t < stays_.size(); ++t) {
    if (!stays_[t]) continue;
    const auto& test = base().tests[t];
    tests.insert(writer.test(writer.program(base().programs[test.program]), test.case_name, test.name));
  }
  return tests;
}

bool refresh::is_skipped(const std::string& suite, const std::string& target) const {
  for (std::size_t p = 0; p < programs_.size(); ++p)
    if (base().programs[p].suite == suite && base().programs[p].target == target) return programs_[p].skipped;
  return false;
}

/// What files consist of, where no program that ran has told it: as it was.
void refresh::carry_tables(const evidence& now, const session& m) const {
  std::map<std::string, std::uint32_t> known;
  for (std::uint32_t f = 0; f < now.files.size(); ++f)
    if (!now.executable_lines[f].empty()) known[now.files[f]] = f;
  std::set<std::uint32_t> of_skipped;  // files of what skipped programs executed
  for (std::uint32_t u = 0; u < base().units.size(); ++u) {
    const bool by_skipped = std::any_of(tests_of_[u].begin(), tests_of_[u].end(),
                                        [&](auto test) { return programs_[base().tests[test].program].skipped; });
    if (by_skipped) of_skipped.insert(base().units[u].dependencies.begin(), base().units[u].dependencies.end());
  }
  std::set<std::uint32_t> taken;
  for (std::uint32_t f = 0; f < base().files.size(); ++f) {
    const std::string& path = base().files[f];
    const bool is_wanted = known.count(path) == 0 || (of_skipped.count(f) != 0 && changes_.count(path) == 0);
    const auto lines = lines_of(changes_, path);
    if (!is_wanted || !lines || base().executable_lines[f].empty()) continue;
    taken.insert(f);
    const std::uint32_t id = m.writer.file(path);
    m.writer.set_executable_lines(id, moved(base().executable_lines[f], *lines, 1));
    m.writer.set_branches(id, moved(base().branches[f], *lines, store::branches_of_line));
    m.writer.set_conditions(id, moved(base().conditions[f], *lines, store::branches_of_line));
    m.writer.set_decisions(id, report::moved_decisions(base().decisions[f], *lines));
  }
  for (const auto& f : base().functions) {
    if (taken.count(f.file) == 0) continue;
    const auto lines = lines_of(changes_, base().files[f.file]);
    const auto first = lines->now(f.start_line), last = lines->now(f.end_line);
    if (first && last) m.writer.function({f.symbol, m.writer.file(base().files[f.file]), *first, *last, f.artificial});
  }
  std::set<std::string> units;
  for (const auto& unit : now.units) units.insert(unit.object);
  for (const auto& unit : base().units)
    if (const auto files = m.dependencies.find(unit.object);
        !unit.blind && units.count(unit.object) == 0 && files != m.dependencies.end() && !files->second.empty())
      m.writer.unit(describe_unit(m, unit.object, files->second));
}

result<refresh::carried> refresh::carry_over(store::evidence_store& evidence, const session& m) const {
  m.writer.checkpoint();
  auto now = evidence.load(m.writer.measurement());
  if (!now) return tl::unexpected(now.error());
  carry_tables(*now, m);
  m.writer.checkpoint();
  now = evidence.load(m.writer.measurement());
  if (!now) return tl::unexpected(now.error());
  const translation to(base(), *now, m, changes_);
  std::vector<translation::translated> classes;
  for (const auto& c : base().classes) {
    const bool is_needed = std::any_of(c.tests.begin(), c.tests.end(), [&](std::uint32_t test) {
      return stays_[test] || (base().tests[test].is_startup() && programs_[base().tests[test].program].skipped);
    });
    classes.push_back(is_needed ? to.of(c) : translation::translated());
  }

  // A program that is measured in another way than it was may have its start-up row in all others.
  const std::vector<bool> had = with_elements(base()), has = with_elements(*now);
  std::vector<bool> same_start(programs_.size(), true);
  for (std::size_t t = 0; t < base().tests.size(); ++t) {
    const auto& test = base().tests[t];
    if (!test.is_startup() || programs_[test.program].skipped) continue;
    const std::uint32_t id = m.writer.test(m.writer.program(base().programs[test.program]), "", "");
    same_start[test.program] = m.writer.is_measured(id) && id < has.size() && has[id] == had[t];
  }

  carried result;
  for (std::uint32_t t = 0; t < base().tests.size(); ++t) {
    const auto& test = base().tests[t];
    const auto& program = base().programs[test.program];
    const bool skipped = programs_[test.program].skipped;
    if (!stays_[t] && !(test.is_startup() && skipped && test.measured)) continue;
    const std::uint32_t id = m.writer.test(m.writer.program(program), test.case_name, test.name);
    if (m.writer.is_measured(id)) continue;
    std::vector<element> row;
    bool holds = same_start[test.program];
    for (const std::uint32_t c : classes_of_[t]) {
      holds = holds && classes[c].exists && (skipped || classes[c].equal);
      if (!holds) break;
      row.insert(row.end(), classes[c].elements.begin(), classes[c].elements.end());
    }
    if (!holds) {
      result.to_run.insert({program.suite, program.target});
      continue;
    }
    std::sort(row.begin(), row.end());
    store::measured_test facts = test;
    if (facts.at == 0) facts.at = base().info.created;
    if (facts.carried_from.empty()) facts.carried_from = commit();
    m.writer.put_row(id, facts, row);
    result.rows += test.is_startup() ? 0 : 1;
  }
  return result;
}

}  // namespace morph::measuring
