// Coupled branches as objectives of a search (Derakhshanfar et al., Cling, TSE 2022, section 3.2).
#pragma once

#include <string>
#include <vector>

#include "coverage/coupling/coupling.hpp"
#include "plugin/generate/goals.hpp"
#include "plugin/generate/served_program.hpp"
#include "plugin/system/result.hpp"

namespace morph::generate {

struct class_pair {
  std::string caller{}, callee{};
};

/// Of "CALLER:CALLEE".
result<class_pair> class_pair_of(const std::string& text);

/// What tests of a pair, and their file, are called: "EmitterWithEmitterState".
std::string name_of(const class_pair& of);

/// Makes objectives of the pairs whose branches both report. Each becomes active when its caller's branch is reached;
/// until then that branch alone stands for it. Other branches only lead there. Files of the graph are named as those of
/// the goals.
void couple(goal_set& to, const coupling::branch_graph& graph, const std::vector<coupling::coupled_pair>& pairs);

/// Distances of pairs, from those of their goals.
class pair_distances {
 public:
  explicit pair_distances(const goal_set& of);

  /// D(r) + 1 while the caller's branch r is not reached, else D(e) of the callee's: both halved, so that a pair is as
  /// near as a goal can be.
  void add(outcome& to) const;

 private:
  std::size_t goals_;
  std::vector<goal_pair> pairs_;
  std::vector<std::vector<std::uint32_t>> of_caller_;  // by goal: its pairs
};

}  // namespace morph::generate
