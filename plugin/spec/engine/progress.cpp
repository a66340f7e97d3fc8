// Finds the descriptor, writes to it.
#include "plugin/spec/engine/progress.hpp"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <string>

namespace morph::engine {
namespace {

/// Programs that cases start do not inherit it.
int descriptor_of_environment() {
  const char* const number = std::getenv(progress_variable);
  if (number == nullptr) return -1;
  const int descriptor = std::atoi(number);
  return ::fcntl(descriptor, F_SETFD, FD_CLOEXEC) == 0 ? descriptor : -1;
}

bool has_room(int descriptor) {
  pollfd room{descriptor, POLLOUT, 0};
  return ::poll(&room, 1, 0) == 1 && (room.revents & POLLERR) == 0;
}

}  // namespace

void write_progress(const char* unit, std::uint64_t done) {
  using clock = std::chrono::steady_clock;
  static const int descriptor = descriptor_of_environment();
  static clock::time_point written_at{};
  if (descriptor < 0) return;
  const auto now = clock::now();
  if (now - written_at < std::chrono::milliseconds(100) || !has_room(descriptor)) return;
  written_at = now;
  const std::string line =
      "{\"doing\":\"running specs\",\"done\":" + std::to_string(done) + ",\"total\":0,\"unit\":\"" + unit + "\"}\n";
  [[maybe_unused]] const auto written = ::write(descriptor, line.data(), line.size());
}

}  // namespace morph::engine
