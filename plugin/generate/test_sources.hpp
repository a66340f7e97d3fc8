// Which sources are tests or examples of what is under test.
#pragma once

#include <vector>

#include "plugin/build/build_tree.hpp"
#include "plugin/build/compile_commands.hpp"
#include "plugin/generate/subject.hpp"
#include "plugin/system/result.hpp"

namespace morph::generate {

/// Sources of programs that link the unit, but of no library; where the unit is compiled into the program itself, or
/// has headers only, those that include a test framework or have main(). Those that name the unit first, at most 40.
/// What `morph generate` wrote is none.
result<std::vector<build::compile_unit>> test_sources(const build::build_tree& tree, const subject& of);

}  // namespace morph::generate
