// The best known sets of tests over a range of budgets, and the search that makes them better.
#pragma once

#include <cstdint>
#include <vector>

#include "optimizer/cover/budgets.hpp"
#include "optimizer/cover/greedy.hpp"
#include "optimizer/cover/state.hpp"
#include "optimizer/matrix/random.hpp"

namespace morph::optimizer {

/// A memetic search: of each budget one set, which is ruined in part and recreated (Schrimpf et al. 2000), or crossed
/// with that of a neighbouring budget and repaired. What becomes better for a budget is taken over by larger ones.
/// It starts from greedy sets and never falls below them. Work is counted in moves: equal problems, seeds and moves
/// give equal sets, on every machine. The problem has to outlive it.
class front_search {
 public:
  /// `budgets`: ascending, each at least 1; empty: `count` of them, spread up to the cost of the greedy's set that
  /// covers everything. Throws std::invalid_argument for others.
  front_search(const cover_problem& problem, std::vector<std::int64_t> budgets, std::uint64_t seed,
               std::uint32_t count = default_budgets);

  /// A set that is known from elsewhere.
  void offer(const test_set& tests);
  void run(std::uint64_t moves);

  const std::vector<std::int64_t>& budgets() const { return budgets_; }
  /// By budget; a point costs at most its budget.
  const std::vector<front_point>& points() const { return points_; }
  /// The cheapest one that covers all that can be covered.
  const front_point& whole() const { return whole_; }
  const std::vector<greedy_step>& path() const { return path_; }

 private:
  void start_greedily();
  void offer_state(std::size_t from);
  void move(std::size_t at);
  void move_whole();
  void cross(std::size_t at, std::size_t mate);
  void settle(std::size_t at);
  void drop_some(std::uint32_t most);
  std::optional<std::uint32_t> newcomer(std::int64_t budget_us);
  void force_one(std::int64_t budget_us);
  void drop_related();

  const cover_problem& problem_;
  const cover_matrix& matrix_;
  std::vector<std::int64_t> budgets_;
  std::vector<front_point> points_;
  front_point whole_;
  std::vector<greedy_step> path_;
  random_source random_;
  cover_state state_;
  std::size_t at_ = 0;  // the budget whose turn it is; turns go up and down, so that neighbours differ little
  bool upwards_ = true;
  std::uint32_t turn_ = 0;
};

}  // namespace morph::optimizer
