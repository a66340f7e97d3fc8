// The kills of tests, further tests for what is not killed, and the choice.
#include "plugin/generate/mutant_tests.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <map>
#include <numeric>
#include <set>

#include "plugin/generate/variation.hpp"
#include "plugin/system/cpu_time.hpp"
#include "plugin/system/process.hpp"

namespace morph::generate {
namespace {

constexpr double share_of_tests = 0.6;      // of what may be used; further tests have the rest
constexpr double share_of_breeding = 0.85;  // and before; what is left is for making its sequences shorter
constexpr std::size_t at_once = 16;         // sequences
constexpr std::uint32_t most_leads = 8;     // sequences for each mutant that none kills
constexpr std::size_t most_to_keep = 8;     // mutants that a sequence still kills when it becomes shorter

class further_tests {
 public:
  further_tests(const test_maker& with, mutant_judge& judge, std::size_t most_idle, std::vector<std::uint32_t> open)
      : with_(with), judge_(judge), most_idle_(most_idle), open_(std::move(open)), unclaimed_(open_) {}

  /// Adds to `tests` and `rows`.
  result<void> find(const std::vector<individual>& others, std::size_t most, std::vector<judged>& tests,
                    std::vector<oracles::judged_test>& rows) {
    std::vector<individual> usable;
    std::set<sequence> known;
    for (const individual& each : others)
      if (each.did.can_be_a_test() && known.insert(each.calls).second) usable.push_back(each);
    judge_.allow(1);
    if (auto done = claim_by_others(usable); !done) return done;
    if (auto done = keep(most, tests, rows); !done) return done;
    for (bool has_claimed = true; has_claimed && most > 0 && !open_.empty() && !judge_.is_over();) {
      unclaimed_ = open_;
      judge_.allow(share_of_breeding);
      if (auto done = claim_by_breeding(usable, most); !done) return done;
      has_claimed = !claims_.empty();
      judge_.allow(1);
      if (auto done = keep(most, tests, rows); !done) return done;
    }
    return {};
  }

 private:
  /// Makes tests of what is claimed, of most mutants first.
  result<void> keep(std::size_t& most, std::vector<judged>& tests, std::vector<oracles::judged_test>& rows) {
    std::ranges::stable_sort(claims_, std::greater<>(), [](const kept_test& each) { return each.goals.size(); });
    for (kept_test& each : claims_) {
      if (most == 0 || judge_.is_over()) break;
      const sequence whole = each.one.calls;
      auto made = shorter(each);
      if (!made) return tl::unexpected(made.error());
      auto seen = observed(each, with_.offered, with_.of, with_.literals, with_.served, with_.unstable);
      if (!seen) return tl::unexpected(seen.error());
      if (!*seen) {
        refuted_.insert(whole);
        continue;
      }
      auto row = judge_.judge({**seen}, open_);
      if (!row) return tl::unexpected(row.error());
      std::set<std::uint32_t> kills(row->front().kills.begin(), row->front().kills.end());
      for (const auto& value : row->front().values) kills.insert(value.begin(), value.end());
      if (kills.empty()) {
        // Alone, or in the other runs, it does not.
        refuted_.insert({whole, each.one.calls});
        continue;
      }
      std::erase_if(open_, [&](std::uint32_t mutant) { return kills.contains(mutant); });
      each.goals.clear();
      tests.push_back({.kept = std::move(each), .seen = std::move(**seen), .only_for = {kills.begin(), kills.end()}});
      rows.push_back(std::move(row->front()));
      --most;
    }
    claims_.clear();
    return {};
  }

  result<std::vector<outcome>> goals_of(const std::vector<sequence>& all, const std::vector<outcome>& did,
                                        std::span<const std::uint32_t> among) {
    std::vector<observed_test> asked;
    for (std::size_t i = 0; i < all.size(); ++i) asked.push_back(asking(all[i], did[i], with_.offered, with_.of));
    return judge_.goals_of(std::move(asked), among);
  }

  /// Each open mutant that one of these kills is claimed by the first that does.
  result<void> claim(std::span<const individual> some) {
    std::vector<sequence> calls;
    std::vector<outcome> did;
    for (const individual& each : some) calls.push_back(each.calls), did.push_back(each.did);
    auto outcomes = goals_of(calls, did, unclaimed_);
    if (!outcomes) return tl::unexpected(outcomes.error());
    for (std::size_t i = 0; i < some.size(); ++i) {
      kept_test one{some[i], {}};
      for (const auto& [mutant, distance] : (*outcomes)[i].goals)
        if (distance > 0 || refuted_.contains(some[i].calls))
          lead(mutant, some[i]);
        else if (std::erase(unclaimed_, mutant) != 0)
          one.goals.push_back(mutant);
      if (!one.goals.empty()) claims_.push_back(std::move(one));
    }
    return {};
  }

