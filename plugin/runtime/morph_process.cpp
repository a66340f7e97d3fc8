// Adapter for a process that is one test: its program has no framework, or ctest knows nothing but its command. A
// constructor turns this process into the supervisor of a copy of itself that goes on into main(), and ends as that
// copy ends.
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "morph_capture.h"

namespace {

__attribute__((noreturn)) void end_like(int wait_status) {
  if (WIFEXITED(wait_status)) _exit(WEXITSTATUS(wait_status));
  const int number = WTERMSIG(wait_status);
  const struct rlimit no_second_core = {0, 0};
  setrlimit(RLIMIT_CORE, &no_second_core);
  signal(number, SIG_DFL);
  sigset_t only_this;
  sigemptyset(&only_this);
  sigaddset(&only_this, number);
  sigprocmask(SIG_UNBLOCK, &only_this, nullptr);
  kill(getpid(), number);
  _exit(128 + number);
}

// Constructors of the program that come later run in the test process; the earlier ones make the startup row.
__attribute__((constructor)) void supervise() {
  if (!morph_runtime::requested_as_one_test()) return;
  morph_runtime::start();
  const morph_runtime::turn turn =
      morph_runtime::run_test(morph_runtime::program_test(), morph_runtime::verdict_from::exit_status);
  if (turn.in_test) return;
  morph_runtime::end_stream();
  end_like(turn.wait_status);
}

}  // namespace
