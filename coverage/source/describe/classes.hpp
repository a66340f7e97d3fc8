// Describes classes of an API: how they are made and destroyed, what derives from them, what a stub has to implement.
#pragma once

#include "coverage/source/describe/api.hpp"
#include "coverage/source/describe/types.hpp"

namespace morph::source {

/// By their names in the table. "derived" are those whose objects can be made; "pure" the functions that a stub has to
/// implement, and "stub" is whether one could be written.
nlohmann::json describe_classes(const found_api& api, type_table& types);

}  // namespace morph::source
