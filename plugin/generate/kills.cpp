// Runs in batches, mutants in turn.
#include "plugin/generate/kills.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

namespace morph::generate {
namespace {

constexpr std::size_t batch = 16;        // between two looks at the time: one that hangs takes seconds
constexpr std::size_t enough_tests = 3;  // that kill a mutant by values: a choice for the assertions
constexpr std::uint32_t evaluations_base = 1U << 16, evaluations_times = 10;

const observation* value_at(const outcome& of, const observation& like) {
  for (const observation& each : of.observed)
    if (each.call == like.call && each.place == like.place && each.text[0] != 'k') return &each;
  return nullptr;
}

bool ends_a_test(morph_outcome how) {
  return how == morph_outcome_threw || how == morph_outcome_crashed || how == morph_outcome_hung ||
         how == morph_outcome_ended;
}

/// Whether a test can say which exception it expects.
bool has_name(const std::string& exception) {
  return !exception.empty() && exception.find("anonymous") == std::string::npos;
}

bool throws_alike(const outcome& a, const outcome& b) {
  return a.how == morph_outcome_threw && b.how == morph_outcome_threw && a.call == b.call &&
         (a.exception == b.exception || !has_name(a.exception));
}

}  // namespace

difference differing(const observed_test& of, const outcome& original, const outcome& mutant) {
  difference made;
  const bool ends_otherwise = ends_a_test(mutant.how) && !throws_alike(original, mutant);
  if (ends_otherwise && mutant.call < of.own) return {.anyway = true, .values = {}};
  if (original.how == morph_outcome_threw && mutant.how == morph_outcome_passed) return {.anyway = true, .values = {}};
  for (std::uint32_t i = 0; i < of.stable.size(); ++i) {
    const observation& value = of.stable[i];
    const observation* const before = value_at(original, value);
    if (before == nullptr || *before != value) continue;
    const observation* const now = value_at(mutant, value);
    const bool fails = now != nullptr ? now->text != value.text : ends_otherwise && mutant.call == value.call;
    if (fails) made.values.push_back(i);
  }
  return made;
}

mutant_judge::mutant_judge(const std::vector<unit_mutant>& mutants, served_program& served,
                           const literal_table& literals, std::function<double(std::uint64_t)> used)
    : mutants_(mutants),
      served_(served),
      literals_(literals),
      used_(std::move(used)),
      reached_(mutants.size(), false),
      killed_(mutants.size(), false),
      is_open_(mutants.size(), false) {
  for (std::uint32_t i = 0; i < mutants.size(); ++i) {
    if (mutants[i].on.node >= of_node_.size()) of_node_.resize(mutants[i].on.node + 1);
    of_node_[mutants[i].on.node].push_back(i);
  }
}

result<std::vector<outcome>> mutant_judge::run(const std::vector<mutated_run>& all, std::uint32_t flags) {
  std::vector<outcome> made;
  for (std::size_t at = 0; at < all.size(); at += batch) {
    if (is_over()) break;
    auto some = served_.run_mutants(std::span(all).subspan(at, std::min(batch, all.size() - at)), literals_, flags);
    if (!some) return some;
    runs_ += some->size();
    std::ranges::move(*some, std::back_inserter(made));
  }
  // Nothing is concluded of the others.
  made.resize(all.size(), outcome{.how = morph_outcome_refused});
  return made;
}

std::vector<std::vector<mutant_judge::item>> mutant_judge::infecting(const std::vector<outcome>& originals,
                                                                     std::span<const std::uint32_t> among) {
  std::vector<std::vector<item>> made(mutants_.size());
  std::vector<std::size_t> worth(originals.size(), 0);
  for (std::uint32_t t = 0; t < originals.size(); ++t)
    for (const node_seen& seen : originals[t].nodes) {
      if (seen.node >= of_node_.size()) continue;
      for (const std::uint32_t m : of_node_[seen.node]) {
        const unit_mutant& mutant = mutants_[m];
        const bool differs = !mutant.is_compared || (seen.differing >> (mutant.on.alternative - 1) & 1U) != 0;
        if (!differs || !std::ranges::binary_search(among, m)) continue;
        reached_[m] = true;
        ++worth[t];
        made[m].push_back({t, m, evaluations_base + evaluations_times * seen.evaluations});
      }
    }
  for (auto& items : made)
    std::ranges::stable_sort(items, [&](const item& a, const item& b) { return worth[a.test] > worth[b.test]; });
  return made;
}

result<std::vector<oracles::judged_test>> mutant_judge::judge(const std::vector<observed_test>& tests,
                                                              std::span<const std::uint32_t> among) {
  std::vector<mutated_run> recorded;
  for (const observed_test& each : tests) recorded.push_back({&each.asking, {}});
  auto originals = run(recorded, morph_run_alone | morph_run_observes);
  if (!originals) return tl::unexpected(originals.error());
  // The rewritten original does something else in this run than the project's own: nothing can be said.
  for (std::size_t t = 0; t < tests.size(); ++t)
    if ((*originals)[t].how != tests[t].did.how) (*originals)[t].nodes.clear();
  const auto items = infecting(*originals, among);
  std::vector<oracles::judged_test> made(tests.size());
  for (std::size_t t = 0; t < tests.size(); ++t) {
    made[t].values.resize(tests[t].stable.size());
    made[t].own = tests[t].of_last_call;
  }
  std::vector<std::size_t> kills(mutants_.size(), 0);
  std::set<std::uint32_t> open;
  for (const std::uint32_t m : among)
    if (!items[m].empty()) open.insert(m);
  for (std::size_t round = 0; !open.empty() && !is_over(); ++round) {
    std::vector<item> turn;
    for (const std::uint32_t m : open) turn.push_back(items[m][round]);
    for (std::size_t at = 0; at < turn.size() && !is_over(); at += batch) {
      const auto some = std::span(turn).subspan(at, std::min(batch, turn.size() - at));
      std::vector<mutated_run> runs;
      for (const item& each : some) {
        runs.push_back({&tests[each.test].asking, mutants_[each.mutant].on});
        runs.back().on.most_evaluations = each.most_evaluations;
      }
      auto outcomes = run(runs, morph_run_alone | morph_run_observes);
      if (!outcomes) return tl::unexpected(outcomes.error());
      for (std::size_t i = 0; i < some.size(); ++i) {
        const auto [test, mutant, most] = some[i];
        const difference found = differing(tests[test], (*originals)[test], (*outcomes)[i]);
        if (found.anyway) made[test].kills.push_back(mutant);
        for (const std::uint32_t value : found.values) made[test].values[value].push_back(mutant);
        if (found.anyway || !found.values.empty()) killed_[mutant] = true;
        if (!found.values.empty()) ++kills[mutant];
        if (found.anyway || kills[mutant] == enough_tests || round + 1 == items[mutant].size()) open.erase(mutant);
      }
    }
  }
  for (const std::uint32_t m : open) is_open_[m] = true;
  return made;
}

result<std::vector<outcome>> mutant_judge::recorded(std::vector<observed_test>& all) {
  std::vector<outcome> made(all.size());
  std::vector<std::size_t> left(all.size());
  std::iota(left.begin(), left.end(), std::size_t{0});
  for (int tries = 0; !left.empty(); ++tries) {
    std::vector<mutated_run> runs;
    for (const std::size_t i : left) runs.push_back({&all[i].asking, {}});
    auto some = run(runs, morph_run_observes);
    if (!some) return some;
    for (std::size_t k = 0; k < left.size(); ++k) made[left[k]] = std::move((*some)[k]);
    std::erase_if(left, [&](std::size_t i) {
      if (made[i].can_be_a_test() || all[i].asking.size() == all[i].own || is_over()) return true;
      if (tries == most_left_out || !leave_out_ask(all[i], made[i])) all[i].asking.resize(all[i].own);
      return false;
    });
  }
  return made;
}

result<std::vector<outcome>> mutant_judge::goals_of(std::vector<observed_test> all,
                                                    std::span<const std::uint32_t> among) {
  auto made = recorded(all);
  if (!made) return made;
  std::vector<mutated_run> runs;
  std::vector<std::pair<std::size_t, std::uint32_t>> of;  // test, mutant
  for (std::size_t i = 0; i < all.size(); ++i) {
    (*made)[i].goals.clear();
    if (!(*made)[i].can_be_a_test()) continue;
    const auto items = infecting({(*made)[i]}, among);
    for (const std::uint32_t m : among)
      if (!items[m].empty()) {
        runs.push_back({&all[i].asking, mutants_[m].on});
        runs.back().on.most_evaluations = items[m].front().most_evaluations;
        of.emplace_back(i, m);
      }
  }
  auto outcomes = run(runs, morph_run_observes);
  if (!outcomes) return outcomes;
  const auto kills = [&](std::size_t r, const std::vector<observation>& same) {
    const outcome& original = (*made)[of[r].first];
    observed_test seen{.asking = {}, .own = all[of[r].first].asking.size(), .did = {}, .stable = original.observed};
    std::erase_if(seen.stable, [&](const observation& each) {
      return each.text[0] == 'k' || std::ranges::find(same, each) == same.end();
    });
    const difference found = differing(seen, original, (*outcomes)[r]);
    return found.anyway || !found.values.empty();
  };
  // What differs between two runs without mutants says nothing.
  std::map<std::size_t, std::size_t> killing;  // tests, and their place among those
  std::vector<mutated_run> originals;
  for (std::size_t r = 0; r < of.size(); ++r)
    if (const std::size_t i = of[r].first; kills(r, (*made)[i].observed) && killing.emplace(i, originals.size()).second)
      originals.push_back({&all[i].asking, {}});
  const auto again = run(originals, morph_run_observes);
  if (!again) return again;
  for (std::size_t r = 0; r < of.size(); ++r) {
    const auto [i, m] = of[r];
    const auto place = killing.find(i);
    const bool is_killed = place != killing.end() && kills(r, (*again)[place->second].observed);
    (*made)[i].goals.emplace_back(m, is_killed ? 0.0F : 1.0F);
  }
  return made;
}

std::size_t mutant_judge::reached() const {
  return static_cast<std::size_t>(std::ranges::count(reached_, true));
}

std::size_t mutant_judge::not_judged() const {
  std::size_t made = 0;
  for (std::size_t i = 0; i < mutants_.size(); ++i) made += is_open_[i] && !killed_[i] ? 1U : 0U;
  return made;
}

}  // namespace morph::generate
