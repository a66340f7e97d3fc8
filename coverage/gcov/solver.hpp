// From the counters of the instrumented arcs to the counts of all arcs, by conservation of flow.
#ifndef MORPH_COVERAGE_GCOV_SOLVER_HPP
#define MORPH_COVERAGE_GCOV_SOLVER_HPP

#include <cstdint>
#include <span>
#include <vector>

#include "coverage/gcov/note.hpp"

namespace morph::gcov {

// Where flow is conserved. GCC ends a block at a call that may not come back, and has an arc for that. Clang has not:
// what leaves a block may be less than what enters it.
enum class conservation : std::uint8_t { everywhere, before_calls };

// Which sums give the arcs that carry no counter: worked out once per function from its graph, O(arcs), then replayed
// per test, O(arcs). What flows into a block flows out of it, the entry and the exit excepted, so the solution is
// unique and does not depend on the order; a crash or a lost update only makes some counts wrong, possibly negative.
class flow {
 public:
  flow(std::uint32_t blocks, std::span<const arc> arcs, conservation where = conservation::everywhere);

  std::uint32_t arcs() const { return arcs_; }
  std::uint32_t counters() const { return static_cast<std::uint32_t>(counted_.size()); }

  // counts[i]: how often arc counted()[i] was taken. Sums wrap around, as the program's own counters do.
  std::span<const std::uint32_t> counted() const { return counted_; }
  // Arcs whose count does not follow: none in what GCC writes; in what Clang writes, a few in loops. They count
  // as 0 in solve().
  std::span<const std::uint32_t> unsolved() const { return unsolved_; }

  // In: the counted arcs' entries hold their counters, all others are 0. Out: every entry holds its arc's count.
  void solve(std::span<std::int64_t> arc_counts) const;

 private:
  void plan_everywhere(std::uint32_t blocks, std::span<const arc> arcs);
  void plan_before_calls(std::uint32_t blocks, std::span<const arc> arcs);

  std::uint32_t arcs_ = 0;
  std::vector<std::uint32_t> counted_;
  std::vector<std::uint32_t> unsolved_;
  // A step is: target arc, number of added arcs, number of subtracted arcs, the former, the latter.
  std::vector<std::uint32_t> steps_;
};

// A block was executed if any arc at it was taken: with conserved flow the same as a count above zero; after a crash,
// when counts may be wrong, more. `executed` has one entry per block and is only ever set.
void mark_executed_blocks(const flow& solved, std::span<const arc> arcs, std::span<const std::int64_t> arc_counts,
                          std::span<std::uint8_t> executed);

}  // namespace morph::gcov

#endif
