// Crashes and runs without end: the work is done in a process of its own, and runs in batches of processes where need
// be.
#pragma once

#include <signal.h>

#include <functional>
#include <string>

#include "plugin/spec/engine/engine.hpp"

namespace morph::engine {

enum class isolation {
  automatic,  // in one other process; after a crash or hang there, once more in batches
  none,       // in this process
  batches,    // runs in batches of processes from the start
};

/// Why work ended early, where it could not go on.
struct accident {
  activity what;    // what went on
  std::string how;  // "signal 11 (Segmentation fault)"
};

/// While it lives, SIGINT and SIGTERM are noted, here and in processes that are forked, and end nothing by themselves;
/// another one, a second later or more, does. What is ignored stays ignored. One at a time.
class interrupts_noted {
 public:
  interrupts_noted();
  interrupts_noted(const interrupts_noted&) = delete;
  interrupts_noted& operator=(const interrupts_noted&) = delete;
  ~interrupts_noted();
  /// Since the program began.
  static bool any();

 private:
  struct sigaction interrupt_, terminate_;
};

/// What stopped and why, for people: the morphism, and what to do about it.
std::string stopped_at(const spec_base& spec, const accident& what);

/// `work` gets where to show what it does, and whether runs have to be isolated; its result is the exit status. In
/// another process, unless there is to be none. What does not come back within `run_timeout` (a run) or `step_timeout`
/// seconds (the rest, which is no one's to limit) is ended; after an accident while a violation is made smaller, it is
/// left as it was found. `stopped` tells of an accident that nothing could be done about, and gives the exit status
/// then.
int supervised(isolation how, double run_timeout, bool can_isolate,
               const std::function<int(activity*, bool isolated)>& work,
               const std::function<int(const accident&)>& stopped, double step_timeout = 10);

/// In other processes, a batch in each; what a run that crashed or hung left is its outcome. The samples of a check are
/// of one process as long as they end: what is random there goes on from one to the next.
extern const run_inputs run_isolated;

}  // namespace morph::engine
