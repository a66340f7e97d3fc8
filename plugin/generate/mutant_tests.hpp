// Tests by what they kill: which assertions each has, and further tests that are kept for mutants alone.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "plugin/generate/assertions.hpp"
#include "plugin/generate/kills.hpp"
#include "plugin/generate/mutants.hpp"

namespace morph::generate {

/// What became of the mutants of a unit.
struct mutation_summary {
  bool is_done = false;  // else `why` says why not
  std::string why{};
  std::size_t mutants = 0;        // that compile, in functions of the unit
  std::size_t reached = 0;        // where a test sees another value
  std::size_t killed = 0;         // by the tests that are left
  std::size_t by_assertions = 0;  // of those: no test would end otherwise without assertions
  std::size_t not_judged = 0;     // reached, and the time was over
  std::uint64_t runs = 0;
  double cpu_build = 0, cpu_runs = 0;
};

/// A kept test, what it sees and asserts, and the mutants that it kills so.
struct judged {
  kept_test kept{};
  observed_test seen{};
  std::vector<std::uint32_t> chosen{};           // of its values
  std::vector<std::uint32_t> kills{}, anyway{};  // all of them; without an assertion
  std::vector<std::uint32_t> only_for{};         // mutants, if no branch needs it
};

/// With what tests are made.
struct test_maker {
  const model& offered;
  const api& of;
  literal_table& literals;
  served_program& served;  // the program of calls without mutants
  std::uint64_t& unstable;
  optimizer::random_source& random;
};

struct mutation_limits {
  double seconds = 0;           // 0: no limit
  std::uint64_t most_runs = 0;  // 0: no limit
  std::size_t most_further = 0;
  std::size_t most_idle = 60;  // batches of variations, one after the other, of which none kills anything more
};

/// Judges the tests, and keeps those of `others` and of their variations that kill more, without the calls that they do
/// not need, as far as the limits allow. Of all together the fewest assertions are chosen. `mutants`: how many
/// there are.
result<std::vector<judged>> with_kills(std::vector<judged> tests, const std::vector<individual>& others,
                                       const mutation_limits& limits, const test_maker& with, mutant_judge& judge,
                                       std::size_t mutants);

/// The half of what a search may use, in its own measure; for some tests half as many further ones, or ten.
mutation_limits limits_beside(double search_seconds, std::uint64_t search_sequences, std::size_t tests);

struct mutation_outcome {
  std::vector<judged> tests{};
  std::vector<unit_mutant> mutants{};
  mutation_summary summary{};
};

/// The tests assert their first values.
mutation_outcome without_mutants(std::vector<judged> tests, std::string why);

/// Builds the mutants of the unit, or the wanted ones alone, and judges the tests with them. Where that cannot be, the
/// tests assert their first values, and the summary says why.
mutation_outcome by_mutants(const build::build_tree& tree, subject& of, const call_program& program,
                            const std::vector<mutant_text>& wanted, std::vector<judged> tests,
                            const std::vector<individual>& others, const test_maker& with,
                            const mutation_limits& limits, system::observer& told);

/// What these tests kill together.
void count_kills(const std::vector<test_case>& tests, mutation_summary& into);

/// "src/a.cpp:3: ror: a < b -> a <= b; and 2 more"
std::string described(const std::vector<std::uint32_t>& killed, const std::vector<unit_mutant>& mutants);

}  // namespace morph::generate
