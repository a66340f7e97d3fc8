// Which mutants a sequence of calls kills, and by which of its values.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "plugin/generate/assertions.hpp"
#include "plugin/generate/mutants.hpp"
#include "plugin/generate/served_program.hpp"
#include "plugin/oracles/fewest_assertions.hpp"

namespace morph::generate {

/// What a mutant changes in what a test sees.
struct difference {
  bool anyway = false;                  // the test ends otherwise: it fails whatever it asserts
  std::vector<std::uint32_t> values{};  // places in observed_test::stable
};

/// `original`, `mutant`: what the calls of the test did in one program. A value that `original` lacks counts for
/// nothing, and so does a mutant that lacks an object or is refused: a test might go on there.
difference differing(const observed_test& of, const outcome& original, const outcome& mutant);

/// Runs sequences with mutants, each in a process of its own, until the limit.
class mutant_judge {
 public:
  /// `used(runs)`: the part of what it may use that so many runs have used. None begins when that is above the limit.
  mutant_judge(const std::vector<unit_mutant>& mutants, served_program& served, const literal_table& literals,
               std::function<double(std::uint64_t)> used);

  /// What each of these tests kills of `among` (numbers of mutants, ascending). Each mutant runs with the test that
  /// reaches most, then with the next one, all mutants in turn, until enough tests have killed it.
  result<std::vector<oracles::judged_test>> judge(const std::vector<observed_test>& tests,
                                                  std::span<const std::uint32_t> among);

  /// For each test the mutants of `among` that it evaluates with another value, as goals: 0, reached, are those that
  /// change what it sees, at distance 1 the others. All in few processes, so that one may disturb another. What can be
  /// no test has none. Calls behind a test's own that end it are left out.
  result<std::vector<outcome>> goals_of(std::vector<observed_test> all, std::span<const std::uint32_t> among);

  void allow(double limit) { limit_ = limit; }
  bool is_over() const { return used_(runs_) >= limit_; }
  std::uint64_t runs() const { return runs_; }
  /// Mutants that a test has reached with another value; of those the ones that some tests were not run with in time.
  std::size_t reached() const;
  std::size_t not_judged() const;

 private:
  struct item {
    std::uint32_t test = 0, mutant = 0;
    std::uint32_t most_evaluations = 0;
  };
  result<std::vector<outcome>> run(const std::vector<mutated_run>& all, std::uint32_t flags);
  result<std::vector<outcome>> recorded(std::vector<observed_test>& all);
  std::vector<std::vector<item>> infecting(const std::vector<outcome>& originals, std::span<const std::uint32_t> among);

  const std::vector<unit_mutant>& mutants_;
  served_program& served_;
  const literal_table& literals_;
  std::function<double(std::uint64_t)> used_;
  double limit_ = 1;
  std::vector<std::vector<std::uint32_t>> of_node_;  // mutants
  std::vector<bool> reached_, killed_, is_open_;     // by mutant
  std::uint64_t runs_ = 0;
};

}  // namespace morph::generate
