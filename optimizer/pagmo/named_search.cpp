// pagmo's algorithms by name, and the best set that one of them comes across.
#include "optimizer/pagmo/named_search.hpp"

#include <algorithm>
#include <cmath>
#include <pagmo/algorithm.hpp>
#include <pagmo/algorithms/bee_colony.hpp>
#include <pagmo/algorithms/de.hpp>
#include <pagmo/algorithms/gaco.hpp>
#include <pagmo/algorithms/ihs.hpp>
#include <pagmo/algorithms/maco.hpp>
#include <pagmo/algorithms/moead.hpp>
#include <pagmo/algorithms/nsga2.hpp>
#include <pagmo/algorithms/nspso.hpp>
#include <pagmo/algorithms/pso.hpp>
#include <pagmo/algorithms/sade.hpp>
#include <pagmo/algorithms/sga.hpp>
#include <pagmo/population.hpp>
#include <pagmo/problems/decompose.hpp>
#include <stdexcept>

#include "optimizer/cover/state.hpp"
#include "optimizer/pagmo/memetic_uda.hpp"
#include "optimizer/pagmo/subset_problem.hpp"

namespace morph::optimizer {
namespace {

constexpr unsigned individuals = 100, generations_a_look = 10;

pagmo::algorithm algorithm_named(const std::string& name, unsigned generations, double mutation, unsigned seed) {
  if (name == "nsga2") return pagmo::algorithm(pagmo::nsga2(generations, 0.95, 10, mutation, 50, seed));
  if (name == "moead")
    return pagmo::algorithm(pagmo::moead(generations, "grid", "tchebycheff", 20, 1, 0.5, 20, 0.9, 2, true, seed));
  if (name == "maco") return pagmo::algorithm(pagmo::maco(generations, 63, 1, 1, 7, 100000, 0, false, seed));
  if (name == "nspso")
    return pagmo::algorithm(pagmo::nspso(generations, 0.6, 2, 2, 1, 0.5, 60, "crowding distance", false, seed));
  if (name == "memetic")
    return pagmo::algorithm(memetic_uda(std::uint64_t{individuals} * generations, default_budgets, {}, seed));
  if (name == "sga")
    return pagmo::algorithm(
        pagmo::sga(generations, 0.9, 1, mutation, 1, 2, "exponential", "uniform", "tournament", seed));
  if (name == "gaco")
    return pagmo::algorithm(pagmo::gaco(generations, 63, 1, 0, 0.01, 1, 7, 100000, 100000, 0, false, seed));
  if (name == "ihs")  // a set a generation
    return pagmo::algorithm(pagmo::ihs(generations * individuals, 0.85, 0.35, 0.99, 1e-5, 1, seed));
  if (name == "de") return pagmo::algorithm(pagmo::de(generations, 0.8, 0.9, 2, 1e-6, 1e-6, seed));
  if (name == "sade") return pagmo::algorithm(pagmo::sade(generations, 2, 1, 1e-6, 1e-6, false, seed));
  if (name == "pso") return pagmo::algorithm(pagmo::pso(generations, 0.7298, 2.05, 2.05, 0.5, 5, 2, 4, false, seed));
  if (name == "bee_colony") return pagmo::algorithm(pagmo::bee_colony(generations, 20, seed));
  throw std::invalid_argument("pagmo has no algorithm '" + name + "' here");
}

/// Of what was seen.
class best_set {
 public:
  best_set(const cover_problem& problem, std::optional<std::int64_t> budget_us)
      : subset_({problem}), state_(problem), budget_us_(budget_us) {
    see(state_);  // nothing costs nothing
  }

  void see(const pagmo::population& population) {
    for (const pagmo::vector_double& x : population.get_x()) see(subset_.set_of(x));
  }

  void see(const test_set& tests) {
    state_.become(tests);
    see(state_);
  }

  const front_point& found() const { return *found_; }

 private:
  void see(const cover_state& set) {
    if (budget_us_ && set.cost_us() > *budget_us_) return;
    if (found_ &&
        (set.covered() < found_->covered || (set.covered() == found_->covered && set.cost_us() >= found_->cost_us)))
      return;
    found_ = point_of(set);
  }

  subset_problem subset_;
  cover_state state_;
  std::optional<std::int64_t> budget_us_;
  std::optional<front_point> found_;
};

}  // namespace

front_point search_by_name(const cover_problem& problem, std::optional<std::int64_t> budget_us,
                           const named_search& how) {
  const auto known = std::find_if(std::begin(named_algorithms), std::end(named_algorithms),
                                  [&](const named_algorithm& a) { return how.algorithm == a.name; });
  const std::uint32_t tests = problem.matrix->test_count();
  const double mutation = std::min(1.0, 2.0 / std::max(1.0, static_cast<double>(tests)));
  const pagmo::algorithm algorithm = algorithm_named(how.algorithm, generations_a_look, mutation, how.seed);
  const unsigned rest = how.generations % generations_a_look;
  best_set best(problem, budget_us);
  if (tests == 0) return best.found();

  const subset_problem subset({problem});
  pagmo::problem worked_on{subset};
  if (!known->many_objectives) worked_on = pagmo::problem{pagmo::decompose(worked_on, {0.5, 0.5}, {0, 0}, "weighted")};
  pagmo::population population(worked_on, how.greedy_start ? 0 : individuals, how.seed);
  if (how.greedy_start) {
    const front_search greedy(problem, {}, how.seed, individuals);
    best.see(greedy.whole().tests);
    population.push_back(subset.vector_of(greedy.whole().tests));
    while (population.size() < individuals)
      population.push_back(subset.vector_of(greedy.points()[population.size() % greedy.points().size()].tests));
  }
  best.see(population);
  for (unsigned done = 0; done < how.generations; done += generations_a_look) {
    const bool is_rest = how.generations - done < generations_a_look;
    population = (is_rest ? algorithm_named(how.algorithm, rest, mutation, how.seed) : algorithm).evolve(population);
    best.see(population);
    if (how.has_done) how.has_done(std::min(how.generations, done + generations_a_look));
  }
  return best.found();
}

}  // namespace morph::optimizer
