// Whole-suite search (Fraser and Arcuri, TSE 2013), with an archive (Rojas et al., EMSE 2017): goals that are reached
// are no part of the fitness. EvoSuite's figures.
#include <algorithm>
#include <cmath>
#include <optional>

#include "optimizer/pagmo/goal_exploration.hpp"

namespace morph::optimizer {
namespace {

constexpr std::size_t most_at_first = 10;
constexpr double rank_bias = 1.7;
constexpr double insertion_rate = 0.1;  // of the first test; of the i-th its i-th power

struct suite {
  std::vector<executed_candidate> tests{};
  double fitness = 0;  // the less, the better
  std::size_t length = 0;
};

/// Where a proposed candidate goes.
struct destination {
  std::size_t suite = 0;
  std::optional<std::size_t> test{};  // that it replaces; none: behind the others
};

class suite_search {
 public:
  explicit suite_search(goal_exploration& in) : in_(in) {}

  std::vector<std::vector<std::uint32_t>> run(std::vector<executed_candidate> begin) {
    at_first(std::move(begin));
    while (in_.goes_on()) generation();
    std::vector<std::vector<std::uint32_t>> made;
    for (const suite& each : population_) {
      made.emplace_back();
      for (const executed_candidate& test : each.tests) made.back().push_back(test.number);
    }
    return made;
  }

 private:
  /// What is known goes round.
  void at_first(std::vector<executed_candidate> begin) {
    population_.resize(in_.how.population);
    std::size_t known = 0;
    for (const executed_candidate& each : begin) population_[known++ % population_.size()].tests.push_back(each);
    while (in_.left() > 0 && in_.propose_known()) to_.push_back({known++ % population_.size(), {}});
    for (std::size_t i = 0; i < population_.size(); ++i) {
      const std::size_t wanted = 1 + in_.below(most_at_first);
      for (std::size_t t = population_[i].tests.size(); t < wanted && in_.left() > 0; ++t) propose_random(i);
    }
    execute(population_);
    sort();
  }

  void propose_random(std::size_t suite) {
    in_.propose_random();
    to_.push_back({suite, {}});
  }

  void execute(std::vector<suite>& suites) {
    for (const executed_candidate& made : in_.execute()) {
      const destination& to = to_[made.proposal];
      suite& in = suites[to.suite];
      if (to.test) {
        in_.archive.let_go(in.tests[*to.test].number);
        in.tests[*to.test] = made;
      } else if (in.tests.size() < most_of_a_suite) {
        in.tests.push_back(made);
      } else {
        in_.archive.let_go(made.number);
      }
    }
    to_.clear();
    for (suite& each : suites) measure(each);
  }

  void generation() {
    std::vector<std::size_t> parents;
    std::vector<suite> offspring;
    while (offspring.size() + 1 < in_.how.population) {
      parents.push_back(ranked());
      parents.push_back(ranked());
      const suite &first = population_[parents.end()[-2]], &second = population_[parents.back()];
      const bool are_crossed = in_.happens(in_.how.crossover_rate);
      auto [one, other] = are_crossed ? crossed(first, second) : std::pair(copy(first), copy(second));
      for (suite* const each : {&one, &other}) {
        offspring.push_back(std::move(*each));
        propose_changes(offspring.back(), offspring.size() - 1);
      }
    }
    execute(offspring);
    for (suite& each : population_) measure(each);  // by the goals that are open now
    std::vector<suite> next{copy(population_[0])};
    for (std::size_t i = 0; i < offspring.size(); i += 2)
      choose(offspring[i], offspring[i + 1], population_[parents[i]], population_[parents[i + 1]], next);
    for (const suite& each : population_) drop(each);
    population_ = std::move(next);
    sort();
  }

