// What a plan leaves for later.
#pragma once

#include "plugin/planning/planning.hpp"

namespace morph::planning {

/// Turns a plan into the plan of the tests that it leaves out, best first.
/// It was made with orders_waiting.
void turn_to_remainder(full_plan& p);

}  // namespace morph::planning
