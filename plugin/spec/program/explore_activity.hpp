// The activity `explore`, which has a command line of its own.
#pragma once

#include <string>
#include <vector>

namespace morph::engine {

/// `arguments[0]` is its name. The exit status.
int run_explore(const std::vector<std::string>& arguments, const char* program);

}  // namespace morph::engine
