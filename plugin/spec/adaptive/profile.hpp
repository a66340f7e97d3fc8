// Test profiles: from which partition the next source comes, and what verdicts make of that. docs/specs/adaptive.md has
// the formulas, with the errata of the published ones.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "morph/random.hpp"

namespace morph::engine {

/// One number for each partition; they sum to 1.
using probabilities = std::vector<double>;

// The updates take a profile of m partitions and keep its sum. With m = 1, and for a pair with m = 2, there is nobody
// to take from or to give to: nothing changes. They cost O(m).

/// A violation, source and follow-up in partition i: each other one loses `taken`, or all that it has; i gets that.
/// DRT takes epsilon / (m - 1) (Cai et al. 2009).
void reward(probabilities& p, std::size_t i, double taken);
/// The relation held: i loses `delta`, or all that it has, and the others get the same part of that each.
void punish(probabilities& p, std::size_t i, double delta);
/// The same where source and follow-up lie in different partitions: each of the two gets half. MDRT takes
/// 2 epsilon / (m - 2) (Sun et al., M-AMT).
void reward(probabilities& p, std::size_t source, std::size_t follow_up, double taken);
void punish(probabilities& p, std::size_t source, std::size_t follow_up, double delta);

/// MAPT: `row` has the probabilities of what follows partition i. A violation: each p_ij loses gamma p_ii / (m - 1) if
/// it has more than that, for p_ii (Sun et al. 2019).
void stay(probabilities& row, std::size_t i, double gamma);
/// The relation held: p_ij grows by its tau / (m - 1)-th part, as long as p_ii has more than they get.
void leave(probabilities& row, std::size_t i, double tau);

struct parameters {
  double epsilon = 0.05;          // reward of DRT, MDRT and RAPT
  double delta = 0.05 / 20;       // their punishment; the papers say epsilon
  double gamma = 0.1, tau = 0.1;  // of MAPT
  double floor = 0.2;             // this part of all draws is uniform, so that no partition dies; the papers have none
};

enum class profile_rule : unsigned char {
  fixed,  // as it begins
  drt,    // updated where source and follow-up lie in one partition
  mdrt,   // DRT there, MDRT for different ones
  mapt,   // a Markov chain: probabilities for each partition that came before
  rapt,   // a partition stays as long as it violates; rewards grow with the length of that
};

/// Where a test's source and follow-up lie, and what came of it.
struct tested {
  std::size_t source, follow_up;
  bool violated;
};

/// A profile at work. A value: copies go on alike.
class profile {
 public:
  /// Of at least one partition. `bounds`: so many tests that hold, one after the other, exhaust a partition (RAPT);
  /// empty: none do.
  profile(profile_rule rule, parameters with, probabilities start, std::vector<std::uint64_t> bounds = {});

  /// The partition of the next source. O(m).
  std::size_t draw(random_source& random);
  /// O(m).
  void update(const tested& what);
  /// Of the next draw, without the floor.
  const probabilities& now() const { return rule_ == profile_rule::mapt ? rows_[last_] : p_; }

 private:
  void update_rapt(const tested& what);
  profile_rule rule_;
  parameters with_;
  probabilities p_;
  std::vector<probabilities> rows_;                            // of MAPT
  std::size_t last_ = 0;                                       // MAPT: the partition that was tested last
  std::vector<std::uint64_t> rewards_, punishments_, bounds_;  // RAPT
  std::size_t last_hit_ = 0;                                   // RAPT: where the follow-up of the last violation lay
  bool holds_ = false;                                         // RAPT: the next source comes from the same partition
  std::size_t held_ = 0;
};

/// Why it is no profile of the partitions with these names; empty if it is one.
std::string problem_of(const probabilities& p, const std::vector<std::string>& names);
/// Why these are none; empty if they are.
std::string problem_of(const parameters& with);

}  // namespace morph::engine
