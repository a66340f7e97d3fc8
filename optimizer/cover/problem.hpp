// Tests x weighted requirements as searches need them: folded, both ways round, immutable.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "optimizer/matrix/fold.hpp"
#include "optimizer/matrix/matrix.hpp"

namespace morph::optimizer {

/// Requirements of one kind: changed code, all code, kills, coupled branches, history.
struct requirement_group {
  std::string name;
  std::uint32_t size = 0;  // requirements
  bool operator==(const requirement_group&) const = default;
};

/// Which test covers what. Requirements that exactly the same tests cover are one class, without loss (Epitropakis et
/// al., ISSTA 2015). Those that nobody covers are in none.
struct cover_matrix {
  std::vector<requirement_group> groups;
  std::vector<std::int64_t> cost_us;      // by test; at least 1
  std::vector<std::uint64_t> test_begin;  // tests + 1: a test's classes are classes[test_begin[t] .. test_begin[t + 1])
  std::vector<std::uint32_t> classes;     // ascending within a test
  std::vector<std::uint64_t> class_begin;  // classes + 1
  std::vector<std::uint32_t> tests;        // ascending within a class
  std::vector<std::int64_t> members;       // classes x groups: summed weights of the requirements in it
  std::vector<std::int64_t> uncovered;     // by group: summed weights of those that nobody covers

  std::uint32_t test_count() const { return static_cast<std::uint32_t>(cost_us.size()); }
  std::uint32_t class_count() const { return static_cast<std::uint32_t>(class_begin.size() - 1); }
  std::span<const std::uint32_t> classes_of(std::uint32_t test) const {
    return {classes.data() + test_begin[test], classes.data() + test_begin[test + 1]};
  }
  std::span<const std::uint32_t> tests_of(std::uint32_t c) const {
    return {tests.data() + class_begin[c], tests.data() + class_begin[c + 1]};
  }
};

/// An order of tests: of equally expensive ones the last comes first.
struct costliest_first {
  const std::vector<std::int64_t>& cost_us;
  bool operator()(std::uint32_t a, std::uint32_t b) const {
    return cost_us[a] != cost_us[b] ? cost_us[a] > cost_us[b] : a > b;
  }
};

/// Makes a matrix of rows that come one after the other and are not kept. Time: O(covered pairs). Memory: as large as
/// what it makes, and a few numbers a requirement.
class matrix_builder {
 public:
  /// Requirements are numbered through all groups. `weights`: of each; none: 1. A requirement without weight counts
  /// for nothing. Throws std::invalid_argument for a negative weight, or another number of weights than requirements.
  explicit matrix_builder(std::vector<requirement_group> groups, std::vector<std::int64_t> weights = {});

  /// The next test. `requirements` are distinct; throws std::out_of_range for one that no group has. A cost below 1
  /// counts as 1.
  void add_test(std::int64_t cost_us, std::span<const std::uint32_t> requirements);

  cover_matrix finish() &&;

 private:
  std::vector<requirement_group> groups_;
  std::vector<std::int64_t> weights_;
  std::size_t requirements_ = 0;
  folder folder_;
  std::vector<std::int64_t> cost_us_;
};

/// A matrix with weights: what a search works on. Copies share the matrix.
struct cover_problem {
  std::shared_ptr<const cover_matrix> matrix;
  std::vector<std::int64_t> weight;  // by class; at least 0
  std::int64_t total_weight = 0;
  std::int64_t total_cost_us = 0;
};

/// Each class weighs what its requirements weigh together, times the weight of their group. `group_weights`: as many as
/// groups; empty: 1 each. Throws std::invalid_argument for another number, a negative one, or sums above largest_sum.
cover_problem weigh(std::shared_ptr<const cover_matrix> matrix, std::span<const std::int64_t> group_weights = {});

}  // namespace morph::optimizer
