// Functions taken apart into basic blocks, to tell which tests a change of a function concerns.
#pragma once

#include "coverage/object/read/decoder.hpp"
#include "coverage/object/read/exception_tables.hpp"
#include "coverage/object/read/references.hpp"

namespace morph::object {

/// Adds the blocks of functions to the print, whose atoms are all there. Only x86-64; only functions with a few blocks,
/// all of whose ways are known: no computed jumps, no part elsewhere that may jump back (`.cold`).
void add_blocks(const cut_object& cut, const exception_tables& exceptions, reference_writer& references,
                decoder& decode, object_print& print);

}  // namespace morph::object
