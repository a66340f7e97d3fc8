// Text in HTML and SVG, and templates of pages.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace morph::writing {

/// In elements and in attributes within double quotes. Control characters that XML has no way to write become blanks.
std::string escaped(std::string_view text);

/// The template with what stands for each name in place of its first `@name@`. What is put in is not looked through.
std::string filled(std::string_view page, const std::vector<std::pair<std::string_view, std::string_view>>& values);

}  // namespace morph::writing
