// Turning a plan round.
#include "plugin/planning/remainder.hpp"

#include <cstdint>

#include "plugin/selection/rules.hpp"

namespace morph::planning {

void turn_to_remainder(full_plan& p) {
  const auto later = order_of_left_out(p.request, p.plan);
  for (auto& suite : p.plan.suites) suite.selected = suite.total - suite.selected;
  for (auto& test : p.plan.tests) {
    if (test.selected) test.reasons.push_back(selection::make_reason<selection::rule::runs_with_plan>(""));
    test.selected = !test.selected;
    test.rank.reset();
  }
  for (std::uint32_t i = 0; i < later.size(); ++i) p.plan.tests[later[i]].rank = i + 1;
  p.plan.budget.reset();
  p.plan.minimal.reset();
  p.plan.risks.clear();
}

}  // namespace morph::planning
