// What gives GoogleTest's parameters their values: whether it can do anything else.
#pragma once

#include <map>
#include <string_view>

#include "coverage/object/compare/link_unit.hpp"

namespace morph::object {

/// Whether the function and all that it may call are of GoogleTest, of the standard library and of the compiler,
/// templates followed into what they are made of, and touch no variable of the program. What cannot be followed is not
/// alone.
bool runs_frameworks_alone(const link_unit& unit, unit_atom function);

/// Whether other code than what runs before main() refers to it: compilers make one function of equal ones.
bool is_used_elsewhere(const link_unit& unit, unit_atom function);

/// What gives values to the instances that the object registers, by name.
std::map<std::string_view, unit_atom> functions_of_values(const link_unit& unit, std::uint32_t object);

/// Of a piece of an initializer that registers an instance: whether what gives its tests their values does nothing
/// else. True of one that registers something else.
bool gives_values_alone(const link_unit& unit, std::uint32_t object, const segment& registration);

}  // namespace morph::object
