// The line on a terminal, and the lines for programs.
#include "plugin/system/progress.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>

#include "plugin/system/json_text.hpp"

namespace morph::system {
namespace {

constexpr std::chrono::milliseconds pause{100};

int written_to = -1;
std::chrono::steady_clock::time_point written_at{};

/// Work goes on when the reader has gone or does not read: SIGPIPE does not end us, and is unchanged in programs that
/// we start.
void write_or_drop(std::string_view line) {
  pollfd room{written_to, POLLOUT, 0};
  if (::poll(&room, 1, 0) != 1) return;
  sigset_t broken_pipe, before, pending;
  sigemptyset(&broken_pipe);
  sigaddset(&broken_pipe, SIGPIPE);
  sigpending(&pending);
  ::pthread_sigmask(SIG_BLOCK, &broken_pipe, &before);
  const bool is_broken = ::write(written_to, line.data(), line.size()) < 0 && errno == EPIPE;
  const timespec at_once{};
  if (is_broken && sigismember(&pending, SIGPIPE) == 0) ::sigtimedwait(&broken_pipe, nullptr, &at_once);
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
  if (is_broken) written_to = -1;
}

}  // namespace

bool write_progress_to(int descriptor) {
  if (::fcntl(descriptor, F_SETFD, FD_CLOEXEC) != 0) return false;
  written_to = descriptor;
  return true;
}

int progress_descriptor() {
  return written_to;
}

progress::progress(std::size_t total, std::string unit, bool wanted)
    : total_(total), unit_(std::move(unit)), shown_(wanted && ::isatty(STDERR_FILENO) == 1) {}

progress::~progress() {
  if (drawn_) fmt::print(stderr, "\r\x1b[K");
  if (is_unwritten_) write();
}

void progress::reach(std::size_t done, const std::string& doing) {
  done_ = done;
  const auto now = clock::now();
  if (shown_ && now - drawn_at_ >= pause) draw(doing, now);
  if (written_to < 0) return;
  doing_ = doing;
  is_unwritten_ = true;
  if (now - written_at < pause) return;
  written_at = now;
  is_unwritten_ = false;
  write();
}

void progress::draw(const std::string& doing, clock::time_point now) {
  drawn_at_ = now;
  drawn_ = true;
  if (done_ == 0) {
    fmt::print(stderr, "\r\x1b[K{}", doing);
    return;
  }
  if (total_ == 0) {
    fmt::print(stderr, "\r\x1b[K{}: {} {}", doing, done_, unit_);
    return;
  }
  const double elapsed = std::chrono::duration<double>(now - started_).count();
  const double left = elapsed / static_cast<double>(done_) * static_cast<double>(total_ - std::min(done_, total_));
  fmt::print(stderr, "\r\x1b[K{}: {} of {} {}, {:.0f} s left", doing, done_, total_, unit_, left);
}

void progress::write() const {
  if (written_to < 0) return;
  const nlohmann::json line{{"doing", doing_}, {"done", done_}, {"total", total_}, {"unit", unit_}};
  write_or_drop(json_text(line) + "\n");
}

}  // namespace morph::system
