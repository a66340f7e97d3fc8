// morph spec state: what experiments have left, as one file.
#pragma once

#include <string>
#include <vector>

#include "plugin/build/build_tree.hpp"

namespace morph::command {

/// `words`: behind `state`. The exit code.
int run_state(const build::build_tree& tree, std::vector<std::string> words, bool as_json);

}  // namespace morph::command
