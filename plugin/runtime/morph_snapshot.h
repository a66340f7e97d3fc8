// A snapshot of a test's process: it is taken where the first test begins and restored after each test. The next test
// finds what it would have found in a process of its own, without a fork(), the end of a process, and new page faults.
//
// A process consists of its memory, which is restored byte for byte, and of what the kernel keeps of it. Each system
// call of a test is trapped. A call without lasting effect, or with one that can be undone here (memory that was
// allocated, a file that was opened for reading), is made, and the test continues. With the first call of any other
// kind (a thread, a child, a signal's handler, a file that is written) the traps are removed and the process ends with
// its test. Linux 5.11 on x86-64 with glibc.
#ifndef MORPH_RUNTIME_SNAPSHOT_H
#define MORPH_RUNTIME_SNAPSHOT_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "morph_counters.h"

namespace morph_runtime {

// ---- the supervisor

// Makes room for the copy of a process's memory. False where snapshots are not possible.
bool prepare_snapshot();

enum class test_end { died, timed_out, restored };

// How a test ended in a process that can be restored.
struct restored_test {
  test_end how;
  int status;  // of exit()
  uint64_t cpu_us;
};

// Before a process is forked that takes a snapshot, and after it has ended.
void forget_snapshot();

// Returns when the test is over, or at the deadline, by seconds_now(); none if it is negative. A process that died has
// not been waited for.
restored_test wait_for_restored_test(pid_t process, double deadline);

// A process that was restored runs the test of that number.
void run_next_test(size_t number);

// Whether the process's last test, which may be running, has made a system call whose effect cannot be undone, or the
// process could not take a snapshot.
bool has_lasting_effects();

// ---- the test's process

// Returns the number of the test to run, this one at first, and once more for each test that follows. `layout` is that
// of the counters that the process shares; they are not restored.
size_t run_from_snapshot(size_t number, const counter_layout& layout);

// As getpid(), but never trapped.
pid_t untrapped_getpid();

}  // namespace morph_runtime

#endif
