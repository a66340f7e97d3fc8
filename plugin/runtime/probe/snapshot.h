// A test's process is restored to where its first test began, and runs another one.
#ifndef MORPH_RUNTIME_PROBE_SNAPSHOT_H
#define MORPH_RUNTIME_PROBE_SNAPSHOT_H

#include <stddef.h>

namespace morph_probe {

// Makes room for a copy of the process's memory, which it shares with those that it forks. False where there can be
// none.
bool prepare_snapshot();

// Returns once more after each restore(). From then on system calls are trapped, but for those of this library.
// `unused`: memory that nobody writes to.
void take_snapshot(char* unused, size_t unused_bytes);

// Whether the test has made no system call so far whose effect would stay.
bool can_restore();

// From now on no call is trapped, until the next test.
void stop_traps();

[[noreturn]] void restore();

}  // namespace morph_probe

#endif
