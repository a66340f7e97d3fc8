// Many tests of one program, each in a process of its own that begins where the first test began.
#ifndef MORPH_RUNTIME_PROBE_SERIES_H
#define MORPH_RUNTIME_PROBE_SERIES_H

#include <stddef.h>
#include <stdint.h>

#include "coverage/probe/format.h"
#include "plugin/spool/series.h"

namespace morph_probe {

// `file`: the value of MORPH_PROBES_SERIES. False: it is none.
bool begin_series(const char* file);

// Says why no test can run and ends the process, which has not begun.
[[noreturn]] void refuse_series(series_refusal why);

void series_has_row(const char* row);

bool is_in_series();

// Without such a function no case can run.
hook_role first_hook();

// Where a process goes on that enters such a function; 0: in that function.
uintptr_t enter_hook(hook_role role, uintptr_t address);

// The process comes to its end by itself.
void end_worker(int status);

// Behind all that exit() calls: another test may run in this process, as if it were a new one.
void go_on_in_worker(int status);

// ROW/variables, or ROW/incomplete.
void row_has_grown();

// Of zeros, shared with the processes that are forked from now on; null: there is none.
void* shared_memory(size_t size);

}  // namespace morph_probe

#endif
