// The sockets of `morph studio`.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "plugin/studio/settings.hpp"
#include "plugin/system/result.hpp"

namespace morph::studio {

struct address {
  std::uint16_t port;
  std::string url;  // with the token
};

/// Serves on 127.0.0.1 until SIGINT or SIGTERM; then the running children get SIGINT, and SIGKILL after five seconds,
/// or with the next signal. `on_ready` is called when connections are accepted. An error: the port is taken.
result<void> serve(const settings& of, const std::function<void(const address&)>& on_ready);

}  // namespace morph::studio
