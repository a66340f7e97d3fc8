// Digests as text.
#include "coverage/object/read/digest.hpp"

#include <fmt/format.h>

#include <cstdio>

namespace morph::object {

std::string hex(const digest& of) {
  return fmt::format("{:016x}{:016x}", of.high, of.low);
}

std::optional<digest> parse_digest(std::string_view digits) {
  digest found;
  const std::string text(digits);
  if (text.size() != 32 || std::sscanf(text.c_str(), "%16lx%16lx", &found.high, &found.low) != 2) return {};
  return found;
}

}  // namespace morph::object
