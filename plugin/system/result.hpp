// What can fail for reasons that a user can mend: a value, or one line that says what happened and what to do.
#pragma once

#include <string>
#include <tl/expected.hpp>

namespace morph {

template <typename Value>
using result = tl::expected<Value, std::string>;

}  // namespace morph
