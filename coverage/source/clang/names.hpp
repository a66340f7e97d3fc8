// Functions as reports name them.
#pragma once

#include <string>

namespace clang {
class FunctionDecl;
}

namespace morph::source {

/// `ns::C::m(int, const std::string &)`. Of an instance of a template: of its pattern.
std::string function_name(const clang::FunctionDecl& function);

}  // namespace morph::source
