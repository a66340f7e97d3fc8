// Evidence of a small project made by hand, for the tests of coverage reports, and what they ask of a model.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "plugin/report/coverage.hpp"
#include "plugin/report/summary.hpp"

namespace morph::report_tests {

using namespace morph::report;
using namespace morph::store;
using morph::git::file_change;
using morph::git::hunk;
using morph::git::line_range;
using morph::optimizer::requirement_kind;

// src/lib.cpp: f on lines 2 to 4, g on 6 to 7 (nobody runs line 7), a global on line 9 that static initialization
// makes. Line 3 of it has two branches, 7 has two that nobody takes. src/lib.hpp: a class with two symbols for its
// constructor on line 3, and an implicit destructor on line 2. src/idle.cpp: h on line 1, run by nobody. src/text.inc:
// a line, and no function. Tests: 0 start-up (line 3 of lib.hpp), 1 S.A, 2 S.B (crashed), 3 S.C (not measured), 4 S/A.
inline constexpr std::uint32_t startup = 0, a = 1, b = 2, c = 3, slash_a = 4;
inline constexpr std::uint32_t lib = 0, header = 1, idle = 2, plain = 3, blind = 4, text = 5;

inline element line(std::uint32_t file, std::uint32_t number) {
  return make_element(requirement_kind::line, file, number);
}
inline element branch(std::uint32_t file, std::uint32_t line, std::uint32_t number) {
  return make_element(requirement_kind::branch, file, branches_of_line * line + number);
}
inline element condition(std::uint32_t file, std::uint32_t line, std::uint32_t number) {
  return make_element(requirement_kind::condition, file, branches_of_line * line + number);
}
inline element unshown(std::uint32_t file, std::uint32_t line) {
  return make_element(requirement_kind::unshown, file, line);
}
inline element function(std::uint32_t number) {
  return make_element(requirement_kind::function, 0, number);
}

inline evidence example() {
  evidence e;
  e.info.complete = true;
  e.files = {"src/lib.cpp", "src/lib.hpp", "src/idle.cpp", "src/plain.hpp", "src/blind.cpp", "src/text.inc"};
  e.executable_lines = {{2, 3, 4, 6, 7, 9}, {2, 3}, {1}, {}, {}, {5}};
  e.branches = {{number_of(branch(lib, 3, 0)), number_of(branch(lib, 3, 40)), number_of(branch(lib, 7, 0)),
                 number_of(branch(lib, 7, 1))},
                {},
                {},
                {},
                {},
                {}};
  e.conditions.resize(e.files.size());
  e.decisions.resize(e.files.size());
  e.programs = {{"suite", "tests"}};
  for (const char* name : {"", "S.A", "S.B", "S.C", "S/A"}) {
    measured_test t;
    t.case_name = name;
    t.name = name[0] == 0 ? "" : std::string("pre.") + name;
    t.measured = true;
    e.tests.push_back(t);
  }
  e.tests[b].how = outcome::crashed;
  e.tests[b].incomplete = 4;
  e.tests[c].measured = false;
  e.units = {{"lib.o", lib, {lib, header, plain, text}, false},
             {"idle.o", idle, {idle}, false},
             {"blind.o", blind, {header, blind}, true}};
  e.functions = {{"_Z1fi", lib, 2, 4, false},
                 {"_Z1gv", lib, 6, 7, false},
                 {"_Z41__static_initialization_and_destruction_0ii", lib, 9, 9, true},
                 {"_ZN1AC1Ev", header, 3, 3, false},
                 {"_ZN1AC2Ev", header, 3, 3, false},
                 {"_ZN1AD2Ev", header, 2, 2, true},
                 {"_Z1hv", idle, 1, 1, false}};
  e.classes = fold_rows({{startup, {line(lib, 9), line(header, 3), function(2), function(4)}},
                         {a, {line(lib, 2), line(lib, 3), line(lib, 40), function(0), branch(lib, 3, 40)}},
                         {b, {line(lib, 2), line(lib, 6), line(header, 2), function(0), function(1), function(5)}},
                         {slash_a, {line(text, 5)}}});
  for (auto& k : e.classes) std::sort(k.elements.begin(), k.elements.end());
  return e;
}

/// As GCC 14 compiles it: a condition of two terms on line 3 of src/lib.cpp, of which S.A saw the first decide while
/// true and S.B the second while false; one of a term on line 7; one on a line that cannot run.
inline evidence with_conditions() {
  evidence e = example();
  for (const std::uint32_t number : {0U, 1U, 2U, 3U}) e.conditions[lib].push_back(number_of(condition(lib, 3, number)));
  for (const std::uint32_t number : {0U, 1U}) e.conditions[lib].push_back(number_of(condition(lib, 5, number)));
  for (const std::uint32_t number : {64U, 65U}) e.conditions[lib].push_back(number_of(condition(lib, 7, number)));
  e.classes.push_back({{a}, {condition(lib, 3, 0)}});
  e.classes.push_back({{b}, {condition(lib, 3, 3)}});
  return e;
}

using names = std::vector<std::string>;

inline names test_names(const coverage& cov, set_id set) {
  names result;
  for (std::uint32_t t : cov.test_sets[set]) result.push_back(cov.tests[t].facts.case_name);
  return result;
}

inline std::map<std::uint32_t, names> lines_of(const coverage& cov, const std::string& path) {
  std::map<std::uint32_t, names> result;
  for (const auto& l : cov.find(path)->lines) result[l.number] = test_names(cov, l.tests);
  return result;
}

inline std::map<std::string, names> functions_of(const coverage& cov, const std::string& path) {
  std::map<std::string, names> result;
  for (const auto& f : cov.find(path)->functions) result[f.name] = test_names(cov, f.tests);
  return result;
}

inline file_change modified(const std::string& path, std::vector<hunk> hunks) {
  file_change change;
  change.path = path;
  change.hunks = std::move(hunks);
  return change;
}

inline origin somewhere() {
  return {"0123456789abcdef", 1, true, {}, {}};
}

}  // namespace morph::report_tests
