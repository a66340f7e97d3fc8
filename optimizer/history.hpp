// What earlier verdicts say of the next ones.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace morph::optimizer {

/// Of one test, oldest first: whether it failed.
using verdicts = std::vector<bool>;

/// How likely each test is to fail the next time, as numbers that sort; tests in declared order, since neighbours often
/// fail alike. The mean of a rate that forgets fast (exponentially weighted, 0.7 for the last verdict) and of one that
/// forgets slowly (counts that lose a twentieth a run, beside half a failure in one run that nobody has seen), and a
/// tenth of what the fifteen tests with verdicts on either side do. A test without verdicts is taken to fail as often
/// as not. `./dev bench orders` compares that with an exponentially weighted failure rate alone.
std::vector<double> failure_rates(std::span<const verdicts> tests);

/// How soon failures come (Rothermel et al. 2001), between 0 and 1: 1 - sum of their places / (tests x failures) + 1 /
/// (2 x tests). `failed`: of the tests in the order in which they run. Nothing failed: 1.
double apfd(const std::vector<bool>& failed);

/// The same by cost (APFDc, Elbaum et al. 2001, all failures equally severe): costs that are left when a failure is
/// found, and half of its test's, in parts of all.
double apfd_by_cost(const std::vector<bool>& failed, std::span<const std::int64_t> cost_us);

/// Normalized APFD (Qu et al. 2007) of the first `run` tests of an order: p - sum of the places of what they find /
/// (run x failures) + p / (2 x run), where p is the part of the failures that they find.
double napfd(const std::vector<bool>& failed, std::size_t run);

}  // namespace morph::optimizer
