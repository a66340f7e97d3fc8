// How many coupled branches the measured tests cover, for summaries.
#pragma once

#include <cstddef>
#include <string>

namespace morph::report {

struct pair_tally {
  std::size_t covered = 0;    // one test took both
  std::size_t uncovered = 0;  // no test can have taken both
  std::size_t unknown = 0;    // not mapped: a test may have
  std::size_t changed = 0;    // since the measurement, and left out

  std::size_t known() const { return covered + uncovered; }
  bool is_empty() const { return known() + unknown + changed == 0; }
  pair_tally& operator+=(const pair_tally& other) {
    covered += other.covered;
    uncovered += other.uncovered;
    unknown += other.unknown;
    changed += other.changed;
    return *this;
  }
  bool operator==(const pair_tally&) const = default;
};

struct coupled_figure {
  pair_tally pairs{};
  std::string missing{};  // why there is none
};

}  // namespace morph::report
