// The token, and what is refused.
#include "plugin/studio/guard.hpp"

#include <fmt/format.h>
#include <sys/random.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "plugin/system/json_text.hpp"

namespace morph::studio {
namespace {

bool is_ours(std::string_view host, std::uint16_t port) {
  for (const std::string_view name : {"127.0.0.1", "localhost"})
    if (host == fmt::format("{}:{}", name, port) || (port == 80 && host == name)) return true;
  return false;
}

bool is_open_to_all(std::string_view target) {
  return target == "/" || target.starts_with("/app/");
}

}  // namespace

answer refused(unsigned status, const std::string& message) {
  return {.status = status, .body = json_text({{"message", message}})};
}

std::string new_token() {
  std::array<unsigned char, 16> bytes{};
  std::size_t size = 0;
  while (size < bytes.size()) {
    const ssize_t got = ::getrandom(bytes.data() + size, bytes.size() - size, 0);
    if (got < 0 && errno != EINTR) throw std::runtime_error(fmt::format("getrandom: {}", std::strerror(errno)));
    if (got > 0) size += static_cast<std::size_t>(got);
  }
  std::string token;
  for (const unsigned char byte : bytes) token += fmt::format("{:02x}", byte);
  return token;
}

bool are_equal(std::string_view secret, std::string_view given) {
  if (secret.size() != given.size()) return false;
  volatile unsigned char differing = 0;
  for (std::size_t i = 0; i < secret.size(); ++i)
    differing = static_cast<unsigned char>(differing | (secret[i] ^ given[i]));
  return differing == 0;
}

std::optional<answer> refusal(const request& asked, std::string_view token, std::uint16_t port) {
  if (!is_ours(asked.host, port))
    return refused(421, fmt::format("'{}' is not the address of this server; open the URL that `morph studio` printed",
                                    asked.host));
  if (asked.origin && *asked.origin != "http://" + asked.host)
    return refused(403, fmt::format("a page of '{}' may not use this server", *asked.origin));
  if (is_open_to_all(asked.target)) return std::nullopt;
  if (!are_equal(token, asked.token))
    return refused(403, "the token is missing or is not that of this server; open the URL that `morph studio` printed");
  if (asked.method == "POST" && asked.content_type != "application/json")
    return refused(415, fmt::format("a POST takes application/json, not '{}'", asked.content_type));
  return std::nullopt;
}

}  // namespace morph::studio
