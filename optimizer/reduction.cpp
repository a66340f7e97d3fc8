// Searching, bounding and proving sets of one budget, or that cover everything.
#include "optimizer/reduction.hpp"

#include <algorithm>
#include <map>

#include "optimizer/cover/bound.hpp"
#include "optimizer/cover/core.hpp"
#include "optimizer/cover/front.hpp"
#include "optimizer/exact/exact.hpp"

namespace morph::optimizer {
namespace {

bool is_provable(const cover_problem& problem, const search_effort& effort) {
  return has_exact_lane() && problem.matrix->tests.size() <= effort.provable_pairs;
}

constexpr std::uint64_t moves_of_core = 5;  // as many for one set alone, of what is left of a problem

std::uint64_t moves_of(const search_effort& effort, std::uint32_t tests) {
  constexpr std::uint64_t most = 200'000'000;
  return effort.exactly ? effort.moves : std::min(effort.moves, most / std::max(1U, tests));
}

void run_all(front_search& search, std::uint64_t moves, const search_effort& effort) {
  const std::uint64_t portion = moves / 200 + 1;
  for (std::uint64_t done = 0; done < moves;) {
    const std::uint64_t next = std::min(portion, moves - done);
    search.run(next);
    done += next;
    if (effort.has_done) effort.has_done(done, moves);
  }
}

std::int64_t most_covered(const cover_problem& problem, const std::vector<greedy_step>& path, std::int64_t budget_us) {
  return cover_bound(problem, path, {.slopes = 2, .around_us = budget_us}).most_within(budget_us);
}

}  // namespace

std::vector<test_role> roles_of(const cover_problem& problem) {
  const cover_matrix& matrix = *problem.matrix;
  std::vector<test_role> roles(matrix.test_count());
  for (std::uint32_t c = 0; c < matrix.class_count(); ++c) {
    const auto tests = matrix.tests_of(c);
    for (const std::uint32_t test : tests) roles[test].covers += problem.weight[c];
    if (tests.size() == 1) roles[tests.front()].alone += problem.weight[c];
  }
  std::map<std::vector<std::uint32_t>, std::uint32_t> first;
  for (std::uint32_t test = 0; test < matrix.test_count(); ++test) {
    const auto classes = matrix.classes_of(test);
    const auto [at, is_new] = first.try_emplace({classes.begin(), classes.end()}, test);
    if (!is_new) roles[test].same_as = at->second;
  }
  return roles;
}

reduced_set minimal_set(const cover_problem& problem, const search_effort& effort) {
  const cover_core core = core_of(problem);
  cover_state state(problem);
  for (const std::uint32_t test : core.taken) state.add(test);
  const std::int64_t taken_us = state.cost_us();
  const auto with_taken = [&](const front_point& of_core, bool proven, std::int64_t bound_us) {
    for (std::uint32_t i = 0; i < core.tests.size(); ++i)
      if (has(of_core.tests, i)) state.add(core.tests[i]);
    return reduced_set{point_of(state), proven, taken_us + bound_us};
  };
  if (core.tests.empty()) return with_taken({}, true, 0);
  front_search search(core.problem, {}, effort.seed, 1);
  const std::uint64_t moves =
      moves_of(effort, core.problem.matrix->test_count()) * (effort.exactly ? 1 : moves_of_core);
  if (is_provable(core.problem, effort)) {
    if (effort.has_done) effort.has_done(0, moves);
    if (const auto exact = cheapest_cover(core.problem, {.seconds = 5});
        exact && exact->proven && exact->found.cost_us <= search.whole().cost_us)
      return with_taken(exact->found, true, exact->found.cost_us);
  }
  run_all(search, moves, effort);
  const std::int64_t bound_us = set_cover_lower_bound(*core.problem.matrix, search.whole().cost_us);
  return with_taken(search.whole(), bound_us == search.whole().cost_us, bound_us);
}

reduced_set best_within(const cover_problem& problem, std::int64_t budget_us, const search_effort& effort) {
  if (budget_us < 1) return {{empty_set(problem.matrix->test_count()), 0, 0}, true, 0};
  const auto path = greedy_path(problem);
  auto budgets = spread_budgets(path.empty() ? 0 : path.back().cost_us, effort.neighbours);
  budgets.push_back(budget_us);
  std::sort(budgets.begin(), budgets.end());
  budgets.erase(std::unique(budgets.begin(), budgets.end()), budgets.end());
  front_search search(problem, budgets, effort.seed);
  run_all(search, moves_of(effort, problem.matrix->test_count()), effort);
  const auto at =
      static_cast<std::size_t>(std::lower_bound(budgets.begin(), budgets.end(), budget_us) - budgets.begin());
  reduced_set found{search.points()[at], false, 0};
  found.bound = most_covered(problem, path, budget_us);
  if (found.set.covered < found.bound && is_provable(problem, effort))
    if (auto exact = largest_cover(problem, budget_us, {.seconds = 10});
        exact && exact->proven && exact->found.covered >= found.set.covered && exact->found.covered <= found.bound) {
      found.set = std::move(exact->found);
      found.bound = found.set.covered;
    }
  found.proven = found.set.covered == found.bound;
  return found;
}

reduced_set with_bound(const cover_problem& problem, std::optional<std::int64_t> budget_us, front_point found) {
  const auto path = greedy_path(problem);
  reduced_set made{std::move(found), false, 0};
  if (budget_us) {
    made.bound = *budget_us < 1 ? 0 : most_covered(problem, path, *budget_us);
    made.proven = made.set.covered == made.bound;
  } else {
    const cover_core core = core_of(problem);
    for (const std::uint32_t test : core.taken) made.bound += problem.matrix->cost_us[test];
    if (!core.tests.empty()) made.bound += set_cover_lower_bound(*core.problem.matrix, path.back().cost_us);
    made.proven = made.set.covered == problem.total_weight && made.set.cost_us == made.bound;
  }
  return made;
}

}  // namespace morph::optimizer
