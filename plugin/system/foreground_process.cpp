#include "plugin/system/foreground_process.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstring>

extern char** environ;

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

/// What the child's environment is: ours, with these in place of the ones of their names.
std::vector<std::string> environment_with(const std::vector<std::pair<std::string, std::string>>& more) {
  std::vector<std::string> all;
  for (char** each = environ; *each != nullptr; ++each) {
    const std::string_view text = *each;
    bool is_ours = true;
    for (const auto& [name, value] : more)
      if (text.starts_with(name + "=")) is_ours = false;
    if (is_ours) all.emplace_back(text);
  }
  for (const auto& [name, value] : more) all.push_back(name + "=" + value);
  return all;
}

std::vector<char*> pointers_to(std::vector<std::string>& strings) {
  std::vector<char*> all;
  for (std::string& each : strings) all.push_back(each.data());
  all.push_back(nullptr);
  return all;
}

}  // namespace

process_end run_in_foreground(const foreground_command& what) {
  process_end end;
  std::vector<std::string> words = what.arguments, variables = environment_with(what.environment);
  const std::vector<char*> arguments = pointers_to(words), environment = pointers_to(variables);
  std::array<int, 2> output{-1, -1}, report{-1, -1};
  if (::pipe2(report.data(), O_CLOEXEC) != 0 || (what.on_output && ::pipe2(output.data(), O_CLOEXEC) != 0)) {
    end.err = std::strerror(errno);
    if (report[0] >= 0) ::close(report[0]), ::close(report[1]);
    return end;
  }
  signal_seen = 0;
  const signals_passed_on passing;
  const pid_t child = ::fork();
  if (child == 0) {
    passing.restore_in_child();
    bool good = !what.on_output || (::dup2(output[1], 1) >= 0 && ::dup2(output[1], 2) >= 0);
    if (good && !what.directory.empty()) good = ::chdir(what.directory.c_str()) == 0;
    if (good) ::execvpe(arguments[0], arguments.data(), environment.data());
    const int why = errno;
    [[maybe_unused]] const auto written = ::write(report[1], &why, sizeof why);
    ::_exit(127);
  }
  const int fork_error = errno;
  passed_to = child;
  ::close(report[1]);
  if (output[1] >= 0) ::close(output[1]);
  int why = child < 0 ? fork_error : 0;
  if (child > 0)
    while (::read(report[0], &why, sizeof why) < 0 && errno == EINTR) continue;
  ::close(report[0]);
  if (output[0] >= 0) {
    std::array<char, 65536> bytes;
    for (;;) {
      const ssize_t got = ::read(output[0], bytes.data(), bytes.size());
      if (got < 0 && errno == EINTR) continue;
      if (got <= 0) break;
      what.on_output({bytes.data(), static_cast<std::size_t>(got)});
    }
    ::close(output[0]);
  }
  int status = 0;
  if (child > 0)
    while (::waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
  if (why != 0) {
    end.err = fmt::format("'{}' cannot be run: {}", words.empty() ? "" : words.front(), std::strerror(why));
  } else if (const int signal = signal_seen; signal != 0) {
    end.how = process_end::kind::interrupted;
    end.code = signal;
  } else if (WIFSIGNALED(status)) {
    end.how = process_end::kind::signaled;
    end.code = WTERMSIG(status);
  } else {
    end.how = process_end::kind::exited;
    end.code = WEXITSTATUS(status);
  }
  return end;
}

}  // namespace morph::system
