// The functions nearest to one that a test can call: a breadth-first search from the function to its callers.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "plugin/explain/sources.hpp"

namespace morph::explain {

/// Numbers of functions of the graph: the named ones, then their callers, level by level. A call of a virtual function
/// may enter each one that overrides it; a lambda is entered from the function that it is written in.
struct caller_level {
  std::uint32_t function = 0;
  std::uint32_t distance = 0;
};
std::vector<caller_level> callers_of(const coupling::branch_graph& graph, const std::string& named);

struct test_point {
  std::string function{}, header{};
  std::uint32_t distance = 0;  // calls from it to the function that is meant; 0: it is that one
  bool is_on_path = false;     // a test was seen to go through it
  std::uint32_t parameters = 0, objects = 0;
  bool is_getter = false;
};

struct test_points {
  std::vector<test_point> points{};  // best first; only the function itself if a test can call it
  std::string why_none{};            // if there is none
};

/// `paths`: call paths that were seen, of functions. The order: the fewest calls away, where one more counts for those
/// that stand on no such path; the fewest parameters that need objects, the fewest parameters; functions that only give
/// a field come last.
test_points nearest_test_points(const project_functions& of, const std::string& named,
                                const std::vector<std::vector<std::string>>& paths);

}  // namespace morph::explain
