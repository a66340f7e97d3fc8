// Varints of differences.
#include "plugin/store/codec.hpp"

namespace morph::store {
namespace {

template <typename Number>
std::string encode(std::span<const Number> values) {
  std::string bytes;
  std::uint64_t previous = 0;
  for (std::uint64_t value : values) {
    std::uint64_t difference = value - previous;
    previous = value;
    while (difference >= 0x80) {
      bytes.push_back(static_cast<char>(0x80 | (difference & 0x7f)));
      difference >>= 7;
    }
    bytes.push_back(static_cast<char>(difference));
  }
  return bytes;
}

}  // namespace

std::string encode_ascending(std::span<const std::uint64_t> values) {
  return encode(values);
}
std::string encode_ascending(std::span<const std::uint32_t> values) {
  return encode(values);
}

std::optional<std::vector<std::uint64_t>> decode_ascending(std::string_view bytes) {
  std::vector<std::uint64_t> values;
  std::uint64_t previous = 0;
  std::uint64_t difference = 0;
  int shift = 0;
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    if (shift > 63) return std::nullopt;
    difference |= static_cast<std::uint64_t>(byte & 0x7f) << shift;
    shift += 7;
    if (byte & 0x80) continue;
    const std::uint64_t value = previous + difference;
    if (!values.empty() && value <= previous) return std::nullopt;
    values.push_back(value);
    previous = value;
    difference = 0;
    shift = 0;
  }
  if (shift != 0) return std::nullopt;
  return values;
}

}  // namespace morph::store
