// The cases of a series, for the two ways in which a program runs one: by its test framework, by main().
#ifndef MORPH_RUNTIME_PROBE_SERIES_CASES_H
#define MORPH_RUNTIME_PROBE_SERIES_CASES_H

#include <stddef.h>
#include <stdint.h>

#include "coverage/probe/format.h"

namespace morph_probe {

constexpr uint32_t no_case = ~0u;

uint32_t number_of_cases();
bool is_taken(uint32_t number);  // it has begun, maybe in another process
const char* name_of_case(uint32_t number);
// As `count` texts with a zero behind each.
const char* arguments_of_case(uint32_t number, uint32_t& count);

// Forks a process for this case, the worker, and waits for its end. In it: the case that it is to run; a second time,
// as if it were new, if it is restored. In the first process: no_case.
uint32_t case_in_worker(uint32_t number);
bool is_worker();
bool is_restored();              // this worker ran another case before
void let_wait(uint32_t number);  // the worker runs it, too, when it is restored

// Whether another worker can be forked; else why not is said in the file.
bool can_fork();

// What this worker enters at its end belongs to all cases, and from tell_common_end() on it is noted as that.
bool tells_common();
void tell_common_end();
// What was entered so far belongs to all cases, and nothing else does.
bool tell_common_begin();

// Where a process goes on that enters a hook; 0: in that function.
uintptr_t enter_hook_of_gtest(hook_role role, uintptr_t address);
uintptr_t enter_main(uintptr_t address);

}  // namespace morph_probe

#endif
