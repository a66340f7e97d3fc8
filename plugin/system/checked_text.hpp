// Bytes with a check sum before them: a file that was cut off or damaged is noticed.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace morph::system {

std::uint64_t check_sum(std::string_view bytes);

/// A line of 16 hexadecimal digits, and the content.
std::string with_check(std::string_view content);

/// The content, a part of `bytes`; nothing if it is not what with_check() made.
std::optional<std::string_view> checked_content(std::string_view bytes);

}  // namespace morph::system
