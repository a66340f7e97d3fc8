// The end of a framework's run, told by removing the file that MORPH_COVERAGE_END names.
//
// Neither descriptors nor the working directory or the environment of the process matter. No layout of libgcov's is
// known here.
#include "morph_end.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

namespace {

const char variable[] = "MORPH_COVERAGE_END";  // NUMBER:PATH, the number of the process that may tell it, or 0
char* file = nullptr;                          // never freed
pid_t process = 0;

// The first program of the process puts its number in, and one that it becomes by exec finds it: a main() may start
// itself anew. What a test starts has another number.
__attribute__((constructor(101))) void take_request() {
  const char* const value = getenv(variable);
  if (value == nullptr) return;
  char* path = nullptr;
  const long number = strtol(value, &path, 10);
  process = getpid();
  if (*path != ':' || (number != 0 && number != process)) return;
  file = strdup(path + 1);
  char numbered[4096];
  const int size = snprintf(numbered, sizeof numbered, "%d:%s", static_cast<int>(process), file);
  if (size > 0 && static_cast<size_t>(size) < sizeof numbered) setenv(variable, numbered, 1);
}

}  // namespace

namespace morph_runtime {

bool is_end_awaited() {
  return file != nullptr;
}

void tell_end() {
  if (file != nullptr && getpid() == process) unlink(file);
}

}  // namespace morph_runtime
