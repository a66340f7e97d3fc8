// morph spec state: what experiments have left, as one file.
#pragma once

#include <string>
#include <vector>

#include "plugin/build/build_tree.hpp"

namespace morph::command {

/// `words`: behind `state`. The exit code.
int run_state(const build::build_tree& tree, std::vector<std::string> words, bool as_json);

/// What a state that was loaded says: the seed of `morph spec` and `morph script play`, if MORPH_SEED says none.
std::optional<std::uint64_t> kept_seed(const build::build_tree& tree);

}  // namespace morph::command
