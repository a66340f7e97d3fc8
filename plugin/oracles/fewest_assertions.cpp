// A weighted set cover, again without the tests that are full.
#include "plugin/oracles/fewest_assertions.hpp"

#include <algorithm>
#include <map>
#include <memory>
#include <set>

#include "optimizer/reduction.hpp"

namespace morph::oracles {
namespace {

/// One assertion less outweighs all preferences among the values of a test, but for what the test is about.
constexpr std::int64_t cost_of_assertion = 1000, cost_of_own = 100;
constexpr std::uint64_t moves = 2000;  // and no proof: that ends by the clock

struct value_of {
  std::uint32_t test = 0, value = 0;
};

class chooser {
 public:
  chooser(const std::vector<judged_test>& tests, std::size_t most) : tests_(tests), most_(most), chosen_(tests.size()) {
    std::set<std::uint32_t> anyway;
    for (const judged_test& each : tests) anyway.insert(each.kills.begin(), each.kills.end());
    for (const judged_test& each : tests)
      for (const auto& value : each.values)
        for (const std::uint32_t mutant : value)
          if (!anyway.contains(mutant)) open_.insert(mutant);
  }

  std::vector<std::vector<std::uint32_t>> all() {
    // Each round fills a test at least.
    while (!open_.empty() && take_cheapest()) {
    }
    for (std::size_t t = 0; t < tests_.size(); ++t) {
      if (chosen_[t].size() < most_ && asserts_first(t)) chosen_[t].insert(0);
      made_.emplace_back(chosen_[t].begin(), chosen_[t].end());
    }
    return std::move(made_);
  }

 private:
  bool asserts_first(std::size_t test) const {
    const judged_test& of = tests_[test];
    if (of.values.empty()) return false;
    return chosen_[test].empty() || (of.own > 0 && !of.values.front().empty());
  }

  std::vector<std::uint32_t> still_open(const value_of& of) const {
    std::vector<std::uint32_t> made;
    for (const std::uint32_t mutant : tests_[of.test].values[of.value])
      if (open_.contains(mutant)) made.push_back(mutant);
    return made;
  }

  /// Of the cheapest set each test takes what kills most, as far as it has room. False if nothing is left to take.
  bool take_cheapest() {
    std::vector<value_of> offered;
    for (std::uint32_t t = 0; t < tests_.size(); ++t)
      for (std::uint32_t v = 0; v < tests_[t].values.size() && chosen_[t].size() < most_; ++v)
        if (!still_open({t, v}).empty()) offered.push_back({t, v});
    if (offered.empty()) return false;
    std::map<std::uint32_t, std::vector<value_of>> wanted;
    for (const std::uint32_t each : cheapest(offered)) wanted[offered[each].test].push_back(offered[each]);
    for (auto& [test, values] : wanted) {
      std::stable_sort(values.begin(), values.end(), [&](const value_of& a, const value_of& b) {
        return still_open(a).size() > still_open(b).size();
      });
      for (const value_of& each : values) {
        if (chosen_[test].size() == most_) break;
        chosen_[test].insert(each.value);
        for (const std::uint32_t mutant : still_open(each)) open_.erase(mutant);
      }
    }
    return true;
  }

  std::vector<std::uint32_t> cheapest(const std::vector<value_of>& offered) const {
    std::map<std::uint32_t, std::uint32_t> number;
    for (const std::uint32_t mutant : open_) number.emplace(mutant, static_cast<std::uint32_t>(number.size()));
    optimizer::matrix_builder rows({{"mutants", static_cast<std::uint32_t>(number.size())}});
    for (const value_of& each : offered) {
      std::set<std::uint32_t> kills;
      for (const std::uint32_t mutant : still_open(each)) kills.insert(number.at(mutant));
      rows.add_test((each.value < tests_[each.test].own ? cost_of_own : cost_of_assertion) + each.value,
                    std::vector<std::uint32_t>(kills.begin(), kills.end()));
    }
    const auto problem = optimizer::weigh(std::make_shared<const optimizer::cover_matrix>(std::move(rows).finish()));
    const auto found = optimizer::minimal_set(problem, {.moves = moves, .exactly = true, .provable_pairs = 0});
    std::vector<std::uint32_t> made;
    for (std::uint32_t i = 0; i < offered.size(); ++i)
      if (optimizer::has(found.set.tests, i)) made.push_back(i);
    return made;
  }

  const std::vector<judged_test>& tests_;
  std::size_t most_;
  std::vector<std::set<std::uint32_t>> chosen_;
  std::set<std::uint32_t> open_;
  std::vector<std::vector<std::uint32_t>> made_;
};

}  // namespace

std::vector<std::vector<std::uint32_t>> fewest_assertions(const std::vector<judged_test>& tests, std::size_t most) {
  return chooser(tests, most).all();
}

}  // namespace morph::oracles
