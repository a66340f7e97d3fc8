// morph spec state: what experiments have left, as one file.
#pragma once

#include <string>
#include <vector>

#include "plugin/command/workspace.hpp"

namespace morph::command {

/// `words`: behind `state`. The exit code.
int run_state(const project::build_tree& tree, std::vector<std::string> words, const common_options& common);

/// What a state that was loaded says: the seed of `morph spec` and `morph script play`, if MORPH_SEED says none.
std::optional<std::uint64_t> kept_seed(const project::build_tree& tree);

}  // namespace morph::command
