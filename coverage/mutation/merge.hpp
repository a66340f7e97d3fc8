// What several translation units say of one file, as one.
#pragma once

#include <cstddef>
#include <cstdint>

#include "coverage/mutation/place.hpp"

namespace morph::mutation {

/// Outer places and functions before inner ones, each once, with all alternatives that were found for it. A macro or a
/// template may make units and instances see different ones: what one of them rejects is found when all are checked.
void put_in_order(file_places& file);

/// Makes of all that was found what can be rewritten: expressions of the same bytes become one place if their types
/// allow it, and what crosses another place's end goes. The result does not depend on the order in which things were
/// found. Returns how many places went. `file` is in order.
std::size_t settle_places(file_places& file);

/// How many mutants would be where compilers alone evaluate. What runs in another unit or instance does not count.
/// `file` is in order.
std::uint32_t mutants_at_compile_time(const file_places& file);

}  // namespace morph::mutation
