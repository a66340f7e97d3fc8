// Which tests run, as a problem of pagmo's: any of its algorithms can work on it.
#pragma once

#include <pagmo/problem.hpp>
#include <pagmo/types.hpp>
#include <string>
#include <utility>
#include <vector>

#include "optimizer/cover/problem.hpp"
#include "optimizer/cover/test_set.hpp"

namespace morph::optimizer {

/// A part of a whole; of nothing, 0.
inline double fraction(std::int64_t part, std::int64_t whole) {
  return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}

/// A decision vector has an integer for each test: 1, it runs; 0, it does not (what is not one of them counts as the
/// nearer one, for algorithms that do not know integers). Objectives, all between 0 and 1 and to be minimized: for each
/// weighting the part of its weight that is not covered, then the part of all cost. Copies share the matrix.
class subset_problem {
 public:
  subset_problem();  // of no tests, as pagmo needs it
  /// One to four weightings of one matrix; throws std::invalid_argument otherwise.
  explicit subset_problem(std::vector<cover_problem> weightings);

  /// O(pairs of classes of the tests that run, times the weightings).
  pagmo::vector_double fitness(const pagmo::vector_double& x) const;
  pagmo::vector_double batch_fitness(const pagmo::vector_double& xs) const;
  std::pair<pagmo::vector_double, pagmo::vector_double> get_bounds() const;
  pagmo::vector_double::size_type get_nobj() const { return weightings_.size() + 1; }
  pagmo::vector_double::size_type get_nix() const { return tests(); }
  pagmo::thread_safety get_thread_safety() const { return pagmo::thread_safety::constant; }
  std::string get_name() const { return "which tests run"; }

  std::uint32_t tests() const { return weightings_.front().matrix->test_count(); }
  const std::vector<cover_problem>& weightings() const { return weightings_; }

  test_set set_of(const pagmo::vector_double& x) const;
  pagmo::vector_double vector_of(const test_set& set) const;

 private:
  std::vector<cover_problem> weightings_;
};

}  // namespace morph::optimizer
