// A copy of the source tree, in which some files are others.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "plugin/build/build_tree.hpp"

namespace morph::build {

/// Makes `mirror` hold what `source` holds, but the files of `replaced` (by path from the root) with these contents;
/// without one, with what they have there now.
/// Not copied: `.git`, Morph's own folders, build trees, and the folders of `without`. Links are links to the same. A
/// file whose content stays is not touched; one that is gone goes. Nothing is ever written outside of `mirror`. Returns
/// how many files were written.
result<std::size_t> update_mirror(const std::filesystem::path& source, const std::filesystem::path& mirror,
                                  const std::vector<std::filesystem::path>& without,
                                  const std::map<std::string, std::optional<std::string>>& replaced);

/// Puts links beside the mirror, and beside the folders around it, to what lies there beside `source`: as far as its
/// repository goes, and one folder around all. `mirror` ends with the path of `source`.
result<void> link_neighbours(const std::filesystem::path& source, const std::filesystem::path& mirror);

/// The files that a mirror of `source` holds, by their paths from there, sorted; links among them.
result<std::vector<std::string>> mirrored_files(const std::filesystem::path& source,
                                                const std::vector<std::filesystem::path>& without);

}  // namespace morph::build
