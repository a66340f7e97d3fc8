// Sequences of calls that reach goals: what a search of the optimizer works on.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "optimizer/pagmo/goal_search_entry.hpp"
#include "plugin/generate/recipes.hpp"
#include "plugin/generate/served_program.hpp"
#include "plugin/generate/variation.hpp"
#include "plugin/system/result.hpp"

namespace morph::generate {

using search_options = optimizer::goal_search_options;
using objective = optimizer::searched_goal;
using search_row = optimizer::goal_search_row;

/// A sequence that a process survived, and what it did.
struct individual {
  sequence calls{};
  outcome did{};
};

struct finding {
  sequence calls{};
  outcome did{};
};

struct search_result {
  std::map<std::uint32_t, individual> archive{};  // by goal: the shortest that reaches it
  std::vector<individual> population{};           // at the end
  std::vector<finding> findings{};                // crashes and the like, one for each place and kind
  std::vector<search_row> rows{};
  std::uint64_t sequences = 0;
  std::uint64_t crashed = 0, threw = 0, hung = 0, ended = 0, refused = 0, without_value = 0;
};

/// Executes sequences in their order.
using evaluator = std::function<result<std::vector<outcome>>(const std::vector<sequence>&)>;

/// optimizer::search_goals(), or what loads it.
using goal_searcher = std::function<result<optimizer::found_goals>(const optimizer::goal_ground&, const search_options&,
                                                                   const optimizer::is_search_over&)>;

/// Until all goals are reached, `is_over` says so, or the options' limit. Equal seeds give equal results, as far as the
/// evaluator does and `is_over` is not heard. Operands of comparisons become literals. `known`: what comes first, and
/// recipes, whose weights change by their outcomes.
result<search_result> search(api& of, literal_table& literals, const std::vector<objective>& goals,
                             const search_options& options, const evaluator& evaluate,
                             const std::function<bool(const search_row&)>& is_over, optimizer::random_source& random,
                             const goal_searcher& by, known_inputs* known = nullptr);

}  // namespace morph::generate