  /// Offspring take the places of their parents if they are not worse, and not longer if they are equal.
  void choose(suite& one, suite& other, const suite& first, const suite& second, std::vector<suite>& next) {
    const double of_parents = std::min(first.fitness, second.fitness), now = std::min(one.fitness, other.fitness);
    const bool is_better =
        now < of_parents || (now == of_parents && one.length + other.length <= first.length + second.length);
    const suite& best = population_[0];  // without a test if none could be kept yet
    for (const auto& [child, parent] : {std::pair(&one, &first), std::pair(&other, &second)}) {
      const bool is_short = best.tests.empty() || child->length <= 2 * best.length;
      const bool is_kept = is_better && is_short && !child->tests.empty();
      if (!is_kept) drop(*child);
      next.push_back(is_kept ? std::move(*child) : copy(*parent));
    }
  }

  suite copy(const suite& of) {
    for (const executed_candidate& each : of.tests) in_.archive.hold(each.number);
    return of;
  }

  void drop(const suite& of) {
    for (const executed_candidate& each : of.tests) in_.archive.let_go(each.number);
  }

  /// By rank, with a bias to the better ones (Whitley 1989).
  std::size_t ranked() {
    const double u = in_.below(1U << 20U) / static_cast<double>(1U << 20U);
    const double at = (rank_bias - std::sqrt(rank_bias * rank_bias - 4 * (rank_bias - 1) * u)) / (2 * (rank_bias - 1));
    return std::min(population_.size() - 1, static_cast<std::size_t>(at * static_cast<double>(population_.size())));
  }

  /// Parts of both at the same relative place.
  std::pair<suite, suite> crossed(const suite& first, const suite& second) {
    const double at = in_.below(1000) / 1000.0;
    const auto part = [&](const suite& of) {
      return static_cast<std::ptrdiff_t>(at * static_cast<double>(of.tests.size()));
    };
    const auto joined = [&](const suite& head, const suite& tail) {
      suite made;
      made.tests.assign(head.tests.begin(), head.tests.begin() + part(head));
      made.tests.insert(made.tests.end(), tail.tests.begin() + part(tail), tail.tests.end());
      if (made.tests.size() > most_of_a_suite) made.tests.resize(most_of_a_suite);
      return made;
    };
    return {copy(joined(first, second)), copy(joined(second, first))};
  }

  /// One test on the average is changed, and new ones come. Where the new one cannot be kept, the old one stays.
  void propose_changes(const suite& of, std::size_t number) {
    const std::size_t size = of.tests.size();
    for (std::size_t i = 0; i < size && in_.left() > 0; ++i) {
      if (in_.below(size) != 0) continue;
      in_.propose_child({of.tests[i].number, std::nullopt, true});
      to_.push_back({number, i});
    }
    for (double rate = insertion_rate; in_.left() > 0 && in_.happens(rate); rate *= insertion_rate)
      propose_random(number);
  }

  /// The sum of the least distances to all goals that are not reached yet.
  void measure(suite& of) {
    std::vector<float> nearest(in_.on.goals.size(), untouched_goal);
    of.length = 0;
    for (const executed_candidate& test : of.tests) {
      of.length += test.length;
      for (const auto& [goal, distance] : *test.distances) nearest[goal] = std::min(nearest[goal], distance);
    }
    of.fitness = 0;
    for (const std::uint32_t goal : in_.archive.objectives()) of.fitness += static_cast<double>(nearest[goal]);
  }

  /// Fitness changes with the goals that are open.
  void sort() {
    for (suite& each : population_) measure(each);
    std::ranges::stable_sort(population_, [](const suite& a, const suite& b) {
      return a.fitness != b.fitness ? a.fitness < b.fitness : a.length < b.length;
    });
  }

  goal_exploration& in_;
  std::vector<suite> population_;
  std::vector<destination> to_;  // of all that is proposed
};

}  // namespace

std::vector<std::vector<std::uint32_t>> search_by_suites(goal_exploration& in, std::vector<executed_candidate> begin) {
  return suite_search(in).run(std::move(begin));
}

}  // namespace morph::optimizer
