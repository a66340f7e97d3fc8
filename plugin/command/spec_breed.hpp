// morph spec breed: a pool is bred towards metrics of sets.
#pragma once

#include <string>
#include <vector>

#include "plugin/command/command.hpp"
#include "plugin/project/build_tree.hpp"

namespace morph::command {

/// `words` begin with `breed`. The exit status.
int breed_pool(const project::build_tree& tree, const project::suite& suite, const std::vector<std::string>& words,
               const common_options& common);

}  // namespace morph::command
