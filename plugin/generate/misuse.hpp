// Whether a crash is likely the code's fault, or the sequence's, which a person would not have written.
#pragma once

#include <string>

#include "plugin/generate/literals.hpp"
#include "plugin/generate/model.hpp"
#include "plugin/generate/search.hpp"

namespace morph::generate {

/// Why the finding is likely a misuse of the API; empty: it is likely a fault. A guess: a null pointer for a parameter
/// or of a stub, a failed assertion, an object behind a pointer, reference or view that an earlier call may have made
/// invalid, an iterator, a text for a `void*`, an object that is passed to itself, a huge number.
std::string misuse_in(const finding& of, const model& in, const api& as, const literal_table& literals);

}  // namespace morph::generate
