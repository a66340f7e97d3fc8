// Texts that stand in C++ sources: what a parser looks for is often in a constant.
#pragma once

#include <string>
#include <vector>

namespace morph::generate {

/// Those between quotes without escapes, of up to 16 bytes; not the names of included files.
std::vector<std::string> short_texts(const std::string& source);

/// Characters between quotes, likewise, each once.
std::string characters_of(const std::string& source);

}  // namespace morph::generate
