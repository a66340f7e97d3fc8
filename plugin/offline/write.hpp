// Writes a page and its parts.
#pragma once

#include <filesystem>

#include "plugin/offline/assemble.hpp"
#include "plugin/system/result.hpp"

namespace morph::offline {

/// The stem that parts of the page at `file` have: its name without .html.
std::string stem_of(const std::filesystem::path& file);

/// Parts first, each by renaming, so that a page never names what is not there; then parts of an earlier, longer
/// report go.
result<void> write(const assembled& what, const std::filesystem::path& file);

/// What was written, of schema morph.report-html/1.
std::string as_json(const assembled& what, const collected& of, const std::filesystem::path& file);

}  // namespace morph::offline
