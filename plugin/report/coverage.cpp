// From evidence to the model of reports.
#include "plugin/report/coverage.hpp"

#include <algorithm>
#include <iterator>
#include <limits>
#include <map>
#include <set>
#include <unordered_map>

#include "plugin/git/repository.hpp"
#include "plugin/system/demangle.hpp"

namespace morph::report {
namespace {

using optimizer::requirement_kind;
using test_set = std::vector<std::uint32_t>;

/// Gives equal sets of tests one number.
class set_table {
 public:
  set_id add(test_set tests) {
    const auto [place, added] = numbers_.try_emplace(std::move(tests), static_cast<set_id>(numbers_.size()));
    if (added) sets_.push_back(&place->first);
    return place->second;
  }
  const test_set& at(set_id number) const { return *sets_[number]; }
  std::vector<test_set> finish() const {
    std::vector<test_set> sets;
    for (const test_set* set : sets_) sets.push_back(*set);
    return sets;
  }

 private:
  std::map<test_set, set_id> numbers_{{{}, nobody}};
  std::vector<const test_set*> sets_{&numbers_.begin()->first};  // by number
};

/// Which lines of a file belong to functions that people wrote.
class written_lines {
 public:
  void add(const store::measured_function& f) {
    if (f.artificial)
      has_artificial_ = true;
    else
      ranges_.push_back({f.start_line, f.end_line});
  }
  void finish() {
    std::sort(ranges_.begin(), ranges_.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    for (std::size_t i = 1; i < ranges_.size(); ++i) ranges_[i].last = std::max(ranges_[i].last, ranges_[i - 1].last);
  }
  /// A text that is included in the midst of functions of other files has none of its own.
  bool has(std::uint32_t line) const {
    if (!has_artificial_) return true;
    const auto behind = std::upper_bound(ranges_.begin(), ranges_.end(), line,
                                         [](std::uint32_t l, const git::line_range& r) { return l < r.first; });
    return behind != ranges_.begin() && line <= std::prev(behind)->last;
  }

 private:
  std::vector<git::line_range> ranges_;  // when finished: by first line, the last one is the greatest so far
  bool has_artificial_ = false;
};

class builder {
 public:
  explicit builder(const store::evidence& facts) : e_(facts) {}

  coverage build() && {
    add_tests();
    add_files();
    add_executed();
    add_functions();
    result_.test_sets = sets_.finish();
    std::sort(result_.files.begin(), result_.files.end(), [](const auto& a, const auto& b) { return a.path < b.path; });
    return std::move(result_);
  }

 private:
  static constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();

  void add_tests() {
    std::vector<std::uint32_t> incomplete_start(e_.programs.size(), 0);
    tests_of_program_.resize(e_.programs.size());
    for (const auto& test : e_.tests)
      if (test.is_startup()) incomplete_start[test.program] |= test.incomplete;
    for (std::uint32_t t = 0; t < e_.tests.size(); ++t) {
      const store::measured_test& test = e_.tests[t];
      number_of_test_.push_back(test.is_startup() ? none : static_cast<std::uint32_t>(result_.tests.size()));
      if (test.is_startup()) continue;
      if (test.measured) tests_of_program_[test.program].push_back(number_of_test_[t]);
      result_.tests.push_back({e_.programs[test.program].suite, test});
      result_.tests.back().facts.incomplete |= incomplete_start[test.program];
    }
  }

  void add_files() {
    std::set<std::uint32_t> counted, blind;
    for (const auto& unit : e_.units)
      if (unit.blind)
        blind.insert(unit.source);
      else
        counted.insert(unit.dependencies.begin(), unit.dependencies.end());
    for (std::uint32_t f = 0; f < e_.files.size(); ++f) {
      const bool has_lines = !e_.executable_lines[f].empty();  // a library's header has none (outside_rules)
      const bool is_known = has_lines || (counted.count(f) != 0 && !git::is_outside(e_.files[f]));
      const bool is_generated = e_.files[f].starts_with('/');
      place_of_file_.push_back(is_known ? static_cast<std::uint32_t>(result_.files.size()) : none);
      if (is_known)
        result_.files.push_back({e_.files[f], {}, {}, {}});
      else if (blind.count(f) != 0 && !is_generated)
        result_.without_counters.push_back(e_.files[f]);
    }
    std::sort(result_.without_counters.begin(), result_.without_counters.end());
  }

  static test_set without(const test_set& tests, const test_set& others) {
    test_set left;
    std::set_difference(tests.begin(), tests.end(), others.begin(), others.end(), std::back_inserter(left));
    return left;
  }

