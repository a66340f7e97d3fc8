// gcov's notion of a branch.
#include "coverage/gcov/branches.hpp"

#include <algorithm>

namespace morph::gcov {

std::vector<branch> branches_of(const note_function& function) {
  struct ways {
    std::uint32_t on = 0;  // arcs that are not fake
    std::uint32_t thrown = 0;
    bool is_call = false;
  };
  std::vector<ways> of_block(function.blocks);
  // A block with a call that may not return ends in it: what neither falls through nor is fake is the way of an
  // exception. The entry's fake arcs lead to where setjmp() returns.
  for (const auto& a : function.arcs) of_block[a.source].is_call |= a.fake && a.source != entry_block;
  const auto is_throw = [&](const arc& a) { return of_block[a.source].is_call && !a.fake && !a.fall_through; };
  for (const auto& a : function.arcs) {
    of_block[a.source].on += a.fake ? 0 : 1;
    of_block[a.source].thrown += is_throw(a) ? 1 : 0;
  }
  std::vector<branch> result;
  for (std::uint32_t i = 0; i < function.arcs.size(); ++i) {
    const auto& a = function.arcs[i];
    const auto& block = of_block[a.source];
    if (a.fake || block.on == 1) continue;
    result.push_back({a.source, i, is_throw(a), block.on - block.thrown > 1});
  }
  std::stable_sort(result.begin(), result.end(), [&](const branch& a, const branch& b) {
    return a.block != b.block ? a.block < b.block : function.arcs[a.arc].destination < function.arcs[b.arc].destination;
  });
  return result;
}

}  // namespace morph::gcov
