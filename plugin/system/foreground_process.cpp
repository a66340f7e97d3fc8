// Signals that are passed on, output that is.
#include "plugin/system/foreground_process.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstring>

#include "plugin/system/child_process.hpp"

namespace morph::system {
namespace {

std::atomic<int> signal_seen{0};
std::atomic<pid_t> passed_to{0};

/// Passes SIGINT and SIGTERM on while it lives.
class signals_passed_on {
 public:
  signals_passed_on() {
    struct sigaction action {};
    action.sa_handler = [](int signal) {
      signal_seen = signal;
      if (const pid_t child = passed_to; child > 0) ::kill(child, signal);
    };
    sigemptyset(&action.sa_mask);
    ::sigaction(SIGINT, &action, &interrupt_);
    ::sigaction(SIGTERM, &action, &terminate_);
  }
  signals_passed_on(const signals_passed_on&) = delete;
  signals_passed_on& operator=(const signals_passed_on&) = delete;
  ~signals_passed_on() {
    passed_to = 0;
    ::sigaction(SIGINT, &interrupt_, nullptr);
    ::sigaction(SIGTERM, &terminate_, nullptr);
  }
  void restore_in_child() const {
    ::sigaction(SIGINT, &interrupt_, nullptr);
    ::sigaction(SIGTERM, &terminate_, nullptr);
  }

 private:
  struct sigaction interrupt_ {
  }, terminate_{};
};

}  // namespace

process_end run_in_foreground(const foreground_command& what) {
  process_end end;
  const auto not_run = [&](int why) {
    end.err =
        fmt::format("'{}' cannot be run: {}", what.arguments.empty() ? "" : what.arguments.front(), std::strerror(why));
    return end;
  };
  std::optional<pipe_ends> output;
  if (what.on_output && !(output = make_pipe())) return not_run(errno);
  child_setup how{.arguments = what.arguments, .directory = what.directory, .environment = what.environment};
  if (output) how.out = how.err = output->write.get();
  signal_seen = 0;
  const signals_passed_on passing;
  how.before_exec = [&] { passing.restore_in_child(); };
  auto started = start_child(how);
  if (!started) return not_run(errno);
  passed_to = started->process();
  if (const int early = signal_seen; early != 0)
    ::kill(started->process(), early);  // before there was whom to pass it to
  if (const int why = started->await_program(); why != 0) return not_run(why);
  if (output) {
    output->write.close();
    std::array<char, 65536> bytes;
    for (;;) {
      const ssize_t got = ::read(output->read.get(), bytes.data(), bytes.size());
      if (got < 0 && errno == EINTR) continue;
      if (got <= 0) break;
      what.on_output({bytes.data(), static_cast<std::size_t>(got)});
    }
  }
  const int status = wait_for_end(started->process());
  if (signal_seen == 0) return end_of(status);
  end.how = process_end::kind::interrupted;
  end.code = signal_seen;
  return end;
}

}  // namespace morph::system
