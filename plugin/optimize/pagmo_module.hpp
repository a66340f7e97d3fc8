// pagmo's algorithms, loaded when somebody asks: linked, they would cost every start of `morph`.
#pragma once

#include <optional>

#include "optimizer/pagmo/breeding_entry.hpp"
#include "optimizer/pagmo/goal_search_entry.hpp"
#include "optimizer/pagmo/named_search.hpp"
#include "plugin/build/build_tree.hpp"

namespace morph::optimize {

/// optimizer::search_by_name(); an error if the module is not where it was installed.
result<optimizer::front_point> search_by_pagmo(const optimizer::cover_problem& problem,
                                               std::optional<std::int64_t> budget_us,
                                               const optimizer::named_search& how);

/// optimizer::breed_pools(), likewise. What the ground throws is an error, too.
result<optimizer::bred_pools> breed_by_pagmo(const optimizer::breeding_ground& ground,
                                             const optimizer::breeding_options& how);

/// optimizer::search_goals(), likewise.
result<optimizer::found_goals> search_goals_by_pagmo(const optimizer::goal_ground& ground,
                                                     const optimizer::goal_search_options& how,
                                                     const optimizer::is_search_over& is_over);

}  // namespace morph::optimize
