// Functions that every test enters: what a program does at its start, and what its test framework does.
#pragma once

#include <string>

#include "coverage/probe/table.hpp"
#include "plugin/build/build_tree.hpp"
#include "plugin/store/evidence.hpp"

namespace morph::measuring {

/// By the rows of `base`: those that each test of the program at `path` (relative to the build tree) entered, of a
/// shared library each test of all programs. Empty if fewer than eight tests say so.
probe::symbols functions_of_every_test(const store::evidence& base, const build::build_tree& tree,
                                       const std::string& path);

}  // namespace morph::measuring
