// Pools of test cases that are bred: which cases of a growing archive are in the pool, as a problem of pagmo's, and
// five selection schemes that make cases and choose pools as one of its algorithms.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <pagmo/population.hpp>
#include <pagmo/problem.hpp>
#include <pagmo/types.hpp>
#include <string>
#include <utility>
#include <vector>

#include "optimizer/pagmo/breeding_entry.hpp"

namespace morph::optimizer {

/// A decision vector has an integer for each case that the archive may ever hold: 1, it is in the pool. Objectives, to
/// be minimized: each metric with its sign changed, then the number of cases. Copies share the archive, which grows
/// while it is worked on.
class pool_problem {
 public:
  pool_problem();  // of no cases, as pagmo needs it
  explicit pool_problem(std::shared_ptr<const breeding_ground> on) : on_(std::move(on)) {}

  pagmo::vector_double fitness(const pagmo::vector_double& x) const;
  std::pair<pagmo::vector_double, pagmo::vector_double> get_bounds() const;
  pagmo::vector_double::size_type get_nobj() const { return on_->metrics + 1; }
  pagmo::vector_double::size_type get_nix() const { return on_->capacity; }
  pagmo::thread_safety get_thread_safety() const { return pagmo::thread_safety::none; }
  std::string get_name() const { return "which cases are in the pool"; }

  const breeding_ground& ground() const { return *on_; }
  case_set set_of(const pagmo::vector_double& x) const;
  pagmo::vector_double vector_of(const case_set& set) const;

 private:
  std::shared_ptr<const breeding_ground> on_;
};

/// Evolves populations of a pool_problem. It begins with the best individual; afterwards the last pool is the first
/// individual, and of the elitist scheme, which begins with that one, the others are its front, as far as there is
/// room. There is no crossover: datamorphisms are the operators.
///
/// Equal seeds, populations and grounds give equal logs.
class breeding_uda {
 public:
  /// Throws std::invalid_argument for an unknown scheme, a ratio that is none, or no generation.
  explicit breeding_uda(breeding_options how = {});

  /// Throws std::invalid_argument for a population of another problem or an empty one, std::runtime_error for a metric
  /// that the scheme cannot use.
  pagmo::population evolve(pagmo::population population) const;
  void set_seed(unsigned seed) { how_.seed = seed; }
  std::string get_name() const { return std::string("breeding: ") + name_of(how_.scheme); }
  std::string get_extra_info() const;
  const std::vector<breeding_row>& get_log() const { return log_; }
  /// Why it stopped.
  const std::string& stopped() const { return stopped_; }

 private:
  breeding_options how_;
  mutable std::vector<breeding_row> log_;
  mutable std::string stopped_;
};

/// Both at work on what is in the archive at first.
bred_pools breed_pools(const breeding_ground& ground, const breeding_options& how);

}  // namespace morph::optimizer
