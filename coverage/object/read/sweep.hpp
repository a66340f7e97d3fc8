// What the instructions of a section say that no symbol and no relocation does.
#pragma once

#include <cstdint>

#include "coverage/object/read/cut_object.hpp"
#include "coverage/object/read/decoder.hpp"

namespace morph::object {

/// Fills in the sites, branches and constants of a section that is cut.
void sweep(cut_object& cut, std::uint32_t section, decoder& decode);

}  // namespace morph::object
