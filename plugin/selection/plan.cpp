// Reasons, states, ranks.
#include "plugin/selection/plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <unordered_map>
#include <utility>

#include "optimizer/cover/problem.hpp"
#include "plugin/selection/evidence_reasons.hpp"
#include "plugin/selection/ranking.hpp"
#include "plugin/selection/rules.hpp"
#include "plugin/selection/subset.hpp"
#include "plugin/system/regular_expression.hpp"

namespace morph::selection {
namespace {

constexpr std::uint32_t none = ranking::not_measured;

/// Whether it has no other reason than to have executed something that changed.
bool executes_only(const planned_test& planned) {
  return std::all_of(planned.reasons.begin(), planned.reasons.end(), [](const reason& why) { return why.executed; });
}

class planner {
 public:
  explicit planner(const plan_request& request)
      : r_(request), matched_(match_tests(request)), by_evidence_(request, matched_) {}

  plan make() {
    give_reasons();
    select_dependents();
    select_dependencies();
    minimize();
    rank();
    summarize();
    return std::move(plan_);
  }

  std::vector<std::uint32_t> order_waiting(const plan& made) const {
    return ranking(r_, made.tests, matched_).of_waiting();
  }

 private:
  void give_reasons() {
    std::unordered_map<std::string, int> uses;
    for (const current_test& test : r_.tests) ++uses[test.name];
    const std::set<std::string> ambiguous = names_of_several_programs();
    std::vector<std::vector<system::pattern>> always(r_.suites.size());
    for (std::size_t s = 0; s < r_.suites.size(); ++s)
      for (const std::string& expression : r_.suites[s].always)
        if (auto compiled = system::pattern::compile(expression)) always[s].push_back(std::move(*compiled));

    plan_.tests.resize(r_.tests.size());
    for (std::uint32_t i = 0; i < r_.tests.size(); ++i) {
      const current_test& test = r_.tests[i];
      planned_test& planned = plan_.tests[i];
      planned.test = i;
      if (r_.failed.count(test.name) != 0)
        planned.reasons.push_back(r_.failed_within == 1 ? make_reason<rule::failed_last>("")
                                                        : make_reason<rule::failed_within>("", r_.failed_within));
      if (r_.flaky.count(test.name) != 0 && uses[test.name] == 1) planned.marks.emplace_back(flaky_mark);
      const auto elsewhere = r_.unaffected_since.find(i);
      if (elsewhere == r_.unaffected_since.end())
        by_evidence_.add(i, planned);
      else if (matched_[i] != none)
        planned.seconds = static_cast<double>(r_.baseline->facts->tests[matched_[i]].wall_us) / 1e6;
      if (const auto more = r_.added.find(i); more != r_.added.end())
        planned.reasons.insert(planned.reasons.end(), more->second.begin(), more->second.end());
      for (const system::pattern& pattern : always[test.suite])
        if (pattern.occurs_in(test.case_name)) {
          planned.reasons.push_back(make_reason<rule::always_pattern>(""));
          break;
        }
      if (uses[test.name] > 1) planned.marks.emplace_back(duplicate_name_mark);
      if (ambiguous.count(test.name) != 0) planned.reasons.push_back(make_reason<rule::name_of_several>(""));
      if (!test.built) planned.reasons.push_back(make_reason<rule::program_not_built>(""));
      if (planned.reasons.empty() && r_.suites[test.suite].how.how == policy::all)
        planned.reasons.push_back(make_reason<rule::everything_asked>(""));
      planned.selected = !planned.reasons.empty();
      if (r_.suites[test.suite].how.how == policy::narrow) narrow(planned);
      if (planned.reasons.empty())
        planned.reasons.push_back(elsewhere == r_.unaffected_since.end()
                                      ? make_reason<rule::nothing_changed>("")
                                      : make_reason<rule::another_row>("", elsewhere->second.substr(0, 10)));
    }
  }

  static void narrow(planned_test& planned) {
    const bool has_proof =
        std::any_of(planned.reasons.begin(), planned.reasons.end(), [](const reason& why) { return !why.unproven; });
    if (has_proof || planned.reasons.empty()) return;
    planned.selected = false;
    planned.marks.emplace_back(unproven_mark);
    planned.reasons.push_back(make_reason<rule::narrowed>(""));
  }

