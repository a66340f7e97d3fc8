// Policies as they are written in a CMakeLists.txt and in options.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>

#include "plugin/selection/plan.hpp"

namespace morph::selection {
namespace {

constexpr std::array<std::string_view, 4> policies{"all", "safe", "narrow", "minimal"};
constexpr std::string_view risk_policy = "risk=";

}  // namespace

std::string text_of(const chosen_policy& chosen) {
  if (chosen.how == policy::risk) return fmt::format("{}{}", risk_policy, chosen.detection);
  return std::string(policies[static_cast<std::size_t>(chosen.how)]);
}

result<chosen_policy> parse_policy(const std::string& text) {
  const auto at = std::find(policies.begin(), policies.end(), text);
  if (at != policies.end()) return chosen_policy{static_cast<policy>(at - policies.begin())};
  if (!text.starts_with(risk_policy))
    return tl::unexpected(fmt::format("policy '{}' is unknown; use all, safe, narrow, minimal or risk=P", text));
  chosen_policy chosen{policy::risk};
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data() + risk_policy.size(), end, chosen.detection);
  if (error != std::errc() || stop != end || !(chosen.detection > 0 && chosen.detection < 1))
    return tl::unexpected(fmt::format(
        "policy '{}' does not name a probability of detection between 0 and 1; write for example risk=0.95", text));
  return chosen;
}

}  // namespace morph::selection
