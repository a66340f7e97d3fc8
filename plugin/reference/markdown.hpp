// Pieces of Markdown.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace morph::reference {

std::string code(std::string_view text);

/// Outside code, `<suite>` would be taken for HTML.
std::string prose(std::string text);

/// Lines of at most 120 columns; all but the first begin with so many blanks, and the first may stand behind as many.
std::string wrapped(std::string_view text, std::size_t indentation);

/// With an empty line behind it. A list in its place where a row would take more than 140 columns.
std::string table(const std::vector<std::string>& head, const std::vector<std::vector<std::string>>& rows);

}  // namespace morph::reference
