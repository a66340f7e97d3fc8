// What compilers say about errors, where they are and whose use of a template led there, and about their own crashes.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace morph::command {

/// From 1, as compilers count them.
struct message_place {
  std::string file;
  std::uint32_t line = 0;
  std::uint32_t column = 0;

  bool operator==(const message_place&) const = default;
};

/// Of each error of GCC or Clang its place, and then those that asked for what it is in, as the compiler lists them:
/// the nearest first.
std::vector<std::vector<message_place>> errors_in(const std::string& messages);

/// Where compilers were when they crashed. No more than the function can be relied on: an optimizer has no place in it.
std::vector<message_place> crashes_in(const std::string& messages);

}  // namespace morph::command
