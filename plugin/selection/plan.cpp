// Reasons, states, ranks.
#include "plugin/selection/plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <map>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "optimizer/cover/problem.hpp"
#include "plugin/frameworks/test_names.hpp"
#include "plugin/selection/ranking.hpp"
#include "plugin/selection/rules.hpp"
#include "plugin/selection/subset.hpp"
#include "plugin/system/demangle.hpp"
#include "plugin/system/regular_expression.hpp"

namespace morph::selection {
namespace {

constexpr std::uint32_t none = ranking::not_measured;

/// The measured facts of each current test: indices into the evidence, or `none`.
std::vector<std::uint32_t> match_tests(const plan_request& request) {
  std::vector<std::uint32_t> matched(request.tests.size(), none);
  if (!request.baseline) return matched;
  const store::evidence& e = *request.baseline->facts;
  std::map<std::tuple<std::string, std::string, std::string>, std::uint32_t> known;
  for (std::uint32_t t = 0; t < e.tests.size(); ++t) {
    const auto& program = e.programs[e.tests[t].program];
    if (!e.tests[t].is_startup()) known[{program.suite, program.target, e.tests[t].case_name}] = t;
  }
  for (std::size_t i = 0; i < matched.size(); ++i) {
    const current_test& test = request.tests[i];
    const auto at = known.find({request.suites[test.suite].name, test.target, test.case_name});
    if (at != known.end()) matched[i] = at->second;
  }
  return matched;
}

std::string describe_incomplete(const store::measured_test& test) {
  const bool was_run = (test.incomplete & store::row_of_failed_fixture) == 0;
  std::string text = was_run ? fmt::format("it {} when it was measured", name_of(test.how)) : "it was not measured";
  for (const store::incomplete_row& row : store::incomplete_table())
    if ((test.incomplete & row.bit) != 0) text += fmt::format("; it {}", row.meaning);
  return text;
}

/// Whether it has no other reason than to have executed something that changed.
bool executes_only(const planned_test& planned) {
  return std::all_of(planned.reasons.begin(), planned.reasons.end(), [](const reason& why) { return why.executed; });
}

class planner {
 public:
  explicit planner(const plan_request& request) : r_(request), matched_(match_tests(request)) {
    if (!r_.baseline) return;
    const store::evidence& e = *r_.baseline->facts;
    startup_incomplete_.assign(e.programs.size(), false);
    for (const auto& test : e.tests)
      if (test.is_startup() && (test.incomplete != 0 || !test.measured)) startup_incomplete_[test.program] = true;
    for (const auto& program : e.programs) measured_suites_.insert(program.suite);
  }

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
      add_evidence_reasons(i, planned);
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
      if (planned.reasons.empty()) planned.reasons.push_back(make_reason<rule::nothing_changed>(""));
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

  /// What a test is told to read is its data, whatever is ignored elsewhere.
  void add_named_files(const current_test& test, std::vector<reason>& reasons) const {
    const impact& of_changes = r_.baseline->of_changes;
    for (const std::string& named : test.named) {
      if (of_changes.changed_files.count(named) != 0) reasons.push_back(make_reason<rule::file_named>(named, named));
      const std::string folder = named + "/";
      for (auto at = of_changes.ignored_files.lower_bound(folder);
           at != of_changes.ignored_files.end() && at->starts_with(folder); ++at)
        reasons.push_back(make_reason<rule::folder_named>(*at, *at, named));
    }
  }

