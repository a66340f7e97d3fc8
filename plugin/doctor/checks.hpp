// The checks of `morph doctor`.
#pragma once

#include <string>
#include <vector>

#include "plugin/doctor/rows.hpp"

namespace morph::doctor {

/// Gathers the facts about the build tree in this folder (empty: the nearest one) and judges them. Starts compilers and
/// their tools, reads the store, changes nothing.
std::vector<check_row> check(const std::string& build_folder);

}  // namespace morph::doctor