  /// Whether it was not selected yet. What was left out unproven runs then, and nothing is unproven about it.
  static bool select(planned_test& planned) {
    if (std::exchange(planned.selected, true)) return false;
    std::erase(planned.marks, unproven_mark);
    planned.reasons.clear();
    return true;
  }

  /// Names for which ctest's properties (an environment, say) are not those that the tests were measured with.
  std::set<std::string> names_of_several_programs() const {
    std::unordered_map<std::string, const current_test*> first;
    std::set<std::string> names;
    for (const current_test& test : r_.tests) {
      const auto [at, is_first] = first.try_emplace(test.name, &test);
      if (is_first) continue;
      const current_test& other = *at->second;
      if (other.suite != test.suite || other.target != test.target || r_.suites[test.suite].adopted)
        names.insert(test.name);
    }
    return names;
  }

  /// What a set-up or a dependency does differently, the tests that need it may see.
  void select_dependents() {
    std::unordered_multimap<std::string, std::uint32_t> users;  // of a fixture, of a test
    for (std::uint32_t i = 0; i < r_.tests.size(); ++i) {
      for (const std::string& fixture : r_.tests[i].fixtures_required) users.emplace("fixture " + fixture, i);
      for (const std::string& test : r_.tests[i].depends) users.emplace("test " + test, i);
    }
    if (users.empty()) return;
    std::vector<std::uint32_t> open;
    for (std::uint32_t i = 0; i < r_.tests.size(); ++i)
      if (may_behave_otherwise(plan_.tests[i])) open.push_back(i);
    while (!open.empty()) {
      const current_test& test = r_.tests[open.back()];
      open.pop_back();
      std::vector<std::string> keys{"test " + test.name};
      for (const std::string& fixture : test.fixtures_set_up) keys.push_back("fixture " + fixture);
      for (const std::string& key : keys)
        for (auto [at, end] = users.equal_range(key); at != end; ++at) {
          planned_test& user = plan_.tests[at->second];
          if (may_behave_otherwise(user)) {
            if (may_go(at->second) && executes_only(user))
              user.reasons.push_back(make_reason<rule::needs_another>("", test.name));
            continue;
          }
          select(user);
          user.reasons.push_back(make_reason<rule::needs_another>("", test.name));
          open.push_back(at->second);
        }
    }
  }

  /// Whether its policy may do without tests that only executed something that changed.
  bool may_go(std::uint32_t test) const {
    const policy how = policy_of(test);
    return how == policy::minimal || how == policy::risk;
  }

  policy policy_of(std::uint32_t test) const { return r_.suites[r_.tests[test].suite].how.how; }

  static bool may_behave_otherwise(const planned_test& planned) {
    return planned.selected && std::any_of(planned.reasons.begin(), planned.reasons.end(), [](const reason& why) {
             return why.kind != reason_kind::always && why.kind != reason_kind::policy_all &&
                    why.kind != reason_kind::failed_recently;
           });
  }

  /// ctest itself adds fixtures to what a label selects, but not the tests that others depend on; and a label is set by
  /// name.
  void select_dependencies() {
    std::unordered_multimap<std::string, std::uint32_t> named;
    std::vector<std::uint32_t> open;
    for (std::uint32_t i = 0; i < r_.tests.size(); ++i) {
      named.emplace(r_.tests[i].name, i);
      if (plan_.tests[i].selected) open.push_back(i);
    }
    while (!open.empty()) {
      const current_test& test = r_.tests[open.back()];
      open.pop_back();
      for (const std::string& name : test.depends)
        for (auto [at, end] = named.equal_range(name); at != end; ++at) {
          planned_test& needed = plan_.tests[at->second];
          if (!select(needed)) continue;
          needed.reasons = {make_reason<rule::needed_by_another>("", test.name)};
          open.push_back(at->second);
        }
      for (auto [at, end] = named.equal_range(test.name); at != end; ++at) {
        planned_test& namesake = plan_.tests[at->second];
        if (!select(namesake)) continue;
        namesake.reasons = {make_reason<rule::namesake_selected>("")};
        open.push_back(at->second);
      }
    }
  }

