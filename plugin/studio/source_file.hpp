// Texts of files for pages: of the repository and the build tree alone.
#pragma once

#include <cstddef>
#include <string>

#include "plugin/studio/message.hpp"
#include "plugin/studio/settings.hpp"

namespace morph::studio {

inline constexpr std::size_t longest_source = std::size_t{16} << 20;

/// `file`: relative to the repository, or else to the build tree, or absolute. 403 if the file, all links followed,
/// lies in neither of them; 404 if there is none; 413 if it is longer than `longest`.
answer source_file(const std::string& file, const settings& of, std::size_t longest = longest_source);

}  // namespace morph::studio
