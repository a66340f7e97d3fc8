// What `morph explain` is asked for.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace morph::explain {

enum class stage : std::uint8_t {
  infection,    // observes the state after calls of the function
  propagation,  // observes the state of tests, too
  suggestion,   // runs nothing: makes suggestions of what was observed
  all,
};

struct request {
  std::string named{};  // MUTANT, FUNCTION or FILE:LINE; empty: all survivors
  bool only_changed = false;
  std::string since{};  // a revision
  std::size_t most = 10;
  unsigned runs = 10;  // of the tests, with and without a mutant
  unsigned jobs = 0;   // 0: one a processor
  stage until = stage::all;
};

}  // namespace morph::explain
