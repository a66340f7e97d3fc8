// Reading them.
#include "plugin/system/seed.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cstdlib>
#include <limits>

namespace morph::system {
result<std::uint64_t> seed_in(std::string_view text) {
  std::uint64_t seed = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), seed);
  if (read.ec == std::errc() && read.ptr == text.data() + text.size()) return seed;
  return tl::unexpected(fmt::format("'{}' is no seed; a seed is a whole number from 0 to {}", text,
                                    std::numeric_limits<std::uint64_t>::max()));
}

result<std::optional<std::uint64_t>> seed_of_environment() {
  const char* const text = std::getenv("MORPH_SEED");
  if (text == nullptr) return std::nullopt;
  const auto seed = seed_in(text);
  if (!seed) return tl::unexpected("MORPH_SEED: " + seed.error());
  return *seed;
}

}  // namespace morph::system
