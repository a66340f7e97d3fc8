// Configuring and building the instrumented twin of a build tree.
#pragma once

#include <string>

#include "plugin/project/build_tree.hpp"

namespace morph::project {

struct twin_options {
  unsigned jobs = 0;         // 0 = as many as there are processors
  bool show_output = false;  // else it goes to <build>/.morph/twin.log
};

/// Configures the twin in tree.twin_dir() from the cache snapshot and builds the test programs there. The error holds
/// the end of what CMake or the compiler said.
result<build_tree> build_twin(const build_tree& tree, const twin_options& options);

}  // namespace morph::project
