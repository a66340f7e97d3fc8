// Between a program of specs and what measures it. The functions are there only in an instrumented program.
#ifndef MORPH_SPEC_MEASURED_H
#define MORPH_SPEC_MEASURED_H

#ifdef __cplusplus
extern "C" {
#endif

// Before the first test. Whether tests are measured at all.
__attribute__((weak)) int morph_spec_start(void);
enum morph_spec_turn { morph_spec_pass_over, morph_spec_run_it };
// Before each test: whether this process is to run it. Each that runs in a process of its own is passed over in the one
// that goes on.
__attribute__((weak)) int morph_spec_begin_test(const char* name);
__attribute__((weak)) void morph_spec_end_test(const char* name, int failed);
// After the last one. Returns in the process that goes on to the end of main().
__attribute__((weak)) void morph_spec_finish(void);

#ifdef __cplusplus
}
#endif

#endif
