// One generation after the other: what is proposed is executed and archived, and a row of the log is written.
#pragma once

#include <cstdint>
#include <vector>

#include "optimizer/pagmo/goal_archive.hpp"

namespace morph::optimizer {

class goal_exploration {
 public:
  goal_exploration(const goal_ground& on, const goal_search_options& how, const is_search_over& is_over,
                   std::vector<goal_search_row>& log);

  const goal_ground& on;
  const goal_search_options& how;
  goal_archive archive;

  /// How many more may be proposed: in all, and in a generation.
  std::uint64_t left() const;
  std::uint64_t executed() const { return executed_; }

  /// First what is known, and then at random.
  void propose_random();
  void propose_child(const candidate_parents& of);
  std::uint64_t proposed() const { return proposed_; }
  std::uint64_t known() const { return known_; }
  /// False: there is nothing known any more.
  bool propose_known();

  /// What can be kept; whoever calls lets it go.
  std::vector<executed_candidate> execute();

  /// Writes a row. False: the search is over.
  bool goes_on();

  std::uint32_t below(std::size_t n) { return on.random->below(static_cast<std::uint32_t>(n)); }
  bool happens(double share) { return below(1000) < static_cast<std::uint32_t>(share * 1000); }

 private:
  const is_search_over& is_over_;
  std::vector<goal_search_row>& log_;
  std::uint64_t executed_ = 0, proposed_ = 0, known_ = 0, generation_ = 0;
};

/// Individuals are candidates: all algorithms but whole_suite. The last population, the best first.
std::vector<std::uint32_t> search_by_candidates(goal_exploration& in, std::vector<executed_candidate> begin);

/// Individuals are suites of candidates; of each the candidates, the best suite first.
std::vector<std::vector<std::uint32_t>> search_by_suites(goal_exploration& in, std::vector<executed_candidate> begin);

/// A suite has no more than so many.
inline constexpr std::size_t most_of_a_suite = 100;

}  // namespace morph::optimizer
