// A set of tests under change: what it covers, what each other test would add, what each of its own takes away.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "optimizer/cover/problem.hpp"
#include "optimizer/cover/test_set.hpp"
#include "optimizer/matrix/random.hpp"

namespace morph::optimizer {

/// Gains and losses are exact after every change. A change costs the pairs of the classes that become covered or
/// uncovered, and the classes of the test. The problem has to outlive it.
class cover_state {
 public:
  explicit cover_state(const cover_problem& problem);

  void add(std::uint32_t test);
  void remove(std::uint32_t test);
  void become(const test_set& set);
  void store(test_set& set) const;

  bool has(std::uint32_t test) const { return place_[test] != 0; }
  std::span<const std::uint32_t> members() const { return members_; }
  std::int64_t cost_us() const { return cost_us_; }
  std::int64_t covered() const { return covered_; }
  /// What the test would add; 0 for a member.
  std::int64_t gain(std::uint32_t test) const { return static_cast<std::int64_t>(gain_[test]); }
  /// What only this member covers; 0 for others.
  std::int64_t loss(std::uint32_t test) const { return static_cast<std::int64_t>(loss_[test]); }

  /// The test of the most gain per cost (is_denser()) among those that gain anything and cost at most `room_us`.
  std::optional<std::uint32_t> best_addition(std::int64_t room_us) const;
  /// The member of the least loss per cost, but for `without`, when `excess_us` are too much: what it costs beyond that
  /// is of no use. Each density counts times a random number between 1 and 1 + noise / 256; `noise` is at most 255.
  std::optional<std::uint32_t> worst_member(std::int64_t excess_us, random_source& random, std::uint32_t noise,
                                            std::optional<std::uint32_t> without = {}) const;

  /// Adds the best tests as long as one gains anything within the budget.
  void fill(std::int64_t budget_us);
  /// The same, each test's density times a random number as above, which it keeps while the set is filled.
  void fill(std::int64_t budget_us, random_source& random, std::uint32_t noise);
  /// Removes members that lose nothing, the most expensive ones first. Returns whether there were any.
  bool prune();

 private:
  std::optional<std::uint32_t> first_densest(std::int64_t room_us, const std::vector<double>& inverse_cost) const;
  void fill_once(std::int64_t budget_us, random_source& random, std::uint32_t noise);

  const cover_problem* problem_;
  const cover_matrix* matrix_;
  std::vector<std::uint32_t> count_;  // by class: members that cover it
  std::vector<std::uint32_t> xor_;    // by class: their numbers; of a single one its number
  // By test, padded to blocks. Doubles, which hold such integers exactly, since processors compare them by the block.
  std::vector<double> gain_, loss_, cost_, inverse_cost_, noisy_inverse_cost_;
  std::vector<std::uint32_t> members_;
  std::vector<std::uint32_t> place_;  // by test: its place in members_, from 1; 0: not there
  std::int64_t cost_us_ = 0;
  std::int64_t covered_ = 0;
};

/// A set with what it costs and covers.
struct front_point {
  test_set tests;
  std::int64_t cost_us = 0;
  std::int64_t covered = 0;
};
front_point point_of(const cover_state& state);

}  // namespace morph::optimizer
