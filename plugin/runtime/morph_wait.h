// What both supervisors ask of processes: whether this one has threads, whether another one ends in time.
#ifndef MORPH_RUNTIME_WAIT_H
#define MORPH_RUNTIME_WAIT_H

#include <dirent.h>
#include <poll.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

namespace {

inline bool has_threads() {
  DIR* tasks = opendir("/proc/self/task");
  if (tasks == nullptr) return false;
  int count = 0;
  while (const dirent* entry = readdir(tasks))
    if (entry->d_name[0] != '.') ++count;
  closedir(tasks);
  return count > 1;
}

inline double seconds_now() {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

inline bool has_ended(pid_t process) {
  siginfo_t info;
  info.si_pid = 0;
  return waitid(P_PID, static_cast<id_t>(process), &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_pid != 0;
}

// Whether the process ended before the deadline, by seconds_now(). Kernels before 5.3 have no pidfd_open: look every
// few milliseconds.
inline bool ends_in_time(pid_t process, double deadline) {
#ifdef SYS_pidfd_open
  const int handle = static_cast<int>(syscall(SYS_pidfd_open, process, 0));
#else
  const int handle = -1;
#endif
  bool ended = false;
  for (double left; !ended && (left = deadline - seconds_now()) > 0; ended = has_ended(process)) {
    const double seconds = handle < 0 && left > 0.005 ? 0.005 : left < 1e6 ? left : 1e6;
    pollfd exit = {handle, POLLIN, 0};
    poll(&exit, 1, static_cast<int>(seconds * 1e3) + 1);
  }
  if (handle >= 0) close(handle);
  return ended;
}

}  // namespace

#endif
