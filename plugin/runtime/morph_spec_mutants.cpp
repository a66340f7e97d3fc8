// Adapter for programs of Morph's own specs: each relation is a test that mutants are judged by.
#include "morph_observe_record.h"
#include "morph_serve.h"

// What a program of specs calls if it is there (plugin/spec/measured.h).
extern "C" {
int morph_spec_requested(void);
void morph_spec_start(void);
int morph_spec_begin_test(const char* name);
void morph_spec_end_test(const char* name, int failed);
int morph_spec_is_observed(void);
void morph_spec_saw(const char* const* words, const char* const* outputs, unsigned long count);
void morph_spec_finish(void);
}

int morph_spec_requested(void) {
  return morph_runtime::serves_mutants();
}

void morph_spec_start(void) {
  morph_runtime::serve_mutants_of_offered_tests();
}

int morph_spec_begin_test(const char* name) {
  return morph_runtime::was_offered(name);
}

void morph_spec_end_test(const char*, int failed) {
  if (failed) morph_runtime::test_failed();
}

int morph_spec_is_observed(void) {
  return morph_runtime::is_observed();
}

void morph_spec_saw(const char* const* words, const char* const* outputs, unsigned long count) {
  morph_runtime::observe_outputs(words, outputs, count);
}

void morph_spec_finish(void) {
  morph_runtime::tests_passed();
}
