// Sets within budgets, and the front of them.
#include "plugin/selection/subset.hpp"

#include <algorithm>
#include <memory>
#include <set>
#include <tuple>

#include "optimizer/cover/bound.hpp"
#include "optimizer/cover/front.hpp"
#include "optimizer/cover/times.hpp"
#include "optimizer/reduction.hpp"

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
    const std::uint64_t factor =
        below == 0 || total == 0 ? 1 : std::max<std::uint64_t>(1, times_as_much * below / total);
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

std::uint64_t weight_of(const std::vector<optimizer::requirement_class>& classes) {
  std::uint64_t weight = 0;
  for (const auto& c : classes) weight += c.weight;
  return weight;
}

/// 1 of nothing.
template <typename IsIn>
double part_covered(const std::vector<optimizer::requirement_class>& classes, IsIn is_in) {
  std::uint64_t covered = 0;
  for (const auto& c : classes)
    if (std::any_of(c.tests.begin(), c.tests.end(), is_in)) covered += c.weight;
  return classes.empty() ? 1 : static_cast<double>(covered) / static_cast<double>(weight_of(classes));
}

}  // namespace

subset keep_covering(const plan_request& request, const std::vector<planned_test>& tests,
                     const std::vector<std::uint32_t>& facts_of, const std::vector<std::int64_t>& cost_us,
                     const std::vector<bool>& candidates) {
  subset made;
  for (const planned_test& t : tests) made.kept.push_back(t.selected);
  const store::evidence& e = *request.baseline->facts;
  const auto& changed = request.baseline->of_changes.changed;
  std::vector<std::uint32_t> test_of(e.tests.size(), ranking::not_measured);
  std::vector<std::vector<std::uint32_t>> of_program(e.programs.size());
  std::vector<std::uint32_t> selected;
  for (std::uint32_t i = 0; i < tests.size(); ++i) {
    if (!tests[i].selected || facts_of[i] == ranking::not_measured) continue;
    test_of[facts_of[i]] = static_cast<std::uint32_t>(selected.size());
    of_program[e.tests[facts_of[i]].program].push_back(static_cast<std::uint32_t>(selected.size()));
    selected.push_back(i);
  }
  std::vector<std::vector<std::uint32_t>> covers(selected.size());
  std::uint32_t requirements = 0;
  std::set<std::vector<std::uint32_t>> started;  // rows of which all is known already
  std::vector<bool> covers_change(selected.size());
  for (const store::element_class& c : e.classes) {
    const bool is_changed = std::any_of(c.elements.begin(), c.elements.end(), [&](store::element x) {
      return std::binary_search(changed.begin(), changed.end(), x);
    });
    const bool has_kill = std::any_of(c.elements.begin(), c.elements.end(), [&](store::element x) {
      return store::kind_of(x) == optimizer::requirement_kind::kill;
    });
    if (!is_changed && !has_kill) continue;
    // What runs before the first test does so once, whichever test follows: it counts where no test itself executes it.
    const bool only_starts =
        std::all_of(c.tests.begin(), c.tests.end(), [&](std::uint32_t row) { return e.tests[row].is_startup(); });
    if (only_starts && !started.insert(c.tests).second) continue;
    const auto cover = [&](std::uint32_t test) {
      covers[test].push_back(requirements);
      covers_change[test] = covers_change[test] || is_changed;
    };
    for (const std::uint32_t row : c.tests) {
      if (only_starts)
        for (const std::uint32_t test : of_program[e.tests[row].program]) cover(test);
      else if (test_of[row] != ranking::not_measured)
        cover(test_of[row]);
    }
    ++requirements;
  }
  optimizer::matrix_builder builder({{"changed", requirements}});
  std::vector<std::uint32_t> given;
  for (std::uint32_t i = 0; i < selected.size(); ++i) {
    builder.add_test(cost_us[selected[i]], covers[i]);
    if (!candidates[selected[i]] || !covers_change[i]) given.push_back(i);
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
                   const std::vector<std::uint32_t>& order, const std::vector<std::vector<std::uint32_t>>& groups) {
  subset made;
  made.kept.resize(tests.size());
  std::int64_t left = budget_us;
  const auto keep_if_it_fits = [&](std::uint32_t test) {
    std::int64_t cost = 0;
    for (const std::uint32_t other : groups[test]) cost += made.kept[other] ? 0 : ranks.costs()[other];
    if (made.kept[test] || cost > left) return;
    for (const std::uint32_t other : groups[test]) made.kept[other] = true;
    left -= cost;
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
  const auto best = optimizer::best_within(problem, left, {.moves = 3000, .provable_pairs = 0, .neighbours = 4});
  for (std::uint32_t i = 0; i < others.size(); ++i)
    if (optimizer::has(best.set.tests, i)) keep_if_it_fits(others[i]);
  for (const std::uint32_t test : others) keep_if_it_fits(test);
  if (problem.total_weight > 0)
    made.proof = certificate{certificate::kind::covered,
                             static_cast<double>(best.set.covered) / static_cast<double>(problem.total_weight),
                             static_cast<double>(best.bound) / static_cast<double>(problem.total_weight)};
  return made;
}

plan_front front_of(const plan_request& request, const plan& made, const std::vector<std::uint32_t>& facts_of) {
  // Whatever has a reason to run counts, whether it does or not.
  std::vector<planned_test> candidates = made.tests;
  std::vector<std::uint32_t> numbers;
  for (std::uint32_t i = 0; i < candidates.size(); ++i) {
    const auto& reasons = candidates[i].reasons;
    candidates[i].selected = std::any_of(reasons.begin(), reasons.end(), [](const reason& why) {
      return row_of(why.kind).leads_to == decision::selected;
    });
    if (candidates[i].selected) numbers.push_back(i);
  }
  const ranking ranks(request, candidates, facts_of);
  const optimizer::instance of_change = ranks.of_change();
  const optimizer::instance of_lines = ranks.of_all(optimizer::requirement_kind::line);
  const optimizer::instance of_kills = ranks.of_all(optimizer::requirement_kind::kill);
  plan_front front;
  front.of_change = !of_change.levels[0].empty();
  front.kills = weight_of(of_kills.levels[0]);
  const optimizer::instance& first = front.of_change ? of_change : of_lines;
  optimizer::instance all = first;
  all.levels.push_back(of_kills.levels[0]);
  if (front.of_change) all.levels.push_back(of_lines.levels[0]);
  const auto certified = problem_of(first, ranks.costs(), numbers, {});
  const auto problem = problem_of(all, ranks.costs(), numbers, {});

  const auto row_of_set = [&](const auto& is_in) {
    front_row row;
    for (const std::uint32_t i : numbers)
      if (is_in(i)) {
        ++row.tests;
        row.seconds += static_cast<double>(ranks.costs()[i]) / 1e6;
      }
    row.changed = part_covered(of_change.levels[0], is_in);
    row.kills = part_covered(of_kills.levels[0], is_in);
    row.lines = part_covered(of_lines.levels[0], is_in);
    return row;
  };
  const auto worth = [&](const front_row& row) {
    return std::tuple(front.of_change ? row.changed : row.lines, row.kills, row.lines);
  };
  front.chosen = row_of_set([&](std::uint32_t i) { return made.tests[i].selected; });
  optimizer::front_search for_first(certified, {}, 1, 8), for_all(problem, {}, 1, 24);
  for_first.run(1000);
  for_all.run(3000);
  const optimizer::cover_bound bound(certified, for_first.path());
  std::vector<optimizer::front_point> points = for_first.points();
  points.insert(points.end(), for_all.points().begin(), for_all.points().end());
  points.push_back(for_first.whole());
  points.push_back(for_all.whole());
  std::stable_sort(points.begin(), points.end(), [](const auto& a, const auto& b) { return a.cost_us < b.cost_us; });
  std::vector<std::uint32_t> place(candidates.size());
  for (std::uint32_t i = 0; i < numbers.size(); ++i) place[numbers[i]] = i;
  for (const optimizer::front_point& point : points) {
    if (point.cost_us == 0) continue;
    const front_row row =
        row_of_set([&](std::uint32_t i) { return candidates[i].selected && optimizer::has(point.tests, place[i]); });
    if (!front.rows.empty() && worth(row) <= worth(front.rows.back())) continue;
    front.rows.push_back(row);
    const auto most = static_cast<double>(bound.most_within(point.cost_us));
    front.at_most.push_back(certified.total_weight == 0 ? 1 : most / static_cast<double>(certified.total_weight));
  }
  return front;
}

}  // namespace morph::selection
