// What tests do that ctest runs becomes evidence, without a measurement: plans prepare the tests that have no valid row,
// and take in what the last run recorded.
//
// Evidence is kept in <build>/.morph/learned.db, a store like any other, until `morph record` takes it over.
#pragma once

#include <cstddef>
#include <optional>

#include "plugin/build/build_tree.hpp"
#include "plugin/planning/planning.hpp"
#include "plugin/system/result.hpp"

namespace morph::learning {

/// Takes in the records of tests that ran since: the number of new rows. Nothing happens in a tree without probes.
result<std::size_t> absorb(const build::build_tree& tree);

/// Has ctest run the tests that the plan selects in such a way that they are recorded. Nothing, if there is nothing to
/// learn, or if it would not be known what was learned; an error says in one line why that is so.
result<std::optional<planning::test_recording>> prepare(const build::build_tree& tree, const planning::full_plan& plan);

/// Moves what was learned to the store: the number of measurements.
result<std::size_t> keep(const build::build_tree& tree);

}  // namespace morph::learning
