// Generations: preference sorting, archive, objectives that appear as others are reached.
#include "plugin/generate/search.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <set>

namespace morph::generate {
namespace {

constexpr float far = 1.5F;  // from a goal that a sequence did not touch

class search_run {
 public:
  search_run(api& of, literal_table& literals, const std::vector<objective>& goals, const search_options& options,
             const evaluator& evaluate, const std::function<bool(const search_row&)>& is_over,
             optimizer::random_source& random, known_inputs* known)
      : api_(of),
        literals_(literals),
        goals_(goals),
        options_(options),
        evaluate_(evaluate),
        is_over_(is_over),
        random_(random),
        known_(known),
        vary_(of, literals, random, known != nullptr && !known->book.empty() ? &known->book : nullptr) {
    for (std::uint32_t g = 0; g < goals.size(); ++g)
      for (const std::uint32_t before : goals[g].after) then_[before].push_back(g);
    for (std::uint32_t g = 0; g < goals.size(); ++g)
      if (goals[g].is_possible && (goals[g].after.empty() || options.by != search_options::algorithm::dyna_mosa))
        active_.insert(g);
    for (const objective& each : goals) possible_ += each.is_possible && each.is_wanted ? 1U : 0U;
  }

  result<search_result> all() {
    std::vector<individual> population;
    for (std::uint64_t generation = 0;; ++generation) {
      auto offspring = execute(bred(population));
      if (!offspring) return tl::unexpected(offspring.error());
      if (options_.by == search_options::algorithm::random) {
        keep_new(population, std::move(*offspring));
      } else {
        for (individual& each : *offspring) population.push_back(std::move(each));
        population = chosen(std::move(population));
      }
      const search_row row{generation, made_.sequences, reached_, active_.size()};
      made_.rows.push_back(row);
      const bool is_spent = options_.most_sequences > 0 && made_.sequences >= options_.most_sequences;
      if (is_spent || reached_ >= possible_ || is_over_(row)) break;
    }
    made_.population = std::move(population);
    return std::move(made_);
  }

 private:
  std::uint32_t below(std::size_t n) { return random_.below(static_cast<std::uint32_t>(n)); }

  std::vector<sequence> bred(const std::vector<individual>& population) {
    std::vector<sequence> made;
    recipes_of_.clear();
    const bool begins = population.size() < 2 || made_.sequences < next_known_ + options_.population * 4;
    const auto randoms = static_cast<std::size_t>(options_.random_share * static_cast<double>(options_.population));
    const std::uint64_t left =
        options_.most_sequences > 0 ? options_.most_sequences - made_.sequences : options_.population;
    while (made.size() < std::min<std::uint64_t>(left, options_.population)) {
      made.push_back(next(population, begins || made.size() < randoms));
      recipes_of_.push_back(vary_.take_used());
    }
    return made;
  }

  sequence next(const std::vector<individual>& population, bool at_random) {
    if (known_ != nullptr && next_known_ < known_->first.size()) return known_->first[next_known_++];
    if (at_random) return vary_.random();
    // Now and then from what reached a goal: its neighbours may be near.
    const sequence& first = below(4) == 0 ? any_of_archive(population) : population[tournament(population)].calls;
    sequence child = first;
    if (below(1000) < static_cast<std::uint32_t>(options_.crossover_rate * 1000))
      child = vary_.crossed(first, population[tournament(population)].calls);
    return vary_.mutated(std::move(child));
  }

  const sequence& any_of_archive(const std::vector<individual>& population) {
    if (made_.archive.empty()) return population[tournament(population)].calls;
    auto at = made_.archive.begin();
    std::advance(at, below(made_.archive.size()));
    return at->second.calls;
  }

  /// The population is sorted: the best first.
  std::uint32_t tournament(const std::vector<individual>& population) {
    std::uint32_t best = below(population.size());
    if (options_.by == search_options::algorithm::random) return best;
    for (int i = 0; i < 2; ++i) best = std::min(best, below(population.size()));
    return best;
  }

