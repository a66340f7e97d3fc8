// What a plan that leaves out affected tests may lose.
#include <algorithm>

#include "plugin/selection/evidence_reasons.hpp"
#include "plugin/selection/plan.hpp"
#include "plugin/selection/ranking.hpp"
#include "plugin/selection/rules.hpp"
#include "plugin/selection/subset.hpp"

namespace morph::selection {
deferral what_is_deferred(const plan_request& request, const plan& made) {
  deferral d;
  constexpr std::uint32_t not_deferred = ~std::uint32_t{0};
  std::vector<std::uint32_t> place(made.tests.size(), not_deferred);
  for (std::uint32_t i = 0; i < made.tests.size(); ++i) {
    const planned_test& t = made.tests[i];
    if (t.selected || std::none_of(t.reasons.begin(), t.reasons.end(),
                                   [](const reason& why) { return row_of(why.kind).leads_to == decision::selected; }))
      continue;
    place[i] = static_cast<std::uint32_t>(d.tests.size());
    d.tests.push_back(i);
  }
  d.alone.resize(d.tests.size());
  if (!request.baseline) return d;
  const store::evidence& e = *request.baseline->facts;
  const auto matched = match_tests(request);
  std::vector<std::uint32_t> test_of(e.tests.size(), ranking::not_measured);
  for (std::uint32_t i = 0; i < matched.size(); ++i)
    if (matched[i] != ranking::not_measured) test_of[matched[i]] = i;
  std::vector<bool> is_current(e.programs.size()), runs_program(e.programs.size());
  for (std::uint32_t i = 0; i < matched.size(); ++i) {
    if (matched[i] == ranking::not_measured) continue;
    const std::uint32_t program = e.tests[matched[i]].program;
    is_current[program] = true;
    if (made.tests[i].selected) runs_program[program] = true;
  }
  const auto& changed = request.baseline->of_changes.changed;
  for (const store::element_class& c : e.classes) {
    const auto elements =
        static_cast<std::size_t>(std::count_if(c.elements.begin(), c.elements.end(), [&](store::element x) {
          return std::binary_search(changed.begin(), changed.end(), x);
        }));
    if (elements == 0) continue;
    bool runs = false, can_run = false;
    std::vector<std::uint32_t> deferred;
    for (const std::uint32_t row : c.tests) {
      // What runs before the first test of a program runs with any of its tests.
      if (e.tests[row].is_startup()) {
        can_run = can_run || is_current[e.tests[row].program];
        runs = runs || runs_program[e.tests[row].program];
      }
      const std::uint32_t test = test_of[row];
      if (test == ranking::not_measured) continue;
      can_run = true;
      runs = runs || made.tests[test].selected;
      if (place[test] != not_deferred) deferred.push_back(place[test]);
    }
    if (!can_run) continue;  // only tests that are gone executed it
    d.executed += elements;
    if (runs) continue;
    d.lost += elements;
    for (const std::uint32_t i : deferred) d.alone[i] += elements;
  }
  return d;
}

plan_front front_of(const plan_request& request, const plan& made) {
  return front_of(request, made, match_tests(request));
}

}  // namespace morph::selection
