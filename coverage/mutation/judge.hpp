// Runs the program mutants of one test program: which test kills which.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "coverage/mutation/server.hpp"

namespace morph::mutation {

enum class mutant_state : std::uint8_t {
  not_covered,  // no test reaches its place
  not_judged,   // it was not asked for, or there was no time
  survived,
  killed,  // a test failed
  crashed,
  timed_out,
};

bool is_kill(mutant_state state);

/// What became of a mutant in the tests of one program. Tests go by their numbers there.
struct program_verdict {
  mutant_state state = mutant_state::not_covered;
  bool before_first = false;             // it showed before any test ran
  std::vector<std::uint32_t> killers{};  // the first that was found, or all; ascending
  std::vector<std::uint32_t> passed{};   // that ended with it as they do without; ascending
  std::int32_t detail = 0;               // of a crash: the signal
  std::uint32_t covering = 0;            // tests that reach its place
  std::uint32_t infected = 0;            // tests in which its value differs from the original's, or may
  std::uint32_t unobserved = 0;          // of these, tests of which it is not known
  std::uint32_t ran = 0;                 // tests that ran with it, in this run
  std::int64_t cpu_us = 0;
  bool is_recalled = false;  // no test had to run
};

/// The same in all programs, for people.
struct mutant_verdict {
  mutant_state state = mutant_state::not_covered;
  std::vector<std::uint32_t> killers{};  // the first that was found, then all others that are known
  bool before_first = false;             // it showed before any test ran
  std::int32_t detail = 0;
  std::uint32_t covering = 0;
  std::uint32_t infected = 0;
  std::uint32_t unobserved = 0;
  std::uint32_t ran = 0;
  std::int64_t cpu_us = 0;
  bool is_recalled = false;
};

struct judged_mutant {
  std::uint32_t node = 0;
  std::uint32_t function = 0;     // the node that is set with it
  std::uint32_t alternative = 0;  // from 1
  bool is_compared = false;       // with the original, while nodes are recorded
  bool is_wanted = true;          // else what is known of it has to do
  /// If it is over before the first test: nodes of which one is reached before anybody can notice. Nothing: not known.
  std::optional<std::vector<std::uint32_t>> readers{};
  std::optional<program_verdict> known{};
  program_verdict found{};
};

struct baseline_test {
  std::string name;
  std::string place{};  // `file:line`, or empty
  std::int64_t cpu_us = 0;
  std::vector<reached_node> reached;
  bool usable = true;  // passes, every time
  std::string why_not{};
  bool fails = false;  // without a mutant, the first time
};

struct program_baseline {
  std::vector<baseline_test> tests;
  std::vector<std::uint32_t> reached_at_start;  // sorted
  std::int64_t cpu_us = 0;
};

/// The number of each test of the baseline among `names`, those of another build of its program, where sources may come
/// in another order: the n-th of a name is the n-th.
std::vector<std::optional<std::uint32_t>> numbers_in(const std::vector<std::string>& names,
                                                     const program_baseline& baseline);

struct run_limits {
  unsigned jobs = 1;
  double cpu_base = 0.01;    // seconds; of the first run, as first_factor
  double hang_factor = 20;   // a mutant hangs in a test that takes so many times its own processor time, and
  double first_factor = 5;   // so many in a first run: processor time is not the same twice
  double wall = 60;          // seconds, of all tests of a request
  bool all_killers = false;  // not the first alone
  std::optional<std::chrono::steady_clock::time_point> deadline{};  // no mutant is begun after it
  unsigned unmutated_runs = 2;                                      // of each test, to find those that fail at times

  /// Times both limits of the first run, before a mutant counts as one that hangs.
  double second_run_factor() const { return hang_factor / first_factor; }
};

/// Every test by itself: once with its nodes recorded, and then as it will run. One that fails or is skipped in any of
/// these runs is not usable.
expected<program_baseline> run_baseline(const mutant_program& program, const run_limits& limits,
                                        const std::function<void()>& step);

/// Finds a verdict on each. What is known of a mutant holds for the tests that are the same now: one of them that has
/// killed it decides, those that have passed with it need not run.
expected<void> judge_mutants(const mutant_program& program, const program_baseline& baseline, const run_limits& limits,
                             std::vector<judged_mutant>& mutants, const std::function<void()>& step);

/// Says of each mutant in how many tests nobody has seen whether its value differs: it was not compared there, or not
/// to the end.
void note_unobserved(const program_baseline& baseline, std::vector<judged_mutant>& mutants);

}  // namespace morph::mutation
