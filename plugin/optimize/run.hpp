// What `morph optimize` does.
#pragma once

#include <optional>

#include "optimizer/pagmo/named_search.hpp"
#include "optimizer/reduction.hpp"
#include "plugin/optimize/chosen.hpp"
#include "plugin/optimize/instance.hpp"
#include "plugin/system/observer.hpp"
#include "plugin/system/result.hpp"

namespace morph::optimize {

struct request {
  std::optional<double> budget_seconds{};  // none: everything is kept
  optimizer::search_effort effort{};
  optimizer::named_search by_name{};  // no algorithm: ours
  bool random_start = false;          // of by_name
};

/// With the weights of the instance's groups; an error if they are none, or nothing is left to keep.
result<optimizer::cover_problem> problem_of(const optimize_instance& of);

/// `problem`: of the instance. An error if pagmo's module is asked for, and is not there.
result<chosen_set> run(const optimizer::cover_problem& problem, const request& asked, system::observer& told);

}  // namespace morph::optimize
