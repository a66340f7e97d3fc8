// Which framework's assertions a source of tests takes.
#pragma once

#include <string>

#include "plugin/build/build_tree.hpp"

namespace morph::explain {

/// gtest, catch2 or doctest: that of a header which the source includes, or which a header beside it does; else that of
/// the suites, if they have one; else gtest. `file`: from the root of the sources.
std::string framework_of_tests(const build::build_tree& tree, const std::string& file);

}  // namespace morph::explain
