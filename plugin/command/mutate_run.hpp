// Runs the program mutants of one test program: which test kills which.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "plugin/command/mutant_server.hpp"

namespace morph::command {

enum class mutant_state : std::uint8_t {
  not_covered,  // no test reaches its place
  survived,
  killed,  // a test failed
  crashed,
  timed_out,
};

/// What became of a mutant, and in which test.
struct mutant_verdict {
  mutant_state state = mutant_state::not_covered;
  std::string test{};
  std::int32_t detail = 0;     // of a crash: the signal
  std::uint32_t covering = 0;  // tests that reach its place, of all programs
  std::uint32_t infected = 0;  // tests in which its value differs from the original's, or may
  std::uint32_t ran = 0;       // tests that ran with it
  std::int64_t cpu_us = 0;
};

struct judged_mutant {
  std::uint32_t node = 0;
  std::uint32_t alternative = 0;  // from 1
  bool is_compared = false;       // with the original, while nodes are recorded
  mutant_verdict verdict{};
};

struct baseline_test {
  std::string name;
  std::int64_t cpu_us = 0;
  std::vector<reached_node> reached;
  bool usable = true;  // passes, every time
  std::string why_not{};
};

struct program_baseline {
  std::vector<baseline_test> tests;
  std::vector<std::uint32_t> reached_at_start;  // sorted
  std::int64_t cpu_us = 0;
};

struct run_limits {
  unsigned jobs = 1;
  double cpu_base = 0.02;  // seconds
  double cpu_times = 10;   // the test's own
  double wall = 60;        // seconds, of all tests of a request
};

/// Every test by itself: once with its nodes recorded, and once as it will run. `wanted` says which tests take part.
project::result<program_baseline> run_baseline(const mutant_program& program, const run_limits& limits,
                                               const std::function<bool(const std::string&)>& wanted,
                                               const std::function<void()>& step);

/// Judges those mutants that no earlier program has killed.
project::result<void> judge_mutants(const mutant_program& program, const program_baseline& baseline,
                                    const run_limits& limits, std::vector<judged_mutant>& mutants,
                                    const std::function<void()>& step);

}  // namespace morph::command