  /// The shortest ones first.
  result<void> claim_by_others(std::vector<individual> others) {
    std::ranges::stable_sort(others, {}, [](const individual& each) { return each.calls.size(); });
    for (std::size_t at = 0; at < others.size() && !unclaimed_.empty() && !judge_.is_over(); at += at_once)
      if (auto done = claim(std::span(others).subspan(at, std::min(at_once, others.size() - at))); !done) return done;
    return {};
  }

  /// Some of those that evaluate a mutant with another value and see nothing of it.
  void lead(std::uint32_t mutant, const individual& one) {
    auto& leads = leads_[mutant];
    if (leads.size() < most_leads)
      leads.push_back(one);
    else
      leads[with_.random.below(most_leads)] = one;
  }

  /// Most of the time one that leads to a mutant which nothing kills yet, gone on with or varied; else any.
  sequence bred_of(variation& vary, const std::vector<individual>& parents) {
    const auto any = [&](std::size_t n) { return with_.random.below(static_cast<std::uint32_t>(n)); };
    std::vector<const std::vector<individual>*> leads;
    for (const std::uint32_t mutant : unclaimed_)
      if (const auto found = leads_.find(mutant); found != leads_.end()) leads.push_back(&found->second);
    if (leads.empty() || any(4) == 0) return vary.mutated(parents[any(parents.size())].calls);
    const auto& of_mutant = *leads[any(leads.size())];
    const sequence& chosen = of_mutant[any(of_mutant.size())].calls;
    return any(2) == 0 ? vary.continued(chosen) : vary.mutated(chosen);
  }

  /// Variations of what there is, until none of the last ones has killed anything.
  result<void> claim_by_breeding(std::vector<individual> parents, std::size_t most) {
    variation vary(with_.of, with_.literals, with_.random);
    for (std::size_t idle = 0;
         idle < most_idle_ && claims_.size() < most && !unclaimed_.empty() && !parents.empty() && !judge_.is_over();
         ++idle) {
      std::vector<sequence> bred;
      while (bred.size() < at_once) bred.push_back(bred_of(vary, parents));
      auto outcomes = with_.served.run(bred, with_.literals, morph_run_leaves_out);
      if (!outcomes) return tl::unexpected(outcomes.error());
      std::vector<individual> children;
      for (std::size_t i = 0; i < bred.size(); ++i) {
        outcome& did = (*outcomes)[i];
        leave_out(bred[i], did);
        if (!did.can_be_a_test() || bred[i].empty()) continue;
        if (did.how == morph_outcome_threw) bred[i].resize(std::min<std::size_t>(bred[i].size(), did.call + 1));
        children.push_back({std::move(bred[i]), std::move(did)});
      }
      const std::size_t before = claims_.size();
      if (auto done = claim(children); !done) return done;
      if (claims_.size() > before) idle = 0;
      for (std::size_t i = before; i < claims_.size(); ++i) parents.push_back(claims_[i].one);
    }
    return {};
  }

  result<void> shorter(kept_test& one) {
    if (one.goals.size() > most_to_keep) one.goals.resize(most_to_keep);
    std::ranges::sort(one.goals);
    const outcome ended = one.one.did;
    return shortened(one, with_.of, with_.literals, [&](const std::vector<sequence>& all) {
      if (judge_.is_over()) return result<std::vector<outcome>>(std::vector<outcome>(all.size()));
      return goals_of(all, std::vector<outcome>(all.size(), ended), one.goals);
    });
  }

