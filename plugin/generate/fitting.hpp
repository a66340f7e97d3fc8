// Whether a call fits what an api says of its slots, and what stands before it: for sequences that come from outside.
#pragma once

#include <vector>

#include "plugin/generate/api.hpp"
#include "plugin/generate/literals.hpp"
#include "plugin/generate/sequence.hpp"

namespace morph::generate {

bool is_of_role(std::uint32_t literal, std::uint32_t role, const literal_table& literals);

/// Each argument is what its slot takes, and no object is used that was moved from.
bool fits(const call& one, const sequence& before, const api& of, const literal_table& literals);

/// The object that a call's first object is a part of, and so on; itself of a call without one.
std::vector<std::uint32_t> roots_of(const sequence& of, const api& in);

/// Which calls call `last` needs: those that make its objects, and those that may change them, the latest first, as
/// long as there are no more than `most`. `avoided`: calls that are not taken if they only change something.
std::vector<bool> needed_by(std::uint32_t last, const sequence& of, const api& in, std::size_t most,
                            const std::vector<bool>& avoided = {});

}  // namespace morph::generate
