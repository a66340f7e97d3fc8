// morph spec breed: a pool is bred towards metrics of sets.
#pragma once

#include <string>
#include <vector>

#include "plugin/build/build_tree.hpp"
#include "plugin/command/options.hpp"

namespace morph::command {

/// `words` begin with `breed`. The exit status.
int breed_pool(const build::build_tree& tree, const build::suite& suite, const std::vector<std::string>& words,
               const common_options& common);

}  // namespace morph::command
