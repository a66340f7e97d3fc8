// From pagmo's populations to candidates, and back.
#include "optimizer/pagmo/goal_search.hpp"

#include <algorithm>
#include <pagmo/algorithm.hpp>
#include <set>
#include <stdexcept>

#include "optimizer/pagmo/goal_exploration.hpp"

namespace morph::optimizer {
namespace {

using algorithm = goal_search_options::algorithm;

constexpr double most_candidates = 4294967295;  // numbers have 32 bits

std::shared_ptr<const goal_ground> nowhere() {
  auto none = std::make_shared<goal_ground>();
  none->candidate = [](std::uint32_t) { return executed_candidate{}; };
  return none;
}

std::size_t candidates_of_each(const goal_search_options& how) {
  return how.by == algorithm::whole_suite ? most_of_a_suite : 1;
}

}  // namespace

goal_problem::goal_problem() : goal_problem(nowhere(), 1) {}

pagmo::vector_double::size_type goal_problem::get_nobj() const {
  return std::max<std::size_t>(1, on_->goals.size());
}

pagmo::vector_double goal_problem::fitness(const pagmo::vector_double& x) const {
  pagmo::vector_double nearest(get_nobj(), untouched_goal);
  for (const std::uint32_t each : candidates_of(x)) {
    const executed_candidate one = on_->candidate(each);
    if (one.distances == nullptr) continue;
    for (const auto& [goal, distance] : *one.distances)
      nearest[goal] = std::min(nearest[goal], static_cast<double>(distance));
  }
  return nearest;
}

std::pair<pagmo::vector_double, pagmo::vector_double> goal_problem::get_bounds() const {
  return {pagmo::vector_double(size_, 0), pagmo::vector_double(size_, most_candidates)};
}

std::vector<std::uint32_t> goal_problem::candidates_of(const pagmo::vector_double& x) const {
  std::vector<std::uint32_t> made;
  for (const double each : x)
    if (each >= 1 && each <= most_candidates) made.push_back(static_cast<std::uint32_t>(each));
  return made;
}

pagmo::vector_double goal_problem::vector_of(const std::vector<std::uint32_t>& candidates) const {
  pagmo::vector_double x(size_, 0);
  std::copy_n(candidates.begin(), std::min(candidates.size(), size_), x.begin());
  return x;
}

goal_search_uda::goal_search_uda(goal_search_options how, is_search_over is_over)
    : how_(how), is_over_(std::move(is_over)) {
  if (static_cast<std::size_t>(how_.by) >= std::size(named_goal_searches))
    throw std::invalid_argument("the algorithm " + std::to_string(static_cast<int>(how_.by)) +
                                " is unknown; there are " + std::to_string(std::size(named_goal_searches)) +
                                ", from 0 on");
  if (how_.population < 2)
    throw std::invalid_argument("the population is " + std::to_string(how_.population) + "; it has to be 2 or more");
  if (how_.most_population < how_.population)
    throw std::invalid_argument("the population is " + std::to_string(how_.population) + " and may be " +
                                std::to_string(how_.most_population) + " at most");
  for (const double rate : {how_.crossover_rate, how_.random_share})
    if (!(rate >= 0 && rate <= 1))
      throw std::invalid_argument("a rate is " + std::to_string(rate) + "; it has to be between 0 and 1");
}

pagmo::population goal_search_uda::evolve(pagmo::population population) const {
  const auto* const problem = population.get_problem().extract<goal_problem>();
  if (problem == nullptr)
    throw std::invalid_argument("the problem '" + population.get_problem().get_name() +
                                "' is not one of which sequences reach the goals");
  if (how_.most_sequences == 0 && !is_over_)
    throw std::invalid_argument("the search has no end: give it a number of sequences");
  log_.clear();
  goal_exploration in(problem->ground(), how_, is_over_, log_);
  std::vector<executed_candidate> begin;
  std::set<std::uint32_t> known;
  for (const pagmo::vector_double& x : population.get_x())
    for (const std::uint32_t each : problem->candidates_of(x)) {
      const executed_candidate one = problem->ground().candidate(each);
      if (one.distances == nullptr || !known.insert(each).second) continue;
      in.archive.hold(each);
      in.archive.take(one);
      begin.push_back(one);
    }
  pagmo::population made(population.get_problem(), 0, population.get_seed());
  const auto add = [&](const std::vector<std::uint32_t>& candidates) {
    const pagmo::vector_double x = problem->vector_of(candidates);
    made.push_back(x, problem->fitness(x));
  };
  if (how_.by == algorithm::whole_suite)
    for (const auto& each : search_by_suites(in, std::move(begin))) add(each);
  else
    for (const std::uint32_t each : search_by_candidates(in, std::move(begin))) add({each});
  archive_ = in.archive.candidates();
  return made;
}

std::string goal_search_uda::get_name() const {
  return std::string("search for goals: ") + named_goal_searches[static_cast<std::size_t>(how_.by)].first;
}

std::string goal_search_uda::get_extra_info() const {
  return "\tPopulation: " + std::to_string(how_.population) +
         "\n\tCrossover rate: " + std::to_string(how_.crossover_rate) +
         "\n\tSequences at most: " + std::to_string(how_.most_sequences);
}

found_goals search_goals(const goal_ground& ground, const goal_search_options& how, const is_search_over& is_over) {
  const goal_problem problem(std::make_shared<const goal_ground>(ground), candidates_of_each(how));
  const pagmo::algorithm algorithm{goal_search_uda(how, is_over)};
  const pagmo::population last = algorithm.evolve(pagmo::population{pagmo::problem(problem), 0, 1});
  const auto* const uda = algorithm.extract<goal_search_uda>();
  found_goals found{uda->archive(), {}, uda->get_log()};
  std::set<std::uint32_t> known;
  for (const pagmo::vector_double& x : last.get_x())
    for (const std::uint32_t each : problem.candidates_of(x))
      if (known.insert(each).second) found.population.push_back(each);
  return found;
}

}  // namespace morph::optimizer
