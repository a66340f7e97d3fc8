// Which files the processes of a test open and look for, seen in the kernel: static programs, scripts and whatever they
// start too.
//
// A filter of system calls (seccomp) stops each open(), execve(), stat() and their like, tells us, and lets it go on
// (https://docs.kernel.org/userspace-api/seccomp_filter.html, "Userspace Notification").
#pragma once

#include <sys/types.h>

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <variant>
#include <vector>

namespace morph::system {

/// A file that a process is about to use. It need not exist.
struct opened_file {
  enum class use : std::uint8_t {
    reads,   // or executes, or links
    looks,   // asks whether it is there, and for its facts
    writes,  // and reads nothing
    hides,   // no file: from here on it may open files that are not told of
    makes,   // or replaces: what was there before does not matter
  };
  bool by_program = false;  // the watched child itself, not a process (or another thread) that it made
  std::string path;         // absolute, links not resolved
  use how = use::reads;
  bool changes = false;      // it may become another file by this
  std::uint32_t during = 0;  // what watched_events::moment said then
};

/// Which of several tests of one program runs, and in which process. Asked while the process that opens a file waits.
struct moment {
  std::uint32_t test = 0;  // any number; 0: none of them
  pid_t process = 0;       // counts as the watched child itself
};
using moment_reader = std::function<moment()>;

/// The fourth argument of an openat() that is let through: of files that who measures opens in the process of a test.
inline constexpr std::uint32_t mode_of_unwatched_opens = 0x4d4f5250;

/// In a child between fork and exec, async-signal-safe: from here on it and all that it starts are watched. Sends the
/// listener, or the reason (errno) for which there is none, through the socket.
void watch_this_process(int socket);

/// The filter that it installs, as sock_filter: for who does so without us.
std::string_view watching_filter();

/// What a watched child opens and writes, in the order in which it happens: what was written before a file was opened
/// comes before it.
class watched_events {
 public:
  using event = std::variant<std::string, opened_file>;  // bytes of the stream, or a file

  /// Takes the listener out of the socket and begins to answer the child, which waits for that. `stream`: the read end
  /// of a pipe that the child writes to, or -1; ours from now on. Nothing is watched if the kernel refuses: see
  /// refusal().
  watched_events(pid_t child, int socket, int stream, moment_reader now = {});
  watched_events(const watched_events&) = delete;
  watched_events& operator=(const watched_events&) = delete;
  ~watched_events();

  /// Readable when there are events, or when the stream has ended.
  int descriptor() const { return ready_; }
  /// Everything so far. False from `take` ends it.
  bool take_all(const std::function<bool(event&)>& take);
  /// No more events will come: the stream has ended. Without a stream: never.
  bool ended();
  /// Reads what is left of the stream and lets go of the processes. Then take_all() has the rest.
  void stop();
  /// errno of the kernel's refusal; 0 = files are watched.
  int refusal() const { return refusal_; }
  /// No process is left that is watched. Then descriptor() is readable.
  bool watches_nobody() const { return watches_nobody_; }

 private:
  void answer_until_stopped();
  bool read_stream();
  void answer();
  void lose_all();
  void push(event e);

  pid_t child_;
  moment_reader now_;
  int listener_ = -1, stream_ = -1, ready_ = -1, stop_ = -1;
  int refusal_ = 0;
  static constexpr std::size_t buffer_size = std::size_t{1} << 20;
  std::unique_ptr<char[]> buffer_;
  std::mutex mutex_;
  std::condition_variable room_;
  std::deque<event> events_;
  std::size_t bytes_ = 0;  // of the stream, in events_
  bool ended_ = false, stopping_ = false;
  std::atomic<bool> watches_nobody_{false};
  std::thread thread_;
};

}  // namespace morph::system