  void add_evidence_reasons(std::uint32_t i, planned_test& planned) {
    const current_test& test = r_.tests[i];
    auto& reasons = planned.reasons;
    if (!r_.baseline) {
      reasons.push_back(make_reason<rule::no_baseline>(""));
      return;
    }
    if (!r_.suites[test.suite].listed) {
      reasons.push_back(make_reason<rule::suite_unlisted>(""));
      return;
    }
    const auto& base = *r_.baseline;
    const std::string& suite = r_.suites[test.suite].name;
    if (matched_[i] == none) {
      if (measured_suites_.count(suite) != 0)
        reasons.push_back(make_reason<rule::test_unknown>(""));
      else
        reasons.push_back(make_reason<rule::suite_unknown>(""));
    } else {
      const store::measured_test& facts = base.facts->tests[matched_[i]];
      if (!facts.measured) {
        reasons.push_back(make_reason<rule::measuring_interrupted>(""));
      } else {
        planned.seconds = static_cast<double>(facts.wall_us) / 1e6;
        if (facts.how == store::outcome::crashed) planned.marks.emplace_back(crashed_mark);
        if (facts.unsteady) planned.marks.emplace_back(unsteady_mark);
        if (facts.is_doubtful())
          reasons.push_back(make_reason<rule::row_doubtful>("", describe_incomplete(facts)));
        else if (startup_incomplete_[facts.program])
          reasons.push_back(make_reason<rule::startup_doubtful>(""));
      }
      for (reason why : base.of_changes.of_test[matched_[i]]) {
        const bool is_in_test_file =
            why.file.empty() ? why.detail.substr(0, why.detail.rfind(':')) == test.file : why.file == test.file;
        if (!test.file.empty() && is_in_test_file && !is_in_production(why, test)) {
          why.kind = reason_kind::changed_test;
          why.unproven = why.executed = false;
          why.detail.clear();
        }
        const bool repeats =
            why.kind == reason_kind::changed_test && !reasons.empty() && reasons.back().kind == why.kind;
        if (!repeats) reasons.push_back(std::move(why));
      }
    }
    add_named_files(test, reasons);
    if (const auto at = base.of_changes.of_suite.find(suite); at != base.of_changes.of_suite.end())
      reasons.insert(reasons.end(), at->second.begin(), at->second.end());
    reasons.insert(reasons.end(), base.of_changes.of_everything.begin(), base.of_changes.of_everything.end());
  }

  /// The function of a change in a test's file: `detail` names it, or a line of it.
  const store::measured_function* changed_function(const reason& why, const std::string& file) const {
    const store::evidence& facts = *r_.baseline->facts;
    std::uint32_t line = 0;
    if (why.file.empty()) {
      const auto colon = why.detail.rfind(':') + 1;
      std::from_chars(why.detail.data() + colon, why.detail.data() + why.detail.size(), line);
    }
    const store::measured_function* found = nullptr;
    for (const store::measured_function& f : facts.functions) {
      if (f.artificial || facts.files[f.file] != file) continue;
      const bool is_it =
          why.file.empty() ? f.start_line <= line && line <= f.end_line : system::demangled(f.symbol) == why.detail;
      if (is_it && (found == nullptr || f.start_line > found->start_line)) found = &f;
    }
    return found;
  }

