// Goals that are reached lead to others.
#include "optimizer/pagmo/goal_archive.hpp"

namespace morph::optimizer {

goal_archive::goal_archive(const goal_ground& on, bool is_dynamic) : on_(on), is_dynamic_(is_dynamic) {
  for (std::uint32_t g = 0; g < on.goals.size(); ++g) {
    const searched_goal& each = on.goals[g];
    for (const std::uint32_t before : each.after) then_[before].push_back(g);
    if (each.is_possible && (each.after.empty() || !is_dynamic)) objectives_.insert(g);
    possible_ += each.is_possible && each.is_wanted ? 1U : 0U;
  }
}

bool goal_archive::take(const executed_candidate& one) {
  bool is_first = false;
  for (const auto& [goal, distance] : *one.distances) {
    if (distance > 0 || !on_.goals[goal].is_possible) continue;
    const auto known = candidates_.find(goal);
    if (known != candidates_.end()) {
      if (lengths_[goal] <= one.length) continue;
      let_go(known->second);
    }
    hold(one.number);
    candidates_[goal] = one.number;
    lengths_[goal] = one.length;
    if (known != candidates_.end()) continue;
    is_first = true;
    reached_ += on_.goals[goal].is_wanted ? 1U : 0U;
    objectives_.erase(goal);
    if (!is_dynamic_) continue;
    for (const std::uint32_t next : then_[goal])
      if (on_.goals[next].is_possible && !candidates_.contains(next)) objectives_.insert(next);
  }
  return is_first;
}

void goal_archive::let_go(std::uint32_t number) {
  const auto held = held_.find(number);
  if (--held->second > 0) return;
  held_.erase(held);
  on_.forget(number);
}

}  // namespace morph::optimizer
