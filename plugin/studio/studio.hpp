// What the server answers: pages, the state, runs, sources.
#pragma once

#include <cstdint>
#include <string>

#include "plugin/studio/event_log.hpp"
#include "plugin/studio/message.hpp"
#include "plugin/studio/runs.hpp"
#include "plugin/studio/settings.hpp"

namespace morph::studio {

/// All that there is behind the sockets.
struct studio {
  studio(settings of, std::uint16_t bound_port, std::string secret);

  settings set;
  std::uint16_t port;
  std::string token;
  event_log log;
  runs started;
};

/// Never waits; a POST of /api/runs starts a process.
answer answer_to(studio& at, const request& asked);

}  // namespace morph::studio
