// What the build reads though git does not track it, as part of the measured content.
#pragma once

#include <set>
#include <string>

#include "plugin/build/build_tree.hpp"
#include "plugin/build/dependencies.hpp"
#include "plugin/git/repository.hpp"
#include "plugin/selection/file_kind.hpp"
#include "plugin/system/result.hpp"
#include "plugin/workspace/snapshot.hpp"
#include "plugin/workspace/watched_files.hpp"

namespace morph::measuring {

/// Adds untracked and ignored files, and files outside of the repository, that compilers (`dependencies`) and the build
/// description (`described`) read. Not the system's headers, nor products of the build, nor Morph's own runtime.
///
/// The id of the content is that without files that git ignores: another build may read others of them.
result<std::string> add_read_files(workspace::snapshot& to, workspace::watched_files& files,
                                   const build::build_tree& tree, const workspace::outside_rules& rules,
                                   const git::repository& repo, const selection::file_kinds& kinds,
                                   const build::dependency_map& dependencies, const std::set<std::string>& described);

}  // namespace morph::measuring
