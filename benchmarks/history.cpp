// What one replayed commit shows: history rows STORE FROM TO PLAN [AGAIN...] <DIFF, history flips BEFORE.xml AFTER.xml
// PLAN. PLAN is `morph plan --json`, DIFF `git diff -U0 --no-renames FROM TO`; FROM and TO are trees of measured
// commits. Each AGAIN is a store with another measurement of TO: what differs between them differs without a change.
#include <fmt/format.h>
#include <tinyxml2.h>

#include <algorithm>
#include <fstream>
#include <iostream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include "plugin/store/store.hpp"

namespace {

using namespace morph::store;
using morph::optimizer::requirement_kind;

/// Old lines of a file: those that changed or went, and the neighbours of insertions.
using changed_lines = std::map<std::string, std::set<std::uint32_t>>;

changed_lines read_diff(std::istream& in) {
  changed_lines changed;
  std::string file;
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with("--- a/")) {
      file = line.substr(6);
      changed[file];
    } else if (line.starts_with("--- /dev/null")) {
      file.clear();
    } else if (unsigned start = 0, count = 1; line.starts_with("@@ -") && !file.empty()) {
      if (std::sscanf(line.c_str(), "@@ -%u,%u", &start, &count) < 1) continue;
      if (count == 0) {
        changed[file].insert({start, start + 1});
      } else {
        for (unsigned i = 0; i < count; ++i) changed[file].insert(start + i);
      }
    }
  }
  return changed;
}

/// Libraries that no commit changes on purpose execute other functions when a test's expectations change.
bool is_of_a_library(const std::string& symbol) {
  for (const char* name : {"7testing", "St", "Sa", "Ss", "5Catch", "7doctest", "9__gnu_cxx"})
    for (const char* prefix : {"_ZN", "_ZNK", "_ZZN", "_Z"})
      if (symbol.starts_with(std::string(prefix) + name)) return true;
  return false;
}

struct executed {
  outcome how = outcome::passed;
  bool doubtful = false;
  std::map<std::string, std::size_t> outcomes_of;  // function -> outcomes of its branches that were taken
  std::map<std::string, std::size_t> lines_of;     // function -> its executed lines
  std::set<element> lines;
};

/// Functions that only the compiler wrote. Written out like that they are at another place, with the same code.
std::set<std::string> artificial_functions(const evidence& e) {
  std::set<std::string> found;
  for (const measured_function& f : e.functions)
    if (f.artificial) found.insert(f.symbol);
  return found;
}

/// By probes a row begins with its process: with each new source, every test enters one more initializer.
std::set<std::string> functions_of_start(const evidence& e) {
  std::set<std::string> found;
  if (!is_probed(e)) return found;
  for (const element_class& c : e.classes)
    if (std::any_of(c.tests.begin(), c.tests.end(), [&](std::uint32_t test) { return e.tests[test].is_startup(); }))
      for (const element x : c.elements)
        if (kind_of(x) == requirement_kind::function) found.insert(e.functions[number_of(x)].symbol);
  return found;
}

/// By ctest's name. What ran before the first test is left out: it changes with every test that is added.
std::map<std::string, executed> read_rows(const evidence& e, const std::set<std::string>& left_out) {
  std::vector<std::vector<element>> rows(e.tests.size());
  for (const element_class& c : e.classes)
    for (const std::uint32_t test : c.tests) rows[test].insert(rows[test].end(), c.elements.begin(), c.elements.end());
  std::map<std::string, executed> result;
  for (std::size_t t = 0; t < rows.size(); ++t) {
    if (e.tests[t].is_startup() || !e.tests[t].measured) continue;
    executed& x = result[e.tests[t].name];
    x.how = e.tests[t].how;
    x.doubtful = e.tests[t].is_doubtful();
    std::map<std::uint32_t, std::vector<std::uint32_t>> functions;  // by file
    for (const element r : rows[t])
      if (kind_of(r) == requirement_kind::function) {
        const measured_function& f = e.functions[number_of(r)];
        if (left_out.contains(f.symbol) || is_of_a_library(f.symbol) || is_block(f.symbol)) continue;
        functions[f.file].push_back(number_of(r));
        x.outcomes_of[f.symbol];
        x.lines_of[f.symbol];
      }
    for (const element r : rows[t]) {
      const bool is_line = kind_of(r) == requirement_kind::line;
      if (is_line) x.lines.insert(r);
      if (!is_line && kind_of(r) != requirement_kind::branch) continue;
      const std::uint32_t line = is_line ? number_of(r) : number_of(r) / branches_of_line;
      const auto of_file = functions.find(owner_of(r));
      if (of_file == functions.end()) continue;
      for (const std::uint32_t f : of_file->second)
        if (e.functions[f].start_line <= line && line <= e.functions[f].end_line)
          ++(is_line ? x.lines_of : x.outcomes_of)[e.functions[f].symbol];
    }
  }
  return result;
}

