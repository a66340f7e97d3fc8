// Elitist breeding and the four published selection schemes, on an archive that grows.
#include "optimizer/pagmo/breeding.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <pagmo/algorithm.hpp>
#include <set>
#include <stdexcept>

#include "optimizer/matrix/random.hpp"
#include "optimizer/pagmo/binary.hpp"

namespace morph::optimizer {
namespace {

using values = std::vector<double>;
constexpr std::size_t most_kept = 32;      // pools of a front
constexpr std::size_t fewest_mutants = 8;  // of a generation of elitist

/// The first metric decides, then the next.
bool has_better_values(const bred_pool& a, const bred_pool& b) {
  return std::lexicographical_compare(b.values.begin(), b.values.end(), a.values.begin(), a.values.end());
}

bool is_better(const bred_pool& a, const bred_pool& b) {
  return a.values != b.values ? has_better_values(a, b) : a.cases.size() < b.cases.size();
}

/// No metric is worse, and there are no more cases.
bool is_as_good(const bred_pool& a, const bred_pool& b) {
  for (std::size_t m = 0; m < a.values.size(); ++m)
    if (a.values[m] < b.values[m]) return false;
  return a.cases.size() <= b.cases.size();
}

case_set united(const case_set& a, const case_set& b) {
  case_set all;
  std::set_union(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(all));
  return all;
}

std::invalid_argument unknown(selection_scheme scheme) {
  return std::invalid_argument("the selection scheme " + std::to_string(static_cast<int>(scheme)) +
                               " is unknown; there are " + std::to_string(std::size(named_breedings)) + ", from 0 on");
}

class breeder {
 public:
  breeder(const breeding_ground& ground, const breeding_options& how, std::vector<breeding_row>& log)
      : ground_(ground), how_(how), log_(log), draw_(how.seed), at_first_(ground.cases()) {}

  std::string run(bred_pool begin) {
    if (how_.scheme == selection_scheme::elitist) return run_elitist(std::move(begin));
    begin.values = ground_.measure(begin.cases);
    best_ = begin;
    note(0, begin, 1);
    return run_published(std::move(begin));
  }

  /// The pool, then the others of the front.
  std::vector<bred_pool> take_pools() { return std::move(pools_); }

 private:
  std::size_t below(std::size_t bound) { return draw_.below(static_cast<std::uint32_t>(bound)); }
  std::uint32_t made() const { return ground_.cases() - at_first_; }
  std::uint32_t left() const {
    const std::uint32_t of_budget = how_.budget - std::min(how_.budget, made());
    return std::min(of_budget, ground_.capacity - std::min(ground_.capacity, ground_.cases()));
  }
  std::size_t part_of(std::size_t whole, double ratio) const {
    return static_cast<std::size_t>(std::floor(ratio * static_cast<double>(whole)));
  }

  void note(unsigned generation, const bred_pool& pool, std::size_t front) {
    if (is_better(pool, best_)) best_ = pool;
    breeding_row row;
    row.generation = generation;
    row.cases = static_cast<std::uint32_t>(pool.cases.size());
    row.made = made();
    row.archive = ground_.cases();
    row.front = static_cast<std::uint32_t>(front);
    row.values = pool.values;
    row.best = best_.values;
    row.best_cases = static_cast<std::uint32_t>(best_.cases.size());
    log_.push_back(std::move(row));
  }

  /// Why no further generation is to come; empty if one is.
  std::string limit(unsigned generation) const {
    if (generation > how_.generations) return "after " + std::to_string(how_.generations) + " generations";
    if (left() == 0) return "after " + std::to_string(made()) + " mutants: the budget is used up";
    if (ground_.is_over && ground_.is_over()) return "the time is over";
    return {};
  }

  /// What mates with a parent: the other sources are drawn from `among`.
  mating mate_of(std::uint32_t parent, std::uint32_t datamorphism, const case_set& among) {
    mating one{datamorphism, {parent}};
    while (one.sources.size() < ground_.arities[datamorphism]) one.sources.push_back(among[below(among.size())]);
    return one;
  }

  // ---- the four published ones

