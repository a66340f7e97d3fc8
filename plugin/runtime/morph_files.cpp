// In each program of a twin whose counters the compiler's own gcov reads: a process that does not get to the end where
// libgcov writes them is seen. It leaves a file of its number in a folder that exists while a test is measured, and
// takes it away last of all before libgcov's turn. Whether a test unsets its environment makes no difference.
//
// No layout of libgcov's is known here.
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

namespace {

const char prefix_variable[] = "GCOV_PREFIX";
char* prefix = nullptr;  // never freed: the counters are written after everything

void name_of(pid_t process, const char* suffix, char* path, size_t size) {
  snprintf(path, size, "%s/%d%s", MORPH_RUNNING, static_cast<int>(process), suffix);
}

void leave_mark(const char* suffix) {
  char path[4096];
  name_of(getpid(), suffix, path, sizeof path);
  const int file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (file >= 0) {
    close(file);
    return;
  }
  if (errno != EEXIST || *suffix != '\0') return;
  // This process has been another program of the twin until it became this one, which lost what was counted.
  leave_mark(".exec");
}

void mark_child() {
  struct stat folder;
  if (stat(MORPH_RUNNING, &folder) == 0) leave_mark("");
}

__attribute__((constructor(101))) void begin() {
  struct stat folder;
  if (stat(MORPH_RUNNING, &folder) != 0) return;
  leave_mark("");
  // Without it the counters would go where nobody looks for those of this test: the mark stays.
  const char* const value = getenv(prefix_variable);
  if (value != nullptr) prefix = strdup(value);
  pthread_atfork(nullptr, nullptr, mark_child);
}

// libgcov's own destructor has priority 100 and comes next.
__attribute__((destructor(101))) void end() {
  if (prefix == nullptr) return;
  setenv(prefix_variable, prefix, 1);
  char path[4096];
  name_of(getpid(), "", path, sizeof path);
  unlink(path);
}

}  // namespace
