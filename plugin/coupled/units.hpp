// Where the project's own sources branch, as Clang says; kept from call to call.
#pragma once

#include <cstddef>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <vector>

#include "plugin/build/build_tree.hpp"
#include "plugin/system/observer.hpp"
#include "plugin/system/result.hpp"

namespace morph::coupled {

/// What `morph-source` answers for its task "branches", a value for each unit of the production code; of all units if
/// the project has tests alone. Files are named from `root`, those outside of it as they are. Reads again only units of
/// which a command, a source or a header changed, and without a limit those that had errors, too; an error if these are
/// more than `most_unread`.
result<std::vector<nlohmann::json>> read_units(const build::build_tree& tree, const std::filesystem::path& root,
                                               std::size_t most_unread, system::observer& told);

}  // namespace morph::coupled