  test_set reported(const std::vector<std::uint32_t>& tests) const {
    test_set numbers;
    for (std::uint32_t t : tests)
      if (number_of_test_[t] != none) numbers.push_back(number_of_test_[t]);
    const auto own = static_cast<std::ptrdiff_t>(numbers.size());
    for (std::uint32_t t : tests) {
      if (number_of_test_[t] != none) continue;
      const test_set& all = tests_of_program_[e_.tests[t].program];
      numbers.insert(numbers.end(), all.begin(), all.end());
    }
    if (own == static_cast<std::ptrdiff_t>(numbers.size())) return numbers;
    std::sort(numbers.begin(), numbers.end());
    numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
    return numbers;
  }

  void add_executed() {
    std::unordered_map<store::element, set_id> set_of;
    set_of_function_.assign(e_.functions.size(), nobody);
    std::unordered_map<store::element, const test_set*> unshown;  // by line
    for (const auto& c : e_.classes)
      for (store::element x : c.elements)
        if (store::kind_of(x) == requirement_kind::unshown)
          unshown.emplace(store::make_element(requirement_kind::line, store::owner_of(x), store::number_of(x)),
                          &c.tests);
    for (const auto& c : e_.classes) {
      const set_id set = sets_.add(reported(c.tests));
      for (store::element x : c.elements)
        if (const auto kind = store::kind_of(x); kind == requirement_kind::line && unshown.contains(x))
          set_of.emplace(x, sets_.add(reported(without(c.tests, *unshown[x]))));
        else if (kind == requirement_kind::line || kind == requirement_kind::branch ||
                 kind == requirement_kind::condition)
          set_of.emplace(x, set);
        else if (kind == requirement_kind::function)
          set_of_function_[store::number_of(x)] = set;
    }
    std::vector<written_lines> written(e_.files.size());
    for (const auto& f : e_.functions) written[f.file].add(f);
    for (std::uint32_t f = 0; f < e_.files.size(); ++f) {
      written[f].finish();
      for (std::uint32_t number : e_.executable_lines[f]) {
        if (!written[f].has(number)) continue;
        const auto at = set_of.find(store::make_element(requirement_kind::line, f, number));
        result_.files[place_of_file_[f]].lines.push_back({number, at == set_of.end() ? nobody : at->second, {}, {}});
      }
    }
    for (std::uint32_t f = 0; f < e_.files.size(); ++f) {
      add_outcomes(f, requirement_kind::branch, e_.branches[f], &reported_line::branches, set_of);
      add_outcomes(f, requirement_kind::condition, e_.conditions[f], &reported_line::conditions, set_of);
    }
    for (const auto& [x, set] : set_of)
      if (store::kind_of(x) == requirement_kind::branch && e_.branches[store::owner_of(x)].empty())
        result_.lacks_branches = true;
  }

  void add_outcomes(std::uint32_t f, requirement_kind kind, const std::vector<std::uint32_t>& numbers,
                    std::vector<reported_outcome> reported_line::*outcomes,
                    const std::unordered_map<store::element, set_id>& set_of) {
    if (place_of_file_[f] == none) return;
    auto& lines = result_.files[place_of_file_[f]].lines;
    auto line = lines.begin();
    for (const std::uint32_t number : numbers) {
      line =
          std::find_if(line, lines.end(), [&](const auto& l) { return l.number >= number / store::branches_of_line; });
      if (line == lines.end()) return;
      if (line->number != number / store::branches_of_line) continue;
      const auto at = set_of.find(store::make_element(kind, f, number));
      ((*line).*outcomes).push_back({number % store::branches_of_line, at == set_of.end() ? nobody : at->second});
    }
  }

  void add_functions() {
    // Constructors and destructors have several symbols, and a program may lack some of them.
    struct same {
      std::uint32_t file, line;
      std::string name;
      auto operator<=>(const same&) const = default;
    };
    std::map<same, std::vector<std::uint32_t>> instances;
    for (std::uint32_t f = 0; f < e_.functions.size(); ++f)
      if (const auto& function = e_.functions[f]; !function.artificial && place_of_file_[function.file] != none)
        instances[{function.file, function.start_line, system::demangled(function.symbol)}].push_back(f);
    for (auto& [what, of] : instances) {
      set_id tests = set_of_function_[of.front()];
      const bool is_same =
          std::all_of(of.begin(), of.end(), [&](std::uint32_t f) { return set_of_function_[f] == tests; });
      if (!is_same) {
        std::set<std::uint32_t> all;
        for (std::uint32_t f : of) {
          const test_set& ran = sets_.at(set_of_function_[f]);
          all.insert(ran.begin(), ran.end());
        }
        tests = sets_.add({all.begin(), all.end()});
      }
      result_.files[place_of_file_[what.file]].functions.push_back(
          {e_.functions[of.front()].symbol, what.name, what.line, tests});
    }
  }

