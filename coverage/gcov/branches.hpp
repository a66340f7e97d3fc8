// Which arcs of a flow graph are outcomes of a branch.
#ifndef MORPH_COVERAGE_GCOV_BRANCHES_HPP
#define MORPH_COVERAGE_GCOV_BRANCHES_HPP

#include <cstdint>
#include <vector>

#include "coverage/gcov/note.hpp"

namespace morph::gcov {

struct branch {
  std::uint32_t block;
  std::uint32_t arc;  // index into note_function::arcs
  bool is_throw;      // control leaves a call by an exception
  bool decides;       // another way on than an exception exists: the sole return of a call is no decision
};

// The arcs that gcov calls branches, a block at a time, those of a block by their destination: all of a block that has
// several ways on, but for calls that do not return. O(arcs log arcs).
std::vector<branch> branches_of(const note_function& function);

}  // namespace morph::gcov

#endif