  /// Before orders are made, which go by what runs.
  void minimize() {
    if (!r_.baseline || std::none_of(r_.suites.begin(), r_.suites.end(),
                                     [](const current_suite& s) { return s.how.how == policy::minimal; }))
      return;
    std::vector<bool> candidates;
    for (std::uint32_t i = 0; i < plan_.tests.size(); ++i)
      candidates.push_back(plan_.tests[i].selected && matched_[i] != none && policy_of(i) == policy::minimal &&
                           executes_only(plan_.tests[i]));
    // Nobody can rely on what the policy risk may leave out.
    std::vector<planned_test> reliable = plan_.tests;
    for (std::uint32_t i = 0; i < reliable.size(); ++i)
      if (policy_of(i) == policy::risk && executes_only(reliable[i])) reliable[i].selected = false;
    subset chosen = keep_covering(r_, reliable, matched_, costs_of(reliable), candidates);
    for (std::uint32_t i = 0; i < reliable.size(); ++i)
      if (!reliable[i].selected) chosen.kept[i] = plan_.tests[i].selected;
    defer(chosen.kept, make_reason<rule::covered_by_others>("", r_.times_covered));
    plan_.minimal = chosen.proof;
  }

  void rank() {
    const ranking ranks(r_, plan_.tests, matched_);
    std::vector<std::uint32_t> order = ranks.of_selected();
    plan_.coverage_misleads = ranks.coverage_misleads();
    take_risks(order);
    if (r_.budget_seconds) {
      const double longest = static_cast<double>(optimizer::largest_sum);
      const auto budget_us = static_cast<std::int64_t>(std::min(*r_.budget_seconds * 1e6, longest));
      std::int64_t all_us = 0;
      for (const std::uint32_t test : order) all_us += ranks.costs()[test];
      if (all_us > budget_us) {
        const subset chosen = keep_within(budget_us, plan_.tests, ranks, order, groups());
        defer(chosen.kept, make_reason<rule::budget_used>(""));
        plan_.budget = chosen.proof;
        plan_.minimal.reset();  // they were about more tests
        plan_.risks.clear();
        std::erase_if(order, [&](std::uint32_t test) { return !plan_.tests[test].selected; });
      }
    }
    for (std::uint32_t i = 0; i < order.size(); ++i) plan_.tests[order[i]].rank = i + 1;
  }

  /// Takes what is left out of `order`, too. Places count among all tests affected by code, as audits count them.
  void take_risks(std::vector<std::uint32_t>& order) {
    std::set<double> asked;
    for (const current_suite& suite : r_.suites)
      if (suite.how.how == policy::risk) asked.insert(suite.how.detection);
    std::vector<std::uint32_t> affected;
    for (const std::uint32_t test : order)
      if (executes_only(plan_.tests[test])) affected.push_back(test);
    if (affected.empty()) return;
    for (const double probability : asked) {
      risk_taken taken{probability, 1, affected.size(), affected.size(), 0, 0};
      taken.own = optimizer::comparable_faults(r_.known_faults, affected.size()).size();
      taken.goes_by_own = taken.own >= optimizer::faults_needed(probability);
      const std::span<const optimizer::found_fault> known = taken.goes_by_own ? r_.known_faults : reference_faults();
      taken.known = optimizer::comparable_faults(known, affected.size()).size();
      taken.run = optimizer::fewest_to_find(probability, known, affected.size());
      taken.expected = optimizer::found_within(taken.run, affected.size(), known);
      std::vector<bool> kept;
      for (const planned_test& t : plan_.tests) kept.push_back(t.selected);
      for (std::size_t i = taken.run; i < affected.size(); ++i) {
        const chosen_policy& how = r_.suites[r_.tests[affected[i]].suite].how;
        if (how.how == policy::risk && how.detection == probability) kept[affected[i]] = false;
      }
      defer(kept, make_reason<rule::risk_taken>("", fmt::format("{:.8g}", 100 * probability)));
      plan_.risks.push_back(taken);
    }
    std::erase_if(order, [&](std::uint32_t test) { return !plan_.tests[test].selected; });
  }

