// What every search for goals keeps: the shortest candidate for each goal, and which goals are objectives.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <unordered_map>
#include <vector>

#include "optimizer/pagmo/goal_search_entry.hpp"

namespace morph::optimizer {

class goal_archive {
 public:
  /// `is_dynamic`: goals become objectives when a goal before them is reached.
  goal_archive(const goal_ground& on, bool is_dynamic);

  /// True if it is the first to reach a goal. It is held already.
  bool take(const executed_candidate& one);

  const std::map<std::uint32_t, std::uint32_t>& candidates() const { return candidates_; }
  const std::set<std::uint32_t>& objectives() const { return objectives_; }
  std::size_t reached() const { return reached_; }  // of the goals that are wanted
  bool is_done() const { return reached_ >= possible_; }

  /// What is not held any more is forgotten.
  void hold(std::uint32_t number) { ++held_[number]; }
  void let_go(std::uint32_t number);

 private:
  const goal_ground& on_;
  bool is_dynamic_;
  std::map<std::uint32_t, std::uint32_t> candidates_;
  std::map<std::uint32_t, std::size_t> lengths_;  // by goal
  std::map<std::uint32_t, std::vector<std::uint32_t>> then_;
  std::set<std::uint32_t> objectives_;
  std::unordered_map<std::uint32_t, std::uint32_t> held_;
  std::size_t possible_ = 0, reached_ = 0;
};

}  // namespace morph::optimizer
