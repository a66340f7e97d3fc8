// Pieces of Markdown.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace morph::reference {

std::string code(std::string_view text);

/// Outside code, `<suite>` would be taken for HTML.
std::string prose(std::string text);

/// With an empty line behind it.
std::string table(const std::vector<std::string>& head, const std::vector<std::vector<std::string>>& rows);

}  // namespace morph::reference