  /// By test: itself, and selected tests that have to run with it, since it depends on them or has their name.
  std::vector<std::vector<std::uint32_t>> groups() const {
    std::unordered_multimap<std::string, std::uint32_t> named;
    for (std::uint32_t i = 0; i < r_.tests.size(); ++i)
      if (plan_.tests[i].selected) named.emplace(r_.tests[i].name, i);
    std::vector<std::vector<std::uint32_t>> of_test(r_.tests.size());
    std::vector<std::uint32_t> seen_for(r_.tests.size(), none);
    for (std::uint32_t i = 0; i < r_.tests.size(); ++i) {
      if (!plan_.tests[i].selected) continue;
      auto& group = of_test[i];
      group.push_back(i);
      seen_for[i] = i;
      for (std::size_t next = 0; next < group.size(); ++next) {
        const current_test& test = r_.tests[group[next]];
        std::vector<std::string> with = test.depends;
        with.push_back(test.name);
        for (const std::string& name : with)
          for (auto [at, end] = named.equal_range(name); at != end; ++at)
            if (std::exchange(seen_for[at->second], i) != i) group.push_back(at->second);
      }
    }
    return of_test;
  }

  void defer(const std::vector<bool>& kept, const reason& why) {
    std::vector<bool> runs(kept.size());
    const auto with = groups();
    for (std::uint32_t i = 0; i < kept.size(); ++i)
      if (kept[i] || r_.kept.count(i) != 0)
        for (const std::uint32_t other : with[i]) runs[other] = true;
    for (std::uint32_t i = 0; i < kept.size(); ++i) {
      if (runs[i] || !plan_.tests[i].selected) continue;
      plan_.tests[i].selected = false;
      plan_.tests[i].reasons.push_back(why);
    }
  }

  void summarize() {
    plan_.suites.resize(r_.suites.size());
    std::vector<bool> forced(r_.suites.size(), false);
    for (const planned_test& planned : plan_.tests) {
      const std::uint32_t s = r_.tests[planned.test].suite;
      ++plan_.suites[s].total;
      plan_.suites[s].selected += planned.selected ? 1 : 0;
      for (const reason& why : planned.reasons)
        forced[s] = forced[s] || (row_of(why.kind).leads_to == decision::selected && why.kind != reason_kind::always &&
                                  why.kind != reason_kind::policy_all);
    }
    for (std::size_t s = 0; s < r_.suites.size(); ++s) {
      plan_state& state = plan_.suites[s].state;
      if (!r_.baseline || !r_.suites[s].listed || !by_evidence_.is_measured(r_.suites[s].name))
        state = plan_state::unmeasured_ran_all;
      else if (!r_.baseline->of_changes.of_everything.empty())
        state = plan_state::stale_widened;
      else if (r_.baseline->of_changes.counted > 0 || forced[s])
        state = plan_state::affected;
      plan_.state = std::max(plan_.state, state);
    }
  }

  const plan_request& r_;
  std::vector<std::uint32_t> matched_;
  evidence_reasons by_evidence_;
  plan plan_;
};

}  // namespace

urgency urgency_of(const planned_test& test) {
  const auto urgency_by = [](reason_kind kind) {
    switch (kind) {
      case reason_kind::failed_recently:
        return urgency::failed;
      case reason_kind::is_new:
      case reason_kind::unmeasured:
      case reason_kind::changed_test:
        return urgency::changed;
      case reason_kind::incomplete_evidence:
      case reason_kind::always:
      case reason_kind::policy_all:
        return urgency::asked_for;
      default:
        return urgency::affected;
    }
  };
  urgency most = urgency::asked_for;
  for (const reason& why : test.reasons)
    if (row_of(why.kind).leads_to == decision::selected) most = std::min(most, urgency_by(why.kind));
  return most;
}

bool is_affected(const planned_test& test) {
  return std::any_of(test.reasons.begin(), test.reasons.end(), [](const reason& why) {
    switch (why.kind) {
      case reason_kind::changed_test:
      case reason_kind::changed_code:
      case reason_kind::changed_data:
      case reason_kind::changed_build:
      case reason_kind::changed_environment:
      case reason_kind::is_new:
      case reason_kind::unmeasured:
        return true;
      default:
        return false;
    }
  });
}

plan make_plan(const plan_request& request) {
  return planner(request).make();
}

std::vector<std::uint32_t> affected_by_code(const plan& made) {
  std::vector<std::uint32_t> tests;
  for (std::uint32_t i = 0; i < made.tests.size(); ++i)
    if (made.tests[i].selected && executes_only(made.tests[i])) tests.push_back(i);
  std::sort(tests.begin(), tests.end(), [&](auto a, auto b) { return made.tests[a].rank < made.tests[b].rank; });
  return tests;
}

std::vector<std::uint32_t> order_of_left_out(const plan_request& request, const plan& made) {
  return planner(request).order_waiting(made);
}

}  // namespace morph::selection