  /// In a file that holds tests, too: what other units see, and neither a framework writes nor a fixture has, which
  /// GoogleTest names its tests' suite after. Nothing in files that are named as tests.
  bool is_in_production(const reason& why, const current_test& test) {
    const bool is_registration =
        test.line > 0 && why.file.empty() && why.detail == fmt::format("{}:{}", test.file, test.line);
    if (is_registration || frameworks::is_named_as_tests(test.file)) return false;
    const auto [known, is_new] = production_.try_emplace(test.file + '\n' + why.detail);
    if (is_new)
      if (const store::measured_function* const f = changed_function(why, test.file)) {
        const std::string_view symbol = f->symbol;
        const bool is_internal = symbol.starts_with("_ZL") || symbol.find("_GLOBAL__N_1") != std::string_view::npos;
        if (!is_internal && symbol != "main") known->second = system::demangled(f->symbol);
      }
    const std::string& name = known->second;
    return !name.empty() && name.find("_Test::") == std::string::npos &&
           !name.starts_with(test.case_name.substr(0, test.case_name.find('.')) + "::");
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
      if (!r_.baseline || !r_.suites[s].listed || measured_suites_.count(r_.suites[s].name) == 0)
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
  std::vector<bool> startup_incomplete_;  // by program of the evidence
  std::set<std::string> measured_suites_;
  std::map<std::string, std::string> production_;  // by file and detail of a reason: the function, if it is no test's
  plan plan_;
};

}  // namespace

namespace {

constexpr std::array<std::string_view, 4> policies{"all", "safe", "narrow", "minimal"};
constexpr std::string_view risk_policy = "risk=";

}  // namespace

std::string text_of(const chosen_policy& chosen) {
  if (chosen.how == policy::risk) return fmt::format("{}{}", risk_policy, chosen.detection);
  return std::string(policies[static_cast<std::size_t>(chosen.how)]);
}

result<chosen_policy> parse_policy(const std::string& text) {
  const auto at = std::find(policies.begin(), policies.end(), text);
  if (at != policies.end()) return chosen_policy{static_cast<policy>(at - policies.begin())};
  if (!text.starts_with(risk_policy))
    return tl::unexpected(fmt::format("policy '{}' is unknown; use all, safe, narrow, minimal or risk=P", text));
  chosen_policy chosen{policy::risk};
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data() + risk_policy.size(), end, chosen.detection);
  if (error != std::errc() || stop != end || !(chosen.detection > 0 && chosen.detection < 1))
    return tl::unexpected(fmt::format(
        "policy '{}' does not name a probability of detection between 0 and 1; write for example risk=0.95", text));
  return chosen;
}

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

deferral what_is_deferred(const plan_request& request, const plan& made) {
  deferral d;
  constexpr std::uint32_t not_deferred = ~std::uint32_t{0};
  std::vector<std::uint32_t> place(made.tests.size(), not_deferred);
  for (std::uint32_t i = 0; i < made.tests.size(); ++i) {
    const planned_test& t = made.tests[i];
    if (t.selected || std::none_of(t.reasons.begin(), t.reasons.end(),
                                   [](const reason& why) { return row_of(why.kind).leads_to == decision::selected; }))
      continue;
    place[i] = static_cast<std::uint32_t>(d.tests.size());
    d.tests.push_back(i);
  }
  d.alone.resize(d.tests.size());
  if (!request.baseline) return d;
  const store::evidence& e = *request.baseline->facts;
  const auto matched = match_tests(request);
  std::vector<std::uint32_t> test_of(e.tests.size(), none);
  for (std::uint32_t i = 0; i < matched.size(); ++i)
    if (matched[i] != none) test_of[matched[i]] = i;
  std::vector<bool> is_current(e.programs.size()), runs_program(e.programs.size());
  for (std::uint32_t i = 0; i < matched.size(); ++i) {
    if (matched[i] == none) continue;
    const std::uint32_t program = e.tests[matched[i]].program;
    is_current[program] = true;
    if (made.tests[i].selected) runs_program[program] = true;
  }
  const auto& changed = request.baseline->of_changes.changed;
  for (const store::element_class& c : e.classes) {
    const auto elements =
        static_cast<std::size_t>(std::count_if(c.elements.begin(), c.elements.end(), [&](store::element x) {
          return std::binary_search(changed.begin(), changed.end(), x);
        }));
    if (elements == 0) continue;
    bool runs = false, can_run = false;
    std::vector<std::uint32_t> deferred;
    for (const std::uint32_t row : c.tests) {
      // What runs before the first test of a program runs with any of its tests.
      if (e.tests[row].is_startup()) {
        can_run = can_run || is_current[e.tests[row].program];
        runs = runs || runs_program[e.tests[row].program];
      }
      const std::uint32_t test = test_of[row];
      if (test == none) continue;
      can_run = true;
      runs = runs || made.tests[test].selected;
      if (place[test] != not_deferred) deferred.push_back(place[test]);
    }
    if (!can_run) continue;  // only tests that are gone executed it
    d.executed += elements;
    if (runs) continue;
    d.lost += elements;
    for (const std::uint32_t i : deferred) d.alone[i] += elements;
  }
  return d;
}

plan_front front_of(const plan_request& request, const plan& made) {
  return front_of(request, made, match_tests(request));
}

std::vector<std::uint32_t> order_of_left_out(const plan_request& request, const plan& made) {
  return planner(request).order_waiting(made);
}

}  // namespace morph::selection
