// Searches for goals by pagmo: which candidates of a ground there are, as a problem, and five ways to find them as one
// of its algorithms.
#pragma once

#include <cstdint>
#include <memory>
#include <pagmo/population.hpp>
#include <pagmo/problem.hpp>
#include <pagmo/types.hpp>
#include <string>
#include <utility>
#include <vector>

#include "optimizer/pagmo/goal_search_entry.hpp"

namespace morph::optimizer {

/// A decision vector has numbers of candidates that were executed; 0: none. With one number it is a candidate, with
/// more a suite. Objectives, to be minimized: for each goal the distance of the nearest one. Copies share the ground,
/// which makes candidates while it is worked on: vectors of forgotten ones have no distances.
class goal_problem {
 public:
  goal_problem();  // without a goal, as pagmo needs it
  goal_problem(std::shared_ptr<const goal_ground> on, std::size_t candidates) : on_(std::move(on)), size_(candidates) {}

  pagmo::vector_double fitness(const pagmo::vector_double& x) const;
  std::pair<pagmo::vector_double, pagmo::vector_double> get_bounds() const;
  pagmo::vector_double::size_type get_nobj() const;
  pagmo::vector_double::size_type get_nix() const { return size_; }
  pagmo::thread_safety get_thread_safety() const { return pagmo::thread_safety::none; }
  std::string get_name() const { return "which sequences reach the goals"; }

  const goal_ground& ground() const { return *on_; }
  std::vector<std::uint32_t> candidates_of(const pagmo::vector_double& x) const;
  pagmo::vector_double vector_of(const std::vector<std::uint32_t>& candidates) const;

 private:
  std::shared_ptr<const goal_ground> on_;
  std::size_t size_;
};

/// Evolves populations of a goal_problem. Candidates are made by the ground: it knows what a change of one is. The new
/// population has as many individuals as the algorithm keeps, the best first.
///
/// Equal grounds, with equal random numbers, give equal logs.
class goal_search_uda {
 public:
  /// Throws std::invalid_argument for an unknown algorithm, or a population or rate that is none.
  explicit goal_search_uda(goal_search_options how = {}, is_search_over is_over = {});

  /// An empty population begins at random. Throws std::invalid_argument for a population of another problem, or a
  /// search without an end.
  pagmo::population evolve(pagmo::population population) const;
  std::string get_name() const;
  std::string get_extra_info() const;
  /// A row for each generation of the last call of evolve().
  const std::vector<goal_search_row>& get_log() const { return log_; }
  /// Of the last call: by goal, the shortest candidate that reaches it.
  const std::map<std::uint32_t, std::uint32_t>& archive() const { return archive_; }

 private:
  goal_search_options how_;
  is_search_over is_over_;
  mutable std::vector<goal_search_row> log_;
  mutable std::map<std::uint32_t, std::uint32_t> archive_;
};

/// Both at work on nothing but what the ground proposes.
found_goals search_goals(const goal_ground& ground, const goal_search_options& how, const is_search_over& is_over);

}  // namespace morph::optimizer
