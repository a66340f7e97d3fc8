// Running other programs as executers.
#include "morph/processes.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <mutex>
#include <vector>

#include "morph/text.hpp"
#include "plugin/spec/engine/number_text.hpp"

extern char** environ;

namespace morph {
namespace {

using clock = std::chrono::steady_clock;

std::string described(int status) {
  if (WIFSIGNALED(status))
    return "signal " + std::to_string(WTERMSIG(status)) + " (" + strsignal(WTERMSIG(status)) + ")";
  return "exit status " + std::to_string(WEXITSTATUS(status));
}

/// As a shell takes a simple command apart: blanks, quotes, backslashes.
std::vector<std::string> words_of(const std::string& command) {
  std::vector<std::string> words;
  bool inside = false;
  char quote = 0;
  for (std::size_t i = 0; i < command.size(); ++i) {
    const char c = command[i];
    const bool blank = c == ' ' || c == '\t' || c == '\n';
    if (quote == 0 && blank) {
      inside = false;
      continue;
    }
    if (!inside) words.emplace_back();
    inside = true;
    if (quote == 0 && (c == '"' || c == '\''))
      quote = c;
    else if (quote == c)
      quote = 0;
    else if (c == '\\' && quote != '\'' && i + 1 < command.size())
      words.back() += command[++i];
    else
      words.back() += c;
  }
  return words;
}

struct child {
  pid_t process = -1;
  int to = -1, from = -1, errors = -1;
};

void close_all(child& of) {
  for (int* const fd : {&of.to, &of.from, &of.errors}) {
    if (*fd >= 0) close(*fd);
    *fd = -1;
  }
}

/// Empty, or why it could not be started.
std::string start(const std::vector<std::string>& words, bool with_errors, child& to) {
  if (words.empty()) return "the command is empty";
  int in[2], out[2], err[2] = {-1, -1};
  if (pipe2(in, O_CLOEXEC) != 0 || pipe2(out, O_CLOEXEC) != 0 || (with_errors && pipe2(err, O_CLOEXEC) != 0))
    return std::string("no pipe: ") + strerror(errno);
  std::vector<char*> arguments;
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, in[0], 0);
  posix_spawn_file_actions_adddup2(&actions, out[1], 1);
  if (with_errors) posix_spawn_file_actions_adddup2(&actions, err[1], 2);
  // A group of its own, that ends as a whole; and broken pipes are what they are elsewhere.
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t broken_pipe;
  sigemptyset(&broken_pipe);
  sigaddset(&broken_pipe, SIGPIPE);
  posix_spawnattr_setsigdefault(&attributes, &broken_pipe);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF);
  const int error = posix_spawnp(&to.process, arguments[0], &actions, &attributes, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  close(in[0]);
  close(out[1]);
  if (with_errors) close(err[1]);
  to.to = in[1];
  to.from = out[0];
  to.errors = err[0];
  if (error == 0) return {};
  close_all(to);
  return "'" + words[0] + "' cannot be run: " + strerror(error);
}

int milliseconds_until(clock::time_point end) {
  const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(end - clock::now()).count();
  return left < 0 ? 0 : static_cast<int>(std::min<long long>(left + 1, 1000000));
}

clock::time_point end_of(double seconds) {
  return clock::now() + std::chrono::duration_cast<clock::duration>(std::chrono::duration<double>(seconds));
}

/// Ends it and what it started.
int killed(pid_t process) {
  int status = 0;
  kill(-process, SIGKILL);
  while (waitpid(process, &status, 0) < 0 && errno == EINTR) {
  }
  return status;
}

/// For a process that has closed its output: it may go on all the same, and is ended then. False if that was so.
bool ended_by(clock::time_point end, pid_t process, int& status) {
  for (useconds_t nap = 50;; nap = std::min<useconds_t>(nap * 2, 10000)) {
    const pid_t gone = waitpid(process, &status, WNOHANG);
    if (gone == process || (gone < 0 && errno != EINTR)) return true;
    if (clock::now() >= end) break;
    usleep(nap);
  }
  status = killed(process);
  return false;
}

/// Who writes to a process that has gone gets an error, not a signal.
struct pipes_may_break {
  pipes_may_break() { signal(SIGPIPE, SIG_IGN); }
};

std::string trimmed_end(std::string text) {
  while (!text.empty() && (text.back() == '\n' || text.back() == '\r')) text.pop_back();
  return text;
}

}  // namespace

