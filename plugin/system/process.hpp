// Running other programs: arguments, environment, time-out, captured output.
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "plugin/system/child_process.hpp"
#include "plugin/system/file_watch.hpp"
#include "plugin/system/limited_writes.hpp"

namespace morph::system {

struct command {
  std::vector<std::string> arguments;    // the program first; searched in PATH when it has no slash
  std::string directory{};               // empty = ours
  environment_changes environment{};     // over ours; no value = unset, of the same name the last one counts
  std::chrono::milliseconds timeout{0};  // 0 = none
  std::string output_file{};             // stdout and stderr are appended there instead of being captured
  bool inherit_output = false;           // stdout and stderr are ours
  bool ends_with_us = false;             // SIGTERM when we are killed: build programs then end what they have started
  /// What it writes is captured in memory files and read when it has ended: of a program that writes much in small
  /// pieces, each of which would wake us up. What others that it leaves behind write later is not captured; who opens
  /// /dev/stdout anew overwrites.
  bool capture_at_end = false;
  /// If set, the child gets a pipe's write end, its number in the environment variable `stream_variable`; what it
  /// writes there arrives here as it comes. Return false to end the child.
  std::function<bool(std::string_view)> on_stream{};
  std::string stream_variable{};
  /// If set, stdout and stderr share a pipe and arrive here as they come, instead of being captured. The child dies
  /// with us, and what it leaves running in its process group ends with it.
  std::function<void(std::string_view)> on_output{};
  /// If set, each file that the child, or whatever it starts, opens, executes or looks for arrives here, behind what it
  /// had written to the stream before. At the end the processes that live on can open no file any more. The child dies
  /// with us: nobody would answer its next open().
  std::function<void(const opened_file&)> on_opened{};
  /// For on_opened, if set: see opened_file::during.
  moment_reader moment{};
  /// If set: it, and what it starts, writes where this allows alone.
  const write_limit* writes = nullptr;
  /// If set, in place of `timeout`: asked again several times a second.
  std::function<std::chrono::steady_clock::time_point()> deadline{};
};

struct process_end {
  enum class kind { exited, signaled, timed_out, interrupted, stopped, not_started } how = kind::not_started;
  int code = 0;  // exit status or signal
  std::string out;
  std::string err;        // for not_started: why
  int watch_refused = 0;  // errno with which the kernel refused to tell of opened files

  bool succeeded() const { return how == kind::exited && code == 0; }
};

/// Blocks until the program has ended. Its whole process group is killed on time-out, interrupt and stop.
process_end run(const command& what);

/// Has programs that a project instruments for itself write their counters below `folder`, those of Clang's profiles
/// below `folder`.profraw, and not over those that its user collects.
environment_changes counters_kept_in(const std::filesystem::path& folder);

/// Whether the kernel tells of files here: starts a program to see.
bool can_watch_files();

/// By what waitpid() said of a process that ended by itself.
process_end end_of(int status);

/// "exit status 3", "killed by signal 11 (Segmentation fault)", "timed out after 5 s", ...
std::string describe(const process_end& end, std::chrono::milliseconds timeout);

/// The file of the running program.
std::filesystem::path own_executable();

/// From now on SIGINT and SIGTERM end the running child, and run() answers `interrupted`.
void catch_interrupts();
bool interrupted();
/// For who has stopped what was under way, and goes on with what there is.
void forget_interrupt();

}  // namespace morph::system
