// The baseline of tests, and the order in which mutants and tests are put to the servers.
#include "coverage/mutation/judge.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <span>

#include "coverage/mutation/server_group.hpp"

namespace morph::mutation {
namespace {

using morph_mutants::ending;

constexpr std::size_t likely_killers = 2;
constexpr std::size_t remembered_killers = 16;
constexpr std::size_t most_in_stretch = 256;
constexpr std::uint32_t hits_base = 1U << 16;
constexpr std::uint32_t hits_times = 10;       // the test's own
constexpr std::uint32_t most_hits = 1U << 26;  // of what is evaluated too often to be counted
constexpr std::uint32_t most_hangs = 3;        // tests in which a mutant may hang before no other is tried

std::int64_t limit_of(const baseline_test& test, const run_limits& limits, bool is_second_run) {
  const double us = limits.cpu_base * 1e6 + limits.first_factor * static_cast<double>(test.cpu_us);
  return static_cast<std::int64_t>(is_second_run ? us * limits.second_run_factor() : us);
}

std::uint32_t hit_limit_of(const baseline_test& test, std::uint32_t node) {
  const auto reached = std::ranges::lower_bound(test.reached, node, {}, &reached_node::node);
  const std::uint32_t hits = reached == test.reached.end() || reached->node != node ? 0 : reached->hits;
  return hits >= morph_mutants::counted_hits ? most_hits : hits_base + hits_times * hits;
}

std::string describe(const morph_mutants::answer& said) {
  switch (said.how) {
    case ending::passed:
      return "passed";
    case ending::failed:
      return "fails";
    case ending::crashed:
      return fmt::format("is killed by signal {}", said.detail);
    case ending::cpu_limit:
    case ending::wall_limit:
    case ending::hit_limit:
      return "does not end in time";
    case ending::exited:
      return fmt::format("ends with status {}", said.detail);
    case ending::lost:
      return fmt::format("ends the program with status {}", said.detail);
  }
  return "ends in an unknown way";
}

/// A global environment, a suite's set-up.
constexpr std::string_view before_tests = "what the program sets up before its tests";

mutant_state state_of(ending how, std::int32_t detail) {
  switch (how) {
    case ending::passed:
      return mutant_state::survived;
    case ending::exited:
      return detail == 0 ? mutant_state::survived : mutant_state::killed;
    case ending::failed:
    case ending::lost:
      return mutant_state::killed;
    case ending::crashed:
      return mutant_state::crashed;
    case ending::cpu_limit:
    case ending::wall_limit:
    case ending::hit_limit:
      return mutant_state::timed_out;
  }
  return mutant_state::killed;
}

mutant_state state_of(const morph_mutants::answer& said) {
  return state_of(said.how, said.detail);
}

bool is_late(const run_limits& limits) {
  return limits.deadline && std::chrono::steady_clock::now() >= *limits.deadline;
}

bool is_reached_at_start(const program_baseline& baseline, std::uint32_t node) {
  return std::ranges::binary_search(baseline.reached_at_start, node);
}

/// The tests to run with a mutant, or none if what is known decides; `all` ascending, those that may notice it.
std::vector<std::uint32_t> left_to_run(judged_mutant& mutant, const std::vector<std::uint32_t>& all, bool at_start,
                                       bool all_killers) {
  program_verdict& found = mutant.found;
  found.infected = static_cast<std::uint32_t>(all.size());
  if (!mutant.known) return all;
  const program_verdict& known = *mutant.known;
  std::vector<std::uint32_t> left;
  std::ranges::set_intersection(known.killers, all, std::back_inserter(found.killers));
  std::ranges::set_intersection(known.passed, all, std::back_inserter(found.passed));
  std::ranges::set_difference(all, found.passed, std::back_inserter(left));
  found.before_first = known.before_first && at_start;
  if (found.before_first || !found.killers.empty()) {
    found.state = known.state;
    found.detail = known.detail;
  }
  if (found.before_first || (!found.killers.empty() && !all_killers)) return {};
  std::erase_if(left, [&](std::uint32_t t) { return std::ranges::binary_search(found.killers, t); });
  return left;
}

struct test_request {
  morph_mutants::request what{};
  std::vector<morph_mutants::test_turn> turns;
};

/// The tests that judge a mutant, each with its limit.
test_request request_for(const judged_mutant& mutant, std::span<const std::uint32_t> tests,
                         const program_baseline& baseline, const run_limits& limits, bool is_second_run) {
  test_request request;
  request.what.node = mutant.node;
  request.what.function = mutant.function;
  request.what.alternative = mutant.alternative;
  request.what.tests = static_cast<std::uint32_t>(tests.size());
  request.what.wants_all = limits.all_killers ? 1 : 0;
  request.what.wall_limit_us = static_cast<std::uint64_t>(limits.wall * 1e6);
  for (const std::uint32_t t : tests) {
    const auto most = static_cast<std::uint64_t>(limit_of(baseline.tests[t], limits, is_second_run));
    request.turns.push_back({t, hit_limit_of(baseline.tests[t], mutant.node), most});
    request.what.wall_limit_us += 10 * most;
  }
  return request;
}

/// Puts down what an answer says of `tests`, ascending, and returns those that have not run because of it.
std::vector<std::uint32_t> note_answer(program_verdict& found, const std::vector<std::uint32_t>& tests,
                                       const mutant_answer& answer) {
  const auto end = std::min<std::size_t>(answer.said.test, tests.size() - 1);
  const mutant_state state = state_of(answer.said);
  found.cpu_us += static_cast<std::int64_t>(answer.said.cpu_us);
  std::set<std::uint32_t> failed;
  for (const std::uint32_t place : answer.failed)
    if (place < tests.size()) failed.insert(tests[place]);
  if (!failed.empty() && !is_kill(found.state)) found.state = mutant_state::killed;
  if (is_kill(state)) {
    failed.insert(tests[end]);
    if (!is_kill(found.state)) {
      found.state = state;
      found.detail = answer.said.detail;
    }
  }
  const std::size_t ran = is_kill(state) ? end + 1 : tests.size();
  found.ran += static_cast<std::uint32_t>(ran);
  for (std::size_t i = 0; i < ran; ++i) (failed.contains(tests[i]) ? found.killers : found.passed).push_back(tests[i]);
  std::ranges::sort(found.killers);
  std::ranges::sort(found.passed);
  return {tests.begin() + static_cast<std::ptrdiff_t>(ran), tests.end()};
}

/// Whether what reads an initial value has run before the first test, or runs in this one.
bool may_notice(const judged_mutant& mutant, const program_baseline& baseline, const baseline_test& test) {
  if (!mutant.readers) return true;
  return std::ranges::any_of(*mutant.readers, [&](std::uint32_t node) {
    return is_reached_at_start(baseline, node) ||
           std::ranges::binary_search(test.reached, node, {}, &reached_node::node);
  });
}

/// What runs before the first test is over when a server forks: these mutants have a program of their own each, and all
/// tests judge them that may notice.
expected<void> judge_by_start(const mutant_program& program, const program_baseline& baseline, const run_limits& limits,
                              std::vector<judged_mutant>& mutants, const std::function<void()>& step) {
  std::vector<std::uint32_t> usable;
  for (std::uint32_t t = 0; t < baseline.tests.size(); ++t)
    if (baseline.tests[t].usable) usable.push_back(t);
  if (usable.empty()) return {};
  for (judged_mutant& mutant : mutants) {
    if (!is_reached_at_start(baseline, mutant.node)) continue;
    if (program.interrupted()) return {};
    program_verdict& found = mutant.found;
    found.covering = static_cast<std::uint32_t>(usable.size());
    std::vector<std::uint32_t> noticing;
    std::ranges::copy_if(usable, std::back_inserter(noticing),
                         [&](std::uint32_t t) { return may_notice(mutant, baseline, baseline.tests[t]); });
    std::vector<std::uint32_t> tests = left_to_run(mutant, noticing, true, limits.all_killers);
    if (tests.empty() && mutant.known) {
      found.is_recalled = true;
      if (!is_kill(found.state)) found.state = mutant_state::survived;
      step();
      continue;
    }
    if (!mutant.is_wanted || is_late(limits)) {
      if (!is_kill(found.state)) found.state = mutant_state::not_judged;
      continue;
    }
    auto server =
        mutant_server::start(program, fmt::format("{}:{}:{}", mutant.node, mutant.alternative, mutant.function));
    if (!server && !server.error().is_of_program()) return tl::unexpected(server.error().message);
    if (!server || server->tests().size() != baseline.tests.size()) {
      found.state = server ? mutant_state::killed : state_of(server.error().how, server.error().detail);
      found.detail = server ? 0 : server.error().detail;
      found.before_first = true;
      step();
      continue;
    }
    while (!tests.empty()) {
      const test_request request = request_for(mutant, tests, baseline, limits, true);
      if (auto asked = server->ask(request.what, request.turns); !asked) return asked;
      const auto answer = server->take_answer();
      if (!answer) return tl::unexpected(answer.error());
      tests = note_answer(found, tests, *answer);
      if (is_kill(found.state) && !limits.all_killers) break;
    }
    if (!is_kill(found.state)) found.state = mutant_state::survived;
    step();
  }
  return {};
}

}  // namespace

bool is_kill(mutant_state state) {
  return state == mutant_state::killed || state == mutant_state::crashed || state == mutant_state::timed_out;
}

std::vector<std::optional<std::uint32_t>> numbers_in(const std::vector<std::string>& names,
                                                     const program_baseline& baseline) {
  std::map<std::string, std::deque<std::uint32_t>> by_name;
  for (std::uint32_t i = 0; i < names.size(); ++i) by_name[names[i]].push_back(i);
  std::vector<std::optional<std::uint32_t>> made;
  for (const baseline_test& each : baseline.tests) {
    auto& numbers = by_name[each.name];
    made.push_back(numbers.empty() ? std::nullopt : std::optional(numbers.front()));
    if (!numbers.empty()) numbers.pop_front();
  }
  return made;
}

expected<program_baseline> run_baseline(const mutant_program& program, const run_limits& limits,
                                        const std::function<void()>& step) {
  auto group = server_group::start(program, limits.jobs);
  if (!group) return tl::unexpected(group.error());
  if (group->first().has_threads())
    return tl::unexpected(
        fmt::format("'{}' has threads before its first test, which fork() would lose", program.executable));
  program_baseline baseline;
  const auto& names = group->first().tests();
  for (std::size_t t = 0; t < names.size(); ++t)
    baseline.tests.push_back({names[t], group->first().places()[t], 0, {}, true, {}});
  for (const reached_node& each : group->first().reached_at_start()) baseline.reached_at_start.push_back(each.node);
  std::ranges::sort(baseline.reached_at_start);

  constexpr std::uint64_t longest = 1'500'000'000;  // as ctest's own limit
  for (unsigned run = 0; run < std::max(2U, limits.unmutated_runs); ++run) {
    const bool records = run == 0;
    std::size_t at = 0;
    const auto next = [&](std::size_t) -> std::optional<server_question> {
      while (at < baseline.tests.size() && !baseline.tests[at].usable) ++at;
      if (at == baseline.tests.size()) return std::nullopt;
      server_question q;
      q.what.records = records ? 1 : 0;
      q.what.tests = 1;
      q.what.wall_limit_us = longest;
      q.turns.push_back({static_cast<std::uint32_t>(at), UINT32_MAX, longest});
      q.about = at++;
      return q;
    };
    const auto take = [&](std::size_t, std::size_t about,
                          const mutant_answer& answer) -> std::optional<server_question> {
      baseline_test& test = baseline.tests[about];
      baseline.cpu_us += static_cast<std::int64_t>(answer.said.cpu_us);
      const bool passes = state_of(answer.said) == mutant_state::survived;
      if (!passes) {
        test.usable = false;
        test.fails = records;
        test.why_not = fmt::format("{} without a mutant{}{}", describe(answer.said), run == 0 ? "" : " at times",
                                   answer.said.begun != 0 ? "" : fmt::format(", in {}", before_tests));
      } else if (answer.said.skipped != 0) {
        test.usable = false;
        test.why_not =
            answer.said.begun != 0 ? std::string("is skipped") : fmt::format("is skipped by {}", before_tests);
      }
      if (records) {
        test.reached = answer.reached;
        std::ranges::sort(test.reached, {}, &reached_node::node);
      } else {
        test.cpu_us = std::max(test.cpu_us, static_cast<std::int64_t>(answer.said.cpu_us));
      }
      step();
      return std::nullopt;
    };
    if (auto ran = group->run(next, take); !ran) return tl::unexpected(ran.error());
  }
  return baseline;
}

expected<void> judge_mutants(const mutant_program& program, const program_baseline& baseline, const run_limits& limits,
                             std::vector<judged_mutant>& mutants, const std::function<void()>& step) {
  struct reaching_test {
    std::uint32_t test;
    std::uint32_t differ;
  };
  std::map<std::uint32_t, std::vector<reaching_test>> covering;  // node: tests, ascending
  for (std::uint32_t t = 0; t < baseline.tests.size(); ++t) {
    if (!baseline.tests[t].usable) continue;
    for (const reached_node& each : baseline.tests[t].reached) covering[each.node].push_back({t, each.differ});
  }

  for (judged_mutant& mutant : mutants)
    if (covering.contains(mutant.node) || is_reached_at_start(baseline, mutant.node))
      mutant.found.state = mutant_state::not_judged;
  if (auto judged = judge_by_start(program, baseline, limits, mutants, step); !judged) return judged;

  // Likely killers have a process of their own, before all others have one: frameworks run tests in their own order.
  // Mutants are judged in the order of their places, so what killed the last ones is near. It is remembered within a
  // stretch of them, which one server judges: which test is asked first, and thereby whether a mutant fails or hangs,
  // depends on no other server and no clock.
  struct stretch {
    std::size_t at = 0, end = 0;
    std::vector<std::uint32_t> killers{};  // the latest first
  };
  std::vector<stretch> stretches(limits.jobs);
  std::size_t begun = 0;
  const auto begin_stretch = [&](stretch& now) {
    now = {begun, std::min(begun + most_in_stretch, mutants.size())};
    begun = now.end;
    return now.at < now.end;
  };
  struct turn {
    std::vector<std::uint32_t> now;
    std::vector<std::uint32_t> later;
    std::uint32_t hangs = 0;
    bool is_second_run = false;
  };
  std::map<std::size_t, turn> turns;
  const auto turn_of = [&](const std::vector<std::uint32_t>& tests, const std::vector<std::uint32_t>& killers) {
    if (limits.all_killers || tests.size() <= likely_killers + 1) return turn{tests, {}};
    std::set<std::uint32_t> chosen;
    for (const std::uint32_t t : killers)
      if (chosen.size() < likely_killers && std::ranges::binary_search(tests, t)) chosen.insert(t);
    std::vector<std::uint32_t> smallest = tests;
    const auto count = std::min(tests.size(), likely_killers + 1);
    std::ranges::partial_sort(smallest, smallest.begin() + static_cast<std::ptrdiff_t>(count), {},
                              [&](std::uint32_t t) { return std::pair(baseline.tests[t].reached.size(), t); });
    for (std::size_t i = 0; i < count && chosen.size() < likely_killers + 1; ++i) chosen.insert(smallest[i]);
    turn made;
    for (const std::uint32_t t : tests) (chosen.contains(t) ? made.now : made.later).push_back(t);
    return made;
  };
  const auto ask = [&](std::size_t about) {
    test_request request =
        request_for(mutants[about], turns.at(about).now, baseline, limits, turns.at(about).is_second_run);
    return server_question{request.what, std::move(request.turns), about};
  };

  const auto next = [&](std::size_t server) -> std::optional<server_question> {
    stretch& mine = stretches[server];
    while (mine.at < mine.end || begin_stretch(mine)) {
      const std::size_t about = mine.at++;
      judged_mutant& mutant = mutants[about];
      if (is_reached_at_start(baseline, mutant.node)) continue;
      const auto tests = covering.find(mutant.node);
      if (tests == covering.end()) continue;
      // A test in which its value never differs ends as it does without the mutant.
      std::vector<std::uint32_t> infected;
      for (const reaching_test& each : tests->second)
        if (!mutant.is_compared || (each.differ >> (mutant.alternative - 1) & 1) != 0) infected.push_back(each.test);
      mutant.found.covering = static_cast<std::uint32_t>(tests->second.size());
      const auto left = left_to_run(mutant, infected, false, limits.all_killers);
      if (left.empty()) {
        mutant.found.is_recalled = mutant.known.has_value();
        if (!is_kill(mutant.found.state)) mutant.found.state = mutant_state::survived;
        step();
        continue;
      }
      if (!mutant.is_wanted || is_late(limits)) {
        if (!is_kill(mutant.found.state)) mutant.found.state = mutant_state::not_judged;
        continue;
      }
      turns[about] = turn_of(left, mine.killers);
      return ask(about);
    }
    return std::nullopt;
  };
  const auto take = [&](std::size_t server, std::size_t about,
                        const mutant_answer& answer) -> std::optional<server_question> {
    std::vector<std::uint32_t>& killers = stretches[server].killers;
    program_verdict& found = mutants[about].found;
    turn& now = turns.at(about);
    // A second time with more of it: processor time is not the same twice. What hangs in one test may do so in
    // others.
    if (answer.said.how == ending::cpu_limit && !now.is_second_run && now.hangs == 0) {
      now.is_second_run = true;
      found.cpu_us += static_cast<std::int64_t>(answer.said.cpu_us);
      return ask(about);
    }
    const std::size_t known = found.killers.size();
    const auto left = note_answer(found, now.now, answer);
    if (found.killers.size() > known) {
      const std::uint32_t last = found.killers.back();
      std::erase(killers, last);
      killers.insert(killers.begin(), last);
      if (killers.size() > remembered_killers) killers.pop_back();
    }
    now.hangs += state_of(answer.said) == mutant_state::timed_out ? 1 : 0;
    if (now.hangs != 0) now.is_second_run = false;
    if (!is_kill(found.state) || (limits.all_killers && now.hangs < most_hangs)) {
      now.now = left.empty() ? std::exchange(now.later, {}) : left;
      if (!now.now.empty()) return ask(about);
    }
    if (!is_kill(found.state)) found.state = mutant_state::survived;
    turns.erase(about);
    step();
    return std::nullopt;
  };

  auto first = next(0);
  if (!first) return {};
  auto started = server_group::start(program, limits.jobs);
  if (!started) return tl::unexpected(started.error());
  return started->run(
      [&](std::size_t server) { return server == 0 && first ? std::exchange(first, std::nullopt) : next(server); },
      take);
}

void note_unobserved(const program_baseline& baseline, std::vector<judged_mutant>& mutants) {
  std::map<std::uint32_t, std::size_t> half_seen;  // node: tests that evaluate it too often
  for (const baseline_test& test : baseline.tests)
    for (const reached_node& each : test.reached)
      if (test.usable && each.hits >= morph_mutants::counted_hits) ++half_seen[each.node];
  for (judged_mutant& mutant : mutants) {
    mutant.found.unobserved = mutant.found.infected;
    if (!mutant.is_compared || is_reached_at_start(baseline, mutant.node)) continue;
    const auto seen = half_seen.find(mutant.node);
    const std::size_t tests = seen == half_seen.end() ? 0 : seen->second;
    mutant.found.unobserved = std::min(mutant.found.infected, static_cast<std::uint32_t>(tests));
  }
}

}  // namespace morph::mutation
