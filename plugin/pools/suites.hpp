// The suites of specs of a build tree: which one is meant, which have pools.
#pragma once

#include <string>
#include <vector>

#include "plugin/build/build_tree.hpp"
#include "plugin/contract/failure.hpp"

namespace morph::pools {

bool has_specs(const build::build_tree& tree);

/// The suite of specs of that name; without a name the only one, or, if `any_will_do`, one that is built, if there is
/// one.
contract::outcome<const build::suite*> choose_suite(const build::build_tree& tree, const std::string& name,
                                                    bool any_will_do);

/// An error says how the program of the suite is built that is not there.
result<void> check_built(const build::build_tree& tree, const build::suite& suite);

/// Of `only`, or of all suites of specs: those that have a pool. An error if there is none.
contract::outcome<std::vector<const build::suite*>> suites_with_pool(const build::build_tree& tree,
                                                                     const build::suite* only);

}  // namespace morph::pools
