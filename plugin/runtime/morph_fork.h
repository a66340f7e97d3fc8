// fork() onto this processor.
#ifndef MORPH_RUNTIME_FORK_H
#define MORPH_RUNTIME_FORK_H

#include <errno.h>
#include <sched.h>
#include <unistd.h>

namespace {

// The new process begins on this processor, whose caches know what it is going to execute: the caller only waits, and
// schedulers prefer idle processors for new processes. It may go elsewhere from its first moment on.
pid_t fork_here() {
  cpu_set_t allowed, here;
  const int processor = sched_getcpu();
  const bool can_stay =
      processor >= 0 && processor < CPU_SETSIZE && sched_getaffinity(0, sizeof allowed, &allowed) == 0;
  CPU_ZERO(&here);
  if (can_stay) {
    CPU_SET(static_cast<size_t>(processor), &here);
    sched_setaffinity(0, sizeof here, &here);
  }
  const pid_t process = fork();
  const int error = errno;
  if (can_stay) sched_setaffinity(0, sizeof allowed, &allowed);
  errno = error;
  return process;
}

}  // namespace

#endif
