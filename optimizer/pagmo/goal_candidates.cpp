// MOSA and DynaMOSA (Panichella, Kifetew and Tonella, ICST 2015, TSE 2018): preference sorting, and an archive. Two
// that do not look at distances, for comparison.
#include <algorithm>

#include "optimizer/pagmo/goal_exploration.hpp"

namespace morph::optimizer {
namespace {

using algorithm = goal_search_options::algorithm;
using candidates = std::vector<executed_candidate>;

class candidate_search {
 public:
  explicit candidate_search(goal_exploration& in) : in_(in) {}

  std::vector<std::uint32_t> run(candidates begin) {
    population_ = std::move(begin);
    do {
      propose();
      next(in_.execute());
    } while (in_.goes_on());
    std::vector<std::uint32_t> made;
    for (const executed_candidate& each : population_) made.push_back(each.number);
    return made;
  }

 private:
  void propose() {
    const goal_search_options& how = in_.how;
    const bool begins = population_.size() < 2 || in_.executed() < in_.known() + how.population * 4;
    const auto randoms = static_cast<std::size_t>(how.random_share * static_cast<double>(how.population));
    while (in_.left() > 0 && in_.proposed() < how.population)
      if (!in_.propose_known()) propose_new(begins || in_.proposed() < randoms);
  }

  void propose_new(bool at_random) {
    if (at_random) return in_.propose_random();
    if (in_.how.by == algorithm::random) {
      if (in_.below(2) == 0) return in_.propose_random();
      return in_.propose_child({any(), any(), false});
    }
    // Now and then from what reached a goal: its neighbours may be near.
    candidate_parents of{in_.below(4) == 0 ? any_of_archive() : tournament()};
    if (in_.happens(in_.how.crossover_rate)) of.second = tournament();
    in_.propose_child(of);
  }

  std::uint32_t any() { return population_[in_.below(population_.size())].number; }

  std::uint32_t any_of_archive() {
    const auto& all = in_.archive.candidates();
    if (all.empty()) return tournament();
    auto at = all.begin();
    std::advance(at, in_.below(all.size()));
    return at->second;
  }

  /// The population is sorted: the best first.
  std::uint32_t tournament() {
    std::uint32_t best = in_.below(population_.size());
    if (in_.how.by != algorithm::novelty)
      for (int i = 0; i < 2; ++i) best = std::min(best, in_.below(population_.size()));
    return population_[best].number;
  }

  void next(candidates offspring) {
    if (in_.how.by == algorithm::random) return keep_any(offspring);
    if (in_.how.by == algorithm::novelty) return keep_new(offspring);
    population_.insert(population_.end(), offspring.begin(), offspring.end());
    choose();
  }

  void keep_any(const candidates& all) {
    for (const executed_candidate& each : all) {
      if (population_.size() < in_.how.most_population) {
        population_.push_back(each);
        continue;
      }
      executed_candidate& other = population_[in_.below(population_.size())];
      in_.archive.let_go(other.number);
      other = each;
    }
  }

  /// What reaches a goal for the first time.
  void keep_new(const candidates& all) {
    for (const executed_candidate& each : all) {
      bool is_new = population_.size() < in_.how.population;
      for (const auto& [goal, distance] : *each.distances)
        is_new = is_new || (distance == 0 && seen_.insert(goal).second);
      if (is_new)
        population_.push_back(each);
      else
        in_.archive.let_go(each.number);
    }
  }

  /// The next population, best first: for each objective the nearest one (of equals the shortest), then by dominance.
  void choose() {
    candidates& all = population_;
    if (all.empty()) return;  // no process survived
    const auto& goals = in_.on.goals;
    const auto& active = in_.archive.objectives();
    std::vector<std::uint32_t> objectives(active.begin(), active.end());
    std::ranges::stable_partition(objectives, [&](std::uint32_t goal) { return goals[goal].is_wanted; });
    std::vector<std::int32_t> column(goals.size(), -1);
    for (std::size_t i = 0; i < objectives.size(); ++i) column[objectives[i]] = static_cast<std::int32_t>(i);
    std::vector<std::vector<float>> rows(all.size(), std::vector<float>(objectives.size(), untouched_goal));
    for (std::size_t i = 0; i < all.size(); ++i)
      for (const auto& [goal, distance] : *all[i].distances)
        if (column[goal] >= 0) rows[i][static_cast<std::size_t>(column[goal])] = distance;
    std::vector<std::size_t> order;
    std::vector<bool> is_placed(all.size(), false);
    for (std::size_t o = 0; o < objectives.size(); ++o) {
      std::size_t best = 0;
      for (std::size_t i = 1; i < all.size(); ++i)
        if (rows[i][o] < rows[best][o] || (rows[i][o] == rows[best][o] && all[i].length < all[best].length)) best = i;
      if (rows[best][o] < untouched_goal && !is_placed[best]) {
        is_placed[best] = true;
        order.push_back(best);
      }
    }
    place_others(rows, is_placed, order);
    const std::size_t size = std::clamp(objectives.size() / 4, in_.how.population, in_.how.most_population);
    candidates kept;
    for (std::size_t i = 0; i < order.size(); ++i) {
      if (i < size)
        kept.push_back(all[order[i]]);
      else
        in_.archive.let_go(all[order[i]].number);
    }
    population_ = std::move(kept);
  }

  /// By how many objectives an individual is near, weighed by how few others are: what subvector dominance favours,
  /// without its square of comparisons.
  void place_others(const std::vector<std::vector<float>>& rows, const std::vector<bool>& is_placed,
                    std::vector<std::size_t>& order) const {
    const candidates& all = population_;
    std::vector<double> worth(all.size(), 0);
    for (std::size_t o = 0; o < rows[0].size(); ++o) {
      double near = 0;
      for (const auto& row : rows) near += row[o] < untouched_goal ? 1 : 0;
      for (std::size_t i = 0; i < all.size(); ++i)
        if (rows[i][o] < untouched_goal) worth[i] += static_cast<double>(untouched_goal - rows[i][o]) / near;
    }
    std::vector<std::size_t> others;
    for (std::size_t i = 0; i < all.size(); ++i)
      if (!is_placed[i]) others.push_back(i);
    std::stable_sort(others.begin(), others.end(), [&](std::size_t a, std::size_t b) {
      return worth[a] != worth[b] ? worth[a] > worth[b] : all[a].length < all[b].length;
    });
    order.insert(order.end(), others.begin(), others.end());
  }

  goal_exploration& in_;
  candidates population_;
  std::set<std::uint32_t> seen_;
};

}  // namespace

std::vector<std::uint32_t> search_by_candidates(goal_exploration& in, candidates begin) {
  return candidate_search(in).run(std::move(begin));
}

}  // namespace morph::optimizer
