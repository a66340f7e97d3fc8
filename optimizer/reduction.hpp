// What a smaller set of tests keeps, and what each test is there for.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "optimizer/cover/budgets.hpp"
#include "optimizer/cover/problem.hpp"
#include "optimizer/cover/state.hpp"

namespace morph::optimizer {

struct test_role {
  std::int64_t covers = 0;                 // weight of what it covers
  std::int64_t alone = 0;                  // weight of what no other test covers
  std::optional<std::uint32_t> same_as{};  // the first test that covers exactly the same
};

/// By test. O(pairs of classes x log tests).
std::vector<test_role> roles_of(const cover_problem& problem);

struct search_effort {
  std::uint64_t moves = 20000;
  /// That many; otherwise fewer of many tests, so that moves x tests stay below 2 x 10^8, and five times as many of
  /// minimal_set(), which looks at what core_of() leaves.
  bool exactly = false;
  std::uint64_t seed = 1;
  /// A proof is tried up to this size, for seconds of wall clock (five of minimal_set(), of what core_of() leaves; ten
  /// of best_within()); beyond it takes minutes and more than a gigabyte.
  std::uint64_t provable_pairs = 2'000'000;
  /// Of best_within(): how many other budgets are searched beside, for what is good there is a start here.
  std::uint32_t neighbours = default_budgets;
  /// Called now and then while it searches, with 0 before a proof is tried. What is found does not depend on it.
  std::function<void(std::uint64_t done, std::uint64_t moves)> has_done{};
};

struct reduced_set {
  front_point set;
  bool proven = false;     // that none is better
  std::int64_t bound = 0;  // minimal_set(): no set costs less, in us; best_within(): none covers more
};

/// The cheapest set known that covers everything that any test covers.
reduced_set minimal_set(const cover_problem& problem, const search_effort& effort = {});

/// The set known that covers the most within a budget.
reduced_set best_within(const cover_problem& problem, std::int64_t budget_us, const search_effort& effort = {});

/// A set that was found elsewhere, with what minimal_set() (no budget) or best_within() say of it.
reduced_set with_bound(const cover_problem& problem, std::optional<std::int64_t> budget_us, front_point found);

}  // namespace morph::optimizer
