// Text line by line.
#pragma once

#include <string_view>

namespace morph::system {

/// Takes the first line, without its end, from the text.
inline std::string_view next_line(std::string_view& text) {
  const auto end = text.find('\n');
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  return line;
}

}  // namespace morph::system
