// Changes of a source that can matter only through the code of its own translation units, told from the text alone.
#pragma once

#include <cstdint>

#include "plugin/git/repository.hpp"
#include "plugin/store/evidence.hpp"

namespace morph::selection {

/// Whether every hunk of a modified file either leaves its tokens as they are (comments, blanks), or lies in the body
/// of a measured function of a source that nobody includes, declares nothing that outlives the function, leaves its
/// braces in balance; and the file uses the same names as before. Such a change brings no new initializer, no
/// new definition and no new reference to another object into a program, and changes no constant of the file. What is
/// not certain is not confined. `file`: its index in the evidence.
bool is_confined(const git::file_change& change, const store::evidence& e, std::uint32_t file);

}  // namespace morph::selection
