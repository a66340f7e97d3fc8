// A test's process that goes back to where its first test began: the next test finds what it would have found in a
// process of its own, and there is no fork(), no end of a process, and no page that faults anew.
//
// What a process is are its memory, which is put back byte for byte, and what the kernel knows of it. The process hears
// of each of its system calls: those that leave nothing behind, or nothing that cannot be taken back here (memory that
// was asked for, files that were opened for reading), are carried out and the test goes on. With the first one of any
// other kind (a thread, a child, a signal's handler, a file that is written) the process is an ordinary one from then
// on, and ends with its test. Linux 5.11 on x86-64 with glibc.
#ifndef MORPH_RUNTIME_REWIND_H
#define MORPH_RUNTIME_REWIND_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "morph_counters.h"

namespace morph_runtime {

// ---- the supervisor

// Makes room for the copy of a process's memory. False where processes cannot go back.
bool prepare_rewinding();

enum class rewound { died, too_late, went_back };

// What a test left in a process that went back.
struct rewound_test {
  rewound how;
  int status;  // of exit()
  uint64_t cpu_us;
};

// Before a process is forked that is to go back, and when it is no more.
void reset_rewinding();

// Returns when the test is over, or at the deadline, by seconds_now(); none if it is negative. A process that died has
// not been waited for.
rewound_test wait_for_rewound_test(pid_t process, double deadline);

// For a process that went back: it runs the test of that number.
void run_next_test(size_t number);

// Whether the process's last test, which may be running, has asked the kernel for what cannot be taken back, or the
// process cannot go back at all.
bool is_beyond_rewinding();

// ---- the test's process

// Returns the number of the test to run, this one at first, and once more for each test that follows. `layout` is that
// of the counters that the process shares; they are not put back.
size_t run_from_here(size_t number, const counter_layout& layout);

// As getpid(), and no call that is heard of.
pid_t unheard_getpid();

}  // namespace morph_runtime

#endif
