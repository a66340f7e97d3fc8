// How often as many tests as risk=P runs find a fault: risks <ROWS. A row says of a recorded fault of which `set` it
// is, and its `place`: which of the tests affected by code found it first, and how many they are.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iostream>
#include <map>
#include <nlohmann/json.hpp>
#include <numeric>
#include <span>
#include <string>
#include <vector>

#include "optimizer/detection.hpp"
#include "optimizer/matrix/random.hpp"

namespace {

using morph::optimizer::found_fault;

/// Sums over faults that were held out.
struct judgement {
  double faults = 0, found = 0, run = 0, affected = 0;

  void judge(double probability, std::span<const found_fault> known, std::span<const found_fault> held_out) {
    for (const found_fault& f : held_out) {
      const std::size_t tests = morph::optimizer::fewest_to_find(probability, known, f.tests);
      faults += 1;
      found += f.first <= tests ? 1 : 0;
      run += static_cast<double>(tests);
      affected += static_cast<double>(f.tests);
    }
  }

  nlohmann::json as_json() const { return {{"found", found / faults}, {"run", run / affected}, {"faults", faults}}; }
};

}  // namespace

int main() try {
  std::map<std::string, std::vector<found_fault>> sets;
  std::vector<found_fault> all;
  for (std::string text; std::getline(std::cin, text);) {
    const auto row = nlohmann::json::parse(text);
    const found_fault fault{row.at("place")[0], row.at("place")[1]};
    sets[row.at("set")].push_back(fault);
    all.push_back(fault);
  }
  for (const double probability : std::array{0.8, 0.9, 0.95, 0.99}) {
    judgement of_halves;
    for (std::uint64_t split = 0; split < 200; ++split) {
      std::vector<found_fault> order = all;
      morph::optimizer::random_source random(split);
      for (auto i = static_cast<std::uint32_t>(order.size()); i > 1; --i)
        std::swap(order[i - 1], order[random.below(i)]);
      const std::span<const found_fault> faults(order);
      of_halves.judge(probability, faults.first(faults.size() / 2), faults.subspan(faults.size() / 2));
    }
    auto of_others = nlohmann::json::object();
    for (const auto& [name, held_out] : sets) {
      std::vector<found_fault> known;
      for (const auto& [other, faults] : sets)
        if (other != name) known.insert(known.end(), faults.begin(), faults.end());
      judgement judged;
      judged.judge(probability, known, held_out);
      of_others[name] = judged.as_json();
    }
    std::cout << nlohmann::json{{"asked", probability}, {"halves", of_halves.as_json()}, {"others", of_others}}.dump()
              << "\n";
  }
} catch (const std::exception& e) {
  std::cerr << e.what() << "\n";
  return 3;
}
