// Memory that the supervisor shares with every process that a test makes: what a child counts after fork(), what a
// shared object counts that is loaded on the way, what another instrumented program of the build counts.
//
// Each of them puts a copy of the pages that hold its counters into a block of this memory and maps it over the
// originals. However the process ends, the counts are there. The pages hold other variables too, so that no two
// processes may have a block in common.
#ifndef MORPH_RUNTIME_SHARED_H
#define MORPH_RUNTIME_SHARED_H

#include <stddef.h>
#include <stdint.h>

#include "morph_counters.h"

namespace morph_runtime {

const uint32_t main_layout = ~uint32_t{0};

struct shared_block {
  uint32_t ready;   // 1 when the rest is valid
  int32_t process;  // whose it is
  uint32_t layout;  // counters: number of the block that describes them, or main_layout; else no_counters
  uint64_t offset;
  uint64_t bytes;
};
const uint32_t describes = ~uint32_t{0} - 1;  // shared_block::layout of a description

// ---- the supervisor

// False, with errno, if there is none. `layout` is that of the supervisor's own program and outlives it.
bool create_shared_memory(const counter_layout* layout);

// Blocks that the test's processes have made so far, in order; no others may be made while they are read.
size_t shared_blocks();
const shared_block& block_at(size_t number);
const char* contents_of(const shared_block& block);
// Bits of morph_stream::incomplete: what could not be shared.
uint32_t not_shared();

// Whether the test's process became another program of the build by exec and left that one by exit() or the end of
// main().
bool test_left_by_exit();

// Whether the process that made it may still use it.
bool is_in_use(const shared_block& block);

// What the processes of the test have said by share_name(): names with a zero each, and zeros.
const char* names_read(size_t* bytes);
void forget_names();

// Forgets all blocks. Only when none is in use: their memory is given to others.
void forget_blocks();

// ---- processes of a test

// As early as possible: of several handlers of fork(), the first to come is the first to run in the child.
void watch_forks();

// In the test process, whose own counters are shared already: from now on its children get blocks, and so does what it
// loads.
void share_from_now_on();

// In a program that nobody asked to measure itself: if it descends from a supervisor, its counters are shared. True if
// it is one.
bool join_if_descendant();

// Tells the supervisor that a process of the test has read a variable.
void share_name(const char* name);

// Before the process ends: what was loaded without being shared is reported.
void report_unshared();

}  // namespace morph_runtime

#endif
