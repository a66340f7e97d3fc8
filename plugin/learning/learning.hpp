// What tests do that ctest runs becomes evidence, without a measurement: plans prepare the tests that have no valid
// row, and take in what the last run recorded.
//
// Evidence is kept in <build>/.morph/learned.db, a store like any other, until `morph record` takes it over.
#pragma once

#include <cstddef>
#include <ctime>
#include <optional>

#include "plugin/build/build_tree.hpp"
#include "plugin/planning/planning.hpp"
#include "plugin/store/evidence.hpp"
#include "plugin/system/observer.hpp"
#include "plugin/system/result.hpp"

namespace morph::learning {

/// Takes in the records of tests that ran since: the number of new rows. Nothing happens in a tree without probes.
result<std::size_t> absorb(const build::build_tree& tree, system::observer& told);

/// What a plan goes by, as it is before the plan is made.
struct moment {
  timespec at{};
  store::snapshot content;
};
/// Nothing in a tree without probes, or without a repository.
std::optional<moment> now(const build::build_tree& tree);

/// Has ctest run the tests that the plan selects in such a way that they are recorded. Nothing, if there is nothing to
/// learn, or if it would not be known what was learned; an error says in one line why that is so. `before`: the plan.
result<std::optional<planning::test_recording>> prepare(const build::build_tree& tree, const planning::full_plan& plan,
                                                        const moment& before, system::observer& told);

struct kept_rows {
  std::size_t known = 0;  // tests that have a row of what was built last
  std::size_t tests = 0;  // all of it
};

/// Takes in the records that are there, and puts all that was learned into the store. Nothing, if there is none.
result<std::optional<kept_rows>> keep(const build::build_tree& tree, system::observer& told);

}  // namespace morph::learning
