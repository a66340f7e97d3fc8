// Searches by pagmo's own algorithms, called by their names; loaded as a module when somebody asks.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "optimizer/cover/problem.hpp"
#include "optimizer/cover/state.hpp"

namespace morph::optimizer {

struct named_algorithm {
  const char* name;
  bool many_objectives;  // false: it minimizes the sum of both objectives
};
/// memetic is ours (memetic_uda).
inline constexpr named_algorithm named_algorithms[] = {
    {"nsga2", true}, {"moead", true}, {"maco", true}, {"nspso", true}, {"memetic", true}, {"sga", false},
    {"gaco", false}, {"ihs", false},  {"de", false},  {"sade", false}, {"pso", false},    {"bee_colony", false}};

struct named_search {
  std::string algorithm;
  unsigned generations = 100;
  unsigned seed = 1;
  bool greedy_start = true;  // from sets of lazy greedy; false: from random ones
  std::function<void(unsigned generations)> has_done{};
};

/// The best set that one of pagmo's algorithms comes across on the subset_problem, start included: within the budget
/// the one that covers the most, without a budget the cheapest that covers everything, else the one that covers the
/// most. 100 individuals, pagmo's default parameters but for mutation (two tests in the mean) and what integers need;
/// in slices of ten generations, each of which begins with the population of the one before. Throws
/// std::invalid_argument for an unknown name.
front_point search_by_name(const cover_problem& problem, std::optional<std::int64_t> budget_us,
                           const named_search& how);

/// What a module is asked by: `error` says why nothing was found.
using search_by_name_entry = void(const cover_problem* problem, const std::int64_t* budget_us, const named_search* how,
                                  front_point* found, std::string* error);
inline constexpr const char* search_by_name_symbol = "morph_search_by_name";

}  // namespace morph::optimizer
