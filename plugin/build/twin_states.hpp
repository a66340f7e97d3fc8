// The mutation twin has two states with the same paths: as tests judge mutants, and with sources that are observed. One
// is in place, the other lies beside it with all that was built.
#pragma once

#include "plugin/build/build_tree.hpp"
#include "plugin/system/result.hpp"

namespace morph::build {

/// Puts the observed state in place: that of the last time, or a copy of the other one if that was built or configured
/// since. What compilers and linkers write, they write anew: the copy links to it.
result<void> put_observed_twin(const build_tree& tree);

/// Puts the other one in place. Does nothing if it is there.
result<void> put_judging_twin(const build_tree& tree);

}  // namespace morph::build
