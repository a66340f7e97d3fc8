// Seeds of the command line and of MORPH_SEED: whole numbers of 64 bits, everywhere. What is none is refused; nothing
// wraps.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "plugin/system/result.hpp"

namespace morph::system {

/// The error says what was expected.
result<std::uint64_t> seed_in(std::string_view text);

/// Of MORPH_SEED, if it is set.
result<std::optional<std::uint64_t>> seed_of_environment();

}  // namespace morph::system
