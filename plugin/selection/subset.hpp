// Which of the selected tests run when not all of them shall, and what other choices there are.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "plugin/selection/plan.hpp"
#include "plugin/selection/ranking.hpp"

namespace morph::selection {

struct subset {
  std::vector<bool> kept;  // by test; of selected ones only
  std::optional<certificate> proof;
};

/// POLICY minimal: of the tests of `candidates`, the cheapest ones known with which everything that changed is executed
/// by `times` selected tests, or by all that execute it; and every mutant that the evidence knows to be killed, as if
/// it had changed. Others stay. Tests that execute nothing of what changed are no candidates. What runs before the
/// first test of a program counts where no test itself executes it.
subset keep_covering(const plan_request& request, const std::vector<planned_test>& tests,
                     const std::vector<std::uint32_t>& facts_of, const std::vector<std::int64_t>& cost_us,
                     const std::vector<bool>& candidates);

/// The tests to run within a budget: in the order of `order` those that failed, are new or were changed, as long as
/// they fit; of the others the set that covers most of what changed, and then of all lines (optimizer::best_within());
/// then whatever else fits. `groups`: by test, itself and those that have to run with it; a test costs what they cost.
subset keep_within(std::int64_t budget_us, const std::vector<planned_test>& tests, const ranking& ranks,
                   const std::vector<std::uint32_t>& order, const std::vector<std::vector<std::uint32_t>>& groups);

/// front_of(), with what match_tests() says.
plan_front front_of(const plan_request& request, const plan& made, const std::vector<std::uint32_t>& facts_of);

}  // namespace morph::selection
