// What is asked of a run that observes mutants.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "coverage/observation/difference.hpp"

namespace morph::observing {

/// A mutant of the last result of `morph mutate`: its file there, and its place in the file's mutants.
struct wanted_mutant {
  std::uint32_t file = 0;
  std::uint32_t mutant = 0;
  std::string id{};  // as people call it; empty: `file:line:column:operator`
};

struct request {
  std::vector<wanted_mutant> mutants{};  // none: survivors
  std::size_t most = 10;                 // of these survivors
  unsigned runs = 10;                    // of each test without mutants, and of a mutant that differs in the first one
  unsigned jobs = 0;                     // 0: one a processor
  std::size_t most_tests = 100;          // of a mutant: those that reach the least come first
  std::optional<observation::level> only{};  // one stage alone
  bool is_null = false;  // the mutants have the original's text: whatever differs is a fault of Morph's
};

}  // namespace morph::observing
