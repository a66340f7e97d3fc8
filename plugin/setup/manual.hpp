// The manual of the CMake module, as reference.md has it.
#pragma once

#include <string>
#include <string_view>

namespace morph::setup {

/// `module`: a file that begins with its manual, in the few forms of reStructuredText that ours uses: underlined
/// titles, literal blocks, `command` directives, definition lists, double backquotes. Empty without one.
std::string manual_as_markdown(std::string_view module);

}  // namespace morph::setup
