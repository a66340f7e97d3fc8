// How likely the first tests of an order, and single tests, are to find a fault.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace morph::optimizer {

/// A known fault: which of `tests` tests in their order found it first, from 1.
struct found_fault {
  std::size_t first = 1;
  std::size_t tests = 1;
  bool operator==(const found_fault&) const = default;
};

/// Those that say something of an order of `tests`: found in one of a third to three times as many, and of two at
/// least.
std::vector<found_fault> comparable_faults(std::span<const found_fault> known, std::size_t tests);

/// So many known faults it takes to promise a probability (split conformal prediction): p / (1 - p).
std::size_t faults_needed(double probability);

/// The fewest tests at the beginning of an order of `tests` that find a fault with at least this probability, if all of
/// them together find it: by split conformal prediction (Papadopoulos et al. 2002), with the place log(first) /
/// log(tests + 1) as the score, among comparable faults (Mondrian conformal prediction, Vovk et al. 2005: orders of all
/// sizes together promise too much of long ones). What is promised holds as far as the fault is one like the known ones
/// (they are exchangeable), on average over known faults. Too few comparable ones are known (faults_needed()), or
/// probability 1: all. `known`: first <= tests. `probability`: above 0 and at most 1, else std::invalid_argument.
std::size_t fewest_to_find(double probability, std::span<const found_fault> known, std::size_t tests);

/// The largest probability that fewest_to_find() promises for so few tests.
double found_within(std::size_t first, std::size_t tests, std::span<const found_fault> known);

/// A fault and the tests that execute it: which of them fail.
struct known_kills {
  std::vector<std::uint32_t> executing;
  std::vector<bool> kills;  // of each of these
};

/// By test, the probability that it finds a fault that it executes: kills in parts of executions, drawn to the rate of
/// all tests as if each had executed ten faults more.
std::vector<double> kill_rates(std::span<const known_kills> faults, std::size_t tests);

/// kill_rates(), as far as they are worth it.
struct detection_rates {
  std::vector<double> of_test;
  double base = 0;           // of all tests together
  double brier = 0;          // mean squared error on faults held out
  double base_brier = 0;     // the same with the base rate for every test
  bool are_learned = false;  // false: of_test is the base rate, since what was learned is no better than that
};

/// What single tests did counts only if it beats the rate of all tests on held-out faults: by the mean Brier score
/// (Brier 1950) over 20 splits into halves; too few faults, none. Deterministic.
detection_rates learn_detection(std::span<const known_kills> faults, std::size_t tests);
inline constexpr std::size_t fewest_faults_to_learn = 10;

}  // namespace morph::optimizer
