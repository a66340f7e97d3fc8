// `morph spec refresh`: the pools of suites declared with POOL, explored anew, measured and reduced.
#pragma once

#include <string>
#include <vector>

#include "plugin/build/build_tree.hpp"
#include "plugin/command/options.hpp"

namespace morph::command {

/// Of `only`, or of all suites that have a pool. `words`: refresh and what follows it; what is not ours is for the
/// program's own `run`. The exit status: 1 if exploring violated a relation.
int refresh_pools(const build::build_tree& tree, const build::suite* only, const std::vector<std::string>& words,
                  const common_options& common);

}  // namespace morph::command
