// Names of C++ functions.
#pragma once

#include <string>

namespace morph::system {

/// As people write it; a symbol that is not mangled stays as it is.
std::string demangled(const std::string& symbol);

}  // namespace morph::system
