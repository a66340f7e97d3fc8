// What the interposed functions of libc, and a series, need of the probes of this process.
#ifndef MORPH_RUNTIME_PROBE_PROBE_H
#define MORPH_RUNTIME_PROBE_PROBE_H

#include <signal.h>
#include <stddef.h>
#include <stdint.h>

#include "coverage/probe/format.h"

namespace morph_probe {

// Whether this process records what it enters.
bool is_active();

// The row of this test may lack something: the reason is written beside it.
void note_incomplete(const char* reason);
void note_incomplete(const char* reason, const char* of);

// Takes all probes away: from here on nothing would survive one.
void give_up(const char* reason);

// Whether any lie there.
bool has_probes(const void* begin, size_t size);

// A system call that may change what lies where code is, with its arguments.
void look_at_memory(long number, long* arguments);

// `NAME=value` of the variables that a program finds which records to the same row; the last is null.
const char* const* injected_variables();

// A file of the project's build: it is recorded, or the row is incomplete.
bool is_of_build(const char* path);

// What the program believes to have installed for SIGTRAP.
struct sigaction& action_of_program();

// Behind the name of a field, which ends with a tab, in /proc/self/status; null: it is not there. `lines`: room.
constexpr size_t room_for_status = 4096;
const char* own_status(const char* field, char* lines);

// For this thread, which may have inherited that they are blocked.
void unblock_traps();

// ---- for a series of tests

// Whether a program or library has such a function.
bool has_hook(hook_role role);

// Puts all of that role back, or a probe at that address.
void arm_hooks(hook_role role);
void arm(uintptr_t address);
void disarm(uintptr_t address);

// Room for libraries that are not there.
struct unused_memory {
  char* begin;
  size_t size;
};
unused_memory unused_objects();

// What is entered so far belongs to every test. The bytes that take_entered() may need.
size_t keep_entered();

// What was entered since then, as tables of an entry, and how many. It counts as not entered; `put_back`: the probes
// are there again.
size_t take_entered(char* to, uint32_t& tables, bool put_back);

}  // namespace morph_probe

#endif