  std::string run_published(bred_pool pool) {
    std::string why;
    for (unsigned generation = 1; why.empty(); ++generation) {
      why = limit(generation);
      if (!why.empty()) break;
      const double before = pool.values[0];
      if (before < 0)
        throw std::runtime_error("the metric is " + std::to_string(before) + ", and the strategy " +
                                 name_of(how_.scheme) +
                                 " takes values below 0 for failures; the strategy elitist does not");
      remove(pool.cases);
      if (pool.cases.empty()) {
        why = "no case is left";
        break;
      }
      const case_set parents = select(pool.cases);
      std::vector<mating> matings;
      for (std::uint32_t d = 0; d < ground_.arities.size(); ++d)
        for (const std::uint32_t parent : parents) matings.push_back(mate_of(parent, d, pool.cases));
      if (matings.size() > left()) matings.resize(left());
      for (case_set& each : ground_.mate(matings)) {
        std::sort(each.begin(), each.end());
        pool.cases = united(pool.cases, each);
      }
      const bool is_full = is_too_large(pool);
      if (is_full) pool.cases.resize(how_.most_cases);
      pool.values = ground_.measure(pool.cases);
      note(generation, pool, 1);
      const double changed = std::abs((pool.values[0] - before) / before) * 100;
      if (changed < how_.change)
        why = "generation " + std::to_string(generation) + " changed the metric by less than " +
              std::to_string(how_.change) + " %";
      else if (is_full)
        why = "the pool has as many cases as it may have";
    }
    pools_ = {std::move(pool)};
    return why;
  }

  void remove(case_set& cases) {
    const std::size_t gone = part_of(cases.size(), how_.remove_ratio);
    switch (how_.scheme) {
      case selection_scheme::filter:
        cases = ground_.filter(cases);
        return;
      case selection_scheme::random_removal:
        for (std::size_t i = 0; i < gone; ++i)
          cases.erase(cases.begin() + static_cast<std::ptrdiff_t>(below(cases.size())));
        return;
      case selection_scheme::weakest_removal:
      case selection_scheme::strongest_mutant:
        cases = weakest_first(cases);
        cases.erase(cases.begin(), cases.begin() + static_cast<std::ptrdiff_t>(gone));
        std::sort(cases.begin(), cases.end());
        return;
      case selection_scheme::elitist:
        break;
    }
    throw unknown(how_.scheme);
  }

  case_set select(const case_set& cases) {
    const std::size_t wanted = std::clamp<std::size_t>(part_of(cases.size(), how_.mutant_ratio), 1, cases.size());
    case_set from = how_.scheme == selection_scheme::strongest_mutant ? weakest_first(cases) : cases;
    if (how_.scheme == selection_scheme::strongest_mutant)
      std::reverse(from.begin(), from.end());
    else
      for (std::size_t i = 0; i < wanted; ++i) std::swap(from[i], from[i + below(from.size() - i)]);
    from.resize(wanted);
    return from;
  }

  case_set weakest_first(const case_set& cases) {
    const values strengths = ground_.strengths(cases);
    std::vector<std::uint32_t> places(cases.size());
    for (std::uint32_t i = 0; i < places.size(); ++i) places[i] = i;
    std::stable_sort(places.begin(), places.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return strengths[a] < strengths[b]; });
    case_set sorted;
    for (const std::uint32_t p : places) sorted.push_back(cases[p]);
    return sorted;
  }

  // ---- ours

