#include "plugin/selection/subset.hpp"

#include <algorithm>
#include <map>
#include <memory>

#include "optimizer/cover/reduction.hpp"
#include "optimizer/cover/times.hpp"

namespace morph::selection {
namespace {

/// Of `tests`, in their order, with the classes of an instance as requirements.
optimizer::cover_problem problem_of(const optimizer::instance& in, const std::vector<std::int64_t>& cost_us,
                                    const std::vector<std::uint32_t>& tests,
                                    const std::vector<std::uint32_t>& run_already) {
  constexpr std::uint64_t times_as_much = 100;  // what an earlier level counts, as a whole, compared with the next
  std::vector<std::vector<std::uint32_t>> covers(in.cost_us.size());
  std::vector<std::int64_t> weights;
  std::vector<bool> runs(in.cost_us.size());
  for (const std::uint32_t test : run_already) runs[test] = true;
  std::uint64_t below = 0;  // weight of the levels behind
  for (auto level = in.levels.rbegin(); level != in.levels.rend(); ++level) {
    std::uint64_t total = 0, scaled = 0;
    for (const auto& c : *level) total += c.weight;
    const std::uint64_t factor = below == 0 || total == 0 ? 1 : std::max<std::uint64_t>(1, times_as_much * below / total);
    for (const auto& c : *level) {
      if (std::any_of(c.tests.begin(), c.tests.end(), [&](std::uint32_t t) { return runs[t]; })) continue;
      for (const std::uint32_t test : c.tests) covers[test].push_back(static_cast<std::uint32_t>(weights.size()));
      weights.push_back(static_cast<std::int64_t>(c.weight * factor));
      scaled += c.weight * factor;
    }
    below = std::max(below, scaled);
  }
  const auto requirements = static_cast<std::uint32_t>(weights.size());
  optimizer::matrix_builder builder({{"lines", requirements}}, std::move(weights));
  for (const std::uint32_t test : tests) builder.add_test(cost_us[test], covers[test]);
  return optimizer::weigh(std::make_shared<const optimizer::cover_matrix>(std::move(builder).finish()));
}

}  // namespace

subset keep_covering(const plan_request& request, const std::vector<planned_test>& tests,
                     const std::vector<std::uint32_t>& facts_of, const std::vector<std::int64_t>& cost_us,
                     const std::vector<bool>& candidates) {
  subset made;
  for (const planned_test& t : tests) made.kept.push_back(t.selected);
  const store::evidence& e = *request.baseline->facts;
  const auto& changed = request.baseline->of_changes.changed;
  std::vector<std::vector<std::uint32_t>> tests_of(e.tests.size());  // by row; of a start-up row its program's
  std::map<std::uint32_t, std::uint32_t> startup_of;                 // by program
  for (std::uint32_t row = 0; row < e.tests.size(); ++row)
    if (e.tests[row].is_startup()) startup_of[e.tests[row].program] = row;
  std::vector<std::uint32_t> selected;
  for (std::uint32_t i = 0; i < tests.size(); ++i) {
    if (!tests[i].selected || facts_of[i] == ranking::not_measured) continue;
    const auto number = static_cast<std::uint32_t>(selected.size());
    tests_of[facts_of[i]] = {number};
    if (const auto at = startup_of.find(e.tests[facts_of[i]].program); at != startup_of.end())
      tests_of[at->second].push_back(number);
    selected.push_back(i);
  }
  std::vector<std::vector<std::uint32_t>> covers(selected.size());
  std::uint32_t requirements = 0;
  for (const store::element_class& c : e.classes) {
    if (std::none_of(c.elements.begin(), c.elements.end(), [&](store::element x) {
          return std::binary_search(changed.begin(), changed.end(), x);
        }))
      continue;
    for (const std::uint32_t row : c.tests)
      for (const std::uint32_t test : tests_of[row])
        if (covers[test].empty() || covers[test].back() != requirements) covers[test].push_back(requirements);
    ++requirements;
  }
  optimizer::matrix_builder builder({{"changed", requirements}});
  std::vector<std::uint32_t> given;
  for (std::uint32_t i = 0; i < selected.size(); ++i) {
    builder.add_test(cost_us[selected[i]], covers[i]);
    if (!candidates[selected[i]] || covers[i].empty()) given.push_back(i);
  }
  const auto matrix = std::move(builder).finish();
  const auto chosen = optimizer::cover_times(matrix, request.times_covered, given);
  std::int64_t cost = 0;
  for (const std::uint32_t i : given) cost += matrix.cost_us[i];
  made.proof = certificate{certificate::kind::cost, static_cast<double>(cost + chosen.cost_us) / 1e6,
                           static_cast<double>(cost + chosen.bound_us) / 1e6};
  for (const std::uint32_t i : selected) made.kept[i] = false;
  for (const std::uint32_t i : given) made.kept[selected[i]] = true;
  for (const std::uint32_t i : chosen.tests) made.kept[selected[i]] = true;
  return made;
}

subset keep_within(std::int64_t budget_us, const std::vector<planned_test>& tests, const ranking& ranks,
                   const std::vector<std::uint32_t>& order) {
  subset made;
  made.kept.resize(tests.size());
  std::int64_t left = budget_us;
  const auto keep_if_it_fits = [&](std::uint32_t test) {
    if (made.kept[test] || ranks.costs()[test] > left) return;
    made.kept[test] = true;
    left -= ranks.costs()[test];
  };
  std::vector<std::uint32_t> urgent, others;
  for (const std::uint32_t test : order)
    (urgency_of(tests[test]) <= urgency::changed ? urgent : others).push_back(test);
  for (const std::uint32_t test : urgent) keep_if_it_fits(test);
  std::vector<std::uint32_t> first;
  for (const std::uint32_t test : urgent)
    if (made.kept[test]) first.push_back(test);

  const auto problem = problem_of(ranks.of_levels(), ranks.costs(), others, first);
  // Without a proof by CBC, which is not everywhere: equal plans everywhere.
  const auto best = optimizer::best_within(problem, left, {.moves = 3000, .provable_pairs = 0});
  for (std::uint32_t i = 0; i < others.size(); ++i)
    if (optimizer::has(best.set.tests, i)) keep_if_it_fits(others[i]);
  for (const std::uint32_t test : others) keep_if_it_fits(test);
  if (problem.total_weight > 0)
    made.proof = certificate{certificate::kind::covered,
                             static_cast<double>(best.set.covered) / static_cast<double>(problem.total_weight),
                             static_cast<double>(best.bound) / static_cast<double>(problem.total_weight)};
  return made;
}

}  // namespace morph::selection
