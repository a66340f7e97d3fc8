// pagmo's algorithms, loaded when somebody asks: linked, they would cost every start of `morph`.
#pragma once

#include <optional>

#include "optimizer/pagmo/named_search.hpp"
#include "plugin/project/build_tree.hpp"

namespace morph::command {

/// optimizer::search_by_name(); an error if the module is not where it was installed.
project::result<optimizer::front_point> search_by_pagmo(const optimizer::cover_problem& problem,
                                                        std::optional<std::int64_t> budget_us,
                                                        const optimizer::named_search& how);

}  // namespace morph::command