  std::string run_elitist(bred_pool begin) {
    begin.cases = with_origins(begin.cases);
    begin.values = ground_.measure(begin.cases);
    if (is_too_large(begin)) begin = smaller(reduced(std::move(begin), 64), how_.most_cases);
    best_ = begin;
    pools_ = {begin};
    note(0, begin, 1);
    offer(reduced(std::move(begin), 64));
    std::string why;
    unsigned without = 0;
    for (unsigned generation = 1; why.empty(); ++generation) {
      why = limit(generation);
      if (!why.empty()) break;
      const bred_pool before = best_;
      // Half of the generations work on the best pool, the others on another one of the front.
      const std::size_t on = below(2) == 0 ? best_place() : below(pools_.size());
      bred_pool pool = pools_[on];
      const std::size_t drawn = std::max<std::size_t>(fewest_mutants, part_of(pool.cases.size(), how_.mutant_ratio));
      case_set children = mutants(pool, std::min<std::size_t>(drawn, left()), without);
      for (std::size_t i = 0; i + 1 < children.size(); ++i)
        std::swap(children[i], children[i + below(children.size() - i)]);
      for (const std::uint32_t child : children) {
        bred_pool more{united(pool.cases, with_origins({child})), {}};
        if (more.cases.size() == pool.cases.size()) continue;
        more.values = ground_.measure(more.cases);
        if (has_better_values(more, pool)) pool = std::move(more);
      }
      pool = reduced(std::move(pool), 2 * children.size() + 32);
      if (is_too_large(pool)) pool = smaller(std::move(pool), how_.most_cases);
      const std::size_t tenth = 1 + pool.cases.size() / 10;
      if (pool.cases.size() > how_.fewest_cases)
        offer(smaller(
            pool, std::max<std::size_t>(pool.cases.size() - std::min(pool.cases.size(), tenth), how_.fewest_cases)));
      offer(std::move(pool));
      note(generation, pools_[best_place()], pools_.size());
      without = is_better(best_, before) ? 0 : without + 1;
      if (how_.stagnation != 0 && without >= how_.stagnation)
        why = "no better pool in " + std::to_string(without) + " generations";
    }
    std::swap(pools_.front(), pools_[best_place()]);
    std::sort(pools_.begin() + 1, pools_.end(), is_better);
    return why;
  }

  std::size_t best_place() const {
    return static_cast<std::size_t>(std::min_element(pools_.begin(), pools_.end(), is_better) - pools_.begin());
  }

  /// Parents: half by tournaments of strength, a quarter of the pool's cases, a quarter of all that were ever made:
  /// what is no use now may lead to what is. After a generation in vain it is half of all that were made. No mating
  /// comes twice, as far as a few draws avoid it.
  case_set mutants(const bred_pool& pool, std::size_t number, unsigned in_vain) {
    const values strengths = ground_.strengths(pool.cases);
    std::vector<mating> matings;
    for (std::size_t draws = 0; matings.size() < number && draws < 8 * number; ++draws) {
      const std::size_t how = below(4);
      std::size_t place = below(pool.cases.size());
      if (const std::size_t other = below(pool.cases.size()); how < 2 && strengths[other] > strengths[place])
        place = other;
      const bool is_any = how == 3 || (how == 2 && in_vain > 0);
      const std::uint32_t parent = is_any ? static_cast<std::uint32_t>(below(ground_.cases())) : pool.cases[place];
      mating one = mate_of(parent, static_cast<std::uint32_t>(below(ground_.arities.size())), pool.cases);
      std::vector<std::uint32_t> key{one.datamorphism};
      key.insert(key.end(), one.sources.begin(), one.sources.end());
      if (done_.insert(std::move(key)).second) matings.push_back(std::move(one));
    }
    case_set made;
    for (const case_set& each : ground_.mate(matings)) made.insert(made.end(), each.begin(), each.end());
    std::sort(made.begin(), made.end());
    made.erase(std::unique(made.begin(), made.end()), made.end());
    return made;
  }

  /// Cases stand behind what they were made of.
  case_set with_origins(case_set cases) {
    case_set all = cases;
    while (!cases.empty()) {
      const std::uint32_t c = cases.back();
      cases.pop_back();
      for (const std::uint32_t origin : ground_.origins(c)) {
        if (std::find(all.begin(), all.end(), origin) != all.end()) continue;
        all.push_back(origin);
        cases.push_back(origin);
      }
    }
    std::sort(all.begin(), all.end());
    return all;
  }

  /// The cases that no other one of the pool was made of, the weakest first.
  case_set leaves(const case_set& cases) {
    std::vector<bool> is_origin(ground_.cases(), false);
    for (const std::uint32_t c : cases)
      for (const std::uint32_t origin : ground_.origins(c)) is_origin[origin] = true;
    case_set free = weakest_first(cases);
    std::erase_if(free, [&](std::uint32_t c) { return is_origin[c]; });
    return free;
  }

