// Which of all that tests could assert is worth it: the fewest assertions that kill what can be killed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace morph::oracles {

/// A test, what it kills without any assertion (it crashes, it throws), and what each value that it could assert kills.
/// Values that a reader would rather see come first; the first `own` of them are what the test is about. Mutants are
/// any numbers.
struct judged_test {
  std::vector<std::uint32_t> kills{};
  std::vector<std::vector<std::uint32_t>> values{};
  std::size_t own = 0;
};

/// By test: places in its values, ascending, at most `most` of them. Together they kill all that any values do and no
/// test kills anyway, as far as `most` allows; a cheapest set by minimal_set(), in which own values cost
/// little. A test asserts its first value beside, if that is an own one which kills anything, or if it asserts nothing
/// else. Deterministic.
std::vector<std::vector<std::uint32_t>> fewest_assertions(const std::vector<judged_test>& tests, std::size_t most);

}  // namespace morph::oracles
