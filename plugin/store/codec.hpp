// The bytes of ascending numbers in the store: varints (LEB128) of the differences.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace morph::store {

/// `values` ascending and distinct.
std::string encode_ascending(std::span<const std::uint64_t> values);
std::string encode_ascending(std::span<const std::uint32_t> values);

/// Nothing for bytes that encode_ascending() did not write.
std::optional<std::vector<std::uint64_t>> decode_ascending(std::string_view bytes);

}  // namespace morph::store
