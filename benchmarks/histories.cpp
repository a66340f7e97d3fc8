// How soon recorded failures come in orders by earlier verdicts: histories <CSV (cycle,test,seconds,failed).
#include <algorithm>
#include <iostream>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>
#include <stdexcept>

#include "optimizer/history.hpp"
#include "optimizer/matrix/random.hpp"

namespace {

using namespace morph::optimizer;

struct run {
  std::vector<std::uint32_t> tests;  // in the order of the record; a test may be there twice
  std::vector<bool> failed;
};

/// Tests are numbered by the numbers that they have in the record, which are taken for their declared order.
std::vector<run> read(std::istream& in, std::size_t& tests) {
  std::map<long, std::vector<std::pair<long, bool>>> by_cycle;
  std::map<long, std::uint32_t> numbers;
  std::string line;
  std::getline(in, line);
  while (std::getline(in, line)) {
    std::istringstream fields(line);
    std::string cycle, test, seconds, failed;
    if (!std::getline(fields, cycle, ',') || !std::getline(fields, test, ',') || !std::getline(fields, seconds, ',') ||
        !std::getline(fields, failed, ','))
      throw std::runtime_error("not cycle,test,seconds,failed: " + line);
    by_cycle[std::stol(cycle)].emplace_back(std::stol(test), std::stoi(failed) != 0);
    numbers[std::stol(test)];
  }
  for (auto& [name, number] : numbers) number = static_cast<std::uint32_t>(tests++);
  std::vector<run> runs;
  for (const auto& [cycle, rows] : by_cycle) {
    run r;
    for (const auto& [test, failed] : rows) {
      r.tests.push_back(numbers.at(test));
      r.failed.push_back(failed);
    }
    runs.push_back(std::move(r));
  }
  return runs;
}

/// Greatest first; equals as `ties` say.
std::vector<bool> in_order(const run& r, const std::vector<double>& score, const std::vector<std::uint64_t>& ties) {
  std::vector<std::uint32_t> order(r.tests.size());
  for (std::uint32_t i = 0; i < order.size(); ++i) order[i] = i;
  std::sort(order.begin(), order.end(),
            [&](auto a, auto b) { return score[a] != score[b] ? score[a] > score[b] : ties[a] < ties[b]; });
  std::vector<bool> failed;
  for (const std::uint32_t i : order) failed.push_back(r.failed[i]);
  return failed;
}

struct judged {
  double ours = 0, weighted = 0, weighted_by_chance = 0, best = 0;
  bool second_half = false;
};

double mean(const std::vector<judged>& all, double judged::*what, bool second_only) {
  double sum = 0, count = 0;
  for (const judged& j : all)
    if (j.second_half || !second_only) {
      sum += j.*what;
      ++count;
    }
  return sum / count;
}

/// The part of 10,000 resamples of the second half in which ours is not ahead: paired bootstrap.
double chance_of_no_gain(const std::vector<judged>& all, double judged::*than) {
  std::vector<double> gains;
  for (const judged& j : all)
    if (j.second_half) gains.push_back(j.ours - j.*than);
  random_source random(1);
  int behind = 0;
  constexpr int resamples = 10000;
  for (int i = 0; i < resamples; ++i) {
    double sum = 0;
    for (std::size_t k = 0; k < gains.size(); ++k) sum += gains[random.below(static_cast<std::uint32_t>(gains.size()))];
    behind += sum <= 0 ? 1 : 0;
  }
  return static_cast<double>(behind) / resamples;
}

}  // namespace

int main() try {
  std::size_t tests = 0;
  const std::vector<run> runs = read(std::cin, tests);
  std::vector<verdicts> past(tests);
  std::vector<double> weighted(tests, 9);  // the exponentially weighted rate; new tests first
  random_source random(1);
  std::vector<judged> all;
  for (std::size_t at = 0; at < runs.size(); ++at) {
    const run& r = runs[at];
    const auto failures = std::count(r.failed.begin(), r.failed.end(), true);
    if (failures > 0 && r.tests.size() >= 6) {
      const auto rates = failure_rates(past);
      std::vector<double> by_rate, by_weight;
      std::vector<std::uint64_t> declared, by_chance;
      for (std::size_t i = 0; i < r.tests.size(); ++i) {
        by_rate.push_back(rates[r.tests[i]]);
        by_weight.push_back(weighted[r.tests[i]]);
        declared.push_back(i);
      }
      judged j;
      j.second_half = at >= runs.size() / 2;
      j.ours = apfd(in_order(r, by_rate, declared));
      j.weighted = apfd(in_order(r, by_weight, declared));
      constexpr int draws = 100;
      for (int draw = 0; draw < draws; ++draw) {
        by_chance.clear();
        for (std::size_t i = 0; i < r.tests.size(); ++i) by_chance.push_back(random());
        j.weighted_by_chance += apfd(in_order(r, by_weight, by_chance)) / draws;
      }
      std::vector<bool> best(r.tests.size());
      std::fill_n(best.begin(), failures, true);
      j.best = apfd(best);
      all.push_back(j);
    }
    for (std::size_t i = 0; i < r.tests.size(); ++i) {
      past[r.tests[i]].push_back(r.failed[i]);
      double& rate = weighted[r.tests[i]];
      rate = (rate > 1 ? 0 : 0.7 * rate) + (r.failed[i] ? 0.3 : 0);
    }
  }
  nlohmann::json result{{"cycles", all.size()}};
  for (const bool second : {false, true})
    result[second ? "second_half" : "all"] = {{"ours", mean(all, &judged::ours, second)},
                                              {"weighted", mean(all, &judged::weighted, second)},
                                              {"weighted_by_chance", mean(all, &judged::weighted_by_chance, second)},
                                              {"best", mean(all, &judged::best, second)}};
  result["no_gain"] = chance_of_no_gain(all, &judged::weighted);
  result["no_gain_by_chance"] = chance_of_no_gain(all, &judged::weighted_by_chance);
  std::cout << result << '\n';
} catch (const std::exception& error) {
  std::cerr << "histories: " << error.what() << '\n';
  return 3;
}
