// What problems of yes or no have in common: their decision vectors, and the populations that hold them.
#pragma once

#include <pagmo/population.hpp>
#include <pagmo/types.hpp>
#include <stdexcept>
#include <string>
#include <utility>

namespace morph::optimizer {

/// Algorithms that do not know integers give other numbers, too: what is nearer to 1 is a yes.
inline bool is_yes(double x) {
  return x >= 0.5;
}

inline std::pair<pagmo::vector_double, pagmo::vector_double> yes_or_no_bounds(std::size_t decisions) {
  return {pagmo::vector_double(decisions, 0), pagmo::vector_double(decisions, 1)};
}

/// Throws std::invalid_argument for a population of another problem ("one of `which`" is what it should be), or an
/// empty one.
template <typename Problem>
const Problem& problem_of(const pagmo::population& population, const char* which) {
  const auto* const found = population.get_problem().extract<Problem>();
  if (found == nullptr)
    throw std::invalid_argument("the problem '" + population.get_problem().get_name() + "' is not one of " + which);
  if (population.size() == 0) throw std::invalid_argument("the population is empty");
  return *found;
}

}  // namespace morph::optimizer