nlohmann::json read_plan(const char* path) {
  std::ifstream in(path);
  return nlohmann::json::parse(in);
}

evidence_store open(const std::string& path) {
  auto store = evidence_store::open_for_reading(path);
  if (!store || !*store) throw std::runtime_error(store ? "there is no store" : store.error());
  return std::move(**store);
}

evidence load(evidence_store& store, const std::string& tree) {
  const auto all = store.measurements();
  if (!all) throw std::runtime_error(all.error());
  for (const measurement_info& m : *all) {
    // Submodules that are not checked out have no content.
    const auto& overrides = m.taken_from.overrides;
    const bool is_clean = std::none_of(overrides.begin(), overrides.end(), [](const auto& o) { return o.blob; });
    if (m.complete && m.taken_from.tree == tree && is_clean) {
      auto e = store.load(m.id);
      if (!e) throw std::runtime_error(e.error());
      return std::move(*e);
    }
  }
  throw std::runtime_error(fmt::format("tree {} is not measured", tree));
}

std::vector<std::string> most_common(const std::map<std::string, std::size_t>& counts, std::size_t count) {
  std::vector<std::pair<std::size_t, std::string>> by_count;
  for (const auto& [what, times] : counts) by_count.emplace_back(times, what);
  std::stable_sort(by_count.begin(), by_count.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
  std::vector<std::string> found;
  for (std::size_t i = 0; i < std::min(count, by_count.size()); ++i)
    found.push_back(fmt::format("{} {}", by_count[i].first, by_count[i].second));
  return found;
}

nlohmann::json compare_rows(const std::string& path, const std::string& from, const std::string& to,
                            const char* plan_path, const std::vector<std::string>& again_paths) {
  auto store = open(path);
  const evidence before = load(store, from), after = load(store, to);
  std::set<std::string> left_out = artificial_functions(before);
  left_out.merge(artificial_functions(after));
  left_out.merge(functions_of_start(before));
  left_out.merge(functions_of_start(after));
  const auto rows = read_rows(before, left_out), new_rows = read_rows(after, left_out);
  std::vector<std::map<std::string, executed>> again_before, again_after;
  for (const std::string& other_path : again_paths) {
    auto other = open(other_path);
    again_before.push_back(read_rows(load(other, from), left_out));
    again_after.push_back(read_rows(load(other, to), left_out));
  }
  const auto is_steady = [](const auto& others, const std::string& test, const executed& row) {
    return std::all_of(others.begin(), others.end(), [&](const auto& other) {
      const auto at = other.find(test);
      return at != other.end() && at->second.how == row.how && at->second.outcomes_of == row.outcomes_of &&
             at->second.lines_of == row.lines_of;
    });
  };
  const auto plan = read_plan(plan_path);
  const changed_lines changed = read_diff(std::cin);

  std::map<std::string, std::uint32_t> file_number;
  for (std::uint32_t f = 0; f < before.files.size(); ++f) file_number[before.files[f]] = f;
  std::set<std::uint32_t> changed_files;
  std::set<element> changed_elements;
  for (const auto& [file, lines] : changed)
    if (const auto at = file_number.find(file); at != file_number.end()) {
      changed_files.insert(at->second);
      for (const std::uint32_t line : lines)
        changed_elements.insert(make_element(requirement_kind::line, at->second, line));
    }

  std::size_t total = 0, fresh = 0, selected = 0, by_files = 0, by_lines = 0, affected = 0, line_counts = 0,
              verdicts = 0;
  double all_seconds = 0, selected_seconds = 0;
  std::vector<std::string> missed, missed_by_line_counts, unsteady;
  std::map<std::string, std::size_t> reasons, whole_reasons;
  for (const auto& test : plan.at("tests")) {
    const std::string name = test.at("name");
    const bool is_selected = test.at("selected");
    const double seconds = test.at("seconds").is_null() ? 0.0 : test.at("seconds").get<double>();
    ++total;
    all_seconds += seconds;
    selected += is_selected ? 1 : 0;
    selected_seconds += is_selected ? seconds : 0;
    if (is_selected)
      for (const std::string reason : test.at("reasons")) {
        ++reasons[reason.substr(0, reason.find(':'))];
        ++whole_reasons[reason];
      }
    const auto old_row = rows.find(name), new_row = new_rows.find(name);
    if (old_row == rows.end()) {
      ++fresh, ++by_files, ++by_lines;
      continue;
    }
    const auto& lines = old_row->second.lines;
    by_files += std::any_of(lines.begin(), lines.end(), [&](element x) { return changed_files.contains(owner_of(x)); });
    by_lines +=
        std::any_of(changed_elements.begin(), changed_elements.end(), [&](element x) { return lines.contains(x); });
    if (new_row == new_rows.end()) continue;
    const bool verdict = old_row->second.how != new_row->second.how;
    const bool counts = old_row->second.outcomes_of != new_row->second.outcomes_of;
    const bool of_lines = old_row->second.lines_of != new_row->second.lines_of;
    verdicts += verdict ? 1 : 0;
    affected += verdict || counts ? 1 : 0;
    line_counts += of_lines ? 1 : 0;
    if (is_selected || !(verdict || counts || of_lines)) continue;
    if (!is_steady(again_before, name, old_row->second) || !is_steady(again_after, name, new_row->second)) {
      unsteady.push_back(name);
    } else if (verdict || counts) {
      missed.push_back(name);
    } else {
      missed_by_line_counts.push_back(name);
    }
  }
  return {{"tests", total},
          {"new", fresh},
          {"state", plan.at("state")},
          {"selected", selected},
          {"seconds", all_seconds},
          {"selected_seconds", selected_seconds},
          {"reasons", reasons},
          {"most_common_reasons", most_common(whole_reasons, 4)},
          {"executed_files", by_files},
          {"changed_lines", by_lines},
          {"affected", affected},
          {"verdicts", verdicts},
          {"line_counts_differ", line_counts},
          {"missed", missed},
          {"unsteady", unsteady},
          {"missed_by_line_counts", missed_by_line_counts}};
}

/// Test -> whether it passed, of JUnit that ctest wrote.
std::map<std::string, bool> verdicts_of(const char* path) {
  tinyxml2::XMLDocument document;
  if (document.LoadFile(path) != tinyxml2::XML_SUCCESS) throw std::runtime_error(fmt::format("cannot read '{}'", path));
  std::map<std::string, bool> found;
  for (const auto* test = document.RootElement()->FirstChildElement("testcase"); test != nullptr;
       test = test->NextSiblingElement("testcase"))
    found[test->Attribute("name")] = test->FirstChildElement("failure") == nullptr;
  return found;
}

nlohmann::json compare_verdicts(const char* before, const char* after, const char* plan_path) {
  const auto old_verdicts = verdicts_of(before), new_verdicts = verdicts_of(after);
  std::vector<std::string> flipped, missed;
  const auto plan = read_plan(plan_path);
  std::size_t selected = 0;
  for (const auto& test : plan.at("tests")) {
    const std::string name = test.at("name");
    const bool is_selected = test.at("selected");
    selected += is_selected ? 1 : 0;
    const auto was = old_verdicts.find(name), is = new_verdicts.find(name);
    if (was == old_verdicts.end() || is == new_verdicts.end() || was->second == is->second) continue;
    flipped.push_back(name);
    if (!is_selected) missed.push_back(name);
  }
  return {{"tests", plan.at("tests").size()}, {"selected", selected}, {"flipped", flipped}, {"missed", missed}};
}

}  // namespace

int main(int argc, char** argv) try {
  const std::string what = argc > 1 ? argv[1] : "";
  if (what == "rows" && argc >= 6) {
    std::cout << compare_rows(argv[2], argv[3], argv[4], argv[5], {argv + 6, argv + argc}).dump() << "\n";
  } else if (what == "flips" && argc == 5) {
    std::cout << compare_verdicts(argv[2], argv[3], argv[4]).dump() << "\n";
  } else {
    std::cerr << "usage: history rows STORE FROM TO PLAN [AGAIN...] <DIFF, history flips BEFORE.xml AFTER.xml PLAN\n";
    return 2;
  }
} catch (const std::exception& e) {
  std::cerr << e.what() << "\n";
  return 3;
}
