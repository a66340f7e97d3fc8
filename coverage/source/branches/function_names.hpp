// Functions as branches and calls name them.
#pragma once

#include <string>

namespace clang {
class FunctionDecl;
}

namespace morph::source {

/// As it is first declared, so that calls and definitions agree: `f(int)` may be defined as `f(const int x)`.
std::string name_with_const(const clang::FunctionDecl& of);

/// What is written once: of instances the pattern.
const clang::FunctionDecl& written_one(const clang::FunctionDecl& function);

}  // namespace morph::source
