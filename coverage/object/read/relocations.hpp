// What types of relocations say of the bytes that they fill in.
#pragma once

#include <cstdint>

#include "coverage/object/read/elf.hpp"

namespace morph::object {

/// Counts from the place that it fills in, or from the end of the instruction around that.
bool is_x86_relative(std::uint32_t type);

/// How many bytes it fills in.
std::uint32_t field_size(machine target, std::uint32_t type);

bool is_known_relocation(machine target, std::uint32_t type);

}  // namespace morph::object
