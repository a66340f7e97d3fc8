// `morph spec refresh`: the pools of suites declared with POOL, explored anew, measured and reduced.
#pragma once

#include <string>
#include <vector>

#include "plugin/command/command.hpp"
#include "plugin/project/build_tree.hpp"

namespace morph::command {

/// Of `only`, or of all suites that have a pool. `words`: refresh and what follows it; what is not ours is for the
/// program's own `run`. The exit status: 1 if exploring violated a relation.
int refresh_pools(const project::build_tree& tree, const project::suite* only, const std::vector<std::string>& words,
                  const common_options& common);

}  // namespace morph::command
