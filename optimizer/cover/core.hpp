// What is left of a covering problem when all that is certain is decided.
#pragma once

#include <cstdint>
#include <vector>

#include "optimizer/cover/problem.hpp"

namespace morph::optimizer {

struct cover_core {
  cover_problem problem;             // the tests and classes that are left; each class weighs 1
  std::vector<std::uint32_t> tests;  // by test of it: its number in the whole
  std::vector<std::uint32_t> taken;  // tests of the whole that are taken in any case, ascending
};

/// A cheapest set that covers everything in the core, with the tests that are taken, is a cheapest one of the whole. A
/// test that alone covers a class is taken; a class goes if whatever covers some other class covers it, too; a test
/// goes if another one, which is not dearer, covers all that it covers of the rest; and again, until nothing changes
/// (Beasley 1987). Of long rows and columns only a part is looked at, so that little is left undecided, and no pair of
/// classes or tests is compared in vain. Memory: the pairs of classes twice.
cover_core core_of(const cover_problem& problem);

}  // namespace morph::optimizer
