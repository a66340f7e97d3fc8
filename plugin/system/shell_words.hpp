// Command lines as a shell takes them apart, and such lines.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace morph::system {

/// Quotes and backslashes as in a POSIX shell, which is how CMake writes commands; no variables, no globs.
std::vector<std::string> shell_words(std::string_view line);

/// One line that a POSIX shell takes for these words, whatever they hold.
std::string shell_line(const std::vector<std::string>& words);

}  // namespace morph::system