  const store::evidence& e_;
  coverage result_;
  set_table sets_;
  std::vector<std::uint32_t> number_of_test_;  // by test of the evidence; none = a start-up row
  std::vector<test_set> tests_of_program_;     // the measured ones
  std::vector<std::uint32_t> place_of_file_;   // by file of the evidence
  std::vector<set_id> set_of_function_;        // by function of the evidence
};

void forget_lines(reported_file& file, std::vector<git::line_range> unknown) {
  file.lines.clear();
  file.functions.clear();
  file.unknown = std::move(unknown);
}

void follow(reported_file& file, const git::file_change& change) {
  if (change.binary || change.how != git::file_change::kind::modified) {
    forget_lines(file, {{1, std::numeric_limits<std::uint32_t>::max()}});
    return;
  }
  const git::line_map map(change.hunks);
  std::vector<reported_line> lines;
  for (reported_line& line : file.lines)
    if (const auto now = map.now(line.number)) {
      line.number = *now;
      lines.push_back(std::move(line));
    }
  std::vector<reported_function> functions;
  for (reported_function& function : file.functions)
    if (const auto now = map.now(function.line)) {
      function.line = *now;
      functions.push_back(std::move(function));
    }
  file.lines = std::move(lines);
  file.functions = std::move(functions);
  file.unknown = map.new_lines();
}

}  // namespace

const reported_file* coverage::find(const std::string& path) const {
  const auto at =
      std::lower_bound(files.begin(), files.end(), path, [](const auto& f, const auto& p) { return f.path < p; });
  return at != files.end() && at->path == path ? &*at : nullptr;
}

coverage make_coverage(const store::evidence& facts) {
  return builder(facts).build();
}

void follow_changes(coverage& c, std::span<const git::file_change> changes) {
  std::map<std::string, const git::file_change*> by_path;
  for (const auto& change : changes) by_path[change.path] = &change;
  std::erase_if(c.files, [&](reported_file& file) {
    const auto at = by_path.find(file.path);
    if (at == by_path.end()) return false;
    if (at->second->how == git::file_change::kind::deleted) return true;
    follow(file, *at->second);
    return false;
  });
  std::erase_if(c.without_counters, [&](const std::string& path) {
    const auto at = by_path.find(path);
    return at != by_path.end() && at->second->how == git::file_change::kind::deleted;
  });
}

std::vector<store::packed_way> moved_decisions(std::span<const store::packed_way> ways, const git::line_map& lines) {
  std::vector<store::packed_way> result;
  for (const store::packed_way each : ways) {
    store::decision_way way = store::unpack(each);
    const auto function_line = lines.now(way.function_line), line = lines.now(way.line);
    if (!function_line || !line) continue;
    way.function_line = *function_line;
    way.line = *line;
    if (const auto packed = store::pack(way)) result.push_back(*packed);
  }
  std::ranges::sort(result);
  return result;
}

void keep_files(coverage& c, const std::function<bool(const std::string&)>& wanted) {
  std::erase_if(c.files, [&](const auto& file) { return !wanted(file.path); });
  std::erase_if(c.without_counters, [&](const auto& path) { return !wanted(path); });
}

file_tally tally_of(const reported_file& file) {
  file_tally sum;
  for (const auto& line : file.lines) {
    sum.lines.add(line.tests);
    for (const auto& branch : line.branches) sum.branches.add(branch.tests);
    for (const auto& outcome : line.conditions) sum.conditions.add(outcome.tests);
  }
  for (const auto& function : file.functions) sum.functions.add(function.tests);
  return sum;
}

std::vector<bool> sets_with(const coverage& c, std::uint32_t test) {
  std::vector<bool> has(c.test_sets.size());
  for (std::size_t s = 0; s < has.size(); ++s)
    has[s] = std::binary_search(c.test_sets[s].begin(), c.test_sets[s].end(), test);
  return has;
}

std::vector<std::uint32_t> find_tests(const coverage& c, const std::string& name) {
  std::vector<std::uint32_t> found;
  for (std::uint32_t t = 0; t < c.tests.size(); ++t)
    if (c.tests[t].facts.name == name || c.tests[t].facts.case_name == name) found.push_back(t);
  return found;
}

std::vector<std::string> doubts(const store::measured_test& test) {
  std::vector<std::string> texts;
  if (test.how != store::outcome::passed) texts.emplace_back(name_of(test.how));
  for (const store::incomplete_row& row : store::incomplete_table())
    if ((test.incomplete & row.bit) != 0) texts.emplace_back(row.name);
  return texts;
}

}  // namespace morph::report
