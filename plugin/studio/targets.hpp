// What stands behind GET and POST: a path and its query.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace morph::studio {

struct target {
  std::string path;    // as it was sent: none that is served has a percent sign
  std::string file{};  // of the query, decoded
};

/// Nothing: it does not begin with a slash, or its file has a % without two hexadecimal digits.
std::optional<target> read_target(std::string_view text);

/// Digits alone.
std::optional<std::uint64_t> number_in(std::string_view text);

}  // namespace morph::studio
