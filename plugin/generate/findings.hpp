// Crashes, hangs and ends of the program that a search met: the shortest sequence of each, and whose fault it likely
// is.
#pragma once

#include <string>
#include <vector>

#include "plugin/generate/model.hpp"
#include "plugin/generate/search.hpp"
#include "plugin/system/observer.hpp"

namespace morph::generate {

struct explained_finding {
  finding shortest{};
  std::string misuse{};  // why it is likely no fault; empty: it likely is one
};

struct finding_ground {
  const model& in;
  const api& calls;
  const literal_table& literals;
  served_program& served;
  const evaluator& alone;  // each sequence in a process of its own
};

/// Likely faults first. What does not happen again is left out.
result<std::vector<explained_finding>> shortest_findings(const std::vector<finding>& all, const finding_ground& with,
                                                         system::observer& told);

/// How it ended: "it was killed by signal 11 (Segmentation fault)".
std::string described(const outcome& of);

}  // namespace morph::generate
