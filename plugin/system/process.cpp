// Reads what a program writes until it ends.
#include "plugin/system/process.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <memory>

#include "plugin/system/child_process.hpp"
#include "plugin/system/descriptor.hpp"

namespace morph::system {
namespace {

using clock = std::chrono::steady_clock;

std::atomic<bool> interrupt_seen{false};
static_assert(std::atomic<bool>::is_always_lock_free, "set from a signal handler");

std::string contents_of(int memory_file) {
  struct stat facts {};
  if (::fstat(memory_file, &facts) != 0) return {};
  std::string text(static_cast<std::size_t>(facts.st_size), '\0');
  const ssize_t size = ::pread(memory_file, text.data(), text.size(), 0);
  text.resize(static_cast<std::size_t>(std::max<ssize_t>(size, 0)));
  return text;
}

/// What a child writes. `read` takes what is there; nothing more comes after `ended`.
struct source {
  enum class state { more, ended, stop };
  int fd;
  std::function<state()> read;
};

source read_pipe(descriptor end, std::function<bool(std::string_view)> take) {
  const int fd = end.get();
  auto owned = std::make_shared<descriptor>(std::move(end));
  return {fd, [owned, take = std::move(take)] {
            std::array<char, 65536> buffer;
            const ssize_t n = ::read(owned->get(), buffer.data(), buffer.size());
            if (n < 0 && errno == EINTR) return source::state::more;
            if (n <= 0) return source::state::ended;
            const bool goes_on = take({buffer.data(), static_cast<std::size_t>(n)});
            return goes_on ? source::state::more : source::state::stop;
          }};
}

source read_events(watched_events& events, const command& what) {
  return {events.descriptor(), [&] {
            const bool goes_on = events.take_all([&](watched_events::event& e) {
              if (const auto* bytes = std::get_if<std::string>(&e)) return what.on_stream(*bytes);
              what.on_opened(std::get<opened_file>(e));
              return true;
            });
            if (!goes_on) return source::state::stop;
            return events.ended() ? source::state::ended : source::state::more;
          }};
}

bool has_ended(pid_t child) {
  siginfo_t info{};
  const int code = ::waitid(P_PID, static_cast<id_t>(child), &info, WEXITED | WNOHANG | WNOWAIT);
  return code == 0 ? info.si_pid == child : errno != EINTR;
}

/// Nothing = no limit.
using time_limit = std::function<std::optional<clock::time_point>()>;

time_limit limit_of(const command& what) {
  if (what.deadline) return [&what] { return std::optional(what.deadline()); };
  if (what.timeout.count() <= 0) return [] { return std::nullopt; };
  return [end = clock::now() + what.timeout] { return std::optional(end); };
}

/// Moves what the child writes until it has closed everything; the reason if the child has to be ended before.
/// `only_while`, if not 0: other processes may hold the pipes open when this one has ended.
std::optional<process_end::kind> pump(std::vector<source>& sources, const time_limit& limit, pid_t only_while) {
  while (true) {
    std::vector<pollfd> waiting;
    for (const source& s : sources) waiting.push_back({s.fd, POLLIN, 0});
    if (waiting.empty()) return std::nullopt;
    if (interrupted()) return process_end::kind::interrupted;
    int wait_ms = 200;  // a signal may arrive between the check above and poll(): look again soon
    if (const auto deadline = limit()) {
      const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(*deadline - clock::now());
      if (left.count() <= 0) return process_end::kind::timed_out;
      wait_ms = static_cast<int>(std::min<std::int64_t>(wait_ms, left.count() + 1));
    }
    if (only_while != 0 && has_ended(only_while)) return std::nullopt;
    if (::poll(waiting.data(), waiting.size(), wait_ms) <= 0) continue;
    for (std::size_t i = sources.size(); i-- > 0;) {
      if (waiting[i].revents == 0) continue;
      const source::state state = sources[i].read();
      if (state == source::state::stop) return process_end::kind::stopped;
      if (state == source::state::ended) sources.erase(sources.begin() + static_cast<std::ptrdiff_t>(i));
    }
  }
}

/// What the ended child had written before; nobody writes any more.
void drain(const std::vector<source>& sources) {
  for (const source& s : sources) {
    pollfd waiting{s.fd, POLLIN, 0};
    while (::poll(&waiting, 1, 0) > 0 && s.read() == source::state::more) {
    }
  }
}

/// Waits for the child itself, which may live on after it closed its output.
std::optional<process_end::kind> wait_for(pid_t child, const time_limit& limit) {
  const descriptor handle(static_cast<int>(::syscall(SYS_pidfd_open, child, 0)));  // kernels before 5.3 have none
  while (!has_ended(child)) {
    if (interrupted()) return process_end::kind::interrupted;
    if (const auto deadline = limit(); deadline && clock::now() > *deadline) return process_end::kind::timed_out;
    pollfd end{handle.get(), POLLIN, 0};
    constexpr int often_ms = 1, seldom_ms = 20;  // a signal or a deadline may come
    ::poll(&end, 1, handle.get() < 0 ? often_ms : seldom_ms);
  }
  return std::nullopt;
}

}  // namespace

process_end run(const command& what) {
  process_end end;
  std::optional<pipe_ends> out, err, stream;
  descriptor file, out_memory, err_memory;
  if (what.on_stream) stream = make_pipe();
  if (!what.output_file.empty()) {
    file = descriptor(::open(what.output_file.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666));
    if (file.get() < 0) {
      end.err = fmt::format("cannot write '{}': {}", what.output_file, std::strerror(errno));
      return end;
    }
  } else if (what.on_output) {
    out = make_pipe();
  } else if (what.capture_at_end) {
    out_memory = descriptor(::memfd_create("stdout", MFD_CLOEXEC));
    err_memory = descriptor(::memfd_create("stderr", MFD_CLOEXEC));
  } else if (!what.inherit_output) {
    out = make_pipe();
    err = make_pipe();
  }
  const bool has_output = what.inherit_output || file.get() >= 0 || (out_memory.get() >= 0 && err_memory.get() >= 0) ||
                          (out && (err || what.on_output));
  std::optional<pipe_ends> watch;
  if (what.on_opened) watch = make_socket();
  const bool pipes_made = (!what.on_stream || stream) && (!what.on_opened || watch) && has_output;
  if (!pipes_made) {
    end.err = fmt::format("cannot make a pipe: {}", std::strerror(errno));
    return end;
  }

  const int out_fd = out ? out->write.get() : out_memory.get() >= 0 ? out_memory.get() : file.get();
  child_setup how{.arguments = what.arguments, .directory = what.directory, .environment = what.environment};
  if (!what.stream_variable.empty())
    how.environment.emplace_back(what.stream_variable,
                                 stream ? std::optional(std::to_string(stream->write.get())) : std::nullopt);
  how.out = out_fd;
  how.err = err ? err->write.get() : what.on_output ? out_fd : err_memory.get() >= 0 ? err_memory.get() : file.get();
  how.kept = stream ? stream->write.get() : -1;
  how.has_no_input = how.leads_group = how.has_default_signals = true;
  how.signal_at_our_end = what.on_output || watch ? SIGKILL : what.ends_with_us ? SIGTERM : 0;
  if (watch || what.writes != nullptr)
    how.before_exec = [to = watch ? watch->write.get() : -1, limit = what.writes] {
      if (limit != nullptr) limit->restrict_this_process();
      if (to >= 0) watch_this_process(to);
    };

  const time_limit limit = limit_of(what);
  auto started = start_child(how);
  if (!started) {
    end.err = fmt::format("cannot start a process: {}", std::strerror(errno));
    return end;
  }
  const pid_t child = started->process();
  std::vector<source> sources;
  if (out && what.on_output) {
    out->write.close();
    sources.push_back(read_pipe(std::move(out->read), [&](std::string_view s) { return what.on_output(s), true; }));
  } else if (out) {
    out->write.close();
    err->write.close();
    sources.push_back(read_pipe(std::move(out->read), [&](std::string_view s) { return end.out.append(s), true; }));
    sources.push_back(read_pipe(std::move(err->read), [&](std::string_view s) { return end.err.append(s), true; }));
  }
  if (stream) stream->write.close();
  std::unique_ptr<watched_events> events;
  if (watch) {
    watch->write.close();
    events =
        std::make_unique<watched_events>(child, watch->read.get(), stream ? stream->read.release() : -1, what.moment);
    end.watch_refused = events->refusal();
    if (stream) sources.push_back(read_events(*events, what));
  } else if (stream) {
    sources.push_back(read_pipe(std::move(stream->read), what.on_stream));
  }

  if (const int why = started->await_program(); why != 0) {
    end.err = std::strerror(why);
    return end;
  }

  std::optional<process_end::kind> cut = pump(sources, limit, what.on_output ? child : 0);
  if (!cut) cut = wait_for(child, limit);
  if (cut || what.on_output) ::kill(-child, SIGKILL);
  const int status = wait_for_end(child);
  if (events) events->stop();
  if (out_memory.get() >= 0) {
    end.out = contents_of(out_memory.get());
    end.err = contents_of(err_memory.get());
  }
  if (cut != process_end::kind::stopped) drain(sources);
  if (cut != process_end::kind::stopped && events) read_events(*events, what).read();
  if (cut) {
    end.how = *cut;
  } else {
    const process_end by_itself = end_of(status);
    end.how = by_itself.how;
    end.code = by_itself.code;
  }
  return end;
}

process_end end_of(int status) {
  process_end end;
  end.how = WIFSIGNALED(status) ? process_end::kind::signaled : process_end::kind::exited;
  end.code = WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status);
  return end;
}

