// Which basic blocks of a function a process must have executed to notice that it differs.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "coverage/object/compare/link_unit.hpp"

namespace morph::object {

/// Null if the function has no blocks.
const function_blocks* blocks_of(const object_print& print, std::uint32_t atom);

/// What rows call the block of a function that begins at a place in it. Functions with other code have other names
/// for theirs, whatever they are called. The first block says that its function's blocks were recorded at all.
std::string block_name(const object_print& print, const function_blocks& of, std::uint32_t begin);

/// Names of the older function's blocks: of the first one, then of those that differ, or lead elsewhere. Who enters the
/// function and executes none of the latter executes the same instructions in the newer one: both begin alike, and
/// behind equal blocks control goes to equal blocks. A handler or clean-up of exceptions always counts as different,
/// since the tables lead there. Nothing if whoever enters the function may notice, or its blocks are not known.
std::vector<std::string> differing_blocks(const link_unit& before, unit_atom was, const link_unit& after, unit_atom is);

}  // namespace morph::object
