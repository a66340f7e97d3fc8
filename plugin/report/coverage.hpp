// What coverage reports are made of: the lines and functions of each file, and the tests that ran them.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "plugin/git/line_map.hpp"
#include "plugin/store/evidence.hpp"

namespace morph::report {

/// Index of coverage::test_sets. Set 0 is empty: nobody.
using set_id = std::uint32_t;
constexpr set_id nobody = 0;

struct reported_test {
  std::string suite;
  store::measured_test facts;  // what holds for the start of its program is in its `incomplete` bits too
};

/// Of a line: a way on, or what was seen of its conditions. Its number tells a way from the others of the line, and
/// says no more.
struct reported_outcome {
  std::uint32_t number = 0;
  set_id tests = nobody;
};

/// What an outcome of conditions is by its number: this term was seen to decide its condition with this value. The
/// terms of a line are counted through all of its conditions.
struct decision {
  std::uint32_t term = 0;
  bool value = false;
};
constexpr decision decision_of(std::uint32_t number) {
  return {number / 2, number % 2 == 0};
}

struct reported_line {
  std::uint32_t number = 0;
  set_id tests = nobody;
  std::vector<reported_outcome> branches;    // ascending; none where there is one way on
  std::vector<reported_outcome> conditions;  // ascending, two a term; none if the compiler recorded none
};

/// One for all instances that read the same: a constructor's variants, for example.
struct reported_function {
  std::string symbol;  // mangled, of one instance
  std::string name;
  std::uint32_t line = 0;
  set_id tests = nobody;
};

/// A file that a measured program was compiled from. It may have no line that can run.
struct reported_file {
  std::string path;                          // relative to the repository
  std::vector<reported_line> lines;          // that can run, ascending
  std::vector<reported_function> functions;  // by line and name
  std::vector<git::line_range> unknown;      // as they stand now, changed since they were measured
  bool has_code() const { return !lines.empty() || !functions.empty(); }
};

/// Who ran what, by gcov's own rule. What ran before the first test of a program was run by all of its tests.
struct coverage {
  std::vector<reported_test> tests;                   // every one that the measurement knows
  std::vector<std::vector<std::uint32_t>> test_sets;  // ascending tests
  std::vector<reported_file> files;                   // by path
  std::vector<std::string> without_counters;          // sources compiled without counters, by path
  bool lacks_branches = false;                        // some file's were not listed when it was measured

  std::size_t count(set_id set) const { return test_sets[set].size(); }
  const reported_file* find(const std::string& path) const;
};

/// Functions that only the compiler wrote are left out, and so are lines that nothing else has. Cost: the evidence, and
/// the sets of tests once each.
coverage make_coverage(const store::evidence& facts);

/// Brings everything to where the lines stand after the changes. A function goes with its first line. What is known of
/// a changed line is dropped, the line becomes `unknown`; so do all lines of a file that is not text (range 1..max).
void follow_changes(coverage& c, std::span<const git::file_change> changes);

/// How functions of a file decide, where the lines stand now; those whose first line changed are left out.
std::vector<store::packed_way> moved_decisions(std::span<const store::packed_way> ways, const git::line_map& lines);

/// Leaves the files that `wanted` accepts.
void keep_files(coverage& c, const std::function<bool(const std::string&)>& wanted);

struct tally {
  std::size_t hit = 0;
  std::size_t total = 0;
  void add(set_id tests) {
    hit += tests == nobody ? 0 : 1;
    ++total;
  }
  tally& operator+=(const tally& other) {
    hit += other.hit;
    total += other.total;
    return *this;
  }
};
struct file_tally {
  tally lines, branches, conditions, functions;
  file_tally& operator+=(const file_tally& other) {
    lines += other.lines;
    branches += other.branches;
    conditions += other.conditions;
    functions += other.functions;
    return *this;
  }
};
file_tally tally_of(const reported_file& file);

/// Whether each test is in the set.
std::vector<bool> sets_with(const coverage& c, std::uint32_t test);

/// The tests with this name, ctest's or the program's.
std::vector<std::uint32_t> find_tests(const coverage& c, const std::string& name);

/// "crashed", "made-process": why a test may have run more than its row says; empty if it has not.
std::vector<std::string> doubts(const store::measured_test& test);

}  // namespace morph::report
