// New lines of a source in the style of the project.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace morph::explain {

/// By the .clang-format that counts for the file, if the project has one, and the program; other lines stay as they
/// are. `lines`: first and last, from 1.
std::string formatted_lines(const std::string& text, const std::vector<std::pair<std::uint32_t, std::uint32_t>>& lines,
                            const std::filesystem::path& as, const std::filesystem::path& root);

}  // namespace morph::explain