  const test_maker& with_;
  mutant_judge& judge_;
  std::size_t most_idle_;
  std::vector<std::uint32_t> open_;       // that no test kills
  std::vector<std::uint32_t> unclaimed_;  // and no sequence either
  std::vector<kept_test> claims_;         // sequences with the mutants that they kill
  std::map<std::uint32_t, std::vector<individual>> leads_{};
  std::set<sequence> refuted_{};
};

}  // namespace

result<std::vector<judged>> with_kills(std::vector<judged> tests, const std::vector<individual>& others,
                                       const mutation_limits& limits, const test_maker& with, mutant_judge& judge,
                                       std::size_t mutants) {
  std::vector<std::uint32_t> all(mutants);
  std::iota(all.begin(), all.end(), 0U);
  std::vector<observed_test> seen;
  for (const judged& each : tests) seen.push_back(each.seen);
  judge.allow(share_of_tests);
  auto rows = judge.judge(seen, all);
  if (!rows) return tl::unexpected(rows.error());
  std::set<std::uint32_t> killed;
  for (const auto& row : *rows) {
    killed.insert(row.kills.begin(), row.kills.end());
    for (const auto& value : row.values) killed.insert(value.begin(), value.end());
  }
  std::erase_if(all, [&](std::uint32_t mutant) { return killed.contains(mutant); });
  if (auto found =
          further_tests(with, judge, limits.most_idle, std::move(all)).find(others, limits.most_further, tests, *rows);
      !found)
    return tl::unexpected(found.error());
  const auto chosen = oracles::fewest_assertions(*rows, most_assertions);
  for (std::size_t t = 0; t < tests.size(); ++t) {
    const oracles::judged_test& row = (*rows)[t];
    std::set<std::uint32_t> kills(row.kills.begin(), row.kills.end());
    for (const std::uint32_t value : chosen[t]) kills.insert(row.values[value].begin(), row.values[value].end());
    tests[t].chosen = chosen[t];
    tests[t].anyway = row.kills;
    tests[t].kills.assign(kills.begin(), kills.end());
  }
  return tests;
}

mutation_outcome without_mutants(std::vector<judged> tests, std::string why) {
  for (judged& each : tests) each.chosen = first_assertions(each.seen);
  mutation_outcome made;
  made.tests = std::move(tests);
  made.summary.why = std::move(why);
  return made;
}

mutation_outcome by_mutants(const build::build_tree& tree, subject& of, const call_program& program,
                            const std::vector<mutant_text>& wanted, std::vector<judged> tests,
                            const std::vector<individual>& others, const test_maker& with,
                            const mutation_limits& limits, system::observer& told) {
  mutation_outcome made;
  const double begun = system::cpu_seconds();
  auto built = build_mutants(tree, of, program, wanted, told);
  made.summary.cpu_build = system::cpu_seconds() - begun;
  if (!built) return without_mutants(std::move(tests), built.error());
  auto served = served_program::start(built->executable, program.folder);
  if (!served) return without_mutants(std::move(tests), served.error());
  told.status(fmt::format("running {} test{} with {} mutants", tests.size(), tests.size() == 1 ? "" : "s",
                          built->mutants.size()));
  const auto start = std::chrono::steady_clock::now();
  mutant_judge judge(built->mutants, *served, with.literals, [&](std::uint64_t runs) {
    if (system::interrupted()) return 1.0;
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return std::max(limits.seconds > 0 ? seconds / limits.seconds : 0,
                    limits.most_runs > 0 ? static_cast<double>(runs) / static_cast<double>(limits.most_runs) : 0);
  });
  auto judged_tests = with_kills(tests, others, limits, with, judge, built->mutants.size());
  if (!judged_tests) return without_mutants(std::move(tests), judged_tests.error());
  made.tests = std::move(*judged_tests);
  made.mutants = std::move(built->mutants);
  made.summary.is_done = true;
  made.summary.mutants = made.mutants.size();
  made.summary.reached = judge.reached();
  made.summary.not_judged = judge.not_judged();
  made.summary.runs = judge.runs();
  made.summary.cpu_runs = served->cpu_seconds();
  return made;
}

mutation_limits limits_beside(double search_seconds, std::uint64_t search_sequences, std::size_t tests) {
  constexpr std::size_t least_further = 10;
  // None would be no limit.
  const std::uint64_t runs = search_sequences > 0 ? std::max<std::uint64_t>(1, search_sequences / 2) : 0;
  return {search_seconds / 2, runs, std::max(tests / 2, least_further)};
}

void count_kills(const std::vector<test_case>& tests, mutation_summary& into) {
  std::set<std::uint32_t> all, anyway;
  for (const test_case& each : tests) {
    all.insert(each.kills.begin(), each.kills.end());
    anyway.insert(each.kills_anyway.begin(), each.kills_anyway.end());
  }
  into.killed = all.size();
  into.by_assertions = all.size() - anyway.size();
}

std::string described(const std::vector<std::uint32_t>& killed, const std::vector<unit_mutant>& mutants) {
  std::string made;
  if (killed.empty()) return made;
  const unit_mutant& first = mutants[killed.front()];
  made = fmt::format("{}:{}: {}", first.file, first.line, first.op);
  if (!first.original.empty()) made += fmt::format(": {} -> {}", first.original, first.text.empty() ? ";" : first.text);
  if (killed.size() > 1) made += fmt::format("; and {} more", killed.size() - 1);
  return made;
}

}  // namespace morph::generate
