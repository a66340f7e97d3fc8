#include "plugin/command/mutate_run.hpp"

#include <fmt/format.h>
#include <poll.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <span>

#include "plugin/project/process.hpp"

namespace morph::command {
namespace {

using morph_mutants::ending;

constexpr std::size_t likely_killers = 2;
constexpr std::size_t remembered_killers = 16;

std::int64_t limit_of(const baseline_test& test, const run_limits& limits) {
  return static_cast<std::int64_t>(limits.cpu_base * 1e6 + limits.cpu_times * static_cast<double>(test.cpu_us));
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

mutant_state state_of(const morph_mutants::answer& said) {
  switch (said.how) {
    case ending::passed:
      return mutant_state::survived;
    case ending::exited:
      return said.detail == 0 ? mutant_state::survived : mutant_state::killed;
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

bool is_reached_at_start(const program_baseline& baseline, std::uint32_t node) {
  return std::ranges::binary_search(baseline.reached_at_start, node);
}

struct test_request {
  morph_mutants::request what{};
  std::vector<morph_mutants::test_turn> turns;
};

/// The tests that judge a mutant, each with its limit.
test_request request_for(const judged_mutant& mutant, std::span<const std::uint32_t> tests,
                         const program_baseline& baseline, const run_limits& limits) {
  test_request request;
  request.what.node = mutant.node;
  request.what.alternative = mutant.alternative;
  request.what.tests = static_cast<std::uint32_t>(tests.size());
  request.what.wall_limit_us = static_cast<std::uint64_t>(limits.wall * 1e6);
  for (const std::uint32_t t : tests) {
    const auto most = static_cast<std::uint64_t>(limit_of(baseline.tests[t], limits));
    request.turns.push_back({t, 0, most});
    request.what.wall_limit_us += 10 * most;
  }
  return request;
}

/// What runs before the first test is over when a server forks: these mutants have a program of their own each, and all
/// tests judge them.
project::result<void> judge_by_start(const mutant_program& program, const program_baseline& baseline,
                                     const run_limits& limits, std::vector<judged_mutant>& mutants,
                                     const std::function<void()>& step) {
  std::vector<std::uint32_t> tests;
  for (std::uint32_t t = 0; t < baseline.tests.size(); ++t)
    if (baseline.tests[t].usable) tests.push_back(t);
  if (tests.empty()) return {};
  for (judged_mutant& mutant : mutants) {
    mutant_verdict& verdict = mutant.verdict;
    if (verdict.state != mutant_state::not_covered && verdict.state != mutant_state::survived) continue;
    if (!is_reached_at_start(baseline, mutant.node)) continue;
    if (project::interrupted()) return {};
    verdict.covering += static_cast<std::uint32_t>(tests.size());
    verdict.infected += static_cast<std::uint32_t>(tests.size());
    auto server = mutant_server::start(program, fmt::format("{}:{}", mutant.node, mutant.alternative));
    if (!server || server->tests().size() != baseline.tests.size()) {
      verdict.state = server ? mutant_state::killed : mutant_state::crashed;
      verdict.test = "(before the first test)";
      step();
      continue;
    }
    const test_request request = request_for(mutant, tests, baseline, limits);
    if (auto asked = server->ask(request.what, request.turns); !asked) return asked;
    const auto answer = server->take_answer();
    if (!answer) return tl::unexpected(answer.error());
    verdict.cpu_us += static_cast<std::int64_t>(answer->said.cpu_us);
    verdict.state = state_of(answer->said);
    verdict.ran += static_cast<std::uint32_t>(tests.size());
    if (verdict.state != mutant_state::survived)
      verdict.test = baseline.tests[tests[std::min<std::size_t>(answer->said.test, tests.size() - 1)]].name;
    step();
  }
  return {};
}

/// One job after another to whichever server is idle.
class server_group {
 public:
  static project::result<server_group> start(const mutant_program& program, unsigned count) {
    server_group group;
    for (unsigned i = 0; i < count; ++i) {
      auto server = mutant_server::start(program);
      if (!server) return tl::unexpected(server.error());
      group.servers_.push_back(std::move(*server));
    }
    return group;
  }

  const mutant_server& first() const { return servers_.front(); }

  struct question {
    morph_mutants::request what{};
    std::vector<morph_mutants::test_turn> turns;
    std::size_t about = 0;
  };

  /// `next` gives questions while there are any; `take` hears each answer, and may ask again about the same.
  project::result<void> run(const std::function<std::optional<question>()>& next,
                            const std::function<std::optional<question>(std::size_t, const mutant_answer&)>& take) {
    std::vector<std::optional<std::size_t>> busy(servers_.size());
    const auto put = [&](std::size_t server, const std::optional<question>& q) -> project::result<void> {
      busy[server].reset();
      if (!q) return {};
      busy[server] = q->about;
      return servers_[server].ask(q->what, q->turns);
    };
    for (std::size_t i = 0; i < servers_.size(); ++i)
      if (auto asked = put(i, next()); !asked) return asked;
    while (std::ranges::any_of(busy, [](const auto& b) { return b.has_value(); })) {
      std::vector<pollfd> ready;
      for (std::size_t i = 0; i < servers_.size(); ++i)
        ready.push_back({busy[i] ? servers_[i].descriptor() : -1, POLLIN, 0});
      ::poll(ready.data(), ready.size(), -1);
      if (project::interrupted()) return {};
      for (std::size_t i = 0; i < servers_.size(); ++i) {
        if (!busy[i] || ready[i].revents == 0) continue;
        const auto answer = servers_[i].take_answer();
        if (!answer) return tl::unexpected(answer.error());
        auto more = take(*busy[i], *answer);
        if (auto asked = put(i, more ? more : next()); !asked) return asked;
      }
    }
    return {};
  }

 private:
  std::vector<mutant_server> servers_;
};

}  // namespace

project::result<program_baseline> run_baseline(const mutant_program& program, const run_limits& limits,
                                               const std::function<bool(const std::string&)>& wanted,
                                               const std::function<void()>& step) {
  auto group = server_group::start(program, limits.jobs);
  if (!group) return tl::unexpected(group.error());
  if (group->first().has_threads())
    return tl::unexpected(
        fmt::format("'{}' has threads before its first test, which fork() would lose", program.executable));
  program_baseline baseline;
  for (const std::string& name : group->first().tests()) baseline.tests.push_back({name, 0, {}, true, {}});
  for (const reached_node& each : group->first().reached_at_start()) baseline.reached_at_start.push_back(each.node);
  std::ranges::sort(baseline.reached_at_start);

  constexpr std::uint64_t longest = 1'500'000'000;  // as ctest's own limit
  for (const bool records : {true, false}) {
    std::size_t at = 0;
    const auto next = [&]() -> std::optional<server_group::question> {
      while (at < baseline.tests.size() && !(wanted(baseline.tests[at].name) && baseline.tests[at].usable)) {
        if (!wanted(baseline.tests[at].name)) baseline.tests[at].usable = false;
        ++at;
      }
      if (at == baseline.tests.size()) return std::nullopt;
      server_group::question q;
      q.what.records = records ? 1 : 0;
      q.what.tests = 1;
      q.what.wall_limit_us = longest;
      q.turns.push_back({static_cast<std::uint32_t>(at), 0, longest});
      q.about = at++;
      return q;
    };
    const auto take = [&](std::size_t about, const mutant_answer& answer) -> std::optional<server_group::question> {
      baseline_test& test = baseline.tests[about];
      baseline.cpu_us += static_cast<std::int64_t>(answer.said.cpu_us);
      const bool passes = state_of(answer.said) == mutant_state::survived;
      if (!passes) {
        test.usable = false;
        test.why_not = fmt::format("{} without a mutant", describe(answer.said));
      } else if (answer.said.skipped != 0) {
        test.usable = false;
        test.why_not = "is skipped";
      }
      if (records) {
        test.reached = answer.reached;
      } else {
        test.cpu_us = static_cast<std::int64_t>(answer.said.cpu_us);
      }
      step();
      return std::nullopt;
    };
    if (auto ran = group->run(next, take); !ran) return tl::unexpected(ran.error());
  }
  return baseline;
}

project::result<void> judge_mutants(const mutant_program& program, const program_baseline& baseline,
                                    const run_limits& limits, std::vector<judged_mutant>& mutants,
                                    const std::function<void()>& step) {
  struct reaching_test {
    std::uint32_t test;
    std::uint32_t differ;
  };
  std::map<std::uint32_t, std::vector<reaching_test>> covering;  // node: tests, cheapest first
  for (std::uint32_t t = 0; t < baseline.tests.size(); ++t) {
    if (!baseline.tests[t].usable) continue;
    for (const reached_node& each : baseline.tests[t].reached) covering[each.node].push_back({t, each.differ});
  }
  for (auto& [node, tests] : covering)
    std::ranges::stable_sort(tests, {}, [&](const reaching_test& t) { return baseline.tests[t.test].cpu_us; });

  if (auto judged = judge_by_start(program, baseline, limits, mutants, step); !judged) return judged;
  auto group = server_group::start(program, limits.jobs);
  if (!group) return tl::unexpected(group.error());
  const auto asks = [&](std::size_t about, std::span<const std::uint32_t> tests) {
    test_request request = request_for(mutants[about], tests, baseline, limits);
    return server_group::question{request.what, std::move(request.turns), about};
  };

  // Likely killers have a process of their own, before all others have one: frameworks run tests in their own order.
  // Mutants are judged in the order of their places, so what killed the last ones is near.
  struct turn {
    std::vector<std::uint32_t> first;
    std::vector<std::uint32_t> rest;
    bool at_rest = false;
  };
  std::map<std::size_t, turn> turns;
  std::vector<std::uint32_t> killers;  // the latest first
  const auto turn_of = [&](const std::vector<std::uint32_t>& tests) {
    turn made;
    if (tests.size() <= likely_killers + 1) {
      made.first = tests;
      return made;
    }
    const std::set<std::uint32_t> covers(tests.begin(), tests.end());
    std::set<std::uint32_t> chosen;
    for (const std::uint32_t t : killers)
      if (chosen.size() < likely_killers && covers.contains(t)) chosen.insert(t);
    for (const std::uint32_t t : tests)
      if (chosen.size() < likely_killers + 1) chosen.insert(t);
    for (const std::uint32_t t : tests) (chosen.contains(t) ? made.first : made.rest).push_back(t);
    return made;
  };

  std::size_t at = 0;
  const auto next = [&]() -> std::optional<server_group::question> {
    while (at < mutants.size()) {
      const std::size_t about = at++;
      const mutant_state state = mutants[about].verdict.state;
      if (state != mutant_state::not_covered && state != mutant_state::survived) continue;
      const auto tests = covering.find(mutants[about].node);
      if (tests == covering.end() || is_reached_at_start(baseline, mutants[about].node)) continue;
      const judged_mutant& mutant = mutants[about];
      // A test in which its value never differs ends as it does without the mutant.
      std::vector<std::uint32_t> infected;
      for (const reaching_test& each : tests->second)
        if (!mutant.is_compared || (each.differ >> (mutant.alternative - 1) & 1) != 0) infected.push_back(each.test);
      mutants[about].verdict.covering += static_cast<std::uint32_t>(tests->second.size());
      mutants[about].verdict.infected += static_cast<std::uint32_t>(infected.size());
      if (infected.empty()) {
        mutants[about].verdict.state = mutant_state::survived;
        step();
        continue;
      }
      return asks(about, (turns[about] = turn_of(infected)).first);
    }
    return std::nullopt;
  };
  const auto take = [&](std::size_t about, const mutant_answer& answer) -> std::optional<server_group::question> {
    mutant_verdict& verdict = mutants[about].verdict;
    verdict.cpu_us += static_cast<std::int64_t>(answer.said.cpu_us);
    turn& now = turns.at(about);
    const auto& tests = now.at_rest ? now.rest : now.first;
    const mutant_state state = state_of(answer.said);
    if (state == mutant_state::survived) {
      verdict.ran += static_cast<std::uint32_t>(tests.size());
      if (!now.at_rest && !now.rest.empty()) {
        now.at_rest = true;
        return asks(about, now.rest);
      }
      verdict.state = state;
    } else {
      const std::uint32_t place =
          std::min<std::uint32_t>(answer.said.test, static_cast<std::uint32_t>(tests.size()) - 1);
      verdict.state = state;
      verdict.test = baseline.tests[tests[place]].name;
      verdict.detail = answer.said.detail;
      verdict.ran += place + 1;
      std::erase(killers, tests[place]);
      killers.insert(killers.begin(), tests[place]);
      if (killers.size() > remembered_killers) killers.pop_back();
    }
    turns.erase(about);
    step();
    return std::nullopt;
  };
  return group->run(next, take);
}

}  // namespace morph::command