  result<std::vector<individual>> execute(std::vector<sequence> all) {
    auto outcomes = evaluate_(all);
    if (!outcomes) return tl::unexpected(outcomes.error());
    std::vector<individual> made;
    for (std::size_t i = 0; i < all.size(); ++i) {
      outcome& did = (*outcomes)[i];
      ++made_.sequences;
      count(did);
      for (std::uint32_t c = 0; c < all[i].size() && c <= did.call; ++c) ++api_.callables[all[i][c].callable].calls;
      for (const literal& each : did.operands) literals_.offer(each);
      if (!did.can_be_a_test()) {
        note_finding(all[i], did);
        learn(i, false, false);
        continue;
      }
      did.operands.clear();
      individual one{std::move(all[i]), std::move(did)};
      cut(one);
      const std::size_t before = made_.archive.size();
      archive(one);
      learn(i, true, made_.archive.size() > before);
      made.push_back(std::move(one));
    }
    return made;
  }

  void learn(std::size_t offspring, bool is_valid, bool is_new) {
    if (known_ != nullptr) known_->book.learn(recipes_of_[offspring], is_valid, is_new);
  }

  void count(const outcome& did) {
    made_.crashed += did.how == morph_outcome_crashed ? 1U : 0U;
    made_.threw += did.how == morph_outcome_threw ? 1U : 0U;
    made_.hung += did.how == morph_outcome_hung ? 1U : 0U;
    made_.ended += did.how == morph_outcome_ended ? 1U : 0U;
    made_.refused += did.how == morph_outcome_refused ? 1U : 0U;
    made_.without_value += did.how == morph_outcome_no_value ? 1U : 0U;
  }

  /// What was not executed any more is no part of it.
  static void cut(individual& one) {
    if (one.did.how == morph_outcome_threw) one.calls.resize(std::min<std::size_t>(one.calls.size(), one.did.call + 1));
  }

  void note_finding(const sequence& calls, const outcome& did) {
    // Of exceptions only std::bad_alloc comes here: another machine has more memory.
    if (did.how == morph_outcome_threw || did.how == morph_outcome_no_value || did.how == morph_outcome_refused ||
        did.call >= calls.size())
      return;
    const std::uint32_t blamed = calls[did.call].callable;
    ++api_.callables[blamed].crashes;
    if (found_.insert({blamed, did.how, did.code}).second) made_.findings.push_back({calls, did});
  }

  void archive(const individual& one) {
    for (const auto& [goal, distance] : one.did.goals) {
      if (distance > 0 || !goals_[goal].is_possible) continue;
      const auto at = made_.archive.find(goal);
      if (at != made_.archive.end() && at->second.calls.size() <= one.calls.size()) continue;
      const bool is_new = at == made_.archive.end();
      made_.archive.insert_or_assign(goal, one);
      if (!is_new) continue;
      reached_ += goals_[goal].is_wanted ? 1U : 0U;
      active_.erase(goal);
      if (options_.by == search_options::algorithm::dyna_mosa)
        for (const std::uint32_t next : then_[goal])
          if (goals_[next].is_possible && !made_.archive.contains(next)) active_.insert(next);
    }
  }

  /// Random search keeps what reaches a goal for the first time.
  void keep_new(std::vector<individual>& population, std::vector<individual> all) {
    for (individual& each : all) {
      bool is_new = population.size() < options_.population;
      for (const auto& [goal, distance] : each.did.goals)
        is_new = is_new || (distance == 0 && seen_.insert(goal).second);
      if (is_new) population.push_back(std::move(each));
    }
  }

