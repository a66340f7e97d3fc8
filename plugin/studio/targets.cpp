// Percent signs, numbers.
#include "plugin/studio/targets.hpp"

#include <charconv>
#include <cstddef>
#include <system_error>

namespace morph::studio {
namespace {

/// As forms write it: a plus is a blank.
std::optional<std::string> decoded(std::string_view text) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      result += text[i] == '+' ? ' ' : text[i];
      continue;
    }
    if (i + 2 >= text.size()) return std::nullopt;
    unsigned byte = 0;
    const char* const end = text.data() + i + 3;
    if (const auto read = std::from_chars(text.data() + i + 1, end, byte, 16);
        read.ec != std::errc() || read.ptr != end)
      return std::nullopt;
    result += static_cast<char>(byte);
    i += 2;
  }
  return result;
}

}  // namespace

std::optional<target> read_target(std::string_view text) {
  if (!text.starts_with('/')) return std::nullopt;
  const std::size_t mark = text.find('?');
  target read{std::string(text.substr(0, mark))};
  std::string_view query = mark == std::string_view::npos ? std::string_view() : text.substr(mark + 1);
  while (!query.empty()) {
    const std::size_t end = query.find('&');
    const std::string_view part = query.substr(0, end);
    if (part.starts_with("file=")) {
      const auto file = decoded(part.substr(5));
      if (!file) return std::nullopt;
      read.file = *file;
    }
    query = end == std::string_view::npos ? std::string_view() : query.substr(end + 1);
  }
  return read;
}

std::optional<std::uint64_t> number_in(std::string_view text) {
  std::uint64_t number = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
  if (text.empty() || read.ec != std::errc() || read.ptr != text.data() + text.size()) return std::nullopt;
  return number;
}

}  // namespace morph::studio
