// The initializers of an object, instruction by instruction, for initializers.hpp to take apart.
#pragma once

#include "coverage/object/read/cut_object.hpp"
#include "coverage/object/read/exception_tables.hpp"
#include "coverage/object/read/references.hpp"

namespace morph::object {

/// Adds segments to the print, and says of functions that these stand for them. Nothing if they cannot be followed.
void take_initializers_apart(const cut_object& cut, const exception_tables& exceptions, reference_writer& references,
                             decoder& decode, object_print& print);

}  // namespace morph::object
