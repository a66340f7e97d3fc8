// XXH3, in hexadecimal.
#include "plugin/system/checked_text.hpp"

#include <fmt/format.h>
#include <xxhash.h>

namespace morph::system {
namespace {

std::string head_of(std::string_view content) {
  return fmt::format("{:016x}\n", check_sum(content));
}

}  // namespace

std::uint64_t check_sum(std::string_view bytes) {
  return XXH3_64bits(bytes.data(), bytes.size());
}

std::string with_check(std::string_view content) {
  return head_of(content).append(content);
}

std::optional<std::string_view> checked_content(std::string_view bytes) {
  constexpr std::size_t head = 17;
  if (bytes.size() < head) return std::nullopt;
  const std::string_view content = bytes.substr(head);
  return bytes.substr(0, head) == head_of(content) ? std::optional(content) : std::nullopt;
}

}  // namespace morph::system
