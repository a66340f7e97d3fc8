// morph diff: which functions differ between two builds.
#pragma once

#include <string>
#include <vector>

#include "plugin/build/build_tree.hpp"
#include "plugin/changes/code_changes.hpp"
#include "plugin/system/result.hpp"

namespace morph::changes {

/// Of two build trees that are configured alike, by path: programs and shared libraries that one of them has.
result<std::vector<link_difference>> differences_between(const std::string& before, const std::string& after);

/// Of a build tree and what was measured.
result<std::vector<link_difference>> differences_since_baseline(const build::build_tree& tree);

/// Schema morph.diff/1, with an end of line.
std::string as_json(const std::vector<link_difference>& differences);
/// For people.
std::string as_text(const std::vector<link_difference>& differences);

}  // namespace morph::changes
