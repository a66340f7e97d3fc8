// Running some tests once more, to see whether one run tells what they do.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "plugin/store/store.hpp"

namespace morph::measuring {

/// Tests that run once more, to see whether they do the same again, and what that found. It takes a twentieth of the
/// time of all tests, or a second.
class repeats {
 public:
  repeats() = default;
  explicit repeats(std::set<std::uint32_t> chosen) : chosen_(std::move(chosen)) {}

  bool is_chosen(std::uint32_t test) const { return chosen_.count(test) != 0; }
  void add_measured(const store::measured_test& facts) { measured_us_ += facts.wall_us; }
  /// Whether there is time for a test that took this long. Then it counts as spent.
  bool take(const store::measured_test& facts);

  std::vector<std::string> unsteady;  // ctest names

 private:
  std::set<std::uint32_t> chosen_;  // in the writer's numbers
  std::int64_t measured_us_ = 0, repeated_us_ = 0;
};

/// A fiftieth of them, at least 16; which ones depends on their names and on `content` alone, so that those of other
/// contents are others.
std::set<std::uint32_t> choose_repeated(const std::map<std::string, std::uint32_t>& tests, const std::string& content);

/// Seconds that a test may take again, at most `whole` (0 and less: without end): it may wait for what comes once only.
double limit_of_repeat(const store::measured_test& first, double whole);

struct session;  // measure_program.hpp

/// Whether two rows are of tests that executed the same and opened the same files of the repository.
bool is_alike(const session& m, std::span<const store::element> row, std::span<const store::element> other);

}  // namespace morph::measuring
