// Who may ask: the token, and the headers that a browser sets and a foreign page cannot.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "plugin/studio/message.hpp"

namespace morph::studio {

/// 128 bits of the kernel's random numbers, as 32 hexadecimal digits.
std::string new_token();

/// Takes as long for each wrong text of the right length.
bool are_equal(std::string_view secret, std::string_view given);

/// Nothing, or the answer that refuses: 421 for another Host, which is what DNS rebinding looks like; 403 for the
/// Origin of another page, and without the token for all but the embedded pages; 415 for a POST that a form could send.
std::optional<answer> refusal(const request& asked, std::string_view token, std::uint16_t port);

}  // namespace morph::studio
