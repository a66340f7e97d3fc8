// The lines, branches and conditions that gcov itself would print for one unit, by gcov's own rule.
#ifndef MORPH_COVERAGE_GCOV_GCOV_LINES_HPP
#define MORPH_COVERAGE_GCOV_GCOV_LINES_HPP

#include <cstdint>
#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "coverage/gcov/data.hpp"
#include "coverage/gcov/note.hpp"

namespace morph::gcov {

struct branch_count {
  std::int64_t count;
  bool fall_through;
  bool is_throw;

  friend bool operator==(const branch_count&, const branch_count&) = default;
};

// Which terms of a condition, a bit each, were seen to decide it.
struct condition_count {
  std::uint32_t terms;
  std::uint64_t when_true;
  std::uint64_t when_false;

  friend bool operator==(const condition_count&, const condition_count&) = default;
};

// A line of a group of functions (those that start on the same line, such as the instances of a template) is reported
// once for each of them, as gcov's JSON does.
struct line_count {
  std::uint32_t file;  // index into note::files
  std::uint32_t line;
  std::uint32_t function;  // index into note::functions for a line of a group, else no_function
  std::int64_t count;
  // Of the blocks that end on the line, in gcov's order.
  std::vector<branch_count> branches;
  std::vector<condition_count> conditions;
};
constexpr std::uint32_t no_function = ~std::uint32_t{0};

struct function_count {
  std::uint32_t function;  // index into note::functions
  std::int64_t count;
};

struct unit_counts {
  std::vector<line_count> lines;          // sorted by file, line, function
  std::vector<function_count> functions;  // in the order of the notes
};

// Artificial functions, and functions that the counters lack, are left out. The notes' stamp must be that of the data.
tl::expected<unit_counts, std::string> gcov_counts(const note& notes, const data& counters);

}  // namespace morph::gcov

#endif
