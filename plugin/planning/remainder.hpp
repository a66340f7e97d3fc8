// What a plan leaves for later.
#pragma once

#include "plugin/planning/planning.hpp"

namespace morph::planning {

/// Makes it a plan of the tests that wait, in the order in which they had better run later, and none of those that run.
/// It was made with orders_waiting.
void turn_to_remainder(full_plan& p);

}  // namespace morph::planning
