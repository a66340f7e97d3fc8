// Markdown for comments on pull requests: names and sources may hold any bytes, and mean themselves.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace morph::report {

/// A code span, on one line: between as many back quotes as keep those within it. Of an empty text nothing.
std::string as_code(std::string_view text);

/// A sentence, on one line. It has code between back quotes already; other marks mean themselves.
std::string as_sentence(std::string_view text);

/// On one line, with "..." in place of what comes after so many bytes; no character is cut.
std::string shortened(std::string_view text, std::size_t most);

}  // namespace morph::report