  /// Without cases that no metric needs, as far as `trials` find them.
  bred_pool reduced(bred_pool pool, std::size_t trials) {
    for (bool is_smaller = true; is_smaller && trials > 0;) {
      is_smaller = false;
      for (const std::uint32_t c : leaves(pool.cases)) {
        if (pool.cases.size() <= how_.fewest_cases || trials-- == 0) return pool;
        bred_pool less{pool.cases, {}};
        less.cases.erase(std::lower_bound(less.cases.begin(), less.cases.end(), c));
        less.values = ground_.measure(less.cases);
        if (!is_as_good(less, pool)) continue;
        pool = std::move(less);
        is_smaller = true;
      }
    }
    return pool;
  }

  bool is_too_large(const bred_pool& pool) const { return how_.most_cases != 0 && pool.cases.size() > how_.most_cases; }

  /// So many cases, without the weakest.
  bred_pool smaller(bred_pool pool, std::size_t most) {
    while (pool.cases.size() > most) {
      const case_set free = leaves(pool.cases);
      for (const std::uint32_t c : free) {
        if (pool.cases.size() <= most) break;
        pool.cases.erase(std::lower_bound(pool.cases.begin(), pool.cases.end(), c));
      }
    }
    pool.values = ground_.measure(pool.cases);
    return pool;
  }

  /// Into the front, if none of it is as good with as few cases.
  void offer(bred_pool pool) {
    if (std::any_of(pools_.begin(), pools_.end(), [&](const bred_pool& p) { return is_as_good(p, pool); })) return;
    std::erase_if(pools_, [&](const bred_pool& p) { return is_as_good(pool, p); });
    pools_.push_back(std::move(pool));
    if (pools_.size() > most_kept) drop_one();
    if (is_better(pools_[best_place()], best_)) best_ = pools_[best_place()];
  }

  /// Of neighbours by size, the one that is nearest to its others; never the best pool.
  void drop_one() {
    std::sort(pools_.begin(), pools_.end(),
              [](const bred_pool& a, const bred_pool& b) { return a.cases.size() < b.cases.size(); });
    const std::size_t best = best_place();
    std::size_t dropped = best == 0 ? 1 : 0, least = ~std::size_t{0};
    for (std::size_t i = 1; i + 1 < pools_.size(); ++i) {
      const std::size_t gap = pools_[i + 1].cases.size() - pools_[i - 1].cases.size();
      if (i != best && gap < least) least = gap, dropped = i;
    }
    pools_.erase(pools_.begin() + static_cast<std::ptrdiff_t>(dropped));
  }

  const breeding_ground& ground_;
  const breeding_options& how_;
  std::vector<breeding_row>& log_;
  random_source draw_;
  std::uint32_t at_first_;
  bred_pool best_;  // that any generation had
  std::vector<bred_pool> pools_;
  std::set<std::vector<std::uint32_t>> done_;  // matings of elitist
};

std::shared_ptr<const breeding_ground> nothing_to_breed() {
  auto none = std::make_shared<breeding_ground>();
  none->metrics = 1;
  none->capacity = 1;
  none->measure = [](const case_set&) { return values{0}; };
  return none;
}

}  // namespace

pool_problem::pool_problem() : on_(nothing_to_breed()) {}

pagmo::vector_double pool_problem::fitness(const pagmo::vector_double& x) const {
  const case_set set = set_of(x);
  pagmo::vector_double objectives;
  for (const double value : on_->measure(set)) objectives.push_back(-value);
  objectives.push_back(static_cast<double>(set.size()));
  return objectives;
}

std::pair<pagmo::vector_double, pagmo::vector_double> pool_problem::get_bounds() const {
  return yes_or_no_bounds(on_->capacity);
}

case_set pool_problem::set_of(const pagmo::vector_double& x) const {
  case_set set;
  const std::uint32_t there = on_->cases ? on_->cases() : 0;
  for (std::uint32_t c = 0; c < there && c < x.size(); ++c)
    if (is_yes(x[c])) set.push_back(c);
  return set;
}

pagmo::vector_double pool_problem::vector_of(const case_set& set) const {
  pagmo::vector_double x(on_->capacity, 0);
  for (const std::uint32_t c : set) x[c] = 1;
  return x;
}

