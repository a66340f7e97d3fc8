// What a program or shared library holds, as one digest.
#pragma once

#include <string_view>

#include "coverage/object/read/digest.hpp"

namespace morph::object {

/// Of all that a linked ELF file holds, but for symbols and debug information, which say where code was written, and
/// for identifiers of builds; what stands behind the last section counts. Of any other file: of its bytes.
digest digest_of_linked(std::string_view bytes);

}  // namespace morph::object
