// Optimal sets of tests, proven, by integer programming with CBC.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "optimizer/cover/problem.hpp"
#include "optimizer/cover/state.hpp"

namespace morph::optimizer {

/// Whether Morph was built with CBC's header, and its library is here. Without it nothing below finds anything.
bool has_exact_lane();
/// The name of that library; empty without it.
std::string_view exact_solver();

struct exact_effort {
  std::uint32_t nodes = 20000;  // of the search tree: the limit that makes results repeatable
  double seconds = 60;          // of wall clock: a net beneath it, which a slow machine may need
};

struct exact_set {
  front_point found;
  bool proven = false;  // that none is better
};

/// The cheapest set that covers everything that any test covers (weighted set cover). Nothing if no set was found
/// within the effort. Memory: some hundred bytes a pair of classes.
std::optional<exact_set> cheapest_cover(const cover_problem& problem, exact_effort effort = {});

/// A set within the budget that covers the most weight (budgeted maximum coverage).
std::optional<exact_set> largest_cover(const cover_problem& problem, std::int64_t budget_us, exact_effort effort = {});

}  // namespace morph::optimizer
