// Domain exploration: pairs of neighbouring inputs between which the output of a classifier changes.
//
// The three strategies are those of Zhu and Bayley, "Exploratory Datamorphic Testing of Classification Applications"
// (AST 2020). A search brings two cases of different classes together; bisection by a datamorphism of two then makes
// their distance smaller until it is within the tolerance. Searches advance together, a run each at a time, so that
// runs can be parallel or isolated in batches; what is found does not depend on that.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "plugin/spec/engine/engine.hpp"

namespace morph::engine {

enum class exploration : unsigned char {
  random_target,  // pairs of cases of different classes, drawn without repetition, each pair equally likely
  random_walk,    // from a random case, steps by random datamorphisms
  directed_walk,  // from each case, steps by one datamorphism, each of them in turn
};
const char* exploration_name(exploration which);

struct explore_options {
  exploration method = exploration::random_target;
  std::size_t mid = 0;             // the datamorphism of two that bisects
  std::vector<std::size_t> steps;  // datamorphisms of one, for walks
  std::uint16_t executer = 0;
  std::vector<case_index> starts;
  std::uint64_t searches = 100;  // pairs that are drawn, or walks
  unsigned most_steps = 20;      // of a walk
  unsigned most_halvings = 64;
  double tolerance = 1e-6;
  bool is_absolute = false;  // else the tolerance is a part of the box: of the greatest distance of two starts
  bool confirms = true;      // both ends of a border run once more
  std::uint64_t most_runs = ~std::uint64_t{0};
  double most_seconds = 0;                            // 0: no limit
  std::uint64_t most_bytes = std::uint64_t{4} << 30;  // of memory
  std::uint64_t seed = 1;
};

/// How a search ended. The first three are borders.
enum class search_end : unsigned char {
  within,          // the tolerance
  closest,         // the datamorphism makes nothing between both ends
  halvings,        // the limit of halvings
  known,           // a border that was found before
  same_class,      // the walk met no other class
  no_step,         // no step applies
  nothing,         // the midpoint does not apply
  threw,           // the midpoint threw
  no_progress,     // the midpoint is further from one end than the other end is
  no_class,        // a run gave no output
  unsteady,        // an end was of another class when it was run again
  not_transitive,  // the predicate tells both classes apart, but not both ends
  left_out,        // by a limit
};
inline constexpr std::size_t number_of_search_ends = 13;
const char* search_end_name(search_end how);
constexpr bool is_border(search_end how) {
  return how <= search_end::halvings;
}

/// `a` and `b` are in the pool, with the midpoints that they were made of.
struct border_pair {
  case_index a = nowhere, b = nowhere;
  std::uint32_t class_a = 0, class_b = 0;
  double width = 0;  // distance of both
  unsigned halvings = 0;
  search_end how = search_end::within;
  std::uint64_t search = 0;
  bool by_third_class = false;  // the other bracket of a midpoint of a third class
};

/// What happens, as it does: the log of an exploration.
struct explore_row {
  enum kind : unsigned char { start, step, halve, third_class, end } what = start;
  std::uint64_t search = 0;
  case_index which = nowhere, other = nowhere;  // start of a pair, third class, end: both ends of the bracket
  std::uint32_t class_of = nowhere;             // step, halve: of `which`
  double width = -1;                            // of the bracket; -1 where there is none
  search_end how = search_end::within;          // end
};
using explore_seen = std::function<void(const explore_row&)>;

/// Of a class: one input, and how many of the inputs that were run are of it.
struct output_class {
  input_index example = nowhere;
  bool is_exception = false;
  std::uint64_t starts = 0, inputs = 0;
};

struct explored {
  std::string error;  // why it could not go on; what is wrong with the spec
  std::vector<border_pair> borders;
  std::vector<output_class> classes;
  std::vector<std::uint32_t> class_of_input;  // of those that were looked at
  std::uint64_t searches = 0, third_classes = 0;
  std::uint64_t start_runs = 0, step_runs = 0, midpoint_runs = 0, confirming_runs = 0;
  double box = 0, tolerance = 0;  // distances
  std::array<std::uint64_t, number_of_search_ends> ends{};
  struct unfinished {
    search_end how;
    std::uint64_t search;
    case_index a, b;  // the bracket; b is nowhere in a walk
  };
  std::vector<unfinished> examples;       // the first that was given up in each way
  std::vector<case_index> without_class;  // cases whose runs gave no output
  std::string broken;                     // what a datamorphism threw first
  std::string limit;                      // which one stopped it
  bool interrupted = false;
  double midpoints_a_border() const;
  double runs_a_border() const;  // all but those of the starts
};

inline constexpr std::uint32_t no_class = nowhere;

/// Cases are added to the session: all steps and midpoints. Their classes are positions in `classes`.
explored explore(session& at, const explore_options& how, const explore_seen& seen = {});

/// The datamorphism that bisects: the one of that name, or the only one of two. An error if there is none, several,
/// or it cannot.
std::string find_midpoint(const spec_base& spec, const std::string& name, std::size_t& to);
/// The datamorphisms of one of these names, or all. An error if there is none.
std::string find_steps(const spec_base& spec, const std::vector<std::string>& names, std::vector<std::size_t>& to);

}  // namespace morph::engine