breeding_uda::breeding_uda(breeding_options how) : how_(how) {
  if (static_cast<std::size_t>(how_.scheme) >= std::size(named_breedings)) throw unknown(how_.scheme);
  const auto is_part = [](double ratio) { return ratio >= 0 && ratio <= 1; };
  if (!is_part(how_.mutant_ratio) || how_.mutant_ratio == 0)
    throw std::invalid_argument("the part of the pool that has mutants is " + std::to_string(how_.mutant_ratio) +
                                "; it has to be above 0 and at most 1");
  if (!is_part(how_.remove_ratio) || how_.remove_ratio == 1)
    throw std::invalid_argument("the part of the pool that is removed is " + std::to_string(how_.remove_ratio) +
                                "; it has to be at least 0 and below 1");
  if (how_.generations < 1) throw std::invalid_argument("there are 0 generations; breeding needs one at least");
  if (how_.fewest_cases < 1) throw std::invalid_argument("a pool has 0 cases at least; it has to be one or more");
  if (how_.most_cases != 0 && how_.most_cases < how_.fewest_cases)
    throw std::invalid_argument("a pool has " + std::to_string(how_.fewest_cases) + " cases at least and " +
                                std::to_string(how_.most_cases) + " at most");
  if (how_.budget < 1) throw std::invalid_argument("the budget is 0 mutants; breeding needs one at least");
}

pagmo::population breeding_uda::evolve(pagmo::population population) const {
  const auto& problem = problem_of<pool_problem>(population, "which cases are in a pool");
  bred_pool begin;
  for (std::size_t i = 0; i < population.size(); ++i) {
    bred_pool each{problem.set_of(population.get_x()[i]), {}};
    each.values = problem.ground().measure(each.cases);
    if (i == 0 || is_better(each, begin)) begin = std::move(each);
  }
  breeder at_work(problem.ground(), how_, log_);
  stopped_ = at_work.run(std::move(begin));
  const std::vector<bred_pool> pools = at_work.take_pools();
  for (std::size_t i = 0; i < population.size(); ++i) {
    const bred_pool& pool = pools[std::min(i, pools.size() - 1)];
    pagmo::vector_double f;
    for (const double value : pool.values) f.push_back(-value);
    f.push_back(static_cast<double>(pool.cases.size()));
    population.set_xf(i, problem.vector_of(pool.cases), f);
  }
  return population;
}

std::string breeding_uda::get_extra_info() const {
  return std::string("\tSelection scheme: ") + name_of(how_.scheme) +
         "\n\tGenerations: " + std::to_string(how_.generations) + "\n\tSeed: " + std::to_string(how_.seed);
}

bred_pools breed_pools(const breeding_ground& ground, const breeding_options& how) {
  const pool_problem problem(std::make_shared<const breeding_ground>(ground));
  pagmo::population population{pagmo::problem(problem), 0, how.seed};
  case_set all(ground.cases());
  for (std::uint32_t c = 0; c < all.size(); ++c) all[c] = c;
  population.push_back(problem.vector_of(all));
  // Room for the whole front.
  for (std::size_t i = 1; i < (how.scheme == selection_scheme::elitist ? most_kept : 1); ++i)
    population.push_back(population.get_x()[0], population.get_f()[0]);
  const pagmo::algorithm algorithm{breeding_uda(how)};
  population = algorithm.evolve(population);
  bred_pools found;
  for (std::size_t i = 0; i < population.size(); ++i) {
    bred_pool pool{problem.set_of(population.get_x()[i]), {}};
    const bool is_known =
        std::any_of(found.pools.begin(), found.pools.end(), [&](const bred_pool& p) { return p.cases == pool.cases; });
    if (is_known) continue;
    for (std::size_t m = 0; m < ground.metrics; ++m) pool.values.push_back(-population.get_f()[i][m]);
    found.pools.push_back(std::move(pool));
  }
  const auto* const uda = algorithm.extract<breeding_uda>();
  found.log = uda->get_log();
  found.stopped = uda->stopped();
  return found;
}

}  // namespace morph::optimizer
