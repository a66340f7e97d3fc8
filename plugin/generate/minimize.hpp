// From an archive to tests: few, short, and each for something that no other one reaches.
#pragma once

#include <vector>

#include "plugin/generate/search.hpp"

namespace morph::generate {

struct kept_test {
  individual one{};
  std::vector<std::uint32_t> goals{};  // that it is kept for
};

/// A set of the archive's sequences that reaches all its goals (greedy), each without the calls that its goals do not
/// need. Literals become plainer where the goals stay reached. `evaluate` runs each sequence in a process of its own.
result<std::vector<kept_test>> minimized(const search_result& found, const api& of, literal_table& literals,
                                         const evaluator& evaluate);

/// Without the calls that the goals of `one` do not need, and with plainer literals: one step of minimized().
result<void> shortened(kept_test& one, const api& of, literal_table& literals, const evaluator& evaluate);

/// The same for what crashed or the like: it still ends so, at the same callable. Without calls: in a process of its
/// own it does not.
result<finding> minimized_finding(const finding& of, const evaluator& evaluate);

}  // namespace morph::generate
