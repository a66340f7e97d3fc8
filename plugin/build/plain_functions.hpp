// Functions as most are: of which the body is code that runs when they are called, and nothing else.
#pragma once

#include <string_view>

#include "plugin/build/known_words.hpp"
#include "plugin/build/source_functions.hpp"

namespace morph::build {

/// What the function is called in demangled names: a word, or `operator` with its signs. Empty if it is not certain
/// that it is one, is compiled apart from its callers, and has a type that does not follow from its body.
std::string_view plain_name_of(const source_function& function, const known_words& words);

}  // namespace morph::build
