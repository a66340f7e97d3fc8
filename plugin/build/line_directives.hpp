// What `#line` and linemarkers (`# 1 "area.y"`) of a source say of its lines.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace morph::build {

/// Lines [first, last] of a text, which compilers are told to call `named`, `named` + 1, ... of a file.
struct directed_lines {
  std::uint32_t first = 0;
  std::uint32_t last = 0;
  std::string file;  // as it is written; empty: of the text's own file
  std::uint32_t named = 0;

  bool operator==(const directed_lines&) const = default;
};

/// Ascending; what stands before the first one is called as it is. Directives count whatever conditions are around
/// them.
std::vector<directed_lines> directed_lines_of(std::string_view text);

std::uint32_t number_of_lines(std::string_view text);

}  // namespace morph::build
