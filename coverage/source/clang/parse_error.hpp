// What Clang found wrong with a unit.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace morph::source {

struct file_byte {
  std::string file;
  std::uint32_t offset = 0;
};

/// What parsing found wrong: where, if that is in a file.
struct parse_error {
  std::string file;
  std::uint32_t offset = 0;
  std::uint32_t line = 0;
  std::string text;
  std::vector<file_byte> instantiated_at{};  // if it is in an instance of a template; the nearest first
};

}  // namespace morph::source