environment_changes counters_kept_in(const std::filesystem::path& folder) {
  return {{"GCOV_PREFIX", folder.string()},
          {"GCOV_PREFIX_STRIP", std::nullopt},
          {"LLVM_PROFILE_FILE", folder.string() + ".profraw/%p.profraw"}};
}

bool can_watch_files() {
  command c{{"true"}};
  c.on_opened = [](const opened_file&) {};
  const process_end end = run(c);
  return end.succeeded() && end.watch_refused == 0;
}

std::string describe(const process_end& end, std::chrono::milliseconds timeout) {
  switch (end.how) {
    case process_end::kind::exited:
      return fmt::format("exit status {}", end.code);
    case process_end::kind::signaled:
      return fmt::format("killed by signal {} ({})", end.code, ::strsignal(end.code));
    case process_end::kind::timed_out:
      return fmt::format("timed out after {:g} s", std::chrono::duration<double>(timeout).count());
    case process_end::kind::interrupted:
      return "interrupted";
    case process_end::kind::stopped:
      return "stopped";
    case process_end::kind::not_started:
      return fmt::format("could not be started: {}", end.err);
  }
  return "unknown end";
}

void catch_interrupts() {
  struct sigaction action {};
  action.sa_handler = [](int) { interrupt_seen = true; };
  sigemptyset(&action.sa_mask);
  ::sigaction(SIGINT, &action, nullptr);
  ::sigaction(SIGTERM, &action, nullptr);
}

bool interrupted() {
  return interrupt_seen;
}

void forget_interrupt() {
  interrupt_seen = false;
}

std::filesystem::path own_executable() {
  std::error_code error;
  return std::filesystem::read_symlink("/proc/self/exe", error);
}

}  // namespace morph::system
