// How good the optimizer's sets of tests are, how soon, and beside others.
//   optimizer front <ROWS
//     the front on recorded coverage, with made-up costs, beside the optimum and pagmo's own algorithms
//   optimizer minima DIR <ROWS
//     the smallest set that keeps all lines, and all lines and kills
//   optimizer big [TESTS REQUIREMENTS]
//     the whole way on made-up coverage
// A line of ROWS is a test, the numbers of the lines that it executes. Times are CPU seconds of one thread.
#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <fstream>
#include <functional>
#include <iostream>
#include <nlohmann/json.hpp>
#include <numbers>
#include <numeric>
#include <pagmo/algorithm.hpp>
#include <pagmo/algorithms/maco.hpp>
#include <pagmo/algorithms/moead.hpp>
#include <pagmo/algorithms/nsga2.hpp>
#include <pagmo/algorithms/nspso.hpp>
#include <pagmo/population.hpp>
#include <sstream>

#include "optimizer/cover/bound.hpp"
#include "optimizer/cover/front.hpp"
#include "optimizer/exact/exact.hpp"
#include "optimizer/order.hpp"
#include "optimizer/pagmo/memetic_uda.hpp"
#include "optimizer/reduction.hpp"

namespace {

using namespace morph::optimizer;
using nlohmann::json;
using rows = std::vector<std::vector<std::uint32_t>>;

double cpu_seconds() {
  timespec now{};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

double uniform(random_source& random) {
  return static_cast<double>(random() >> 11U) * 0x1p-53;
}

double normal(random_source& random) {
  return std::sqrt(-2 * std::log(uniform(random) + 1e-300)) * std::cos(2 * std::numbers::pi * uniform(random));
}

rows read_rows(std::istream& in) {
  rows tests;
  for (std::string line; std::getline(in, line);) {
    std::istringstream numbers(line);
    tests.emplace_back(std::istream_iterator<std::uint32_t>(numbers), std::istream_iterator<std::uint32_t>());
  }
  return tests;
}

std::uint32_t requirements_of(const rows& tests) {
  std::uint32_t most = 0;
  for (const auto& row : tests)
    for (const std::uint32_t r : row) most = std::max(most, r + 1);
  return most;
}

/// A test costs 2 ms, and 20 ms more if it executes as much as the mean one, times a number around 1 with a long tail.
std::int64_t made_up_cost(std::size_t executed, double mean, random_source& random) {
  const double ms = 2 + 20 * static_cast<double>(executed) / mean;
  return static_cast<std::int64_t>(1000 * ms * std::exp(0.9 * normal(random)));
}

/// What is covered within each budget, integrated over the budgets, as part of everything.
double area(const std::vector<std::int64_t>& budgets, const std::vector<std::int64_t>& covered, std::int64_t all) {
  double sum = 0;
  for (std::size_t i = 0; i < budgets.size(); ++i) {
    const std::int64_t until = i + 1 < budgets.size() ? budgets[i + 1] : budgets[i] + budgets[i] - budgets[i - 1];
    sum += static_cast<double>(until - budgets[i]) * static_cast<double>(covered[i]);
  }
  return sum / static_cast<double>(budgets.back()) / static_cast<double>(all);
}

class judge {
 public:
  judge(const cover_problem& problem, std::vector<std::int64_t> budgets)
      : problem_(problem), budgets_(std::move(budgets)), best_(budgets_.size()) {}

  void take(std::int64_t cost_us, std::int64_t covered) {
    for (std::size_t i = 0; i < budgets_.size(); ++i)
      if (cost_us <= budgets_[i]) best_[i] = std::max(best_[i], covered);
  }
  void take(const pagmo::population& population) {
    for (const auto& f : population.get_f())
      take(std::llround(f[1] * static_cast<double>(problem_.total_cost_us)),
           problem_.total_weight - std::llround(f[0] * static_cast<double>(problem_.total_weight)));
  }
  double value() const { return area(budgets_, best_, problem_.total_weight); }

 private:
  const cover_problem& problem_;
  std::vector<std::int64_t> budgets_;
  std::vector<std::int64_t> best_;
};

/// The value that some algorithm of pagmo's reaches within one CPU second, beside its start.
double of_pagmo(const pagmo::algorithm& algorithm, pagmo::population population, judge found) {
  found.take(population);
  for (const double until = cpu_seconds() + 1; cpu_seconds() < until;) {
    population = algorithm.evolve(population);
    found.take(population);
  }
  return found.value();
}

json front(const rows& tests) {
  const std::uint32_t requirements = requirements_of(tests);
  double mean = 0;
  for (const auto& row : tests) mean += static_cast<double>(row.size());
  mean /= static_cast<double>(tests.size());
  random_source random(42);
  matrix_builder builder({{"lines", requirements}});
  for (const auto& row : tests) builder.add_test(made_up_cost(row.size(), mean, random), row);
  const cover_problem problem = weigh(std::make_shared<const cover_matrix>(std::move(builder).finish()));
  const std::int64_t whole = front_search(problem, {}, 1).whole().cost_us;
  const std::vector<std::int64_t> budgets = spread_budgets(whole, 20);
  const judge nothing(problem, budgets);

  judge optimum = nothing;
  bool proven = has_exact_lane();
  const double before_exact = cpu_seconds();
  for (const std::int64_t budget : budgets)
    if (const auto found = largest_cover(problem, budget)) {
      optimum.take(found->found.cost_us, found->found.covered);
      proven = proven && found->proven;
    } else {
      proven = false;
    }
  const double exact_s = cpu_seconds() - before_exact;

  judge ours = nothing;
  double at_20_ms = 0, at_1_s = 0, seconds = 0, until_999 = -1, until_9999 = -1;
  const double before = cpu_seconds();
  front_search search(problem, {}, 1);
  double spent = cpu_seconds() - before;
  for (const auto& step : search.path()) ours.take(step.cost_us, step.covered);
  const double greedy = ours.value();
  for (;;) {
    for (const front_point& point : search.points()) ours.take(point.cost_us, point.covered);
    const double value = ours.value() / optimum.value();
    if (spent <= 0.02) at_20_ms = value;
    if (until_999 < 0 && value >= 0.999) until_999 = spent;
    if (until_9999 < 0 && value >= 0.9999) until_9999 = spent;
    if (spent > 1) break;
    at_1_s = value;
    const double start = cpu_seconds();
    search.run(20);
    spent += cpu_seconds() - start;
  }
  seconds = spent;

  const double before_bound = cpu_seconds();
  const cover_bound bound(problem, search.path());
  const double bound_s = cpu_seconds() - before_bound;
  std::vector<std::int64_t> bounds;
  for (const std::int64_t budget : budgets) bounds.push_back(bound.most_within(budget));

  const pagmo::problem as_pagmo{subset_problem({problem})};
  pagmo::population at_random(as_pagmo, 100, 1), seeded(as_pagmo, 0, 1);
  const front_search greedy_sets(problem, {}, 1, 100);
  const subset_problem& subset = *as_pagmo.extract<subset_problem>();
  while (seeded.size() < 100)
    seeded.push_back(subset.vector_of(greedy_sets.points()[seeded.size() % greedy_sets.points().size()].tests));
  const double rate = 2.0 / static_cast<double>(tests.size());
  const pagmo::algorithm nsga2{pagmo::nsga2(4, 0.95, 10, rate, 50, 1)};
  const pagmo::algorithm maco{pagmo::maco(4, 63, 1, 1, 7, 100000, 0, false, 1)};
  const pagmo::algorithm nspso{pagmo::nspso(4, 0.6, 2, 2, 1, 0.5, 60, "crowding distance", false, 1)};
  const pagmo::algorithm moead{pagmo::moead(4, "grid", "tchebycheff", 20, 1, 0.5, 20, 0.9, 2, true, 1)};
  const auto of_optimum = [&](double value) { return value / optimum.value(); };
  return {{"tests", tests.size()},
          {"requirements", requirements},
          {"classes", problem.matrix->class_count()},
          {"proven", proven},
          {"exact_s", exact_s},
          {"greedy", of_optimum(greedy)},
          {"at_20_ms", at_20_ms},
          {"at_1_s", at_1_s},
          {"until_999_s", until_999 < 0 ? json(nullptr) : json(until_999)},
          {"until_9999_s", until_9999 < 0 ? json(nullptr) : json(until_9999)},
          {"seconds", seconds},
          {"bound", of_optimum(area(budgets, bounds, problem.total_weight))},
          {"bound_s", bound_s},
          {"nsga2_random", of_optimum(of_pagmo(nsga2, at_random, nothing))},
          {"nsga2_seeded", of_optimum(of_pagmo(nsga2, seeded, nothing))},
          {"seeds", of_optimum([&] {
             judge start = nothing;
             start.take(seeded);
             return start.value();
           }())},
          {"maco_random", of_optimum(of_pagmo(maco, at_random, nothing))},
          {"maco_seeded", of_optimum(of_pagmo(maco, seeded, nothing))},
          {"nspso_random", of_optimum(of_pagmo(nspso, at_random, nothing))},
          {"nspso_seeded", of_optimum(of_pagmo(nspso, seeded, nothing))},
          {"moead_random", of_optimum(of_pagmo(moead, at_random, nothing))},
          {"moead_seeded", of_optimum(of_pagmo(moead, seeded, nothing))}};
}

json minima(const rows& tests, const std::string& folder) {
  const std::uint32_t lines = requirements_of(tests);
  rows with_kills = tests;
  std::uint32_t kills = 0;
  std::ifstream commits(folder + "/commits.jsonl");
  if (!commits) throw std::runtime_error(fmt::format("cannot read '{}/commits.jsonl'", folder));
  for (std::string line; std::getline(commits, line); ++kills) {
    const json commit = json::parse(line);
    for (const std::size_t test : commit.at("failing")) with_kills.at(test - 1).push_back(lines + kills);
  }
  const auto smallest = [](const rows& covers, std::uint32_t requirements) {
    matrix_builder builder({{"requirements", requirements}});
    for (const auto& row : covers) builder.add_test(1, row);
    const cover_problem problem = weigh(std::make_shared<const cover_matrix>(std::move(builder).finish()));
    const double before = cpu_seconds();
    const auto found = cheapest_cover(problem);
    const double seconds = cpu_seconds() - before;
    return json{{"tests", found ? json(found->found.cost_us) : json(nullptr)},
                {"proven", found && found->proven},
                {"seconds", seconds},
                {"greedy", front_search(problem, {1}, 1).whole().cost_us}};
  };
  return {{"lines", smallest(tests, lines)}, {"lines_and_kills", smallest(with_kills, lines + kills)}};
}

/// Modules of functions of blocks of lines: what a test calls it executes in part, much of its own module, some of its
/// neighbours', and what all share.
class made_up_program {
 public:
  explicit made_up_program(std::uint32_t lines) : modules_(std::max(8U, lines / 1500)), random_(7) {
    for (std::uint32_t line = 0; line < lines;) {
      const std::uint32_t first = line;
      const auto begin = static_cast<std::uint32_t>(blocks_.size());
      for (std::uint32_t left = 1 + random_.below(12), i = 0; i < left && line < lines; ++i) {
        const std::uint32_t end = std::min(lines, line + 1 + random_.below(9));
        const double kind = uniform(random_);
        blocks_.push_back({line, end,
                           i == 0        ? 1
                           : kind < 0.35 ? 0.97
                           : kind < 0.75 ? 0.3 + 0.4 * uniform(random_)
                                         : 0.08 * uniform(random_)});
        line = end;
      }
      modules_[std::uint64_t{first} * modules_.size() / lines].push_back(
          {begin, static_cast<std::uint32_t>(blocks_.size())});
    }
  }

  std::vector<std::uint32_t> test(double mean_lines) {
    std::vector<bool> executed(blocks_.size());
    const auto call = [&](const function& f) {
      for (std::uint32_t b = f.first; b < f.last; ++b)
        if (b == f.first || uniform(random_) < blocks_[b].likely) executed[b] = true;
    };
    for (std::size_t m = 0; m < std::max<std::size_t>(1, modules_.size() / 40); ++m)
      for (std::size_t f = 0; f < modules_[m].size(); f += 2) call(modules_[m][f]);
    const auto any = [&](double power, std::size_t of) {
      return std::min(of - 1, static_cast<std::size_t>(static_cast<double>(of) * std::pow(uniform(random_), power)));
    };
    const std::size_t home = any(1.3, modules_.size());
    const double wanted = mean_lines * std::exp(0.8 * normal(random_) - 0.32);
    std::size_t here = home;
    double got = 0;
    for (int visits = 0; got < wanted && visits < 200; ++visits) {
      const auto& functions = modules_[here];
      const auto count = static_cast<std::uint32_t>(functions.size());
      for (std::uint32_t left = count == 0 ? 0 : 1 + random_.below(std::max(1U, count / 2)),
                         at = left == 0 ? 0 : random_.below(count);
           left > 0 && got < wanted; --left, ++at, got += 12)
        call(functions[at % count]);
      here = uniform(random_) < 0.6 ? home : (home + 1 + any(2.5, modules_.size() / 4 + 1)) % modules_.size();
    }
    std::vector<std::uint32_t> lines;
    for (std::size_t b = 0; b < blocks_.size(); ++b)
      if (executed[b])
        for (std::uint32_t line = blocks_[b].first; line < blocks_[b].last; ++line) lines.push_back(line);
    return lines;
  }

  std::int64_t cost(std::size_t executed, double mean_lines) { return made_up_cost(executed, mean_lines, random_); }

 private:
  struct block {
    std::uint32_t first, last;
    double likely;  // that who calls the function executes it
  };
  struct function {
    std::uint32_t first, last;
  };
  std::vector<block> blocks_;
  std::vector<std::vector<function>> modules_;
  random_source random_;
};

json big(std::uint32_t tests, std::uint32_t lines) {
  const double mean_lines = lines * 0.018;
  made_up_program program(lines);
  matrix_builder builder({{"lines", lines}});
  std::uint64_t pairs = 0;
  double spent = 0;
  const auto timed = [&](const auto& what) {
    const double before = cpu_seconds();
    what();
    return cpu_seconds() - before;
  };
  for (std::uint32_t t = 0; t < tests; ++t) {
    const auto row = program.test(mean_lines);
    const std::int64_t cost = program.cost(row.size(), mean_lines);
    pairs += row.size();
    spent += timed([&] { builder.add_test(cost, row); });
  }
  std::shared_ptr<const cover_matrix> matrix;
  spent += timed([&] { matrix = std::make_shared<const cover_matrix>(std::move(builder).finish()); });
  const double fold_s = spent;
  const cover_problem problem = weigh(matrix);
  pagmo::population evolved;
  spent += timed([&] {
    const pagmo::problem as_pagmo{subset_problem({problem})};
    pagmo::population start(as_pagmo, 0, 1);
    for (int i = 0; i < 40; ++i) start.push_back(pagmo::vector_double(tests, 0));
    evolved = pagmo::algorithm(memetic_uda(3000)).evolve(start);
  });
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  const long peak_kib = usage.ru_maxrss;
  const auto path = greedy_path(problem);
  const std::int64_t whole = front_search(problem, {}, 1).whole().cost_us;
  const auto budgets = spread_budgets(whole, 20);
  judge found(problem, budgets);
  found.take(evolved);
  instance to_order{matrix->cost_us, {{}}};
  for (std::uint32_t c = 0; c < matrix->class_count(); ++c)
    to_order.levels[0].push_back(
        {{matrix->tests_of(c).begin(), matrix->tests_of(c).end()}, static_cast<std::uint64_t>(problem.weight[c])});
  std::vector<std::uint32_t> all(tests);
  std::iota(all.begin(), all.end(), 0U);
  const double order_s = timed([&] { all = additional_greedy_order(to_order, all); });
  reduced_set cheapest;
  const double cheapest_s = timed([&] { cheapest = minimal_set(problem, {.provable_pairs = 0}); });
  reduced_set proven;
  const double proven_s = timed([&] { proven = minimal_set(problem); });
  std::vector<std::int64_t> bounds;
  const double bound_s = timed([&] {
    const cover_bound bound(problem, path);
    for (const std::int64_t budget : budgets) bounds.push_back(bound.most_within(budget));
  });
  return {{"tests", tests},
          {"requirements", lines},
          {"pairs", pairs},
          {"classes", matrix->class_count()},
          {"fold_s", fold_s},
          {"order_s", order_s},
          {"lossless_us", cheapest.set.cost_us},
          {"lossless_s", cheapest_s},
          {"lossless_bound_us", proven.bound},
          {"lossless_is_proven", proven.proven},
          {"lossless_proven_us", proven.set.cost_us},
          {"lossless_proven_s", proven_s},
          {"seconds", spent},
          {"mb", static_cast<double>(peak_kib) / 1024},
          {"certificate", found.value() / area(budgets, bounds, problem.total_weight)},
          {"bound_s", bound_s}};
}

}  // namespace

int main(int count, char** arguments) {
  try {
    const std::vector<std::string> given(arguments + 1, arguments + count);
    if (given.size() == 1 && given[0] == "front")
      std::cout << front(read_rows(std::cin)) << '\n';
    else if (given.size() == 2 && given[0] == "minima")
      std::cout << minima(read_rows(std::cin), given[1]) << '\n';
    else if (!given.empty() && given[0] == "big")
      std::cout << big(given.size() > 2 ? static_cast<std::uint32_t>(std::stoul(given[1])) : 10000,
                       given.size() > 2 ? static_cast<std::uint32_t>(std::stoul(given[2])) : 200000)
                << '\n';
    else
      throw std::runtime_error("usage: optimizer front | minima DIR | big [TESTS REQUIREMENTS]");
  } catch (const std::exception& error) {
    std::cerr << "optimizer: " << error.what() << '\n';
    return 2;
  }
}
