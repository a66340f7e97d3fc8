// Taking the best of what only gets worse, without looking at all of it each time.
#pragma once

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

namespace morph::optimizer {

/// The best candidate is taken, then the best of the others as they are by then, and so on (Minoux 1978: lazy, since
/// what is taken makes no other better). `is_worse` is a total order, so that equal candidates give equal choices.
/// `refresh`: a candidate as it is now, nothing if it is of no use any more.
template <typename Candidate, typename IsWorse, typename Refresh, typename Take>
void take_lazily(std::vector<Candidate> candidates, IsWorse is_worse, Refresh refresh, Take take) {
  std::make_heap(candidates.begin(), candidates.end(), is_worse);
  while (!candidates.empty()) {
    std::pop_heap(candidates.begin(), candidates.end(), is_worse);
    std::optional<Candidate> now = refresh(std::as_const(candidates.back()));
    if (now && *now != candidates.back()) {
      candidates.back() = std::move(*now);
      std::push_heap(candidates.begin(), candidates.end(), is_worse);
      continue;
    }
    candidates.pop_back();
    if (now) take(*now);
  }
}

}  // namespace morph::optimizer
