// Between a program of specs and what measures it: there only in an instrumented program
// (plugin/runtime/morph_spec.cpp).
#ifndef MORPH_SPEC_MEASURED_H
#define MORPH_SPEC_MEASURED_H

#ifdef __cplusplus
extern "C" {
#endif

// Whether each test is to be measured.
__attribute__((weak)) int morph_spec_requested(void);
// Before the first test.
__attribute__((weak)) void morph_spec_start(void);
// Before each test: whether this process is the one that runs it.
__attribute__((weak)) int morph_spec_begin_test(const char* name);
__attribute__((weak)) void morph_spec_end_test(const char* name, int failed);
// Whether what a test sees is on record. All of it happens in this process then.
__attribute__((weak)) int morph_spec_is_observed(void);
// Outputs, each by words for its input.
__attribute__((weak)) void morph_spec_saw(const char* const* words, const char* const* outputs, unsigned long count);
// After the last one. Returns in the process that goes on to the end of main().
__attribute__((weak)) void morph_spec_finish(void);
// After the last one of a process that is not to measure each test.
__attribute__((weak)) void morph_spec_ended(void);

#ifdef __cplusplus
}
#endif

#endif