  /// The next population, best first: for each objective the nearest one (of equals the shortest), then by dominance.
  std::vector<individual> chosen(std::vector<individual> all) {
    if (all.empty()) return all;  // no process survived
    std::vector<std::uint32_t> objectives(active_.begin(), active_.end());
    std::ranges::stable_partition(objectives, [&](std::uint32_t goal) { return goals_[goal].is_wanted; });
    std::vector<std::int32_t> column(goals_.size(), -1);
    for (std::size_t i = 0; i < objectives.size(); ++i) column[objectives[i]] = static_cast<std::int32_t>(i);
    std::vector<std::vector<float>> rows(all.size(), std::vector<float>(objectives.size(), far));
    for (std::size_t i = 0; i < all.size(); ++i)
      for (const auto& [goal, distance] : all[i].did.goals)
        if (column[goal] >= 0) rows[i][static_cast<std::size_t>(column[goal])] = distance;
    std::vector<std::size_t> order;
    std::vector<bool> is_placed(all.size(), false);
    for (std::size_t o = 0; o < objectives.size(); ++o) {
      std::size_t best = 0;
      for (std::size_t i = 1; i < all.size(); ++i)
        if (rows[i][o] < rows[best][o] || (rows[i][o] == rows[best][o] && all[i].calls.size() < all[best].calls.size()))
          best = i;
      if (rows[best][o] < far && !is_placed[best]) {
        is_placed[best] = true;
        order.push_back(best);
      }
    }
    place_others(all, rows, is_placed, order);
    std::vector<individual> next;
    const std::size_t size = std::clamp(objectives.size() / 4, options_.population, options_.most_population);
    for (const std::size_t i : order) {
      if (next.size() >= size) break;
      next.push_back(std::move(all[i]));
    }
    return next;
  }

  /// By how many objectives an individual is near, weighed by how few others are: what subvector dominance favours,
  /// without its square of comparisons.
  void place_others(const std::vector<individual>& all, const std::vector<std::vector<float>>& rows,
                    const std::vector<bool>& is_placed, std::vector<std::size_t>& order) {
    if (rows.empty()) return;
    std::vector<double> worth(all.size(), 0);
    for (std::size_t o = 0; o < rows[0].size(); ++o) {
      double near = 0;
      for (const auto& row : rows) near += row[o] < far ? 1 : 0;
      for (std::size_t i = 0; i < all.size(); ++i)
        if (rows[i][o] < far) worth[i] += static_cast<double>(far - rows[i][o]) / near;
    }
    std::vector<std::size_t> others;
    for (std::size_t i = 0; i < all.size(); ++i)
      if (!is_placed[i]) others.push_back(i);
    std::stable_sort(others.begin(), others.end(), [&](std::size_t a, std::size_t b) {
      return worth[a] != worth[b] ? worth[a] > worth[b] : all[a].calls.size() < all[b].calls.size();
    });
    order.insert(order.end(), others.begin(), others.end());
  }

  api& api_;
  literal_table& literals_;
  const std::vector<objective>& goals_;
  const search_options& options_;
  const evaluator& evaluate_;
  const std::function<bool(const search_row&)>& is_over_;
  optimizer::random_source& random_;
  known_inputs* known_;
  std::size_t next_known_ = 0;
  std::vector<std::vector<std::size_t>> recipes_of_;  // that each of the offspring has
  variation vary_;
  std::map<std::uint32_t, std::vector<std::uint32_t>> then_;
  std::set<std::uint32_t> active_;
  std::size_t possible_ = 0, reached_ = 0;  // of the goals that are wanted
  std::set<std::uint32_t> seen_;
  std::set<std::tuple<std::uint32_t, morph_outcome, std::int32_t>> found_;
  search_result made_;
};

}  // namespace

result<search_result> search(api& of, literal_table& literals, const std::vector<objective>& goals,
                             const search_options& options, const evaluator& evaluate,
                             const std::function<bool(const search_row&)>& is_over, optimizer::random_source& random,
                             known_inputs* known) {
  return search_run(of, literals, goals, options, evaluate, is_over, random, known).all();
}

}  // namespace morph::generate
