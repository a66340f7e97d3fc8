// A child process from fork() to exec(): what run(), run_in_foreground() and conversations with programs start by.
#pragma once

#include <sys/types.h>

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "plugin/system/descriptor.hpp"

namespace morph::system {

using environment_changes = std::vector<std::pair<std::string, std::optional<std::string>>>;

/// What is different in the child. Descriptors are ours; -1: it keeps what we have.
struct child_setup {
  std::vector<std::string> arguments;  // the program first; searched in PATH when it has no slash
  std::string program{};               // the file to run, if that is not the first argument
  std::string directory{};             // empty = ours
  environment_changes environment{};   // over ours; no value = unset, of the same name the last one counts
  int in = -1;
  int out = -1;
  int err = -1;
  int kept = -1;                        // open in the child, too
  bool has_no_input = false;            // in place of `in`: /dev/null
  bool leads_group = false;             // a process group of its own, to which a terminal's signals do not go
  bool has_default_signals = false;     // none blocked; SIGINT, SIGTERM and SIGPIPE as every program has them at first
  int signal_at_our_end = 0;            // what it gets when we end
  std::function<void()> before_exec{};  // in the child: only async-signal-safe calls
};

class child_process {
 public:
  pid_t process() const { return process_; }

  /// Waits until the program runs: 0, or the errno with which it cannot. It has ended then, and is waited for.
  int await_program();

 private:
  friend std::optional<child_process> start_child(const child_setup& how);
  child_process(pid_t process, descriptor report) : process_(process), report_(std::move(report)) {}

  pid_t process_;
  descriptor report_;
};

/// Nothing, with errno, if there can be no process more.
std::optional<child_process> start_child(const child_setup& how);

/// Waits for the end of the process, whatever signals come; its status.
int wait_for_end(pid_t process);

}  // namespace morph::system
