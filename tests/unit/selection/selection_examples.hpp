// Evidence, changes and plans made by hand, for the tests of selections.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "plugin/selection/impact.hpp"
#include "plugin/selection/plan.hpp"
#include "plugin/selection/rules.hpp"

namespace morph::selection_tests {

using namespace morph::selection;
using namespace morph::store;
using morph::git::file_change;
using morph::optimizer::requirement_kind;

// Files: 0 lib.cpp (lines 2, 3, 10), 1 lib.hpp (line 5), 2 test.cpp (line 7), 3 macros.hpp (no executable line).
// Units: 0 lib.o of lib.cpp, 1 test.o of test.cpp; both include lib.hpp, only lib.o macros.hpp.
// Tests: 0 start-up, 1 S.A (lib.cpp 2, 3), 2 S.B (lib.cpp 3, lib.hpp 5), 3 S.C (test.cpp 7 only), 4 S.D (nothing).
inline constexpr std::uint32_t startup = 0, a = 1, b = 2, c = 3, d = 4;

inline element line(std::uint32_t file, std::uint32_t number) {
  return make_element(requirement_kind::line, file, number);
}

inline element unit(std::uint32_t number) {
  return make_element(requirement_kind::unit, 0, number);
}

inline evidence example(std::vector<element> at_startup = {}) {
  evidence e;
  e.info.complete = true;
  e.files = {"lib.cpp", "lib.hpp", "test.cpp", "macros.hpp"};
  e.executable_lines = {{2, 3, 10}, {5}, {7}, {}};
  e.programs = {{"suite", "tests"}};
  for (const char* name : {"", "S.A", "S.B", "S.C", "S.D"}) {
    measured_test t;
    t.case_name = t.name = name;
    t.measured = true;
    t.wall_us = 1000;
    e.tests.push_back(t);
  }
  e.units = {{"lib.o", 0, {0, 1, 3}, false}, {"test.o", 2, {1, 2}, false}};
  e.functions = {
      {"_Z1fi", 0, 2, 3, false}, {"_Z1gi", 0, 10, 10, false}, {"_Z1hi", 1, 4, 6, false}, {"_Z1ti", 2, 6, 8, false}};
  e.classes = fold_rows({{startup, std::move(at_startup)},
                         {a, {line(0, 2), line(0, 3), unit(0)}},
                         {b, {line(0, 3), line(1, 5), unit(0)}},
                         {c, {line(2, 7), unit(1)}},
                         {d, {}}});
  return e;
}

inline const file_kinds kinds("/nowhere", {});

inline file_change modified(const std::string& path, std::vector<morph::git::hunk> hunks,
                            std::uint32_t old_lines = 20) {
  file_change change;
  change.path = path;
  change.hunks = std::move(hunks);
  change.old_lines = old_lines;
  return change;
}

inline file_change of_kind(const std::string& path, file_change::kind how) {
  file_change change;
  change.path = path;
  change.how = how;
  return change;
}

/// The object code of f(int) is another one, and explains all changes.
inline plan_request request_for_code(const evidence& e, const std::vector<file_change>& changes, policy how) {
  code_changes code;
  for (const file_change& change : changes) code.explained.insert(change.path);
  code_change f;
  f.what = "f(int)";
  f.functions = {0};
  code.changes.push_back(f);
  plan_request r;
  r.suites = {{"suite", {how}, {}, true}};
  for (const char* name : {"S.A", "S.B", "S.C", "S.D"}) r.tests.push_back({0, "tests", name, name, "test.cpp"});
  r.baseline.emplace(plan_request::base{&e, 1, assess(e, changes, kinds, {}, {}, &code)});
  return r;
}

inline impact assess_one(const file_change& change, const evidence& e = example()) {
  return assess(e, {&change, 1}, kinds, {});
}

using names = std::vector<std::string>;

inline plan_request request_for(const evidence& e, const std::vector<file_change>& changes) {
  plan_request r;
  r.suites = {{"suite", {policy::safe}, {}, true}};
  for (const char* name : {"S.A", "S.B", "S.C", "S.D"}) r.tests.push_back({0, "tests", name, name, "test.cpp"});
  r.baseline.emplace(plan_request::base{&e, 1, assess(e, changes, kinds, {})});
  return r;
}

inline names sorted(names all) {
  std::sort(all.begin(), all.end());
  return all;
}

inline names order_of(const plan& p, const plan_request& r) {
  names result(r.tests.size());
  for (const auto& t : p.tests)
    if (t.rank) result[*t.rank - 1] = r.tests[t.test].name;
  std::erase(result, "");
  return result;
}

inline names reasons_of(const plan& p, std::size_t test) {
  names result;
  for (const auto& r : p.tests[test].reasons) result.push_back(text_of(r));
  return result;
}

}  // namespace morph::selection_tests