program_answer run_command(const std::string& command, std::string_view input, double seconds) {
  static const pipes_may_break once;
  std::vector<std::string> words = words_of(command);
  bool placed = false;
  for (std::string& word : words)
    for (std::size_t at = word.find("{}"); at != std::string::npos; at = word.find("{}", at + input.size())) {
      word.replace(at, 2, input);
      placed = true;
    }
  if (placed && input.find('\0') != std::string_view::npos)
    return {ended::exception,
            "the input has a zero byte, which no argument of a command can; leave out {}, then it is "
            "the standard input"};
  child running;
  if (const std::string error = start(words, true, running); !error.empty()) return {ended::exception, error};
  std::string_view left = placed ? std::string_view() : input;
  fcntl(running.to, F_SETFL, O_NONBLOCK);
  std::string out, err;
  const auto end = end_of(seconds);
  bool open_out = true, open_err = true;
  while (open_out || open_err) {
    if (left.empty() && running.to >= 0) {
      close(running.to);
      running.to = -1;
    }
    pollfd all[] = {{open_out ? running.from : -1, POLLIN, 0},
                    {open_err ? running.errors : -1, POLLIN, 0},
                    {left.empty() ? -1 : running.to, POLLOUT, 0}};
    const int ready = poll(all, 3, milliseconds_until(end));
    if (ready == 0 && clock::now() < end) continue;
    if (ready <= 0) {
      if (ready < 0 && errno == EINTR) continue;
      break;
    }
    char buffer[65536];
    const auto take = [&](pollfd& of, std::string& to, bool& open) {
      if (of.fd < 0 || of.revents == 0) return;
      const ssize_t got = read(of.fd, buffer, sizeof buffer);
      if (got > 0)
        to.append(buffer, static_cast<std::size_t>(got));
      else
        open = got < 0 && errno == EINTR;
    };
    take(all[0], out, open_out);
    take(all[1], err, open_err);
    if (all[2].fd >= 0 && all[2].revents != 0) {
      const ssize_t written = write(running.to, left.data(), left.size());
      if (written > 0)
        left.remove_prefix(static_cast<std::size_t>(written));
      else if (errno != EAGAIN && errno != EINTR)
        left = {};
    }
  }
  int status = 0;
  close_all(running);
  if (!ended_by(end, running.process, status))
    return {ended::timeout, "it did not end within " + engine::seconds_text(seconds)};
  if (WIFSIGNALED(status)) return {ended::crash, described(status)};
  if (WEXITSTATUS(status) != 0) {
    err = trimmed_end(std::move(err));
    return {ended::exception, described(status) + (err.empty() ? "" : ": " + err)};
  }
  return {ended::output, std::move(out)};
}

struct line_process::running {
  child process;     // none: -1
  std::string rest;  // read, but not asked for yet
  std::mutex one_at_a_time;

  ~running() { stop(); }
  void stop() {
    close_all(process);
    if (process.process > 0) (void)killed(process.process);
    process.process = -1;
    rest.clear();
  }
};

line_process::line_process(std::string command) : command_(std::move(command)), running_(std::make_unique<running>()) {}
line_process::line_process(line_process&&) noexcept = default;
line_process& line_process::operator=(line_process&&) noexcept = default;
line_process::~line_process() = default;

program_answer line_process::ask(std::string_view line, double seconds) {
  static const pipes_may_break once;
  const std::lock_guard hold(running_->one_at_a_time);
  if (running_->process.process < 0)
    if (const std::string error = start(words_of(command_), false, running_->process); !error.empty())
      return {ended::exception, error};
  if (!running_->rest.empty()) {
    running_->stop();
    return {ended::exception, "it had answered the input before with more than one line"};
  }
  const auto end = end_of(seconds);
  const auto too_late = [&]() -> program_answer {
    running_->stop();
    return {ended::timeout, "it did not answer within " + engine::seconds_text(seconds)};
  };
  const auto died = [&]() -> program_answer {
    int status = 0;
    close_all(running_->process);
    const bool ended = ended_by(end, running_->process.process, status);
    running_->process.process = -1;
    running_->rest.clear();
    if (!ended) return too_late();
    return {ended::crash, described(status) + " before it answered"};
  };
  std::string question(line);
  question += '\n';
  std::string_view left = question;
  std::string& rest = running_->rest;
  for (;;) {
    if (left.empty())
      if (const std::size_t newline = rest.find('\n'); newline != std::string::npos) {
        const std::string answer = rest.substr(0, newline);
        rest.erase(0, newline + 1);
        text::reader from(answer);
        std::string name;
        if (from.comes('{') && from.take('{') && from.name(name) && name == "error" && from.take(':') &&
            from.string(name))
          return {ended::exception, name};
        return {ended::output, answer};
      }
    pollfd all[] = {{running_->process.from, POLLIN, 0}, {left.empty() ? -1 : running_->process.to, POLLOUT, 0}};
    const int ready = poll(all, 2, milliseconds_until(end));
    if (ready < 0 && errno == EINTR) continue;
    if (ready == 0 && clock::now() < end) continue;
    if (ready <= 0) return too_late();
    if (all[0].revents != 0) {
      char buffer[65536];
      const ssize_t got = read(running_->process.from, buffer, sizeof buffer);
      if (got < 0 && errno == EINTR) continue;
      if (got <= 0) return died();
      rest.append(buffer, static_cast<std::size_t>(got));
    }
    if (all[1].fd >= 0 && all[1].revents != 0) {
      const ssize_t written = write(running_->process.to, left.data(), std::min<std::size_t>(left.size(), 4096));
      if (written <= 0) return died();
      left.remove_prefix(static_cast<std::size_t>(written));
    }
  }
}

}  // namespace morph
