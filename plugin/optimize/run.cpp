// The search, by us or by pagmo.
#include "plugin/optimize/run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <stdexcept>
#include <utility>

#include "optimizer/order.hpp"
#include "plugin/optimize/pagmo_module.hpp"

namespace morph::optimize {
namespace {

result<optimizer::reduced_set> by_pagmo(const optimizer::cover_problem& problem, std::optional<std::int64_t> budget_us,
                                        const request& asked, system::observer& told) {
  optimizer::named_search how = asked.by_name;
  how.seed = static_cast<unsigned>(asked.effort.seed ^ (asked.effort.seed >> 32U));
  how.greedy_start = !asked.random_start;
  told.begin(how.generations, "generations");
  how.has_done = [&](unsigned done) { told.reach(done, how.algorithm); };
  auto found = search_by_pagmo(problem, budget_us, how);
  told.end();
  if (!found) return tl::unexpected(found.error());
  return optimizer::with_bound(problem, budget_us, std::move(*found));
}

optimizer::reduced_set by_us(const optimizer::cover_problem& problem, std::optional<std::int64_t> budget_us,
                             optimizer::search_effort effort, system::observer& told) {
  bool has_begun = false;
  effort.has_done = [&](std::uint64_t done, std::uint64_t moves) {
    if (!std::exchange(has_begun, true)) told.begin(moves, "moves");
    told.reach(done, done == 0 ? "looking for a proof" : "searching");
  };
  auto found =
      budget_us ? optimizer::best_within(problem, *budget_us, effort) : optimizer::minimal_set(problem, effort);
  told.end();
  return found;
}

}  // namespace

result<optimizer::cover_problem> problem_of(const optimize_instance& of) {
  const auto matrix = std::make_shared<const optimizer::cover_matrix>(of.file.matrix);
  optimizer::cover_problem problem;
  try {
    problem = optimizer::weigh(matrix, of.file.group_weights);
  } catch (const std::invalid_argument& error) {
    return tl::unexpected(std::string(error.what()));
  }
  if (problem.total_weight == 0)
    return tl::unexpected(
        fmt::format("there is nothing to keep: the tests cover nothing that counts{}",
                    of.without.empty() ? "" : "; --with-tests counts the files in which tests are registered, too"));
  return problem;
}

result<chosen_set> run(const optimizer::cover_problem& problem, const request& asked, system::observer& told) {
  chosen_set chosen{problem, {}, {}, optimizer::roles_of(problem)};
  if (asked.budget_seconds)
    chosen.budget_us = std::llround(std::min(*asked.budget_seconds * 1e6, static_cast<double>(optimizer::largest_sum)));
  if (asked.by_name.algorithm.empty()) {
    chosen.reduced = by_us(problem, chosen.budget_us, asked.effort, told);
    return chosen;
  }
  auto found = by_pagmo(problem, chosen.budget_us, asked, told);
  if (!found) return tl::unexpected(found.error());
  chosen.reduced = std::move(*found);
  return chosen;
}

}  // namespace morph::optimize
